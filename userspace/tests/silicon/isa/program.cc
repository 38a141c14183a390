// SPDX-License-Identifier: MIT
/* program.cc - see program.h. */
#include "program.h"

#include <elf.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace isa_test {

using namespace silicon;

namespace {

constexpr u64 load_base = 0x200000000, kernarg_base = 0x300000000, packet_base = 0x310000000, queue_base = 0x320000000;
constexpr u64 scratch_base = 0x80000000;	/* below 4 GiB: GFX8 has 32 bits for it */
constexpr u64 scratch_bytes = 64 << 20;	/* of one wave: 1 MiB a lane */
constexpr u32 patience = 1'000'000'000;	/* instructions of a wave without a stop */

template <class T> T at(const std::vector<u8> &bytes, u64 offset)
{
	T v;
	if (offset + sizeof(T) > bytes.size())
		throw std::runtime_error("truncated code object");
	std::memcpy(&v, &bytes[offset], sizeof(v));
	return v;
}

/** An entry of a table, and where the section lies that the table's sh_link names. */
template <class Entry> struct Linked {
	Entry entry;
	u64 link;
};

/** All entries of the sections of a type. */
template <class Entry> std::vector<Linked<Entry>> entries(const std::vector<u8> &elf, u32 type)
{
	const auto header = at<Elf64_Ehdr>(elf, 0);
	const auto section = [&](unsigned s) { return at<Elf64_Shdr>(elf, header.e_shoff + s * header.e_shentsize); };
	std::vector<Linked<Entry>> all;

	for (unsigned s = 0; s < header.e_shnum; s++) {
		const auto table = section(s);
		if (table.sh_type != type)
			continue;
		const u64 link = section(table.sh_link).sh_offset;
		for (u64 i = 0; i < table.sh_size; i += sizeof(Entry))
			all.push_back({at<Entry>(elf, table.sh_offset + i), link});
	}
	return all;
}

/** EF_AMDGPU_MACH of the ELF header's flags. */
Isa isa_of(u32 flags)
{
	switch (flags & 0xff) {
	case 0x28 ... 0x2b:
		return Isa::Gfx8;
	case 0x30:
		return Isa::Gfx908;
	case 0x33 ... 0x39:	/* gfx1010 to gfx1032 */
		return Isa::Gfx10;
	case 0x3f:
		return Isa::Gfx90a;
	default:
		return Isa::Gfx9;
	}
}

constexpr u32 wavefront_size32 = 1 << 10;	/* of the kernel code properties */

/** Private segment buffer: swizzled, a stride of the wave's lanes, and their numbers added; GFX10 without a check of bounds. */
u32 scratch_word3(bool gfx10, bool wave32)
{
	const u32 lanes_between = wave32 ? 2u << 21 : 3u << 21;

	return gfx10 ? 0x21014fac | 1 << 23 | lanes_between : 0x008a7000 | 1 << 23 | lanes_between;
}

} // namespace

Program::Program(const std::string &path)
{
	std::ifstream f(path, std::ios::binary);

	elf_.assign(std::istreambuf_iterator<char>(f), {});
	if (elf_.size() < sizeof(Elf64_Ehdr))
		throw std::runtime_error("cannot read " + path);
}

Program::Descriptor Program::find(const std::string &kernel) const
{
	for (const auto &[symbol, strings] : entries<Elf64_Sym>(elf_, SHT_DYNSYM)) {
		if (kernel + ".kd" != reinterpret_cast<const char *>(&elf_[strings + symbol.st_name]))
			continue;
		/* The descriptor lies in the first segment, where file offset and address agree. */
		const u64 o = symbol.st_value;
		return {o,
			at<u32>(elf_, o),
			at<u32>(elf_, o + 4),
			at<u32>(elf_, o + 48),
			at<u32>(elf_, o + 52),
			at<u32>(elf_, o + 44),
			at<u16>(elf_, o + 56),
			load_base + o + at<u64>(elf_, o + 16)};
	}
	throw std::runtime_error("no kernel " + kernel);
}

