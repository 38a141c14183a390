// SPDX-License-Identifier: MIT
/*
 * program.cc - what the bytes of an input mean.
 *
 * All begin as a correct packet, descriptor or call; bytes say what is changed of it. Every input is a valid program: bytes that are
 * missing are zeros.
 */
#include "program.h"

#include <cstdio>
#include <cstdlib>

#include "bed.h"

namespace fuzz_chip {

namespace {

class Bytes {
public:
	Bytes(const std::uint8_t *data, std::size_t size) : at_(data), end_(data + size) {}

	bool more() const { return at_ != end_; }
	std::uint8_t byte() { return more() ? *at_++ : std::uint8_t{0}; }
	std::uint32_t half() { return byte() | static_cast<std::uint32_t>(byte()) << 8; }
	std::uint32_t word() { return half() | half() << 16; }

private:
	const std::uint8_t *at_, *end_;
};

constexpr std::uint32_t registers[] = {
#define REG(name, offset, count, stride, reset, writable, bank) mm##name,
#include "hw/gc_9_regs.def"
#include "hw/soc15_regs.def"
#include "hw/gmc_8_regs.def"
#undef REG
#define HUB_REG(name, gfxhub, mmhub, count, stride, reset, writable) mm##name, mmMMHUB_##name,
#include "hw/gpuvm_9_regs.def"
#undef HUB_REG
};

/* Useful beside random ones; scalar ones are the same on all sets, the others are GFX9's. */
constexpr std::uint32_t instructions[] = {
	0xbf810000, 0xbf8a0000, 0xbf8e0001, 0xbf920001, 0xbf82ffff, 0xbf82fffe, 0xbf8c0000,
	0xbf900001, 0xbf8d0001, 0xbf930000, 0xd81a0000, 0x00000000, /* ds_write_b32 v0, v0 */
	0xd86c0000, 0x01000000,					    /* ds_read_b32 v1, v0 */
	0xdc708000, 0x00040001,					    /* global_store_dword v1, v0, s[4:5] */
	0xdc708000, 0x007f0001, 0xdc504000, 0x007f0001,		    /* the same, flat and scratch, without an SGPR */
	0xd9980000, 0x00000000,					    /* ds_gws_init */
	0xd9b60000, 0x00000000,					    /* ds_gws_barrier */
	0xe0701000, 0x80000000,					    /* buffer_store_dword v0, v0, s[0:3], 0 offen */
	0xb8802001, 0xb9802001, 0xbe8000ff, 0x000000ff, 0xbefc0080, 0xd3d94000, 0x18000080 /* a register, M0, an AGPR */,
};

template <class T, std::size_t n> T choose(const T (&all)[n], std::uint32_t which) { return all[which % n]; }

class Program {
public:
	Program(Bed &bed, Bytes bytes, bool driver) : bed_(bed), in_(bytes), driver_(driver) { bed.only_user = !driver; }

	void run()
	{
		for (unsigned n = 0; n < max_operations && in_.more(); n++)
			one();
		bed_.settle(8);
	}

private:
	static constexpr unsigned max_operations = 48, user_operations = 17, all_operations = 27;
	static constexpr std::uint8_t first_job = 9 * all_operations; /* bytes behind the last one that the others share evenly */

	void one()
	{
		const std::uint8_t what = in_.byte();

		if (what >= first_job)
			return job();
		switch (what % (driver_ ? all_operations : user_operations)) {
		case 0: return kernel();
		case 1: return barrier();
		case 2: return pm4();
		case 3: return sdma();
		case 4: return raw();
		case 5: return ring();
		case 6: bed_.settle(1 + in_.byte() % 16); return;
		case 7: return poke();
		case 8: return code();
		case 9: return reschedule();
		case 10: return descriptor();
		case 11: return save_area();
		case 12: return page();
		case 13: return absent();
		case 14: bed_.slice(in_.half()); return;
		case 15: return vendor();
		case 16: bed_.driver->interrupts(); return;
		/* A driver's */
		case 17: silicon_reg_write(bed_.chip.chip(), place(), value()); return;
		case 18: silicon_reg_read(bed_.chip.chip(), place()); return;
		case 19: return mqd();
		case 20: return entry();
		case 21: return scheduler();
		case 22: return list();
		case 23: bed_.driver->flush_tlb(in_.byte() % 16); return;
		case 24: silicon_bench_inject(bed_.chip.chip(), in_.byte() % (SILICON_FAULTS + 1), in_.byte()); return;
		case 25: return dequeue();
		case 26: return select();
		}
	}

