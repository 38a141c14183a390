// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: chip.c - the socket: power, registers, reset
 *
 * The silicon is one block of memory and a set of functions that must not overlap. One spinlock sees to that: the worker holds
 * it for a slice of at most 200 us, a register access for as long as it takes. Whatever a register write sets in motion is done
 * by the worker, which is therefore kicked.
 */
#include <linux/kthread.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "chip.h"
#include "amdgpu_model/base/amdgpu_param.h"
#include "amdgpu_model/base/amdgpu_reg.h"
#include "amdgpu_model/compat/machine.h"
#include "amdgpu_model/kfd_bridge.h"

#define PATIENCE_MS	60000	/* beyond the limit of a wait: for a chip that is behind, not for one that stands still */

/* Transfers a memory clock, as chips.def counts it: product data sheets. */
static u32 amdm_glue_transfers(u32 vram_type)
{
	switch (vram_type) {
	case HW_VRAM_GDDR5:
		return 4;
	case HW_VRAM_GDDR6:
		return 16;
	default:
		return 2;
	}
}

static u32 amdm_glue_line_q8(const struct amdm_device *adev)
{
	const struct amdm_chip *chip = adev->chip;
	u32 bytes_per_us = chip->memory_mhz * amdm_glue_transfers(adev->asic->die.vram_type) * (chip->vram_bits / 8);

	return 64 * 256 * chip->clock_mhz / bytes_per_us;
}

/** amdm_glue_init() - make a silicon and switch it on; nothing runs before amdm_glue_start() */
int amdm_glue_init(struct amdm_device *adev, const struct amdm_wires *wires)
{
	struct silicon_config config = {
		.chip = adev->chip_row,
		.vram_bytes = adev->vram.size,
		.doorbell_bytes = AMDM_DOORBELL_BYTES,
		.leftovers = amdm_param.leftover_locals,
	};
	struct amdm_glue *glue;
	u64 size;

	BUILD_BUG_ON(sizeof(config.cu_bitmap) != sizeof(adev->cu_bitmap));
	memcpy(config.cu_bitmap, adev->cu_bitmap, sizeof(config.cu_bitmap));
	if (!silicon_runs_here()) {
		pr_err("amdgpu_model: the module was built with one execution unit, which this CPU cannot run (KFDM_ONE_VARIANT)\n");
		return -ENODEV;
	}
	size = silicon_size(&config);
	if (!size)
		return -ENODEV;
	glue = kzalloc(sizeof(*glue), GFP_KERNEL);
	if (!glue)
		return -ENOMEM;
	glue->adev = adev;
	glue->wires = wires;
	glue->vram_note = AMDM_NO_NOTE;
	glue->vram_refuse = AMDM_NO_NOTE;
	spin_lock_init(&glue->lock);
	init_waitqueue_head(&glue->stepped);
	atomic_set(&glue->callers, 0);
	atomic_set(&glue->kicks, 0);
	amdm_doorbell_init(&glue->doorbells);
	amdm_load_init(&glue->load);
	glue->line_q8 = amdm_glue_line_q8(adev);
	/* The silicon clears what it gives to anybody, unless it is to show what others have left there. */
	glue->memory = config.leftovers ? vzalloc(size) : vmalloc(size);
	adev->glue = glue;	/* from here on amdm_glue_fini() undoes */
	if (!glue->memory)
		return -ENOMEM;
	glue->silicon = silicon_init(glue->memory, &config, &amdm_ports, glue);
	return glue->silicon ? 0 : -ENODEV;
}

/** amdm_glue_fini() - the end of the silicon */
void amdm_glue_fini(struct amdm_device *adev)
{
	struct amdm_glue *glue = adev->glue;

	if (!glue)
		return;
	adev->glue = NULL;
	if (glue->worker)
		put_task_struct(glue->worker);
	amdm_doorbell_fini(&glue->doorbells);
	vfree(glue->trace.events);
	vfree(glue->memory);
	kfree(glue);
}

/** amdm_glue_start() - give it power */
int amdm_glue_start(struct amdm_device *adev)
{
	struct amdm_glue *glue = adev->glue;
	struct task_struct *worker;
	int err;

	worker = kthread_create(amdm_worker, glue, "amdgpu_model/%u", adev->index);
	if (IS_ERR(worker))
		return PTR_ERR(worker);
	get_task_struct(worker);	/* kicks may come until amdm_glue_fini() */
	glue->worker = worker;
	err = amdm_idler_start(glue);
	if (err) {
		amdm_glue_stop(adev);
		return err;
	}
	wake_up_process(worker);
	return 0;
}

/** amdm_glue_stop() - take the power away; registers can still be reached, but nothing happens */
void amdm_glue_stop(struct amdm_device *adev)
{
	struct amdm_glue *glue = adev->glue;

	if (!glue->worker || glue->stopped)
		return;
	glue->stopped = true;
	kthread_stop(glue->worker);
	amdm_idler_stop(glue);
}

/** amdm_mmio_read() - read a register at its place. Context: any but hard interrupts; not inside a slice. */
u32 amdm_mmio_read(struct amdm_device *adev, u32 offset)
{
	struct amdm_glue *glue = adev->glue;
	u32 value;

	amdm_glue_lock(glue);
	value = silicon_reg_read(glue->silicon, offset);
	amdm_glue_unlock(glue);
	return value;
}

