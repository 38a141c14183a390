// SPDX-License-Identifier: MIT
/* toy_shader.cc - toy memory, toy engine, and the clock's owner. */
#include "toy_shader.h"

#include <cstring>

namespace toy_shader {

std::vector<Probed> probed;

namespace {

constexpr u64 code_base = 0x100000000;
std::vector<Program> programs;

Op fetch(u64 pc)
{
	u64 n = pc / code_base - 1, at = pc % code_base / 4;

	if (n >= programs.size() || at >= programs[n].size())
		return {Do::Illegal};
	return programs[n][at];
}

} // namespace

u64 load_program(Program program)
{
	programs.push_back(std::move(program));
	return programs.size() * code_base;
}

Mem ToyMemory::walk(unsigned vmid, u64 va, Access, TlbEntry *entry)
{
	u64 page = va & ~page_mask;

	if (faulty.count(page))
		return Mem::Fault;
	if (never.count(page) || missing.erase(page) || (all_missing_once && !pages_.count({vmid, page}))) {
		needs++;
		if (all_missing_once)
			at(vmid, va);
		return Mem::Need;
	}
	entry->host = at(vmid, page);
	entry->allowed = 7;
	return Mem::Ok;
}

u8 *ToyMemory::at(unsigned vmid, u64 va)
{
	auto &page = pages_[{vmid, va & ~page_mask}];

	if (!page) {
		page = std::make_unique<u8[]>(page_bytes);
		std::memset(page.get(), 0, page_bytes);
	}
	return page.get() + (va & page_mask);
}

ToyShader::ToyShader(Geometry geometry)
{
	silicon_config config = {};
	ShaderLimits limits;

	for (unsigned se = 0; se < geometry.engines; se++)
		config.cu_bitmap[0][se][0] = (1u << geometry.cus) - 1;
	limits.shader_engines = static_cast<u8>(geometry.engines);
	limits.cu = cu_limits(geometry.isa);

	static_assert(std::is_trivially_destructible_v<ShaderCore>); /* nobody has to end it */
	shaders = new (core_.emplace(sizeof(ShaderCore)).get()) ShaderCore;
	block_.emplace(ShaderCore::memory_size(config, limits.cu));
	tlb.flush_all();
	tlb.connect(&memory);
	shaders->init(config, limits, block_->get(), &tlb, &client);
	shaders->set_trace(
		{[](void *context, const silicon_trace_event &event) { static_cast<ToyShader *>(context)->trace.push_back(event); }, this});
}

Grid ToyShader::grid(u64 code, u32 workgroups, u16 size, unsigned pipe, unsigned queue) const
{
	Grid grid = {};

	grid.vmid = 8;
	grid.me = 1;
	grid.pipe = static_cast<u8>(pipe);
	grid.queue = static_cast<u8>(queue);
	grid.workgroup[0] = size;
	grid.workgroup[1] = grid.workgroup[2] = 1;
	grid.items[0] = workgroups * size;
	grid.items[1] = grid.items[2] = 1;
	grid.code = code;
	grid.rsrc1 = rsrc1_vgprs(8) | rsrc1_sgprs(32);
	for (u32 &mask : grid.cu_mask)
		mask = ~u32{0};
	return grid;
}

Step ToyShader::submit(Grid grid)
{
	grid.cookie = next_cookie++;
	client.submitted[grid.cookie] = grid;
	return shaders->submit(grid, now);
}

void ToyShader::run(u64 until)
{
	struct Count {
		u32 left, slice;
	} count = {slice, slice};
	StopHook hook;

	hook.context = &count;
	hook.expired = [](void *context) {
		Count &c = *static_cast<Count *>(context);

		if (!c.slice || --c.left)
			return false;
		c.left = c.slice;
		return true;
	};
	while (now < until) {
		u64 next = shaders->next_event();

		if (next == ShaderCore::no_event)
			break;
		/* As silicon_chip::advance(): how far waves are ahead must not show, so time gets to until in any case. */
		const u64 begin = std::min(until, std::max(now, next / window * window));
		const u64 end = std::min(until, begin / window * window + window);
		RunState state = shaders->run(begin, end, hook);

		now = state.reached;
		if (state.need && !state.expired && now < end)
			tlb.flush_all();
	}
}

std::vector<silicon_trace_event> ToyShader::of(u32 kind) const
{
	std::vector<silicon_trace_event> found;

	for (const silicon_trace_event &event : trace)
		if (event.kind == kind)
			found.push_back(event);
	return found;
}

} // namespace toy_shader

