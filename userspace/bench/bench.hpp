// SPDX-License-Identifier: MIT
/*
 * bench.hpp - what the measurements of kfdm_bench share.
 *
 * Times of an emulated machine mean little by themselves; every measurement is set against something of the kernel's own,
 * measured in the same run, and judged by the ratio.
 */
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <kfdm/aql.hpp>

namespace kfdm::bench {

using Clock = std::chrono::steady_clock;

/** Times of one repeated action, microseconds. */
class Samples {
public:
	void add(Clock::duration time) { values_.push_back(std::chrono::duration<double, std::micro>(time).count()); }
	/** @p: 0 to 1 */
	[[nodiscard]] double percentile(double p)
	{
		std::sort(values_.begin(), values_.end());
		return values_.empty() ? 0 : values_[static_cast<size_t>(p * static_cast<double>(values_.size() - 1))];
	}
	[[nodiscard]] double p50() { return percentile(0.5); }
	[[nodiscard]] double p99() { return percentile(0.99); }

private:
	std::vector<double> values_;
};

/** Prints "ok" or "SLOW" for a ratio against its limit. Return: true if it keeps the limit. */
bool judge(const std::string &what, double ratio, double limit);

/** Doorbell to completion event against an eventfd ping-pong. Return: false if a limit is not kept. */
bool latency(Device &device);
/** CPU time of the model over ten idle seconds. */
bool idle(Device &device);
/** CREATE_QUEUE, UPDATE_QUEUE and DESTROY_QUEUE against a null ioctl, and their growth with the queues of others. */
bool queues(Device &device);

} // namespace kfdm::bench
