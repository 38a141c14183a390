// SPDX-License-Identifier: MIT
/*
 * check.cpp - counts failures and turns them into an exit code.
 */
#include "check.hpp"

#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "driver.hpp"

namespace kfdm::test {

namespace {

constexpr int exit_skipped = 77;
int failed;

struct Skipped {
	std::string why;
};

} // namespace

void skip(const std::string &why) { throw Skipped{why}; }

void fail(const char *file, int line, const std::string &what)
{
	std::string_view name = file;

	failed++;
	fmt::print("{}:{}: {}\n", name.substr(name.rfind('/') + 1), line, what);
	std::fflush(stdout);
}

int failures() noexcept { return failed; }

void forget_failures() noexcept { failed = 0; }

std::string errno_name(int error)
{
	const char *name = strerrorname_np(error);

	return error == 0 ? "success" : name ? name : fmt::format("error {}", error);
}

bool soak()
{
	const char *value = std::getenv("KFDM_SOAK");

	return value && std::string_view(value) == "1";
}

namespace {

int judged(const char *sentence, void (*body)())
{
	try {
		body();
	} catch (const Skipped &skipped) {
		fmt::print("skipped: {}\n", skipped.why);
		return failed ? 1 : exit_skipped;
	} catch (const Stop &) {
	} catch (const std::exception &error) {
		failed++;
		fmt::print("ended by: {}\n", error.what());
	}
	fmt::print("{}: {}\n", failed ? "FAILED" : "passed", sentence);
	return failed ? 1 : 0;
}

/* A process of KFD holds the module until it has ended: who loads another one afterwards must not be one. */
int judged_in_child(const char *sentence, void (*body)())
{
	int status = 0;
	const pid_t pid = fork();

	if (!pid) {
		const int code = judged(sentence, body);

		std::fflush(stdout);
		_exit(code);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		throw std::runtime_error("no child for the test");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

} // namespace

int run(const char *sentence, void (*body)(), const char *abi)
{
	int code = 1;

	std::setvbuf(stdout, nullptr, _IOLBF, 0);
	if (access("/dev/kfd", F_OK)) {
		fmt::print("skipped: there is no /dev/kfd\n");
		return exit_skipped;
	}
	try {
		const ChosenDriver driver(abi);

		code = driver.is_another() ? judged_in_child(sentence, body) : judged(sentence, body);
	} catch (const Skipped &skipped) {
		fmt::print("skipped: {}\n", skipped.why);
		code = exit_skipped;
	} catch (const std::exception &error) {
		fmt::print("FAILED: {}\n", error.what());
	}
	return failed ? 1 : code;
}

} // namespace kfdm::test
