// SPDX-License-Identifier: MIT
/*
 * isa_fuzz.cc - differential programs: C functions from a seed, and csmith's, compiled by clang for the host and for the GPU at
 * every optimisation level; memory after the run must be equal to the byte.
 *
 *	isa_fuzz [--count N] [--seed S] [--csmith-every K] [--mcpu NAME] [--folder DIR]
 *
 * A program passes when all four levels agree with the host. Programs that the host's undefined behaviour sanitizer stops, or
 * that take too long there, are left out and counted, and so are those of compiler_mistakes.txt. Failures are made smaller and kept in DIR.
 * Each K-th seed is a csmith program.
 */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "../command_line.h"
#include "../program.h"
#include "compile.h"
#include "generator.h"
#include "tools/progress.hpp"

#include "prelude_sizes.h"

namespace isa_fuzz {
namespace {

using isa_test::Machine;
using isa_test::Program;

constexpr unsigned batch = 64, levels = 4;
constexpr u64 in_base = 0x500000000, mem_base = 0x510000000;

struct Options {
	u64 count = 64, seed = 1, csmith_every = 8;
	Compiler compiler;
};

struct Totals {
	u64 passed = 0, failed = 0, left_out = 0, too_long = 0, csmith = 0;
};

/** Numbers that programs stumble over, and any other. */
Bytes make_memory(u64 seed, size_t bytes)
{
	static const u32 interesting[] = {0,	      1,	  2,	      0xffffffff, 0x7fffffff, 0x80000000, 0x3f800000, 0xbf800000,
					  0x7f800000, 0xff800000, 0x7fc00000, 0x00000001, 0x007fffff, 0x00800000, 0x3ff00000, 0x7ff00000,
					  0x00100000, 0x7fefffff, 0x3c003c00, 0x7c00fc00, 0x00010400, 0x4b000000, 0x5f000000, 0x41e00000};
	std::mt19937_64 random(seed);
	Bytes memory(bytes);

	for (size_t at = 0; at < bytes; at += 4) {
		const u64 r = random();
		u32 v = static_cast<u32>(r >> 32);

		if (r % 4 == 0)
			v = interesting[r / 4 % 24];
		else if (r % 4 == 1)
			v = v % 200 - 100;
		else if (r % 4 == 2)
			v = (v & 0x80ffffff) | (118 + (v >> 24 & 15)) << 23;
		std::memcpy(&memory[at], &v, 4);
	}
	return memory;
}

struct Shape {
	u32 items, group;
};

/** mem after the job has run on the silicon; throws what Program throws. */
Bytes run_on_silicon(const std::string &object, const Job &job, Shape shape)
{
	const auto &[name, in, mem] = job;
	Program program(object);
	Machine m;
	const u64 args[] = {in_base, mem_base};
	Bytes result(mem.size()), in_after(in.size());

	m.memory.write(in_base, in.data(), in.size());
	m.memory.write(mem_base, mem.data(), mem.size());
	program.run(m, "k_" + name, {reinterpret_cast<const u8 *>(args), sizeof(args)}, {shape.items}, {shape.group});
	m.memory.read(mem_base, result.data(), result.size());
	m.memory.read(in_base, in_after.data(), in_after.size());
	if (in_after != in)
		throw std::runtime_error("read-only input changed");
	return result;
}

/** Empty if equal, else what differs. */
std::string compare(const std::string &object, const Job &job, const Bytes &wanted, Shape shape)
{
	try {
		const Bytes got = run_on_silicon(object, job, shape);
		const auto at = std::mismatch(got.begin(), got.end(), wanted.begin()).first - got.begin();

		if (got == wanted)
			return "";
		return "byte " + std::to_string(at) + " differs";
	} catch (const std::exception &e) {
		return e.what();
	}
}

std::string source_of(const std::vector<Node> &programs)
{
	std::string text = "#include \"prelude.h\"\n";

	for (const Node &p : programs)
		text += p.print();
	return text;
}

/** Seeds of compiler_mistakes.txt for one target: what the machine code computes is not what the program says. */
std::set<u64> compiler_mistakes(const std::string &mcpu)
{
	std::ifstream file(ISA_FUZZ_SOURCES "/compiler_mistakes.txt");
	std::set<u64> seeds;

	if (!file)
		throw std::runtime_error("no " ISA_FUZZ_SOURCES "/compiler_mistakes.txt");
	for (std::string line; std::getline(file, line);) {
		std::istringstream words(line);
		std::string target;
		u64 seed;

		if (words >> target >> seed && target == mcpu)
			seeds.insert(seed);
	}
	return seeds;
}

class Fuzzer {
public:
	explicit Fuzzer(Options options) : o_(std::move(options)), mistakes_(compiler_mistakes(o_.compiler.mcpu))
	{
		std::filesystem::create_directories(o_.compiler.folder);
	}

