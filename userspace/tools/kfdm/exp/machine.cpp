// SPDX-License-Identifier: MIT
/* machine.cpp - what both machines have in common. */
#include "held_machine.hpp"

#include <kfdm/error.hpp>

namespace kfdm::exp {

std::shared_ptr<void> HeldMachine::presence()
{
	const uint64_t millisecond = static_cast<uint64_t>(facts().cycles_per_us * 1000);
	std::shared_ptr<void> some = clients_.lock();

	if (!some) {
		hold_anew();
		run_to((now() / millisecond + 1) * millisecond);
		some = std::make_shared<char>();
		clients_ = some;
	}
	return some;
}

void Machine::run_until(const std::function<bool()> &done, uint64_t cycles, uint64_t limit)
{
	const uint64_t end = now() + limit;

	for (uint64_t at = now(); !done(); at = run_to(at + cycles))
		if (at >= end)
			throw_error(ETIME, "the experiment does not end");
}

CuMask make_mask(const ChipFacts &facts, const std::function<bool(unsigned, unsigned)> &take)
{
	CuMask mask((facts.cus() + 31) / 32);

	for (unsigned i = 0; i < facts.cus(); i++) {
		const CuAt at = cu_at(facts, i);
		const unsigned wgp = i - i % facts.cus_per_wgp;

		if (take(at.engine, at.cu))
			mask[i / 32] |= ((1u << facts.cus_per_wgp) - 1) << wgp % 32;
	}
	return mask;
}

CuMask packed_mask(const ChipFacts &facts, unsigned count)
{
	return make_mask(facts, [&](unsigned engine, unsigned cu) { return engine * facts.cus_per_engine + cu < count; });
}

CuMask distributed_mask(const ChipFacts &facts, unsigned count)
{
	return make_mask(facts, [&](unsigned engine, unsigned cu) { return cu * facts.engines + engine < count; });
}

} // namespace kfdm::exp
