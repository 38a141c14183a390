// SPDX-License-Identifier: MIT
/*
 * rtns.hpp - the experiments of Otterness and Anderson, "Exploring AMD GPU Scheduling Details by Experimenting With 'Worst
 * Practices'" (RTNS 2021): kernels under CU masks, two kernels at once, and small workgroups that cut ahead of large ones.
 */
#pragma once

#include "machine.hpp"

namespace kfdm::exp {

/** Who computes at the same time: another process, and on the same CUs one of smaller workgroups, which fill what the larger ones leave. */
enum class Company : uint32_t { None, Other, Smaller };

/**
 * A matrix product of 1024 x 1024 elements in blocks. Quick: workgroups of the same size and number that sleep as long as
 * they would compute, by a seeded distribution; full: the product itself. @seed of the experiments below: other lengths of that distribution.
 */
struct Product {
	std::string name;
	uint32_t side;		     /**< of a block, work-items */
	std::string sleeper, kernel; /**< of the quick form, of the full one */

	[[nodiscard]] uint32_t items() const noexcept { return side * side; }
	[[nodiscard]] Work quick(uint32_t seed, Company company = Company::None) const;
	/** The product itself: c = a * b, floats at these addresses. */
	[[nodiscard]] Work full(uint64_t a, uint64_t b, uint64_t c) const;
};

extern const Product mm1024, mm256;

/**
 * What a millisecond of the card is here: the published time on one CU (MM1024, one CU of the mask: 176.8 ms) against the
 * time that the machine takes for it. The only number that comes from the publication.
 */
class Scale {
public:
	static constexpr double one_cu_ms = 176.8;
	explicit Scale(double one_cu_us) : factor_(one_cu_ms / one_cu_us) {}
	[[nodiscard]] double ms(double us) const noexcept { return us * factor_; }
	[[nodiscard]] double factor() const noexcept { return factor_ * 1000; }

private:
	double factor_;
};

struct MaskPoint {
	unsigned cus;
	double packed_ms, distributed_ms;
};

/** Masks of so many CUs, filled engine after engine and round the engines. @full: the product itself. */
std::vector<MaskPoint> mask_experiment(Machine &machine, const std::vector<unsigned> &counts, bool full, uint32_t seed);
/** Every number of CUs from 1 to all. @every: leave out points. */
std::vector<MaskPoint> mask_experiment(Machine &machine, unsigned every = 1, bool full = false, uint32_t seed = 0);

struct PairResult {
	std::string measured, competitor, masks;
	double alone_ms, together_ms;

	[[nodiscard]] double ratio() const noexcept { return together_ms / alone_ms; }
};

/**
 * Each of @products, measured @repeat times or as long as 40 of it alone, while another process launches each for ever. @full: the product
 * itself.
 */
std::vector<PairResult> pair_experiment(Machine &machine, const std::vector<const Product *> &products, unsigned repeat, bool full = false,
					uint32_t seed = 0);

struct CutAhead {
	struct Sample {
		double ms;
		uint32_t large, small; /* resident work-items */
	};
	std::vector<Sample> samples;
	double late_share;	       /**< of MM1024's workgroups that start after MM256's last one */
	double mean_large, mean_small; /**< resident work-items while both have workgroups to start */
};

/** MM1024 and MM256 handed in together. @full: the product itself. */
CutAhead cut_ahead(Machine &machine, bool full = false, uint32_t seed = 0);

} // namespace kfdm::exp
