// SPDX-License-Identifier: MIT
/* placement_test.cpp - queues that the driver puts into slots itself (KFD's nocpsch; on Tonga always), on the silicon alone. */
#include <gtest/gtest.h>

#include <kfdm/lab.hpp>

#include "exp/oversub.hpp"
#include "exp/report.hpp"

using namespace kfdm;
using namespace kfdm::exp;

namespace {

constexpr unsigned pipes = 4, slots = 24, vmids = 8;

/** What creating a queue throws. 0: nothing. */
int creation_error(Client &client)
try {
	client.create_queue({});
	return 0;
} catch (const std::system_error &error) {
	return error.code().value();
}

/** Where queues were connected since the last call: me << 8 | pipe << 4 | queue. */
std::vector<uint32_t> connections(Machine &machine)
{
	std::vector<uint32_t> places;

	for (const amdm_ctl_trace_event &event : machine.take_trace())
		if (event.kind == static_cast<uint16_t>(TraceKind::QueueMap))
			places.push_back(event.where);
	return places;
}

class Placed : public testing::TestWithParam<const char *> {
protected:
	std::unique_ptr<Machine> machine_ = silicon_machine(GetParam(), 2, Placement::Driver);
};

} // namespace

/* allocate_hqd: the lowest slot of the next pipe; amdgpu has the first two of each. No queue is moved to make room for another. */
TEST_P(Placed, PipeAfterPipe)
{
	auto client = machine_->client();
	std::vector<uint32_t> wanted;

	machine_->trace(true);
	for (unsigned i = 0; i < slots; i++) {
		client->create_queue({});
		wanted.push_back(1u << 8 | (i % pipes) << 4 | (2 + i / pipes));
	}
	EXPECT_EQ(connections(*machine_), wanted);
}

TEST_P(Placed, WhatDoesNotFitIsRefused)
{
	auto client = machine_->client(), other = machine_->client();

	for (unsigned i = 0; i < slots; i++)
		client->create_queue({});
	EXPECT_EQ(creation_error(*client), EBUSY);
	EXPECT_EQ(creation_error(*other), EBUSY);
	machine_->trace(true);
	client->destroy_queue(5);
	EXPECT_EQ(creation_error(*other), 0);
	EXPECT_EQ(connections(*machine_), (std::vector<uint32_t>{0x113})); /* the sixth's: second round, second pipe */
}

TEST_P(Placed, AProcessNeedsAVmid)
{
	std::vector<std::unique_ptr<Client>> clients;

	for (unsigned i = 0; i < vmids; i++) {
		clients.push_back(machine_->client());
		clients.back()->create_queue({});
	}
	auto late = machine_->client();
	EXPECT_EQ(creation_error(*late), ENOSPC);
	clients[3]->destroy_queue(0);
	EXPECT_EQ(creation_error(*late), 0);
}

/* Each in its own address space: a wrong VMID's page tables would give faults or foreign memory. */
TEST_P(Placed, ProcessesWorkSideBySide)
{
	constexpr uint32_t items = 256;
	struct Process {
		std::unique_ptr<Client> client;
		unsigned queue;
		uint64_t out;
	};
	std::vector<Process> processes;

	for (unsigned i = 0; i < vmids; i++) {
		auto client = machine_->client();
		const unsigned queue = client->create_queue({});
		const uint64_t out = client->alloc(4096);
		processes.push_back({std::move(client), queue, out});
	}
	for (unsigned i = 0; i < vmids; i++) {
		const Process &p = processes[i];
		for (unsigned round = 0; round <= i; round++)
			p.client->submit(p.queue, {.object = "test",
						   .kernel = "count",
						   .grid = {items, 1, 1},
						   .workgroup = {64, 1, 1},
						   .arguments = {static_cast<uint32_t>(p.out), static_cast<uint32_t>(p.out >> 32)}});
	}
	machine_->run_idle();
	for (unsigned i = 0; i < vmids; i++)
		EXPECT_EQ(processes[i].client->read_array<uint32_t>(processes[i].out, 1)[0], items * (i + 1)) << i;
}

INSTANTIATE_TEST_SUITE_P(Chips, Placed, testing::Values("tonga", "fiji", "radeon_vii", "aldebaran", "navi21"),
			 [](const auto &chip) { return chip.param; });

/* SET_CU_MASK takes the queue off and loads it again: its waves are saved and go on elsewhere. */
TEST(Placement, AChangeSavesWavesWhereTheChipCan)
{
	const Work nap = {.kernel = "sleep_even", .grid = {64 * 16, 1, 1}, .workgroup = {64, 1, 1}, .arguments = {600}};

	for (const char *chip : {"radeon_vii", "fiji", "navi21", "tonga"}) {
		auto machine = silicon_machine(chip, 2, Placement::Driver);
		auto client = machine->client();
		const unsigned queue = client->create_queue({}), ticket = client->submit(queue, nap);
		const bool saves = std::string("tonga") != chip;

		machine->run_to(machine->now() + 100000);
		ASSERT_FALSE(client->times(ticket).done);
		if (saves) {
			client->set_mask(queue, packed_mask(machine->facts(), 1));
			EXPECT_GT(machine->counter(static_cast<uint32_t>(Counter::SavedWaves)), 0u) << chip;
		} else { /* its waves must end first, and time stands still */
			EXPECT_THROW(client->set_mask(queue, packed_mask(machine->facts(), 1)), std::system_error);
		}
		machine->run_idle();
		EXPECT_TRUE(client->times(ticket).done) << chip;
	}
}

TEST(Placement, OversubEndsAtTheLimit)
{
	auto machine = silicon_machine("tonga", 2);
	const OversubResult fits = measure_oversub(*machine, slots, 4, 10);

	EXPECT_NEAR(fits.total_us / fits.alone_us, 1, 0.01);
	EXPECT_GE(fits.fairness, 0.98);
	EXPECT_THROW(measure_oversub(*machine, slots + 1, 4, 10), std::system_error);
}

/* When others have all slots. */
TEST(Placement, OversubSaysSoWhenNothingFits)
{
	auto machine = silicon_machine("vega12", 2, Placement::Driver);
	auto other = machine->client();

	for (unsigned i = 0; i < slots - 1; i++)
		other->create_queue({});
	const Report report = report_oversub(*machine, {.brief = true});
	EXPECT_NE(report.text.find("8 are refused"), std::string::npos);
	EXPECT_EQ(report.json["refused"]["queues"], 8);
	EXPECT_EQ(report.pictures.size(), 1u);
}
