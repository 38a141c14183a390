// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: What the scheduler's packets say of a debugged process
 */
#include "kfd_debug.h"

#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"

/**
 * kfdm_debug_refresh() - tell the scheduler what the debugger and the runtime have asked for
 * @pdd:   process and device
 * @remap: now, where the device takes it with the process's mapping; else with the next mapping
 *
 * Return: 0 or the hardware's error.
 */
int kfdm_debug_refresh(struct kfdm_process_device *pdd, bool remap)
{
	const struct kfdm_process *p = pdd->process;
	struct kfdm_debug_state state = {
		.trap_enabled = p->debug.attached,
		.runtime_enabled = p->runtime.state == DEBUG_RUNTIME_STATE_ENABLED,
		.single_memops = p->debug.flags & KFD_DBG_TRAP_FLAG_SINGLE_MEM_OP,
		.spi_gdbg_per_vmid_cntl = pdd->debug.override | pdd->debug.launch_mode,
	};

	static_assert(sizeof(state.watch) == sizeof(pdd->debug.watch));
	memcpy(state.watch, pdd->debug.watch, sizeof(state.watch));
	return kfdm_dqm_set_debug(pdd->dev->dqm, &pdd->qpd, &state, remap && pdd->dev->chip->debug.by_vmid);
}
