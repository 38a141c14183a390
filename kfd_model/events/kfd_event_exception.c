// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Events that tell of exceptions
 *
 * Memory violations and errors of the hardware: all events of that type of a process happen (Linux: kfd_events.c).
 */
#include "kfd_event.h"

/**
 * kfdm_events_set_all() - all events of one type
 * @events: of a process
 * @type:   KFD_IOC_EVENT_*
 * @memory, @hw: what they tell from now on; NULL: as before
 *
 * Context: process. Return: was there one?
 */
bool kfdm_events_set_all(struct kfdm_events *events, u32 type, const struct kfd_hsa_memory_exception_data *memory,
			 const struct kfd_hsa_hw_exception_data *hw)
{
	int id = KFDM_FIRST_OTHER_EVENT;
	struct kfdm_event *ev;
	bool found = false;

	spin_lock(&events->lock);
	idr_for_each_entry_continue(&events->idr, ev, id) {
		if (ev->type != type)
			continue;
		if (memory)
			ev->memory = *memory;
		if (hw)
			ev->hw = *hw;
		kfdm_event_signal_locked(ev);
		found = true;
	}
	spin_unlock(&events->lock);
	return found;
}
