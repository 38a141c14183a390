// SPDX-License-Identifier: MIT
/*
 * answers.h - the shader core's answers: a grid is done, a wave has an error or a message, a grid is restored.
 *
 * Owns nothing: each answer is noted in the slot of its queue, which the grid's cookie names. Called by the shader core; calls the
 * slots and the interrupt handler.
 */
#pragma once

#include "slots.h"

namespace silicon {

class ShaderAnswers final : public DispatchClient {
public:
	void connect(Fabric *fabric, QueueSlots *slots)
	{
		fabric_ = fabric;
		slots_ = slots;
	}

	void grid_done(u64 cookie, u64 cycle) override;
	void wave_error(u64 cookie, WaveError error, u64 pc, u64 va, Access access) override;
	Mem wave_fault(u64 cookie, u64 va, Access access) override;
	void wave_interrupt(u64 cookie, u32 data, bool privileged, unsigned se, unsigned sh, unsigned cu, unsigned simd,
			    unsigned wave) override;
	u32 doorbell_id(u64 cookie) override;
	u32 gws_range(unsigned vmid) override;
	bool grid_restored(Grid &grid) override;
	void restore_dropped(unsigned me, unsigned pipe, unsigned queue) override;

private:
	u32 word_at(unsigned vmid, u64 pc) const;

	Fabric *fabric_ = nullptr;
	QueueSlots *slots_ = nullptr;
};

} // namespace silicon
