// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: ctl.c - /dev/amdgpu_model_ctl (uapi/amdgpu_model_ctl.h)
 *
 * Checks arguments, finds the GPU, and leaves the work to bench.c. An open file holds the module.
 */
#include <linux/capability.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "bench.h"
#include "amdgpu_model/base/amdgpu_param.h"
#include "amdgpu_model/device/amdgpu_devices.h"

/**
 * struct amdm_ctl_file - what an open file has left behind on the GPUs
 * @held:    GPUs whose clock it has stopped
 * @tracing: GPUs whose trace it has started
 */
struct amdm_ctl_file {
	u32 held;
	u32 tracing;
};

static int amdm_ctl_open(struct inode *inode, struct file *file)
{
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	file->private_data = kzalloc(sizeof(struct amdm_ctl_file), GFP_KERNEL);
	return file->private_data ? 0 : -ENOMEM;
}

static int amdm_ctl_release(struct inode *inode, struct file *file)
{
	struct amdm_ctl_file *state = file->private_data;
	u32 i;

	for (i = 0; i < 32; i++) {
		struct amdm_device *adev = amdm_device_get(i);

		if (!adev)
			continue;
		if (state->held & 1u << i)
			amdm_bench_release(adev->glue, file);
		if (state->tracing & 1u << i)
			amdm_bench_trace_stop(adev->glue);
		amdm_device_put(adev);
	}
	kfree(state);
	return 0;
}

static int amdm_ctl_info(struct amdm_ctl_info *info)
{
	struct amdm_device *adev = amdm_device_get(0);

	*info = (struct amdm_ctl_info){
		.version = AMDM_CTL_VERSION,
		.gpus = amdm_param.gpus,
		.counters = SILICON_COUNTERS,
	};
	if (!adev)
		return 0;
	info->cu_active = adev->cu_active;
	info->clock_khz = adev->chip->clock_mhz * 1000;
	info->ref_khz = adev->asic->die.ref_khz;
	amdm_device_put(adev);
	return 0;
}

static int amdm_ctl_clock(struct amdm_device *adev, struct file *file, unsigned int cmd, struct amdm_ctl_clock *clock)
{
	struct amdm_ctl_file *state = file->private_data;
	int ret;

	if (clock->pad)
		return -EINVAL;
	switch (cmd) {
	case AMDM_CTL_HOLD:
		ret = amdm_bench_hold(adev->glue, file);
		if (!ret)
			state->held |= 1u << adev->index;
		break;
	case AMDM_CTL_RELEASE:
		ret = amdm_bench_release(adev->glue, file);
		if (!ret)
			state->held &= ~(1u << adev->index);
		break;
	default:
		ret = amdm_bench_run(adev->glue, file, clock);
	}
	clock->now = amdm_bench_now(adev->glue);
	return ret;
}

static int amdm_ctl_counters(struct amdm_device *adev, struct amdm_ctl_counters *args)
{
	u64 __user *values = u64_to_user_ptr(args->values);
	struct amdm_glue *glue = adev->glue;
	u64 copy[SILICON_COUNTERS];
	u32 i, count = min_t(u32, args->count, SILICON_COUNTERS);

	amdm_glue_lock(glue);
	for (i = 0; i < count; i++)
		copy[i] = silicon_bench_counter(glue->silicon, i);
	amdm_glue_unlock(glue);
	args->count = count;
	args->vram_used = READ_ONCE(adev->vram.used);
	args->gtt_used = atomic64_read(&adev->gtt_bytes);
	args->page_table_bytes = atomic64_read(&adev->pt_bytes);
	args->pinned_pages = atomic64_read(&adev->user_pages);
	args->worker_ns = READ_ONCE(glue->worker->se.sum_exec_runtime);
	return copy_to_user(values, copy, count * sizeof(u64)) ? -EFAULT : 0;
}

