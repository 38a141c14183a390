// SPDX-License-Identifier: MIT
/* masks.cpp - see masks.hpp; the table of `kfdm exp masks`. */
#include "masks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include <kfdm/error.hpp>

#include "report.hpp"
#include "rtns.hpp"
#include "view/svg.hpp"

namespace kfdm::exp {

namespace {

constexpr uint64_t step_cycles = 16384, limit_cycles = 1ull << 36;
constexpr const char *default_model = "0+176.8/x"; /* MM1024 on a Radeon VII (rtns.hpp) */

void set_bit(CuMask *mask, unsigned bit) { (*mask)[bit / 32] |= 1u << bit % 32; }

CuMask bits(const ChipFacts &facts, unsigned first, unsigned end)
{
	CuMask mask((facts.cus() + 31) / 32);

	for (unsigned i = first; i < end; i++)
		set_bit(&mask, i);
	return mask;
}

unsigned cus_of_engine(const ChipFacts &facts) { return facts.cus_per_engine * facts.arrays; }

} // namespace

MaskModel parse_mask_model(const std::string &text)
{
	std::string t = text;
	MaskModel model;
	char *end = nullptr;

	std::erase(t, ' ');
	model.a = std::strtod(t.c_str(), &end);
	const char *second = end;
	if (end != t.c_str() && *second == '+')
		model.b = std::strtod(second + 1, &end);
	if (end == second || std::string(end) != "/x" || !std::isfinite(model.a) || !std::isfinite(model.b) || model.a < 0 || model.b <= 0)
		throw_error(EINVAL, "a model is a+b/x with numbers for a and b, such as 0.35+176.8/x, not " + text);
	return model;
}

CuMask parse_mask(const ChipFacts &facts, const std::string &text)
{
	CuMask mask((facts.cus() + 31) / 32);
	const std::string digits = text.starts_with("0x") ? text.substr(2) : text;

	for (size_t i = 0; i < digits.size(); i++) {
		const char c = digits[digits.size() - 1 - i];

		if (!std::isxdigit(static_cast<unsigned char>(c)))
			throw_error(EINVAL, "a CU mask is a hexadecimal number, not " + text);
		const unsigned value = static_cast<unsigned>(std::stoul(std::string(1, c), nullptr, 16));
		for (unsigned bit = 0; bit < 4; bit++) {
			if (!(value >> bit & 1))
				continue;
			if (i * 4 + bit >= facts.cus())
				throw_error(EINVAL, fmt::format("the mask {} has a bit beyond the chip's {} CUs", text, facts.cus()));
			set_bit(&mask, static_cast<unsigned>(i) * 4 + bit);
		}
	}
	if (!count_cus(mask))
		throw_error(EINVAL, "a CU mask needs a CU");
	return mask;
}

CuMask low_mask(const ChipFacts &facts, unsigned count) { return bits(facts, 0, count); }
CuMask high_mask(const ChipFacts &facts, unsigned count) { return bits(facts, facts.cus() - count, facts.cus()); }

EvenShape best_shape(const ChipFacts &facts, unsigned count)
{
	EvenShape best;

	for (unsigned engines = 1; engines <= facts.shader_engines(); engines++) {
		const unsigned whole = count / engines / facts.cus_per_wgp * facts.cus_per_wgp;
		const EvenShape shape = {engines, std::min(whole, cus_of_engine(facts))};

		if (shape.all() > best.all())
			best = shape;
	}
	return best;
}

CuMask even_mask(const ChipFacts &facts, const EvenShape &shape)
{
	return make_mask(facts, [&](unsigned array, unsigned cu) {
		return array % facts.shader_engines() < shape.engines &&
		       array / facts.shader_engines() * facts.cus_per_engine + cu < shape.cus;
	});
}

unsigned count_cus(const CuMask &mask)
{
	unsigned count = 0;

	for (uint32_t word : mask)
		count += static_cast<unsigned>(std::popcount(word));
	return count;
}

unsigned worth_by_rule(const ChipFacts &facts, const CuMask &mask)
{
	std::vector<unsigned> cus(facts.shader_engines());
	unsigned engines = 0, fewest = ~0u;

	for (unsigned i = 0; i < facts.cus() && i / 32 < mask.size(); i++)
		if (mask[i / 32] >> i % 32 & 1)
			cus[cu_at(facts, i).engine % facts.shader_engines()]++;
	for (unsigned n : cus)
		if (n) {
			engines++;
			fewest = std::min(fewest, n);
		}
	return engines ? engines * fewest : 0;
}

MaskWorth::MaskWorth(Machine &machine, uint32_t seed)
	: machine_(machine), client_(machine.client()), queue_(client_->create_queue({})), seed_(seed)
{
	one_us_ = run(low_mask(machine.facts(), machine.facts().cus_per_wgp)) * machine.facts().cus_per_wgp;
}

double MaskWorth::run(const CuMask &mask)
{
	client_->set_mask(queue_, mask);
	const unsigned ticket = client_->submit(queue_, mm1024.quick(seed_));
	machine_.run_until([&] { return client_->times(ticket).done; }, step_cycles, limit_cycles);
	return client_->times(ticket).length();
}

double MaskWorth::operator()(const CuMask &mask) { return one_us_ / run(mask); }

namespace {

/** A mask, how it came about, what it is worth. */
struct MaskRow {
	const char *kind;
	CuMask mask;
	double worth;
	unsigned rule;
	double ms;
};

/* Highest bit first, as --mask takes it. */
std::string hex(const CuMask &mask)
{
	std::string text;

	for (size_t i = mask.size(); i--;)
		text += fmt::format("{:08x}", mask[i]);
	const size_t first = text.find_first_not_of('0');
	return "0x" + text.substr(first == std::string::npos ? text.size() - 1 : first);
}

class MaskTable {
public:
	MaskTable(Report &report, Machine &machine, const MaskModel &model, uint32_t seed)
		: report_(report), facts_(machine.facts()), worth_(machine, seed), model_(model)
	{
		report_.text = fmt::format("{} + {}/x ms on {}, {} shader engines of {} CUs\n{:>5} {:<7} {:>6} {:>8} {:>11}  {}\n", model.a,
					   model.b, facts_.name, facts_.shader_engines(), cus_of_engine(facts_), "CUs", "mask", "rule x",
					   "x", "predicted/ms", "");
	}
	MaskRow add(const char *kind, const CuMask &mask, const std::string &what = {})
	{
		const double x = worth_(mask);
		MaskRow row = {kind, mask, x, worth_by_rule(facts_, mask), model_.ms(x)};

		report_.text += fmt::format("{:>5} {:<7} {:>6} {:>8.2f} {:>11.3f}  {}\n", count_cus(mask), kind, row.rule, x, row.ms, what);
		report_.json["masks"].push_back(
			{{"cus", count_cus(mask)}, {"kind", kind}, {"mask", hex(mask)}, {"rule", row.rule}, {"worth", x}, {"ms", row.ms}});
		return row;
	}

private:
	Report &report_;
	const ChipFacts &facts_;
	MaskWorth worth_;
	MaskModel model_;
};

} // namespace

Report report_masks_of_model(Machine &machine, const ReportOptions &options)
{
	const ChipFacts &facts = machine.facts();
	const MaskModel model = parse_mask_model(options.model.empty() ? default_model : options.model);
	const unsigned unit = facts.cus_per_wgp, every = unit * (options.brief ? std::max(facts.cus() / unit / 8, 1u) : 1);
	svg::Series low{"low bits", {}}, high{"high bits", {}}, chosen{"chosen: equally many of each engine", {}}, law{"a + b/x", {}};
	std::vector<CuMask> own;
	Report report;

	for (const std::string &text : options.masks)
		own.push_back(parse_mask(facts, text));
	report.json["model"] = {{"a", model.a}, {"b", model.b}};
	MaskTable table(report, machine, model, options.seed);
	for (const CuMask &mask : own)
		table.add("given", mask, hex(mask));
	for (unsigned cus = unit; cus <= facts.cus() && own.empty(); cus += every) {
		const EvenShape shape = best_shape(facts, cus);

		low.points.push_back({double(cus), table.add("low", low_mask(facts, cus)).ms});
		high.points.push_back({double(cus), table.add("high", high_mask(facts, cus)).ms});
		chosen.points.push_back(
			{double(cus), table.add("chosen", even_mask(facts, shape), fmt::format("{} x {}", shape.engines, shape.cus)).ms});
		law.points.push_back({double(cus), model.ms(cus)});
	}
	if (own.empty())
		report.pictures.push_back(
			svg::line_chart({.title = fmt::format("{:g} + {:g}/x ms under CU masks, {}", model.a, model.b, facts.name),
					 .x = "CUs in the mask",
					 .y = "predicted time / ms",
					 .log_y = true},
					{low, high, chosen, law}));
	return report;
}

} // namespace kfdm::exp