namespace silicon {

using namespace toy_shader;

struct EngineStore {};
u64 engine_store_bytes() { return 64; }
void engine_init(EngineStore &) {}
void engine_select(EngineStore &, Isa) {}
void engine_flush(EngineStore &) {}

namespace {

Mem reach(EngineContext &context, const Wave &wave, u64 va, u64 **host)
{
	u8 *byte;
	Mem mem = context.tlb->translate(wave.vmid, va, Access::Write, &byte);

	*host = reinterpret_cast<u64 *>(byte);
	return mem;
}

/** One operation; true: go on. */
bool reaches_memory(Do what)
{
	return what == Do::MemAdd || what == Do::MemAddS || what == Do::MemAddV || what == Do::MemSet || what == Do::WaitEqual;
}

template <class F> void each_active_lane(const Wave &wave, F work)
{
	for (unsigned lane = 0; lane < lanes; lane++)
		if (wave.exec() >> lane & 1)
			work(lane);
}

/** here: the operation's own address. */
void execute_memory(Wave &wave, const toy_shader::Op &op, u64 *host, u64 here)
{
	switch (op.what) {
	case Do::MemAdd: *host += op.b; break;
	case Do::MemAddS: *host += wave.sgpr[op.b]; break;
	case Do::MemAddV: each_active_lane(wave, [&](unsigned lane) { *host += wave.vgpr[op.b][lane]; }); break;
	case Do::MemSet: *host = op.b; break;
	default: /* WaitEqual */
		if (*host != op.b) {
			wave.pc = here;
			wave.cycles += 500;
		}
	}
}

/** What changes nothing but registers, LDS and the program counter. */
void execute_registers(Wave &wave, const toy_shader::Op &op, u64 here)
{
	auto *lds = reinterpret_cast<u32 *>(wave.lds);

	switch (op.what) {
	case Do::VSet: each_active_lane(wave, [&](unsigned lane) { wave.vgpr[op.a][lane] = static_cast<u32>(op.b); }); break;
	case Do::VAdd: each_active_lane(wave, [&](unsigned lane) { wave.vgpr[op.a][lane] += static_cast<u32>(op.b); }); break;
	case Do::SAdd: wave.sgpr[op.a] += static_cast<u32>(op.b); break;
	case Do::LdsSet: lds[wave.wave_in_group] = static_cast<u32>(op.a); break;
	case Do::LdsAdd: lds[wave.wave_in_group] += static_cast<u32>(op.a); break;
	case Do::LdsSum:
		wave.sgpr[op.a] = 0;
		for (u64 i = 0; i < op.b; i++)
			wave.sgpr[op.a] += lds[i];
		break;
	case Do::Loop:
		if (--wave.sgpr[op.a])
			wave.pc = here / code_base * code_base + op.b * 4;
		break;
	case Do::Probe: probed.push_back({wave, {&wave.vgpr[0][0], &wave.vgpr[0][0] + wave.vgprs * lanes}}); break;
	case Do::Rfe:
		wave.privileged = false;
		wave.pc = join(wave.sgpr[sgpr_ttmp0], wave.sgpr[sgpr_ttmp0 + 1] & 0xffff) + 4;
		break;
	default: /* Nop */ break;
	}
}

bool execute(EngineContext &context, Wave &wave, const toy_shader::Op &op, StopInfo *stop)
{
	const u64 here = wave.pc;
	u64 *host = nullptr;
	const auto stopped = [&](Stop why, u64 detail = 0) {
		*stop = {why, Access::Write, static_cast<u32>(detail), op.a};
		return false;
	};
	const auto stays = [&](Stop why, u64 detail = 0) {
		wave.pc = here;
		wave.cycles -= 4;
		wave.instructions--;
		return stopped(why, detail);
	};

	wave.pc += 4;
	wave.cycles += 4;
	wave.instructions++;
	if (reaches_memory(op.what)) {
		const Mem mem = reach(context, wave, op.a, &host);

		if (mem != Mem::Ok)
			return stays(mem == Mem::Need ? Stop::Need : Stop::VmFault);
		execute_memory(wave, op, host, here);
		return true;
	}
	switch (op.what) {
	case Do::End: return stopped(Stop::End);
	case Do::Sleep: wave.cycles += op.a; return stopped(Stop::Sleep);
	case Do::Barrier: return stopped(Stop::Barrier);
	case Do::Message: return stopped(Stop::Message, op.a);
	case Do::Trap: return stays(Stop::Trap, op.a);
	case Do::Illegal: return stays(Stop::IllegalInstruction);
	case Do::Violate: return stays(Stop::MemoryViolation);
	case Do::Divide: wave.trapsts |= 1 << 2 | trapsts_pending; return stopped(Stop::Exception);
	case Do::Halt: return stopped(Stop::Halt);
	default: execute_registers(wave, op, here); return true;
	}
}

Unit unit_of(Do what)
{
	switch (what) {
	case Do::LdsSet:
	case Do::LdsAdd:
	case Do::LdsSum: return Unit::Lds;
	case Do::MemAdd:
	case Do::MemAddS:
	case Do::MemAddV:
	case Do::MemSet:
	case Do::WaitEqual: return Unit::Vmem;
	default: return Unit::Internal;
	}
}

/** Has an effect on more than registers and memory. */
bool exact(Do what)
{
	switch (what) {
	case Do::End:
	case Do::Barrier:
	case Do::Message:
	case Do::Trap:
	case Do::Illegal:
	case Do::Halt:
	case Do::Rfe: return true;
	default: return false;
	}
}

/** What an operation leaves behind when it is executed ahead of its time; None: others notice it. */
StepCode step_of(const toy_shader::Op &op)
{
	switch (op.what) {
	case Do::Nop:
	case Do::SAdd:
	case Do::Loop: return StepCode::Scalar4;
	case Do::VSet:
	case Do::VAdd: return StepCode::Valu4;
	case Do::Sleep: return op.a % sleep_unit ? StepCode::None : sleep_step(static_cast<u32>(op.a / sleep_unit));
	default: return StepCode::None;
	}
}

} // namespace

StopInfo issue_wave(EngineContext &context, Wave &wave, Ahead &ahead, bool now, u32 most)
{
	StopInfo stop = {Stop::Budget, Access::Execute, 0, 0};

	ahead.stands = ahead.exact = true;
	if (wave.trapsts & trapsts_pending)
		return {Stop::Exception, Access::Execute, 0, 0};
	ahead.stands = false;
	if (now && !execute(context, wave, fetch(wave.pc), &stop))
		return stop;
	const u64 time = wave.cycles;
	StepCode step;

	while ((step = step_of(fetch(wave.pc))) != StepCode::None && ahead.count < most && ahead.has_room(step)) {
		execute(context, wave, fetch(wave.pc), &stop);
		ahead.push(step);
	}
	wave.cycles = time;
	ahead.stands = step == StepCode::None || !most;
	const Do next = fetch(wave.pc).what;

	ahead.unit = step == StepCode::None ? unit_of(next) : cost_of(step).unit;
	ahead.busy = step == StepCode::None ? 4 : cost_of(step).busy;
	context.busy = 4;
	ahead.exact = exact(next);
	return stop;
}

StopInfo run_wave(EngineContext &context, Wave &wave, u32 max_instructions, u64 time_limit)
{
	StopInfo stop = {Stop::Budget, Access::Execute, 0, 0};

	if (wave.trapsts & trapsts_pending)
		return {Stop::Exception, Access::Execute, 0, 0};
	for (u32 i = 0; i < max_instructions && wave.cycles < time_limit; i++)
		if (!execute(context, wave, fetch(wave.pc), &stop))
			break;
	return stop;
}

} // namespace silicon
