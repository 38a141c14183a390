// SPDX-License-Identifier: MIT
/*
 * ctl_mutation.cpp - does the hardware follow memory, or does somebody tell it behind memory's back?
 *
 * A queue is taken off the hardware, one field of its descriptor (MQD) is changed in memory through the lab, and
 * it is mapped again: the hardware must do what memory says, not what the driver's variables say.
 */
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <set>

#include <hw/mqd.h>

#include <kfdm/queue_place.hpp>

#include "gpu.hpp"
#include "recovery.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

class Subject {
public:
	Subject(Gpu &gpu, Lab &lab) : gpu_(gpu), lab_(lab), queue_(gpu.device)
	{
		CHECK(works(gpu, queue_));
		auto place = read_queue_place(queue_.ring().gpu());
		if (!place)
			skip("debugfs cannot be read");
		mqd_ = place->mqd;
	}

	[[nodiscard]] AqlQueue &queue() noexcept { return queue_; }
	[[nodiscard]] uint32_t read(mqd_v9 dword) const { return lab_.peek32(AMDM_CTL_SPACE_VMID, 0, mqd_ + dword * 4U); }
	void write(mqd_v9 dword, uint32_t value) { lab_.poke32(AMDM_CTL_SPACE_VMID, 0, mqd_ + dword * 4U, value); }

	/** Makes the queue leave the hardware and come back without touching its descriptor. */
	void remap()
	{
		AqlQueue other(gpu_.device, {.ring_bytes = 4096});

		CHECK(works(gpu_, other, 64)); /* with a new queue comes a new run list */
		if (sched_policy() == 2)
			evict(other);
	}

	/** Shader engines and CUs on which a large grid runs. */
	std::set<std::pair<unsigned, unsigned>> where()
	{
		Program program = gpu_.program();
		Buffer out = Buffer::vram(gpu_.device, 4096);
		Launch launch(gpu_.device, program.kernel("where"), {.grid = {256 * 64, 1, 1}});
		std::set<std::pair<unsigned, unsigned>> units;

		launch.arg(out);
		launch.run(queue_, patience);
		for (uint32_t value : out.as<uint32_t>().first(256))
			units.emplace(HwId::of(value).se, HwId::of(value).cu);
		return units;
	}

private:
	/* Without the hardware's scheduler only an eviction loads a descriptor anew: a page that the GPU has used goes away. */
	void evict(AqlQueue &other)
	{
		const unsigned long before = evicted_ms(gpu_);
		void *memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		Buffer user = Buffer::userptr(gpu_.device, memory, 4096);
		Program program = gpu_.program();
		Launch poke(gpu_.device, program.kernel("poke"), {.grid = {64, 1, 1}});

		poke.arg(user.gpu()).arg(uint32_t{77});
		/* The count is in jiffies: an eviction between two of them does not show. */
		CHECK(eventually([&] {
			poke.run(other, patience);
			madvise(memory, 4096, MADV_DONTNEED);
			usleep(10'000);
			return evicted_ms(gpu_) > before;
		}));
		user = Buffer();
		munmap(memory, 4096);
	}

	Gpu &gpu_;
	Lab &lab_;
	AqlQueue queue_;
	uint64_t mqd_ = 0;
};

/* COMPUTE_STATIC_THREAD_MGMT_SE*: one CU of one engine left. */
void cu_mask(Gpu &gpu, Lab &lab)
{
	Subject subject(gpu, lab);

	CHECK(subject.where().size() > 1);
	CHECK_EQ(subject.read(MQD_V9_header), 0xC0310800U);
	subject.write(MQD_V9_compute_static_thread_mgmt_se0, 0);
	subject.write(MQD_V9_compute_static_thread_mgmt_se1, 1 << 1);
	subject.write(MQD_V9_compute_static_thread_mgmt_se2, 0);
	subject.write(MQD_V9_compute_static_thread_mgmt_se3, 0);
	subject.remap();
	CHECK(subject.where() == (std::set<std::pair<unsigned, unsigned>>{{1, 1}}));
}

/* CP_HQD_PQ_BASE: packets come from another ring. */
void ring_base(Gpu &gpu, Lab &lab)
{
	Subject subject(gpu, lab);
	Buffer other = Buffer::gtt(gpu.device, subject.queue().ring().size(), memory_coherent);
	Signal in_old = Signal::polled(gpu.device), in_new = Signal::polled(gpu.device);
	uint64_t slot = subject.queue().write_index() & (subject.queue().capacity() - 1);
	AqlBarrier packet = barrier_and({}, &in_new);

	std::memcpy(other.as<uint8_t>().data() + slot * AQL_PACKET_BYTES, &packet, sizeof(packet));
	subject.write(MQD_V9_cp_hqd_pq_base_lo, static_cast<uint32_t>(other.gpu() >> 8));
	subject.write(MQD_V9_cp_hqd_pq_base_hi, static_cast<uint32_t>(other.gpu() >> 40));
	subject.remap();
	subject.queue().submit(barrier_and({}, &in_old));
	CHECK(eventually([&] { return in_new.value() == 0; }));
	CHECK_EQ(in_old.value(), 1);
}

/* CP_HQD_PQ_DOORBELL_CONTROL: the run list's MAP_QUEUES says another doorbell. That one counts, and the chip complains. */
void doorbell(Gpu &gpu, Lab &lab)
{
	constexpr uint32_t next_doorbell = 2U << 2; /* DOORBELL_OFFSET counts dwords */
	Subject subject(gpu, lab);
	uint32_t right = subject.read(MQD_V9_cp_hqd_pq_doorbell_control);
	uint64_t before = lab.counter(Counter::BadRunlist);

	subject.write(MQD_V9_cp_hqd_pq_doorbell_control, right ^ next_doorbell);
	subject.remap();
	CHECK(lab.counter(Counter::BadRunlist) > before);
	CHECK(works(gpu, subject.queue()));
	subject.write(MQD_V9_cp_hqd_pq_doorbell_control, right);
}

/* A priority that the driver never wrote arrives in the HQD. */
void priority(Gpu &gpu, Lab &lab)
{
	Subject subject(gpu, lab);

	subject.write(MQD_V9_cp_hqd_queue_priority, 3);
	subject.remap();
	CHECK(works(gpu, subject.queue()));
	CHECK_EQ(subject.read(MQD_V9_cp_hqd_queue_priority), 3U);
}

/* CP_HQD_VMID is given by the scheduler; a nonsense value in memory must not matter or must be reported. */
void header(Gpu &gpu, Lab &lab)
{
	Subject subject(gpu, lab);
	uint64_t before = lab.counter(Counter::BadMqd);

	subject.write(MQD_V9_header, 0x12345678);
	subject.remap();
	CHECK(lab.counter(Counter::BadMqd) > before || works(gpu, subject.queue()));
}

} // namespace

KFDM_TEST("the hardware follows the descriptors in memory")
{
	Gpu gpu;
	Lab lab = lab_or_skip();

	cu_mask(gpu, lab);
	ring_base(gpu, lab);
	if (sched_policy() != 2) /* no run list says another one */
		doorbell(gpu, lab);
	priority(gpu, lab);
	header(gpu, lab);
	AqlQueue queue(gpu.device);
	CHECK(works(gpu, queue));
}
