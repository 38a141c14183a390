// SPDX-License-Identifier: MIT
/*
 * fuzzer.hpp - the loop in the VM: makes programs, runs them, keeps those that reach code which no other has reached.
 *
 * Its folder on the host:
 *	corpus/NAME	programs that are kept
 *	journal		programs as they begin, the newest last; journal.old those before
 *	splat		what the kernel reported, if it did
 *	places		code that was reached: module, offset
 *	distilled	what distil() has chosen
 */
#pragma once

#include <fstream>

#include "executor.hpp"
#include "generate.hpp"

namespace kfdm::fuzz {

std::string read_text(const std::string &path);

struct Limits {
	uint64_t seconds = 60, programs = ~0ULL, seed = 1;
};

class Fuzzer {
public:
	Fuzzer(const Description &description, const std::string &folder, const Limits &limits);

	/** False if the kernel has reported something. */
	bool run();
	/**
	 * Of the corpus the @most programs that reach most together, into the folder's file `distilled`: those first that add most. Those
	 * of corpus.prog come before all. False as above.
	 */
	bool distil(size_t most);

private:
	/** What it reached that is new; ends the loop if the kernel complains. */
	std::set<Place> try_out(const Program &program, bool keep = false);
	void consider(Program program, std::set<Place> fresh);
	Program smaller(Program program, const std::set<Place> &wanted);
	void report();
	void write_places();
	void read_corpus();

	const Description &description_;
	std::string folder_;
	Limits limits_;
	Random random_;
	Generator generator_;
	Executor executor_;
	KernelLog log_;
	std::ofstream journal_;
	uint64_t programs_ = 0, calls_ = 0, made_ = 0;
	std::vector<Program> corpus_;
	std::set<Place> reached_;
	bool bad_ = false;
};

} // namespace kfdm::fuzz
