// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_amdkfd_debug.c - registers of a debugger
 *
 * Chips before GC 9.4.2, and GFX10, can debug the waves of one VMID. Registers name that VMID and say how its waves start, at what they
 * trap besides what their kernels ask for, and which memory they watch. Later ones have all of that for each VMID, in the scheduler's
 * packets, except the addresses of watch points (Linux: amdgpu_amdkfd_gfx_v9.c, amdgpu_amdkfd_aldebaran.c). Linux stalls the launch of
 * waves around its writes; here each of them is one step of the chip.
 */
#include "amdgpu_amdkfd.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/base/amdgpu_reg.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/regs.h"

#define WATCH_STRIDE	TCP_WATCH0_CNTL__STRIDE

static bool has_debug_registers(const struct amdm_device *adev)
{
	return amdm_reg(adev, mmSPI_GDBG_WAVE_CNTL2) != AMDM_REG_NONE;
}

/** amdm_kgd_set_launch_mode() - see kfd_bridge.h: kgd_gfx_v9_set_wave_launch_mode() */
int amdm_kgd_set_launch_mode(struct amdm_device *adev, u32 vmid, u32 mode)
{
	u32 value = REG_SET(0, SPI_GDBG_WAVE_CNTL2, VMID_MASK, mode ? 1u << vmid : 0);

	if (!has_debug_registers(adev))
		return -EOPNOTSUPP;
	amdm_wreg_dies(adev, mmSPI_GDBG_WAVE_CNTL2, REG_SET(value, SPI_GDBG_WAVE_CNTL2, MODE, mode));
	return 0;
}

/** amdm_kgd_set_trap_mask() - see kfd_bridge.h: kgd_gfx_v9_set_wave_launch_trap_override() */
int amdm_kgd_set_trap_mask(struct amdm_device *adev, u32 exceptions)
{
	if (!has_debug_registers(adev))
		return -EOPNOTSUPP;
	amdm_wreg_dies(adev, mmSPI_GDBG_TRAP_MASK, REG_SET(0, SPI_GDBG_TRAP_MASK, EXCP_EN, exceptions));
	return 0;
}

/** amdm_kgd_set_watch() - see kfd_bridge.h: kgd_gfx_v9_set_address_watch(), which is off while its address changes */
int amdm_kgd_set_watch(struct amdm_device *adev, u32 n, u64 address, const u32 *control)
{
	if (!has_debug_registers(adev))
		return -EOPNOTSUPP;
	if (control)
		amdm_wreg_dies(adev, mmTCP_WATCH0_CNTL + n * WATCH_STRIDE, 0);
	amdm_wreg_dies(adev, mmTCP_WATCH0_ADDR_H + n * WATCH_STRIDE, upper_32_bits(address) & 0xffff);
	amdm_wreg_dies(adev, mmTCP_WATCH0_ADDR_L + n * WATCH_STRIDE, lower_32_bits(address));
	if (control)
		amdm_wreg_dies(adev, mmTCP_WATCH0_CNTL + n * WATCH_STRIDE, *control);
	return 0;
}
