// SPDX-License-Identifier: MIT
/*
 * complaints.hpp - what the silicon has complained about and the driver has refused: /sys/kernel/debug/amdgpu_model/complaints.
 */
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace kfdm::view {

struct Complaint {
	std::string gpu; /**< "-": of none */
	std::string kind;
	uint64_t count = 0;
	unsigned vmid = 0;
	std::string subject, detail;

	/** Not the program's fault, nor the driver's: something that the model does not know. */
	[[nodiscard]] bool is_missing() const;
	/** A sentence without an end. */
	[[nodiscard]] std::string text() const;
};

using Complaints = std::vector<Complaint>;

/** Lines as amdgpu_model/lab/complaints.c writes them. Throws EPROTO for others. */
Complaints parse_complaints(std::istream &in);
/** Of the running model. Throws what opening the file says. */
Complaints read_complaints();
/** What is in @after and was not in @before, with the number of times since. */
Complaints since(const Complaints &before, const Complaints &after);

} // namespace kfdm::view