	UserQueue &queue(QueueKind kind)
	{
		return bed_.queues[(kind == QueueKind::Aql ? 0 : kind == QueueKind::Pm4 ? 2 : 4) + (in_.byte() & 1)];
	}
	UserQueue &any_queue() { return bed_.queues[in_.byte() % bed_.queues.size()]; }
	const Object &object() { return bed_.objects[in_.byte() % bed_.objects.size()]; }

	std::uint32_t value()
	{
		switch (in_.byte() % 9) {
		case 0: return in_.byte();
		case 1: return in_.half();
		case 2: return in_.word();
		case 3: return 1u << (in_.byte() & 31);
		case 4: return ~std::uint32_t{in_.byte()};
		case 5: return lo32(address());
		case 6: return hi32(object().va);
		case 7: return static_cast<std::uint32_t>(in_.byte()) << 12;
		}
		return 0;
	}
	/** In an object, or close behind its end. */
	std::uint64_t address()
	{
		const Object &o = object();
		const std::uint32_t at = in_.half();
		return o.va + (at & 0x8000 ? o.bytes - (at & 0x7f) : (at & 0x7fff) * 4 % o.bytes);
	}
	/** Changes up to three words, mostly none. */
	template <class Words> void deviate(Words &words)
	{
		const std::uint8_t how = in_.byte();

		for (unsigned n = 0; n < (how & 3); n++) {
			const std::size_t at = in_.byte() % words.size();
			words[at] = how & 4 ? words[at] ^ value() : value();
		}
	}
	void store(UserQueue &q)
	{
		bed_.touch(q.header.host());
		bed_.touch(q.ring_memory.host());
	}
	void push(UserQueue &q, std::array<std::uint32_t, 16> packet)
	{
		deviate(packet);
		store(q);
		q.push(packet);
		if (in_.byte() & 1)
			q.ring();
	}
	void words(UserQueue &q, std::vector<std::uint32_t> list)
	{
		deviate(list);
		store(q);
		q.words(list);
		if (in_.byte() & 1)
			q.ring();
	}

