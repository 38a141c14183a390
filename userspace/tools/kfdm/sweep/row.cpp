// SPDX-License-Identifier: MIT
/* row.cpp - see row.hpp. */
#include "row.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <regex>
#include <sstream>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <kfdm/error.hpp>
#include <kfdm/unique_fd.hpp>

#include "process.hpp"

namespace kfdm::sweep {

namespace fs = std::filesystem;

namespace {

struct Run {
	int status = 0;
	std::string output;
};

/* Its standard output goes to the log as well. */
Run run_command(const std::vector<std::string> &command, int log)
{
	int ends[2];
	char buffer[65536];
	Run run;

	if (pipe2(ends, O_CLOEXEC))
		throw_errno("pipe2");
	const UniqueFd in(ends[0]);
	UniqueFd out(ends[1]);
	Process process(command, {.out = out.get(), .err = log});
	out.reset();
	for (ssize_t n; (n = read(in.get(), buffer, sizeof(buffer))) > 0 || (n < 0 && errno == EINTR);) {
		if (n < 0)
			continue;
		run.output.append(buffer, static_cast<size_t>(n));
		if (write(log, buffer, static_cast<size_t>(n)) < 0)
			throw_errno("cannot write a row's log");
	}
	process.ended(true);
	run.status = process.status();
	return run;
}

/* What a command's end says against it; empty: nothing. */
std::string failure_of(int status)
{
	if (WIFSIGNALED(status))
		return fmt::format("killed by signal {}", WTERMSIG(status));
	return WEXITSTATUS(status) ? fmt::format("exit code {}", WEXITSTATUS(status)) : "";
}

/* Which run it was: not a part of the result. */
json attempt_json(size_t row, const std::string &failure, const Run &run, double seconds)
{
	char host[256] = "";
	json text = {{"row", row}, {"failure", failure}};

	gethostname(host, sizeof(host) - 1);
	if (WIFEXITED(run.status))
		text["exit_code"] = WEXITSTATUS(run.status);
	text["seconds"] = seconds;
	text["end"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
				  fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
	text["host"] = host;
	for (const char *name : {"SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID"})
		if (const char *value = std::getenv(name))
			text[name] = value;
	return text;
}

/* The number and the values of a row, which begin each line of its result. */
json head_of(const Definition &definition, size_t row)
{
	json head = {{"row", row}};

	for (const auto &[name, value] : definition.values(row))
		if (name == "seed")
			head[name] = std::stoull(value);
		else
			head[name] = value;
	return head;
}

std::string line_of(const json &head, const json &result)
{
	json line = head;

	line["result"] = result;
	return line.dump() + "\n";
}

std::vector<json> objects_of(const std::string &output)
{
	std::istringstream in(output);
	std::vector<json> objects;

	for (std::string line; std::getline(in, line);)
		if (line.starts_with('{') && json::accept(line))
			objects.push_back(json::parse(line));
	return objects;
}

/* The last line "N passed, M failed[, K skipped]", as .ci/part reads it and prints it: behind the name of a part. */
std::optional<json> counts_of(const std::string &output)
{
	static const std::regex pattern("^(?:[a-zA-Z0-9._-]+ *\\| )?([0-9]+) passed, ([0-9]+) failed(?:, ([0-9]+) skipped)?");
	std::istringstream in(output);
	std::optional<json> counts;
	std::smatch found;

	for (std::string line; std::getline(in, line);)
		if (std::regex_search(line, found, pattern))
			counts = {{"passed", std::stoull(found[1])},
				  {"failed", std::stoull(found[2])},
				  {"skipped", found[3].matched ? std::stoull(found[3]) : 0}};
	return counts;
}

/* A lock of the process, also over NFS: it goes with whoever runs the row, however that ends, not with what the command leaves behind. */
bool lock_row(int log)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	if (!fcntl(log, F_SETLK, &lock))
		return true;
	if (errno != EACCES && errno != EAGAIN)
		throw_errno("cannot lock a row's log");
	return false;
}

void forget_last_attempt(const Folder &folder, size_t row)
{
	for (const fs::directory_entry &entry : fs::directory_iterator(folder.run(row)))
		if (entry.path() != folder.log(row))
			fs::remove_all(entry.path());
}

} // namespace

std::string result_lines(const Definition &definition, size_t row, const std::string &output, const std::optional<std::string> &document)
{
	const json head = head_of(definition, row);
	std::string lines;

	if (document)
		return line_of(head, json::parse(*document));
	for (const json &object : objects_of(output))
		lines += line_of(head, object);
	return lines.empty() ? line_of(head, counts_of(output).value_or(json::object())) : lines;
}

Outcome run_row(const Folder &folder, size_t row, const std::string &program)
{
	const Definition &definition = folder.definition();
	const fs::path document = folder.run(row) / "result.json", work = folder.run(row) / "work";
	std::string failure, lines;

	fs::create_directories(folder.run(row));
	const UniqueFd log(open(folder.log(row).c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
	if (!log)
		throw_errno("cannot write " + folder.log(row).string());
	if (!lock_row(log.get()))
		return Outcome::Elsewhere;
	if (fs::exists(folder.result(row)))
		return Outcome::Done;
	forget_last_attempt(folder, row);
	if (ftruncate(log.get(), 0))
		throw_errno("cannot empty " + folder.log(row).string());
	if (definition.uses("work"))
		fs::create_directory(work);

	const auto begin = std::chrono::steady_clock::now();
	const Run run = run_command(definition.command_of(row, {{"json", document}, {"work", work}, {"kfdm", program}}), log.get());
	const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;

	failure = failure_of(run.status);
	if (failure.empty())
		try {
			lines = result_lines(definition, row, run.output,
					     definition.uses("json") ? std::optional(read_whole(document)) : std::nullopt);
		} catch (const std::exception &error) {
			failure = fmt::format("no result: {}", error.what());
		}
	if (failure.empty())
		write_whole(folder.result(row), lines, folder.run(row));
	write_whole(folder.attempt(row), attempt_json(row, failure, run, seconds.count()).dump(1, '\t') + "\n");
	fs::remove(document);
	return failure.empty() ? Outcome::Done : Outcome::Failed;
}

} // namespace kfdm::sweep
