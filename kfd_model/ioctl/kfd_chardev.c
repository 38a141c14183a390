// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: /dev/kfd
 *
 * One character device for all GPUs. A file belongs to the process that opened it; every ioctl goes through one dispatcher,
 * whose order of tests is part of the ABI: number, owner, capability, copy in, handler, copy out, the last one even
 * when the handler failed (Linux: kfd_chardev.c).
 */
#include "kfd_chardev.h"

#include <linux/capability.h>
#include <linux/compat.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/overflow.h>
#include <linux/ptrace.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "kfd_ioctl.h"
#include "kfd_mmap.h"
#include "amdgpu_model/compat/kernel.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/process/kfd_process.h"
#include "uapi/kfd_ioctl.h"

#define ON_STACK	128

/**
 * struct ioctl_row - one ioctl: @cmd decides direction and size, whatever user space says; @check may refuse the size; @file_fn: instead of
 * @fn where it is about the file
 */
struct ioctl_row {
	unsigned int cmd;
	kfdm_ioctl_fn *fn;
	int (*file_fn)(struct file *filp, struct kfdm_process *p);
	int (*check)(const void *data, size_t usize);
	bool is_criu;
};

#define ROW(command, handler)	[_IOC_NR(command)] = { .cmd = command, .fn = handler }

/* The attributes follow the struct. */
static int check_svm(const void *data, size_t usize)
{
	const struct kfd_ioctl_svm_args *args = data;

	return usize < struct_size(args, attrs, args->nattr) ? -EINVAL : 0;
}

static DEFINE_MUTEX(context_mutex);	/* whose a file is changes once at most */

/*
 * The process of a file. A file keeps the first one's address_space all its life: it has mappings there. So does the second one, which
 * holds the first.
 */
static struct kfdm_process *process_of(struct file *filp)
{
	/* What is in a new context was there before it was the file's: create_context(). */
	return smp_load_acquire(&filp->private_data);
}

/* CREATE_PROCESS: the file becomes that of a new context of its process; -EINVAL: it is one already */
static int create_context(struct file *filp, struct kfdm_process *p)
{
	struct kfdm_process *context;

	if (kfdm_process_is_context(p))
		return -EINVAL;
	mutex_lock(&context_mutex);
	context = p == filp->private_data ? kfdm_process_create_context(p) : ERR_PTR(-EINVAL);
	if (!IS_ERR(context))
		smp_store_release(&filp->private_data, context);	/* for process_of() */
	mutex_unlock(&context_mutex);
	return PTR_ERR_OR_ZERO(context);
}

