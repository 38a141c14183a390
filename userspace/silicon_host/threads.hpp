// SPDX-License-Identifier: MIT
/* threads.hpp - threads that wait for work which comes every few microseconds. */
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace silicon_host {

class Threads {
public:
	using Work = void (*)(void *argument, std::uint32_t n);

	/** So many, the caller's own included. */
	explicit Threads(unsigned count);
	Threads(const Threads &) = delete;
	Threads &operator=(const Threads &) = delete;
	~Threads();

	/** work(argument, 0) by the caller, work(argument, n) by each other one that comes before this returns; then all have returned. */
	void run(Work work, void *argument);
	unsigned count() const { return static_cast<unsigned>(threads_.size()) + 1; }

private:
	void serve(unsigned n);

	std::vector<std::thread> threads_;
	Work work_ = nullptr;
	void *argument_ = nullptr;
	alignas(64) std::atomic<std::uint64_t> state_{0};
	std::atomic<bool> ending_{false};
};

} // namespace silicon_host
