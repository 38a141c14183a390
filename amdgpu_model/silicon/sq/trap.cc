// SPDX-License-Identifier: MIT
/*
 * trap.cc - the first-level trap handler, natively.
 *
 * The driver installs a first-level handler (TBA) whose TMA points to a page: second-level TBA at 0, second-level TMA at 8, the
 * "debug trap enabled" flag at 16. What that handler does for anything but a context save is to leave the machine
 * state in TTMPs and jump to the second level; this does the same without running its code. The contract is the one of Linux
 * 6.1's GFX9 handler:
 *
 *	ttmp0, 1	PC[47:0], trap id in ttmp1[23:16]
 *	ttmp2, 3	second-level TBA
 *	ttmp11[23]	debug trap flag; [31:26] IB_STS, always 0 here; the rest as the SPI left it
 *	ttmp12		STATUS at the exception
 *	ttmp14, 15	second-level TMA
 *
 * The way back is the handler's own: it restores STATUS from ttmp12, in which it may have set HALT, and does s_rfe.
 */
#include "trap.h"

namespace silicon {

namespace {

constexpr u32 ttmp11_debug_trap = 23;
constexpr u32 ttmp11_ib_sts = 0xfc000000;

template <class T> Mem read(Tlb &tlb, unsigned vmid, u64 va, T *value)
{
	u8 *host;
	Mem mem = tlb.translate(vmid, va, Access::Read, &host);

	if (mem == Mem::Ok)
		*value = load<T>(host);
	return mem;
}

/* The driver's page begins at a multiple of 256, so it lies within one page and all reads of it agree. */
bool may_enter(const Wave &wave) { return wave.trap_enabled && wave.tma && !(wave.tma & 0xff) && !wave.privileged; }

} // namespace

u32 wave_status(const Wave &wave)
{
	return (wave.scc ? status::scc : 0) | (wave.privileged ? status::priv : 0) | u32{wave.user_priority} << status::user_prio_shift |
	       (wave.trap_enabled ? status::trap_en : 0) | (wave.exec() ? 0 : status::execz) | (wave.vcc() ? 0 : status::vccz) |
	       status::in_tg | status::valid;
}

bool leaves_halted(const Wave &wave) { return !wave.privileged && wave.sgpr[sgpr_ttmp0 + 12] & status::halt; }

Mem is_debugged(Tlb &tlb, const Wave &wave)
{
	u32 debug = 0;

	if (!may_enter(wave))
		return Mem::Fault;
	if (Mem mem = read(tlb, wave.vmid, wave.tma + 16, &debug); mem != Mem::Ok)
		return mem;
	return debug & 1 ? Mem::Ok : Mem::Fault;
}

Mem enter_trap(Tlb &tlb, Wave &wave, u32 trap_id)
{
	u64 handler = 0, tma = 0;
	u32 debug = 0;

	if (!may_enter(wave))
		return Mem::Fault;
	if (Mem mem = read(tlb, wave.vmid, wave.tma, &handler); mem != Mem::Ok)
		return mem;
	if (Mem mem = read(tlb, wave.vmid, wave.tma + 8, &tma); mem != Mem::Ok)
		return mem;
	if (Mem mem = read(tlb, wave.vmid, wave.tma + 16, &debug); mem != Mem::Ok)
		return mem;
	if (!handler)
		return Mem::Fault;

	u32 *ttmp = &wave.sgpr[sgpr_ttmp0];

	ttmp[0] = static_cast<u32>(wave.pc);
	ttmp[1] = (static_cast<u32>(wave.pc >> 32) & 0xffff) | (trap_id & 0xff) << 16;
	ttmp[2] = static_cast<u32>(handler);
	ttmp[3] = static_cast<u32>(handler >> 32);
	ttmp[11] = (ttmp[11] & ~(ttmp11_ib_sts | 1u << ttmp11_debug_trap)) | (debug & 1) << ttmp11_debug_trap;
	ttmp[12] = wave_status(wave);
	ttmp[14] = static_cast<u32>(tma);
	ttmp[15] = static_cast<u32>(tma >> 32);
	wave.privileged = true;
	wave.trapsts &= ~trapsts_pending;
	wave.pc = handler & 0xffffffffffffull;
	return Mem::Ok;
}

} // namespace silicon
