// SPDX-License-Identifier: MIT
/* xcc.cc - power-on of a compute die, and accesses to its registers. What a write sets in motion the blocks know. */
#include "xcc.h"

namespace silicon {

namespace {

constexpr u64 line(u64 bytes) { return (bytes + 63) & ~u64{63}; }

} // namespace

u64 Xcc::bytes(const silicon_config &config, const Chip &chip, unsigned number)
{
	return line(sizeof(Xcc)) + line(ShaderCore::memory_size(config, cu_limits(chip.generation->isa), number));
}

void Xcc::power(const Wires &wires, unsigned number, void *shader_memory)
{
	const Generation &generation = *wires.chip->generation;

	wires_ = wires;
	number_ = static_cast<u8>(number);
	shader_memory_ = shader_memory;
	registers.power(generation.registers);
	vm.connect(wires.board, &registers, &wires.interposer->registers, &tlb, wires.config->vram_bytes, generation.gfx7_hub,
		   generation.clear_fault);
	tlb.connect(&vm);
	memory.connect(&tlb, this);
	fabric = {wires.board, wires.clock, &registers, wires.device, this,   &vm,
		  &tlb,	       &memory,	    wires.ih,	wires.chip,   number, &wires.interposer->fabric};
	cp.connect(&fabric, &shaders, wires.sdma, wires.dies);
}

void Xcc::reset()
{
	const Chip &chip = *wires_.chip;
	ShaderLimits limits;

	limits.xcc = number_;
	limits.shader_engines = chip.shader_engines;
	limits.cu = cu_limits(chip.generation->isa);
	limits.cu.leftovers = wires_.config->leftovers;
	limits.arrays_per_engine = chip.arrays_per_engine;
	limits.memory = chip.generation->memory;
	limits.memory.memory_line_q8 = chip.memory_line_q8;
	registers.reset();
	registers.at<mmGB_ADDR_CONFIG>() = chip.gb_addr_config;
	registers.at<mmGB_ADDR_CONFIG_READ>() = chip.gb_addr_config;
	registers.at<mmRCC_CONFIG_MEMSIZE>() = static_cast<u32>(wires_.config->vram_bytes >> 20);
	for (unsigned se = 0; se < chip.shader_engines; se++)
		for (unsigned sh = 0; sh < chip.arrays_per_engine; sh++)
			registers.at<mmCC_GC_SHADER_ARRAY_CONFIG>(se * SILICON_MAX_SH +
								  sh) = inactive(wires_.config->cu_bitmap[number_][se][sh]) << 16;
	cp.reset();
	shaders.init(*wires_.config, limits, shader_memory_, &tlb, &cp.answers());
	apply_modes();
	shaders.set_realtime(0, 0, (u32{chip.shader_mhz} << 16) / chip.reference_mhz);
	trace(wires_.board->tracing);
	tlb.flush_all();
	reached = 0;
}

void Xcc::trace(bool on)
{
	TraceHook hook;

	if (on || wires_.clock->held()) {
		hook.context = this;
		hook.event = [](void *context, const silicon_trace_event &event) {
			const Xcc &xcc = *static_cast<Xcc *>(context);
			xcc.wires_.board->trace_at(event.cycle, static_cast<silicon_trace_kind>(event.kind), event.vmid,
						   u32{xcc.number_} << 16 | event.where, event.a, event.b);
		};
	}
	shaders.set_trace(hook);
}

void Xcc::apply_modes()
{
	const Board &board = *wires_.board;

	shaders.ignore_priorities(board.mode(SILICON_MODE_SQ_IGNORES_PRIORITY));
	shaders.set_functional(board.mode(SILICON_MODE_NO_TIMING));
	shaders.set_run_ahead(!board.mode(SILICON_MODE_NO_RUN_AHEAD));
	shaders.break_after(board.mode(SILICON_MODE_PREEMPT));
}

/* A WGP is inactive if both of its CUs are. */
u32 Xcc::inactive(u32 cus) const
{
	const unsigned per_bit = wires_.chip->generation->facts.cus_per_bit;
	u32 mask = 0;

	for (unsigned n = 0; n * per_bit < wires_.chip->cus_per_array; n++)
		if (!(cus >> n * per_bit & ((1u << per_bit) - 1)))
			mask |= 1u << n;
	return mask;
}

u32 Xcc::reg_read(u32 reg) { return is_own(reg) ? read(reg) : wires_.bus->reg_read(reg); }

void Xcc::reg_write(u32 reg, u32 value) { is_own(reg) ? write(reg, value) : wires_.bus->reg_write(reg, value); }

/* A VMID of the MMHUB is of either die on the interposer die: what one of them forbids holds. */
Mem Xcc::retry_fault(unsigned space, u64 va, Access access)
{
	const unsigned other = number_ ^ 1u;

	if (space >= mmhub_space && other < wires_.dies->count && wires_.dies->die[other].fabric->retry_disabled(space - mmhub_space))
		return Mem::Fault;
	return fabric.retry_fault(space, va, access) == Mem::Fault ? Mem::Fault : Mem::Need;
}

u32 Xcc::read(u32 reg)
{
	u32 value = 0;

	const RegisterAccess access = registers.read(*wires_.board, reg);
	if (shaders.read(registers, access, &value) || Gpuvm::read(access, &value))
		return value;
	return access.value;
}

/* Some registers concern several blocks: each looks at all of them. */
void Xcc::write(u32 reg, u32 value)
{
	const RegisterAccess access = registers.write(*wires_.board, reg, value);

	if (!access.known)
		return;
	vm.wrote(access);
	shaders.wrote(access);
	cp.wrote(access);
	wires_.ih->wrote(access);
}

} // namespace silicon
