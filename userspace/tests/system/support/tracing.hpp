// SPDX-License-Identifier: MIT
/* tracing.hpp - the kernel's trace of a group of events, while a test does something. */
#pragma once

#include <sys/mount.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "check.hpp"
#include "files.hpp"
#include "gpu.hpp"

namespace kfdm::test {

/** Records a group of trace events while it lives; skips the test where the kernel has none. */
class Recording {
public:
	explicit Recording(const std::string &group) : enable_(tracing + "events/" + group + "/enable")
	{
		if (access((tracing + "events").c_str(), F_OK) && mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, nullptr))
			skip("no tracefs");
		if (access(enable_.c_str(), W_OK))
			skip("this kernel has no trace events");
		clear();
		write_file(enable_, "1");
	}
	Recording(const Recording &) = delete;
	Recording &operator=(const Recording &) = delete;
	~Recording() { write_file(enable_, "0"); }

	/** Until the trace has @line. */
	void wait_for(const std::string &line) const
	{
		CHECK(eventually([&] { return text().find(line) != std::string::npos; }));
	}
	/** Each wanted line must come after the one before it. */
	void expect(const std::vector<std::string> &wanted) const
	{
		const std::string trace = text();
		size_t at = 0;

		for (const std::string &line : wanted) {
			const size_t next = trace.find(line, at);

			if (!CHECK(next != trace.npos)) {
				fmt::print("  '{}' is missing in\n{}\n", line, trace.substr(at));
				return;
			}
			at = next + line.size();
		}
	}
	static std::string text() { return read_file(tracing + "trace"); }
	static void clear() { write_file(tracing + "trace", ""); }

private:
	static inline const std::string tracing = "/sys/kernel/tracing/";
	std::string enable_;
};

} // namespace kfdm::test
