// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Scheduler packets of GFX9 (and of GFX10, which kept them)
 *
 * The seven packets that the driver sends through the HIQ. Fields: hw/pm4_v9.def, hw/pm4_aldebaran.def; values:
 * Linux: kfd_packet_manager_v9.c.
 */
#include "kfd_packets.h"
#include "amdgpu_model/hw/mqd.h"
#include "amdgpu_model/hw/pm4.h"

#define TBA_HI_TRAP_EN		BIT(31)
#define SDMA_EXTENDED_SELECT	0x050200	/* first SDMA version that numbers its engines past 1 */

/* Up to num_queues Aldebaran's packet is the same, except that it does not enable the trap handler. */
static void fill_map_process(u32 *packet, const struct kfdm_map_process *process)
{
	u64 tba = process->tba_addr >> 8, tma = process->tma_addr >> 8;

	PM4_PUT(packet, map_process, pasid, process->pasid);
	PM4_PUT(packet, map_process, diq_enable, process->is_debug);
	PM4_PUT(packet, map_process, process_quantum, KFDM_PROCESS_QUANTUM);
	PM4_PUT(packet, map_process, vm_context_page_table_base_addr_lo32, lower_32_bits(process->page_table_base));
	PM4_PUT(packet, map_process, vm_context_page_table_base_addr_hi32, upper_32_bits(process->page_table_base));
	PM4_PUT(packet, map_process, sh_mem_bases, process->sh_mem_bases);
	PM4_PUT(packet, map_process, sh_mem_config, process->sh_mem_config);
	if (process->tba_addr) {
		PM4_PUT(packet, map_process, sq_shader_tba_lo, lower_32_bits(tba));
		PM4_PUT(packet, map_process, sq_shader_tma_lo, lower_32_bits(tma));
		PM4_PUT(packet, map_process, sq_shader_tma_hi, upper_32_bits(tma));
	}
	PM4_PUT(packet, map_process, gds_addr_lo, lower_32_bits(process->gds_context_area));
	PM4_PUT(packet, map_process, gds_addr_hi, upper_32_bits(process->gds_context_area));
	PM4_PUT(packet, map_process, num_gws, process->mapped_gws_queue ? process->num_gws : 0);
	PM4_PUT(packet, map_process, sdma_enable, 1);
	PM4_PUT(packet, map_process, num_oac, process->num_oac);
	PM4_PUT(packet, map_process, gds_size_hi, process->gds_size >> 6);
	PM4_PUT(packet, map_process, gds_size, process->gds_size);
	PM4_PUT(packet, map_process, num_queues, process->is_debug ? 0 : process->queue_count);
}

static int map_process(u32 *packet, const struct kfdm_map_process *process)
{
	kfdm_packet_begin(packet, PM4_MAP_PROCESS, PM4_MAP_PROCESS_DWORDS);
	fill_map_process(packet, process);
	if (process->tba_addr)
		PM4_PUT(packet, map_process, sq_shader_tba_hi, upper_32_bits(process->tba_addr >> 8) | TBA_HI_TRAP_EN);
	return 0;
}

static int map_process_aldebaran(u32 *packet, const struct kfdm_map_process *process)
{
	static_assert((u32)PM4_map_process_aldebaran__num_queues__DWORD == (u32)PM4_map_process__num_queues__DWORD);

	kfdm_packet_begin(packet, PM4_MAP_PROCESS, PM4_MAP_PROCESS_ALDEBARAN_DWORDS);
	fill_map_process(packet, process);
	return 0;
}

static void debug_one_vmid(u32 *packet, const struct kfdm_debug_state *debug)
{
	if (!debug->vmid || !debug->trap_enabled || !debug->runtime_enabled)
		return;
	PM4_PUT(packet, map_process, debug_vmid, debug->vmid);
	PM4_PUT(packet, map_process, new_debug, 1);
}

static int map_process_7_2(u32 *packet, const struct kfdm_map_process *process)
{
	map_process(packet, process);
	PM4_PUT(packet, map_process, exec_cleaner_shader, process->exec_cleaner_shader);
	debug_one_vmid(packet, &process->debug);
	return 0;
}

static int map_process_aldebaran_7_2(u32 *packet, const struct kfdm_map_process *process)
{
	const struct kfdm_debug_state *debug = &process->debug;

	map_process_aldebaran(packet, process);
	if (process->tba_addr)
		PM4_PUT(packet, map_process_aldebaran, sq_shader_tba_hi, upper_32_bits(process->tba_addr >> 8));
	PM4_PUT(packet, map_process_aldebaran, exec_cleaner_shader, process->exec_cleaner_shader);
	PM4_PUT(packet, map_process_aldebaran, spi_gdbg_per_vmid_cntl, debug->spi_gdbg_per_vmid_cntl);
	if (!debug->trap_enabled)
		return 0;
	PM4_PUT(packet, map_process_aldebaran, single_memops, debug->single_memops);
	PM4_PUT(packet, map_process_aldebaran, tcp_watch_cntl0, debug->watch[0]);
	PM4_PUT(packet, map_process_aldebaran, tcp_watch_cntl1, debug->watch[1]);
	PM4_PUT(packet, map_process_aldebaran, tcp_watch_cntl2, debug->watch[2]);
	PM4_PUT(packet, map_process_aldebaran, tcp_watch_cntl3, debug->watch[3]);
	return 0;
}

static void select_sdma(u32 *packet, u32 engine, u32 sdma_version)
{
	if (engine < 2 && sdma_version < SDMA_EXTENDED_SELECT) {
		PM4_PUT(packet, map_queues, engine_sel, PM4_ENGINE_SDMA0 + engine);
		return;
	}
	PM4_PUT(packet, map_queues, extended_engine_sel, engine < 8 ? PM4_EXTENDED_SDMA0_TO_7 : PM4_EXTENDED_SDMA8_TO_15);
	PM4_PUT(packet, map_queues, engine_sel, engine % 8);
}

