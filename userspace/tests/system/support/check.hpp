// SPDX-License-Identifier: MIT
/*
 * check.hpp - the frame of a system test.
 *
 *     KFDM_TEST("a queue that does not exist cannot be destroyed")
 *     {
 *             CHECK_ERRNO(EINVAL, call(fd, AMDKFD_IOC_DESTROY_QUEUE, args));
 *     }
 *
 * A failed CHECK prints what it saw and the test goes on; REQUIRE ends it. An exception fails the test.
 */
#pragma once

#include <cerrno>
#include <string>

#include <fmt/format.h>

namespace kfdm::test {

/** Ends the test as skipped (exit code 77). */
[[noreturn]] void skip(const std::string &why);

/** Prints a failure and remembers it. */
void fail(const char *file, int line, const std::string &what);

/** Number of failures so far. */
[[nodiscard]] int failures() noexcept;

/** In a child: what has failed before is the parent's. */
void forget_failures() noexcept;

/** Runs @body, with the driver of Linux @abi ("6.1", "7.2"; null: whichever is loaded). Return: the program's exit code. */
int run(const char *sentence, void (*body)(), const char *abi = nullptr);

/** "EINVAL" for EINVAL, "success" for 0. */
[[nodiscard]] std::string errno_name(int error);

/** True in `make soak`: full counts. */
[[nodiscard]] bool soak();

/** Thrown by REQUIRE. */
struct Stop {};

template <typename A, typename B>
bool check_eq(const A &got, const B &want, const char *text, const char *file, int line)
{
	if (got == want)
		return true;
	if constexpr (fmt::is_formattable<A>::value && fmt::is_formattable<B>::value)
		fail(file, line, fmt::format("{} is {}, should be {}", text, got, want));
	else
		fail(file, line, fmt::format("{} is not what it should be", text));
	return false;
}

inline bool check_errno(int want, int got, const char *text, const char *file, int line)
{
	if (got == want)
		return true;
	fail(file, line, fmt::format("{} gives {}, should give {}", text, errno_name(got), errno_name(want)));
	return false;
}

} // namespace kfdm::test

#define KFDM_TEST(sentence) KFDM_TEST_OF(nullptr, sentence)
/**
 * A test of what one driver alone does: with another one loaded, kfd_model is loaded with that one until the test is over (as root; who is
 * not root skips it).
 */
#define KFDM_TEST_OF(abi, sentence) \
	static void kfdm_test_body(); \
	int main() { return kfdm::test::run(sentence, kfdm_test_body, abi); } \
	static void kfdm_test_body()

#define CHECK(condition)    ((condition) ? true : (kfdm::test::fail(__FILE__, __LINE__, #condition " does not hold"), false))
#define CHECK_EQ(got, want) kfdm::test::check_eq((got), (want), #got, __FILE__, __LINE__)
/** @call: positive errno, 0 for success */
#define CHECK_ERRNO(want, call) kfdm::test::check_errno((want), (call), #call, __FILE__, __LINE__)
#define REQUIRE(condition) \
	do { \
		if (!CHECK(condition)) \
			throw kfdm::test::Stop(); \
	} while (0)
