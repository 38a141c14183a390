// SPDX-License-Identifier: MIT
/*
 * silicon_machine.cpp - the silicon alone, in this process, with the small driver of silicon_host/.
 */
#include <algorithm>
#include <cstring>
#include <deque>
#include <list>
#include <map>

#include <kfdm/cwsr.hpp>
#include <kfdm/error.hpp>

#include "held_machine.hpp"
#include "memory_client.hpp"
#include "silicon_queues.hpp"

namespace kfdm::exp {

namespace {

struct ChipRow {
	const char *name;
	uint32_t target, engines, arrays, enabled, mhz, memory_mhz, bus_bits;

	/* HBM alone has so wide a bus; GDDR's transfers a clock differ. */
	[[nodiscard]] constexpr double memory_gb_s() const { return bus_bits < 1024 ? 0 : memory_mhz * 2.0 * bus_bits / 8 / 1000; }
};

constexpr ChipRow chip_rows[] = {
#define CHIP(id, name, product, device, revision, target, gc, se, sh, built, enabled, mhz, memory_mhz, vram, bus) \
	{name, target, se, sh, enabled, mhz, memory_mhz, bus},
#include "hw/chips.def"
#undef CHIP
};

constexpr uint32_t first_doorbell = 64; /* behind the driver's own, in dwords */
constexpr uint32_t ring_bytes = 256 * 1024;
constexpr uint64_t trap_handler = 0x100000; /* KFD sets one for every process: waves have 16 SGPRs more */
constexpr uint32_t tonga = 80002;

static_assert(sizeof(silicon_trace_event) == sizeof(amdm_ctl_trace_event));

class SiliconMachine;

class SiliconClient final : public MemoryClient {
public:
	SiliconClient(SiliconMachine &machine, uint32_t pasid, std::shared_ptr<void> presence);
	~SiliconClient() override;

	unsigned create_queue(const QueueSpec &spec) override;
	unsigned create_sdma_queue() override;
	void destroy_queue(unsigned queue) override;
	void set_mask(unsigned queue, const CuMask &mask) override;
	void set_priority(unsigned queue, uint32_t priority) override;

protected:
	void alloc_at(uint64_t address, size_t bytes) override;
	uint8_t *host(uint64_t address) override;
	void push(unsigned queue, const void *packet) override;
	void ring(unsigned queue) override { at(queue).ring(); }
	void push_sdma(unsigned queue, std::span<const uint32_t> dwords) override;

private:
	unsigned add(std::unique_ptr<silicon_host::UserQueue> queue);
	silicon_host::UserQueue &at(unsigned queue);
	void put_mask(silicon_host::UserQueue &queue, const CuMask &mask);

	std::shared_ptr<void> presence_;
	SiliconMachine &machine_;
	silicon_host::Process process_;
	std::vector<silicon_host::Process::Buffer> buffers_;
	std::deque<std::unique_ptr<silicon_host::UserQueue>> queues_;
	std::map<unsigned, uint32_t> sdma_; /* KFD's number of an SDMA queue, by ours */
};

class SiliconMachine final : public HeldMachine {
public:
	SiliconMachine(uint32_t row, unsigned cus, Placement placement)
		: row_(chip_rows[row]), chip_({.chip = row, .cus = cus, .vram_bytes = 1ull << 30, .doorbell_bytes = 1 << 20}),
		  driver_(chip_)
	{
		facts_ = {row_.name,
			  isa_name(row_.target),
			  row_.engines * row_.arrays,
			  cus,
			  static_cast<double>(row_.mhz),
			  row_.target >= 100000 ? 2u : 1u,
			  row_.memory_gb_s(),
			  row_.arrays};
		driver_.start();
		driver_.tba = saves_waves() ? trap_handler : 0;
		if (placement == Placement::Driver || is_tonga())
			queues_ = std::make_unique<Nocpsch>(chip_, driver_, saves_waves());
		else
			queues_ = std::make_unique<Cpsch>(chip_, driver_);
		chip_.hold(true);
	}

	const ChipFacts &facts() const override { return facts_; }
	unsigned sdma_engines() const override { return chip_.sdma().engines; }
	std::unique_ptr<Client> client() override { return std::make_unique<SiliconClient>(*this, next_pasid_++, presence()); }

	uint64_t run_idle() override { return step(SILICON_STEP_IDLE, 0); }
	uint64_t run_to(uint64_t cycle) override { return step(SILICON_STEP_CYCLE, cycle); }
	uint64_t now() override { return chip_.now(); }
	void free_run() override { throw_error(ENODEV, "without --chip only: it needs the kernel's rings"); }
	void trace(bool on) override { chip_.trace(on); }
	std::vector<amdm_ctl_trace_event> take_trace() override;
	uint64_t counter(uint32_t which) override { return chip_.counter(which); }
	void set_mode(Mode mode, uint32_t value) override { chip_.set_mode(static_cast<silicon_mode>(mode), value); }

