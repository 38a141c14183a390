// SPDX-License-Identifier: MIT
// (a) vector add and float saxpy
#include "check.h"
__global__ void vadd(const int *a, const int *b, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i] + b[i];
}
__global__ void saxpy(float al, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = al * x[i] + y[i];
}
int main(int argc, char **argv) {
  int n = arg(argc, argv, 1, 1000); long bad = 0; size_t sz = n * 4;
  std::vector<int> a(n), b(n), c(n); std::vector<float> x(n), y(n), r(n);
  for (int i = 0; i < n; i++) { a[i] = i * 3; b[i] = 1000003 - i; x[i] = i * 0.5f; y[i] = 1.0f - i; }
  int *da, *db, *dc; float *dx, *dy;
  HIP_CHECK(hipMalloc(&da, sz)); HIP_CHECK(hipMalloc(&db, sz)); HIP_CHECK(hipMalloc(&dc, sz));
  HIP_CHECK(hipMalloc(&dx, sz)); HIP_CHECK(hipMalloc(&dy, sz));
  HIP_CHECK(hipMemcpy(da, a.data(), sz, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(db, b.data(), sz, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(dx, x.data(), sz, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(dy, y.data(), sz, hipMemcpyHostToDevice));
  vadd<<<(n + 255) / 256, 256>>>(da, db, dc, n); HIP_CHECK(hipGetLastError());
  saxpy<<<(n + 63) / 64, 64>>>(2.5f, dx, dy, n); HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipMemcpy(c.data(), dc, sz, hipMemcpyDeviceToHost));
  HIP_CHECK(hipMemcpy(r.data(), dy, sz, hipMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) { bad += c[i] != a[i] + b[i]; bad += r[i] != std::fmaf(2.5f, x[i], y[i]); }
  return done("vadd", bad);
}
