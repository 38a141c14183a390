// SPDX-License-Identifier: MIT
/*
 * silicon.cc - the chip: its compute dies, what is beside them, and the loop that lets it all work.
 *
 * The loop passes over the engines at one moment of virtual time until nothing more happens there, then moves time to the
 * next moment at which something will: a packet's cost is over, a wave issues, a quantum ends. While waves run, time
 * moves in windows; held, a window that the slice's end has cut is finished before the engines look again, so that the same
 * inputs give the same trace however the host slices. Of several dies each passes through a window before the next one does.
 */
#include <new>

#include "isa/store.h"
#include "xcc.h"

using namespace silicon;

namespace {

constexpr u64 held_window = 256; /* cycles; also how late the micro engines may notice the end of a kernel */
constexpr u64 free_window = 2048;
constexpr unsigned passes_between_scans = 16;

constexpr u64 line(u64 bytes) { return (bytes + 63) & ~u64{63}; }

} // namespace

struct silicon_chip final : RegisterBus, SdmaClient {
	silicon_chip(const silicon_config &configuration, const Chip &chip_row) : config(configuration), chip(chip_row) {}

	void power(const silicon_ports &ports, void *context);
	void reset();

	u32 reg_read(u32 reg) override;
	void reg_write(u32 reg, u32 value) override;
	void sdma_fault(unsigned aid, unsigned space, u64 va, Access access) override
	{
		xccs[aid * HW_XCCS_OF_AID]->fabric.vm_fault(space, va, access);
	}
	void sdma_register_write(u32 reg, u32 value) override { reg_write(reg, value); }
	u32 sdma_register_read(u32 reg) override { return reg_read(reg); }

	silicon_run_result run(u64 until_ns);
	void apply_modes()
	{
		each_die([](Xcc &xcc) { xcc.apply_modes(); });
	}
	void hold(bool held);
	void trace(bool on);
	u64 counter(u32 n) const;

	/** The first compute die, the only one of most chips. */
	Xcc &first() { return *xccs[0]; }
	template <class F> void each_die(F &&f)
	{
		for (unsigned n = 0; n < chip.xccs; n++)
			f(*xccs[n]);
	}
	template <class F> u64 sum(F &&f) const
	{
		u64 all = 0;

		for (unsigned n = 0; n < chip.xccs; n++)
			all += f(static_cast<const Xcc &>(*xccs[n]));
		return all;
	}

	silicon_config config;
	Chip chip;
	Board board{};
	Clock clock{};
	InterruptHandler ih{};
	Sdma sdma{};
	Dies dies{};
	Xcc *xccs[max_xcc] = {}; /* behind the chip, each before the memory of its shader core */

private:
	Xcc &die_of(u32 *reg);
	Xcc &table_die();

	bool has_user_queues() const;
	template <class F> void look_at_dies(LookPoint &look, const Activity &activity, F &&f);
	void pass(Activity &activity, unsigned n);
	u64 next_event() const;
	bool idle() const
	{
		return !sum([](const Xcc &xcc) { return !xcc.shaders.idle(); });
	}
	void wake_up();
	bool advance(Activity &activity, u64 until_ns);
	RunState run_die(Xcc &xcc, const StopHook &stop, bool *preempts);
	RunState run_dies(const StopHook &stop, bool *preempts);
	bool run_window(Activity &activity, u64 until_ns);

	LookPoint control_look, queues_look;
	Activity broken;     /* what the look that a page has ended had found */
	u64 window_end = 0;  /* of the window that has been cut; 0: none */
	bool cut = false;    /* the last slice ended by its deadline or for a page, while the clock was held */
	bool resting = true; /* nothing was left to do when the last slice ended */
	u64 kernel_cycles = 0;
	u64 rested_cycles = 0;
	u32 flags = 0;
	u64 wall_until = 0;
};

