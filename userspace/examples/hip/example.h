// SPDX-License-Identifier: MIT
//
// What every example shares: a failed HIP call ends the program with a sentence; wrong results are counted and shown, the
// first few with their place; the last line is `NAME: PASS` or `NAME: FAIL`, and the exit code says the same.
#pragma once
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define HIP(call) \
	do { \
		hipError_t error_ = (call); \
		if (error_ != hipSuccess) { \
			std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorString(error_)); \
			std::exit(1); \
		} \
	} while (0)

// Counts what is wrong.
class Verdict {
public:
	explicit Verdict(const char *name) : name(name) { std::setvbuf(stdout, nullptr, _IOLBF, 0); }
	// One check; `what` and `place` say which when it does not hold.
	bool expect(bool holds, const char *what, long place = -1)
	{
		checks++;
		if (!holds && wrong++ < 8) {
			std::printf("%s: wrong: %s", name, what);
			if (place >= 0)
				std::printf(" [%ld]", place);
			std::printf("\n");
		}
		return holds;
	}
	// A finished array against the expected one.
	template <typename T>
	void equal(const std::vector<T> &got, const std::vector<T> &want, const char *what)
	{
		expect(got.size() == want.size(), what);
		for (size_t i = 0; i < want.size() && i < got.size(); i++)
			expect(std::memcmp(&got[i], &want[i], sizeof(T)) == 0, what, long(i));
	}
	// To be returned from main().
	int close() const
	{
		std::printf("%s: %s (%ld checks, %ld wrong)\n", name, wrong || !checks ? "FAIL" : "PASS", checks, wrong);
		return wrong || !checks ? 1 : 0;
	}

private:
	const char *name;
	long checks = 0, wrong = 0;
};

// Device memory for `count` elements, freed at the end of the scope.
template <typename T>
class Device {
public:
	explicit Device(size_t count) : count(count) { HIP(hipMalloc(&pointer, count * sizeof(T))); }
	explicit Device(const std::vector<T> &from) : Device(from.size())
	{
		HIP(hipMemcpy(pointer, from.data(), count * sizeof(T), hipMemcpyHostToDevice));
	}
	~Device() { (void)hipFree(pointer); }
	Device(const Device &) = delete;
	operator T *() const { return pointer; }
	std::vector<T> read() const
	{
		std::vector<T> to(count);
		HIP(hipMemcpy(to.data(), pointer, count * sizeof(T), hipMemcpyDeviceToHost));
		return to;
	}

private:
	T *pointer = nullptr;
	size_t count;
};

// The same pseudo-random numbers on every host (the minimal standard generator of Park and Miller).
class Random {
public:
	explicit Random(uint32_t seed) : state(seed % 2147483646 + 1) {}
	uint32_t next() { return state = uint32_t(uint64_t(state) * 48271 % 2147483647); }
	float unit() { return float(next()) / 2147483648.0f; }

private:
	uint32_t state;
};
