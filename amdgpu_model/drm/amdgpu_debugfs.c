// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_debugfs.c - a look at memory: dri/N/amdgpu_vram_mm, amdgpu_gtt_mm, amdgpu_gem_info, amdgpu_vm_info, amdgpu_vram,
 * amdgpu_evict_vram, amdgpu_evict_gtt
 *
 * Formats of gem_info and vm_info as amdgpu_gem.c and amdgpu_vm.c of Linux 6.1 have them. Here page tables are
 * updated as soon as a buffer moves, so that vm_info's lists "relocated" and "moved" are empty. "evicted" has the always-valid buffers
 * that are not in their preferred place, "invalidated" the other buffers that are where no job can reach them.
 */
#include <drm/drm_debugfs.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>

#include "amdgpu_debugfs.h"
#include "amdgpu_model/base/amdgpu_file.h"
#include "amdgpu_model/mem/amdgpu_evict.h"
#include "amdgpu_model/mem/amdgpu_gem.h"
#include "amdgpu_model/mem/amdgpu_vm.h"

static struct amdm_device *amdm_debugfs_device(struct seq_file *m)
{
	const struct drm_info_node *node = m->private;

	return amdm_from_drm(node->minor->dev);
}

static int amdm_debugfs_vram_mm(struct seq_file *m, void *unused)
{
	struct amdm_device *adev = amdm_debugfs_device(m);
	struct drm_printer p = drm_seq_file_printer(m);

	mutex_lock(&adev->vram.lock);
	drm_mm_print(&adev->vram.mm, &p);
	seq_printf(m, "man size:%llu pages, usage:%llu, page tables:%llu\n", adev->vram.size >> PAGE_SHIFT, adev->vram.used,
		   (u64)atomic64_read(&adev->pt_bytes));
	mutex_unlock(&adev->vram.lock);
	return 0;
}

static int amdm_debugfs_gtt_mm(struct seq_file *m, void *unused)
{
	struct amdm_device *adev = amdm_debugfs_device(m);
	struct drm_printer p = drm_seq_file_printer(m);

	mutex_lock(&adev->gart.lock);
	drm_mm_print(&adev->gart.mm, &p);
	mutex_unlock(&adev->gart.lock);
	seq_printf(m, "man size:%llu pages, usage:%llu, user pages:%llu\n", amdm_gtt_size() >> PAGE_SHIFT,
		   (u64)atomic64_read(&adev->gtt_bytes), (u64)atomic64_read(&adev->user_pages));
	return 0;
}

static const struct {
	u64 flag;
	const char *name;
} bo_flags[] = {
	{ AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED, "CPU_ACCESS_REQUIRED" },
	{ AMDGPU_GEM_CREATE_NO_CPU_ACCESS, "NO_CPU_ACCESS" },
	{ AMDGPU_GEM_CREATE_CPU_GTT_USWC, "CPU_GTT_USWC" },
	{ AMDGPU_GEM_CREATE_VRAM_CLEARED, "VRAM_CLEARED" },
	{ AMDGPU_GEM_CREATE_VRAM_CONTIGUOUS, "VRAM_CONTIGUOUS" },
	{ AMDGPU_GEM_CREATE_VM_ALWAYS_VALID, "VM_ALWAYS_VALID" },
	{ AMDGPU_GEM_CREATE_EXPLICIT_SYNC, "EXPLICIT_SYNC" },
};

static const char *bo_place(const struct amdm_bo *bo)
{
	switch (READ_ONCE(bo->kind)) {
	case AMDM_VRAM:
		return "VRAM";
	case AMDM_GTT:
	case AMDM_USERPTR:
	case AMDM_PEER:
		return " GTT";
	default:
		return " CPU";
	}
}

/* amdgpu_bo_print_info(); returns the size */
static u64 bo_print(struct seq_file *m, int id, const struct amdm_bo *bo)
{
	int pins = atomic_read(&bo->pins) + !!READ_ONCE(bo->kmap_count);
	const struct dma_buf *dma_buf = READ_ONCE(bo->base.dma_buf);
	u32 i;

	seq_printf(m, "\t\t0x%08x: %12lld byte %s", id, (u64)bo->base.size, bo_place(bo));
	if (pins)
		seq_printf(m, " pin count %d", pins);
	if (dma_buf)
		seq_printf(m, " exported as %p", dma_buf);
	for (i = 0; i < ARRAY_SIZE(bo_flags); i++)
		if (bo->gem_flags & bo_flags[i].flag)
			seq_printf(m, " %s", bo_flags[i].name);
	seq_puts(m, "\n");
	return bo->base.size;
}

