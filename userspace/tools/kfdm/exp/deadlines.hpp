// SPDX-License-Identifier: MIT
/*
 * deadlines.hpp - three processes, and a display of 90 Hz: a compositor that must warp each frame shortly before it is shown, a game that
 * draws one, and a job in the background that never ends. How many frames are late, by the compositor's priority.
 */
#pragma once

#include "machine.hpp"

namespace kfdm::exp {

/** The compositor's queue: as the others' (KFD's 7); created with the highest priority (15); raised for each job and lowered again. */
enum class Precedence { Off, Static, Dynamic };
/** Where the three work: kernels, copies by one SDMA engine, or the compositor's by another one than the others'. */
enum class Rings { Compute, Sdma, SdmaOwn };

struct DeadlineResult {
	unsigned frames = 0;
	unsigned missed = 0;		  /**< warps that were not done in time, or not begun because the last one was not done */
	unsigned game_missed = 0;	  /**< frames of the game that were not drawn by the next frame's begin */
	double alone_ms = 0;		  /**< a warp on the idle GPU */
	double mean_ms = 0, worst_ms = 0; /**< from its submission to its end; a warp that has not ended counts till the end of the run */
	double background = 0;		  /**< milliseconds of the background's work done in a millisecond */
	uint64_t saved_waves = 0;	  /**< by changes of priority */
	std::vector<double> warps_ms;
};

struct DeadlineSetup {
	Rings rings = Rings::Compute;
	Precedence precedence = Precedence::Off;
	bool sq_heeds = true; /**< whether the SQ heeds priorities (kfdm mode sq_ignores_priority) */
	unsigned frames = 30;
};

DeadlineResult measure_deadlines(Machine &machine, const DeadlineSetup &setup);

/** Milliseconds from a warp's submission to the moment that its frame is shown. */
inline constexpr double warp_lead_ms = 2;

} // namespace kfdm::exp
