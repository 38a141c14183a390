// SPDX-License-Identifier: MIT
/*
 * registers.h - the register file: every register of hw/gc_9_regs.def, soc15_regs.def, gpuvm_9_regs.def and gmc_8_regs.def as stored bits.
 *
 * A row says where a register lies, what it holds after reset, which bits can be written, and how many copies there are.
 * The file stores bits and reports wrong accesses; what a write sets in motion is known to the block that owns the register. That
 * block gets the decoded address, under the name that the register has on GFX9 (mmNAME): where a chip has it is a matter of its map
 * (hw/gc_*_map.def, RegisterMap), and a register that the map does not name is not there. SDMA engines hold their own
 * registers (sdma/).
 */
#pragma once

#include "../../hw/regs.h"
#include "../base/board.h"

namespace silicon {

enum class Bank : u8 { ONE, HQD, VMID, SH };

constexpr unsigned hqd_slots = 64; /* 2 MECs x 4 pipes x 8 queues */
constexpr unsigned vmids = 16;
constexpr unsigned shader_arrays = SILICON_MAX_SE * SILICON_MAX_SH;

struct RegisterRow {
	u32 offset;
	u16 count, stride;
	u32 reset, writable;
	Bank bank;
	u16 first; /* place of copy 0, element 0 in the storage */

	constexpr unsigned copies() const
	{
		return bank == Bank::HQD ? hqd_slots : bank == Bank::VMID ? vmids : bank == Bank::SH ? shader_arrays : 1;
	}
	constexpr bool holds(u32 reg) const { return reg >= offset && (reg - offset) % stride == 0 && (reg - offset) / stride < count; }
};

#define SILICON_REG_COUNT(...) +1
constexpr unsigned register_rows = 0
#define REG SILICON_REG_COUNT
#include "../../hw/gc_9_regs.def"
#include "../../hw/soc15_regs.def"
#include "../../hw/gmc_8_regs.def"
#undef REG
#define HUB_REG(...) +2
#include "../../hw/gpuvm_9_regs.def"
#undef HUB_REG
#undef SILICON_REG_COUNT
	;

struct RegisterTable {
	RegisterRow rows[register_rows] = {};
	unsigned words = 0;

	constexpr RegisterTable()
	{
		unsigned n = 0;
#define REG(name, offset, count, stride, reset, writable, bank) rows[n++] = {offset, count, stride, reset, writable, Bank::bank, 0};
#include "../../hw/gc_9_regs.def"
#include "../../hw/soc15_regs.def"
#include "../../hw/gmc_8_regs.def"
#undef REG
#define HUB_REG(name, gfxhub, mmhub, count, stride, reset, writable) \
	rows[n++] = {gfxhub, count, stride, reset, writable, Bank::ONE, 0}; \
	rows[n++] = {mmhub, count, stride, reset, writable, Bank::ONE, 0};
#include "../../hw/gpuvm_9_regs.def"
#undef HUB_REG
		for (RegisterRow &row : rows) {
			row.first = static_cast<u16>(words);
			words += row.copies() * row.count;
		}
	}

	constexpr int find(u32 reg) const
	{
		for (unsigned i = 0; i < register_rows; i++)
			if (rows[i].holds(reg))
				return static_cast<int>(i);
		return -1;
	}
};

inline constexpr RegisterTable register_table;

/** Where a chip has a register: a row of hw/gc_*_map.def. */
struct RegisterPlace {
	u32 name; /* mmNAME of element 0 */
	u32 offset;
	u16 count, stride;
	u32 writable;
};

/** All registers of a generation; no places: every one of GFX9's, where their rows say. */
struct RegisterMap {
	const RegisterPlace *places;
	unsigned count;
};

/** A decoded access: element n of the array whose element 0 is base, in copy bank. */
struct RegisterAccess {
	bool known;
	u32 base;
	u32 index;
	u32 copy;
	u32 old, value;
};

class RegisterFile {
public:
	/** Sets the chip's map; called before everything else. */
	void power(const RegisterMap &map);
	void reset();

	/** Direct reach for the blocks: at<mmCP_HQD_ACTIVE>(slot), at<mmVM_CONTEXT0_CNTL>(0, vmid). */
	template <u32 R> u32 &at(unsigned copy = 0, unsigned index = 0)
	{
		constexpr int n = register_table.find(R);
		static_assert(n >= 0, "no such register");
		constexpr RegisterRow row = register_table.rows[n];
		constexpr unsigned element = (R - row.offset) / row.stride;
		return words_[row.first + copy * row.count + element + index];
	}
	template <u32 R> u32 at(unsigned copy = 0, unsigned index = 0) const
	{
		return const_cast<RegisterFile *>(this)->at<R>(copy, index);
	}

	/** MMIO: through GRBM_GFX_CNTL and GRBM_GFX_INDEX. */
	RegisterAccess read(Board &board, u32 reg);
	RegisterAccess write(Board &board, u32 reg, u32 value);
	/** The same with the HQD given, by name: SET_SH_REG of a queue, MQD load. No report: the caller knows what to say. */
	RegisterAccess write_hqd(unsigned slot, u32 name, u32 value);
	u32 read_hqd(unsigned slot, u32 name) const;

private:
	struct Span {
		u32 offset;
		u16 count, stride;
		u16 row;
	};
	struct Found {
		int row; /* -1: none */
		u32 element;
	};

	void add(u32 offset, u32 count, u32 stride, unsigned row, u32 writable);
	/** The register at an MMIO offset. */
	Found find(u32 reg) const;
	/** The register of a name. */
	static Found find_name(u32 name);
	/** Which copy the select registers reach; -1: none (a queue of the graphics ME). */
	int selected(Bank bank) const;
	RegisterAccess decode(Found found, unsigned copy) const;
	u32 &word(const RegisterAccess &access, const RegisterRow &row)
	{
		return words_[row.first + access.copy * row.count + access.index];
	}

	Span span_[register_rows] = {}; /* in the order of their offsets */
	unsigned spans_ = 0;
	u32 writable_[register_rows] = {};
	u32 words_[register_table.words] = {};
};

} // namespace silicon
