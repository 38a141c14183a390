// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Numbers that user space and driver agree on
 *
 * Apertures (Linux: kfd_flat_memory.c), the division of the doorbell BAR (Linux: kfd_doorbell.c) and the hash that names a GPU
 * (Linux: kfd_topology.c). Pure arithmetic.
 */
#include "kfd_layout.h"

#define USER_SPACE_END	0x800000000000ULL

/* The first pages of the GPUVM belong to the driver: an indirect-buffer page, and the trap handler's two pages. */
static void reserve_driver_pages(struct kfdm_apertures *apertures)
{
	apertures->ib_base = PAGE_SIZE;
	apertures->cwsr_base = apertures->ib_base + PAGE_SIZE;
	apertures->gpuvm_base = apertures->cwsr_base + KFDM_CWSR_TBA_TMA_SIZE;
}

static u64 window_limit(u64 base)
{
	return base | 0xffffffff;
}

/**
 * kfdm_apertures_vi() - LDS, scratch and GPUVM windows up to GFX8
 * @in:         device
 * @apertures:  out
 *
 * The three top bits of an address choose the window. A discrete GPU shares the addresses of the process; behind an IOMMU the
 * GPUVM is a window of its own, other for each node, and memory needs none. Pure.
 */
void kfdm_apertures_vi(const struct kfdm_aperture_inputs *in, struct kfdm_apertures *apertures)
{
	memset(apertures, 0, sizeof(*apertures));
	if (in->use_iommu_v2) {
		apertures->gpuvm_base = ((u64)(in->node_index + 1) << 61) + (1ULL << 48);
		apertures->gpuvm_limit = apertures->gpuvm_base + in->gpuvm_size - 1;
	} else {
		reserve_driver_pages(apertures);
		apertures->gpuvm_limit = in->gpuvm_size - 1;
	}
	apertures->lds_base = 1ULL << 61;
	apertures->lds_limit = window_limit(apertures->lds_base);
	apertures->scratch_base = apertures->lds_base + (1ULL << 32);
	apertures->scratch_limit = window_limit(apertures->scratch_base);
}

/**
 * kfdm_apertures_v9() - LDS, scratch and GPUVM windows since GFX9
 * @in:         device
 * @apertures:  out
 *
 * LDS and scratch are windows in the non-canonical gap of the address space. Pure.
 */
void kfdm_apertures_v9(const struct kfdm_aperture_inputs *in, struct kfdm_apertures *apertures)
{
	memset(apertures, 0, sizeof(*apertures));
	reserve_driver_pages(apertures);
	if (in->use_iommu_v2) {		/* mapped by nobody: the trap handler stays where the user puts it */
		apertures->ib_base = 0;
		apertures->cwsr_base = 0;
	}
	apertures->gpuvm_limit = min(in->gpuvm_size, USER_SPACE_END) - 1;
	apertures->lds_base = 1ULL << 48;
	apertures->lds_limit = window_limit(apertures->lds_base);
	apertures->scratch_base = 2ULL << 48;
	apertures->scratch_limit = window_limit(apertures->scratch_base);
}

/* amdgpu_vm.h: pages at the bottom that nobody gets; at the top, from below: trap handler, sequence numbers, context save for graphics */
#define VA_RESERVED_BOTTOM	(64ULL << 10)
#define VA_RESERVED_TRAP	(64ULL << 10)
#define VA_RESERVED_SEQ64	(2ULL << 20)
#define VA_RESERVED_CSA		(2ULL << 20)

/**
 * kfdm_apertures_vi_7_2() - kfdm_apertures_vi() in 7.2, for which every GPU is a card
 * @in:         device
 * @apertures:  out
 *
 * Pure.
 */
void kfdm_apertures_vi_7_2(const struct kfdm_aperture_inputs *in, struct kfdm_apertures *apertures)
{
	const struct kfdm_aperture_inputs card = { .gpuvm_size = in->gpuvm_size };

	kfdm_apertures_vi(&card, apertures);
	apertures->gpuvm_base = VA_RESERVED_BOTTOM;
}

/**
 * kfdm_apertures_v9_7_2() - kfdm_apertures_v9() in 7.2
 * @in:         device
 * @apertures:  out
 *
 * The trap handler is on the far side of the gap, where no stray access of a process comes; there is no indirect-buffer page any more.
 * Pure.
 */
void kfdm_apertures_v9_7_2(const struct kfdm_aperture_inputs *in, struct kfdm_apertures *apertures)
{
	kfdm_apertures_v9(in, apertures);
	apertures->gpuvm_base = VA_RESERVED_BOTTOM;
	apertures->gpuvm_limit = in->gpuvm_size - 1;
	apertures->ib_base = 0;
	apertures->cwsr_base = in->va_size - VA_RESERVED_CSA - VA_RESERVED_SEQ64 - VA_RESERVED_TRAP;
}

/**
 * kfdm_apertures_v12_1_7_2() - the same on GC 12.1: amdgpu chooses the windows of LDS and scratch
 * @in:         device
 * @apertures:  out
 *
 * Pure.
 */
void kfdm_apertures_v12_1_7_2(const struct kfdm_aperture_inputs *in, struct kfdm_apertures *apertures)
{
	kfdm_apertures_v9_7_2(in, apertures);
	apertures->lds_base = in->shared_start;
	apertures->lds_limit = in->shared_end;
	apertures->scratch_base = in->private_start;
	apertures->scratch_limit = in->private_end;
}

/**
 * kfdm_doorbells_of_mes() - the layout when the MES deals the BAR out
 * @layout: out; the slices begin with the BAR, and how many there are is the MES's business
 *
 * Pure.
 */
