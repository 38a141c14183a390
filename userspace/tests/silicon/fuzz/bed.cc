// SPDX-License-Identifier: MIT
/* bed.cc - see bed.h. */
#include "bed.h"

#include <cstdio>
#include <cstdlib>

#include "chip/kernel.hpp"

namespace fuzz_chip {

namespace {

constexpr std::uint32_t save_bytes = 128 * 1024, doorbell_bytes = 0x2000;
constexpr unsigned cus = 2;

/* A slice looks at the clock every few microseconds of work: so often, once its time is over, at most. */
constexpr std::uint64_t looks_after_deadline = 64;

/* Ends at once; its descriptor asks for all LDS and all VGPRs of a CU. */
const std::vector<std::uint32_t> ending = {0xbf810000, 0xbf810000};

/*
 * gfx1030: out[i] = i, as index_kernel is for GFX9.
 *   s_load_dwordx2 s[4:5], s[0:1], null ; v_lshlrev_b32 v1, 2, v0 ; s_waitcnt lgkmcnt(0) ; global_store_dword v1, v0, s[4:5] ; s_endpgm
 */
const std::vector<std::uint32_t> index_kernel_10 = {0xf4040100, 0xfa000000, 0x34020082, 0xbf8cc07f, 0xdc708000, 0x00040001, 0xbf810000};

/* s_barrier ; s_sleep 1 ; s_trap 1 ; s_barrier ; s_endpgm: the same words on all chips */
const std::vector<std::uint32_t> meeting_kernel = {0xbf8a0000, 0xbf8e0001, 0xbf920001, 0xbf8a0000, 0xbf810000};
/* s_sleep 1 ; s_branch back */
const std::vector<std::uint32_t> endless_kernel = {0xbf8e0001, 0xbf82fffe};

} // namespace

Bed::Bed(std::uint32_t row, bool hws_asked)
	: chip({.chip = row, .cus = 1, .arrays = cus, .vram_bytes = 64ull << 20, .doorbell_bytes = doorbell_bytes}),
	  hws(hws_asked && chip.gc_version() >= 0x080000)
{
	chip.watch = this;
	driver.emplace(chip);
	driver->start();
	driver->interrupts();
	build();
	image_.assign(chip.memory(), chip.memory() + chip.memory_bytes());
	doorbells_ = chip.doorbells();
	first_driver_.emplace(*driver);
	for (const UserQueue &queue : queues)
		first_writes_.push_back(queue.write);
	first_writes_.push_back(victim->write);
	first_wall_ = chip.wall_ns();
	built_ = true;
}

void Bed::build()
{
	a.emplace(chip, *driver, 0x8001);
	b.emplace(chip, *driver, 0x8002);
	has_isa = chip.generation().isa != silicon::Isa::None;
	for (unsigned n = 0; n < 6; n++) {
		const QueueKind kind = n < 2 ? QueueKind::Aql : n < 4 ? QueueKind::Pm4 : QueueKind::Sdma;
		queues.emplace_back(
			chip, *driver, *a, kind == QueueKind::Sdma ? 0x1e0 + 2 * n : 0x400 + 2 * n,
			UserQueue::Options{.kind = kind, .priority = 5 + n, .cwsr = n != 3, .engine = n & 1, .save_bytes = save_bytes});
	}
	victim.emplace(chip, *driver, *b, 0x420, UserQueue::Options{.save_bytes = save_bytes});
	for (unsigned n = 0; n < 4; n++)
		signals.push_back(make_signal(*a, n & 1, n & 2 ? 77 : 0));
	memory = a->alloc(4 * page_bytes);
	flag = a->alloc(page_bytes);
	const auto arguments = a->alloc(page_bytes);
	arguments.at<std::uint64_t>(0) = memory.va;
	arguments.at<std::uint64_t>(64) = flag.va;
	for (const auto &code : {chip.since_gfx10() ? index_kernel_10 : index_kernel, spin_kernel, meeting_kernel, endless_kernel})
		kernels.push_back(make_kernel(*a, code));
	std::uint64_t vram_va;
	const std::uint64_t vram = a->alloc_vram(4 * page_bytes, &vram_va);
	for (unsigned n = 0; n < 4; n++) {
		attacker_vram_.insert(vram + n * page_bytes);
		chip.vram(vram + n * page_bytes);
	}

	const auto object = [&](const Process::Buffer &buffer) { objects.push_back({buffer.va, buffer.host(), buffer.bus.bytes}); };
	object(memory);
	object(arguments);
	object(flag);
	for (const auto &kernel : kernels)
		object(kernel);
	for (const Signal &signal : signals)
		object(signal.memory);
	for (const UserQueue &queue : queues) {
		object(queue.ring_memory);
		object(queue.header);
		object(queue.eop);
		if (queue.save.va)
			object(queue.save);
	}
	objects.push_back({vram_va, nullptr, 4 * page_bytes});

	driver->bind(*a, job_vmid);
	driver->bind(*b, victim_job_vmid);
	if (!hws) {
		driver->bind(*a, first_vmid);
		driver->bind(*b, first_vmid + 1);
	}
	for (const Driver::Jobs kind : Driver::all_jobs)
		driver->start_jobs(kind);

	victim_page_ = b->alloc(page_bytes);
	victim_jobs_ = b->alloc(page_bytes);
	victim_signal_ = make_signal(*b, 1);
	probe_kernel_ = make_kernel(*b, ending);
	probe_kernel_.at<std::uint32_t>(KD_RSRC1) = (chip.since_gfx10() ? 7 : 15) | 1 << 6 | 0xc0 << 12; /* 64 VGPRs: 16 waves fill a CU */
	secret(victim_page_.bus, true);
	secret(driver->list.bus, false);
	secret(driver->hiq_ring().ring.bus, false);
	secret(driver->kiq_ring().ring.bus, false);
	for (const Driver::Jobs kind : Driver::all_jobs)
		secret(driver->job_ring(kind).ring.ring.bus, false);
	map(~0u);
	settle(64);
}

void Bed::secret(const BusBlock &block, bool also_reads)
{
	for (std::size_t at = 0; at < block.bytes; at += page_bytes) {
		unwritten_.insert(block.address + at);
		if (also_reads)
			unread_.insert(block.address + at);
	}
}

void Bed::broken(const char *what) const
{
	std::fprintf(stderr, "chip %u: %s\n", chip.row(), what);
	std::abort();
}

void Bed::touch(const void *host)
{
	auto *page = reinterpret_cast<std::uint8_t *>(reinterpret_cast<std::uintptr_t>(host) & ~(page_bytes - 1));
	reached(true, 0, page, true);
}

void Bed::reached(bool bus, std::uint64_t address, std::uint8_t *host, bool write)
{
	if (in_chip_) {
		hash_in(address * 2 + write);
		if (only_user && bus && (unread_.count(address) || (write && unwritten_.count(address))))
			broken("a user's program reaches memory that is not the user's");
		if (only_user && !bus && write && !attacker_vram_.count(address))
			broken("a user's program writes VRAM that is not the user's");
	}
	if (!built_ || !write)
		return;
	Saved &page = pages_[host];
	if (!page.copy) { /* not written since the bed was built */
		page.host = host;
		page.copy = std::make_unique<std::uint8_t[]>(page_bytes);
		std::memcpy(page.copy.get(), host, page_bytes);
	}
	if (!page.dirty) {
		page.dirty = true;
		dirty_.push_back(&page);
	}
}

void Bed::restore()
{
	std::memcpy(chip.memory(), image_.data(), image_.size());
	for (Saved *page : dirty_) {
		std::memcpy(page->host, page->copy.get(), page_bytes);
		page->dirty = false;
	}
	dirty_.clear();
	chip.doorbells() = doorbells_;
	driver.emplace(*first_driver_);
	for (std::size_t n = 0; n < queues.size(); n++)
		queues[n].write = first_writes_[n];
	victim->write = first_writes_.back();
	chip.set_wall(first_wall_);
	chip.report_log.clear();
	chip.trace_log.clear();
	chip.interrupts = 0;
	hash = 0xcbf29ce484222325;
	only_user = true;
	silicon_host_pages_gone(chip.chip());
	/* What the driver writes itself */
	touch(driver->fence().bus.host);
	for (const Driver::Ring *ring : {&driver->hiq_ring(), &driver->kiq_ring()}) {
		if (!ring->ring.bus.host) /* no KIQ before GFX9 */
			continue;
		touch(ring->ring.bus.host);
		touch(ring->pointers.bus.host);
	}
	for (const Driver::Jobs kind : Driver::all_jobs) {
		const Driver::JobRing &jobs = driver->job_ring(kind);
		touch(jobs.ring.ring.bus.host);
		touch(jobs.ring.pointers.bus.host);
		touch(jobs.ring.mqd.bus.host);
		touch(jobs.fence.bus.host);
	}
	touch(driver->list.bus.host);
}

std::uint32_t Bed::slice(std::uint64_t ns)
{
	const std::uint64_t until = chip.wall_ns() + ns, calls = chip.wall_calls;

	in_chip_ = true;
	const silicon_run_result r = silicon_run(chip.chip(), until);
	in_chip_ = false;
	hash_in(r.flags);
	hash_in(chip.now());
	if (chip.wall_calls - calls > ns / 50 + looks_after_deadline)
		broken("a slice goes on after its end");
	chip.serve();
	if (r.flags & SILICON_RUN_AHEAD && r.wall_until > chip.wall_ns())
		chip.pass_wall_time(std::min<std::uint64_t>(r.wall_until - chip.wall_ns(), 1000000));
	return r.flags;
}

void Bed::settle(unsigned slices)
{
	for (unsigned n = 0; n < slices; n++)
		if (!(slice(20000) & (SILICON_RUN_BUSY | SILICON_RUN_NEED | SILICON_RUN_AHEAD)))
			break;
}

void Bed::load(const UserQueue &queue, std::size_t n, unsigned vmid)
{
	const Slot at = slot_of(n);

	if (queue.kind != QueueKind::Sdma && !driver->occupied(at.pipe, at.slot))
		driver->load(queue, vmid, at.pipe, at.slot);
}

void Bed::map(std::uint32_t which)
{
	std::vector<UserQueue *> list;

	for (std::size_t n = 0; n < queues.size(); n++)
		if (which >> n & 1)
			list.push_back(&queues[n]);
	list.push_back(&*victim);
	if (hws)
		return driver->run_list(list);
	for (std::size_t n = 0; n < queues.size(); n++)
		if (which >> n & 1)
			load(queues[n], n, first_vmid);
	load(*victim, queues.size(), first_vmid + 1);
}

void Bed::unmap(std::uint32_t action)
{
	if (hws)
		return driver->unmap(PM4_UNMAP_ALL_NON_STATIC, 0, action);
	for (std::size_t n = 0; n <= queues.size(); n++) {
		const Slot at = slot_of(n);
		driver->dequeue(at.pipe, at.slot, action == PM4_UNMAP_RESET ? Dequeue::Reset : Dequeue::Save);
	}
}

bool Bed::unmapped()
{
	if (hws)
		return driver->fence_done();
	for (std::size_t n = 0; n <= queues.size(); n++)
		if (driver->occupied(slot_of(n).pipe, slot_of(n).slot))
			return false;
	return true;
}

/* A workgroup for each CU that takes all of its LDS and VGPRs: there is no room for it if anything has not been given back. */
void Bed::probe(UserQueue &queue)
{
	auto packet = aql_kernel(probe_kernel_.va, 0, {1024 * cus, 1, 1}, {1024, 1, 1}, victim_signal_->va());

	packet[AQL_DISPATCH_GROUP_SIZE / 4] = 65536;
	touch(victim_signal_->memory.host());
	victim_signal_->set(1);
	queue.push(packet);
	queue.ring();
	for (unsigned n = 0; n < 1000 && victim_signal_->value(); n++)
		settle(1);
	if (victim_signal_->value())
		broken("registers, LDS or wave slots are not given back");
}

void Bed::probe_jobs()
{
	static constexpr const char *works_not[] = {
		"the kernel's compute ring does not work any more",
		"the graphics ring does not work any more",
		"the kernel's SDMA ring does not work any more",
	};
	constexpr std::uint32_t written = 0x7654, written_at = page_bytes / 2;

	for (const Driver::Jobs kind : Driver::all_jobs) {
		const auto words = driver->job_store(kind, victim_jobs_.va + written_at, written);

		driver->stop_jobs(kind);
		for (unsigned n = 0; n < 1000 && !driver->jobs_stopped(kind); n++)
			settle(1);
		if (!driver->jobs_stopped(kind))
			broken("a ring of the kernel does not stop");
		driver->start_jobs(kind);
		touch(victim_jobs_.host());
		std::memcpy(victim_jobs_.host(), words.data(), words.size() * 4);
		victim_jobs_.at<std::uint32_t>(written_at) = 0;
		driver->job(kind, victim_job_vmid, victim_jobs_.va, static_cast<std::uint32_t>(words.size()));
		for (unsigned n = 0; n < 1000 && !driver->jobs_done(kind); n++)
			settle(1);
		if (!driver->jobs_done(kind) || victim_jobs_.at<std::uint32_t>(written_at) != written)
			broken(works_not[static_cast<unsigned>(kind)]);
	}
}

void Bed::check()
{
	for (std::uint32_t n = 0; n < SILICON_FAULTS; n++)
		silicon_bench_inject(chip.chip(), n, 0);
	unmap(PM4_UNMAP_RESET);
	for (unsigned n = 0; n < 1000 && !unmapped(); n++)
		settle(1);
	if (!unmapped())
		broken("a user's queues cannot be reset");
	driver->interrupts();
	touch(victim->ring_memory.host());
	touch(victim->header.host());
	touch(victim_signal_->memory.host());
	map(0);
	victim->push(aql_barrier({}, victim_signal_->va()));
	victim->ring();
	for (unsigned n = 0; n < 1000 && victim_signal_->value(); n++)
		settle(1);
	if (victim_signal_->value())
		broken("another user's queue does not work any more");
	probe_jobs(); /* which ends what jobs had started */
	if (has_isa)
		probe(*victim);
}

} // namespace fuzz_chip
