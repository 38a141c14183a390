// SPDX-License-Identifier: MIT
/* sweep.cpp - `kfdm sweep`: an experiment or a command for each combination of chips, masks, seeds, on this machine or by Slurm. */
#include <filesystem>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands.hpp"
#include "exp/machine.hpp"
#include "sweep/identity.hpp"
#include "sweep/local.hpp"
#include "sweep/process.hpp"
#include "sweep/row.hpp"
#include "sweep/slurm.hpp"
#include "sweep/watch.hpp"

namespace kfdm::tool {

namespace {

using namespace kfdm::sweep;
namespace fs = std::filesystem;

constexpr size_t most_told = 20; /* failed rows */
constexpr int interrupted_code = 130;

struct Options {
	std::vector<std::string> words; /* an experiment with options of its own, or a command; the first one is typed as what */
	std::string what, folder, chips, masks, seeds, rows;
	std::vector<std::string> each, sbatch;
	unsigned jobs = 0;
	bool slurm = false, no_submit = false, wait = false, collect = false, list = false;
	size_t chunk = 0;
};

std::string this_program() { return fs::read_symlink("/proc/self/exe"); }
std::string this_kfdm() { return identity(KFDM_VERSION); }

std::vector<Axis> axes_of(const Options &o)
{
	std::vector<Axis> axes;

	if (!o.chips.empty())
		axes.push_back({"chip", parse_values(o.chips)});
	if (!o.masks.empty())
		axes.push_back({"mask", parse_values(o.masks)});
	if (!o.seeds.empty())
		axes.push_back({"seed", parse_numbers(o.seeds)});
	for (const std::string &each : o.each) {
		const size_t equals = each.find('=');

		if (equals == std::string::npos)
			throw Refusal("--each takes NAME=LIST, not " + each);
		axes.push_back({each.substr(0, equals), parse_values(each.substr(equals + 1))});
	}
	return axes;
}

/* What is wrong with the words of an experiment, before each row says it. */
void check_experiment(const CLI::App &experiment, const std::vector<std::string> &words)
{
	const std::string &name = experiment.get_name();
	bool chip = false;

	for (const std::string &word : words) {
		const std::string option = word.substr(0, word.find('='));

		if (!option.starts_with("--"))
			continue;
		if (!experiment.get_option_no_throw(option))
			throw Refusal(fmt::format("kfdm exp {} has no {}", name, option));
		if (option == "--json")
			throw Refusal("--json is the sweep's own");
		chip |= option == "--chip";
	}
	if (!chip)
		throw Refusal(fmt::format("kfdm exp {} runs on a chip of this program here: give --chips", name));
}

/* kfdm exp NAME, an option for each axis that the words do not use already. */
std::vector<std::string> experiment_command(const CLI::App &experiment, const Options &o, const std::vector<Axis> &axes)
{
	Definition definition = {"", {"{kfdm}", "exp"}, axes};

	definition.command.insert(definition.command.end(), o.words.begin(), o.words.end());
	for (const Axis &axis : axes)
		if (!definition.uses(axis.name))
			definition.command.insert(definition.command.end(), {"--" + axis.name, "{" + axis.name + "}"});
	check_experiment(experiment, definition.command);
	for (const Axis &axis : axes)
		for (const std::string &value : axis.name == "chip" ? axis.values : std::vector<std::string>{})
			kfdm::exp::silicon_machine(value); /* throws if there is none */
	definition.command.insert(definition.command.end(), {"--json", "{json}"});
	return definition.command;
}

Definition definition_of(const Options &o, CLI::App &exp)
{
	const std::vector<Axis> axes = axes_of(o);
	const std::string &name = o.words.front();
	std::vector<std::string> names;

	if (const auto found = exp.get_subcommands([&](CLI::App *sub) { return sub->get_name() == name; }); !found.empty())
		return {this_kfdm(), experiment_command(*found.front(), o, axes), axes};
	if (name.find('{') == std::string::npos && !is_program(name)) {
		for (const CLI::App *sub : exp.get_subcommands([](CLI::App *) { return true; }))
			names.push_back(sub->get_name());
		throw Refusal(fmt::format("{} is neither an experiment ({}) nor a program", name, fmt::join(names, ", ")));
	}
	return {this_kfdm(), o.words, axes};
}

fs::path folder_of(const Options &o)
{
	if (o.folder.empty() && o.words.empty())
		throw Refusal("which sweep? Give an experiment, a command, or the --folder of one that was begun");
	const fs::path path = o.folder.empty() ? "sweep-" + fs::path(o.words.front()).filename().string() : o.folder;
	return fs::absolute(path).lexically_normal();
}

int list(const Definition &definition)
{
	definition.check();
	for (size_t row = 1; row <= definition.rows(); row++)
		fmt::print("{}\t{}\t{}\n", row, definition.describe(row), fmt::join(definition.command_of(row, {{"kfdm", "kfdm"}}), " "));
	return 0;
}

/* What a job of parallel or a task of Slurm does. */
int run_rows(const Folder &folder, const std::string &text)
{
	const std::vector<size_t> rows = parse_rows(text);
	int code = 0;

	for (const size_t row : rows)
		if (!row || row > folder.definition().rows())
			throw Refusal(fmt::format("there is no row {} among {}", row, folder.definition().rows()));
	for (const size_t row : rows) {
		const Outcome outcome = run_row(folder, row, this_program());

		fmt::print("row {} ({}): {}\n", row, folder.definition().describe(row),
			   outcome == Outcome::Done	 ? "done" :
			   outcome == Outcome::Elsewhere ? "somebody else runs it" :
							   folder.state(row).why + "; " + folder.log(row).string());
		std::fflush(stdout);
		code |= outcome == Outcome::Failed;
	}
	return code;
}

/* Merges, and says what there is and what not. */
int finish(const Folder &folder)
{
	using Kind = RowState::Kind;
	std::map<Kind, size_t> count;
	const size_t rows = folder.definition().rows();

	for (size_t row = 1; row <= rows; row++) {
		const RowState state = folder.state(row);

		count[state.kind]++;
		if (state.kind != Kind::Failed && state.kind != Kind::Broken)
			continue;
		if (const size_t told = count[Kind::Failed] + count[Kind::Broken]; told <= most_told)
			fmt::print(stderr, "row {} ({}): {}; {}\n", row, folder.definition().describe(row),
				   state.kind == Kind::Failed ? state.why : "was killed", folder.log(row).string());
		else if (told == most_told + 1)
			fmt::print(stderr, "and more\n");
	}
	const bool merged = folder.merge();
	if (merged)
		fmt::print("{}\n", folder.merged().string());
	fmt::print("{} passed, {} failed", count[Kind::Done], count[Kind::Failed] + count[Kind::Broken]);
	if (const size_t rest = count[Kind::Waiting] + count[Kind::Running])
		fmt::print(", {} not run yet ({} running)", rest, count[Kind::Running]);
	fmt::print("\n");
	return merged ? 0 : 1;
}

/* The job of an earlier call that is still in the queue; empty: none. */
std::string job_in_queue(const Folder &folder)
{
	const fs::path last = folder.path() / "slurm.job";

	return fs::exists(last) && in_queue(read_whole(last)) ? read_whole(last) : "";
}

fs::path write_script(const Folder &folder, const Options &o)
{
	fs::path script = folder.path() / "sweep.sbatch";

	write_whole(script, slurm_script(folder, folder.missing(), this_program(), fs::current_path(), {o.chunk, o.jobs, o.sbatch}));
	return script;
}

std::string submit_missing(const Folder &folder, const Options &o)
{
	const size_t rows = folder.missing().size();
	const fs::path script = write_script(folder, o);
	std::string job = submit(script);

	write_whole(folder.path() / "slurm.job", job);
	fmt::print("job {}: {} rows, {}\n", job, rows, script.string());
	std::fflush(stdout);
	return job;
}

int by_slurm(const Folder &folder, const Options &o)
{
	if (o.no_submit) {
		fmt::print("{}\n", write_script(folder, o).string());
		return 0;
	}
	if (!is_program("sbatch"))
		throw Refusal("there is no sbatch here, which Slurm's users have (Debian: slurm-client)");
	std::string job = job_in_queue(folder);
	if (!job.empty() && !o.wait)
		throw Refusal(fmt::format("job {} of this sweep is still in the queue: wait for it with --wait, or scancel {}", job, job));
	if (job.empty())
		job = submit_missing(folder, o);
	if (o.wait && watch_job(folder, job))
		return finish(folder);
	fmt::print("when it has ended: kfdm sweep --folder {} --collect\n", shell_word(folder.path()));
	return o.wait ? interrupted_code : 0;
}

int by_itself(const Folder &folder, const Options &o)
{
	if (!run_local(folder, this_program(), o.jobs)) {
		finish(folder);
		fmt::print(stderr, "interrupted; what is left is run by: kfdm sweep --folder {}\n", shell_word(folder.path()));
		return interrupted_code;
	}
	return finish(folder);
}

int sweep(const Options &o, CLI::App &exp)
{
	const fs::path path = folder_of(o);

	if (o.words.empty() && !axes_of(o).empty())
		throw Refusal("--chips, --masks, --seeds and --each are of an experiment or a command, which is missing");
	if (o.list)
		return list(o.words.empty() ? Folder::open(path, this_kfdm()).definition() : definition_of(o, exp));
	const Folder folder = o.words.empty() ? Folder::open(path, this_kfdm()) : Folder::create(path, definition_of(o, exp));

	if (!o.rows.empty())
		return run_rows(folder, o.rows);
	if (o.collect || folder.missing().empty())
		return finish(folder);
	return o.slurm ? by_slurm(folder, o) : by_itself(folder, o);
}

} // namespace

void add_sweep(CLI::App &app, int *exit_code)
{
	auto o = std::make_shared<Options>();
	CLI::App *sub = app.add_subcommand("sweep",
					   "An experiment or a command for each combination of chips, masks, seeds: on this machine, "
					   "or by Slurm. What was begun and has no result is run by the same command again");

	sub->add_option("WHAT", o->what, "An experiment of kfdm exp, or, after --, a program. Nothing: those of --folder");
	sub->add_option("WORDS", o->words,
			"After --: more options of the experiment, or the program's arguments, with {chip}, {mask}, {seed}, {NAME}, {row}, "
			"{json} (a file for its result), {work} (a folder of its own)");
	sub->add_option("-d,--folder", o->folder, "Where definition, results and logs are (default: sweep-WHAT)");
	sub->add_option("--chips", o->chips, "{chip}: names, separated by commas");
	sub->add_option("--masks", o->masks, "{mask}: CU masks, hexadecimal");
	sub->add_option("--seeds", o->seeds, "{seed}: numbers, also 1-8 and 1-100:10 (each tenth)");
	sub->add_option("--each", o->each, "NAME=LIST: {NAME}; of an experiment its option --NAME. May be given several times");
	sub->add_option("--jobs", o->jobs,
			"Rows at a time on this machine, by GNU parallel (default: CPUs), 1: without it; with --slurm: tasks at a time");
	sub->add_flag("--list", o->list, "Only print the rows and their commands");
	sub->add_flag("--collect", o->collect, "Run nothing: say what there is, and merge the results if there are all");
	CLI::Option *slurm = sub->add_flag("--slurm", o->slurm, "Submit a job array of Slurm");
	sub->add_option("--chunk", o->chunk, "Rows of a task (default: as many as make at most 1000 tasks)")
		->needs(slurm)
		->check(CLI::PositiveNumber);
	sub->add_option("--sbatch", o->sbatch, "An option of sbatch: --sbatch=--time=10. May be given several times")->needs(slurm);
	CLI::Option *wait = sub->add_flag("--wait", o->wait, "Wait for the job, and merge")->needs(slurm);
	sub->add_flag("--no-submit", o->no_submit, "Only write the script")->needs(slurm)->excludes(wait);
	sub->add_option("--rows", o->rows, "Run only these rows of --folder, one after the other, and merge nothing: what a task does");
	for (const char *name : {"--each", "--sbatch"})
		sub->get_option(name)->allow_extra_args(false);
	sub->callback([=, &app] {
		if (!o->what.empty())
			o->words.insert(o->words.begin(), o->what);
		*exit_code = sweep(*o, *app.get_subcommand("exp"));
	});
}

} // namespace kfdm::tool
