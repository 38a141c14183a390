// SPDX-License-Identifier: MIT
/*
 * bench_isa.cc - wave-instructions a second of the engine alone, one wave on one core; host/... is the same work as C that
 * clang -O2 has compiled for this machine (bench_host.c), counted in the same instructions.
 *
 *	bench_isa --benchmark_counters_tabular=true
 *
 * ISA_UNIT=n takes the host's n-th best execution unit instead of the best (0). items_per_second counts wave64 instructions, cycles the
 * host's time stamp cycles an instruction.
 */
#include <benchmark/benchmark.h>
#include <x86intrin.h>

#include <cstdlib>

#include "bench_host.h"
#include "program.h"

namespace {

using namespace isa_test;

/** Runs a code loop for the whole measurement; the loop never ends by itself. */
void run_loop(benchmark::State &state, Machine &m, std::vector<u32> body)
{
	const u32 back = static_cast<u32>(-static_cast<int>(body.size()) - 1) & 0xffff;

	const char *unit = std::getenv("ISA_UNIT");

	body.push_back(0xbf820000 | back); /* s_branch to the top */
	m.choose_variant(unit ? static_cast<unsigned>(std::atoi(unit)) : 0);
	m.load(body);
	constexpr u32 slice = 100'000;
	u64 instructions = 0, cycles = 0;
	for (auto _ : state) {
		const u64 start = __rdtsc();
		const silicon::StopInfo stop = m.run(slice);

		cycles += __rdtsc() - start;
		if (stop.why != silicon::Stop::Budget) {
			state.SkipWithError("wave stopped");
			break;
		}
		instructions += slice;
	}
	state.SetItemsProcessed(static_cast<int64_t>(instructions));
	state.counters["cycles"] = static_cast<double>(cycles) / static_cast<double>(instructions ? instructions : 1);
}

void fill(Machine &m)
{
	for (unsigned r = 0; r < 32; r++)
		for (unsigned lane = 0; lane < 64; lane++) {
			const float f = 1.0f + static_cast<float>(lane) / 64;
			std::memcpy(&m.v(r, lane), &f, 4);
		}
}

void valu_add(benchmark::State &state)
{
	Machine m;
	fill(m);
	run_loop(state, m, std::vector<u32>(32, 0x68020702)); /* v_add_u32_e32 v1, v2, v3 */
}
BENCHMARK(valu_add);

void valu_mixed(benchmark::State &state)
{
	Machine m;
	std::vector<u32> body;

	fill(m);
	for (u32 i = 0; i < 8; i++) {
		body.insert(body.end(),
			    {0x68020702u + (i << 17), 0x02020702u + (i << 17), 0x24020682u + (i << 17), 0x0a020702u + (i << 17)});
	}
	for (u32 &w : body) /* all sources are VGPRs from here on */
		if ((w & 0x1ff) < 0x80)
			w |= 0x100;
	run_loop(state, m, body);
}
BENCHMARK(valu_mixed);

void valu_fma(benchmark::State &state)
{
	Machine m;
	std::vector<u32> body;

	fill(m);
	for (u32 i = 0; i < 16; i++)
		body.insert(body.end(), {0x76020702u | 0x100 | i << 17}); /* v_fmac_f32_e32 */
	run_loop(state, m, body);
}
BENCHMARK(valu_fma);

void divergent(benchmark::State &state)
{
	Machine m;
	std::vector<u32> body;

	fill(m);
	for (u32 i = 0; i < 8; i++)
		body.insert(body.end(), {0xbefe0104, 0x68020702u | 0x100 | i << 17, 0xbefe0106, 0x02020702u | 0x100 | i << 17});
	m.s(4) = 0x55555555;
	m.s(5) = 0x0f0f0f0f;
	m.s(6) = 0xaaaa0000;
	m.s(7) = 0xff;
	run_loop(state, m, body);
}
BENCHMARK(divergent);

void scalar(benchmark::State &state)
{
	Machine m;
	run_loop(state, m, std::vector<u32>(32, 0x80040602)); /* s_add_u32 s4, s2, s6 */
}
BENCHMARK(scalar);

void lds_read(benchmark::State &state)
{
	Machine m;
	std::vector<u32> body;

	for (unsigned lane = 0; lane < 64; lane++)
		m.v(2, lane) = lane * 4;
	for (u32 i = 0; i < 16; i++)
		body.insert(body.end(), {0xd86c0000, 0x04000002 + (i << 24)});
	run_loop(state, m, body);
}
BENCHMARK(lds_read);

/** Inner loop of an LDS matrix product: four steps of k are a row read, two column reads and four v_fmac_f32. */
void lds_matmul(benchmark::State &state)
{
	Machine m;
	std::vector<u32> body;

	fill(m);
	for (unsigned lane = 0; lane < 64; lane++) {
		m.v(2, lane) = lane / 16 * 64;
		m.v(3, lane) = 4096 + lane % 16 * 4;
	}
	for (u32 i = 0; i < 4; i++) {
		body.insert(body.end(), {0xd9fe0000 | i * 16, 0x08000002}); /* ds_read_b128 v[8:11], v2 */
		body.insert(body.end(), {0xd86e1000, 0x0c000003});	    /* ds_read2_b32 v[12:13], v3 offset1:16 */
		body.insert(body.end(), {0xd86e3020, 0x0e000003});	    /* ds_read2_b32 v[14:15], v3 offset0:32 offset1:48 */
		body.push_back(0xbf8cc07f);				    /* s_waitcnt lgkmcnt(0) */
		for (u32 k = 0; k < 4; k++)
			body.push_back(0x76000000 | 20 << 17 | (12 + k) << 9 | 0x100 | (8 + k));
	}
	run_loop(state, m, body);
}
BENCHMARK(lds_matmul);

/** The instructions of vector add: two loads, add, store, addresses and loop control. */
void vector_add(benchmark::State &state)
{
	Machine m;
	/* global_load_dword v4, v[2:3], off; global_load_dword v5, v[2:3], off offset:1024; s_waitcnt; v_add_f32 v4, v4, v5;
	   global_store_dword v[2:3], v4, off offset:2048; s_add_u32 s4, s4, 1; v_add_u32 v6, v6, v5 */
	const std::vector<u32> body = {0xdc508000,	   0x047f0002, 0xdc508400, 0x057f0002, 0xbf8c0f70,
				       0x02080b04 | 0x100, 0xdc708800, 0x007f0402, 0x80048104, 0x680c0b06 | 0x100};

	m.memory.map(data_base, 8192);
	for (unsigned lane = 0; lane < 64; lane++) {
		m.v(2, lane) = static_cast<u32>(data_base) + lane * 4;
		m.v(3, lane) = static_cast<u32>(data_base >> 32);
	}
	run_loop(state, m, body);
}
BENCHMARK(vector_add);

/** A loop stands for so many wave instructions, the branch included. */
void host(benchmark::State &state, void (*run)(host_wave *, long), int instructions)
{
	static host_wave w;
	constexpr long loops = 1000;

	for (unsigned lane = 0; lane < 64; lane++) {
		for (unsigned r = 0; r < 32; r++)
			w.f[r][lane] = 1.0f + static_cast<float>(lane) / 64;
		w.mask[0][lane] = lane % 2;
		w.mask[1][lane] = lane / 4 % 2;
		if (run == host_lds_matmul) {
			w.r[2][lane] = lane / 16 * 64;
			w.r[3][lane] = 4096 + lane % 16 * 4;
		}
	}
	for (auto _ : state)
		run(&w, loops);
	state.SetItemsProcessed(state.iterations() * loops * instructions);
}
BENCHMARK_CAPTURE(host, valu_add, host_valu_add, 33);
BENCHMARK_CAPTURE(host, valu_mixed, host_valu_mixed, 33);
BENCHMARK_CAPTURE(host, valu_fma, host_valu_fma, 17);
BENCHMARK_CAPTURE(host, divergent, host_divergent, 33);
BENCHMARK_CAPTURE(host, lds_matmul, host_lds_matmul, 33);
BENCHMARK_CAPTURE(host, vector_add, host_vector_add, 9);

} // namespace

BENCHMARK_MAIN();
