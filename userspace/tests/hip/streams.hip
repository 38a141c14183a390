// SPDX-License-Identifier: MIT
// (f) hipMemsetAsync, hipMemcpyAsync, events, several streams, cross-stream wait, pinned host memory
#include "check.h"
__global__ void inc(int *p, int n, int by) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] += by; }
int main(int argc, char **argv) {
  int n = arg(argc, argv, 1, 1000), ns = arg(argc, argv, 2, 4); long bad = 0; size_t sz = n * 4;
  std::vector<hipStream_t> s(ns); std::vector<int *> d(ns), h(ns); std::vector<hipEvent_t> e0(ns), e1(ns);
  for (int i = 0; i < ns; i++) {
    HIP_CHECK(hipStreamCreate(&s[i])); HIP_CHECK(hipMalloc(&d[i], sz)); HIP_CHECK(hipHostMalloc(&h[i], sz, 0));
    HIP_CHECK(hipEventCreate(&e0[i])); HIP_CHECK(hipEventCreate(&e1[i]));
  }
  for (int i = 0; i < ns; i++) {
    HIP_CHECK(hipEventRecord(e0[i], s[i]));
    HIP_CHECK(hipMemsetAsync(d[i], i, sz, s[i]));
    inc<<<(n + 127) / 128, 128, 0, s[i]>>>(d[i], n, 100 + i);
    HIP_CHECK(hipMemcpyAsync(h[i], d[i], sz, hipMemcpyDeviceToHost, s[i]));
    HIP_CHECK(hipEventRecord(e1[i], s[i]));
  }
  // stream 0 waits for the last stream and reads its buffer
  HIP_CHECK(hipStreamWaitEvent(s[0], e1[ns - 1], 0));
  HIP_CHECK(hipMemcpyAsync(d[0], d[ns - 1], sz, hipMemcpyDeviceToDevice, s[0]));
  inc<<<(n + 127) / 128, 128, 0, s[0]>>>(d[0], n, 1);
  for (int i = 0; i < ns; i++) {
    HIP_CHECK(hipStreamSynchronize(s[i])); float ms = -1; HIP_CHECK(hipEventElapsedTime(&ms, e0[i], e1[i])); bad += !(ms >= 0);
    int v = i * 0x01010101 + 100 + i; for (int k = 0; k < n; k++) bad += h[i][k] != v;
  }
  std::vector<int> r(n); HIP_CHECK(hipMemcpy(r.data(), d[0], sz, hipMemcpyDeviceToHost));
  int last = (ns - 1) * 0x01010101 + 100 + (ns - 1) + 1; for (int k = 0; k < n; k++) bad += r[k] != last;
  return done("streams", bad);
}