/* A title and a body for each client of the device. */
static int each_client(struct seq_file *m, const char *title, const char *nobody, void (*body)(struct seq_file *m, struct drm_file *file))
{
	struct amdm_device *adev = m->private;
	struct drm_file *file;
	int ret;

	ret = mutex_lock_interruptible(&adev->ddev.filelist_mutex);
	if (ret)
		return ret;
	list_for_each_entry(file, &adev->ddev.filelist, lhead) {
		struct task_struct *task;

		rcu_read_lock();
		task = pid_task(file->pid, PIDTYPE_PID);
		seq_printf(m, title, pid_nr(file->pid), task ? task->comm : nobody);
		rcu_read_unlock();
		body(m, file);
	}
	mutex_unlock(&adev->ddev.filelist_mutex);
	return 0;
}

static void gem_print(struct seq_file *m, struct drm_file *file)
{
	struct drm_gem_object *obj;
	int id;

	spin_lock(&file->table_lock);
	idr_for_each_entry(&file->object_idr, obj, id)
		bo_print(m, id, amdm_bo_from_gem(obj));
	spin_unlock(&file->table_lock);
}

static int gem_info_show(struct seq_file *m, void *unused)
{
	return each_client(m, "pid %8d command %s:\n", "<unknown>", gem_print);
}
DEFINE_SHOW_ATTRIBUTE(gem_info);

enum vm_state { VM_IDLE, VM_EVICTED, VM_RELOCATED, VM_MOVED, VM_INVALIDATED, VM_DONE, VM_STATES };
static const char *const vm_state_names[VM_STATES] = { "Idle", "Evicted", "Relocated", "Moved", "Invalidated", "Done" };
static const char *const vm_total_names[VM_STATES] = { "idle size:       ", "evicted size:    ", "relocated size:  ",
						       "moved size:      ", "invalidated size:", "done size:       " };

static enum vm_state vm_state_of(const struct amdm_vm *vm, const struct amdm_bo *bo)
{
	if (bo->vm == vm)
		return amdm_move_is_wanted(bo) ? VM_EVICTED : VM_IDLE;
	return amdm_move_is_usable(bo) ? VM_DONE : VM_INVALIDATED;
}

/* A buffer that an address space maps more than once counts once. */
static bool vm_is_first(const struct amdm_mapping *mapping)
{
	const struct amdm_mapping *other;
	bool first = true;

	mutex_lock(&mapping->bo->lock);
	list_for_each_entry(other, &mapping->bo->mappings, of_bo)
		if (other->vm == mapping->vm) {
			first = other == mapping;
			break;
		}
	mutex_unlock(&mapping->bo->lock);
	return first;
}

/* The buffers of a state; vm->lock and amdm_placement.sem held. Returns their number. */
static u32 vm_print_state(struct seq_file *m, struct amdm_vm *vm, enum vm_state state, u64 *bytes)
{
	struct interval_tree_node *node;
	u32 id = 0;

	seq_printf(m, "\t%s BOs:\n", vm_state_names[state]);
	for (node = interval_tree_iter_first(&vm->va, 0, ULONG_MAX); node; node = interval_tree_iter_next(node, 0, ULONG_MAX)) {
		const struct amdm_mapping *mapping = container_of(node, struct amdm_mapping, node);

		if (vm_state_of(vm, mapping->bo) == state && vm_is_first(mapping))
			*bytes += bo_print(m, id++, mapping->bo);
	}
	return id;
}

