// SPDX-License-Identifier: MIT
// HSA_XNACK=1: memory of malloc(), new and the stack in a kernel; where the GPU cannot, its properties say so.
#include "check.h"
__global__ void add(const int *a, const int *b, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i] + b[i];
}
int main(int argc, char **argv) {
  setenv("HSA_XNACK", "1", 1);
  int n = arg(argc, argv, 1, 300000); long bad = 0; hipDeviceProp_t p;
  HIP_CHECK(hipGetDeviceProperties(&p, 0));
  std::printf("%s managed=%d pageable=%d\n", p.gcnArchName, p.managedMemory, p.pageableMemoryAccess);
  if (std::strstr(p.gcnArchName, "xnack+") == nullptr)
    return 77;
  int *a = static_cast<int *>(std::malloc(n * sizeof(int))); std::vector<int> b(n), c(n); int on_stack = 0;
  for (int i = 0; i < n; i++) { a[i] = 3 * i; b[i] = 1000003 - i; }
  for (int round = 0; round < 3; round++) {
    add<<<(n + 255) / 256, 256>>>(a, b.data(), c.data(), n); HIP_CHECK(hipGetLastError());
    HIP_CHECK(hipDeviceSynchronize());
    for (int i = 0; i < n; i++) { bad += c[i] != a[i] + b[i]; c[i] = 0; a[i]++; }
  }
  add<<<1, 1>>>(a, b.data(), &on_stack, 1); HIP_CHECK(hipDeviceSynchronize());
  bad += on_stack != a[0] + b[0];
  int *managed; HIP_CHECK(hipMallocManaged(reinterpret_cast<void **>(&managed), n * sizeof(int), hipMemAttachGlobal));
  add<<<(n + 255) / 256, 256>>>(a, b.data(), managed, n); HIP_CHECK(hipDeviceSynchronize());
  for (int i = 0; i < n; i++) bad += managed[i] != a[i] + b[i];
  HIP_CHECK(hipFree(managed));
  std::free(a);
  return done("xnack", bad);
}
