// SPDX-License-Identifier: MIT
/* text.cc - see text.h; spellings are llvm-objdump's. */
#include "text.h"
#include "../fields.h"
#include "../unified_format.h"
#include "../../wave/wave.h"

namespace silicon {

Text &Text::decimal(u32 v)
{
	char digits[10];
	unsigned n = 0;

	do {
		digits[n++] = static_cast<char>('0' + v % 10);
		v /= 10;
	} while (v);
	while (n)
		character(digits[--n]);
	return *this;
}

Text &Text::signed_decimal(s32 v)
{
	if (v < 0)
		character('-');
	return decimal(v < 0 ? 0u - static_cast<u32>(v) : static_cast<u32>(v));
}

Text &Text::hex(u32 v)
{
	bool started = false;

	put("0x");
	for (int shift = 28; shift >= 0; shift -= 4) {
		const unsigned digit = v >> shift & 15;

		started |= digit || !shift;
		if (started)
			character("0123456789abcdef"[digit]);
	}
	return *this;
}

Text &Text::registers(char file, unsigned n, unsigned width)
{
	character(file);
	if (width == 1)
		return decimal(n);
	return put("[").decimal(n).put(":").decimal(n + width - 1).put("]");
}

Text &Text::scalar(unsigned n, unsigned width)
{
	static constexpr const char *pairs[] = {"flat_scratch", "xnack_mask", "vcc"};

	if (is_gfx10(isa_) && (n == sgpr_null || (n >= sgpr_flat_scratch && n < sgpr_vcc)))
		return n == sgpr_null ? put("null") : registers('s', n, width);
	if (n >= 102 && n < 108) {
		put(pairs[(n - 102) / 2]);
		return width == 1 ? put(n & 1 ? "_hi" : "_lo") : *this;
	}
	/* On GFX8 the trap handler's addresses are registers too. */
	const unsigned ttmp0 = isa_ == Isa::Gfx8 ? 112 : 108;
	if (n >= 108 && n < ttmp0) {
		put(n < 110 ? "tba" : "tma");
		return width == 1 ? put(n & 1 ? "_hi" : "_lo") : *this;
	}
	if (n >= ttmp0 && n < 124) {
		if (width == 1)
			return put("ttmp").decimal(n - ttmp0);
		return put("ttmp[").decimal(n - ttmp0).put(":").decimal(n - ttmp0 + width - 1).put("]");
	}
	if (n == 124)
		return put("m0");
	if (n == 125)
		return put("null"); /* as LLVM calls it; only GFX10 has it */
	if (n >= 126)
		return put(width > 1 ? "exec" : n == 126 ? "exec_lo" : "exec_hi");
	return registers('s', n, width);
}

static constexpr const char *const floats[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"};

Text &Text::literal(u32 v)
{
	if (v + 16 <= 80)
		return signed_decimal(static_cast<s32>(v));
	for (unsigned i = 0; i < 8; i++)
		if (v == inline_singles[i])
			return put(floats[i]);
	return v == inline_singles[8] ? put("0.15915494") : hex(v);
}

Text &Text::literal16(u32 v, bool is_float)
{
	v &= 0xffff;
	if (((v + 16) & 0xffff) <= 80)
		return signed_decimal(static_cast<s16>(v));
	for (unsigned i = 0; is_float && i < 8; i++)
		if (v == inline_halves[i])
			return put(floats[i]);
	return is_float && v == inline_halves[8] ? put("0.15915494") : hex(v);
}

Text &Text::scalar_or_constant(unsigned code, unsigned width)
{
	static constexpr const char *apertures[] = {"src_shared_base", "src_shared_limit", "src_private_base", "src_private_limit",
						    "src_pops_exiting_wave_id"};
	static constexpr const char *flags[] = {"src_vccz", "src_execz", "src_scc"};

	if (code < 128)
		return scalar(code, width);
	if (is_inline_integer(code))
		return signed_decimal(inline_integer(code));
	if (code >= 235 && code <= 239)
		return put(apertures[code - 235]);
	if (code >= source_first_float && code < source_last_float)
		return put(floats[code - source_first_float]);
	if (code == source_last_float)
		return put(width == 2 ? "0.15915494309189532" : "0.15915494");
	if (code >= 251 && code <= 253)
		return put(flags[code - 251]);
	return put("?");
}

Text &Text::hardware_register(u32 v)
{
	static constexpr const char *names[] = {nullptr, "MODE", "STATUS", "TRAPSTS", "HW_ID", "GPR_ALLOC", "LDS_ALLOC", "IB_STS"};
	const u32 id = v & 63, at = v >> 6 & 31, size = (v >> 11) + 1;

	static constexpr const char *gfx10_names[] = {"FLAT_SCR_LO", "FLAT_SCR_HI", nullptr, "HW_ID1", "HW_ID2",
						      "POPS_PACKER", nullptr,	    nullptr, nullptr,  "SHADER_CYCLES"};

	static constexpr const char *gfx942_names[] = {"XCC_ID", "SQ_PERF_SNAPSHOT_DATA", "SQ_PERF_SNAPSHOT_DATA1",
						       "SQ_PERF_SNAPSHOT_PC_LO", "SQ_PERF_SNAPSHOT_PC_HI"};

	const bool has_no_name = is_gfx10(isa_) && id == 4;

	put("hwreg(");
	if (is_gfx10(isa_) && id >= 20 && id < 30 && gfx10_names[id - 20])
		put("HW_REG_").put(gfx10_names[id - 20]);
	else if (isa_ == Isa::Gfx942 && id >= 20 && id < 25)
		put("HW_REG_").put(gfx942_names[id - 20]);
	else if (id && id < 8 && !has_no_name)
		put("HW_REG_").put(names[id]);
	else if (id == 15 && isa_ != Isa::Gfx8)
		put("HW_REG_SH_MEM_BASES");
	else if (id >= 16 && id < 20 && isa_ != Isa::Gfx8)
		put(id < 18 ? "HW_REG_TBA_" : "HW_REG_TMA_").put(id & 1 ? "HI" : "LO");
	else
		decimal(id);
	if (at || size != 32)
		put(", ").decimal(at).put(", ").decimal(size);
	return put(")");
}

Text &Text::index_mode(u32 mode)
{
	static constexpr const char *names[] = {"SRC0", "SRC1", "SRC2", "DST"};
	bool any = false;

	if (mode > 15)
		return hex(mode);
	put("gpr_idx(");
	for (unsigned i = 0; i < 4; i++)
		if (mode >> i & 1) {
			put(any ? "," : "").put(names[i]);
			any = true;
		}
	return put(")");
}

/** Fields at their maximum wait for nothing and are left out, unless all are. */
Text &Text::waits(u32 v)
{
	const u32 vm_top = isa_ == Isa::Gfx8 ? 15 : 63, vm = ((v & 15) | (v >> 14 & 3) << 4) & vm_top, exp = v >> 4 & 7;
	const u32 lgkm_top = is_gfx10(isa_) ? 63 : 15, lgkm = v >> 8 & lgkm_top;
	const bool all = vm == vm_top && exp == 7 && lgkm == lgkm_top;
	bool any = false;
	const auto field = [&](const char *name, u32 value, u32 top) {
		if (value == top && !all)
			return;
		put(any ? " " : "").put(name).put("(").decimal(value).put(")");
		any = true;
	};

	field("vmcnt", vm, vm_top);
	field("expcnt", exp, 7);
	field("lgkmcnt", lgkm, lgkm_top);
	return *this;
}

/** s_waitcnt_depctr: fields that wait for nothing are left out. */
Text &Text::dependencies(u32 v)
{
	static constexpr struct {
		const char *name;
		u8 at, width;
	} fields[] = {{"hold_cnt", 7, 1}, {"sa_sdst", 0, 1}, {"va_vdst", 12, 4}, {"va_sdst", 9, 3},
		      {"va_ssrc", 8, 1},  {"va_vcc", 1, 1},  {"vm_vsrc", 2, 3}};
	bool any = false;

	if (v & 0x60) /* reserved */
		return hex(v);
	for (const auto &f : fields) {
		const u32 top = (1u << f.width) - 1, value = v >> f.at & top;

		if (value == top)
			continue;
		put(any ? " " : "").put("depctr_").put(f.name).put("(").decimal(value).put(")");
		any = true;
	}
	return any ? *this : hex(v);
}

Text &Text::message(u32 v)
{
	if (v & ~0x37fu) /* no fields of a message */
		return decimal(v);
	switch (v) {
	case 1: return put("sendmsg(MSG_INTERRUPT)");
	case 4: return put("sendmsg(MSG_SAVEWAVE)");
	case 9: return put("sendmsg(MSG_ORDERED_PS_DONE)");
	case 10: return put("sendmsg(MSG_GET_DOORBELL)");
	default: return put("sendmsg(").decimal(v & 15).put(", ").decimal(v >> 4 & 7).put(", ").decimal(v >> 8 & 3).put(")");
	}
}

Text &Text::op_sel(const char *name, u32 bits, unsigned count, bool last)
{
	put(" ").put(name).put(":[");
	for (unsigned i = 0; i < count; i++)
		put(i ? "," : "").decimal(i + 1 == count && last ? 1 : bits >> i & 1);
	return put("]");
}

Text &Text::sdwa(u32 w, unsigned sources, bool compare, bool part_of_result)
{
	static constexpr const char *selectors[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "?"};
	static constexpr const char *unused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "?"};
	static constexpr const char *omod[] = {"", " mul:2", " mul:4", " div:2"};

	const SdwaFields x(w);

	if (!compare) {
		put(x.clamp ? " clamp" : "").put(omod[x.omod]);
		if (part_of_result)
			put(" dst_sel:").put(selectors[x.result_select]).put(" dst_unused:").put(unused[x.unused]);
	}
	put(" src0_sel:").put(selectors[x.select[0]]);
	return sources > 1 ? put(" src1_sel:").put(selectors[x.select[1]]) : *this;
}

Text &Text::scope(bool sc0, bool nt, bool sc1) { return put(sc0 ? " sc0" : "").put(nt ? " nt" : "").put(sc1 ? " sc1" : ""); }

Text &Text::dpp(u32 w)
{
	const DppFields x(w);
	const u32 control = x.control;

	if (control < 0x100) {
		put(" quad_perm:[");
		for (unsigned i = 0; i < 4; i++)
			put(i ? "," : "").decimal(control >> 2 * i & 3);
		put("]");
	} else if (control < 0x130) {
		put(control < 0x110 ? " row_shl:" : control < 0x120 ? " row_shr:" : " row_ror:").decimal(control & 15);
	} else if (control < 0x140) {
		put(control == 0x130 ? " wave_shl:1" : control == 0x134 ? " wave_rol:1" : control == 0x138 ? " wave_shr:1" : " wave_ror:1");
	} else if (control >= 0x150 && has_one_file(isa_)) {
		put(" row_newbcast:").decimal(control & 15);
	} else {
		put(control == 0x140 ? " row_mirror" :
		    control == 0x141 ? " row_half_mirror" :
		    control == 0x142 ? " row_bcast:15" :
		    control == 0x143 ? " row_bcast:31" :
		    control < 0x160  ? " row_share:" :
				       " row_xmask:");
		if (control >= 0x150)
			decimal(control & 15);
	}
	put(" row_mask:").hex(x.row_mask).put(" bank_mask:").hex(x.bank_mask);
	/* 1 in LLVM since version 16; before on GFX10 alone. */
	put(x.bound_control ? is_gfx10(isa_) || isa_ == Isa::Gfx942 ? " bound_ctrl:1" : " bound_ctrl:0" : "");
	return put(is_gfx10(isa_) && x.fetch_inactive ? " fi:1" : "");
}

Text &Text::dpp8(u32 selectors, bool fetch_inactive)
{
	put(" dpp8:[");
	for (unsigned i = 0; i < 8; i++)
		put(i ? "," : "").decimal(selectors >> 3 * i & 7);
	return put("]").put(fetch_inactive ? " fi:1" : "");
}

namespace {

bool power_of_2(u32 v) { return v && !(v & (v - 1)); }

} // namespace

/** The lane pattern's five binary digits: kept (p), inverted (i), or a constant. */
Text &Text::lane_pattern(u32 and_mask, u32 or_mask, u32 xor_mask)
{
	const u32 zeros = or_mask ^ xor_mask, ones = (and_mask | or_mask) ^ xor_mask;

	put("BITMASK_PERM,\"");
	for (u32 bit = 16; bit; bit >>= 1)
		put((zeros & bit) == (ones & bit) ? (zeros & bit ? "1" : "0") : zeros & bit ? "i" : "p");
	return put("\"");
}

namespace {

constexpr const char *datas[] = {"INVALID",    "8",	     "16",	"8_8",	 "32",		"16_16",    "10_11_11",	   "11_11_10",
				 "10_10_10_2", "2_10_10_10", "8_8_8_8", "32_32", "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15"};
constexpr const char *numbers[] = {"UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT"};

} // namespace

Text &Text::unified_format(u32 format)
{
	const u32 split = split_format(format);

	if (format == 1)
		return *this;
	put(" format:");
	if (format && !split)
		return decimal(format);
	put("[BUF_FMT_").put(datas[split & 15]);
	return format ? put("_").put(numbers[split >> 4]).put("]") : put("]");
}

/** The formats' names; what MTBUF takes for its default is left out. */
Text &Text::buffer_format(u32 data, u32 number)
{
	if (data == 1 && number == 0)
		return *this;
	put(" format:[");
	if (data != 1)
		put("BUF_DATA_FORMAT_").put(datas[data]);
	if (number)
		put(data != 1 ? "," : "").put("BUF_NUM_FORMAT_").put(numbers[number]);
	return put("]");
}

Text &Text::swizzle(u32 v)
{
	const u32 and_mask = v & 31, or_mask = v >> 5 & 31, xor_mask = v >> 10 & 31, group = 32 - and_mask;

	if (!v)
		return *this;
	put(" offset:");
	if ((v & 0x8000) && (v & 0xff00) != 0x8000)
		return decimal(v);
	put("swizzle(");
	if (v & 0x8000)
		put("QUAD_PERM,").decimal(v & 3).put(",").decimal(v >> 2 & 3).put(",").decimal(v >> 4 & 3).put(",").decimal(v >> 6 & 3);
	else if (and_mask == 31 && !or_mask && power_of_2(xor_mask))
		put("SWAP,").decimal(xor_mask);
	else if (and_mask == 31 && !or_mask && xor_mask && power_of_2(xor_mask + 1))
		put("REVERSE,").decimal(xor_mask + 1);
	else if (group > 1 && power_of_2(group) && or_mask < group && !xor_mask)
		put("BROADCAST,").decimal(group).put(",").decimal(or_mask);
	else
		lane_pattern(and_mask, or_mask, xor_mask);
	return put(")");
}

} // namespace silicon