	void kernel()
	{
		const std::uint64_t argument = bed_.objects[1].va + (in_.byte() & 1) * 64;
		const std::uint32_t shape = in_.byte();
		static constexpr std::uint16_t sizes[] = {64, 256, 1024, 1, 63, 65, 128, 512};
		auto packet = aql_kernel(bed_.kernels[in_.byte() % bed_.kernels.size()].va, argument,
					 {1u + in_.byte() * 16u, 1 + shape / 64, 1}, {choose(sizes, shape), 1, 1},
					 shape & 8 ? bed_.signals[shape % 4].va() : 0, shape & 16);
		packet[AQL_DISPATCH_GROUP_SIZE / 4] = shape & 32 ? in_.byte() * 256u : 0;
		push(queue(QueueKind::Aql), packet);
	}
	void barrier()
	{
		const std::uint8_t how = in_.byte();
		push(queue(QueueKind::Aql), aql_barrier({how & 1 ? bed_.signals[how / 2 % 4].va() : 0},
							how & 8 ? bed_.signals[how / 16 % 4].va() : 0, how & 64, how & 128));
	}
	/* A user's buffer on a ring of the kernel: of words that lie there, or of packets that are put there first */
	void job()
	{
		const std::uint8_t how = in_.byte();
		const auto kind = choose(Driver::all_jobs, how);
		const std::uint64_t at = how & 0x80 ? address() & ~3ull : bed_.memory.va;
		std::vector<std::uint32_t> list;

		for (unsigned n = how >> 2 & 7; n; n--) {
			const auto packet = kind == Driver::Jobs::Sdma ? sdma_packet() : pm4_packet();
			list.insert(list.end(), packet.begin(), packet.end());
		}
		list.resize(std::max<std::size_t>(list.size(), 8));
		deviate(list);
		if (!(how & 0x80)) {
			bed_.touch(bed_.memory.host());
			std::memcpy(bed_.memory.host(), list.data(), list.size() * 4);
		}
		bed_.driver->job(kind, job_vmid, at, static_cast<std::uint32_t>(list.size()));
	}
	/* A PM4 buffer in a packet, or a barrier on a value */
	void vendor()
	{
		const std::uint64_t at = address() & ~3ull;
		std::array<std::uint32_t, 16> packet = {};

		packet[0] = 0x100 | (in_.byte() & 3) << 16 | 1;
		packet[1] = PM4_HEADER(PM4_INDIRECT_BUFFER, 2);
		packet[2] = lo32(at);
		packet[3] = hi32(at);
		packet[4] = 1u << 23 | in_.byte();
		packet[5] = 10;
		push(queue(QueueKind::Aql), packet);
	}

	std::vector<std::uint32_t> pm4_packet()
	{
		const std::uint64_t to = address() & ~3ull, from = address() & ~3ull, kernel = (bed_.kernels[in_.byte() % 4].va + 256) >> 8;
		const std::uint32_t v = value();

		switch (in_.byte() % 16) {
		case 0: return {PM4_HEADER(PM4_WRITE_DATA, 3), 5u << 8, lo32(to), hi32(to), v};
		case 1: return {PM4_HEADER(PM4_COPY_DATA, 4), 1u | 5u << 8 | (v & 1) << 16, lo32(from), hi32(from), lo32(to), hi32(to)};
		case 2: return {PM4_HEADER(PM4_ATOMIC_MEM, 7), v & 0x7f, lo32(to), hi32(to), v, 0, 0, 0, 0};
		case 3: return {PM4_HEADER(PM4_WAIT_REG_MEM, 5), 1u << 4 | (v & 7), lo32(to), hi32(to), 0, ~0u, 10};
		case 4: return {PM4_HEADER(PM4_INDIRECT_BUFFER, 2), lo32(to), hi32(to), 1u << 23 | (v & 0x1ff)};
		case 5: return {PM4_HEADER(PM4_EVENT_WRITE, 0), 7 | 4 << 8};
		case 6:
			return {PM4_HEADER(PM4_RELEASE_MEM, 6),
				0x14 | 5 << 8,
				(v & 7) << 29 | (v >> 3 & 7) << 24,
				lo32(to),
				hi32(to),
				v,
				0,
				77};
		case 7: return {PM4_HEADER(PM4_DMA_DATA, 5), (v & 1) << 30, lo32(from), hi32(from), lo32(to), hi32(to), v & 0x3ffff};
		case 8: return {PM4_HEADER(PM4_SET_SH_REG, 2), 0x20c, lo32(kernel), hi32(kernel)};
		case 9: return {PM4_HEADER(PM4_SET_SH_REG, 2), 0x212, 1 | 0xc0 << 12, 2 << 1 | 1 << 7 | (v & 0x1ff) << 15};
		case 10: return {PM4_HEADER(PM4_SET_SH_REG, 3), 0x207, 1 + (v & 0xff), 1, 1};
		case 11: return {PM4_HEADER(PM4_DISPATCH_DIRECT, 3), 1 + (v & 31), 1, 1, 0x8001 | (v & 0x40)};
		case 12: return {PM4_HEADER(PM4_DISPATCH_INDIRECT, 2), lo32(to), hi32(to), 0x8001};
		case 13: return {PM4_HEADER(PM4_COND_EXEC, 3), lo32(to), hi32(to), 0, v & 0xff};
		case 14: return {PM4_HEADER(PM4_SET_SH_REG, 1), v & 0x3ff, value()};
		}
		return {v, value(), value(), value()};
	}
	void pm4() { words(queue(QueueKind::Pm4), pm4_packet()); }

