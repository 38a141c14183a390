// SPDX-License-Identifier: MIT
/* slurm.cpp - see slurm.hpp. */
#include "slurm.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "process.hpp"

namespace kfdm::sweep {

namespace {

constexpr size_t most_tasks = 1000; /* MaxArraySize is 1001 where nobody has changed it */

/* % has a meaning in the names of Slurm's output files. */
std::string output_name(const std::string &path)
{
	std::string text;

	for (const char c : path)
		text += c == '%' ? "%%" : std::string(1, c);
	return text;
}

std::string trimmed(const std::string &text) { return text.substr(0, text.find_last_not_of('\n') + 1); }

void check_line(const std::string &text)
{
	if (text.find_first_of("\n\"\\") != std::string::npos)
		throw Refusal(fmt::format("Slurm's scripts cannot have \"{}\": no quotes, backslashes and ends of lines", text));
}

} // namespace

std::string shell_word(const std::string &word)
{
	std::string quoted = "'";

	if (!word.empty() &&
	    word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@%") == std::string::npos)
		return word;
	for (const char c : word)
		quoted += c == '\'' ? "'\\''" : std::string(1, c);
	return quoted + "'";
}

std::string slurm_script(const Folder &folder, const std::vector<size_t> &rows, const std::string &program, const std::string &directory,
			 const SlurmOptions &options)
{
	const size_t chunk = options.chunk ? options.chunk : (rows.size() + most_tasks - 1) / most_tasks;
	const size_t tasks = (rows.size() + chunk - 1) / chunk;
	const std::string path = folder.path().string();
	const std::string at_once = options.at_once ? fmt::format("%{}", options.at_once) : "";
	std::string more, table;

	for (const std::string &line : {path, directory})
		check_line(line);
	for (const std::string &option : options.options) {
		if (!option.starts_with('-') || option.find('\n') != std::string::npos)
			throw Refusal(fmt::format("\"{}\" is no option of sbatch, such as --time=10", option));
		more += "#SBATCH " + option + "\n";
	}
	for (size_t task = 0; task < tasks; task++)
		table += rows_text({rows.begin() + static_cast<std::ptrdiff_t>(task * chunk),
				    rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), (task + 1) * chunk))}) +
			 "\n";
	return fmt::format(
		"#!/bin/bash\n"
		"# Written by kfdm sweep: {} rows in {} tasks. A task runs the rows of its line, and leaves out those that have a result.\n"
		"#SBATCH --job-name=kfdm-sweep\n"
		"#SBATCH --array=0-{}{}\n"
		"#SBATCH --ntasks=1\n"
		"#SBATCH \"--chdir={}\"\n"
		"#SBATCH \"--output={}/slurm-%A_%a.log\"\n"
		"{}"
		"rows=(\n{})\n"
		"exec {} sweep --folder {} --rows \"${{rows[SLURM_ARRAY_TASK_ID]}}\"\n",
		rows.size(), tasks, tasks - 1, at_once, directory, output_name(path), more, table, shell_word(program), shell_word(path));
}

std::string submit(const std::filesystem::path &script)
{
	const Output run = output_of({"sbatch", "--parsable", script.string()});

	if (run.status)
		throw Refusal(fmt::format("sbatch refuses {}: {}", script.string(), trimmed(run.err)));
	/* JOB or JOB;CLUSTER */
	return run.out.substr(0, run.out.find_first_of(";\n"));
}

bool in_queue(const std::string &job)
{
	const Output run = output_of({"squeue", "--noheader", "--jobs", job});

	if (!run.status)
		return !run.out.empty();
	/* Slurm forgets jobs some minutes after their end. */
	if (run.err.find("Invalid job id") != std::string::npos)
		return false;
	throw Refusal("squeue: " + trimmed(run.err));
}

} // namespace kfdm::sweep