void silicon_chip::power(const silicon_ports &ports, void *context)
{
	u8 *at = reinterpret_cast<u8 *>(this) + line(sizeof(silicon_chip));
	Memory *engines_memory[max_aids] = {};

	board.power(ports, context, config.doorbell_bytes);
	clock.start(&board, chip.shader_mhz, chip.reference_mhz);
	for (unsigned n = 0; n < chip.xccs; n++) {
		xccs[n] = new (at) Xcc();
		xccs[n]->power({.config = &config,
				.chip = &chip,
				.board = &board,
				.clock = &clock,
				.ih = &ih,
				.sdma = &sdma,
				.device = &first().registers,
				.bus = this,
				.dies = &dies,
				.interposer = xccs[n / HW_XCCS_OF_AID * HW_XCCS_OF_AID]},
			       n, at + line(sizeof(Xcc)));
		dies.die[n] = xccs[n]->cp.die();
		ih.connect_die(n, &xccs[n]->registers);
		engines_memory[n / HW_XCCS_OF_AID] = &xccs[n / HW_XCCS_OF_AID * HW_XCCS_OF_AID]->memory;
		at += Xcc::bytes(config, chip, n);
	}
	dies.count = chip.xccs;
	ih.connect(&board, &first().registers, &first().memory, chip.generation->facts.interrupt_bytes);
	sdma.connect(&board, &clock, engines_memory, &ih, this, chip.sdma);
	reset();
}

void silicon_chip::reset()
{
	board.fails(SILICON_FAULT_HIQ_STALL); /* a reset ends a stall */
	ih.reset();
	sdma.reset();
	each_die([](Xcc &xcc) { xcc.reset(); });
	window_end = 0;
	board.progress++;
}

void silicon_chip::trace(bool on)
{
	board.tracing = on;
	each_die([on](Xcc &xcc) { xcc.trace(on); });
}

/** An experiment that begins on an idle chip has the same times whatever ran before. */
void silicon_chip::hold(bool held)
{
	if (held && !clock.held()) {
		if (idle())
			each_die([](Xcc &xcc) { xcc.shaders.forget(); });
		if (!has_user_queues())
			each_die([](Xcc &xcc) { xcc.cp.forget(); });
	}
	clock.hold(held);
}

/** The die with the PASID table that IH_VMID_LUT_INDEX names. */
Xcc &silicon_chip::table_die()
{
	const u32 n = IH_XCC_OF_NODE(first().registers.at<mmIH_VMID_LUT_INDEX>());

	return n < chip.xccs ? *xccs[n] : first();
}

/** The die that a register is of, and its place there; what no other die has is the first one's. */
Xcc &silicon_chip::die_of(u32 *reg)
{
	const u32 n = *reg / HW_XCC_REGS, local = *reg % HW_XCC_REGS;

	if (*reg >= mmIH_VMID_0_LUT && *reg < mmIH_VMID_0_LUT_MM + vmids)
		return table_die();
	if (!n || n >= chip.xccs || !(hw_is_xcc_reg(local) || (hw_is_mmhub_reg(local) && n % HW_XCCS_OF_AID == 0)))
		return first();
	*reg = local;
	return *xccs[n];
}

u32 silicon_chip::reg_read(u32 reg)
{
	u32 value = 0;

	return sdma.read(reg, &value) ? value : die_of(&reg).read(reg);
}

void silicon_chip::reg_write(u32 reg, u32 value)
{
	if (sdma.write(reg, value))
		board.progress++;
	else
		die_of(&reg).write(reg, value);
}

bool silicon_chip::has_user_queues() const
{
	return sdma.any_mapped() || sum([](const Xcc &xcc) { return xcc.cp.has_user_queues(); });
}

template <class F> void silicon_chip::look_at_dies(LookPoint &look, const Activity &activity, F &&f)
{
	for (unsigned n = look.begin(); n < chip.xccs; n++) {
		f(*xccs[n]);
		if (activity.stops(clock)) {
			look.stop_at(n);
			return;
		}
	}
}

