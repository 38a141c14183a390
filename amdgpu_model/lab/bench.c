// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: bench.c - access to the silicon beyond what a driver has, for experiments and tests
 *
 * Stops the clock, steps it, records the trace, reads and changes memory as the chip sees it, arms failures. All of it goes
 * through the silicon_bench_ functions with the silicon's lock held.
 */
#include <linux/delay.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "bench.h"
#include "amdgpu_model/gfx/amdgpu_grbm.h"
#include "amdgpu_model/hw/regs.h"
#include "amdgpu_model/mem/amdgpu_iommu.h"
#include "amdgpu_model/mem/amdgpu_vram.h"

#define BENCH_TRACE_EVENTS	(1u << 17)
#define BENCH_RUN_TIMEOUT_MS	60000
#define BENCH_MEMORY_MAX	(1u << 20)
#define BENCH_PAGE_MS		1000	/* for a page of a process to come */

/** amdm_bench_hold() - stop the clock for @holder. Return: 0, -EBUSY: another holder has stopped it. */
int amdm_bench_hold(struct amdm_glue *glue, struct file *holder)
{
	int ret = 0;

	amdm_glue_lock(glue);
	if (glue->holder && glue->holder != holder)
		ret = -EBUSY;
	else
		silicon_bench_hold(glue->silicon, true);
	if (!ret)
		glue->holder = holder;
	amdm_glue_unlock(glue);
	return ret;
}

/** amdm_bench_release() - let the clock go on. Return: 0, -EINVAL: @holder has not stopped it. */
int amdm_bench_release(struct amdm_glue *glue, struct file *holder)
{
	int ret = -EINVAL;

	amdm_glue_lock(glue);
	if (glue->holder == holder) {
		silicon_bench_hold(glue->silicon, false);
		glue->holder = NULL;
		ret = 0;
	}
	amdm_glue_unlock(glue);
	amdm_glue_kick(glue->adev);
	return ret;
}

static bool amdm_bench_stepping(struct amdm_glue *glue)
{
	bool stepping;

	amdm_glue_lock(glue);
	stepping = silicon_bench_stepping(glue->silicon);
	amdm_glue_unlock(glue);
	return stepping;
}

/* A step that was given up must not go on behind the bench's back: step to where the clock stands. */
static void amdm_bench_stop_step(struct amdm_glue *glue)
{
	amdm_glue_lock(glue);
	silicon_bench_step(glue->silicon, SILICON_STEP_CYCLE, silicon_bench_now(glue->silicon));
	amdm_glue_unlock(glue);
}

/**
 * amdm_bench_run() - let time pass until a condition
 *
 * The worker wakes the caller after the slice that has ended the step.
 *
 * Return: 0, -EINVAL: not held, -ETIME, -EINTR
 */
int amdm_bench_run(struct amdm_glue *glue, struct file *holder, const struct amdm_ctl_clock *clock)
{
	bool held;
	long left;

	if (clock->until < AMDM_CTL_RUN_IDLE || clock->until > AMDM_CTL_RUN_EVENTS)
		return -EINVAL;
	amdm_glue_lock(glue);
	held = glue->holder == holder;
	if (held)
		silicon_bench_step(glue->silicon, clock->until, clock->argument);
	amdm_glue_unlock(glue);
	if (!held)
		return -EINVAL;
	amdm_glue_kick(glue->adev);
	left = wait_event_interruptible_timeout(glue->stepped, !amdm_bench_stepping(glue),
						msecs_to_jiffies(clock->timeout_ms ? clock->timeout_ms : BENCH_RUN_TIMEOUT_MS));
	if (left > 0)
		return 0;
	amdm_bench_stop_step(glue);
	return left ? -EINTR : -ETIME;
}

/** amdm_bench_now() - virtual time in cycles */
u64 amdm_bench_now(struct amdm_glue *glue)
{
	u64 now;

	amdm_glue_lock(glue);
	now = silicon_bench_now(glue->silicon);
	amdm_glue_unlock(glue);
	return now;
}

/** amdm_bench_trace_start() - empty the buffer and record events of these @kinds, a bit each, 0: of all */
int amdm_bench_trace_start(struct amdm_glue *glue, u32 kinds)
{
	struct silicon_trace_event *events = NULL;

	if (!READ_ONCE(glue->trace.events)) {
		events = vmalloc(array_size(BENCH_TRACE_EVENTS, sizeof(*events)));
		if (!events)
			return -ENOMEM;
	}
	amdm_glue_lock(glue);
	if (!glue->trace.events) {
		glue->trace.events = events;
		glue->trace.size = BENCH_TRACE_EVENTS;
		events = NULL;
	}
	glue->trace.first = 0;
	glue->trace.count = 0;
	glue->trace.lost = 0;
	glue->trace.kinds = kinds ?: ~0u;
	silicon_bench_trace(glue->silicon, true);
	amdm_glue_unlock(glue);
	vfree(events);
	return 0;
}

/** amdm_bench_trace_stop() - record no more; what is in the buffer stays */
void amdm_bench_trace_stop(struct amdm_glue *glue)
{
	amdm_glue_lock(glue);
	silicon_bench_trace(glue->silicon, false);
	amdm_glue_unlock(glue);
}

static u32 amdm_bench_trace_take(struct amdm_trace *trace, struct amdm_ctl_trace_event *out, u32 room)
{
	u32 n;

	for (n = 0; n < room && trace->count; n++, trace->count--) {
		const struct silicon_trace_event *event = &trace->events[trace->first];

		out[n] = (struct amdm_ctl_trace_event){
			.cycle = event->cycle,
			.kind = event->kind,
			.vmid = event->vmid,
			.where = event->where,
			.a = event->a,
			.b = event->b,
		};
		trace->first = (trace->first + 1) % trace->size;
	}
	return n;
}