u64 Program::run_group(Machine &m, const Descriptor &d, u64 kernarg, u64 packet, Size grid, Size group, Size id)
{
	const Isa isa = m.store().isa;
	const bool gfx10 = is_gfx10(isa), wave32 = gfx10 && d.properties & wavefront_size32;
	const unsigned width = wave32 ? 32 : 64, items = group.x * group.y * group.z, waves = (items + width - 1) / width;
	struct alignas(64) Row {
		VgprRow at;
	};
	struct WaveState {
		Wave wave;
		std::vector<Row> vgprs;
		bool done = false;
	};
	std::vector<WaveState> states(waves);
	u64 instructions = 0;

	std::fill(m.lds.begin(), m.lds.end(), 0);
	for (unsigned n = 0; n < waves; n++) {
		WaveState &s = states[n];
		s.vgprs.resize(((d.rsrc1 & 63) + 1) * (wave32 || has_accumulators(isa) ? 8 : 4));
		s.wave = m.wave;
		Wave &w = s.wave;
		w.wave32 = wave32;
		if (gfx10)
			w.sgprs = 106;
		w.vgpr = &s.vgprs[0].at;
		w.vgprs = static_cast<u32>(s.vgprs.size());
		w.accum_offset = static_cast<u16>(isa == Isa::Gfx90a ? ((d.rsrc3 & 63) + 1) * 4 : isa == Isa::Gfx908 ? w.vgprs / 2 : 0);
		w.lds = m.lds.data();
		w.lds_bytes = d.group_bytes;
		w.mode = d.rsrc1 >> 12 & 0xff;
		w.pc = d.entry;
		const u64 scratch = scratch_base + n * scratch_bytes;
		unsigned r = 0;
		const auto pair = [&](u64 v) {
			w.sgpr[r++] = static_cast<u32>(v);
			w.sgpr[r++] = static_cast<u32>(v >> 32);
		};
		if (d.properties & 1) {	/* private segment buffer: swizzled, 4-byte elements, stride of 64 lanes */
			pair(scratch | u64{1} << 63);
			w.sgpr[r++] = static_cast<u32>(scratch_bytes);
			w.sgpr[r++] = scratch_word3(gfx10, wave32);
		}
		if (d.properties & 2)
			pair(packet);
		if (d.properties & 4)
			pair(queue_base);
		if (d.properties & 8)
			pair(kernarg);
		if (d.properties & 16)
			pair(1);
		if (d.properties & 32)
			pair(m.store().isa == Isa::Gfx8 ? scratch | u64{d.private_bytes} << 32 : scratch);	/* the wave's offset is 0 here */
		if (d.properties & 64)
			w.sgpr[r++] = d.private_bytes;
		if (d.rsrc2 & 1 << 7)
			w.sgpr[r++] = id.x;
		if (d.rsrc2 & 1 << 8)
			w.sgpr[r++] = id.y;
		if (d.rsrc2 & 1 << 9)
			w.sgpr[r++] = id.z;
		if (d.rsrc2 & 1 << 10)
			w.sgpr[r++] = 0;
		if (d.rsrc2 & 1)
			w.sgpr[r++] = 0;
		u64 exec = 0;
		for (unsigned lane = 0; lane < width; lane++) {
			const unsigned item = n * width + lane;
			const u32 x = item % group.x, y = item / group.x % group.y, z = item / group.x / group.y;
			if (item < items && id.x * group.x + x < grid.x && id.y * group.y + y < grid.y && id.z * group.z + z < grid.z)
				exec |= u64{1} << lane;
			const bool packed = isa == Isa::Gfx90a;
			w.vgpr[0][lane] = packed ? x | y << 10 | z << 20 : x;
			if (!packed && w.vgprs > 1)
				w.vgpr[1][lane] = y;
			if (!packed && w.vgprs > 2)
				w.vgpr[2][lane] = z;
		}
		w.set_exec(exec);
		s.done = !exec;	/* behind the end of the grid: the dispatcher would not start it */
	}
	unsigned left = static_cast<unsigned>(std::count_if(states.begin(), states.end(), [](const WaveState &s) { return !s.done; }));
	while (left) {
		unsigned at_barrier = 0;
		for (WaveState &s : states) {
			if (s.done)
				continue;
			for (;;) {
				const StopInfo stop = m.run(s.wave, patience);
				if (stop.why == Stop::Barrier) {
					at_barrier++;
				} else if (stop.why == Stop::End) {
					s.done = true;
					left--;
					instructions += s.wave.instructions;
				} else if (stop.why == Stop::Sleep) {
					continue;
				} else {
					throw std::runtime_error("wave stopped: " + std::to_string(static_cast<int>(stop.why)) + " at +" +
								 std::to_string(s.wave.pc - load_base));
				}
				break;
			}
		}
		(void)at_barrier;
	}
	return instructions;
}