/** One look at everything, at the present moment; the slice's n-th. */
void silicon_chip::pass(Activity &activity, unsigned n)
{
	const u64 packets = board.counter(SILICON_COUNT_SDMA_PACKETS);

	activity.waits(ih.drain());
	if (n % passes_between_scans == 0) {
		each_die([&](Xcc &xcc) { xcc.cp.scan_doorbells(activity, n == 0); });
		sdma.scan_doorbells();
	}
	if (activity.stops(clock))
		return;
	look_at_dies(control_look, activity, [&](Xcc &xcc) { xcc.cp.step_control(activity); });
	if (!clock.running() || activity.stops(clock))
		return;
	look_at_dies(queues_look, activity, [&](Xcc &xcc) { xcc.cp.step_queues(activity); });
	if (activity.stops(clock))
		return;
	const Sdma::State state = sdma.run(board.cycle + 1);
	activity.need |= state.need;
	activity.poll |= state.poll;
	activity.at(state.next);
	if (state.busy || board.counter(SILICON_COUNT_SDMA_PACKETS) != packets) {
		activity.progress = true;
		board.progress++;
	}
}

u64 silicon_chip::next_event() const
{
	u64 next = ShaderCore::no_event;

	for (unsigned n = 0; n < chip.xccs; n++)
		next = min(next, xccs[n]->shaders.next_event());
	return next;
}

/** Lets a die's waves run to the window's end, or until the queues are to be preempted. */
RunState silicon_chip::run_die(Xcc &xcc, const StopHook &stop, bool *preempts)
{
	const RunState state = xcc.shaders.run(board.cycle, window_end, stop);
	const bool breaks = xcc.shaders.at_break();

	if (breaks) {
		each_die([](Xcc &other) { other.cp.hws().preempt(); });
		xcc.shaders.break_after(board.mode(SILICON_MODE_PREEMPT));
	}
	xcc.reached = state.reached;
	*preempts |= breaks;
	return state;
}

/** All dies; one that has come to the window's end waits for the others. A preemption, too, waits for them. */
RunState silicon_chip::run_dies(const StopHook &stop, bool *preempts)
{
	RunState all = {window_end, false, false};

	if (chip.xccs == 1)
		return run_die(first(), stop, preempts);
	for (unsigned n = 0; n < chip.xccs && !all.expired; n++) {
		bool breaks = xccs[n]->reached < window_end;

		while (breaks) {
			breaks = false;
			const RunState state = run_die(*xccs[n], stop, &breaks);
			all.expired |= state.expired;
			all.need |= state.need;
			breaks = breaks && state.reached < window_end && !state.expired && !state.need;
		}
	}
	each_die([&all](const Xcc &xcc) { all.reached = min(all.reached, xcc.reached); });
	return all;
}

