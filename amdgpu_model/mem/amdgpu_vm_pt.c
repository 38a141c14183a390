// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_vm_pt.c - page tables, written into VRAM
 *
 * How many levels there are and how large their tables is a row (struct amdm_pt_format): four of 512 entries on GFX9 and GFX10
 * (hw/gpuvm_v9.h), two on GFX7 and GFX8 (hw/gpuvm_v8.h). A table is a piece of VRAM, which the silicon walks, and a struct
 * amdm_pt beside it, which the driver walks: where the table is, which children it has, how many entries are in use. A table
 * whose last entry goes is freed, so that an address space costs what is mapped in it.
 *
 * Order of stores: a child is filled before its parent points to it, and is unhooked before it is freed. The
 * silicon's pointers to a freed table go with its VRAM page (amdgpu_vram.c); stale translations go with the TLB flush that
 * the caller owes.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "amdgpu_gart.h"
#include "amdgpu_vm.h"
#include "amdgpu_vram.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/base/amdgpu_trace.h"
#include "amdgpu_model/hw/gpuvm_v8.h"
#include "amdgpu_model/hw/gpuvm_v9.h"

/**
 * struct amdm_pt - a page table
 * @vram:  its memory
 * @page:  its pages for the CPU, NULL while nobody has written there
 * @used:  entries that are not zero
 * @child: tables below, NULL in the lowest level
 */
struct amdm_pt {
	struct amdm_vram_alloc *vram;
	u64 **page;
	u32 used;
	struct amdm_pt **child;
};

const struct amdm_pt_format amdm_pt_v9 = {
	.levels = GPUVM_LEVELS,
	.shift = { GPUVM_SHIFT(GPUVM_PDB2), GPUVM_SHIFT(GPUVM_PDB1), GPUVM_SHIFT(GPUVM_PDB0), GPUVM_SHIFT(GPUVM_PTB) },
	.bits = { 9, 9, 9, 9 },
};

const struct amdm_pt_format amdm_pt_v8 = {
	.levels = 2,
	.shift = { PAGE_SHIFT + GPUVM_V8_BLOCK_BITS, PAGE_SHIFT },
	.bits = { GPUVM_V8_ROOT_BITS, GPUVM_V8_BLOCK_BITS },
	.tables_at_mc = true,
};

static const struct amdm_pt_format *amdm_pt_format(const struct amdm_device *adev)
{
	return adev->asic->gmc->tables;
}

static u32 amdm_pt_entries(const struct amdm_device *adev, u32 level)
{
	return 1u << amdm_pt_format(adev)->bits[level];
}

static u32 amdm_pt_index(const struct amdm_device *adev, u64 va, u32 level)
{
	return (u32)(va >> amdm_pt_format(adev)->shift[level]) & (amdm_pt_entries(adev, level) - 1);
}

static bool amdm_pt_is_lowest(const struct amdm_device *adev, u32 level)
{
	return level + 1 == amdm_pt_format(adev)->levels;
}

static struct amdm_pt *amdm_pt_create(struct amdm_device *adev, u32 level)
{
	u32 entries = amdm_pt_entries(adev, level), bytes = entries * sizeof(u64);
	struct amdm_pt *pt = kzalloc(sizeof(*pt), GFP_KERNEL_ACCOUNT);

	if (!pt)
		return NULL;
	pt->vram = amdm_vram_alloc(adev, bytes, PAGE_SIZE, true);
	if (IS_ERR(pt->vram))
		goto free;
	pt->page = kcalloc(bytes / PAGE_SIZE, sizeof(*pt->page), GFP_KERNEL_ACCOUNT);
	if (!pt->page)
		goto free_vram;
	if (!amdm_pt_is_lowest(adev, level)) {
		pt->child = kvcalloc(entries, sizeof(*pt->child), GFP_KERNEL_ACCOUNT);
		if (!pt->child)
			goto free_vram;
	}
	atomic64_add(bytes, &adev->pt_bytes);
	return pt;
free_vram:
	amdm_vram_free(adev, pt->vram);
free:
	kfree(pt->page);
	kfree(pt);
	return NULL;
}

/** amdm_pt_create_root() - an empty directory, NULL without memory */
struct amdm_pt *amdm_pt_create_root(struct amdm_device *adev)
{
	return amdm_pt_create(adev, 0);
}

static void amdm_pt_destroy_level(struct amdm_device *adev, struct amdm_pt *pt, u32 level)
{
	u32 entries = amdm_pt_entries(adev, level), i;

	if (!pt)
		return;
	for (i = 0; pt->child && i < entries; i++)
		amdm_pt_destroy_level(adev, pt->child[i], level + 1);
	kvfree(pt->child);
	kfree(pt->page);
	amdm_vram_free(adev, pt->vram);
	atomic64_sub(entries * sizeof(u64), &adev->pt_bytes);
	kfree(pt);
}

/** amdm_pt_destroy() - free a directory and what hangs below it */
void amdm_pt_destroy(struct amdm_device *adev, struct amdm_pt *root)
{
	amdm_pt_destroy_level(adev, root, 0);
}

