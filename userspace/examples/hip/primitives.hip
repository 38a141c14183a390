// SPDX-License-Identifier: MIT
//
// Debian's rocPRIM, a library of templates: radix sort, scan, reduction and selection of numbers against the host's standard library.
#include "example.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include <rocprim/functional.hpp>
#include <rocprim/device/device_radix_sort.hpp>
#include <rocprim/device/device_reduce.hpp>
#include <rocprim/device/device_scan.hpp>
#include <rocprim/device/device_select.hpp>

// rocPRIM's calls are made twice: the first one says how much temporary memory the second one needs.
template <typename Call>
static void in_two_steps(Call call)
{
	size_t bytes = 0;
	HIP(call(nullptr, bytes));
	Device<char> temporary(bytes);
	HIP(call(static_cast<void *>(temporary), bytes));
}

struct Odd {
	__host__ __device__ bool operator()(uint32_t v) const { return v & 1; }
};

int main()
{
	Verdict verdict("primitives");
	const size_t count = 10007;	// no multiple of anything
	Random random(7);
	std::vector<uint32_t> numbers(count);
	for (uint32_t &v : numbers)
		v = random.next() << 1 ^ random.next();
	Device<uint32_t> in(numbers), out(count), one(1);

	std::vector<uint32_t> sorted = numbers;
	std::sort(sorted.begin(), sorted.end());
	in_two_steps([&](void *t, size_t &bytes) { return rocprim::radix_sort_keys(t, bytes, (uint32_t *)in, (uint32_t *)out, count); });
	verdict.equal(out.read(), sorted, "sorted");

	std::vector<uint32_t> sums(count);
	std::partial_sum(numbers.begin(), numbers.end(), sums.begin());
	in_two_steps([&](void *t, size_t &bytes) {
		return rocprim::inclusive_scan(t, bytes, (uint32_t *)in, (uint32_t *)out, count, rocprim::plus<uint32_t>());
	});
	verdict.equal(out.read(), sums, "scanned");

	in_two_steps([&](void *t, size_t &bytes) {
		return rocprim::reduce(t, bytes, (uint32_t *)in, (uint32_t *)one, count, rocprim::maximum<uint32_t>());
	});
	verdict.equal(one.read(), {sorted.back()}, "largest");

	std::vector<uint32_t> odd;
	std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(odd), Odd());
	in_two_steps([&](void *t, size_t &bytes) {
		return rocprim::select(t, bytes, (uint32_t *)in, (uint32_t *)out, (uint32_t *)one, count, Odd());
	});
	verdict.equal(one.read(), {uint32_t(odd.size())}, "how many are odd");
	std::vector<uint32_t> chosen = out.read();
	chosen.resize(odd.size());
	verdict.equal(chosen, odd, "the odd ones, in order");
	return verdict.close();
}
