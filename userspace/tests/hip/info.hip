// SPDX-License-Identifier: MIT
// Host only: device count, properties, no kernel. First thing to get going.
#include "check.h"
int main() {
  int n = 0; HIP_CHECK(hipGetDeviceCount(&n)); std::printf("devices %d\n", n);
  for (int d = 0; d < n; d++) {
    hipDeviceProp_t p; HIP_CHECK(hipGetDeviceProperties(&p, d));
    std::printf("%d name=%s gcnArch=%s CUs=%d warp=%d mem=%zu lds=%zu maxthr=%d clk=%d memclk=%d bus=%d l2=%d pci=%x:%x.%x managed=%d coop=%d\n",
      d, p.name, p.gcnArchName, p.multiProcessorCount, p.warpSize, p.totalGlobalMem, p.sharedMemPerBlock,
      p.maxThreadsPerBlock, p.clockRate, p.memoryClockRate, p.memoryBusWidth, p.l2CacheSize,
      p.pciDomainID, p.pciBusID, p.pciDeviceID, p.managedMemory, p.cooperativeLaunch);
  }
  return done("info", n < 1);
}
