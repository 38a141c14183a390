// SPDX-License-Identifier: MIT
/*
 * lab_test.cpp - the library's numbers of counters, trace events and faults are the silicon's.
 */
#include <gtest/gtest.h>

#include <kfdm/lab.hpp>

#include <silicon/silicon.h>

namespace kfdm {
namespace {

#define SAME(ours, theirs) static_assert(static_cast<int>(ours) == static_cast<int>(theirs))

SAME(Counter::Instructions, SILICON_COUNT_INSTRUCTIONS);
SAME(Counter::AqlPackets, SILICON_COUNT_AQL_PACKETS);
SAME(Counter::Interrupts, SILICON_COUNT_INTERRUPTS);
SAME(Counter::Doorbells, SILICON_COUNT_DOORBELLS);
SAME(Counter::SavedWaves, SILICON_COUNT_SAVED_WAVES);
SAME(Counter::RestoredWaves, SILICON_COUNT_RESTORED_WAVES);
SAME(Counter::ReservedBits, SILICON_COUNT_REPORTS + int{SILICON_REPORT_RESERVED_BITS});
SAME(Counter::BadPacket, SILICON_COUNT_REPORTS + int{SILICON_REPORT_BAD_PACKET});
SAME(Counter::VmFault, SILICON_COUNT_REPORTS + int{SILICON_REPORT_VM_FAULT});
SAME(Counter::BadPte, SILICON_COUNT_REPORTS + int{SILICON_REPORT_BAD_PTE});
SAME(Counter::Valu, SILICON_COUNT_VALU);
SAME(Counter::WavesNow, SILICON_COUNT_WAVES_NOW);
SAME(Counter::AwakeCycles, SILICON_COUNT_AWAKE_CYCLES);
SAME(Counter::Count, SILICON_COUNTERS);
SAME(TraceKind::QueueMap, SILICON_TRACE_QUEUE_MAP);
SAME(TraceKind::WaveStart, SILICON_TRACE_WAVE_START);
SAME(TraceKind::Interrupt, SILICON_TRACE_INTERRUPT);
SAME(TraceKind::HwsPacket, SILICON_TRACE_HWS_PACKET);
SAME(TraceKind::WaveRestore, SILICON_TRACE_WAVE_RESTORE);
SAME(TraceKind::KernelCount, SILICON_TRACE_KERNEL_COUNT);
SAME(TraceKind::Count, SILICON_TRACE_KINDS);
SAME(KernelCount::WaveCycles, SILICON_KERNEL_WAVE_CYCLES);
SAME(KernelCount::Valu, SILICON_KERNEL_VALU);
SAME(KernelCount::ValuCycles, SILICON_KERNEL_VALU_CYCLES);
SAME(KernelCount::L2Hits, SILICON_KERNEL_L2_HITS);
SAME(KernelCount::Count, SILICON_KERNEL_COUNTS);
SAME(Fault::LostFence, SILICON_FAULT_LOST_FENCE);
SAME(Fault::DroppedDoorbell, SILICON_FAULT_DROPPED_DOORBELL);
SAME(Fault::LostRingFence, SILICON_FAULT_LOST_RING_FENCE);
SAME(Mode::SqIgnoresPriority, SILICON_MODE_SQ_IGNORES_PRIORITY);
SAME(Mode::Preempt, SILICON_MODE_PREEMPT);
SAME(Mode::NoRunAhead, SILICON_MODE_NO_RUN_AHEAD);
SAME(Mode::End, SILICON_FAULTS);

TEST(Lab, EveryNumberHasAName)
{
	for (uint32_t i = 0; i < static_cast<uint32_t>(Counter::Count); i++)
		EXPECT_NE(counter_name(i), "unknown");
	for (uint32_t i = 0; i < static_cast<uint32_t>(TraceKind::Count); i++)
		EXPECT_NE(trace_kind_name(i), "unknown");
	EXPECT_EQ(counter_name(1000), "unknown");
	for (uint32_t i = 0; i < static_cast<uint32_t>(Fault::Count); i++)
		EXPECT_NE(fault_name(static_cast<Fault>(i)), "unknown");
	EXPECT_EQ(fault_name(Fault::Count), "unknown");
	EXPECT_EQ(mode_name(Mode::SqIgnoresPriority), "sq_ignores_priority");
	EXPECT_EQ(mode_name(Mode::NoRunAhead), "no_run_ahead");
	EXPECT_EQ(mode_name(Mode::End), "unknown");
}

} // namespace
} // namespace kfdm
