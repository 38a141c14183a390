// SPDX-License-Identifier: MIT
/* program.cc - see program.h. */
#include "program.h"

#include <algorithm>
#include <stdexcept>

#include <kfdm/code_object.hpp>

#include "hw/aql.h"

namespace isa_test {

using namespace silicon;

namespace {

constexpr u64 load_base = 0x200000000, kernarg_base = 0x300000000, packet_base = 0x310000000, queue_base = 0x320000000;
constexpr u64 scratch_base = 0x80000000; /* below 4 GiB: GFX8 has 32 bits for it */
constexpr u64 scratch_bytes = 64 << 20;	 /* of one wave: 1 MiB a lane */
constexpr u32 patience = 1'000'000'000;	 /* instructions of a wave without a stop */

/** @target: "gfx906" */
Isa isa_of(const std::string &target)
{
	if (target.starts_with("gfx8"))
		return Isa::Gfx8;
	if (target.starts_with("gfx10"))
		return Isa::Gfx10;
	if (target == "gfx940" || target == "gfx942")
		return Isa::Gfx942;
	return target == "gfx908" ? Isa::Gfx908 : target == "gfx90a" ? Isa::Gfx90a : Isa::Gfx9;
}

/** Private segment buffer: swizzled, a stride of the wave's lanes, and their numbers added; GFX10 without a check of bounds. */
u32 scratch_word3(bool gfx10, bool wave32)
{
	const u32 lanes_between = wave32 ? 2u << 21 : 3u << 21;

	return gfx10 ? 0x21014fac | 1 << 23 | lanes_between : 0x008a7000 | 1 << 23 | lanes_between;
}

/** What a kernel descriptor says. */
struct Kernel {
	u32 group_bytes, private_bytes, rsrc1, rsrc2, rsrc3;
	u16 properties;
	u64 entry;

	Kernel(const std::vector<u8> &image, u64 at)
	{
		const auto field = [&](u64 offset, auto *value) { std::memcpy(value, &image[at + offset], sizeof(*value)); };

		field(KD_GROUP_SEGMENT_SIZE, &group_bytes);
		field(KD_PRIVATE_SEGMENT_SIZE, &private_bytes);
		field(KD_RSRC1, &rsrc1);
		field(KD_RSRC2, &rsrc2);
		field(KD_RSRC3, &rsrc3);
		field(KD_CODE_PROPERTIES, &properties);
		field(KD_CODE_ENTRY_OFFSET, &entry);
		entry += load_base + at;
	}
};

/** Fills a wave's SGPRs, the next one first. */
class ScalarRegisters {
public:
	explicit ScalarRegisters(Wave &wave) : wave_(wave) {}

	void one(u32 value) { wave_.sgpr[next_++] = value; }
	void pair(u64 value)
	{
		one(static_cast<u32>(value));
		one(static_cast<u32>(value >> 32));
	}

private:
	Wave &wave_;
	unsigned next_ = 0;
};

/** One workgroup: its waves as the dispatcher starts them, and their turns. */
class Workgroup {
public:
	using Size = Program::Size;

	Workgroup(Machine &m, const Kernel &kernel, Size grid, Size group, Size id)
		: m_(m), kernel_(kernel), grid_(grid), group_(group), id_(id), isa_(m.store().isa)
	{
		const unsigned items = group.x * group.y * group.z;

		waves_.resize((items + width() - 1) / width());
		std::fill(m.lds.begin(), m.lds.end(), 0);
		for (unsigned n = 0; n < waves_.size(); n++)
			start(n);
	}

	/** In turns, each to a barrier or its end. Return: instructions executed. */
	u64 run()
	{
		u64 instructions = 0;

		while (std::ranges::any_of(waves_, [](const GroupWave &w) { return !w.done; }))
			for (GroupWave &w : waves_)
				if (!w.done && to_barrier_or_end(w))
					instructions += w.wave.instructions;
		return instructions;
	}

private:
	struct alignas(64) Row {
		VgprRow at;
	};
	struct GroupWave {
		Wave wave;
		std::vector<Row> vgprs;
		bool done = false;
	};

