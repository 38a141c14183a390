/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * fake_registers.h - registers that a suite can read: what was written, in order, and in which bank. Included before the file under
 * test, whose accesses come here.
 */
#ifndef KUNIT_FAKE_REGISTERS_H
#define KUNIT_FAKE_REGISTERS_H

#include <linux/types.h>

struct amdm_device;

/** struct fake_write - a register by its name, and the bank that GRBM_GFX_CNTL selected */
struct fake_write {
	u32 name, value;
	u32 me, pipe, queue, vmid;
};

/**
 * struct fake_registers - of the device under test
 * @writes, @count: what was written
 * @locked: a bank is selected
 * @kept: values of what is read; registers that are not here read as they were written last, else 0
 */
struct fake_registers {
	struct fake_write writes[512];
	u32 count;
	bool locked;
	struct fake_write bank;
	struct fake_write kept[16];
	u32 num_kept;
};

extern struct fake_registers fake_registers;

void fake_registers_reset(void);
void fake_registers_keep(u32 name, u32 value);
bool fake_written(u32 name, u32 *value);
u32 fake_times_written(u32 name);

void fake_wreg(struct amdm_device *adev, u32 name, u32 value);
u32 fake_rreg(struct amdm_device *adev, u32 name);
void fake_srbm_lock(struct amdm_device *adev, u32 me, u32 pipe, u32 queue, u32 vmid);
void fake_srbm_unlock(struct amdm_device *adev);

/* By place instead of by name: the engine's own registers */
#define amdm_mmio_write		fake_wreg
#define amdm_mmio_read		fake_rreg

#define amdm_wreg		fake_wreg
#define amdm_rreg		fake_rreg
#define amdm_srbm_lock		fake_srbm_lock
#define amdm_srbm_unlock	fake_srbm_unlock

#endif
