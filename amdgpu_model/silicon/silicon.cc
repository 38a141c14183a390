// SPDX-License-Identifier: MIT
/*
 * silicon.cc - the chip: its blocks, and the loop that lets it work. What a register write sets in motion the blocks know.
 *
 * The loop passes over the engines at one moment of virtual time until nothing more happens there, then moves time to the
 * next moment at which something will: a packet's cost is over, a wave issues, a quantum ends. While waves run, time
 * moves in windows; held, a window that the slice's end has cut is finished before the engines look again, so that the same
 * inputs give the same trace however the host slices.
 */
#include <new>

#include "chips.h"
#include "cp/cp.h"
#include "sdma/sdma.h"
#include "shader/shader_core.h"

using namespace silicon;

namespace {

constexpr u64 held_window = 256;	/* cycles; also how late the micro engines may notice the end of a kernel */
constexpr u64 free_window = 2048;
constexpr unsigned passes_between_scans = 16;

constexpr u64 line(u64 bytes) { return (bytes + 63) & ~u64{63}; }

} // namespace

struct silicon_chip final : RegisterBus, SdmaClient {
	silicon_chip(const silicon_config &configuration, const Chip &chip_row) : config(configuration), chip(chip_row) {}

	void power(const silicon_ports &ports, void *context, void *shader_memory);
	void reset();

	u32 reg_read(u32 reg) override;
	void reg_write(u32 reg, u32 value) override;
	void sdma_fault(unsigned, unsigned, unsigned space, u64 va, Access access) override { fabric.vm_fault(space, va, access); }
	void sdma_register_write(u32 reg, u32 value) override { reg_write(reg, value); }
	u32 sdma_register_read(u32 reg) override { return reg_read(reg); }

	silicon_run_result run(u64 until_ns);
	void apply_modes();
	void trace(bool on);
	u64 counter(u32 n) const;

	silicon_config config;
	Chip chip;
	void *shader_memory = nullptr;
	Board board;
	Clock clock;
	RegisterFile registers;
	Gpuvm vm;
	Tlb tlb;
	Memory memory;
	InterruptHandler ih;
	Fabric fabric = {};
	CommandProcessor cp;
	Sdma sdma;
	ShaderCore shaders;

private:
	void wrote(const RegisterAccess &access);
	u32 inactive(u32 cus) const;

	bool has_user_queues() const;
	void pass(Activity &activity, unsigned n);
	bool advance(Activity &activity, u64 until_ns);
	bool run_window(Activity &activity, u64 until_ns);

	u64 window_end = 0;	/* of the window that has been cut; 0: none */
	bool resting = true;	/* nothing was left to do when the last slice ended */
	u64 kernel_cycles = 0;
	u32 flags = 0;
	u64 wall_until = 0;
};

void silicon_chip::power(const silicon_ports &ports, void *context, void *memory_of_shaders)
{
	shader_memory = memory_of_shaders;
	board.power(ports, context, config.doorbell_bytes);
	clock.start(&board, chip.shader_mhz);
	registers.power(chip.generation->registers);
	vm.connect(&board, &registers, &tlb, config.vram_bytes, chip.generation->gfx7_hub, chip.generation->clear_fault);
	tlb.connect(&vm);
	memory.connect(&tlb);
	ih.connect(&board, &registers, &memory, chip.generation->facts.interrupt_bytes);
	fabric = {&board, &clock, &registers, this, &vm, &tlb, &memory, &ih, &chip};
	cp.connect(&fabric, &shaders, &sdma);
	sdma.connect(&board, &clock, &memory, &ih, this, chip.sdma);
	reset();
}

