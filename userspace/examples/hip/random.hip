// SPDX-License-Identifier: MIT
//
// Debian's librocrand: its counter-based generator, repeatable and fair; its Sobol generator against the definition.
// (Documentation/rocm.md tells about the others.)
#include "example.h"
#include <rocrand/rocrand.h>

#define ROCRAND(call) \
	do { \
		rocrand_status status_ = (call); \
		if (status_ != ROCRAND_STATUS_SUCCESS) { \
			std::fprintf(stderr, "%s:%d: %s: status %d\n", __FILE__, __LINE__, #call, int(status_)); \
			std::exit(1); \
		} \
	} while (0)

static void check(Verdict &verdict, rocrand_rng_type type, const char *name)
{
	std::printf("%s\n", name);
	const size_t count = 4096;
	rocrand_generator generator;
	ROCRAND(rocrand_create_generator(&generator, type));
	Device<uint32_t> words(count), again(count);
	Device<float> numbers(count);
	ROCRAND(rocrand_generate(generator, words, count));
	ROCRAND(rocrand_generate_uniform(generator, numbers, count));
	ROCRAND(rocrand_destroy_generator(generator));
	// the same seed, the same numbers
	ROCRAND(rocrand_create_generator(&generator, type));
	ROCRAND(rocrand_generate(generator, again, count));
	ROCRAND(rocrand_destroy_generator(generator));
	auto first = words.read();
	verdict.equal(again.read(), first, name);
	double bits = 0, mean = 0;
	for (uint32_t w : first)
		bits += __builtin_popcount(w);
	for (float x : numbers.read()) {
		verdict.expect(x > 0 && x <= 1, "range");
		mean += x;
	}
	// 5 standard deviations of 131,072 fair bits, and of the mean of 4,096 uniform numbers
	verdict.expect(std::fabs(bits / count - 16) < 5 * std::sqrt(8.0 / count), "half of the bits are set");
	verdict.expect(std::fabs(mean / count - 0.5) < 5 * std::sqrt(1.0 / 12 / count), "mean");
}

// The first dimension of Sobol's sequence is van der Corput's in Gray code order.
static void check_sobol(Verdict &verdict)
{
	std::printf("Sobol\n");
	const size_t count = 4096;
	rocrand_generator generator;
	ROCRAND(rocrand_create_generator(&generator, ROCRAND_RNG_QUASI_SOBOL32));
	Device<uint32_t> words(count);
	ROCRAND(rocrand_generate(generator, words, count));
	ROCRAND(rocrand_destroy_generator(generator));
	std::vector<uint32_t> expected(count);
	for (uint32_t n = 0; n < count; n++)
		expected[n] = __builtin_bitreverse32(n ^ n >> 1);
	verdict.equal(words.read(), expected, "Sobol");
}

int main()
{
	Verdict verdict("random");
	check(verdict, ROCRAND_RNG_PSEUDO_PHILOX4_32_10, "Philox");
	check_sobol(verdict);
	return verdict.close();
}
