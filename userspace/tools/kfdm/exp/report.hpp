// SPDX-License-Identifier: MIT
/* report.hpp - an experiment's outcome for people, programs and eyes. */
#pragma once

#include <nlohmann/json.hpp>

#include "machine.hpp"

namespace kfdm::exp {

struct ReportOptions {
	std::string published; /**< file of published points */
	std::string part;      /**< only this part of the experiment */
	bool brief = false, full = false;
	uint32_t seed = 0;		/**< of `exp rtns` and `exp masks`: of the lengths of sleeping workgroups */
	std::vector<unsigned> at;	/**< of `exp rtns`: only masks of so many CUs */
	std::string model;		/**< of `exp masks`: a+b/x, milliseconds on x CUs */
	std::vector<std::string> masks; /**< of `exp masks`: CU masks, hexadecimal, bit 0 the lowest */

	[[nodiscard]] bool wants(const char *name) const { return part.empty() || part == name; }
};

struct Report { // NOLINT(bugprone-exception-escape): it is the move constructor of ordered_json that is suspected, which is noexcept
	std::string text;
	nlohmann::ordered_json json;
	std::vector<std::string> pictures; /**< SVG */
	bool passed = true;		   /**< what the experiment itself can judge */
};

Report report_rtns(Machine &machine, const ReportOptions &options);
Report report_occupancy(Machine &machine, const ReportOptions &options);
Report report_priority(Machine &machine, const ReportOptions &options);
Report report_latency(Machine &machine, const ReportOptions &options);
Report report_cu_latency(Machine &machine, const ReportOptions &options);
Report report_oversub(Machine &machine, const ReportOptions &options);
Report report_launch(Machine &machine, const ReportOptions &options);
Report report_streams(Machine &machine, const ReportOptions &options);
Report report_progress(Machine &machine, const ReportOptions &options);
Report report_gemv(Machine &machine, const ReportOptions &options);
Report report_masks_of_model(Machine &machine, const ReportOptions &options);
Report report_deadlines(Machine &machine, const ReportOptions &options);
Report report_ring_priority(Machine &machine, const ReportOptions &options);

} // namespace kfdm::exp