	Totals run()
	{
		const auto start = std::chrono::steady_clock::now();
		kfdm::Progress progress("isa_fuzz", o_.count);

		for (u64 done = 0; done < o_.count;) {
			const u64 n = std::min<u64>(batch, o_.count - done);

			seeds(o_.seed + done, n);
			done += n;
			progress.clear();
			const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
			std::printf("%s seed %lu..%lu: %lu left out (%lu took too long), %lu of csmith passed, %.1f programs/s\n",
				    o_.compiler.mcpu.c_str(), o_.seed, o_.seed + done - 1, total_.left_out, total_.too_long, total_.csmith,
				    static_cast<double>(done) / seconds);
			std::printf("%lu passed, %lu failed\n", total_.passed, total_.failed);
			std::fflush(stdout);
			progress.step(n);
		}
		return total_;
	}

private:
	std::string path(const std::string &file) const { return o_.compiler.folder + "/" + file; }

	/** What a program is depends on its seed alone, so that each can be run by itself. */
	void seeds(u64 first, u64 n)
	{
		std::vector<u64> batch_seeds;

		for (u64 seed = first; seed < first + n; seed++)
			if (mistakes_.contains(seed))
				total_.left_out++;
			else if (o_.csmith_every && seed % o_.csmith_every == 0)
				csmith_program(seed);
			else
				batch_seeds.push_back(seed);
		if (!batch_seeds.empty())
			generated(batch_seeds);
	}

	static constexpr const char *not_compiled = "not compiled";

	/** Compile a source for both sides and compare each kernel; failing levels, one string a kernel. */
	struct Verdict {
		bool left_out = false, too_long = false;
		unsigned level = 0;
		std::string difference;
	};
	std::vector<Verdict> judge(const std::string &source, const std::vector<Job> &jobs, Shape shape,
				   unsigned level_mask = (1 << levels) - 1)
	{
		std::vector<Verdict> verdicts(jobs.size());
		const std::string host = o_.compiler.host(source);

		if (host.empty())
			throw std::runtime_error("the host's clang refuses " + source);
		const std::vector<HostRun> wanted = run_on_host(host, jobs);
		for (size_t i = 0; i < jobs.size(); i++) {
			verdicts[i].left_out = wanted[i].mem.empty();
			verdicts[i].too_long = wanted[i].too_long;
		}
		if (std::all_of(verdicts.begin(), verdicts.end(), [](const Verdict &v) { return v.left_out; }))
			return verdicts;
		for (unsigned level = 0; level < levels; level++) {
			if (!(level_mask >> level & 1))
				continue;
			const std::string object = o_.compiler.device(source, level);
			for (size_t i = 0; i < jobs.size(); i++) {
				Verdict &v = verdicts[i];
				if (wanted[i].mem.empty())
					continue;
				if (object.empty())
					v = {true, false, level, not_compiled};
				else if (v.difference.empty())
					v = {false, false, level, compare(object, jobs[i], wanted[i].mem, shape)};
			}
		}
		return verdicts;
	}

	void count(const Verdict &v)
	{
		total_.too_long += v.too_long;
		if (v.left_out)
			total_.left_out++;
		else if (v.difference.empty())
			total_.passed++;
		else
			total_.failed++;
	}

	/** One compilation for all of them; of a batch that the compiler does not survive each half. */
	void generated(const std::vector<u64> &batch_seeds)
	{
		std::vector<Node> programs;
		std::vector<Job> jobs;
		const std::string source = path("batch.c");

		for (u64 seed : batch_seeds) {
			const std::string name = "program_" + std::to_string(seed);

			jobs.push_back({name, make_memory(seed, items * in_words * 4), make_memory(~seed, items * mem_words * 4)});
			programs.push_back(generate(seed, name));
		}
		write_file(source, source_of(programs));
		o_.compiler.patience = 4 + static_cast<unsigned>(batch_seeds.size()) / 4;
		const std::vector<Verdict> verdicts = judge(source, jobs, {items, group});
		if (batch_seeds.size() > 1 &&
		    std::ranges::any_of(verdicts, [](const Verdict &v) { return v.difference == not_compiled; })) {
			const auto middle = batch_seeds.begin() + static_cast<std::ptrdiff_t>(batch_seeds.size() / 2);

			generated({batch_seeds.begin(), middle});
			generated({middle, batch_seeds.end()});
			return;
		}
		for (size_t i = 0; i < batch_seeds.size(); i++) {
			count(verdicts[i]);
			if (!verdicts[i].left_out && !verdicts[i].difference.empty())
				report(batch_seeds[i], programs[i], jobs[i], verdicts[i]);
		}
	}

