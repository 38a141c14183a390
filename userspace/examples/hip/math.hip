// SPDX-License-Identifier: MIT
//
// Floating point against the host: what IEEE 754 fixes is equal to the bit, the library's functions lie within the error that
// HIP's documentation gives them.
#include "example.h"
#include <hip/hip_fp16.h>

// Distance in units of the last place.
template <typename T, typename I>
static double ulps(T got, T want)
{
	if (std::isnan(got) && std::isnan(want))
		return 0;
	if (got == want)
		return 0;
	if (!std::isfinite(got) || !std::isfinite(want))
		return INFINITY;
	I a, b;
	std::memcpy(&a, &got, sizeof(a));
	std::memcpy(&b, &want, sizeof(b));
	if (a < 0)
		a = std::numeric_limits<I>::min() - a;
	if (b < 0)
		b = std::numeric_limits<I>::min() - b;
	return double(a > b ? a - b : b - a);	// of the same sign but next to 0
}

#define FUNCTIONS(X) \
	X(add, x + y, 0) X(divide, x / y, 0) X(root, sqrt(x), 0) X(fused, fma(x, y, y), 0) X(remainder_, fmod(x, y), 0) \
	X(rounded, rint(x), 0) X(floor_, floor(x), 0) X(truncated, trunc(x), 0) X(maximum, fmax(x, y), 0) X(scaled, ldexp(x, 3), 0) \
	X(sine, sin(x), 4) X(cosine, cos(x), 4) X(tangent, tan(x), 5) X(power, pow(fabs(x), y), 16) X(exponential, exp(x), 3) \
	X(logarithm, log(fabs(x)), 3) X(log2_, log2(fabs(x)), 3) X(exp2_, exp2(x), 3) X(cube_root, cbrt(x), 3) \
	X(arc_tangent, atan2(x, y), 6) X(hyperbolic, tanh(x), 5) X(error_function, erf(x), 16) X(hypotenuse, hypot(x, y), 4) \
	X(one_more, log1p(fabs(x)), 3) X(one_less, expm1(x), 4) X(gamma_, tgamma(fmin(fabs(x) + 0.1, 20.0)), 16)

enum {
#define X(name, expression, error) name,
	FUNCTIONS(X)
#undef X
	COUNT
};
static const char *const names[] = {
#define X(name, expression, error) #expression,
	FUNCTIONS(X)
#undef X
};
static const double limits[] = {
#define X(name, expression, error) error,
	FUNCTIONS(X)
#undef X
};
// On the host the reference is computed in the next wider type and rounded once.
template <typename T>
__device__ void device_values(T x, T y, T *out)
{
#define X(name, expression, error) out[name] = expression;
	FUNCTIONS(X)
#undef X
}
template <typename T>
static void host_values(T x, T y, T *out)
{
#define X(name, expression, error) out[name] = expression;
	FUNCTIONS(X)
#undef X
}
template <typename T>
__global__ void evaluate(const T *x, const T *y, T *out, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < count)
		device_values(x[i], y[i], out + i * COUNT);
}
template <typename T, typename I>
static void check(Verdict &verdict, const char *type, const std::vector<T> &xs, const std::vector<T> &ys)
{
	const int count = int(xs.size());
	Device<T> x(xs), y(ys), out(xs.size() * COUNT);
	evaluate<T><<<(count + 63) / 64, 64>>>(x, y, out, count);
	auto got = out.read();
	double worst[COUNT] = {};
	std::vector<T> want(COUNT);
	for (int i = 0; i < count; i++) {
		host_values(xs[i], ys[i], want.data());
		for (int f = 0; f < COUNT; f++) {
			double error = ulps<T, I>(got[i * COUNT + f], want[f]);
			if (error > worst[f])
				worst[f] = error;
			// the host's own library may be off by one
			if (!verdict.expect(error <= limits[f] + (limits[f] ? 1 : 0), names[f], i))
				std::printf("    %s: x %.17g y %.17g got %.17g want %.17g\n", type, double(xs[i]), double(ys[i]),
					    double(got[i * COUNT + f]), double(want[f]));
		}
	}
	std::printf("%s, worst error in ulp:", type);
	for (int f = 0; f < COUNT; f++)
		if (worst[f] > 0)
			std::printf(" %s %.0f", names[f], worst[f]);
	std::printf("\n");
}
template <typename T>
static std::vector<T> inputs(uint32_t seed, T tiny)
{
	std::vector<T> values = {T(0), T(-0.0), T(1), T(-1), T(0.5), T(INFINITY), T(-INFINITY), T(NAN), tiny, tiny * 7, T(10), T(-3.25)};
	Random random(seed);
	while (values.size() < 500)
		values.push_back(T(std::ldexp(random.unit() + 0.5, int(random.next() % 9) - 4)) * T(random.next() & 1 ? 1 : -1));
	return values;
}

// All halves: conversions both ways and one operation each.
__global__ void halves(uint16_t *back, float *wide, uint16_t *doubled)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
	__half_raw raw;
	raw.x = uint16_t(i);
	__half h(raw);
	wide[i] = __half2float(h);
	back[i] = __half_raw(__float2half(wide[i])).x;
	doubled[i] = __half_raw(__hadd(h, h)).x;
}
static float half_to_float(uint16_t h)
{
	int exponent = h >> 10 & 31, fraction = h & 1023;
	float value = exponent == 31 ? (fraction ? NAN : INFINITY) : exponent ? std::ldexp(float(1024 + fraction), exponent - 25) : std::ldexp(float(fraction), -24);
	return h & 0x8000 ? -value : value;
}
static void check_halves(Verdict &verdict)
{
	Device<uint16_t> back(65536), doubled(65536);
	Device<float> wide(65536);
	halves<<<256, 256>>>(back, wide, doubled);
	auto b = back.read(), d = doubled.read();
	auto w = wide.read();
	for (uint32_t i = 0; i < 65536; i++) {
		float value = half_to_float(uint16_t(i)), twice = half_to_float(d[i]);
		if (std::isnan(value)) {
			verdict.expect(std::isnan(w[i]) && std::isnan(half_to_float(b[i])) && std::isnan(twice), "half NaN", i);
			continue;
		}
		verdict.expect(w[i] == value && std::signbit(w[i]) == std::signbit(value), "half to float", i);
		verdict.expect(b[i] == i, "float to half", i);
		verdict.expect(twice == (std::fabs(value * 2) >= 65520 ? std::copysign(INFINITY, value) : value * 2), "half sum", i);
	}
}

int main()
{
	Verdict verdict("math");
	check<float, int32_t>(verdict, "float", inputs<float>(1, 1e-39f), inputs<float>(2, 3e-40f));
	check<double, int64_t>(verdict, "double", inputs<double>(3, 1e-310), inputs<double>(4, 5e-320));
	check_halves(verdict);
	return verdict.close();
}