	bool wave32() const { return is_gfx10(isa_) && kernel_.properties & KD_ENABLE_WAVEFRONT_SIZE32; }
	unsigned width() const { return wave32() ? 32 : 64; }

	void start(unsigned n)
	{
		GroupWave &started = waves_[n];
		Wave &w = started.wave;

		started.vgprs.resize(((kernel_.rsrc1 & 63) + 1) * (wave32() || has_accumulators(isa_) ? 8 : 4));
		w = m_.wave;
		w.wave32 = wave32();
		if (is_gfx10(isa_))
			w.sgprs = 106;
		w.vgpr = &started.vgprs[0].at;
		w.vgprs = static_cast<u32>(started.vgprs.size());
		if (has_accumulators(isa_))
			w.accum_offset = static_cast<u16>(has_one_file(isa_) ? ((kernel_.rsrc3 & 63) + 1) * 4 : w.vgprs / 2);
		else
			w.accum_offset = 0;
		w.lds = m_.lds.data();
		w.lds_bytes = kernel_.group_bytes;
		w.mode = kernel_.rsrc1 >> 12 & 0xff;
		w.pc = kernel_.entry;
		set_scalars(w, scratch_base + n * scratch_bytes);
		set_items(w, n);
		started.done = !w.exec(); /* behind the end of the grid: the dispatcher would not start it */
	}

	/** User SGPRs in the order of the descriptor's bits, then the workgroup's numbers. */
	void set_scalars(Wave &w, u64 scratch) const
	{
		const u32 asked = kernel_.properties, rsrc2 = kernel_.rsrc2;
		ScalarRegisters next(w);

		if (asked & KD_ENABLE_PRIVATE_SEGMENT_BUFFER) { /* swizzled, 4-byte elements */
			next.pair(scratch | u64{1} << 63);
			next.one(static_cast<u32>(scratch_bytes));
			next.one(scratch_word3(is_gfx10(isa_), wave32()));
		}
		if (asked & KD_ENABLE_DISPATCH_PTR)
			next.pair(packet_base);
		if (asked & KD_ENABLE_QUEUE_PTR)
			next.pair(queue_base);
		if (asked & KD_ENABLE_KERNARG_SEGMENT_PTR)
			next.pair(kernarg_base);
		if (asked & KD_ENABLE_DISPATCH_ID)
			next.pair(1);
		if (asked & KD_ENABLE_FLAT_SCRATCH_INIT) /* the wave's offset is 0 here */
			next.pair(isa_ == Isa::Gfx8 ? scratch | u64{kernel_.private_bytes} << 32 : scratch);
		if (asked & KD_ENABLE_PRIVATE_SEGMENT_SIZE)
			next.one(kernel_.private_bytes);
		if (rsrc2 & RSRC2_TGID_X_EN)
			next.one(id_.x);
		if (rsrc2 & RSRC2_TGID_Y_EN)
			next.one(id_.y);
		if (rsrc2 & RSRC2_TGID_Z_EN)
			next.one(id_.z);
		if (rsrc2 & RSRC2_TG_SIZE_EN)
			next.one(0);
		if (isa_ == Isa::Gfx942) { /* no register for the wave's offset */
			w.sgpr[sgpr_flat_scratch] = static_cast<u32>(scratch);
			w.sgpr[sgpr_flat_scratch + 1] = static_cast<u32>(scratch >> 32);
		} else if (rsrc2 & RSRC2_SCRATCH_EN) {
			next.one(0);
		}
	}

	/** Work-item numbers into v0 to v2, packed into v0 since GFX90A; EXEC has those that lie in the grid. */
	void set_items(Wave &w, unsigned n) const
	{
		u64 exec = 0;

		for (unsigned lane = 0; lane < width(); lane++) {
			const unsigned item = n * width() + lane;
			const u32 x = item % group_.x, y = item / group_.x % group_.y, z = item / group_.x / group_.y;
			const bool packed = has_one_file(isa_);

			if (z < group_.z && id_.x * group_.x + x < grid_.x && id_.y * group_.y + y < grid_.y &&
			    id_.z * group_.z + z < grid_.z)
				exec |= u64{1} << lane;
			w.vgpr[0][lane] = packed ? x | y << 10 | z << 20 : x;
			if (!packed && w.vgprs > 1)
				w.vgpr[1][lane] = y;
			if (!packed && w.vgprs > 2)
				w.vgpr[2][lane] = z;
		}
		w.set_exec(exec);
	}