void silicon_chip::reset()
{
	ShaderLimits limits;

	board.fails(SILICON_FAULT_HIQ_STALL);	/* a reset ends a stall */
	limits.shader_engines = chip.shader_engines;
	limits.cu = cu_limits(chip.generation->isa);
	limits.cu.leftovers = config.leftovers;
	limits.arrays_per_engine = chip.arrays_per_engine;
	limits.memory = chip.generation->memory;
	limits.memory.memory_line_q8 = chip.memory_line_q8;
	registers.reset();
	registers.at<mmGB_ADDR_CONFIG>() = chip.gb_addr_config;
	registers.at<mmGB_ADDR_CONFIG_READ>() = chip.gb_addr_config;
	registers.at<mmRCC_CONFIG_MEMSIZE>() = static_cast<u32>(config.vram_bytes >> 20);
	for (unsigned se = 0; se < chip.shader_engines; se++)
		for (unsigned sh = 0; sh < chip.arrays_per_engine; sh++)
			registers.at<mmCC_GC_SHADER_ARRAY_CONFIG>(se * SILICON_MAX_SH + sh) =
				inactive(config.cu_bitmap[se][sh]) << 16;
	ih.reset();
	cp.reset();
	sdma.reset();
	shaders.init(config, limits, shader_memory, &tlb, &cp.answers());
	apply_modes();
	shaders.set_realtime(0, 0, (u32{chip.shader_mhz} << 16) / reference_mhz);
	trace(board.tracing);
	tlb.flush_all();
	window_end = 0;
	board.progress++;
}

void silicon_chip::trace(bool on)
{
	TraceHook hook;

	board.tracing = on;
	if (on || clock.held()) {
		hook.context = this;
		hook.event = [](void *context, const silicon_trace_event &event) {
			Board &b = static_cast<silicon_chip *>(context)->board;
			b.trace_at(event.cycle, static_cast<silicon_trace_kind>(event.kind), event.vmid, event.where, event.a, event.b);
		};
	}
	shaders.set_trace(hook);
}

/* A WGP is inactive if both of its CUs are. */
u32 silicon_chip::inactive(u32 cus) const
{
	const unsigned per_bit = chip.generation->facts.cus_per_bit;
	u32 mask = 0;

	for (unsigned n = 0; n * per_bit < chip.cus_per_array; n++)
		if (!(cus >> n * per_bit & ((1u << per_bit) - 1)))
			mask |= 1u << n;
	return mask;
}

u32 silicon_chip::reg_read(u32 reg)
{
	u32 value = 0;

	if (sdma.read(reg, &value))
		return value;
	const RegisterAccess access = registers.read(board, reg);
	if (shaders.read(registers, access, &value) || vm.read(access, &value))
		return value;
	return access.value;
}

void silicon_chip::reg_write(u32 reg, u32 value)
{
	if (sdma.write(reg, value)) {
		board.progress++;
		return;
	}
	const RegisterAccess access = registers.write(board, reg, value);
	if (access.known)
		wrote(access);
}

/* Some registers concern several blocks: each looks at all of them. */
void silicon_chip::wrote(const RegisterAccess &access)
{
	vm.wrote(access);
	shaders.wrote(access);
	cp.wrote(access);
	ih.wrote(access);
}

bool silicon_chip::has_user_queues() const
{
	return sdma.any_mapped() || cp.has_user_queues();
}

/** One look at everything, at the present moment; the slice's n-th. */
void silicon_chip::pass(Activity &activity, unsigned n)
{
	const u64 packets = board.counter(SILICON_COUNT_SDMA_PACKETS);

	activity.waits(ih.drain());
	if (n % passes_between_scans == 0) {
		cp.scan_doorbells(activity, n == 0);
		sdma.scan_doorbells();
	}
	cp.step_control(activity);
	if (!clock.running())
		return;
	cp.step_queues(activity);
	const Sdma::State state = sdma.run(board.cycle + 1);
	activity.need |= state.need;
	activity.poll |= state.poll;
	activity.at(state.next);
	if (state.busy || board.counter(SILICON_COUNT_SDMA_PACKETS) != packets) {
		activity.progress = true;
		board.progress++;
	}
}

/** Modes are properties of the shader core. */
void silicon_chip::apply_modes()
{
	shaders.ignore_priorities(board.mode(SILICON_MODE_SQ_IGNORES_PRIORITY));
	shaders.set_functional(board.mode(SILICON_MODE_NO_TIMING));
	shaders.set_run_ahead(!board.mode(SILICON_MODE_NO_RUN_AHEAD));
	shaders.break_after(board.mode(SILICON_MODE_PREEMPT));
}

