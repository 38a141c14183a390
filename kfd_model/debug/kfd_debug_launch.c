// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: How waves of a debugged process start and trap
 *
 * They may start halted, or trap at every instruction, and with exceptions enabled that their kernels have not asked for. Where each VMID
 * has its own register the scheduler's packet carries it, else registers name the VMID for debugging (Linux: kfd_debug.c,
 * amdgpu_amdkfd_gfx_v9.c, amdgpu_amdkfd_aldebaran.c). All functions are called with the mutex of the debugged process held.
 */
#include "kfd_debug.h"

#include "kfd_model/device/kfd_device.h"

/* SPI_GDBG_PER_VMID_CNTL (Linux: gc_9_4_2_sh_mask.h) */
#define LAUNCH_MODE(mode)	((u32)(mode) << 1)
#define TRAP_EN			(1u << 3)
#define EXCP_EN(mask)		((u32)(mask) << 4)
#define EXCP_EN_OF(cntl)	((cntl) >> 4 & 0x1ff)
#define EXCP_REPLACE(on)	((u32)(on) << 13)

#define ARITHMETIC		0x7fu	/* KFD_DBG_TRAP_MASK_FP_INVALID to INT_DIVIDE_BY_ZERO */
#define EVERYTHING		(ARITHMETIC | KFD_DBG_TRAP_MASK_DBG_ADDRESS_WATCH | KFD_DBG_TRAP_MASK_DBG_MEMORY_VIOLATION)

/* The MES would have to be told (SET_SHADER_DEBUGGER), and there are no waves that it could start. */
static bool can_be_set(const struct kfdm_process *p, const char *what)
{
	u32 i;

	for (i = 0; i < p->n_pdds; i++)
		if (p->pdds[i]->dev->chip->mes) {
			amdm_refused(what, p->pdds[i]->dev->chip->gfx_target_version);
			return false;
		}
	return true;
}

static int set_mode(struct kfdm_process_device *pdd, u32 mode)
{
	pdd->debug.launch_mode = LAUNCH_MODE(mode);
	if (pdd->dev->chip->debug.by_vmid)
		return kfdm_debug_refresh(pdd, true);
	return kfdm_kgd->set_launch_mode(pdd->dev->adev, pdd->dev->last_vmid, mode);
}

/** kfdm_debug_set_launch_mode() - SET_WAVE_LAUNCH_MODE. Return: 0, -EINVAL: no such mode, -EOPNOTSUPP, or the hardware's error */
int kfdm_debug_set_launch_mode(struct kfdm_process *p, u32 mode)
{
	int ret = 0;
	u32 i;

	if (mode != KFD_DBG_TRAP_WAVE_LAUNCH_MODE_NORMAL && mode != KFD_DBG_TRAP_WAVE_LAUNCH_MODE_HALT &&
	    mode != KFD_DBG_TRAP_WAVE_LAUNCH_MODE_DEBUG)
		return -EINVAL;
	if (!can_be_set(p, "KFD_IOC_DBG_TRAP_SET_WAVE_LAUNCH_MODE"))
		return -EOPNOTSUPP;
	for (i = 0; i < p->n_pdds && !ret; i++)
		ret = set_mode(p->pdds[i], mode);
	return ret;
}

/* validate_trap_override_request(): what all devices can do. A register for all VMIDs may enable watch points alone, which are one's. */
static int check_override(const struct kfdm_process *p, u32 mode, u32 *supported)
{
	u32 i;

	*supported = ~0u;
	for (i = 0; i < p->n_pdds; i++) {
		const bool by_vmid = p->pdds[i]->dev->chip->debug.by_vmid;

		*supported &= by_vmid ? EVERYTHING : KFD_DBG_TRAP_MASK_DBG_ADDRESS_WATCH;
		if (mode != KFD_DBG_TRAP_OVERRIDE_OR && (!by_vmid || mode != KFD_DBG_TRAP_OVERRIDE_REPLACE))
			return by_vmid ? -EPERM : -EINVAL;
	}
	return 0;
}