	std::vector<std::uint32_t> sdma_packet()
	{
		const std::uint64_t to = address(), from = address();
		const std::uint32_t v = value();

		switch (in_.byte() % 14) {
		case 0: return {SDMA_OP_COPY, v & 0x3fffff, 0, lo32(from), hi32(from), lo32(to), hi32(to)};
		case 1: return {SDMA_OP_WRITE, lo32(to), hi32(to), 1, v, value()};
		case 2: return {SDMA_OP_FENCE, lo32(to), hi32(to), v};
		case 3: return {SDMA_OP_TRAP, v};
		case 4: return {SDMA_OP_POLL_REGMEM | 3u << 28 | 1u << 31, lo32(to), hi32(to), v, ~0u, 0x10004};
		case 5: return {SDMA_OP_COND_EXE, lo32(to), hi32(to), 0, v & 0xff};
		case 6: return {SDMA_OP_ATOMIC | (v & 0x7f) << 25 | (v & 0x100) << 8, lo32(to), hi32(to), v, 0, 0, 0, 4};
		case 7: return {SDMA_OP_CONST_FILL | (v & 3) << 30, lo32(to), hi32(to), v, v & 0x3fffff};
		case 8: return {SDMA_OP_TIMESTAMP | (v & 3) << 8, lo32(to), hi32(to)};
		case 9: return {SDMA_OP_INDIRECT | (v & 15) << 16, lo32(to & ~31ull), hi32(to), v & 0xff, 0, 0};
		case 10: return {SDMA_OP_PTEPDE | (v & 3) << 8, lo32(to), hi32(to), ~0u, ~0u, v, 0, 4096, 0, v & 0xff};
		case 11:
			return {SDMA_OP_COPY | 4u << 8 | (v & 7) << 29,
				lo32(from),
				hi32(from),
				v & 0x3fff,
				v >> 14 & 0x7ff,
				255,
				lo32(to),
				hi32(to),
				0,
				value(),
				255,
				7 | 3 << 16,
				v & 3};
		case 12: return {SDMA_OP_SRBM_WRITE | 15u << 28, v, value()};
		}
		return {v, value(), value(), value()};
	}
	void sdma() { words(queue(QueueKind::Sdma), sdma_packet()); }
	void raw()
	{
		UserQueue &q = any_queue();
		std::vector<std::uint32_t> list(1 + in_.byte() % 16);

		for (std::uint32_t &word : list)
			word = value();
		if (q.kind != QueueKind::Aql)
			return words(q, list);
		std::array<std::uint32_t, 16> packet = {};
		std::copy(list.begin(), list.end(), packet.begin());
		push(q, packet);
	}
	void ring()
	{
		UserQueue &q = any_queue();
		const std::uint8_t how = in_.byte();

		if (how & 1) {
			store(q);
			q.header.at<std::uint64_t>(
				how & 2 ? 0x200 :
				how & 4 ? AMD_QUEUE_WRITE_DISPATCH_ID :
					  AMD_QUEUE_READ_DISPATCH_ID) = how & 8 ? static_cast<std::uint64_t>(value()) << 32 | value() :
										  value();
		}
		if (how & 16)
			bed_.chip.doorbell(q.doorbell * 4 & ~7u) = how & 32 ? ~1ull : value();
		else
			q.ring();
	}
	void poke()
	{
		const Object &o = object();
		const std::uint32_t at = in_.half() * 4 % static_cast<std::uint32_t>(o.bytes);

		if (!o.host)
			return;
		bed_.touch(o.host + at);
		put(o.host + at, value());
	}
	static void put(std::uint8_t *at, std::uint32_t word) { std::memcpy(at, &word, 4); }
	/* Words of a kernel's code, and one packet in memory that a buffer may be */
	void code()
	{
		const Process::Buffer &k = bed_.kernels[in_.byte() % bed_.kernels.size()];
		std::uint32_t at = 256 + in_.byte() % 64 * 4;

		bed_.touch(k.host());
		for (unsigned n = in_.byte() % 8 + 1; n; n--, at += 4) {
			const std::uint8_t which = in_.byte();
			put(k.host() + at, which & 0x80 ? in_.word() : choose(instructions, which));
		}
		const auto packet = pm4_packet();
		bed_.touch(bed_.memory.host());
		std::memcpy(bed_.memory.host() + in_.byte() % 64 * 4, packet.data(), packet.size() * 4);
	}
	void descriptor()
	{
		static constexpr std::uint32_t fields[] = {KD_RSRC1, KD_RSRC2, KD_RSRC3, KD_CODE_PROPERTIES, KD_CODE_ENTRY_OFFSET};
		const Process::Buffer &k = bed_.kernels[in_.byte() % bed_.kernels.size()];
		const std::uint8_t how = in_.byte();

		bed_.touch(k.host());
		std::uint32_t &field = k.at<std::uint32_t>(choose(fields, how));
		field = how & 0x80 ? value() : field ^ 1u << (how / 5 & 31);
	}
	/* Where the stack ends and the state begins is what a restore reads first. */
	void save_area()
	{
		const Process::Buffer &area = bed_.queues[in_.byte() & 1].save;
		const std::uint8_t how = in_.byte();
		const std::uint32_t from = how & 1 ? 0x4000 : how & 2 ? 0x4000 - 256 : 0;
		const std::uint32_t at = from + (how & 4 ? in_.half() * 4 : in_.byte() * 4u);

		if (at + 4 > area.bus.bytes)
			return;
		bed_.touch(area.host() + at);
		std::uint32_t &word = area.at<std::uint32_t>(at);
		word = how & 8 ? value() : word ^ 1u << (how >> 4 & 15) ^ 1u << (in_.byte() & 31);
	}
	void reschedule()
	{
		const std::uint8_t how = in_.byte(), which = in_.byte();

		bed_.unmap(how & 7 ? PM4_UNMAP_PREEMPT : how / 8 % 4);
		bed_.settle(1 + how / 16);
		if (which & 0x80)
			save_area();
		bed_.map(which & 0x40 ? ~0u : which);
		bed_.settle(2);
	}
	/* A page goes or comes back, as after an munmap; the driver flushes. */
	void page()
	{
		const std::uint64_t va = object().va + in_.byte() % 4 * page_bytes;
		const std::uint8_t how = in_.byte();
		const std::uint64_t old = bed_.a->entry(va);

		if (how & 1)
			bed_.a->set_entry(va, old ^ GPUVM_PTE_VALID);
		else
			bed_.a->set_entry(va, old ^ (how & 2 ? GPUVM_PTE_WRITEABLE : how & 4 ? GPUVM_PTE_READABLE : GPUVM_PTE_EXECUTABLE));
		bed_.driver->flush_tlb(8 + (how >> 3 & 7));
		bed_.driver->flush_tlb(8);
		bed_.driver->flush_tlb(9);
		bed_.driver->flush_tlb(job_vmid);
	}
	void absent()
	{
		const std::uint64_t va = object().va + in_.byte() % 4 * page_bytes, entry = bed_.a->entry(va);

		if (entry & GPUVM_PTE_VALID && entry & GPUVM_PTE_SYSTEM) {
			if (in_.byte() & 1)
				bed_.chip.bus_unmap(entry & GPUVM_PTE_ADDRESS);
			else
				bed_.chip.bus_absent(entry & GPUVM_PTE_ADDRESS);
			silicon_host_pages_gone(bed_.chip.chip());
		}
	}

