// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Scheduler packets of GFX8 (and of GFX7)
 *
 * As those of GFX9, with narrower addresses, a page table base instead of a tagged address, the alternate aperture, and no trap
 * handler. Fields: hw/pm4_vi.def; values: Linux: kfd_packet_manager_vi.c.
 */
#include "kfd_packets.h"
#include "amdgpu_model/hw/mqd.h"
#include "amdgpu_model/hw/pm4.h"

#define RELEASE_MEM_DWORDS	7
#define EVENT_INDEX_END_OF_PIPE	5

static int map_process(u32 *packet, const struct kfdm_map_process *process)
{
	kfdm_packet_begin(packet, PM4_MAP_PROCESS, PM4_MAP_PROCESS_DWORDS);
	PM4_PUT(packet, map_process_vi, pasid, process->pasid);
	PM4_PUT(packet, map_process_vi, diq_enable, process->is_debug);
	PM4_PUT(packet, map_process_vi, process_quantum, KFDM_PROCESS_QUANTUM);
	PM4_PUT(packet, map_process_vi, page_table_base, process->page_table_base);
	PM4_PUT(packet, map_process_vi, sh_mem_bases, process->sh_mem_bases);
	PM4_PUT(packet, map_process_vi, sh_mem_config, process->sh_mem_config);
	PM4_PUT(packet, map_process_vi, sh_mem_ape1_base, process->sh_mem_ape1_base);
	PM4_PUT(packet, map_process_vi, sh_mem_ape1_limit, process->sh_mem_ape1_limit);
	PM4_PUT(packet, map_process_vi, sh_hidden_private_base_vmid, process->sh_hidden_private_base);
	PM4_PUT(packet, map_process_vi, gds_addr_lo, lower_32_bits(process->gds_context_area));
	PM4_PUT(packet, map_process_vi, gds_addr_hi, upper_32_bits(process->gds_context_area));
	PM4_PUT(packet, map_process_vi, num_gws, process->num_gws);
	PM4_PUT(packet, map_process_vi, num_oac, process->num_oac);
	PM4_PUT(packet, map_process_vi, gds_size, process->gds_size);
	PM4_PUT(packet, map_process_vi, num_queues, process->is_debug ? 0 : process->queue_count);
	return 0;
}

static int map_queues(u32 *packet, const struct kfdm_map_queues *map, u32 sdma_version)
{
	int ret = kfdm_packet_map_queues(packet, map);

	if (ret)
		return ret;
	if (kfdm_queue_is_sdma(map->q))
		PM4_PUT(packet, map_queues_vi, engine_sel, PM4_ENGINE_SDMA0 + map->q->sdma_engine_id);
	PM4_PUT(packet, map_queues_vi, doorbell_offset, map->q->doorbell_off);
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
	if (!list->ib_addr)
		return -EFAULT;
	kfdm_packet_run_list(packet, list);
	PM4_PUT(packet, runlist_vi, ib_base_hi, upper_32_bits(list->ib_addr));
	return 0;
}

static int set_resources(u32 *packet, const struct kfdm_resources *resources)
{
	kfdm_packet_set_resources(packet, resources);
	PM4_PUT(packet, set_resources_vi, gds_heap_base, resources->gds_heap_base);
	PM4_PUT(packet, set_resources_vi, gds_heap_size, resources->gds_heap_size);
	return 0;
}

static int unmap_queues(u32 *packet, enum kfdm_unmap_filter filter, u32 param, bool reset, u32 sdma_version)
{
	return kfdm_unmap_queues(packet, filter, param, reset);
}

static int release_mem(u32 *packet, u64 gpu_addr)
{
	kfdm_packet_begin(packet, PM4_RELEASE_MEM, RELEASE_MEM_DWORDS);
	PM4_PUT(packet, release_mem_vi, event_type, PM4_EVENT_CACHE_FLUSH_AND_INV_TS);
	PM4_PUT(packet, release_mem_vi, event_index, EVENT_INDEX_END_OF_PIPE);
	PM4_PUT(packet, release_mem_vi, tcl1_action_ena, 1);
	PM4_PUT(packet, release_mem_vi, tc_action_ena, 1);
	PM4_PUT(packet, release_mem_vi, int_sel, PM4_INT_AFTER_WRITE);
	PM4_PUT(packet, release_mem_vi, data_sel, PM4_DATA_32);
	PM4_PUT(packet, release_mem_vi, address_lo_32b, lower_32_bits(gpu_addr) >> 2);
	PM4_PUT(packet, release_mem_vi, address_hi, upper_32_bits(gpu_addr));
	return 0;
}

#define PACKETS							\
	.map_process_dwords = PM4_MAP_PROCESS_DWORDS,	\
	.map_queues_dwords = PM4_MAP_QUEUES_DWORDS,	\
	.run_list_dwords = PM4_RUN_LIST_DWORDS,		\
	.set_resources_dwords = PM4_SET_RESOURCES_DWORDS,	\
	.unmap_queues_dwords = PM4_UNMAP_QUEUES_DWORDS,	\
	.query_status_dwords = PM4_QUERY_STATUS_DWORDS,	\
	.release_mem_dwords = RELEASE_MEM_DWORDS,	\
	.map_process = map_process,			\
	.run_list = run_list,				\
	.set_resources = set_resources,			\
	.unmap_queues = unmap_queues,			\
	.query_status = kfdm_query_status,		\
	.release_mem = release_mem

const struct kfdm_packet_ops kfdm_packets_vi = { PACKETS, .map_queues = map_queues };

const struct kfdm_packet_ops kfdm_packets_vi_7_2 = { PACKETS, .map_queues = map_queues_7_2 };