/* Bits that are not asked for stay as they are. */
static int override(struct kfdm_process_device *pdd, u32 mode, u32 enable, u32 request, u32 *before)
{
	const bool by_vmid = pdd->dev->chip->debug.by_vmid;
	u32 exceptions;

	*before = EXCP_EN_OF(pdd->debug.override);
	exceptions = (enable & request) | (*before & ~request);
	pdd->debug.override = (by_vmid ? TRAP_EN : 0) | EXCP_EN(exceptions) | EXCP_REPLACE(mode);
	return by_vmid ? kfdm_debug_refresh(pdd, true) : kfdm_kgd->set_trap_mask(pdd->dev->adev, exceptions);
}

/**
 * kfdm_debug_set_override() - SET_WAVE_LAUNCH_OVERRIDE
 * @p:    debugged process
 * @args: exceptions, of which those in support_request_mask count; out: what was enabled, what could be
 *
 * Return: 0, -EINVAL, -EPERM: no such mode; -EACCES: not all can be enabled; -EOPNOTSUPP, or the hardware's error.
 */
int kfdm_debug_set_override(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
{
	const u32 request = args->launch_override.support_request_mask, enable = args->launch_override.enable_mask;
	const u32 mode = args->launch_override.override_mode;
	int ret = check_override(p, mode, &args->launch_override.support_request_mask);
	u32 i;

	if (ret)
		return ret;
	if (request & ~args->launch_override.support_request_mask)
		return -EACCES;
	if (!can_be_set(p, "KFD_IOC_DBG_TRAP_SET_WAVE_LAUNCH_OVERRIDE"))
		return -EOPNOTSUPP;
	for (i = 0; i < p->n_pdds && !ret; i++)
		ret = override(p->pdds[i], mode, enable, request, &args->launch_override.enable_mask);
	return ret;
}

/**
 * kfdm_debug_reset_launch() - waves of the process start as they used to
 * @pdd: process and device
 *
 * Where packets say so, with the next mapping.
 */
void kfdm_debug_reset_launch(struct kfdm_process_device *pdd)
{
	const bool by_register = !pdd->dev->chip->debug.by_vmid;

	if (by_register && pdd->debug.launch_mode)
		kfdm_kgd->set_launch_mode(pdd->dev->adev, pdd->dev->last_vmid, KFD_DBG_TRAP_WAVE_LAUNCH_MODE_NORMAL);
	if (by_register && pdd->debug.override)
		kfdm_kgd->set_trap_mask(pdd->dev->adev, 0);
	pdd->debug.launch_mode = 0;
	pdd->debug.override = 0;
}

static bool allows(const struct kfdm_debug_facts *facts, u32 flags)
{
	return (facts->precise_memory || !(flags & KFD_DBG_TRAP_FLAG_SINGLE_MEM_OP)) &&
	       (facts->precise_alu || !(flags & KFD_DBG_TRAP_FLAG_SINGLE_ALU_OP)) &&
	       (facts->lds_range || !(flags & KFD_DBG_TRAP_FLAG_LDS_OUT_OF_ADDR_RANGE));
}

static int refresh_all(struct kfdm_process *p)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < p->n_pdds && !ret; i++)
		ret = kfdm_debug_refresh(p->pdds[i], true);
	return ret;
}

/**
 * kfdm_debug_set_flags() - SET_FLAGS
 * @p:    debugged process
 * @args: flags; out: those of before
 *
 * The model's waves meet a memory violation at the instruction that causes it, in either case. Unknown flags are kept, as in Linux.
 *
 * Return: 0, -EACCES: a device cannot, -EOPNOTSUPP, or the hardware's error; the flags are as before then.
 */
int kfdm_debug_set_flags(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
{
	const u32 flags = args->set_flags.flags, before = p->debug.flags;
	u32 i;
	int ret;

	args->set_flags.flags = before;
	for (i = 0; i < p->n_pdds; i++)
		if (!allows(&p->pdds[i]->dev->chip->debug, flags))
			return -EACCES;
	if (!can_be_set(p, "KFD_IOC_DBG_TRAP_SET_FLAGS"))
		return -EOPNOTSUPP;
	p->debug.flags = flags;
	ret = refresh_all(p);
	if (ret) {
		p->debug.flags = before;
		refresh_all(p);
	}
	return ret;
}
