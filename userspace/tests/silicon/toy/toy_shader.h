// SPDX-License-Identifier: MIT
/*
 * toy_shader.h - a shader core on the table: memory, a client that writes down what it hears, and an engine for toy programs.
 *
 * The engine (toy_shader.cc) takes the place of isa/: what is tested here is dealing, placing, time and context save,
 * and a program of a handful of operations says more about these than machine code would.
 */
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "silicon/shader/shader_core.h"
#include "silicon_host/chip_memory.hpp"

namespace toy_shader {

using namespace silicon;

/** Operations of toy programs; a and b by operation. Each takes four cycles and counts as one instruction. */
enum class Do {
	End,
	Nop,
	Sleep, /* a cycles */
	Barrier,
	VSet,	   /* v[a] = b in active lanes */
	VAdd,	   /* v[a] += b in active lanes */
	SAdd,	   /* s[a] += b */
	LdsSet,	   /* dword wave_in_group of LDS = a */
	LdsAdd,	   /* dword wave_in_group of LDS += a; later waves read what earlier ones wrote with LdsSum */
	LdsSum,	   /* s[a] = sum of the dwords of waves 0..b-1 */
	Loop,	   /* if (--s[a]) goto b */
	MemAdd,	   /* u64 at a += b (atomic) */
	MemAddS,   /* u64 at a += s[b] */
	MemAddV,   /* u64 at a += sum over active lanes of v[b] */
	MemSet,	   /* u64 at a = b */
	WaitEqual, /* repeat every 500 cycles until u64 at a == b */
	Probe,	   /* copy the wave aside */
	Message,
	Trap,
	Illegal,
	Violate,
	Divide, /* an arithmetic exception that is enabled */
	Halt,
	Rfe, /* back from a trap handler, behind the instruction that trapped */
};

struct Op {
	Do what;
	u64 a = 0, b = 0;
};

using Program = std::vector<Op>;

/** Loads a program; returns its GPU address. */
u64 load_program(Program program);

/** A wave as Probe found it. */
struct Probed {
	Wave wave;
	std::vector<u32> vgprs; /* v[n][lane] at n * 64 + lane */
};
extern std::vector<Probed> probed;

/** Memory of all VMIDs; pages appear when touched, but for those that are kept away. */
class ToyMemory final : public PageWalker {
public:
	Mem walk(unsigned vmid, u64 va, Access access, TlbEntry *entry) override;

	u8 *at(unsigned vmid, u64 va);
	template <class T> T &ref(unsigned vmid, u64 va) { return *reinterpret_cast<T *>(at(vmid, va)); }

	std::set<u64> missing; /* page addresses that answer Need once, then are there */
	std::set<u64> never;   /* page addresses that always answer Need */
	std::set<u64> faulty;
	bool all_missing_once = false; /* every page answers Need the first time */
	unsigned needs = 0;

private:
	std::map<std::pair<unsigned, u64>, std::unique_ptr<u8[]>> pages_;
};

class Client final : public DispatchClient {
public:
	struct Error {
		u64 cookie;
		WaveError error;
		u64 pc, va;
	};
	struct Interrupt {
		u64 cookie;
		u32 data;
		unsigned se, sh, cu, simd, wave;
	};

	void grid_done(u64 cookie, u64 cycle) override
	{
		done[cookie] = cycle;
		if (on_done)
			on_done(cookie, cycle);
	}
	void wave_error(u64 cookie, WaveError error, u64 pc, u64 va, Access) override { errors.push_back({cookie, error, pc, va}); }
	Mem wave_fault(u64, u64, Access) override { return Mem::Fault; }
	void wave_interrupt(u64 cookie, u32 data, bool privileged, unsigned se, unsigned sh, unsigned cu, unsigned simd,
			    unsigned wave) override
	{
		interrupts.push_back({cookie, data, se, sh, cu, simd, wave});
	}
	u32 doorbell_id(u64) override { return 0x123; }
	u32 gws_range(unsigned) override { return gws; }
	u32 gws = 0; /* GDS_GWS_VMIDn */
	bool grid_restored(Grid &grid) override
	{
		auto known = submitted.find(grid.cookie);

		if (known == submitted.end())
			return false;
		grid.pipe_priority = known->second.pipe_priority;
		grid.trap_enabled = known->second.trap_enabled;
		grid.tba = known->second.tba;
		grid.tma = known->second.tma;
		for (unsigned se = 0; se < max_se; se++)
			grid.cu_mask[se] = restored_mask ? restored_mask[se] : known->second.cu_mask[se];
		return true;
	}

	void restore_dropped(unsigned, unsigned, unsigned) override {}

	std::map<u64, u64> done;
	std::vector<Error> errors;
	std::vector<Interrupt> interrupts;
	std::map<u64, Grid> submitted;
	std::function<void(u64, u64)> on_done;
	const u32 *restored_mask = nullptr;
};

struct Geometry {
	unsigned engines = 4, cus = 15;
	Isa isa = Isa::Gfx9;
};

class ToyShader {
public:
	explicit ToyShader(Geometry geometry = {});

	/** A grid of workgroups * size work-items in x on queue (me 1). */
	Grid grid(u64 code, u32 workgroups, u16 size, unsigned pipe = 0, unsigned queue = 0) const;
	Step submit(Grid grid);

	/** Windows until nothing happens any more, or until time. */
	void run(u64 until = ShaderCore::no_event);
	/** The same, but the stop hook cuts a slice after every calls questions. */
	u32 slice = 0;

	std::vector<silicon_trace_event> of(u32 kind) const;

	ToyMemory memory;
	Tlb tlb;
	Client client;
	ShaderCore *shaders;
	std::vector<silicon_trace_event> trace;
	u64 now = 0;
	u64 window = 4096;
	u64 next_cookie = 1;

private:
	std::optional<silicon_host::ChipMemory> core_, block_; /* of the core itself, and what init() wants */
};

inline unsigned se_of(const silicon_trace_event &e) { return static_cast<unsigned>(e.b >> 16); }
inline unsigned cu_of(const silicon_trace_event &e) { return static_cast<unsigned>(e.b & 0xff); }
/** An event's first argument; of a kernel's counts without the address, which is another one for each load_program(). */
inline u64 argument(const silicon_trace_event &e) { return e.kind == SILICON_TRACE_KERNEL_COUNT ? e.a >> 56 : e.a; }

constexpr u32 rsrc1_vgprs(u32 vgprs) { return (vgprs + 3) / 4 - 1; }
constexpr u32 rsrc1_sgprs(u32 sgprs) { return (2 * ((sgprs + 15) / 16) - 2) << 6; }

} // namespace toy_shader