static const struct ioctl_row ioctls[] = {
	ROW(AMDKFD_IOC_GET_VERSION, kfdm_ioctl_get_version),
	ROW(AMDKFD_IOC_CREATE_QUEUE, kfdm_ioctl_create_queue),
	ROW(AMDKFD_IOC_DESTROY_QUEUE, kfdm_ioctl_destroy_queue),
	ROW(AMDKFD_IOC_SET_MEMORY_POLICY, kfdm_ioctl_set_memory_policy),
	ROW(AMDKFD_IOC_GET_CLOCK_COUNTERS, kfdm_ioctl_get_clock_counters),
	ROW(AMDKFD_IOC_GET_PROCESS_APERTURES, kfdm_ioctl_get_process_apertures),
	ROW(AMDKFD_IOC_UPDATE_QUEUE, kfdm_ioctl_update_queue),
	ROW(AMDKFD_IOC_CREATE_EVENT, kfdm_ioctl_create_event),
	ROW(AMDKFD_IOC_DESTROY_EVENT, kfdm_ioctl_destroy_event),
	ROW(AMDKFD_IOC_SET_EVENT, kfdm_ioctl_set_event),
	ROW(AMDKFD_IOC_RESET_EVENT, kfdm_ioctl_reset_event),
	ROW(AMDKFD_IOC_WAIT_EVENTS, kfdm_ioctl_wait_events),
	ROW(AMDKFD_IOC_DBG_REGISTER_DEPRECATED, kfdm_ioctl_debugger),
	ROW(AMDKFD_IOC_DBG_UNREGISTER_DEPRECATED, kfdm_ioctl_debugger),
	ROW(AMDKFD_IOC_DBG_ADDRESS_WATCH_DEPRECATED, kfdm_ioctl_debugger),
	ROW(AMDKFD_IOC_DBG_WAVE_CONTROL_DEPRECATED, kfdm_ioctl_debugger),
	ROW(AMDKFD_IOC_SET_SCRATCH_BACKING_VA, kfdm_ioctl_set_scratch_backing_va),
	ROW(AMDKFD_IOC_GET_TILE_CONFIG, kfdm_ioctl_get_tile_config),
	ROW(AMDKFD_IOC_SET_TRAP_HANDLER, kfdm_ioctl_set_trap_handler),
	ROW(AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, kfdm_ioctl_get_process_apertures_new),
	ROW(AMDKFD_IOC_ACQUIRE_VM, kfdm_ioctl_acquire_vm),
	ROW(AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, kfdm_ioctl_alloc_memory),
	ROW(AMDKFD_IOC_FREE_MEMORY_OF_GPU, kfdm_ioctl_free_memory),
	ROW(AMDKFD_IOC_MAP_MEMORY_TO_GPU, kfdm_ioctl_map_memory),
	ROW(AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, kfdm_ioctl_unmap_memory),
	ROW(AMDKFD_IOC_SET_CU_MASK, kfdm_ioctl_set_cu_mask),
	ROW(AMDKFD_IOC_GET_QUEUE_WAVE_STATE, kfdm_ioctl_get_queue_wave_state),
	ROW(AMDKFD_IOC_GET_DMABUF_INFO, kfdm_ioctl_get_dmabuf_info),
	ROW(AMDKFD_IOC_IMPORT_DMABUF, kfdm_ioctl_import_dmabuf),
	ROW(AMDKFD_IOC_ALLOC_QUEUE_GWS, kfdm_ioctl_alloc_queue_gws),
	ROW(AMDKFD_IOC_SMI_EVENTS, kfdm_ioctl_smi_events),
	[_IOC_NR(AMDKFD_IOC_SVM)] = { .cmd = AMDKFD_IOC_SVM, .fn = kfdm_ioctl_svm, .check = check_svm },
	ROW(AMDKFD_IOC_SET_XNACK_MODE, kfdm_ioctl_set_xnack_mode),
	[_IOC_NR(AMDKFD_IOC_CRIU_OP)] = { .cmd = AMDKFD_IOC_CRIU_OP, .fn = kfdm_ioctl_criu, .is_criu = true },
	ROW(AMDKFD_IOC_AVAILABLE_MEMORY, kfdm_ioctl_available_memory),
	ROW(AMDKFD_IOC_EXPORT_DMABUF, kfdm_ioctl_export_dmabuf),
	ROW(AMDKFD_IOC_RUNTIME_ENABLE, kfdm_ioctl_runtime_enable),
	ROW(AMDKFD_IOC_DBG_TRAP, kfdm_ioctl_dbg_trap),
	[_IOC_NR(AMDKFD_IOC_CREATE_PROCESS)] = { .cmd = AMDKFD_IOC_CREATE_PROCESS, .file_fn = create_context },
	ROW(AMDKFD_IOC_PROFILER, kfdm_ioctl_profiler),
};

static bool is_current(const struct kfdm_process *p)
{
	return p->lead_thread == current->group_leader && READ_ONCE(p->mm) == current->mm;
}

static int check_owner(const struct ioctl_row *row, struct kfdm_process *p)
{
	bool traced = false;

	/* After an exec the thread is the same, but what the object stands for is gone. */
	if (is_current(p))
		return 0;
	/* Checkpointing is done by the tracer. */
	if (row->is_criu) {
		rcu_read_lock();
		traced = ptrace_parent(p->lead_thread) == current;
		rcu_read_unlock();
	}
	return traced ? 0 : -EBADF;
}

static int copy_in(const struct ioctl_row *row, void *data, unsigned long arg, size_t usize, size_t size)
{
	memset(data + usize, 0, size - usize);
	if (row->cmd & IOC_IN)
		return copy_from_user(data, (void __user *)arg, usize) ? -EFAULT : 0;
	memset(data, 0, usize);
	return 0;
}

static long dispatch(const struct ioctl_row *row, struct kfdm_process *p, unsigned long arg, size_t usize)
{
	size_t size = max_t(size_t, usize, _IOC_SIZE(row->cmd));
	u8 on_stack[ON_STACK] __aligned(8);
	void *data = on_stack;
	long ret;

	if (size > sizeof(on_stack)) {
		data = kmalloc(size, GFP_KERNEL);
		if (!data)
			return -ENOMEM;
	}
	ret = copy_in(row, data, arg, usize, size);
	if (!ret && row->check)
		ret = row->check(data, usize);
	if (!ret) {
		ret = row->fn(p, data);
		if (row->cmd & IOC_OUT && copy_to_user((void __user *)arg, data, usize))
			ret = -EFAULT;
	}
	if (data != on_stack)
		kfree(data);
	return ret;
}

/* From here on numbers are those of AMD's driver outside of Linux (IPC_*, DBG_TRAP of old), which ROCm tries and does without. */
#define FIRST_FOREIGN_NR	0x80

