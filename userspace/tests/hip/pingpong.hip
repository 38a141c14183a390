// SPDX-License-Identifier: MIT
// (b) the ping-pong latency program described by the seed document: one CU-masked stream a CU,
// two one-lane kernels hand a flag back and forth with atomicCAS.
#include "check.h"
#include <hip/hip_ext.h>
__global__ void testSync(int32_t *readLoc, int32_t *writeLoc, uint64_t iterations) {
  do {
    while (atomicCAS(readLoc, 1, 0) != 0)
      ;
    *writeLoc = 1;
    iterations--;
  } while (iterations > 0);
}
// As published, "!= 0" is true while the flag WAS 1; the loop leaves when it reads 0. Kept as is in testSync.
// testSync2 waits for the flag properly (old value 1), so the two sides really alternate.
__global__ void testSync2(int32_t *readLoc, int32_t *writeLoc, uint64_t iterations, int32_t *rounds) {
  uint64_t total = iterations;
  do {
    while (atomicCAS(readLoc, 1, 0) != 1)
      ;
    atomicExch(writeLoc, 1);
    iterations--;
  } while (iterations > 0);
  *rounds = (int32_t)total;          // proof that the kernel really ran
}
int main(int argc, char **argv) {
  int maxCores = arg(argc, argv, 1, 4), iter = arg(argc, argv, 2, 100), same = arg(argc, argv, 3, 0), orig = arg(argc, argv, 4, 0);
  hipDeviceProp_t p; HIP_CHECK(hipGetDeviceProperties(&p, 0));
  int n = p.multiProcessorCount; if (maxCores > 0 && n > maxCores) n = maxCores;
  std::vector<hipStream_t> s(n);
  for (int i = 0; i < n; i++) {
    const std::vector<uint32_t> m = unit_mask(p, i);
    HIP_CHECK(hipExtStreamCreateWithCUMask(&s[i], m.size(), m.data()));
  }
  hipEvent_t start, stop; HIP_CHECK(hipEventCreate(&start)); HIP_CHECK(hipEventCreate(&stop));
  int32_t *buf; HIP_CHECK(hipMalloc(&buf, 4096)); long bad = 0;
  int32_t *b1 = buf, *b2 = same ? buf + 1 : buf + 64;
  std::printf("%d of %d CUs, %d iterations\n", n, p.multiProcessorCount, iter);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (i == j) { std::printf("       -"); continue; }
      HIP_CHECK(hipMemset(buf, 0, 4096)); int32_t one = 1;
      HIP_CHECK(hipMemcpy(b1, &one, 4, hipMemcpyHostToDevice));
      HIP_CHECK(hipDeviceSynchronize());
      if (orig) {
        hipExtLaunchKernelGGL(testSync, 1, 1, 0, s[i], start, stop, 0, b1, b2, (uint64_t)iter);
        hipExtLaunchKernelGGL(testSync, 1, 1, 0, s[j], 0, 0, 0, b2, b1, (uint64_t)iter);
      } else {
        hipExtLaunchKernelGGL(testSync2, 1, 1, 0, s[i], start, stop, 0, b1, b2, (uint64_t)iter, buf + 512);
        hipExtLaunchKernelGGL(testSync2, 1, 1, 0, s[j], 0, 0, 0, b2, b1, (uint64_t)iter, buf + 576);
      }
      HIP_CHECK(hipStreamSynchronize(s[i])); HIP_CHECK(hipStreamSynchronize(s[j]));
      float ms = -1; HIP_CHECK(hipEventElapsedTime(&ms, start, stop)); bad += !(ms > 0);
      if (!orig) {                   // after an even exchange the token is back in b1, and both sides counted
        int32_t r[1024]; HIP_CHECK(hipMemcpy(r, buf, 4096, hipMemcpyDeviceToHost));
        bad += r[512] != iter; bad += r[576] != iter; bad += r[0] != 1; bad += r[b2 - buf] != 0;
      }
      std::printf(" %7.0f", ms * 1e6 / (2.0 * iter));
    }
    std::printf("\n");
  }
  for (auto x : s) HIP_CHECK(hipStreamDestroy(x));
  return done("pingpong", bad);
}