	void report(u64 seed, const Node &program, const Job &job, const Verdict &verdict)
	{
		const std::string source = path("shrink.c"), kept = path("failed-" + o_.compiler.mcpu + "-" + std::to_string(seed) + ".c");
		const auto wrong = [&](const Node &candidate) {
			write_file(source, source_of({candidate}));
			try {
				const Verdict v = judge(source, {job}, {items, group}, 1u << verdict.level)[0];
				return !v.left_out && !v.difference.empty() && v.difference.substr(0, 4) == verdict.difference.substr(0, 4);
			} catch (const std::exception &) {
				return false;
			}
		};

		std::printf("seed %lu -O%u: %s (%u nodes)\n", seed, verdict.level, verdict.difference.c_str(), program.size());
		std::fflush(stdout);
		o_.compiler.quiet = true;
		const Node smaller = shrink(program, wrong, 500);
		o_.compiler.quiet = false;
		write_file(kept, "/* seed " + std::to_string(seed) + " -O" + std::to_string(verdict.level) + ": " + verdict.difference +
					 " */\n" + source_of({smaller}));
		std::printf("  shrunk to %u nodes: %s\n", smaller.size(), kept.c_str());
	}

	void csmith_program(u64 seed)
	{
		const std::string source = path("csmith.c");
		const Job job{"program", Bytes(64), Bytes(4096 * 8)};

		/*
		 * csmith leaves a file in the folder it runs in. No packed structs: LLVM 15 reads and writes members of private ones in one
		 * piece, which GFX9 refuses.
		 */
		if (std::system(
			    ("cd " + o_.compiler.folder + " && " ISA_CSMITH " --seed " + std::to_string(seed) +
			     " --no-argc --no-packed-struct --max-funcs 3 --max-block-depth 3 --max-block-size 3 --max-expr-complexity 6 --concise --output csmith.c")
				    .c_str()))
			throw std::runtime_error("csmith does not run");
		/*
		 * LLVM 15 writes two bytes where it sets one of a vector of up to eight (LowerINSERT_VECTOR_ELT has a mask of 0xffff for
		 * both sizes of elements): small arrays of bytes must not become vectors. The generated programs have none.
		 */
		o_.compiler.patience = 20;
		o_.compiler.device_options = " -mllvm -disable-promote-alloca-to-vector";
		const Verdict v = judge(source, {job}, {1, 1})[0];
		o_.compiler.device_options.clear();
		count(v);
		if (v.left_out)
			return;
		total_.csmith += v.difference.empty();
		if (!v.difference.empty()) {
			const std::string kept = path("failed-csmith-" + std::to_string(seed) + ".c");
			std::filesystem::copy_file(source, kept, std::filesystem::copy_options::overwrite_existing);
			std::printf("csmith seed %lu -O%u: %s, kept as %s\n", seed, v.level, v.difference.c_str(), kept.c_str());
		}
	}

	Options o_;
	std::set<u64> mistakes_;
	Totals total_;
};

Options parse(int argc, char **argv)
{
	CLI::App app("Programs from seeds, compiled for the host and the GPU; memory afterwards must be equal", "isa_fuzz");
	Options o;

	app.add_option("--count", o.count, "Programs")->capture_default_str();
	app.add_option("--seed", o.seed, "Of the first")->capture_default_str();
	app.add_option("--csmith-every", o.csmith_every, "Each K-th seed is a csmith program; 0: none")->capture_default_str();
	isa_test::add_target(app, &o.compiler.mcpu, &o.compiler.folder);
	isa_test::parse_or_exit(app, argc, argv);
	o.compiler.includes = " -I " ISA_FUZZ_SOURCES " -I " ISA_FUZZ_SOURCES "/csmith -isystem " ISA_CSMITH_INCLUDE;
	if (o.compiler.mcpu.starts_with("gfx8"))
		o.compiler.includes += " -DSATURATED=7u";
	return o;
}

} // namespace
} // namespace isa_fuzz

int main(int argc, char **argv)
{
	isa_test::compile_without_cache();
	try {
		const auto total = isa_fuzz::Fuzzer(isa_fuzz::parse(argc, argv)).run();

		return total.failed || !total.passed;
	} catch (const std::exception &e) {
		std::fprintf(stderr, "isa_fuzz: %s\n", e.what());
		return 2;
	}
}
