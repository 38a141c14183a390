// SPDX-License-Identifier: MIT
/* gemv.hpp - batched matrix-vector products in singles: how fast, how full the CUs are, and what limits. */
#pragma once

#include "machine.hpp"

namespace kfdm::exp {

/** One way to do it; a kernel of device/gemv.cl. */
struct GemvVersion {
	const char *name, *kernel;
	unsigned size;	/**< work-items of a workgroup */
	unsigned n;	/**< rows and columns of the matrix */
	unsigned batch; /**< vectors a work-item */
	unsigned vgprs; /**< of a wave; 0: as compiled */
};

extern const std::array<GemvVersion, 5> gemv_versions;

struct GemvResult {
	uint64_t vectors = 0;
	double us = 0, gflops = 0;
	double theoretical = 0, achieved = 0; /**< waves a CU as a share of 40: at most at a time, mean over the kernel */
	double valu = 0, vmem = 0, lds = 0;   /**< share of the time for which the units were taken */
	double l2 = 0;			      /**< the same of the L2's channels */
	double memory_gb_s = 0;		      /**< lines that the L2 did not have */
	bool right = false;		      /**< products compared with the host's */

	/** The unit that is taken for most of the time; "latency" if none is for 70 % of it. @peak_gb_s: the memory's, 0: not known. */
	[[nodiscard]] const char *limit(double peak_gb_s) const;
};

/** Workgroups enough to fill the chip @rounds times. */
GemvResult measure_gemv(Machine &machine, const GemvVersion &version, unsigned rounds);

} // namespace kfdm::exp
