/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/**
 * DOC: cpu.h - what the topology tells of a CPU, on a PC and in User-Mode Linux
 */
#ifndef KFDM_COMPAT_CPU_H
#define KFDM_COMPAT_CPU_H

#ifdef CONFIG_UML

#include <linux/types.h>

/** kfdm_cpu_core_id() - the APIC id of a CPU, or 0 where there is no APIC */
static inline u32 kfdm_cpu_core_id(unsigned int cpu)
{
	return 0;
}

#else

#include <asm/processor.h>
#include <asm/smp.h>

static inline u32 kfdm_cpu_core_id(unsigned int cpu)
{
#ifdef KFDM_HAS_CPU_TOPOLOGY	/* 6.7 */
	return cpu_data(cpu).topo.apicid;
#else
	return cpu_data(cpu).apicid;
#endif
}

#endif
#endif
