// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Watch points
 *
 * A device has four, for whichever processes are debugged there: waves of one process trap when they access lines of memory whose addresses
 * match. The address is a register; the rest is another one, or the process's own and comes with its mapping, where each VMID can be debugged
 * (Linux: kfd_debug.c: kfd_dbg_trap_set_dev_address_watch, amdgpu_amdkfd_gfx_v9.c, amdgpu_amdkfd_aldebaran.c). As there mode and mask are
 * not checked: what the register has no bits for is lost. All functions are called with the mutex of the debugged process held.
 */
#include "kfd_debug.h"

#include "kfd_model/device/kfd_device.h"

/* TCP_WATCHn_CNTL (Linux: gc_9_0_sh_mask.h) */
#define WATCH_MASK(mask)	((mask) & 0xffffff)
#define WATCH_VMID(vmid)	((vmid) << 24)
#define WATCH_MODE(mode)	(((mode) & 3) << 29)
#define WATCH_VALID		(1u << 31)

/* Return: which, -1: all are taken, by this process or another one */
static int take(struct kfdm_process_device *pdd)
{
	u32 n;

	for (n = 0; n < ARRAY_SIZE(pdd->debug.watch); n++)
		if (!test_and_set_bit(n, &pdd->dev->watch_points)) {
			pdd->debug.watch_points |= 1u << n;
			return n;
		}
	return -1;
}

static void give(struct kfdm_process_device *pdd, u32 n)
{
	pdd->debug.watch[n] = 0;
	pdd->debug.watch_points &= ~(1u << n);
	clear_bit(n, &pdd->dev->watch_points);
}

static int set(struct kfdm_process_device *pdd, u32 n, u64 address, u32 control)
{
	const u32 of_vmid = control ? control | WATCH_VMID(pdd->dev->last_vmid) : 0;
	int ret;

	if (!pdd->dev->chip->debug.by_vmid)
		return kfdm_kgd->set_watch(pdd->dev->adev, n, address, &of_vmid);
	pdd->debug.watch[n] = control;
	ret = control ? kfdm_kgd->set_watch(pdd->dev->adev, n, address, NULL) : 0;
	return ret ? ret : kfdm_debug_refresh(pdd, true);
}

/**
 * kfdm_debug_set_watch() - SET_NODE_ADDRESS_WATCH
 * @p:    debugged process
 * @args: address, which of its bits count, for which kind of access, on which device; out: number of the watch point
 *
 * Return: 0, -ENODEV: no such device; -ENOMEM: none is left; -EOPNOTSUPP, or the hardware's error.
 */
int kfdm_debug_set_watch(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
{
	struct kfdm_process_device *pdd = kfdm_pdd_by_id(p, args->set_node_address_watch.gpu_id);
	u32 control;
	int n, ret;

	if (!pdd)
		return -ENODEV;
	if (pdd->dev->chip->mes) {
		amdm_refused("KFD_IOC_DBG_TRAP_SET_NODE_ADDRESS_WATCH", pdd->dev->chip->gfx_target_version);
		return -EOPNOTSUPP;
	}
	n = take(pdd);
	args->set_node_address_watch.id = n;
	if (n < 0)
		return -ENOMEM;
	control = WATCH_VALID | WATCH_MODE(args->set_node_address_watch.mode) |
		  WATCH_MASK(args->set_node_address_watch.mask >> pdd->dev->chip->debug.watch_mask_low);
	ret = set(pdd, n, args->set_node_address_watch.address, control);
	if (ret)
		give(pdd, n);
	return ret;
}

static int clear(struct kfdm_process_device *pdd, u32 n)
{
	int ret = set(pdd, n, 0, 0);

	give(pdd, n);
	return ret;
}

/** kfdm_debug_clear_watch() - CLEAR_NODE_ADDRESS_WATCH. Return: 0, -ENODEV, -EINVAL: it is not this process's, or the hardware's error */
int kfdm_debug_clear_watch(struct kfdm_process *p, struct kfd_ioctl_dbg_trap_args *args)
{
	struct kfdm_process_device *pdd = kfdm_pdd_by_id(p, args->clear_node_address_watch.gpu_id);
	const u32 n = args->clear_node_address_watch.id;

	if (!pdd)
		return -ENODEV;
	if (n >= ARRAY_SIZE(pdd->debug.watch) || !(pdd->debug.watch_points & 1u << n))
		return -EINVAL;
	return clear(pdd, n);
}

/** kfdm_debug_clear_watches() - all that the process has on a device */
void kfdm_debug_clear_watches(struct kfdm_process_device *pdd)
{
	u32 n;

	for (n = 0; n < ARRAY_SIZE(pdd->debug.watch); n++)
		if (pdd->debug.watch_points & 1u << n)
			clear(pdd, n);
}
