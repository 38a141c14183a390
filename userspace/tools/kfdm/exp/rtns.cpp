// SPDX-License-Identifier: MIT
/* rtns.cpp - see rtns.hpp. */
#include "rtns.hpp"

#include <algorithm>
#include <array>

#include <kfdm/error.hpp>
#include <kfdm/lab.hpp>

namespace kfdm::exp {

namespace {

constexpr uint32_t rows = 1024;
constexpr uint64_t step_cycles = 16384;
constexpr uint64_t limit_cycles = 1ull << 36;
constexpr unsigned ahead = 32; /* kernels that a competitor has in its queue */
constexpr uint64_t head_start = 2000;
constexpr double enough = 40; /* times a kernel's time alone: by then it has met its competitor at every moment */

/* What is run: sleeping workgroups of lengths that follow from the seed, or the product itself. */
struct Manner {
	bool full;
	uint32_t seed;
};

/* The same of a client, with matrices of its own. */
class Form {
public:
	Form(Client &client, const Manner &manner) : full_(manner.full), base_(manner.seed * spread)
	{
		for (uint64_t &matrix : matrices_)
			matrix = full_ ? client.alloc(size_t{rows} * rows * sizeof(float)) : 0;
	}
	[[nodiscard]] Work of(const Product &product, uint32_t seed, Company company = Company::None) const
	{
		return full_ ? product.full(matrices_[0], matrices_[1], matrices_[2]) : product.quick(base_ + seed, company);
	}

private:
	static constexpr uint32_t spread = 0x9e3779b1; /* odd: each seed is another one, far from those that are counted up */

	bool full_;
	uint32_t base_;
	std::array<uint64_t, 3> matrices_{};
};

/* One CU's time for the product, from which everything else follows. */
double one_cu_us(Machine &machine, const Manner &manner)
{
	auto client = machine.client();
	unsigned queue = client->create_queue({.mask = packed_mask(machine.facts(), 1)});
	unsigned ticket = client->submit(queue, Form(*client, manner).of(mm1024, 0));

	machine.run_idle();
	return client->times(ticket).length();
}

double run_alone(Machine &machine, Client &client, unsigned queue, const Work &work)
{
	unsigned ticket = client.submit(queue, work);

	machine.run_until([&] { return client.times(ticket).done; }, step_cycles, limit_cycles);
	return client.times(ticket).length();
}

/* An empty mask has all CUs. */
bool share_cus(const CuMask &a, const CuMask &b)
{
	bool any = a.empty() || b.empty();

	for (size_t i = 0; i < std::min(a.size(), b.size()); i++)
		any = any || (a[i] & b[i]);
	return any;
}

Company company_of(const Product &product, const CuMask &mask, const Product &other, const CuMask &others)
{
	return other.items() < product.items() && share_cus(mask, others) ? Company::Smaller : Company::Other;
}

/** A process whose queue never runs empty. */
class Competitor {
public:
	Competitor(Machine &machine, const Product &product, const CuMask &mask, Company company, const Manner &manner)
		: product_(product), company_(company), client_(machine.client()), form_(*client_, manner),
		  queue_(client_->create_queue({.mask = mask}))
	{
	}

