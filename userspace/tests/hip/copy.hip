// SPDX-License-Identifier: MIT
// No user kernel: hipMalloc, H2D, D2D, D2H, memset. Exercises SDMA or the blit kernels.
#include "check.h"
int main(int argc, char **argv) {
  size_t n = arg(argc, argv, 1, 1 << 16); long bad = 0;
  std::vector<unsigned char> a(n), b(n);
  for (size_t i = 0; i < n; i++) a[i] = (unsigned char)(i * 7 + (i >> 8));
  unsigned char *d, *e; HIP_CHECK(hipMalloc(&d, n)); HIP_CHECK(hipMalloc(&e, n));
  HIP_CHECK(hipMemcpy(d, a.data(), n, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(e, d, n, hipMemcpyDeviceToDevice));
  HIP_CHECK(hipMemcpy(b.data(), e, n, hipMemcpyDeviceToHost));
  for (size_t i = 0; i < n; i++) bad += a[i] != b[i];
  HIP_CHECK(hipMemset(d, 0x5a, n));
  HIP_CHECK(hipMemcpy(b.data(), d, n, hipMemcpyDeviceToHost));
  for (size_t i = 0; i < n; i++) bad += b[i] != 0x5a;
  HIP_CHECK(hipFree(d)); HIP_CHECK(hipFree(e));
  return done("copy", bad);
}
