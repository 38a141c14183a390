// SPDX-License-Identifier: MIT
/*
 * executor.hpp - runs programs: two processes of different users for each, who make the calls in turn.
 */
#pragma once

#include <map>
#include <memory>
#include <set>

#include "board.hpp"

namespace kfdm::fuzz {

/** A place in a module's code: offset in its .text; or that a call has succeeded: its number. */
struct Place {
	static constexpr int success = 100;

	int module; /**< of Coverage::modules(), or success */
	uint64_t offset;
	auto operator<=>(const Place &) const = default;
};

/** What KCOV tells of the actors. */
class Coverage {
public:
	Coverage(); /**< on() is false where the kernel has no KCOV */
	Coverage(const Coverage &) = delete;
	~Coverage();

	[[nodiscard]] bool on() const { return !areas_.empty(); }
	/** Places that were passed since the last call. */
	std::set<Place> take();
	static const std::vector<std::string> &modules();

private:
	std::vector<uint64_t *> areas_;
	std::vector<std::pair<uint64_t, uint64_t>> text_; /**< address and end of each module's code */
};

struct Outcome {
	int64_t result = 0;				    /**< -errno, or what the call returned */
	uint32_t failed = 0;				    /**< allocations that have failed on purpose */
	enum { Made, Skipped, Late, Died } state = Skipped; /**< Died: its process, in the middle of it */
};

/** Where the time of programs goes, in microseconds. */
struct Spent {
	uint64_t start = 0, calls = 0, late = 0, end = 0;
};

struct Run {
	std::vector<Outcome> calls;
	std::set<Place> places;
	bool stuck = false; /**< a process cannot be killed */
};

class Executor {
public:
	explicit Executor(const Description &description);
	Executor(const Executor &) = delete;

	/** @keep: the next program is for the same processes; if they live that long. */
	Run run(const Program &program, bool keep = false);
	/** From now on calls are waited for as long as they may reasonably take, and are not interrupted. */
	void be_patient();
	[[nodiscard]] bool covers() const { return coverage_.on(); }
	[[nodiscard]] const Spent &spent() const { return spent_; }

private:
	void start_actor(int seat);
	void begin();
	[[nodiscard]] bool clean(const Program &program);
	Outcome make(size_t index);
	bool bury();
	bool end(int first = 0);
	[[nodiscard]] bool sleeps(const Seat &seat) const;

	const Description &description_;
	Coverage coverage_;
	Board *board_;
	int looks_at_call_, looks_at_sleeper_;
	bool alive_ = false; /**< the processes of the last program are there */
	Spent spent_;
};

/** Maps the board into this process; @seat_count is an actor's. */
Board *map_board();

/** What the kernel says since the log was opened. */
class KernelLog {
public:
	KernelLog();
	/** New text; empty if there is none. */
	std::string fresh();
	/** Lines of @text that report a mistake (qemu/splats). */
	static std::string splats(const std::string &text);

private:
	int fd_;
};

} // namespace kfdm::fuzz