/** Lets waves run to the window's end. false: the slice must end here. */
bool silicon_chip::run_window(Activity &activity, u64 until_ns)
{
	struct Deadline {
		silicon_chip *chip;
		u64 until_ns;
	} deadline = {this, until_ns};
	const StopHook stop = {
		.expired =
			[](void *context) {
				const Deadline &d = *static_cast<Deadline *>(context);
				return d.chip->board.wall_ns() >= d.until_ns;
			},
		.context = &deadline,
	};
	const u64 from = board.cycle;
	bool preempts = false;
	const RunState state = run_dies(stop, &preempts);

	activity.need |= state.need;
	board.progress++;
	if (state.reached >= window_end) {
		clock.advance(window_end);
		kernel_cycles += board.cycle - from;
		window_end = 0;
		return true;
	}
	if (chip.xccs == 1 && (!clock.held() || preempts)) { /* the trace need not be repeatable: look at the queues in between */
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
	const u64 event = next_event();
	const bool waves = event != ShaderCore::no_event;
	const u64 limit = clock.limit();
	const u64 next = min(activity.next, event);

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
	const u64 begin = max(board.cycle, event), base = first().shaders.base();
	const bool whole = clock.held() || chip.xccs > 1; /* a window is not left before its end: it is a short one */

	window_end = min(min(activity.next, limit), whole ? base + ((begin - base) / held_window + 1) * held_window : begin + free_window);
	window_end = max(window_end, board.cycle + 1);
	return run_window(activity, until_ns);
}

/** After a rest: time catches up with the wall clock. */
void silicon_chip::wake_up()
{
	const u64 before = board.cycle;

	if (resting)
		clock.rebase();
	rested_cycles += board.cycle - before;
}

silicon_run_result silicon_chip::run(u64 until_ns)
{
	Activity activity;
	bool late = false, advanced = false;

	flags = 0;
	wall_until = 0;
	/* Memory may have changed: what waits looks again. But a held chip's slice that was cut goes on as if it had not been. */
	if (!cut)
		board.progress++;
	wake_up();
	for (unsigned n = 0;; n++) {
		activity = broken;
		broken = {};
		if (window_end && clock.running() && !run_window(activity, until_ns)) {
			late = board.wall_ns() >= until_ns;
			break;
		}
		pass(activity, n);
		late = board.wall_ns() >= until_ns;
		if (clock.events_reached())
			clock.check_step(false);
		/* However slow the host, a slice moves time once; however endless the work, it ends after its deadline. */
		if (activity.stops(clock)) {
			broken = activity;
			broken.need = false;
			break;
		}
		if (late && (activity.progress || advanced))
			break;
		if (activity.progress)
			continue;
		if (!advance(activity, until_ns)) {
			late = false; /* not cut: nothing more can happen now */
			break;
		}
		advanced = true;
	}
	late |= window_end != 0 && !activity.need && clock.running();
	const bool left = activity.progress || activity.next != ~u64{0} || next_event() != ShaderCore::no_event;
	if (!late && clock.held() && !activity.need)
		clock.check_step(!left);
	if (has_user_queues())
		flags |= SILICON_RUN_QUEUES;
	if (activity.need)
		flags |= SILICON_RUN_NEED;
	if (activity.poll)
		flags |= SILICON_RUN_POLL;
	if (!idle() && clock.running())
		flags |= SILICON_RUN_KERNELS;
	if (!clock.running())
		flags |= SILICON_RUN_STANDS;
	/* Cut while something got on: also a held chip's scheduler must be called again. */
	if (activity.progress || (clock.running() && !(flags & (SILICON_RUN_AHEAD | SILICON_RUN_NEED)) && left))
		flags |= SILICON_RUN_BUSY;
	cut = clock.held() && (late || activity.need);
	resting = !left;
	return {.flags = flags, .wall_until = wall_until};
}

u64 silicon_chip::counter(u32 n) const
{
	switch (n) {
	case SILICON_COUNT_INSTRUCTIONS: return sum([](const Xcc &xcc) { return xcc.shaders.counters().instructions; });
	case SILICON_COUNT_WAVES: return sum([](const Xcc &xcc) { return xcc.shaders.counters().waves; });
	case SILICON_COUNT_WORKGROUPS: return sum([](const Xcc &xcc) { return xcc.shaders.counters().workgroups; });
	case SILICON_COUNT_SAVED_WAVES: return sum([](const Xcc &xcc) { return xcc.shaders.counters().saved_waves; });
	case SILICON_COUNT_RESTORED_WAVES: return sum([](const Xcc &xcc) { return xcc.shaders.counters().restored_waves; });
	case SILICON_COUNT_VALU_CYCLES: return sum([](const Xcc &xcc) { return xcc.shaders.counted(SILICON_KERNEL_VALU_CYCLES); });
	case SILICON_COUNT_VMEM_CYCLES: return sum([](const Xcc &xcc) { return xcc.shaders.counted(SILICON_KERNEL_VMEM_CYCLES); });
	case SILICON_COUNT_LDS_CYCLES: return sum([](const Xcc &xcc) { return xcc.shaders.counted(SILICON_KERNEL_LDS_CYCLES); });
	case SILICON_COUNT_MEMORY_LINES:
		return sum([](const Xcc &xcc) { return xcc.shaders.lines().l2_lines - xcc.shaders.lines().l2_hits; });
	case SILICON_COUNT_KERNEL_CYCLES: return kernel_cycles;
	case SILICON_COUNT_AWAKE_CYCLES: return board.cycle - rested_cycles;
	case SILICON_COUNT_L2_CYCLES: return sum([](const Xcc &xcc) { return xcc.shaders.l2_cycles(); });
	case SILICON_COUNT_VALU: return sum([](const Xcc &xcc) { return xcc.shaders.counted(SILICON_KERNEL_VALU); });
	case SILICON_COUNT_SCALAR: return sum([](const Xcc &xcc) { return xcc.shaders.counted(SILICON_KERNEL_SCALAR); });
	case SILICON_COUNT_BRANCH: return sum([](const Xcc &xcc) { return xcc.shaders.counted(SILICON_KERNEL_BRANCH); });
	case SILICON_COUNT_VMEM: return sum([](const Xcc &xcc) { return xcc.shaders.counted(SILICON_KERNEL_VMEM); });
	case SILICON_COUNT_LDS: return sum([](const Xcc &xcc) { return xcc.shaders.counted(SILICON_KERNEL_LDS); });
	case SILICON_COUNT_L1_LINES: return sum([](const Xcc &xcc) { return xcc.shaders.lines().l1_lines; });
	case SILICON_COUNT_L1_HITS: return sum([](const Xcc &xcc) { return xcc.shaders.lines().l1_hits; });
	case SILICON_COUNT_L2_LINES: return sum([](const Xcc &xcc) { return xcc.shaders.lines().l2_lines; });
	case SILICON_COUNT_WAVE_CYCLES: return sum([](const Xcc &xcc) { return xcc.shaders.counters().wave_cycles; });
	case SILICON_COUNT_WAVES_NOW: return sum([](const Xcc &xcc) { return xcc.shaders.counters().waves_now; });
	}
	return board.counter(n);
}

/* ---- The pins ---- */

extern "C" bool silicon_runs_here(void) { return engine_variant(0); }

extern "C" u64 silicon_size(const silicon_config *config)
{
	const Chip *chip = find_chip(config->chip);

	if (!chip || !possible(*chip, *config))
		return 0;
	u64 bytes = line(sizeof(silicon_chip));
	for (unsigned n = 0; n < chip->xccs; n++)
		bytes += Xcc::bytes(*config, *chip, n);
	return bytes;
}

extern "C" silicon_chip *silicon_init(void *memory, const silicon_config *config, const silicon_ports *ports, void *context)
{
	const Chip *chip = find_chip(config->chip);

	if (!chip || !possible(*chip, *config))
		return nullptr;
	silicon_chip *s = new (memory) silicon_chip(*config, *chip);
	s->power(*ports, context);
	return s;
}

extern "C" void silicon_reset(silicon_chip *s) { s->reset(); }

extern "C" u32 silicon_reg_read(silicon_chip *s, u32 reg) { return s->reg_read(reg); }

extern "C" void silicon_reg_write(silicon_chip *s, u32 reg, u32 value) { s->reg_write(reg, value); }

extern "C" void silicon_host_pages_gone(silicon_chip *s)
{
	s->each_die([](Xcc &xcc) {
		xcc.tlb.flush_all();
		xcc.shaders.flush_instructions();
	});
}

extern "C" silicon_run_result silicon_run(silicon_chip *s, u64 until_ns) { return s->run(until_ns); }

extern "C" void silicon_bench_hold(silicon_chip *s, bool held)
{
	s->hold(held);
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

	if (vmid >= vmids || s->first().vm.translate(vmid, va, &place) != Mem::Ok)
		return false;
	*out = place.address;
	*is_bus = place.bus;
	return true;
}
