// SPDX-License-Identifier: MIT
/* watched_machine.cpp - see watched_machine.hpp. */
#include "watched_machine.hpp"

namespace kfdm::exp {

namespace {

class WatchedMachine final : public Machine {
public:
	WatchedMachine(std::unique_ptr<Machine> machine, std::function<void()> ran) : machine_(std::move(machine)), ran_(std::move(ran)) {}

	[[nodiscard]] const ChipFacts &facts() const override { return machine_->facts(); }
	std::unique_ptr<Client> client() override { return machine_->client(); }
	[[nodiscard]] unsigned sdma_engines() const override { return machine_->sdma_engines(); }
	uint64_t run_idle() override { return told(machine_->run_idle()); }
	uint64_t run_to(uint64_t cycle) override { return told(machine_->run_to(cycle)); }
	uint64_t now() override { return machine_->now(); }
	void free_run() override { machine_->free_run(); }
	void trace(bool on) override { machine_->trace(on); }
	std::vector<amdm_ctl_trace_event> take_trace() override { return machine_->take_trace(); }
	uint64_t counter(uint32_t which) override { return machine_->counter(which); }
	void set_mode(Mode mode, uint32_t value) override { machine_->set_mode(mode, value); }

private:
	uint64_t told(uint64_t cycle)
	{
		ran_();
		return cycle;
	}

	std::unique_ptr<Machine> machine_;
	std::function<void()> ran_;
};

} // namespace

std::unique_ptr<Machine> watched_machine(std::unique_ptr<Machine> machine, std::function<void()> ran)
{
	return std::make_unique<WatchedMachine>(std::move(machine), std::move(ran));
}

} // namespace kfdm::exp
