// SPDX-License-Identifier: MIT
/*
 * The scheduling firmware in its simplest form: it takes every packet from the HIQ, and signals the fence of QUERY_STATUS. It runs
 * whenever the driver waits, and when an operation is over.
 */
#include "kfd_model/dqm/kfd_dqm.h"
#include "machine_internal.h"

#define IT_QUERY_STATUS	0xa4

static bool hanging;

void machine_set_hang(bool hang)
{
	hanging = hang;
}

void machine_set_doorbell_id(uint32_t gpu, uint32_t dword, uint32_t value)
{
	machine_gpus[gpu].kfd->dqm->hiq.mqd.mqd[dword] = value;
}

static u64 published(const struct kfdm_kernel_queue *hiq)
{
	return hiq->dev->chip->doorbell_size == 8 ? *(u64 *)hiq->wptr.cpu : *(u32 *)hiq->wptr.cpu;
}

static void execute(struct kfdm_dqm *dqm, const u32 *packet)
{
	u64 *fence, at;

	if ((packet[0] >> 8 & 0xff) != IT_QUERY_STATUS || hanging)
		return;
	at = packet[3] | (u64)packet[4] << 32;
	fence = at == dqm->fence.gpu_addr ? dqm->fence.cpu : machine_cpu_address(at);
	if (fence)
		*fence = packet[5] | (u64)packet[6] << 32;
}

/* Packets never wrap; a type 3 header whose count is the largest stands alone. */
static u32 packet_dwords(u32 header)
{
	u32 body = header >> 16 & 0x3fff;

	return body == 0x3fff ? 1 : body + 2;
}

static void run(struct amdm_device *adev, struct kfdm_kernel_queue *hiq)
{
	u32 ring = hiq->ring.dwords, end = published(hiq) % ring;

	while (adev->sent % ring != end) {
		const u32 *packet = hiq->ring.words + adev->sent % ring;
		u32 i, n = packet_dwords(packet[0]);

		execute(adev->kfd->dqm, packet);
		for (i = 0; i < n && adev->num_packets < ARRAY_SIZE(adev->packets); i++)
			adev->packets[adev->num_packets++] = packet[i];
		adev->sent += n;
	}
	*(u32 *)hiq->rptr.cpu = end;
}

void machine_run_firmware(void)
{
	u32 i;

	for (i = 0; i < machine_num_gpus; i++)
		if (machine_gpus[i].kfd && machine_gpus[i].kfd->dqm && machine_gpus[i].kfd->dqm->hiq.ring.words)
			run(&machine_gpus[i], &machine_gpus[i].kfd->dqm->hiq);
}

const uint32_t *machine_hiq_packets(uint32_t gpu, uint32_t *dwords, uint64_t *wptr)
{
	struct amdm_device *adev = &machine_gpus[gpu];

	machine_run_firmware();
	*dwords = adev->num_packets;
	*wptr = published(&adev->kfd->dqm->hiq);
	return adev->packets;
}
