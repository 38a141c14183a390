// SPDX-License-Identifier: MIT
/* complaints.cpp - see complaints.hpp. */
#include "complaints.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include <kfdm/error.hpp>

namespace kfdm::view {

namespace {

constexpr const char *file = "/sys/kernel/debug/amdgpu_model/complaints";

/* What the kinds of enum silicon_report_kind mean to somebody whose program has met them: {0} subject, {1} detail, {2} VMID. */
struct Kind {
	const char *name;
	bool missing;
	const char *text;
};

constexpr auto kinds = std::to_array<Kind>({
	{"bad_instruction", true, "instruction {1} at {0}: the model does not execute it, or it is none of this chip's"},
	{"bad_packet", true, "packet {0}: not in the model, or malformed ({1})"},
	{"bad_register", true, "register {0}: this chip does not have it, or the model does not"},
	{"refused", true, "{0} {1}: Linux's driver does this, the model's does not"},
	{"others", true, "more kinds than there is room for"},
	{"reserved_bits", false, "register or packet {0}: reserved bits are set ({1})"},
	{"bad_mqd", false, "queue descriptor at {0}: cannot be ({1})"},
	{"bad_runlist", false, "runlist at {0}: cannot be ({1})"},
	{"bad_address", false, "address {0} of the driver's: nothing is there"},
	{"vm_fault", false, "address {0} of a program's (VMID {2}): nothing is mapped there, or not for this access"},
	{"ih_overflow", false, "interrupt {0}: the ring was full"},
	{"bad_pte", false, "address {0} (VMID {2}): its page table entry cannot be ({1})"},
});

const Kind *find_kind(const std::string &name)
{
	const auto *found = std::find_if(kinds.begin(), kinds.end(), [&](const Kind &kind) { return name == kind.name; });

	return found == kinds.end() ? nullptr : found;
}

bool same(const Complaint &a, const Complaint &b)
{
	return a.gpu == b.gpu && a.kind == b.kind && a.vmid == b.vmid && a.subject == b.subject && a.detail == b.detail;
}

} // namespace

bool Complaint::is_missing() const
{
	const Kind *found = find_kind(kind);

	return !found || found->missing;
}

std::string Complaint::text() const
{
	const Kind *found = find_kind(kind);
	const std::string what = found ? fmt::format(fmt::runtime(found->text), subject, detail, vmid) :
					 fmt::format("{} {} {}", kind, subject, detail);

	return fmt::format("{}{}", what, count == 1 ? "" : fmt::format(", {} times", count));
}

Complaints parse_complaints(std::istream &in)
{
	Complaints all;
	std::string line;

	while (std::getline(in, line)) {
		std::istringstream words(line);
		Complaint c;

		if (!(words >> c.gpu >> c.kind >> c.count >> c.vmid >> c.subject >> c.detail))
			throw_error(EPROTO, fmt::format("{}: not a line of complaints: {}", file, line));
		all.push_back(std::move(c));
	}
	return all;
}

Complaints read_complaints()
{
	std::ifstream in(file);

	if (!in)
		throw_errno(std::string("cannot open ") + file);
	return parse_complaints(in);
}

Complaints since(const Complaints &before, const Complaints &after)
{
	Complaints all;

	for (Complaint c : after) {
		const auto was = std::find_if(before.begin(), before.end(), [&](const Complaint &b) { return same(b, c); });

		if (was != before.end())
			c.count -= std::min(c.count, was->count);
		if (c.count)
			all.push_back(std::move(c));
	}
	return all;
}

} // namespace kfdm::view
