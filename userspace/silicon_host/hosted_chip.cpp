// SPDX-License-Identifier: MIT
/* hosted_chip.cpp - see hosted_chip.hpp. */
#include "hosted_chip.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <span>
#include <stdexcept>

namespace silicon_host {

namespace {

const silicon::Chip &facts_of(std::uint32_t row)
{
	const silicon::Chip *chip = silicon::find_chip(row);

	return chip ? *chip : throw std::runtime_error("no such chip");
}

alignas(4096) const std::uint8_t zero_page[page_bytes] = {};

HostedChip &self(void *host) { return *static_cast<HostedChip *>(host); }

} // namespace

HostedChip::HostedChip(const Options &options)
	: facts_(facts_of(options.chip)), options_(options), doorbells_(options.doorbell_bytes / 8, SILICON_NO_DOORBELL)
{
	silicon_config config = {};

	config.chip = options.chip;
	for (unsigned n = 0; n < facts_.xccs * facts_.shader_engines; n++)
		for (unsigned sh = 0, se = n % facts_.shader_engines;
		     sh < facts_.arrays_per_engine && se * facts_.arrays_per_engine + sh < options.arrays; sh++)
			config.cu_bitmap[n / facts_.shader_engines][se][sh] = (1u << options.cus) - 1;
	config.vram_bytes = options.vram_bytes;
	config.doorbell_bytes = options.doorbell_bytes;
	config.leftovers = options.leftovers;
	const std::size_t bytes = silicon_size(&config);
	if (!bytes)
		throw std::runtime_error("impossible chip");
	memory_.emplace(bytes);
	if (options.leftovers)
		std::memset(memory_->get(), 0, memory_->bytes());
	const silicon_ports wires = ports();
	chip_ = silicon_init(memory_->get(), &config, &wires, this);
}

const silicon::RegisterPlace *HostedChip::find(std::uint32_t name, std::uint32_t *element) const
{
	const std::span map(generation().registers.places, generation().registers.count);
	const std::span rows(silicon::register_table.rows);

	if (map.empty())
		return nullptr;
	const auto row = std::ranges::find_if(rows, [name](const silicon::RegisterRow &r) { return r.holds(name); });

	if (row == rows.end())
		return nullptr;
	*element = (name - row->offset) / row->stride;
	const auto place = std::ranges::find(map, row->offset, &silicon::RegisterPlace::name);
	return place != map.end() && *element < place->count ? &*place : nullptr;
}

std::uint32_t HostedChip::place(std::uint32_t name) const
{
	std::uint32_t element = 0;
	const silicon::RegisterPlace *p = find(name, &element);

	return p ? p->offset + element * p->stride : name;
}

bool HostedChip::has(std::uint32_t name) const
{
	std::uint32_t element = 0;

	return !generation().registers.places || find(name, &element);
}

silicon_ports HostedChip::ports()
{
	silicon_ports p = {};

	p.vram_page = [](void *b, u64 offset, bool write, void **host) {
		if (offset >= self(b).options_.vram_bytes)
			return SILICON_FAULT;
		*host = self(b).vram(offset, write);
		return SILICON_OK;
	};
	p.bus_page = [](void *b, u64 address, bool write, void **host) {
		HostedChip &c = self(b);
		const auto page = c.bus_.find(address);
		if (page == c.bus_.end() || c.gone_.contains(address))
			return SILICON_FAULT;
		if (c.absent_.contains(address)) {
			c.wanted_.insert(address);
			return SILICON_NEED;
		}
		*host = page->second;
		if (c.watch)
			c.watch->reached(true, address, page->second, write);
		return SILICON_OK;
	};
	p.doorbell = [](void *b, u32 offset, bool take) {
		std::uint64_t *place = &self(b).doorbells_.at(offset / 8);
		if (self(b).generation().facts.doorbell_bytes == 4) {
			std::uint32_t *half = reinterpret_cast<std::uint32_t *>(place) + (offset / 4 & 1);
			const std::uint32_t value = take ? __atomic_exchange_n(half, ~0u, __ATOMIC_ACQ_REL) :
							   __atomic_load_n(half, __ATOMIC_ACQUIRE);
			return value == ~0u ? u64{SILICON_NO_DOORBELL} : value;
		}
		return take ? __atomic_exchange_n(place, SILICON_NO_DOORBELL, __ATOMIC_ACQ_REL) : __atomic_load_n(place, __ATOMIC_ACQUIRE);
	};
	p.interrupt = [](void *b) { self(b).interrupts++; };
	p.wall_ns = [](void *b) {
		self(b).wall_calls++;
		return self(b).wall_ns_ += 50;
	};
	p.report = [](void *b, const silicon_report *report) { self(b).report_log.push_back(*report); };
	p.trace = [](void *b, const silicon_trace_event *event) { self(b).trace_log.push_back(*event); };
	return p;
}

std::uint8_t *HostedChip::vram(std::uint64_t offset, bool write)
{
	auto &page = vram_[offset / page_bytes];

	if (!page && !write)
		return const_cast<std::uint8_t *>(zero_page) + offset % page_bytes;
	if (!page)
		page = std::make_unique<std::uint8_t[]>(page_bytes);
	if (watch)
		watch->reached(false, offset & ~(page_bytes - 1), page.get(), write);
	return page.get() + offset % page_bytes;
}

void HostedChip::vram_write(std::uint64_t offset, const void *from, std::size_t bytes)
{
	for (std::size_t i = 0; i < bytes; i++)
		*vram(offset + i) = static_cast<const std::uint8_t *>(from)[i];
}

void HostedChip::vram_read(std::uint64_t offset, void *to, std::size_t bytes)
{
	for (std::size_t i = 0; i < bytes; i++)
		static_cast<std::uint8_t *>(to)[i] = *vram(offset + i, false);
}

std::uint64_t HostedChip::vram_read64(std::uint64_t offset)
{
	std::uint64_t value;

	vram_read(offset, &value, 8);
	return value;
}

BusBlock HostedChip::bus_alloc(std::size_t bytes)
{
	BusBlock block;

	block.bytes = (bytes + page_bytes - 1) & ~(page_bytes - 1);
	block.address = next_bus_;
	/* calloc() takes large blocks from the kernel, which are zero without being touched: most of a save area never is. */
	std::size_t room = block.bytes + page_bytes;
	void *memory = std::calloc(1, room);
	if (!memory)
		throw std::bad_alloc();
	blocks_.emplace_back(static_cast<std::uint8_t *>(memory), std::free);
	block.host = static_cast<std::uint8_t *>(std::align(page_bytes, block.bytes, memory, room));
	for (std::size_t at = 0; at < block.bytes; at += page_bytes)
		bus_[block.address + at] = block.host + at;
	next_bus_ += block.bytes + 16 * page_bytes;
	return block;
}

void HostedChip::serve()
{
	if (wanted_.empty())
		return;
	for (const std::uint64_t page : wanted_)
		absent_.erase(page);
	wanted_.clear();
	silicon_host_pages_gone(chip_);
}

std::uint32_t HostedChip::run(unsigned limit)
{
	silicon_run_result r = {};

	for (unsigned polls = 0; limit--;) {
		r = silicon_run(chip_, wall_ns_ + slice_ns_);
		if (!wanted_.empty()) { /* what a driver does outside the slice */
			for (const std::uint64_t page : wanted_)
				absent_.erase(page);
			needs_ += wanted_.size();
			wanted_.clear();
			silicon_host_pages_gone(chip_);
			continue;
		}
		if (r.flags & SILICON_RUN_BUSY)
			continue;
		if (r.flags & SILICON_RUN_AHEAD) {
			if (r.wall_until > wall_ns_)
				wall_ns_ = r.wall_until;
			continue;
		}
		if ((r.flags & SILICON_RUN_POLL) && polls++ < 8) { /* a value may have been written meanwhile */
			wall_ns_ += 1000;
			continue;
		}
		break;
	}
	return r.flags;
}

std::uint32_t HostedChip::run_for(std::uint64_t ns)
{
	const std::uint64_t end = wall_ns_ + ns;
	silicon_run_result r = {};

	while (wall_ns_ < end) {
		r = silicon_run(chip_, wall_ns_ + slice_ns_);
		if (!wanted_.empty()) {
			for (const std::uint64_t page : wanted_)
				absent_.erase(page);
			wanted_.clear();
			silicon_host_pages_gone(chip_);
		} else if (!(r.flags & SILICON_RUN_BUSY)) {
			wall_ns_ = r.flags & SILICON_RUN_AHEAD && r.wall_until < end ? std::max(wall_ns_ + 1, r.wall_until) :
										       std::min(end, wall_ns_ + 10000);
		}
	}
	return r.flags;
}

std::uint64_t HostedChip::all_reports() const
{
	std::uint64_t sum = 0;

	for (std::uint32_t kind = 0; kind < SILICON_REPORT_KINDS; kind++)
		sum += counter(SILICON_COUNT_REPORTS + kind);
	return sum;
}

} // namespace silicon_host
