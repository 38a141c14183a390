// SPDX-License-Identifier: MIT
/*
 * isolation_mmio.cpp - the page for HDP flushes carries nothing from one process to another.
 */
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr size_t words = 1024;

uint32_t *map(Gpu &gpu)
{
	void *at = mmap(nullptr, 4 * words, PROT_READ | PROT_WRITE, MAP_SHARED, gpu.fd(), static_cast<off_t>(uint64_t{gpu.id()} << 46));

	REQUIRE(at != MAP_FAILED);
	return static_cast<uint32_t *>(at);
}

} // namespace

KFDM_TEST("processes do not share the page for HDP flushes")
{
	Child sender([] {
		Gpu gpu;

		std::fill_n(map(gpu), words, 0x12345678U);
		Child::ready();
		pause();
	});

	REQUIRE(sender.wait_ready());
	Gpu gpu;
	uint32_t *page = map(gpu);
	CHECK_EQ(std::count(page, page + words, 0x12345678U), 0);

	/* A mapping that is moved keeps what it has, and works. */
	page[0] = 7;
	void *elsewhere = mmap(nullptr, 4 * words, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	page = static_cast<uint32_t *>(mremap(page, 4 * words, 4 * words, MREMAP_MAYMOVE | MREMAP_FIXED, elsewhere));
	REQUIRE(page == elsewhere);
	CHECK_EQ(page[0], 7U);
	page[1] = 8;
	munmap(page, 4 * words);
}