/** amdm_pt_address() - value for a PDE or for VM_CONTEXTn_PAGE_TABLE_BASE */
u64 amdm_pt_address(const struct amdm_device *adev, const struct amdm_pt *pt)
{
	u64 offset = amdm_vram_offset(pt->vram, 0, NULL);

	return (amdm_pt_format(adev)->tables_at_mc ? amdm_fb_start(adev) + offset : offset) | GPUVM_PTE_VALID;
}

static u64 amdm_pt_read(const struct amdm_pt *pt, u32 index)
{
	const u64 *page = pt->page[index / (PAGE_SIZE / sizeof(u64))];

	return page ? page[index % (PAGE_SIZE / sizeof(u64))] : 0;
}

static int amdm_pt_write(struct amdm_device *adev, struct amdm_pt *pt, u32 index, u64 value)
{
	u64 **page = &pt->page[index / (PAGE_SIZE / sizeof(u64))], old = amdm_pt_read(pt, index);

	if (!*page) {
		struct page *vram;

		if (!value)
			return 0;
		vram = amdm_vram_page(adev, amdm_vram_offset(pt->vram, round_down(index * sizeof(u64), PAGE_SIZE), NULL), GFP_KERNEL);
		if (!vram)
			return -ENOMEM;
		*page = page_address(vram);
	}
	pt->used += !old && value;
	pt->used -= old && !value;
	smp_wmb(); /* a child's contents before the pointer to it */
	WRITE_ONCE((*page)[index % (PAGE_SIZE / sizeof(u64))], value);
	return 0;
}

static struct amdm_pt *amdm_pt_descend(struct amdm_device *adev, struct amdm_pt *pt, u32 level, u64 va)
{
	u32 index = amdm_pt_index(adev, va, level);
	struct amdm_pt *child = pt->child[index];

	if (child)
		return child;
	child = amdm_pt_create(adev, level + 1);
	if (!child)
		return NULL;
	if (amdm_pt_write(adev, pt, index, amdm_pt_address(adev, child))) {
		amdm_pt_destroy_level(adev, child, level + 1);
		return NULL;
	}
	pt->child[index] = child;
	return child;
}

static void amdm_pt_trace(const struct amdm_device *adev, const struct amdm_pt *pt, u32 first, u64 pte, u32 count)
{
	u64 table;

	if (!trace_amdgpu_vm_set_ptes_enabled())
		return;
	table = amdm_pt_address(adev, pt) & GPUVM_PTE_ADDRESS;
	trace_amdgpu_vm_set_ptes(table + first * sizeof(u64), pte & GPUVM_PTE_ADDRESS, count, PAGE_SIZE, pte & ~GPUVM_PTE_ADDRESS, false);
}

/* @count entries of a lowest table, for pages that follow each other. */
static int amdm_pt_set_entries(struct amdm_device *adev, struct amdm_pt *pt, u32 first, u64 pte, u32 count)
{
	u32 i;

	amdm_pt_trace(adev, pt, first, pte, count);
	for (i = 0; i < count; i++)
		if (amdm_pt_write(adev, pt, first + i, pte + i * PAGE_SIZE))
			return -ENOMEM;
	return 0;
}

/**
 * amdm_pt_set() - write PTEs for pages that follow each other in both worlds
 * @adev:  device
 * @root:  directory
 * @va:    GPU address
 * @pte:   entry of the first page
 * @pages: how many
 * Return: 0, -ENOMEM: some may be written, clear the range.
 */
int amdm_pt_set(struct amdm_device *adev, struct amdm_pt *root, u64 va, u64 pte, u64 pages)
{
	while (pages) {
		struct amdm_pt *pt = root;
		u32 level, first, count;

		for (level = 0; !amdm_pt_is_lowest(adev, level); level++) {
			pt = amdm_pt_descend(adev, pt, level, va);
			if (!pt)
				return -ENOMEM;
		}
		first = amdm_pt_index(adev, va, level);
		count = min_t(u64, pages, amdm_pt_entries(adev, level) - first);
		if (amdm_pt_set_entries(adev, pt, first, pte, count))
			return -ENOMEM;
		va += (u64)count << PAGE_SHIFT;
		pte += (u64)count << PAGE_SHIFT;
		pages -= count;
		cond_resched();
	}
	return 0;
}

static void amdm_pt_clear_level(struct amdm_device *adev, struct amdm_pt *pt, u32 level, u64 va, u64 end)
{
	u64 step = 1ULL << amdm_pt_format(adev)->shift[level];

	while (va < end) {
		u64 next = min(end, (va & ~(step - 1)) + step);
		u32 index = amdm_pt_index(adev, va, level);
		struct amdm_pt *child = pt->child ? pt->child[index] : NULL;

		if (!pt->child) {
			amdm_pt_write(adev, pt, index, 0);
		} else if (child) {
			amdm_pt_clear_level(adev, child, level + 1, va, next);
			if (!child->used) {
				amdm_pt_write(adev, pt, index, 0);
				pt->child[index] = NULL;
				amdm_pt_destroy_level(adev, child, level + 1);
			}
		}
		va = next;
	}
}

/** amdm_pt_clear() - make pages unmapped again; tables that become empty are freed */
void amdm_pt_clear(struct amdm_device *adev, struct amdm_pt *root, u64 va, u64 pages)
{
	amdm_pt_clear_level(adev, root, 0, va, va + (pages << PAGE_SHIFT));
}