	std::uint32_t place()
	{
		const std::uint32_t which = in_.half();
		const sdma_layout &sdma = bed_.chip.sdma();

		if (which & 0x8000)
			return sdma.base[which % sdma.engines] + (which >> 3 & 0x3ff);
		return (which & 0x4000 ? in_.word() & 0xfffff : bed_.chip.place(choose(registers, which)) + in_.byte() % 16);
	}
	void select()
	{
		const std::uint8_t how = in_.byte();
		bed_.chip.select(how & 3, how >> 2 & 3, how >> 4 & 7, in_.byte() & 15);
	}
	void mqd()
	{
		const UserQueue &q = any_queue();
		const std::uint32_t at = in_.byte();

		bed_.touch(q.mqd.bus.host);
		q.mqd.words()[at] = value();
	}
	void entry()
	{
		const std::uint64_t va = object().va;
		const std::uint8_t how = in_.byte();
		/* Of any level, so that tables lead to tables and to nothing */
		const unsigned level = bed_.chip.generation().gfx7_hub ? unsigned{GPUVM_PTB} : how & 3;
		std::uint64_t entry = (static_cast<std::uint64_t>(value()) << 32 | value());

		if (how & 4)
			entry = bed_.chip.vram_read64(bed_.a->entry_address(va)) ^ 1ull << (how >> 3) * 2;
		bed_.chip.vram_write64(bed_.a->entry_address(va, level), entry);
		if (how & 8)
			bed_.driver->flush_tlb(8);
	}
	void scheduler()
	{
		static constexpr std::uint32_t opcodes[] = {PM4_SET_RESOURCES, PM4_MAP_PROCESS, PM4_MAP_QUEUES,	    PM4_UNMAP_QUEUES,
							    PM4_QUERY_STATUS,  PM4_RUN_LIST,	PM4_INVALIDATE_TLBS};
		std::vector<std::uint32_t> packet(1 + in_.byte() % 20);

		for (std::uint32_t &word : packet)
			word = value();
		packet[0] = PM4_HEADER(choose(opcodes, in_.byte()), static_cast<std::uint32_t>(packet.size()) - 2);
		if (in_.byte() & 1 && bed_.driver->has_kiq())
			bed_.driver->kiq(packet);
		else
			bed_.driver->hiq(packet);
	}
	void list()
	{
		const std::uint32_t at = in_.byte() % 200;

		bed_.touch(bed_.driver->list.bus.host);
		bed_.driver->list.words()[at] = value();
	}
	void dequeue()
	{
		const std::uint8_t how = in_.byte();
		bed_.driver->dequeue(how & 3, how >> 2 & 7, static_cast<Dequeue>(how >> 5 & 3));
	}

