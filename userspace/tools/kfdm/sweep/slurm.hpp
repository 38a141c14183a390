// SPDX-License-Identifier: MIT
/* slurm.hpp - rows of a sweep as a job array of Slurm: the script, its submission, and whether it is still in the queue. */
#pragma once

#include <string>
#include <vector>

#include "folder.hpp"

namespace kfdm::sweep {

struct SlurmOptions {
	size_t chunk = 0;		  /**< rows that a task runs one after the other; 0: so many that there are at most 1000 tasks */
	size_t at_once = 0;		  /**< tasks that run at a time; 0: as many as Slurm likes */
	std::vector<std::string> options; /**< of sbatch, each as it stands behind #SBATCH */
};

/** A word for the shell. */
std::string shell_word(const std::string &word);

/** The script that runs @rows with @program in @directory. Throws Refusal for options that are none. */
std::string slurm_script(const Folder &folder, const std::vector<size_t> &rows, const std::string &program, const std::string &directory,
			 const SlurmOptions &options);

/** Hands a script to sbatch. Return: the job's number; throws with what sbatch says. */
std::string submit(const std::filesystem::path &script);

/** Whether @job has tasks that wait or run. Throws if Slurm does not answer. */
bool in_queue(const std::string &job);

} // namespace kfdm::sweep