/** amdm_mmio_write() - write a register at its place. Context: as amdm_mmio_read(). */
void amdm_mmio_write(struct amdm_device *adev, u32 offset, u32 value)
{
	struct amdm_glue *glue = adev->glue;

	amdm_glue_lock(glue);
	silicon_reg_write(glue->silicon, offset, value);
	amdm_glue_unlock(glue);
	amdm_glue_kick(adev);
}

/**
 * amdm_mmio_write_all() - write registers one after the other, while nothing else happens on the chip
 * @adev:   device
 * @writes: places and values
 * @count:  their number
 *
 * A busy chip lets each access wait for the rest of a slice: amdm_mmio_write_all() waits once for many writes.
 * Context: as amdm_mmio_read().
 */
void amdm_mmio_write_all(struct amdm_device *adev, const struct amdm_reg_write *writes, u32 count)
{
	struct amdm_glue *glue = adev->glue;
	u32 i;

	amdm_glue_lock(glue);
	for (i = 0; i < count; i++)
		silicon_reg_write(glue->silicon, writes[i].reg, writes[i].value);
	amdm_glue_unlock(glue);
	amdm_glue_kick(adev);
}

/** amdm_rreg() - read a register by its name, mmNAME. Context: as amdm_mmio_read(). */
u32 amdm_rreg(struct amdm_device *adev, u32 name)
{
	return amdm_mmio_read(adev, amdm_reg(adev, name));
}

/** amdm_wreg() - write a register by its name, mmNAME. Context: as amdm_mmio_read(). */
void amdm_wreg(struct amdm_device *adev, u32 name, u32 value)
{
	amdm_mmio_write(adev, amdm_reg(adev, name), value);
}

/** amdm_glue_reset() - power-on reset; VRAM and the clock go on */
void amdm_glue_reset(struct amdm_device *adev)
{
	struct amdm_glue *glue = adev->glue;

	amdm_glue_lock(glue);
	silicon_reset(glue->silicon);
	glue->interrupt = false;
	amdm_glue_unlock(glue);
	amdm_glue_kick(adev);
}

/**
 * amdm_glue_pages_gone() - pages that the ports have given out will be freed
 *
 * The caller has taken them out of the tables already. When this returns no slice runs that has seen them.
 * Context: may be called from MMU notifiers; spins for the length of a slice at most.
 */
void amdm_glue_pages_gone(struct amdm_device *adev)
{
	struct amdm_glue *glue = adev->glue;

	if (!glue || !glue->silicon)
		return;
	amdm_glue_lock(glue);
	silicon_host_pages_gone(glue->silicon);
	amdm_glue_unlock(glue);
}

/** amdm_glue_slow_factor() - by how much to stretch wall-clock time-outs: 8 under QEMU's TCG, 4 under KASAN, 32 under both */
u32 amdm_glue_slow_factor(void)
{
	return (kfdm_machine_is_emulated() ? 8 : 1) * (IS_ENABLED(CONFIG_KASAN) ? 4 : 1);
}

/** amdm_glue_held() - is the clock held by the control device? Then a ring that does not move is no hang */
bool amdm_glue_held(struct amdm_device *adev)
{
	return READ_ONCE(adev->glue->holder);
}

/** amdm_glue_load() - how busy the chip has been in the last second */
struct amdm_load_percent amdm_glue_load(struct amdm_device *adev)
{
	return amdm_load_read(&adev->glue->load, ktime_get_ns());
}

/** amdm_glue_progress() - what the chip has had by now; amdm_glue_kick() makes it have more */
struct amdm_progress amdm_glue_progress(struct amdm_device *adev)
{
	struct amdm_progress now;

	amdm_glue_lock(adev->glue);
	now = adev->glue->progress;
	amdm_glue_unlock(adev->glue);
	return now;
}

/** amdm_glue_wait_begin() - start to wait for the chip: *wait = now */
void amdm_glue_wait_begin(struct amdm_device *adev, struct kfd_bridge_wait *wait)
{
	struct amdm_glue *glue = adev->glue;

	amdm_glue_lock(glue);
	wait->cycles = silicon_bench_counter(glue->silicon, SILICON_COUNT_AWAKE_CYCLES);
	wait->stills = glue->progress.stills;
	amdm_glue_unlock(glue);
	wait->host_ns = ktime_get_ns();
}

/**
 * amdm_glue_wait_is_over() - has the chip had its time since amdm_glue_wait_begin()?
 * @adev: device
 * @wait: when it began
 * @ms:   how long a chip may take
 *
 * Firmware counts the chip's time, which is behind the host's where the host simulates slowly: who counted the host's would give the
 * firmware up while it still has time. A chip that stands still twice, the first time perhaps
 * before the question, will not answer by itself.
 */
bool amdm_glue_wait_is_over(struct amdm_device *adev, const struct kfd_bridge_wait *wait, u32 ms)
{
	const u64 host_ms = div_u64(ktime_get_ns() - wait->host_ns, NSEC_PER_MSEC);
	const u64 limit_ms = (u64)ms * amdm_glue_slow_factor();
	struct amdm_glue *glue = adev->glue;
	u64 cycles, stills;

	if (host_ms < limit_ms)
		return false;
	amdm_glue_lock(glue);
	cycles = silicon_bench_counter(glue->silicon, SILICON_COUNT_AWAKE_CYCLES) - wait->cycles;
	stills = glue->progress.stills - wait->stills;
	amdm_glue_unlock(glue);
	amdm_glue_kick(adev);	/* a chip that rests says so again */
	return host_ms >= limit_ms + PATIENCE_MS || stills >= 2 || cycles >= (u64)ms * 1000 * adev->chip->clock_mhz;
}