	Bed &bed_;
	Bytes in_;
	bool driver_;
};

constexpr std::size_t chips = 0
#define CHIP(...) +1
#include "hw/chips.def"
#undef CHIP
	;

Bed &bed(std::uint32_t which)
{
	static std::unique_ptr<Bed> beds[2 * chips];
	std::unique_ptr<Bed> &bed = beds[which % (2 * chips)];

	if (!bed)
		bed = std::make_unique<Bed>(which % chips, which % (2 * chips) < chips);
	return *bed;
}

std::uint64_t once(Bed &bed, const std::uint8_t *data, std::size_t size, bool driver)
{
	bed.restore();
	Program(bed, Bytes(data, size), driver).run();
	if (!driver)
		bed.check();
	return bed.hash;
}

} // namespace

void run_program(const std::uint8_t *data, std::size_t size)
{
	if (size < 2 || size > max_input)
		return;
	Bed &chip = bed(data[0] & 0x7f);
	const bool driver = data[0] & 0x80;
	const std::uint64_t hash = once(chip, data + 1, size - 1, driver);

	/* Whether the same comes out twice is asked of some only: it takes as long again. */
	if (hash % 16 == 0 && once(chip, data + 1, size - 1, driver) != hash) {
		std::fprintf(stderr, "the same input, another course of events\n");
		std::abort();
	}
}

} // namespace fuzz_chip