/** Pointers in initialised data: relative to the load address, or to a symbol that could have been overridden. */
void Program::relocate(Machine &m) const
{
	constexpr unsigned r_amdgpu_abs64 = 3, r_amdgpu_relative64 = 13;

	for (const auto &[r, symbols] : entries<Elf64_Rela>(elf_, SHT_RELA)) {
		u64 value = load_base + static_cast<u64>(r.r_addend);

		if (ELF64_R_TYPE(r.r_info) == r_amdgpu_abs64)
			value += at<Elf64_Sym>(elf_, symbols + ELF64_R_SYM(r.r_info) * sizeof(Elf64_Sym)).st_value;
		else if (ELF64_R_TYPE(r.r_info) != r_amdgpu_relative64)
			throw std::runtime_error("relocation of type " + std::to_string(ELF64_R_TYPE(r.r_info)));
		m.memory.put(load_base + r.r_offset, value);
	}
}

u64 Program::run(Machine &m, const std::string &kernel, std::span<const u8> kernarg, Size grid, Size group)
{
	const auto header = at<Elf64_Ehdr>(elf_, 0);
	const Descriptor d = find(kernel);
	u64 instructions = 0;

	for (unsigned i = 0; i < header.e_phnum; i++) {
		const auto p = at<Elf64_Phdr>(elf_, header.e_phoff + i * header.e_phentsize);
		if (p.p_type != PT_LOAD)
			continue;
		if (p.p_filesz)
			m.memory.write(load_base + p.p_vaddr, &elf_[p.p_offset], p.p_filesz);
		if (p.p_memsz)
			m.memory.map(load_base + p.p_vaddr, p.p_memsz);
	}
	relocate(m);
	m.memory.reserve(scratch_base, 32 * scratch_bytes);
	m.memory.write(kernarg_base, kernarg.data(), kernarg.size());
	m.memory.map(kernarg_base, kernarg.size() + 256);
	u16 packet[32] = {};
	packet[2] = static_cast<u16>(group.x);
	packet[3] = static_cast<u16>(group.y);
	packet[4] = static_cast<u16>(group.z);
	std::memcpy(&packet[6], &grid, sizeof(grid));
	m.memory.write(packet_base, packet, sizeof(packet));
	/* amd_queue_t: apertures of LDS and scratch, upper halves, for what runs before GFX9 */
	const u32 apertures[2] = {m.wave.sh_mem_bases & 0xffff0000, m.wave.sh_mem_bases << 16 | 1};
	m.memory.write(queue_base + 0x40, apertures, sizeof(apertures));
	engine_select(m.store(), isa_of(header.e_flags));
	m.flush();
	const auto groups = [](u32 all, u32 one) { return (all + one - 1) / one; };
	for (u32 z = 0; z < groups(grid.z, group.z); z++)
		for (u32 y = 0; y < groups(grid.y, group.y); y++)
			for (u32 x = 0; x < groups(grid.x, group.x); x++)
				instructions += run_group(m, d, kernarg_base, packet_base, grid, group, {x, y, z});
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