static int map_queues(u32 *packet, const struct kfdm_map_queues *map, u32 sdma_version)
{
	int ret = kfdm_packet_map_queues(packet, map);

	PM4_PUT(packet, map_queues, gws_control_queue, map->q->is_gws);
	if (ret)
		return ret;
	if (kfdm_queue_is_sdma(map->q))
		select_sdma(packet, map->q->sdma_engine_id, sdma_version);
	PM4_PUT(packet, map_queues, doorbell_offset, map->q->doorbell_off);
	return 0;
}

/* No debug queues any more */
static int map_queues_7_2(u32 *packet, const struct kfdm_map_queues *map, u32 sdma_version)
{
	if (map->q->type == KFDM_QUEUE_DIQ)
		return -EINVAL;
	return map_queues(packet, map, sdma_version);
}

static int run_list(u32 *packet, const struct kfdm_run_list *list)
{
	kfdm_packet_run_list(packet, list);
	PM4_PUT(packet, runlist, ib_base_hi, upper_32_bits(list->ib_addr));
	PM4_PUT(packet, runlist, chained_runlist_idle_disable, list->chain);
	return 0;
}

static int set_resources(u32 *packet, const struct kfdm_resources *resources)
{
	kfdm_packet_set_resources(packet, resources);
	PM4_PUT(packet, set_resources, gds_heap_base, resources->gds_heap_base);
	PM4_PUT(packet, set_resources, gds_heap_size, resources->gds_heap_size);
	return 0;
}

static int set_resources_7_2(u32 *packet, const struct kfdm_resources *resources)
{
	set_resources(packet, resources);
	PM4_PUT(packet, set_resources, enb_xnack_retry_disable_check, resources->xnack_chain);
	return 0;
}

/* WRITE_DATA to CP_IQ_WAIT_TIME2 */
#define QUE_SLEEP(n)		((u32)(n) & 0xff)
#define QUE_SLEEP_MASK		0xffu
#define SCH_WAVE(n)		(((u32)(n) & 0xff) << 8)
#define SCH_WAVE_MASK		0xff00u
#define WRITE_DATA_ONE_ADDRESS	BIT(16)
#define DEQUEUE_WAIT_DWORDS	5

static int dequeue_wait(u32 *packet, const struct kfdm_dequeue_wait *wait)
{
	kfdm_packet_begin(packet, PM4_WRITE_DATA, DEQUEUE_WAIT_DWORDS);
	packet[1] = WRITE_DATA_ONE_ADDRESS;
	packet[2] = wait->reg;
	packet[4] = wait->wait_times;
	if (wait->cmd == KFDM_DEQUEUE_WAIT_INIT)
		packet[4] = (packet[4] & ~QUE_SLEEP_MASK) | QUE_SLEEP(1);
	if (wait->cmd == KFDM_DEQUEUE_WAIT_INIT && wait->short_waves)
		packet[4] = (packet[4] & ~SCH_WAVE_MASK) | SCH_WAVE(1);
	if (wait->cmd == KFDM_DEQUEUE_WAIT_SET_SCH_WAVE)	/* 0 would be for ever */
		packet[4] = (packet[4] & ~SCH_WAVE_MASK) | SCH_WAVE(max(wait->value, 1u));
	return 0;
}

static int unmap_queues(u32 *packet, enum kfdm_unmap_filter filter, u32 param, bool reset, u32 sdma_version)
{
	int ret = kfdm_unmap_queues(packet, filter, param, reset);

	PM4_PUT(packet, unmap_queues, extended_engine_sel, sdma_version >= SDMA_EXTENDED_SELECT);
	return ret;
}

#define PACKETS							\
	.map_queues_dwords = PM4_MAP_QUEUES_DWORDS,		\
	.run_list_dwords = PM4_RUN_LIST_DWORDS,			\
	.set_resources_dwords = PM4_SET_RESOURCES_DWORDS,	\
	.unmap_queues_dwords = PM4_UNMAP_QUEUES_DWORDS,		\
	.query_status_dwords = PM4_QUERY_STATUS_DWORDS,		\
	.run_list = run_list,					\
	.unmap_queues = unmap_queues,				\
	.query_status = kfdm_query_status
#define PACKETS_6_1						\
	PACKETS,						\
	.map_queues = map_queues,				\
	.set_resources = set_resources
#define PACKETS_7_2						\
	PACKETS,						\
	.dequeue_wait_dwords = DEQUEUE_WAIT_DWORDS,		\
	.isolates = true,					\
	.map_queues = map_queues_7_2,				\
	.set_resources = set_resources_7_2,			\
	.dequeue_wait = dequeue_wait

const struct kfdm_packet_ops kfdm_packets_v9 = {
	PACKETS_6_1,
	.map_process_dwords = PM4_MAP_PROCESS_DWORDS,
	.map_process = map_process,
};

const struct kfdm_packet_ops kfdm_packets_aldebaran = {
	PACKETS_6_1,
	.map_process_dwords = PM4_MAP_PROCESS_ALDEBARAN_DWORDS,
	.map_process = map_process_aldebaran,
};

const struct kfdm_packet_ops kfdm_packets_v9_7_2 = {
	PACKETS_7_2,
	.map_process_dwords = PM4_MAP_PROCESS_DWORDS,
	.map_process = map_process_7_2,
};

const struct kfdm_packet_ops kfdm_packets_aldebaran_7_2 = {
	PACKETS_7_2,
	.map_process_dwords = PM4_MAP_PROCESS_ALDEBARAN_DWORDS,
	.map_process = map_process_aldebaran_7_2,
};
