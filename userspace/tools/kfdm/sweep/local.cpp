// SPDX-License-Identifier: MIT
/* local.cpp - see local.hpp. */
#include "local.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

#include <kfdm/error.hpp>
#include <kfdm/unique_fd.hpp>

#include "process.hpp"
#include "slurm.hpp"
#include "watch.hpp"

namespace kfdm::sweep {

namespace {

/* moreutils has another program of this name. */
void need_parallel()
{
	if (!is_program("parallel") || !output_of({"parallel", "--version"}).out.starts_with("GNU parallel"))
		throw Refusal("there is no GNU parallel here (Debian: parallel); --jobs 1 does without it");
}

/* A file with a row a line, to be read from its beginning. */
UniqueFd list_of(const std::vector<size_t> &rows)
{
	UniqueFd fd(memfd_create("kfdm-sweep", MFD_CLOEXEC));
	std::string text;

	for (const size_t row : rows)
		text += fmt::format("{}\n", row);
	if (!fd || write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) || lseek(fd.get(), 0, SEEK_SET))
		throw_errno("cannot make the list of rows");
	return fd;
}

} // namespace

bool run_local(const Folder &folder, const std::string &program, unsigned jobs)
{
	const std::vector<size_t> rows = folder.missing();
	const UniqueFd list = list_of(rows), null(checked_open("/dev/null", O_WRONLY));
	std::vector<std::string> command = {program, "sweep", "--folder", folder.path(), "--rows", rows_text(rows)};

	if (jobs != 1) {
		need_parallel();
		const std::string row = fmt::format("{} sweep --folder {} --rows {{}}", shell_word(program), shell_word(folder.path()));
		command = {"parallel", "--will-cite", "--jobs", jobs ? std::to_string(jobs) : "100%", row};
	}
	Process runner(command, {.in = list.get(), .out = null.get(), .with_us = SIGTERM}); /* with which parallel ends its jobs, too */
	return watch_runner(folder, runner);
}

} // namespace kfdm::sweep