static void vm_print(struct seq_file *m, struct drm_file *file)
{
	struct amdm_vm *vm = amdm_file_vm(file);
	u64 bytes[VM_STATES] = {};
	u32 count[VM_STATES], i;

	down_read(&vm->adev->placement.sem);
	mutex_lock(&vm->lock);
	for (i = 0; i < VM_STATES; i++)
		count[i] = vm_print_state(m, vm, i, &bytes[i]);
	mutex_unlock(&vm->lock);
	up_read(&vm->adev->placement.sem);
	seq_puts(m, "\n");
	for (i = 0; i < VM_STATES; i++)
		seq_printf(m, "\tTotal %s %12lld\tobjs:\t%d\n", vm_total_names[i], bytes[i], count[i]);
}

static int vm_info_show(struct seq_file *m, void *unused)
{
	return each_client(m, "pid:%d\tProcess:%s ----------\n", "", vm_print);
}
DEFINE_SHOW_ATTRIBUTE(vm_info);

static int evict_vram_get(void *data, u64 *val)
{
	*val = amdm_evict_all(data, AMDM_VRAM);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(evict_vram_fops, evict_vram_get, NULL, "%lld\n");

static int evict_gtt_get(void *data, u64 *val)
{
	*val = amdm_evict_all(data, AMDM_GTT);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(evict_gtt_fops, evict_gtt_get, NULL, "%lld\n");

/* What nobody has touched reads as zero, and is not made for that. */
static void vram_copy_page(struct amdm_device *adev, u64 offset, void *to)
{
	struct page *page;

	rcu_read_lock();
	page = xa_load(&adev->vram.pages, offset >> PAGE_SHIFT);
	if (page && !get_page_unless_zero(page))
		page = NULL;
	rcu_read_unlock();
	if (page && xa_load(&adev->vram.pages, offset >> PAGE_SHIFT) == page)
		memcpy(to, page_address(page), PAGE_SIZE);
	else
		memset(to, 0, PAGE_SIZE);
	if (page)
		put_page(page);
}

static ssize_t vram_read(struct file *file, char __user *buf, size_t size, loff_t *pos)
{
	struct amdm_device *adev = file_inode(file)->i_private;
	ssize_t done = 0;
	void *page;

	if (*pos & 3 || size & 3)
		return -EINVAL;
	if (*pos >= adev->vram.size)
		return -ENXIO;
	page = (void *)__get_free_page(GFP_KERNEL);
	if (!page)
		return -ENOMEM;
	size = min_t(u64, size, adev->vram.size - *pos);
	while (done < size && !fatal_signal_pending(current)) {
		size_t bytes = min_t(size_t, size - done, PAGE_SIZE - offset_in_page(*pos));

		vram_copy_page(adev, *pos, page);
		if (copy_to_user(buf + done, page + offset_in_page(*pos), bytes)) {
			done = -EFAULT;
			break;
		}
		done += bytes;
		*pos += bytes;
		cond_resched();
	}
	free_page((unsigned long)page);
	return done;
}

static const struct file_operations vram_fops = {
	.owner = THIS_MODULE,
	.read = vram_read,
	.llseek = default_llseek,
};

static const struct drm_info_list amdm_debugfs_list[] = {
	{ "amdgpu_vram_mm", amdm_debugfs_vram_mm },
	{ "amdgpu_gtt_mm", amdm_debugfs_gtt_mm },
};

/** amdm_debugfs_init() - the files of a DRM minor; those of amdgpu are in the primary node's folder alone */
void amdm_debugfs_init(struct drm_minor *minor)
{
	struct amdm_device *adev = amdm_from_drm(minor->dev);
	struct dentry *root = minor->debugfs_root;

	drm_debugfs_create_files(amdm_debugfs_list, ARRAY_SIZE(amdm_debugfs_list), root, minor);
	if (minor->type != DRM_MINOR_PRIMARY)
		return;
	debugfs_create_file("amdgpu_gem_info", 0444, root, adev, &gem_info_fops);
	debugfs_create_file("amdgpu_vm_info", 0444, root, adev, &vm_info_fops);
	debugfs_create_file("amdgpu_evict_vram", 0400, root, adev, &evict_vram_fops);
	debugfs_create_file("amdgpu_evict_gtt", 0400, root, adev, &evict_gtt_fops);
	debugfs_create_file_size("amdgpu_vram", 0444, root, adev, &vram_fops, adev->vram.size);
	amdm_debugfs_rings(adev, root);
}
