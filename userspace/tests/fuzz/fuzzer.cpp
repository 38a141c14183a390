// SPDX-License-Identifier: MIT
/*
 * fuzzer.cpp - the loop in the VM.
 */
#include "fuzzer.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <sstream>

namespace kfdm::fuzz {

namespace fs = std::filesystem;

std::string read_text(const std::string &path)
{
	std::ifstream in(path, std::ios::binary);
	std::ostringstream text;

	if (!in)
		throw std::runtime_error(path + ": cannot be read");
	text << in.rdbuf();
	return text.str();
}

namespace {

/* The file in the tree is to stay small. */
constexpr size_t most_bytes = 250'000;

/** FNV-1a: a file's name says what is in it. */
std::string name_of(const std::string &text)
{
	uint64_t hash = 0xcbf29ce484222325;
	std::ostringstream name;

	for (const char c : text)
		hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
	name << std::hex << hash;
	return name.str();
}

} // namespace

Fuzzer::Fuzzer(const Description &description, const std::string &folder, const Limits &limits)
	: description_(description), folder_(folder), limits_(limits), random_(limits.seed), generator_(description, random_),
	  executor_(description)
{
	fs::create_directories(folder_ + "/corpus");
	journal_.open(folder_ + "/journal", std::ios::trunc);
}

std::set<Place> Fuzzer::try_out(const Program &program, bool keep)
{
	std::set<Place> fresh;

	/* The newest few hundred programs are enough to find out what broke. */
	if (programs_++ % 200 == 0) {
		std::error_code ignored;

		journal_.close();
		fs::rename(folder_ + "/journal", folder_ + "/journal.old", ignored);
		journal_.open(folder_ + "/journal", std::ios::trunc);
	}
	journal_ << to_text(description_, program) << "\n" << std::flush;
	const Run run = executor_.run(program, keep);

	calls_ += program.calls.size();
	for (const Outcome &outcome : run.calls)
		made_ += outcome.state == Outcome::Made;
	std::set_difference(run.places.begin(), run.places.end(), reached_.begin(), reached_.end(), std::inserter(fresh, fresh.end()));
	if (run.stuck)
		std::ofstream("/proc/sysrq-trigger") << "w"; /* where it sleeps */
	const std::string text = log_.fresh();
	const std::string splats = KernelLog::splats(text);

	if (!splats.empty() || run.stuck) {
		std::ofstream(folder_ + "/splat") << (run.stuck ? "a process cannot be killed\n" : "") << splats << "\n" << text;
		bad_ = true;
	}
	return fresh;
}

/** Leaves out the calls without which @wanted is reached as well. */
Program Fuzzer::smaller(Program program, const std::set<Place> &wanted)
{
	for (size_t i = program.calls.size(); i-- > 0 && program.calls.size() > 1 && !bad_;) {
		std::vector<bool> kept(program.calls.size(), true);

		kept[i] = false;
		Program less = subset(program, kept);

		less.same_processes = true;
		const std::set<Place> reached = try_out(less, true);

		if (std::includes(reached.begin(), reached.end(), wanted.begin(), wanted.end()))
			program = less;
	}
	return program;
}

void Fuzzer::consider(Program program, std::set<Place> fresh)
{
	if (fresh.empty() || bad_)
		return;
	/* What comes and goes with the time of day, or with what others have left, is no reason to keep a program. */
	program.same_processes = false;
	const std::set<Place> again = try_out(program, true);
	std::set<Place> steady;

	std::set_intersection(fresh.begin(), fresh.end(), again.begin(), again.end(), std::inserter(steady, steady.end()));
	reached_.insert(fresh.begin(), fresh.end());
	if (steady.empty() || bad_)
		return;
	for (const Place &place : steady)
		reached_.erase(place);
	Program kept = smaller(program, steady);

	kept.same_processes = false;
	const std::string text = to_text(description_, kept);

	reached_.insert(steady.begin(), steady.end());
	corpus_.push_back(kept);
	std::ofstream(folder_ + "/corpus/" + name_of(text)) << text;
}

void Fuzzer::report()
{
	std::printf("%llu programs, %llu calls (%llu made), %zu places, %zu in the corpus\n", static_cast<unsigned long long>(programs_),
		    static_cast<unsigned long long>(calls_), static_cast<unsigned long long>(made_), reached_.size(), corpus_.size());
	const Spent &spent = executor_.spent();

	std::printf("seconds: %.1f start, %.1f calls (%.1f late), %.1f end\n", static_cast<double>(spent.start) / 1e6,
		    static_cast<double>(spent.calls) / 1e6, static_cast<double>(spent.late) / 1e6, static_cast<double>(spent.end) / 1e6);
	std::fflush(stdout);
	write_places();
}

void Fuzzer::write_places()
{
	std::ofstream out(folder_ + "/places");

	for (const Place &place : reached_)
		if (place.module != Place::success)
			out << Coverage::modules()[static_cast<size_t>(place.module)] << " 0x" << std::hex << place.offset << "\n";
}

void Fuzzer::read_corpus()
{
	std::vector<std::string> files;

	for (const auto &entry : fs::directory_iterator(folder_ + "/corpus"))
		files.push_back(entry.path());
	std::sort(files.begin(), files.end());
	for (const std::string &file : files) {
		try {
			corpus_.push_back(from_text(description_, read_text(file)));
		} catch (const SyntaxError &) {
			fs::remove(file); /* of another description */
		}
	}
}

bool Fuzzer::run()
{
	using clock = std::chrono::steady_clock;
	const auto end = clock::now() + std::chrono::seconds(limits_.seconds);
	auto next_report = clock::now() + std::chrono::seconds(10);

	constexpr unsigned programs_of_processes = 30;
	unsigned in_session = 0;

	read_corpus();
	for (size_t i = 0; i < corpus_.size() && !bad_; i++) {
		Program program = corpus_[i];

		program.same_processes = i % programs_of_processes;
		const std::set<Place> fresh = try_out(program, true);

		reached_.insert(fresh.begin(), fresh.end());
	}
	while (!bad_ && clock::now() < end && programs_ < limits_.programs) {
		Program program;

		if (!in_session)
			in_session = programs_of_processes;
		if (corpus_.empty() || random_.one_in(10)) {
			program = generator_.generate(1 + static_cast<int>(random_.below(12)));
		} else {
			/* New ones are more interesting. */
			const size_t newest = corpus_.size() - 1 - random_.below(std::min<size_t>(corpus_.size(), 50));

			program = random_.one_in(2) ? corpus_[newest] : random_.pick(corpus_);
			generator_.mutate(program, &random_.pick(corpus_));
		}
		/* Processes take ten times as long to make and to end as a program takes: some programs share theirs. */
		program.same_processes = in_session < programs_of_processes;
		const std::set<Place> fresh = try_out(program, --in_session);

		if (!fresh.empty())
			in_session = 0;
		consider(program, fresh);
		if (clock::now() >= next_report) {
			report();
			next_report = clock::now() + std::chrono::seconds(10);
		}
	}
	report();
	return !bad_;
}

bool Fuzzer::distil(size_t most)
{
	struct Candidate {
		std::string text;
		std::set<Place> adds;
	};
	std::vector<Candidate> candidates;
	std::ofstream out(folder_ + "/distilled");
	size_t bytes = 0;

	for (const std::string &text : split_programs(read_text(FUZZ_FOLDER "/corpus.prog"))) {
		const std::set<Place> reached = try_out(from_text(description_, text));

		reached_.insert(reached.begin(), reached.end());
	}
	read_corpus();
	for (const Program &program : corpus_) {
		if (bad_)
			return false;
		std::set<Place> adds = try_out(program);

		if (!adds.empty())
			candidates.push_back({to_text(description_, program), std::move(adds)});
	}
	for (; most && !candidates.empty(); most--) {
		const auto best = std::max_element(candidates.begin(), candidates.end(),
						   [](const Candidate &a, const Candidate &b) { return a.adds.size() < b.adds.size(); });
		const Candidate chosen = *best;

		bytes += chosen.text.size();
		if (bytes > most_bytes)
			break;
		out << chosen.text << "\n";
		reached_.insert(chosen.adds.begin(), chosen.adds.end());
		for (Candidate &other : candidates)
			for (const Place &place : chosen.adds)
				other.adds.erase(place);
		std::erase_if(candidates, [](const Candidate &other) { return other.adds.empty(); });
	}
	report();
	return !bad_;
}

} // namespace kfdm::fuzz
