// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_vm_pt.c - page tables of GFX9, written into VRAM
 *
 * Four levels of 512 entries (hw/gpuvm_v9.h). A table is a page of VRAM, which the silicon walks, and a struct amdm_pt
 * beside it, which the driver walks: where the table is, which children it has, how many entries are in use. A table whose
 * last entry goes is freed, so that an address space costs what is mapped in it.
 *
 * Order of stores: a child is filled before its parent points to it, and is unhooked before it is freed. The
 * silicon's pointers to a freed table go with its VRAM page (amdgpu_vram.c); stale translations go with the TLB flush that
 * the caller owes.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "amdgpu_vm.h"
#include "amdgpu_vram.h"
#include "hw/gpuvm_v9.h"

/**
 * struct amdm_pt - a page table
 * @vram:  its page
 * @entry: the same for the CPU
 * @used:  entries that are not zero
 * @child: tables below, NULL in a PTB
 */
struct amdm_pt {
	struct amdm_vram_alloc *vram;
	u64 *entry;
	u32 used;
	struct amdm_pt **child;
};

static struct amdm_pt *amdm_pt_create(struct amdm_device *adev, enum gpuvm_level level)
{
	struct amdm_pt *pt = kzalloc(sizeof(*pt), GFP_KERNEL);
	struct page *page;

	if (!pt)
		return NULL;
	pt->vram = amdm_vram_alloc(adev, PAGE_SIZE, PAGE_SIZE, true);
	if (IS_ERR(pt->vram))
		goto free;
	page = amdm_vram_page(adev, amdm_vram_offset(pt->vram, 0, NULL), GFP_KERNEL);
	if (!page)
		goto free;
	pt->entry = page_address(page);
	if (level != GPUVM_PTB) {
		pt->child = kvcalloc(GPUVM_ENTRIES, sizeof(*pt->child), GFP_KERNEL);
		if (!pt->child)
			goto free;
	}
	atomic64_add(PAGE_SIZE, &adev->pt_bytes);
	return pt;
free:
	amdm_vram_free(adev, pt->vram);
	kfree(pt);
	return NULL;
}

/** amdm_pt_create_root() - an empty PDB2, NULL without memory */
struct amdm_pt *amdm_pt_create_root(struct amdm_device *adev)
{
	return amdm_pt_create(adev, GPUVM_PDB2);
}

/** amdm_pt_destroy() - free a table and what hangs below it */
void amdm_pt_destroy(struct amdm_device *adev, struct amdm_pt *pt)
{
	u32 i;

	if (!pt)
		return;
	for (i = 0; pt->child && i < GPUVM_ENTRIES; i++)
		amdm_pt_destroy(adev, pt->child[i]);
	kvfree(pt->child);
	amdm_vram_free(adev, pt->vram);
	atomic64_sub(PAGE_SIZE, &adev->pt_bytes);
	kfree(pt);
}

/** amdm_pt_address() - value for a PDE or for VM_CONTEXTn_PAGE_TABLE_BASE */
u64 amdm_pt_address(const struct amdm_pt *pt)
{
	return amdm_vram_offset(pt->vram, 0, NULL) | GPUVM_PTE_VALID;
}

static void amdm_pt_write(struct amdm_pt *pt, u32 index, u64 value)
{
	pt->used += !pt->entry[index] && value;
	pt->used -= pt->entry[index] && !value;
	smp_wmb(); /* a child's contents before the pointer to it */
	WRITE_ONCE(pt->entry[index], value);
}

static struct amdm_pt *amdm_pt_descend(struct amdm_device *adev, struct amdm_pt *pt, enum gpuvm_level level, u64 va)
{
	u32 index = GPUVM_INDEX(va, level);

	if (!pt->child[index]) {
		pt->child[index] = amdm_pt_create(adev, level + 1);
		if (!pt->child[index])
			return NULL;
		amdm_pt_write(pt, index, amdm_pt_address(pt->child[index]));
	}
	return pt->child[index];
}

/**
 * amdm_pt_set() - write PTEs for pages that follow each other in both worlds
 * @adev:  device
 * @root:  PDB2
 * @va:    GPU address
 * @pte:   entry of the first page
 * @pages: how many
 * Return: 0, -ENOMEM: some may be written, clear the range.
 */
int amdm_pt_set(struct amdm_device *adev, struct amdm_pt *root, u64 va, u64 pte, u64 pages)
{
	while (pages) {
		struct amdm_pt *pt = root;
		enum gpuvm_level level;
		u32 i;

		for (level = GPUVM_PDB2; level != GPUVM_PTB; level++) {
			pt = amdm_pt_descend(adev, pt, level, va);
			if (!pt)
				return -ENOMEM;
		}
		for (i = GPUVM_INDEX(va, GPUVM_PTB); i < GPUVM_ENTRIES && pages; i++, pages--) {
			amdm_pt_write(pt, i, pte);
			va += PAGE_SIZE;
			pte += PAGE_SIZE;
		}
		cond_resched();
	}
	return 0;
}

static void amdm_pt_clear_level(struct amdm_device *adev, struct amdm_pt *pt, enum gpuvm_level level, u64 va, u64 end)
{
	u64 step = 1ULL << GPUVM_SHIFT(level);

	while (va < end) {
		u64 next = min(end, (va & ~(step - 1)) + step);
		u32 index = GPUVM_INDEX(va, level);
		struct amdm_pt *child = level == GPUVM_PTB ? NULL : pt->child[index];

		if (level == GPUVM_PTB) {
			amdm_pt_write(pt, index, 0);
		} else if (child) {
			amdm_pt_clear_level(adev, child, level + 1, va, next);
			if (!child->used) {
				amdm_pt_write(pt, index, 0);
				pt->child[index] = NULL;
				amdm_pt_destroy(adev, child);
			}
		}
		va = next;
	}
}

/** amdm_pt_clear() - make pages unmapped again; tables that become empty are freed */
void amdm_pt_clear(struct amdm_device *adev, struct amdm_pt *root, u64 va, u64 pages)
{
	amdm_pt_clear_level(adev, root, GPUVM_PDB2, va, va + (pages << PAGE_SHIFT));
}