void kfdm_doorbells_of_mes(struct kfdm_doorbell_layout *layout)
{
	layout->doorbell_size = sizeof(u64);
	layout->slice = (u32)round_up((u64)sizeof(u64) * KFDM_DOORBELL_IDS, (u64)PAGE_SIZE);
	layout->base = 0;
	layout->max_slices = 0;
}

/**
 * kfdm_doorbells_divide() - divide the doorbell BAR into process slices
 * @doorbell_size: bytes of a doorbell, 4 or 8
 * @aperture_size: bytes of the BAR
 * @start_offset:  bytes that amdgpu keeps for itself
 * @layout:        out
 *
 * Slice 0 is the driver's own. Pure. Return: 0, -ENOSPC when nothing is left for a slice.
 */
int kfdm_doorbells_divide(u32 doorbell_size, u32 aperture_size, u32 start_offset, struct kfdm_doorbell_layout *layout)
{
	u64 slice = round_up((u64)doorbell_size * KFDM_DOORBELL_IDS, (u64)PAGE_SIZE);
	u64 base = start_offset ? round_up((u64)start_offset, slice) : 0;
	u64 end = round_down((u64)aperture_size, slice);

	layout->doorbell_size = doorbell_size;
	layout->slice = (u32)slice;
	if (end <= base)
		return -ENOSPC;
	layout->base = (u32)base;
	layout->max_slices = (u32)((end - base) / slice);
	return 0;
}

/**
 * kfdm_doorbell_dw_offset() - a doorbell's place in the BAR, in dwords
 * @layout:      of the device
 * @slice_index: 0: kernel, others: processes
 * @doorbell_id: in the slice
 *
 * Pure.
 */
u32 kfdm_doorbell_dw_offset(const struct kfdm_doorbell_layout *layout, u32 slice_index, u32 doorbell_id)
{
	return layout->base / 4 + slice_index * (layout->slice / 4) + doorbell_id * (layout->doorbell_size / 4);
}

/**
 * kfdm_doorbell_sdma_id() - SDMA queues have fixed doorbells
 * @engine_base:   first doorbell index of the engine
 * @sdma_queue_id: queue on that engine
 *
 * Even queues are in the lower half of the slice, odd ones in its mirror. Pure.
 */
u32 kfdm_doorbell_sdma_id(u32 engine_base, u32 sdma_queue_id)
{
	return engine_base + (sdma_queue_id & 1) * KFDM_DOORBELL_MIRROR + (sdma_queue_id >> 1);
}

/**
 * kfdm_vmids_of_device() - KFD's VMIDs, on a device that is not divided or whose parts have their own VMIDs
 * @bitmap: what amdgpu leaves to KFD
 *
 * Pure.
 */
struct kfdm_vmids kfdm_vmids_of_device(u32 bitmap)
{
	const u32 first = (u32)ffs((int)bitmap) - 1, last = (u32)fls(bitmap) - 1;

	return (struct kfdm_vmids){ first, last, last - first + 1, bitmap };
}

/**
 * kfdm_vmids_of_die() - the same where each compute die is a partition: the two on an interposer die share its VMIDs
 * @bitmap:    what amdgpu leaves to KFD on the device
 * @partition: number of the die
 *
 * The first VMID is left out if they are odd in number. Pure.
 */
struct kfdm_vmids kfdm_vmids_of_die(u32 bitmap, u32 partition)
{
	const struct kfdm_vmids all = kfdm_vmids_of_device(bitmap);
	const u32 half = all.num / 2;
	struct kfdm_vmids die = { all.last + 1 - 2 * half, all.last - half, half, 0 };

	if (partition % 2) {
		die.first += half;
		die.last = all.last;
	}
	die.bitmap = (u32)GENMASK_ULL(die.last, die.first);
	return die;
}

/**
 * kfdm_gpu_id() - 16-bit name of a GPU, stable over reboots
 * @identity: place in the PCI tree and size of VRAM
 *
 * Pure; not unique by itself, see kfdm_topology_add().
 */
u32 kfdm_gpu_id(const struct kfdm_gpu_identity *identity)
{
	const u32 words[] = {
		identity->devfn,
		identity->subsystem_vendor | identity->subsystem_device << 16,
		identity->domain,
		identity->device,
		identity->bus,
		lower_32_bits(identity->vram_bytes),
		upper_32_bits(identity->vram_bytes),
	};
	u32 hash = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		hash ^= hash_32(words[i], 16);
	return hash;
}

/* CRC-16 with the reflected polynomial 0x8005 */
static u32 crc16(const u8 *bytes, size_t count)
{
	u32 crc = 0;
	size_t i;
	int bit;

	for (i = 0; i < count; i++) {
		crc ^= bytes[i];
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xa001 : 0);
	}
	return crc;
}

/**
 * kfdm_gpu_id_7_2() - the same in 7.2, which takes a checksum and makes partitions different
 * @identity: place in the PCI tree, size of VRAM, compute dies
 *
 * Pure; never 0.
 */
u32 kfdm_gpu_id_7_2(const struct kfdm_gpu_identity *identity)
{
	const u32 words[] = {
		identity->devfn,
		identity->subsystem_vendor | identity->subsystem_device << 16,
		identity->domain,
		identity->device,
		identity->bus,
		lower_32_bits(identity->vram_bytes),
		upper_32_bits(identity->vram_bytes),
		identity->first_xcc | identity->num_xcc << 16,
	};
	const u32 id = crc16((const u8 *)words, sizeof(words));

	return id ? id : 1;
}