/** Lets waves run to the window's end. false: the slice must end here. */
bool silicon_chip::run_window(Activity &activity, u64 until_ns)
{
	struct Deadline {
		silicon_chip *chip;
		u64 until_ns;
	} deadline = {this, until_ns};
	const StopHook stop = {
		.expired = [](void *context) {
			const Deadline &d = *static_cast<Deadline *>(context);
			return d.chip->board.wall_ns() >= d.until_ns;
		},
		.context = &deadline,
	};
	const u64 from = board.cycle;
	const RunState state = shaders.run(board.cycle, window_end, stop);
	const bool preempts = shaders.at_break();

	if (preempts) {
		cp.hws().preempt();
		shaders.break_after(board.mode(SILICON_MODE_PREEMPT));
	}

	activity.need |= state.need;
	board.progress++;
	if (state.reached >= window_end) {
		clock.advance(window_end);
		kernel_cycles += board.cycle - from;
		window_end = 0;
		return true;
	}
	if (!clock.held() || preempts) {	/* the trace need not be repeatable: look at the queues in between */
		clock.advance(state.reached);
		kernel_cycles += board.cycle - from;
		window_end = 0;
		return !state.expired && !state.need;
	}
	return false;
}

/** Moves time on. false: there is nothing to move to, or not now. */
bool silicon_chip::advance(Activity &activity, u64 until_ns)
{
	const bool waves = shaders.next_event() != ShaderCore::no_event;
	const u64 limit = clock.limit();
	const u64 next = min(activity.next, shaders.next_event());

	if (next == ~u64{0} || !clock.running())
		return false;
	if (limit <= board.cycle || next > limit) {
		if (!clock.held()) {
			flags |= SILICON_RUN_AHEAD;
			wall_until = clock.wall_ns_of(max(next, board.cycle + 1));
		} else if (clock.step_kind() == SILICON_STEP_CYCLE && limit > board.cycle) {
			if (waves) {
				window_end = limit;
				return run_window(activity, until_ns);
			}
			clock.advance(limit);
		}
		return false;
	}
	if (!waves) {
		/* A clock that is behind the wall's would leap over the preemption's own time limit. */
		if (activity.saving)
			return false;
		clock.advance(next);
		return true;
	}
	/* Held, windows end where they would whatever the first event was: how far waves are ahead must not show. */
	const u64 begin = max(board.cycle, shaders.next_event()), base = shaders.base();

	window_end = min(min(activity.next, limit), clock.held() ? base + ((begin - base) / held_window + 1) * held_window : begin + free_window);
	window_end = max(window_end, board.cycle + 1);
	return run_window(activity, until_ns);
}

silicon_run_result silicon_chip::run(u64 until_ns)
{
	Activity activity;
	bool late = false, advanced = false;

	flags = 0;
	wall_until = 0;
	board.progress++;	/* memory may have changed: what waits looks again */
	if (resting)
		clock.rebase();
	for (unsigned n = 0;; n++) {
		activity = {};
		if (window_end && clock.running() && !run_window(activity, until_ns)) {
			late = board.wall_ns() >= until_ns;
			break;
		}
		pass(activity, n);
		late = board.wall_ns() >= until_ns;
		if (clock.events_reached())
			clock.check_step(false);
		/* However slow the host, a slice moves time once; however endless the work, it ends after its deadline. */
		if (late && (activity.progress || advanced))
			break;
		if (activity.progress)
			continue;
		if (!advance(activity, until_ns)) {
			late = false;	/* not cut: nothing more can happen now */
			break;
		}
		advanced = true;
	}
	late |= window_end != 0 && !activity.need && clock.running();
	const bool left = activity.progress || activity.next != ~u64{0} || shaders.next_event() != ShaderCore::no_event;
	if (!late && clock.held() && !activity.need)
		clock.check_step(!left);
	if (has_user_queues())
		flags |= SILICON_RUN_QUEUES;
	if (activity.need)
		flags |= SILICON_RUN_NEED;
	if (activity.poll)
		flags |= SILICON_RUN_POLL;
	if (!shaders.idle() && clock.running())
		flags |= SILICON_RUN_KERNELS;
	/* Cut while something got on: also a held chip's scheduler must be called again. */
	if (activity.progress || (clock.running() && !(flags & (SILICON_RUN_AHEAD | SILICON_RUN_NEED)) && left))
		flags |= SILICON_RUN_BUSY;
	resting = !left;
	return {.flags = flags, .wall_until = wall_until};
}