static long kfd_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	struct kfdm_process *p = process_of(filp);
	unsigned int nr = _IOC_NR(cmd);
	const struct ioctl_row *row;
	int ret;

	if (nr >= ARRAY_SIZE(ioctls) && nr < FIRST_FOREIGN_NR)
		amdm_refused("KFD_IOC", nr);
	if (nr < AMDKFD_COMMAND_START || nr >= kfdm_abi->ioctl_end || nr >= ARRAY_SIZE(ioctls))
		return -ENOTTY;
	row = &ioctls[array_index_nospec(nr, ARRAY_SIZE(ioctls))];
	ret = check_owner(row, p);
	if (ret)
		return ret;
	if (row->file_fn)
		return row->file_fn(filp, p);
	if (!row->fn)
		return -EINVAL;
	if (row->is_criu && !capable(CAP_CHECKPOINT_RESTORE) && !capable(CAP_SYS_ADMIN))
		return -EACCES;
	return dispatch(row, p, arg, _IOC_SIZE(cmd));
}

static int kfd_open(struct inode *inode, struct file *filp)
{
	struct kfdm_process *p;

	if (iminor(inode))
		return -ENODEV;
	if (in_compat_syscall()) {
		pr_warn_ratelimited("kfd_model: Process %d (32-bit) failed to open /dev/kfd\n"
				    "32-bit processes are not supported by amdkfd\n", current->pid);
		return -EPERM;
	}
	p = kfdm_process_open();
	if (IS_ERR(p))
		return PTR_ERR(p);
	if (kfdm_is_locked()) {
		kfdm_process_put(p);
		return kfdm_abi->open_fails_busy;
	}
	filp->private_data = p;
	filp->f_mapping = p->inode->i_mapping;
	return 0;
}

static int kfd_release(struct inode *inode, struct file *filp)
{
	struct kfdm_process *p = filp->private_data;

	if (p)
		kfdm_process_close(p);
	return 0;
}

static int mmap_mmio(struct kfdm_process_device *pdd, struct vm_area_struct *vma)
{
	if (vma->vm_end - vma->vm_start != PAGE_SIZE)
		return -EINVAL;
	return kfdm_kgd->mmio_mmap(pdd->dev->adev, vma);
}

static int mmap_by_type(struct kfdm_process *p, struct vm_area_struct *vma)
{
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT, type = offset & KFDM_MMAP_TYPE_MASK;
	struct kfdm_process_device *pdd;

	if (type == KFDM_MMAP_TYPE_EVENTS)
		return kfdm_events_mmap(&p->events, vma);
	if (type != KFDM_MMAP_TYPE_DOORBELL && type != KFDM_MMAP_TYPE_MMIO && kfdm_abi->file_has_process)
		return -EINVAL;	/* pages of an APU's trap handler, which nobody has any more */
	pdd = kfdm_pdd_by_real_id(p, kfdm_mmap_gpu_id_of(offset));
	if (!pdd)
		return -ENODEV;
	switch (type) {
	case KFDM_MMAP_TYPE_DOORBELL:
		return kfdm_doorbell_mmap(pdd, vma);
	case KFDM_MMAP_TYPE_MMIO:
		return mmap_mmio(pdd, vma);
	default:	/* no GPU here is an APU */
		return -EINVAL;
	}
}

/* A file works for the process that opened it alone: a doorbell must be in its own process's address_space to be found. */
static int kfd_mmap(struct file *filp, struct vm_area_struct *vma)
{
	struct kfdm_process *p = process_of(filp);

	if (!is_current(p))
		return kfdm_abi->file_has_process ? -EBADF : -EINVAL;
	vm_flags_set(vma, VM_IO | VM_DONTCOPY | VM_DONTEXPAND | VM_NORESERVE | VM_DONTDUMP | VM_PFNMAP);
	vm_flags_clear(vma, VM_MAYEXEC);
	/* mmap_lock is held: the process's mutex, under which ioctls take mmap_lock, must not be taken here. */
	return vma->vm_flags & VM_EXEC ? -EPERM : mmap_by_type(p, vma);
}

static const struct file_operations kfd_fops = {
	.owner = THIS_MODULE,
	.open = kfd_open,
	.release = kfd_release,
	.unlocked_ioctl = kfd_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = kfd_mmap,
};

static int major;
/**
 * kfdm_chardev_init() - major, class and device "kfd"
 *
 * Return: 0, -EEXIST or -EBUSY where another KFD is, -ENOMEM.
 */
int kfdm_chardev_init(void)
{
	int ret;

	major = register_chrdev(0, "kfd", &kfd_fops);
	if (major < 0)
		return major;
	ret = kfdm_class_init(major);
	if (ret)
		unregister_chrdev(major, "kfd");
	return ret;
}

/** kfdm_chardev_fini() - undo it */
void kfdm_chardev_fini(void)
{
	kfdm_class_fini(major);
	unregister_chrdev(major, "kfd");
}