	/* Tops the queue up. */
	void feed()
	{
		while (!tickets_.empty() && client_->times(tickets_.front()).done)
			tickets_.erase(tickets_.begin());
		while (tickets_.size() < ahead)
			tickets_.push_back(client_->submit(queue_, form_.of(product_, ++seed_, company_)));
	}
	[[nodiscard]] bool busy() { return !client_->times(tickets_.back()).done; }

private:
	const Product &product_;
	Company company_;
	std::unique_ptr<Client> client_;
	Form form_;
	unsigned queue_;
	std::vector<unsigned> tickets_;
	uint32_t seed_ = 1000;
};

/* Mean of @repeat times; of fewer, should they come to @enough_us together. */
double run_against(Machine &machine, const Product &measured, const CuMask &mask, const Product &competitor, const CuMask &other,
		   unsigned repeat, double enough_us, const Manner &manner)
{
	/* NOLINTNEXTLINE(readability-suspicious-call-argument): to the competitor the measured product is the other one */
	Competitor rival(machine, competitor, other, company_of(competitor, other, measured, mask), manner);
	auto client = machine.client();
	const Form form(*client, manner);
	unsigned queue = client->create_queue({.mask = mask});
	double sum = 0;
	unsigned i = 0;

	rival.feed();
	machine.run_to(machine.now() + 20000);
	while (i < repeat && sum < enough_us) {
		rival.feed();
		unsigned ticket = client->submit(queue, form.of(measured, i + 1, company_of(measured, mask, competitor, other)));
		machine.run_until(
			[&] {
				rival.feed();
				return client->times(ticket).done;
			},
			step_cycles, limit_cycles);
		if (!rival.busy())
			throw_error(ETIME, "the competitor has run out of work");
		sum += client->times(ticket).length();
		/* The next one meets the competitor at another moment. */
		machine.run_to(machine.now() + 3001 * ++i);
	}
	return sum / i;
}

struct MaskPair {
	const char *name;
	CuMask measured, competitor;
};

std::vector<MaskPair> mask_pairs(const ChipFacts &facts)
{
	auto engines = [&](unsigned parity) { return make_mask(facts, [=](unsigned engine, unsigned) { return engine % 2 == parity; }); };
	auto stripes = [&](unsigned parity) { return make_mask(facts, [=](unsigned, unsigned cu) { return cu % 2 == parity; }); };
	auto with_last = [&](unsigned parity) {
		return make_mask(facts, [&, parity](unsigned engine, unsigned cu) {
			return engine % 2 == parity || (engine == facts.engines - 1 && cu == 0);
		});
	};
	return {
		{"shared", {}, {}},
		{"split by engine", engines(0), engines(1)},
		{"split + one CU", with_last(0), with_last(1)},
		{"split in stripes", stripes(0), stripes(1)},
	};
}

bool is_workgroup(const amdm_ctl_trace_event &event, TraceKind kind) { return event.kind == static_cast<uint16_t>(kind); }

} // namespace

const Product mm1024 = {"MM1024", 32, "sleep_mm1024", "mm1024"}, mm256 = {"MM256", 16, "sleep_mm256", "mm256"};

Work Product::full(uint64_t a, uint64_t b, uint64_t c) const
{
	std::vector<uint32_t> arguments;

	for (uint64_t address : {a, b, c}) {
		arguments.push_back(static_cast<uint32_t>(address));
		arguments.push_back(static_cast<uint32_t>(address >> 32));
	}
	arguments.push_back(rows);
	return {.object = "product",
		.kernel = kernel,
		.grid = {rows, rows, 1},
		.workgroup = {static_cast<uint16_t>(side), static_cast<uint16_t>(side), 1},
		.arguments = arguments};
}

Work Product::quick(uint32_t seed, Company company) const
{
	return {.kernel = sleeper,
		.grid = {rows * rows, 1, 1},
		.workgroup = {static_cast<uint16_t>(items()), 1, 1},
		.arguments = {seed, static_cast<uint32_t>(company)}};
}

std::vector<MaskPoint> mask_experiment(Machine &machine, unsigned every, bool full, uint32_t seed)
{
	std::vector<unsigned> counts;

	for (unsigned cus = 1; cus <= machine.facts().cus(); cus += every)
		counts.push_back(cus);
	return mask_experiment(machine, counts, full, seed);
}

std::vector<MaskPoint> mask_experiment(Machine &machine, const std::vector<unsigned> &counts, bool full, uint32_t seed)
{
	const ChipFacts &facts = machine.facts();
	auto client = machine.client();
	unsigned queue = client->create_queue({});
	std::vector<MaskPoint> points;
	const Work work = Form(*client, {full, seed})
				  .of(mm1024, 0); /* the same lengths every time: what differs is where the workgroups run */

	auto run = [&](const CuMask &mask) {
		client->set_mask(queue, mask);
		return run_alone(machine, *client, queue, work);
	};
	const Scale scale(run(packed_mask(facts, 1)));

	for (unsigned cus : counts)
		points.push_back({cus, scale.ms(run(packed_mask(facts, cus))), scale.ms(run(distributed_mask(facts, cus)))});
	return points;
}

std::vector<PairResult> pair_experiment(Machine &machine, const std::vector<const Product *> &products, unsigned repeat, bool full,
					uint32_t seed)
{
	const Manner manner = {full, seed};
	const Scale scale(one_cu_us(machine, manner));
	std::vector<PairResult> results;

	for (const Product *measured : products) {
		double alone = 0;
		{
			auto client = machine.client();
			const Form form(*client, manner);
			unsigned queue = client->create_queue({});
			for (unsigned i = 0; i < repeat; i++)
				alone += run_alone(machine, *client, queue, form.of(*measured, i + 1)) / repeat;
		}
		for (const Product *competitor : products)
			for (const MaskPair &masks : mask_pairs(machine.facts()))
				results.push_back({measured->name, competitor->name, masks.name, scale.ms(alone),
						   scale.ms(run_against(machine, *measured, masks.measured, *competitor, masks.competitor,
									repeat, enough * alone, manner))});
	}
	return results;
}

CutAhead cut_ahead(Machine &machine, bool full, uint32_t seed)
{
	const Manner manner = {full, seed};
	const Scale scale(one_cu_us(machine, manner));
	auto large = machine.client(), small = machine.client();
	unsigned large_queue = large->create_queue({}), small_queue = small->create_queue({});
	CutAhead result = {};

	(void)machine.take_trace();
	machine.trace(true);
	large->submit(large_queue, Form(*large, manner).of(mm1024, 1, Company::Smaller));
	/* It is there first, whichever pipe is served next. */
	machine.run_to(machine.now() + head_start);
	small->submit(small_queue, Form(*small, manner).of(mm256, 2, Company::Other));
	machine.run_idle();
	machine.trace(false);

	std::vector<amdm_ctl_trace_event> events;
	for (const amdm_ctl_trace_event &event : machine.take_trace())
		if (is_workgroup(event, TraceKind::WorkgroupStart) || is_workgroup(event, TraceKind::WorkgroupEnd))
			events.push_back(event);
	if (events.empty())
		return result;
	std::stable_sort(events.begin(), events.end(), [](const auto &a, const auto &b) { return a.cycle < b.cycle; });
	/* MM256 is the queue whose workgroups' numbers go beyond MM1024's. */
	uint32_t small_where = 0;
	for (const amdm_ctl_trace_event &event : events)
		if (event.a >= rows * rows / mm1024.items())
			small_where = event.where;
	uint64_t begin = events.front().cycle, last_small = begin, late = 0, all = 0;
	for (const amdm_ctl_trace_event &event : events)
		if (event.where == small_where && is_workgroup(event, TraceKind::WorkgroupStart))
			last_small = event.cycle;
	uint32_t resident[2] = {};
	double integral[2] = {};
	uint64_t before = begin;
	for (const amdm_ctl_trace_event &event : events) {
		const bool is_small = event.where == small_where, starts = is_workgroup(event, TraceKind::WorkgroupStart);
		const uint32_t items = (is_small ? mm256 : mm1024).items();

		if (event.cycle <= last_small)
			for (unsigned i = 0; i < 2; i++)
				integral[i] += static_cast<double>(event.cycle - before) * resident[i];
		before = event.cycle;
		resident[is_small] = starts ? resident[is_small] + items : resident[is_small] - items;
		result.samples.push_back(
			{scale.ms(static_cast<double>(event.cycle - begin) / machine.facts().cycles_per_us), resident[0], resident[1]});
		if (!is_small && starts) {
			all++;
			late += event.cycle > last_small;
		}
	}
	result.late_share = static_cast<double>(late) / static_cast<double>(std::max<uint64_t>(all, 1));
	result.mean_large = integral[0] / static_cast<double>(last_small - begin);
	result.mean_small = integral[1] / static_cast<double>(last_small - begin);
	return result;
}

} // namespace kfdm::exp