u64 silicon_chip::counter(u32 n) const
{
	const ShaderCounters counters = shaders.counters();

	switch (n) {
	case SILICON_COUNT_INSTRUCTIONS:
		return counters.instructions;
	case SILICON_COUNT_WAVES:
		return counters.waves;
	case SILICON_COUNT_WORKGROUPS:
		return counters.workgroups;
	case SILICON_COUNT_SAVED_WAVES:
		return counters.saved_waves;
	case SILICON_COUNT_RESTORED_WAVES:
		return counters.restored_waves;
	case SILICON_COUNT_VALU_CYCLES:
		return shaders.busy(Unit::Valu);
	case SILICON_COUNT_VMEM_CYCLES:
		return shaders.busy(Unit::Vmem);
	case SILICON_COUNT_LDS_CYCLES:
		return shaders.busy(Unit::Lds);
	case SILICON_COUNT_MEMORY_LINES:
		return shaders.memory_lines();
	case SILICON_COUNT_KERNEL_CYCLES:
		return kernel_cycles;
	case SILICON_COUNT_L2_CYCLES:
		return shaders.l2_cycles();
	}
	return board.counter(n);
}

/* ---- The pins ---- */

extern "C" u64 silicon_size(const silicon_config *config)
{
	const Chip *chip = find_chip(config->chip);

	if (!chip || !possible(*chip, *config))
		return 0;
	return line(sizeof(silicon_chip)) + ShaderCore::memory_size(*config, cu_limits(chip->generation->isa));
}

extern "C" silicon_chip *silicon_init(void *memory, const silicon_config *config, const silicon_ports *ports, void *context)
{
	const Chip *chip = find_chip(config->chip);

	if (!chip || !possible(*chip, *config))
		return nullptr;
	silicon_chip *s = new (memory) silicon_chip(*config, *chip);
	s->power(*ports, context, static_cast<u8 *>(memory) + line(sizeof(silicon_chip)));
	return s;
}

extern "C" void silicon_reset(silicon_chip *s) { s->reset(); }

extern "C" u32 silicon_reg_read(silicon_chip *s, u32 reg) { return s->reg_read(reg); }

extern "C" void silicon_reg_write(silicon_chip *s, u32 reg, u32 value) { s->reg_write(reg, value); }

extern "C" void silicon_host_pages_gone(silicon_chip *s)
{
	s->tlb.flush_all();
	s->shaders.flush_instructions();
}

extern "C" silicon_run_result silicon_run(silicon_chip *s, u64 until_ns) { return s->run(until_ns); }

extern "C" void silicon_bench_hold(silicon_chip *s, bool held)
{
	s->clock.hold(held);
	s->trace(s->board.tracing);
}

extern "C" void silicon_bench_step(silicon_chip *s, u32 until, u64 argument) { s->clock.step(until, argument); }

extern "C" bool silicon_bench_stepping(const silicon_chip *s) { return s->clock.stepping(); }

extern "C" u64 silicon_bench_now(const silicon_chip *s) { return s->board.cycle; }

extern "C" void silicon_bench_trace(silicon_chip *s, bool on) { s->trace(on); }

extern "C" u64 silicon_bench_counter(const silicon_chip *s, u32 counter) { return s->counter(counter); }

extern "C" void silicon_bench_inject(silicon_chip *s, u32 fault, u32 count)
{
	if (fault >= SILICON_FAULTS)
		return;
	s->board.inject(fault, count);
	s->apply_modes();
}

extern "C" bool silicon_bench_translate(silicon_chip *s, u32 vmid, u64 va, u64 *out, bool *is_bus)
{
	Place place;

	if (vmid >= vmids || s->vm.translate(vmid, va, &place) != Mem::Ok)
		return false;
	*out = place.address;
	*is_bus = place.bus;
	return true;
}
