// SPDX-License-Identifier: MIT
/*
 * grid.h - what the command processor hands to the shader core, and what it hears back.
 *
 * A grid is one dispatch: the COMPUTE_* registers at DISPATCH_DIRECT, or an AQL packet together with its kernel descriptor.
 */
#pragma once

#include "../base/types.h"
#include "../base/geometry.h"
#include "../vm/tlb.h"

namespace silicon {

constexpr unsigned max_pipes = 8; /* 2 MECs x 4 pipes; pipe number = (me - 1) * 4 + pipe */
constexpr unsigned queues_per_pipe = 8;
constexpr unsigned max_queues = max_pipes * queues_per_pipe;
constexpr u32 max_chunk = 1 << 16;  /* workgroups that a die gets at a time */
constexpr unsigned max_grids = 128; /* grids that the shader core knows at a time */

/** One grid, as COMPUTE_* registers or an AQL packet plus its kernel descriptor describe it. */
struct Grid {
	u8 vmid;
	u8 me, pipe, queue;	 /* the HQD it comes from, for HW_ID and for preemption */
	u8 pipe_priority;	 /* CP_HQD_PIPE_PRIORITY */
	u8 queue_priority;	 /* CP_HQD_QUEUE_PRIORITY */
	u32 quantum;		 /* CP_HQD_QUANTUM in cycles: how long it may keep its pipe from others; 0: for ever */
	u16 workgroup[3];	 /* work-items */
	u32 items[3];		 /* grid size in work-items; the last workgroup of a row may be partial */
	u32 start[3];		 /* COMPUTE_START_*: first workgroup id */
	u8 dies, die;		 /* compute dies among which its workgroups are dealt in turn, and which of them this is; 0: it is alone */
	u32 chunk;		 /* so many workgroups at a time: COMPUTE_TG_CHUNK_SIZE */
	u64 code;		 /* GPU address of the first instruction */
	u32 rsrc1, rsrc2, rsrc3; /* COMPUTE_PGM_RSRC* */
	u32 user_sgpr[16];	 /* COMPUTE_USER_DATA_*; rsrc2.USER_SGPR says how many are loaded */
	u32 lds_bytes;		 /* a workgroup's LDS, static and dynamic */
	u32 tmpring_size;	 /* COMPUTE_TMPRING_SIZE: WAVES [11:0], WAVESIZE [24:12] in units of 1 KiB */
	u32 cu_mask[max_se];	 /* COMPUTE_STATIC_THREAD_MGMT_SEn: SH0 in bits 15:0, SH1 in 31:16 */
	u64 scratch_base;	 /* GPU address of the queue's scratch memory (flat scratch init, PM4: 0) */
	u64 tba, tma;		 /* SQ_SHADER_TBA/TMA of the VMID, byte addresses */
	bool trap_enabled;
	bool wave32;			 /* GFX10: CS_W32_EN */
	bool ordered;			 /* GFX10: CP_HQD_PQ_CONTROL.UNORD_DISPATCH is clear; a workgroup starts when all before it have */
	u32 sh_mem_bases, sh_mem_config; /* of the VMID: apertures of flat instructions */
	u64 cookie;			 /* given back to the client */
};

/** Why a wave stopped for good before s_endpgm; TrappedVmFault: it has not, its trap handler sees to it. */
enum class WaveError : u8 { IllegalInstruction, MemoryViolation, VmFault, TrappedVmFault, Trap, Halted };

/** What the shader core tells the command processor. Called inside run(), submit() and save(). */
class DispatchClient {
public:
	/** All workgroups of the grid have ended. */
	virtual void grid_done(u64 cookie, u64 cycle) = 0;
	/** A wave of the grid has stopped; va: the address of a VM fault. The grid stays until it is killed. */
	virtual void wave_error(u64 cookie, WaveError error, u64 pc, u64 va, Access access) = 0;
	/** A wave's access has faulted. Ok: it waits, and tries again when the driver acknowledges the fault; Fault: it is to stop. */
	virtual Mem wave_fault(u64 cookie, u64 va, Access access) = 0;
	/** s_sendmsg interrupt: an SQ interrupt with the low 24 bits of M0 (or the message data). */
	virtual void wave_interrupt(u64 cookie, u32 data, bool privileged, unsigned se, unsigned sh, unsigned cu, unsigned simd,
				    unsigned wave) = 0;
	/** s_sendmsg get-doorbell (trap handlers ask): doorbell index of the queue, in the process's slice, 10 bits. */
	virtual u32 doorbell_id(u64 cookie) = 0;
	/** GDS_GWS_VMIDn: which entries of global wave sync the VMID may use. */
	virtual u32 gws_range(unsigned vmid) = 0;
	/**
	 * A grid has been read back from a save area, which is user memory: me, pipe, queue and vmid are right, everything
	 * else is whatever the user left there. Check cookie, and replace it if need be; fill in the priorities, cu_mask, tba, tma,
	 * trap_enabled, sh_mem_* from the MQD and the VMID's registers. Return: false if the cookie cannot be.
	 */
	virtual bool grid_restored(Grid &grid) = 0;
	/** The queue is only half restored, and that half is gone: all of its grids are to come again. */
	virtual void restore_dropped(unsigned me, unsigned pipe, unsigned queue) = 0;

protected:
	~DispatchClient() = default;
};

/** Context save area of a queue (CWSR), addresses in the queue's VMID. Layout: cwsr/context_save.h. */
struct SaveArea {
	u64 base;		  /* CP_HQD_CTX_SAVE_BASE_ADDR */
	u32 control_stack_size;	  /* CP_HQD_CNTL_STACK_SIZE: the stack grows down from here */
	u32 control_stack_offset; /* save: out, restore: in: lowest byte used */
	u32 state_offset;	  /* CP_HQD_WG_STATE_OFFSET, save: out, restore: in: first byte not used */
	u32 size;		  /* CP_HQD_CTX_SAVE_SIZE */
};

/** Answer of save(), restore() and submit(). Busy: not yet, call again in a later window. */
enum class Step : u8 { Done, Busy, Need, Fault };

/** Why submit() answers Fault: what makes a grid impossible on this chip. */
enum class GridFlaw : u8 {
	None,
	Queue,	    /* no such me, pipe or queue */
	Workgroup,  /* workgroup of no or of more than 1024 work-items */
	Dimensions, /* more workgroups than can be counted */
	Vgprs,	    /* one workgroup needs more VGPRs than a CU has */
	Sgprs,
	Lds,
	CuMask,	 /* no CU left */
	Scratch, /* SCRATCH_EN, but not one workgroup's waves fit into COMPUTE_TMPRING_SIZE */
};

} // namespace silicon