	/** Return: true if the wave has come to its end. */
	bool to_barrier_or_end(GroupWave &w)
	{
		StopInfo stop;

		do
			stop = m_.run(w.wave, patience);
		while (stop.why == Stop::Sleep);
		if (stop.why != Stop::Barrier && stop.why != Stop::End)
			throw std::runtime_error("wave stopped: " + std::to_string(static_cast<int>(stop.why)) + " at +" +
						 std::to_string(w.wave.pc - load_base));
		w.done = stop.why == Stop::End;
		return w.done;
	}

	Machine &m_;
	const Kernel &kernel_;
	const Size grid_, group_, id_;
	const Isa isa_;
	std::vector<GroupWave> waves_;
};

/** What a kernel reads beside its arguments: the dispatch packet, the queue. */
void write_surroundings(Machine &m, Program::Size grid, Program::Size group)
{
	u16 packet[32] = {};

	packet[2] = static_cast<u16>(group.x);
	packet[3] = static_cast<u16>(group.y);
	packet[4] = static_cast<u16>(group.z);
	std::memcpy(&packet[6], &grid, sizeof(grid));
	m.memory.write(packet_base, packet, sizeof(packet));
	/* amd_queue_t: apertures of LDS and scratch, upper halves, for what runs before GFX9 */
	const u32 apertures[2] = {m.wave.sh_mem_bases & 0xffff0000, m.wave.sh_mem_bases << 16 | 1};
	m.memory.write(queue_base + 0x40, apertures, sizeof(apertures));
}

} // namespace

Program::Program(const std::string &path)
{
	const auto object = kfdm::CodeObject::read(path);

	image_ = object.image(load_base, kfdm::CodeObject::Foreign::Zero); /* csmith's without optimisation name functions of a libc */
	isa_ = isa_of(object.isa());
	for (const kfdm::KernelInfo &kernel : object.kernels())
		descriptors_[kernel.name] = kernel.descriptor;
}

u64 Program::run(Machine &m, const std::string &kernel, std::span<const u8> kernarg, Size grid, Size group)
{
	const auto found = descriptors_.find(kernel);
	if (found == descriptors_.end())
		throw std::runtime_error("no kernel " + kernel);
	const Kernel described(image_, found->second);
	u64 instructions = 0;

	m.memory.write(load_base, image_.data(), image_.size());
	m.memory.reserve(scratch_base, 32 * scratch_bytes);
	m.memory.write(kernarg_base, kernarg.data(), kernarg.size());
	m.memory.map(kernarg_base, kernarg.size() + 256);
	write_surroundings(m, grid, group);
	engine_select(m.store(), isa_);
	m.flush();
	const auto groups = [](u32 all, u32 one) { return (all + one - 1) / one; };
	for (u32 z = 0; z < groups(grid.z, group.z); z++)
		for (u32 y = 0; y < groups(grid.y, group.y); y++)
			for (u32 x = 0; x < groups(grid.x, group.x); x++)
				instructions += Workgroup(m, described, grid, group, {x, y, z}).run();
	return instructions;
}

std::vector<u64> run_items(Machine &m, Program &program, const std::string &kernel, const std::vector<Bytes> &inputs, u32 items)
{
	constexpr u64 base = 0x500000000, distance = 0x10000000, hidden_arguments = 256;
	std::vector<u64> pointers{base}, results(items);

	m.memory.map(base, items * sizeof(u64));
	for (const Bytes &input : inputs) {
		pointers.push_back(base + pointers.size() * distance);
		m.memory.write(pointers.back(), input.data(), input.size());
	}
	/* The hidden arguments (offsets of the grid) are zeros. */
	Bytes kernarg(pointers.size() * sizeof(u64) + hidden_arguments);
	std::memcpy(kernarg.data(), pointers.data(), pointers.size() * sizeof(u64));
	program.run(m, kernel, kernarg, {items}, {64});
	m.memory.read(base, results.data(), items * sizeof(u64));
	return results;
}

} // namespace isa_test
