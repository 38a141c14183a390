// SPDX-License-Identifier: MIT
//
// Matrix products through LDS tiles, in float, double, half and integers: the same order of additions on the host, so equal to
// the bit. Sizes that no tile divides.
#include "example.h"
#include <hip/hip_fp16.h>

constexpr int TILE = 16;

template <typename T>
__device__ __host__ T step(T a, T b, T c) { return c + a * b; }
template <>
__device__ __host__ float step(float a, float b, float c) { return fmaf(a, b, c); }
template <>
__device__ __host__ double step(double a, double b, double c) { return fma(a, b, c); }

template <typename T>
__global__ void product(const T *a, const T *b, T *c, int rows, int inner, int columns)
{
	__shared__ T left[TILE][TILE], right[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	T sum = T(0);
	for (int from = 0; from < inner; from += TILE) {
		int k = from + threadIdx.x, l = from + threadIdx.y;
		left[threadIdx.y][threadIdx.x] = y < rows && k < inner ? a[y * inner + k] : T(0);
		right[threadIdx.y][threadIdx.x] = l < inner && x < columns ? b[l * columns + x] : T(0);
		__syncthreads();
		for (int i = 0; i < TILE && from + i < inner; i++)
			sum = step(left[threadIdx.y][i], right[i][threadIdx.x], sum);
		__syncthreads();
	}
	if (x < columns && y < rows)
		c[y * columns + x] = sum;
}

template <typename T>
static void check(Verdict &verdict, const char *what, int rows, int inner, int columns)
{
	std::vector<T> a(rows * inner), b(inner * columns), want(rows * columns);
	Random random{uint32_t(rows)};
	for (auto &x : a)
		x = T(int(random.next() % 199) - 99) / T(8);
	for (auto &x : b)
		x = T(int(random.next() % 199) - 99) / T(8);
	for (int y = 0; y < rows; y++)
		for (int x = 0; x < columns; x++) {
			T sum = T(0);
			for (int k = 0; k < inner; k++)
				sum = step(a[y * inner + k], b[k * columns + x], sum);
			want[y * columns + x] = sum;
		}
	Device<T> left(a), right(b), out(want.size());
	dim3 block(TILE, TILE), grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
	product<T><<<grid, block>>>(left, right, out, rows, inner, columns);
	HIP(hipGetLastError());
	verdict.equal(out.read(), want, what);
}

// Halves: small integers, whose sums are exact in half precision.
__global__ void half_product(const __half *a, const __half *b, __half *c, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= n || y >= n)
		return;
	__half sum = __float2half(0.0f);
	for (int k = 0; k < n; k++)
		sum = __hfma(a[y * n + k], b[k * n + x], sum);
	c[y * n + x] = sum;
}
static void check_half(Verdict &verdict, int n)
{
	std::vector<__half> a(n * n), b(n * n);
	std::vector<float> fa(n * n), fb(n * n);
	Random random(9);
	for (int i = 0; i < n * n; i++) {
		a[i] = __float2half(fa[i] = float(int(random.next() % 9) - 4));
		b[i] = __float2half(fb[i] = float(int(random.next() % 9) - 4));
	}
	Device<__half> left(a), right(b), out(a.size());
	half_product<<<dim3((n + 7) / 8, (n + 7) / 8), dim3(8, 8)>>>(left, right, out, n);
	auto got = out.read();
	for (int i = 0; i < n * n; i++) {
		float sum = 0;
		for (int k = 0; k < n; k++)
			sum += fa[i / n * n + k] * fb[k * n + i % n];
		verdict.expect(__half2float(got[i]) == sum, "half", i);
	}
}

int main()
{
	Verdict verdict("matmul");
	check<float>(verdict, "float", 65, 70, 67);
	check<double>(verdict, "double", 33, 50, 35);
	check<int>(verdict, "int", 40, 33, 50);
	check_half(verdict, 37);
	return verdict.close();
}
