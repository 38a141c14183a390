// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: The devices of a debugged process
 *
 * Where each VMID has its own SPI_GDBG_PER_VMID_CNTL, the scheduler's packets carry it, and any number of processes can be debugged. Other
 * devices have one VMID for that, which the process takes (Linux: kfd_debug.c: kfd_dbg_trap_activate, kfd_dbg_trap_deactivate). All
 * functions are called with the process's mutex held.
 */
#include "kfd_debug.h"

#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"

#define TRAP_EN		(1u << 3)	/* SPI_GDBG_PER_VMID_CNTL */

static int activate(struct kfdm_process_device *pdd)
{
	int ret = pdd->dev->chip->debug.by_vmid ? 0 : kfdm_dqm_take_debug_vmid(pdd->dev->dqm, &pdd->qpd);

	if (ret)
		return ret;
	pdd->debug.override = pdd->dev->chip->debug.by_vmid ? TRAP_EN : 0;
	kfdm_pdd_set_debug_flag(pdd, true);
	return kfdm_debug_refresh(pdd, true);
}

static void deactivate(struct kfdm_process_device *pdd)
{
	const bool keeps_ttmps = pdd->dev->chip->debug.by_vmid && pdd->process->runtime.ttmp_setup;

	kfdm_pdd_set_debug_flag(pdd, false);
	pdd->debug.override = keeps_ttmps ? TRAP_EN : 0;
	kfdm_dqm_give_debug_vmid(pdd->dev->dqm, &pdd->qpd);
	kfdm_debug_refresh(pdd, true);
}

/**
 * kfdm_debug_activate() - the process is debugged and its runtime ready: all devices, or none
 * @p: process
 *
 * What hinders it is told by the runtime's state.
 */
void kfdm_debug_activate(struct kfdm_process *p)
{
	int ret = 0;
	u32 i, n;

	for (n = 0; n < p->n_pdds && !ret; n++) {
		/* Its queues keep the VMID that they have until the next mapping; the packets below are that. */
		kfdm_debug_refresh(p->pdds[n], false);
		ret = activate(p->pdds[n]);
	}
	if (!ret)
		return;
	WRITE_ONCE(p->runtime.state, ret == -EBUSY ? DEBUG_RUNTIME_STATE_ENABLED_BUSY : DEBUG_RUNTIME_STATE_ENABLED_ERROR);
	for (i = 0; i < n; i++)
		deactivate(p->pdds[i]);
}

/** kfdm_debug_deactivate() - undo kfdm_debug_activate(), and what the debugger has changed since */
void kfdm_debug_deactivate(struct kfdm_process *p)
{
	u32 i;

	p->debug.flags = 0;
	for (i = 0; i < p->n_pdds; i++) {
		struct kfdm_process_device *pdd = p->pdds[i];

		kfdm_dqm_resume(pdd->dev->dqm, &pdd->qpd, NULL, 0);
		kfdm_debug_clear_watches(pdd);
		kfdm_debug_reset_launch(pdd);
		deactivate(pdd);
	}
	wake_up_all(&p->debug.changed);
}

/** kfdm_debug_setup_ttmps() - waves shall have their TTMP registers set up, or no longer. Return: 0 or the last error of the hardware */
int kfdm_debug_setup_ttmps(struct kfdm_process *p, bool on)
{
	int ret, last = 0;
	u32 i;

	for (i = 0; i < p->n_pdds; i++) {
		if (!p->pdds[i]->dev->chip->debug.by_vmid)
			continue;
		p->pdds[i]->debug.override = on ? TRAP_EN : 0;
		ret = kfdm_debug_refresh(p->pdds[i], !on);
		last = ret ?: last;
	}
	return last;
}