	/* For clients */
	const ChipRow &row() const { return row_; }
	/* KFD saves no waves of Tonga and leaves its queues to no firmware (kfd_device.c: supports_cwsr; device_queue_manager_init). */
	bool saves_waves() const { return !is_tonga(); }
	silicon_host::HostedChip &chip() { return chip_; }
	silicon_host::Driver &driver() { return driver_; }
	DeviceQueues &queues() { return *queues_; }
	uint32_t take_doorbell();
	void give_doorbell(uint32_t doorbell) { doorbells_.at((doorbell - first_doorbell) / 2) = false; }
	/* Lowest free number; its remainder by the number of engines is the engine's (allocate_sdma_queue). */
	uint32_t take_sdma();
	void give_sdma(uint32_t id) { sdma_.at(id) = false; }

private:
	void hold_anew() override
	{
		chip_.hold(false);
		chip_.hold(true);
	}
	bool is_tonga() const { return row_.target == tonga; }
	uint64_t step(uint32_t until, uint64_t argument);

	const ChipRow &row_;
	ChipFacts facts_;
	silicon_host::HostedChip chip_;
	silicon_host::Driver driver_;
	std::unique_ptr<DeviceQueues> queues_;
	uint32_t next_pasid_ = 0x8001;
	std::vector<bool> doorbells_, sdma_;
};

uint64_t SiliconMachine::step(uint32_t until, uint64_t argument)
{
	chip_.step(until, argument);
	for (unsigned rounds = 0; chip_.stepping(); rounds++) {
		chip_.run(1);
		if (rounds > 1u << 24)
			throw_error(ETIME, "the silicon does not come to rest");
	}
	return now();
}

std::vector<amdm_ctl_trace_event> SiliconMachine::take_trace()
{
	std::vector<amdm_ctl_trace_event> events(chip_.trace_log.size());

	if (!events.empty())
		std::memcpy(events.data(), chip_.trace_log.data(), events.size() * sizeof(events[0]));
	chip_.trace_log.clear();
	return events;
}

uint32_t SiliconMachine::take_doorbell()
{
	size_t n = static_cast<size_t>(std::find(doorbells_.begin(), doorbells_.end(), false) - doorbells_.begin());

	if (n == doorbells_.size())
		doorbells_.push_back(false);
	doorbells_[n] = true;
	return first_doorbell + static_cast<uint32_t>(n) * 2;
}

uint32_t SiliconMachine::take_sdma()
{
	const sdma_layout &layout = chip_.sdma();

	sdma_.resize(layout.engines * layout.queues);
	const auto free = std::find(sdma_.begin(), sdma_.end(), false);
	if (free == sdma_.end())
		throw_error(ENOMEM, "all SDMA queues are taken");
	*free = true;
	return static_cast<uint32_t>(free - sdma_.begin());
}

SiliconClient::SiliconClient(SiliconMachine &machine, uint32_t pasid, std::shared_ptr<void> presence)
	: MemoryClient(machine.facts().isa, machine.chip().reference_mhz()), presence_(std::move(presence)), machine_(machine),
	  process_(machine.chip(), machine.driver(), pasid)
{
}

SiliconClient::~SiliconClient()
{
	for (unsigned n = 0; n < queues_.size(); n++)
		if (queues_[n])
			destroy_queue(n);
	machine_.queues().end_process();
}

void SiliconClient::alloc_at(uint64_t address, size_t bytes) { buffers_.push_back(process_.alloc_at(address, bytes)); }

uint8_t *SiliconClient::host(uint64_t address)
{
	for (const silicon_host::Process::Buffer &buffer : buffers_)
		if (address - buffer.va < buffer.bus.bytes)
			return buffer.host() + (address - buffer.va);
	throw_error(EFAULT, "the address is in no buffer of this client");
}

silicon_host::UserQueue &SiliconClient::at(unsigned queue)
{
	if (queue >= queues_.size() || !queues_[queue])
		throw_error(EINVAL, "there is no such queue");
	return *queues_[queue];
}

/* SET_CU_MASK to COMPUTE_STATIC_THREAD_MGMT_SEn, as kfd_mqd_manager.c walks: engines first. GFX8's first four are in the same places. */
void SiliconClient::put_mask(silicon_host::UserQueue &queue, const CuMask &mask)
{
	static constexpr unsigned words[] = {MQD_V9_compute_static_thread_mgmt_se0, MQD_V9_compute_static_thread_mgmt_se1,
					     MQD_V9_compute_static_thread_mgmt_se2, MQD_V9_compute_static_thread_mgmt_se3,
					     MQD_V9_compute_static_thread_mgmt_se4, MQD_V9_compute_static_thread_mgmt_se5,
					     MQD_V9_compute_static_thread_mgmt_se6, MQD_V9_compute_static_thread_mgmt_se7};
	const ChipFacts &facts = machine_.facts();
	const unsigned engines = machine_.row().engines;

	for (unsigned engine = 0; engine < engines; engine++)
		queue.mqd.words()[words[engine]] = mask.empty() ? ~0u : 0;
	for (unsigned i = 0; i < facts.cus() && i / 32 < mask.size(); i++) {
		const CuAt at = cu_at(facts, i);

		if (mask[i / 32] >> i % 32 & 1)
			queue.mqd.words()[words[at.engine % engines]] |= 1u << (at.cu + at.engine / engines * 16);
	}
}

unsigned SiliconClient::add(std::unique_ptr<silicon_host::UserQueue> queue)
{
	try {
		machine_.queues().add(*queue);
	} catch (...) {
		machine_.give_doorbell(queue->doorbell);
		throw;
	}
	queues_.push_back(std::move(queue));
	return static_cast<unsigned>(queues_.size() - 1);
}

unsigned SiliconClient::create_sdma_queue()
{
	silicon_host::UserQueue::Options options;

	options.kind = silicon_host::QueueKind::Sdma;
	options.ring_bytes = ring_bytes;
	const uint32_t id = machine_.take_sdma();
	options.engine = id % machine_.chip().sdma().engines;
	try {
		const unsigned number = add(std::make_unique<silicon_host::UserQueue>(machine_.chip(), machine_.driver(), process_,
										      machine_.take_doorbell(), options));
		sdma_[number] = id;
		return number;
	} catch (...) {
		machine_.give_sdma(id);
		throw;
	}
}

void SiliconClient::push_sdma(unsigned number, std::span<const uint32_t> dwords)
{
	silicon_host::UserQueue &queue = at(number);

	if (queue.write * 4 + dwords.size_bytes() - queue.read_index() > ring_bytes)
		throw_error(ENOSPC, "the queue's ring is full");
	queue.words({dwords.begin(), dwords.end()});
	queue.ring();
}

unsigned SiliconClient::create_queue(const QueueSpec &spec)
{
	const ChipFacts &facts = machine_.facts();
	const CwsrSizes sizes = cwsr_sizes({machine_.row().target, facts.cus(), facts.engines, machine_.row().arrays, 64});
	silicon_host::UserQueue::Options options;

	options.ring_bytes = ring_bytes;
	options.priority = spec.priority;
	options.save_bytes = sizes.save_area;
	options.cwsr = machine_.saves_waves();
	auto created = std::make_unique<silicon_host::UserQueue>(machine_.chip(), machine_.driver(), process_, machine_.take_doorbell(),
								 options);
	silicon_host::UserQueue &queue = *created;
	uint32_t *m = queue.mqd.words();
	if (options.cwsr)
		m[MQD_V9_cp_hqd_cntl_stack_size] = m[MQD_V9_cp_hqd_cntl_stack_offset] = m[MQD_V9_cp_hqd_wg_state_offset] =
			sizes.control_stack;
	put_mask(queue, {});
	const unsigned number = add(std::move(created));
	/* CREATE_QUEUE, then SET_CU_MASK: the firmware's scheduler maps all queues anew with each, and goes on to the next pipe. */
	if (!spec.mask.empty())
		set_mask(number, spec.mask);
	return number;
}

void SiliconClient::destroy_queue(unsigned queue)
{
	machine_.queues().remove(at(queue));
	machine_.give_doorbell(at(queue).doorbell);
	if (const auto sdma = sdma_.find(queue); sdma != sdma_.end()) {
		machine_.give_sdma(sdma->second);
		sdma_.erase(sdma);
	}
	queues_[queue].reset();
}

void SiliconClient::set_mask(unsigned queue, const CuMask &mask)
{
	machine_.queues().update(at(queue), [&] { put_mask(at(queue), mask); });
}

void SiliconClient::set_priority(unsigned queue, uint32_t priority)
{
	machine_.queues().update(at(queue), [&] {
		uint32_t *m = at(queue).mqd.words();

		m[MQD_V9_cp_hqd_pipe_priority] = priority > 10 ? 2 : priority > 6 ? 1 : 0;
		m[MQD_V9_cp_hqd_queue_priority] = priority;
	});
}

void SiliconClient::push(unsigned queue, const void *packet)
{
	std::array<uint32_t, 16> words;

	std::memcpy(words.data(), packet, sizeof(words));
	if (at(queue).write - at(queue).read_index() >= ring_bytes / AQL_PACKET_BYTES)
		throw_error(ENOSPC, "the queue's ring is full");
	at(queue).push(words);
}

} // namespace

std::unique_ptr<Machine> silicon_machine(const std::string &chip, unsigned cus, Placement placement)
{
	for (uint32_t row = 0; row < std::size(chip_rows); row++) {
		const ChipRow &r = chip_rows[row];

		if (r.name != chip)
			continue;
		if (r.target / 10000 != 8 && r.target / 10000 != 9 && r.target / 100 != 1003)
			throw_error(EOPNOTSUPP, "only GFX8, GFX9 and GFX10.3 execute kernels");
		return std::make_unique<SiliconMachine>(row, cus ? cus : r.enabled / (r.engines * r.arrays), placement);
	}
	throw_error(EINVAL, "no chip has the name " + chip);
}

} // namespace kfdm::exp