static int amdm_ctl_trace(struct amdm_device *adev, struct file *file, struct amdm_ctl_trace *args)
{
	struct amdm_ctl_file *state = file->private_data;
	int ret = 0;

	if (args->kinds && (args->op != 1 || args->kinds >> SILICON_TRACE_KINDS))
		return -EINVAL;
	switch (args->op) {
	case 0:
		return amdm_bench_trace_read(adev->glue, args);
	case 1:
		ret = amdm_bench_trace_start(adev->glue, args->kinds);
		if (!ret)
			state->tracing |= 1u << adev->index;
		return ret;
	case 2:
		amdm_bench_trace_stop(adev->glue);
		state->tracing &= ~(1u << adev->index);
		return 0;
	default:
		return -EINVAL;
	}
}

union amdm_ctl_args {
	u32 gpu;	/* the first member of all the others */
	struct amdm_ctl_clock clock;
	struct amdm_ctl_counters counters;
	struct amdm_ctl_trace trace;
	struct amdm_ctl_memory memory;
	struct amdm_ctl_inject inject;
};

static int amdm_ctl_command(struct amdm_device *adev, struct file *file, unsigned int cmd, union amdm_ctl_args *args)
{
	switch (cmd) {
	case AMDM_CTL_HOLD:
	case AMDM_CTL_RELEASE:
	case AMDM_CTL_RUN:
		return amdm_ctl_clock(adev, file, cmd, &args->clock);
	case AMDM_CTL_COUNTERS:
		return amdm_ctl_counters(adev, &args->counters);
	case AMDM_CTL_TRACE:
		return amdm_ctl_trace(adev, file, &args->trace);
	case AMDM_CTL_PEEK:
	case AMDM_CTL_POKE:
		return amdm_bench_memory(adev->glue, &args->memory, cmd == AMDM_CTL_POKE);
	case AMDM_CTL_INJECT:
		return args->inject.pad ? -EINVAL : amdm_bench_inject(adev->glue, args->inject.fault, args->inject.count);
	default:
		amdm_device_reset(adev, "user trigger");
		return 0;
	}
}

static bool amdm_ctl_known(unsigned int cmd)
{
	switch (cmd) {
	case AMDM_CTL_HOLD:
	case AMDM_CTL_RELEASE:
	case AMDM_CTL_RUN:
	case AMDM_CTL_COUNTERS:
	case AMDM_CTL_TRACE:
	case AMDM_CTL_PEEK:
	case AMDM_CTL_POKE:
	case AMDM_CTL_INJECT:
	case AMDM_CTL_RESET:
		return true;
	default:
		return false;
	}
}

static long amdm_ctl_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *user = (void __user *)arg;
	struct amdm_device *adev;
	union amdm_ctl_args args = {};
	struct amdm_ctl_info info;
	long ret;

	if (cmd == AMDM_CTL_INFO) {
		ret = amdm_ctl_info(&info);
		return copy_to_user(user, &info, sizeof(info)) ? -EFAULT : ret;
	}
	if (!amdm_ctl_known(cmd))
		return -ENOTTY;
	if (copy_from_user(&args, user, _IOC_SIZE(cmd)))
		return -EFAULT;
	adev = amdm_device_get(args.gpu);
	if (!adev)
		return -ENODEV;
	ret = amdm_ctl_command(adev, file, cmd, &args);
	amdm_device_put(adev);
	if (_IOC_DIR(cmd) & _IOC_READ && copy_to_user(user, &args, _IOC_SIZE(cmd)))
		ret = -EFAULT;
	return ret;
}

static const struct file_operations amdm_ctl_fops = {
	.owner = THIS_MODULE,
	.open = amdm_ctl_open,
	.release = amdm_ctl_release,
	.unlocked_ioctl = amdm_ctl_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice amdm_ctl_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "amdgpu_model_ctl",
	.fops = &amdm_ctl_fops,
	.mode = 0600,
};

/** amdm_ctl_init() - make the control device */
int amdm_ctl_init(void)
{
	return misc_register(&amdm_ctl_device);
}

/** amdm_ctl_fini() - remove it; no file is open, they hold the module */
void amdm_ctl_fini(void)
{
	misc_deregister(&amdm_ctl_device);
}
