// SPDX-License-Identifier: GPL-2.0 OR MIT
/* fake_registers.c - see fake_registers.h */
#include <linux/bug.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "fake_registers.h"

struct fake_registers fake_registers;

/** fake_registers_reset() - nothing has been written */
void fake_registers_reset(void)
{
	memset(&fake_registers, 0, sizeof(fake_registers));
}

/** fake_registers_keep() - what a register reads as, whatever is written */
void fake_registers_keep(u32 name, u32 value)
{
	if (!WARN_ON(fake_registers.num_kept == ARRAY_SIZE(fake_registers.kept)))
		fake_registers.kept[fake_registers.num_kept++] = (struct fake_write){ .name = name, .value = value };
}

/** fake_written() - what was written last. Return: has it been? */
bool fake_written(u32 name, u32 *value)
{
	u32 i = fake_registers.count;

	while (i--)
		if (fake_registers.writes[i].name == name) {
			*value = fake_registers.writes[i].value;
			return true;
		}
	return false;
}

/** fake_times_written() - how often */
u32 fake_times_written(u32 name)
{
	u32 i, times = 0;

	for (i = 0; i < fake_registers.count; i++)
		times += fake_registers.writes[i].name == name;
	return times;
}

/** fake_wreg() - amdm_wreg() */
void fake_wreg(struct amdm_device *adev, u32 name, u32 value)
{
	struct fake_write *write = &fake_registers.writes[fake_registers.count];

	if (WARN_ON(fake_registers.count == ARRAY_SIZE(fake_registers.writes)))
		return;
	*write = fake_registers.bank;
	write->name = name;
	write->value = value;
	fake_registers.count++;
}

/** fake_rreg() - amdm_rreg() */
u32 fake_rreg(struct amdm_device *adev, u32 name)
{
	u32 i, value = 0;

	for (i = 0; i < fake_registers.num_kept; i++)
		if (fake_registers.kept[i].name == name)
			return fake_registers.kept[i].value;
	fake_written(name, &value);
	return value;
}

/** fake_srbm_lock() - amdm_srbm_lock() */
void fake_srbm_lock(struct amdm_device *adev, u32 me, u32 pipe, u32 queue, u32 vmid)
{
	WARN_ON(fake_registers.locked);
	fake_registers.locked = true;
	fake_registers.bank = (struct fake_write){ .me = me, .pipe = pipe, .queue = queue, .vmid = vmid };
}

/** fake_srbm_unlock() - amdm_srbm_unlock() */
void fake_srbm_unlock(struct amdm_device *adev)
{
	WARN_ON(!fake_registers.locked);
	fake_registers.locked = false;
	memset(&fake_registers.bank, 0, sizeof(fake_registers.bank));
}
