// SPDX-License-Identifier: MIT
/*
 * queue_place.cpp - parses debugfs' register dump.
 *
 * "  CP Pipe 0, Queue 2" starts a slot; its lines are "    ADDRESS: VALUE VALUE ...", a new line wherever the addresses
 * leave a gap. Registers follow the MQD from its dword 128 on.
 */
#include <kfdm/queue_place.hpp>

#include <charconv>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <vector>

#include <hw/mqd.h>

namespace kfdm {

namespace {

struct Slot {
	unsigned pipe = 0, queue = 0;
	std::vector<uint32_t> registers;
};

uint32_t reg(const Slot &slot, mqd_v9 dword) { return slot.registers[dword - MQD_V9_HQD_FIRST]; }

std::optional<QueuePlace> match(const Slot &slot, uint64_t ring)
{
	if (slot.registers.size() < MQD_V9_HQD_COUNT || !(reg(slot, MQD_V9_cp_hqd_active) & 1))
		return std::nullopt;

	uint64_t base = reg(slot, MQD_V9_cp_hqd_pq_base_lo) | uint64_t{reg(slot, MQD_V9_cp_hqd_pq_base_hi)} << 32;
	if (base != ring >> 8)
		return std::nullopt;
	return QueuePlace{slot.pipe, slot.queue, reg(slot, MQD_V9_cp_hqd_vmid) & 0xf,
			  reg(slot, MQD_V9_cp_mqd_base_addr_lo) | uint64_t{reg(slot, MQD_V9_cp_mqd_base_addr_hi)} << 32,
			  reg(slot, MQD_V9_cp_hqd_pq_doorbell_control)};
}

void add_registers(Slot *slot, std::string_view line)
{
	size_t colon = line.find(':');

	if (colon == std::string_view::npos)
		return;
	for (line.remove_prefix(colon + 1); !line.empty();) {
		size_t start = line.find_first_not_of(' ');
		uint32_t value = 0;

		if (start == std::string_view::npos)
			return;
		line.remove_prefix(start);
		auto [last, error] = std::from_chars(line.data(), line.data() + line.size(), value, 16);
		if (error != std::errc())
			return;
		slot->registers.push_back(value);
		line.remove_prefix(static_cast<size_t>(last - line.data()));
	}
}

} // namespace

std::optional<QueuePlace> find_queue_place(std::string_view hqds, uint64_t ring)
{
	std::istringstream in{std::string(hqds)};
	std::string line;
	Slot slot;

	while (std::getline(in, line)) {
		unsigned pipe = 0, queue = 0;

		if (line.starts_with("    ")) {
			add_registers(&slot, line);
			continue;
		}
		if (auto place = match(slot, ring))
			return place;
		slot = {};
		if (std::sscanf(line.c_str(), " CP Pipe %u, Queue %u", &pipe, &queue) == 2)
			slot = {pipe, queue, {}};
	}
	return match(slot, ring);
}

std::optional<QueuePlace> read_queue_place(uint64_t ring)
{
	std::ifstream in("/sys/kernel/debug/kfd/hqds");
	std::ostringstream text;

	if (!in)
		return std::nullopt;
	text << in.rdbuf();
	return find_queue_place(text.str(), ring);
}

} // namespace kfdm