/** amdm_bench_trace_read() - move the oldest events to user space */
int amdm_bench_trace_read(struct amdm_glue *glue, struct amdm_ctl_trace *args)
{
	struct amdm_ctl_trace_event __user *to = u64_to_user_ptr(args->events);
	u32 room = args->count, chunk = PAGE_SIZE / sizeof(struct amdm_ctl_trace_event), n;
	struct amdm_ctl_trace_event *buffer = (void *)__get_free_page(GFP_KERNEL);
	int ret = 0;

	if (!buffer)
		return -ENOMEM;
	args->count = 0;
	do {
		amdm_glue_lock(glue);
		n = amdm_bench_trace_take(&glue->trace, buffer, min(chunk, room - args->count));
		args->lost = glue->trace.lost;
		amdm_glue_unlock(glue);
		if (copy_to_user(to + args->count, buffer, n * sizeof(*buffer)))
			ret = -EFAULT;
		args->count += n;
		cond_resched();
	} while (!ret && n == chunk);
	free_page((unsigned long)buffer);
	return ret;
}

/* Copy inside one page, under the lock: no page goes away meanwhile. -EAGAIN: a page has to be made first. */
static int amdm_bench_copy_locked(struct amdm_glue *glue, const struct amdm_ctl_memory *args, u64 at, void *data, u32 size,
				  bool write)
{
	u64 place = at;
	bool bus = false;
	void *host;
	int ret;

	if (args->space == AMDM_CTL_SPACE_VMID &&
	    !silicon_bench_translate(glue->silicon, args->vmid, at, &place, &bus))
		return -EFAULT;
	if (bus) {
		ret = amdm_iommu_page(glue->adev, place & PAGE_MASK, write, &host);
		if (ret)
			return ret;
	} else {
		struct page *page = amdm_vram_page(glue->adev, place, GFP_NOWAIT);

		if (!page)
			return place < glue->adev->vram.size ? -EAGAIN : -EFAULT;
		host = page_address(page);
	}
	host += offset_in_page(place);
	if (write)
		memcpy(host, data, size);
	else
		memcpy(data, host, size);
	return 0;
}

static int amdm_bench_copy(struct amdm_glue *glue, const struct amdm_ctl_memory *args, u64 at, void *data, u32 size, bool write)
{
	ktime_t end = ktime_add_ms(ktime_get(), BENCH_PAGE_MS * amdm_glue_slow_factor());
	int ret;

	for (;;) {
		amdm_glue_lock(glue);
		ret = amdm_bench_copy_locked(glue, args, at, data, size, write);
		amdm_glue_unlock(glue);
		if (ret != -EAGAIN)
			return ret;
		if (fatal_signal_pending(current) || ktime_after(ktime_get(), end))
			return -EFAULT;
		usleep_range(100, 1000);
	}
}

static int amdm_bench_register(struct amdm_glue *glue, const struct amdm_ctl_memory *args, bool write)
{
	struct amdm_device *adev = glue->adev;
	u32 __user *user = u64_to_user_ptr(args->data);
	u32 value = 0;

	if (args->size != sizeof(u32) || args->address > U32_MAX)
		return -EINVAL;
	if (write && get_user(value, user))
		return -EFAULT;
	amdm_srbm_lock_bank(adev, args->select);
	if (write)
		amdm_wreg(adev, args->address, value);
	else
		value = amdm_rreg(adev, args->address);
	amdm_srbm_unlock(adev);
	return !write && put_user(value, user) ? -EFAULT : 0;
}

/** amdm_bench_memory() - PEEK and POKE. Return: 0, -EINVAL, -EFAULT. */
int amdm_bench_memory(struct amdm_glue *glue, const struct amdm_ctl_memory *args, bool write)
{
	void __user *user = u64_to_user_ptr(args->data);
	u64 done = 0;
	void *buffer;
	int ret = 0;

	if (args->space == AMDM_CTL_SPACE_REGISTER)
		return amdm_bench_register(glue, args, write);
	if (args->space > AMDM_CTL_SPACE_REGISTER || args->size > BENCH_MEMORY_MAX || args->vmid > 15)
		return -EINVAL;
	buffer = (void *)__get_free_page(GFP_KERNEL);
	if (!buffer)
		return -ENOMEM;
	while (!ret && done < args->size) {
		u64 at = args->address + done;
		u32 size = min_t(u64, args->size - done, PAGE_SIZE - offset_in_page(at));

		if (write && copy_from_user(buffer, user + done, size))
			ret = -EFAULT;
		if (!ret)
			ret = amdm_bench_copy(glue, args, at, buffer, size, write);
		if (!ret && !write && copy_to_user(user + done, buffer, size))
			ret = -EFAULT;
		done += size;
	}
	free_page((unsigned long)buffer);
	if (write)
		amdm_glue_kick(glue->adev);
	return ret;
}

/** amdm_bench_inject() - arm a failure. Return: 0, -EINVAL: no such failure. */
int amdm_bench_inject(struct amdm_glue *glue, u32 fault, u32 count)
{
	if (fault >= SILICON_FAULTS)
		return -EINVAL;
	amdm_glue_lock(glue);
	silicon_bench_inject(glue->silicon, fault, count);
	amdm_glue_unlock(glue);
	amdm_glue_kick(glue->adev);
	return 0;
}
