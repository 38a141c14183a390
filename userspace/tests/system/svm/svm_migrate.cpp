// SPDX-License-Identifier: MIT
/*
 * svm_migrate.cpp - memory of the process goes to VRAM and comes back, with what is in it: when it is prefetched, when a GPU or a CPU
 * touches it, when others want the VRAM, and when the GPU is removed.
 *
 * Where it is tells the process's pagemap: a page in VRAM is not present.
 */
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>

#include "drm_job.hpp"
#include "drm_memory.hpp"
#include "fail_nth.hpp"
#include "files.hpp"
#include "gpu_files.hpp"
#include "process.hpp"
#include "smi_watch.hpp"
#include "svm.hpp"
#include "tracing.hpp"
#include "users.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr int no_svm = 77;     /* how a child ends */
constexpr size_t pages = 1200; /* 4.7 MiB: more than moves in one step */
constexpr size_t step_pages = 512;

/* Linux: Documentation/admin-guide/mm/pagemap.rst */
constexpr uint64_t page_present = uint64_t{1} << 63, page_swapped = uint64_t{1} << 62;

size_t count(const uint32_t *memory, size_t n, uint64_t flag)
{
	UniqueFd file(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
	std::vector<uint64_t> entries(n);
	const size_t bytes = n * sizeof(uint64_t);

	REQUIRE(pread(file.get(), entries.data(), bytes, static_cast<off_t>(address(memory) / page * sizeof(uint64_t))) ==
		static_cast<ssize_t>(bytes));
	return static_cast<size_t>(std::ranges::count_if(entries, [&](uint64_t entry) { return entry & flag; }));
}

size_t in_vram(const uint32_t *memory, size_t n = pages) { return count(memory, n, page_swapped); }
size_t in_host(const uint32_t *memory, size_t n = pages) { return count(memory, n, page_present); }

int prefetch(const Gpu &gpu, const uint32_t *memory, uint32_t place, size_t n = pages)
{
	return svm_set(gpu.fd(), memory, n * page, {{KFD_IOCTL_SVM_ATTR_ACCESS, gpu.id()}, {KFD_IOCTL_SVM_ATTR_PREFETCH_LOC, place}});
}

uint32_t value(size_t i, uint32_t salt) { return static_cast<uint32_t>(i) * 2654435761U + salt; }

void fill(uint32_t *memory, uint32_t salt, size_t n = pages)
{
	for (size_t i = 0; i < n; i++) {
		nth(memory, i)[0] = value(i, salt);
		nth(memory, i)[1023] = ~value(i, salt);
	}
}

size_t wrong(uint32_t *memory, uint32_t salt, size_t n = pages)
{
	size_t bad = 0;

	for (size_t i = 0; i < n; i++)
		bad += nth(memory, i)[0] != value(i, salt) || nth(memory, i)[1023] != ~value(i, salt);
	return bad;
}

uint64_t counter(const Gpu &gpu, const std::string &name)
{
	return number_in(fmt::format("/sys/class/kfd/kfd/proc/{}/counters_{}/{}", getpid(), gpu.id(), name));
}

/* Each allocation fails once, those of the first migration among them, which makes the device pages. What cannot move stays whole. */
void allocations_fail(const Gpu &gpu)
{
	if (access("/proc/self/fail-nth", F_OK))
		return; /* only the debug kernel can */
	constexpr size_t few = 40;
	uint32_t *memory = anonymous(few);
	FailNth fail;

	fill(memory, 20, few);
	fail_each(fail, "there and back", [&] {
		const int error = prefetch(gpu, memory, gpu.id(), few);

		return error ? error : prefetch(gpu, memory, KFD_IOCTL_SVM_LOCATION_SYSMEM, few);
	});
	CHECK_EQ(wrong(memory, 20, few), 0U);
	munmap(memory, few * page);
}

/* SMI events of memory that moves, as Linux's driver tells them (kfd_smi_event_migration_start(), kfd_smi_event_migration_end()). */
class MigrationWatch {
public:
	explicit MigrationWatch(const Gpu &gpu) : gpu_(gpu.id()), watch_(gpu, {KFD_SMI_EVENT_MIGRATE_START, KFD_SMI_EVENT_MIGRATE_END}) {}

	/** Both events, of pages from @memory on; @prefetch: where they were last asked to be. */
	[[nodiscard]] bool told(const uint32_t *memory, size_t n, bool to_vram, uint32_t prefetch, KFD_MIGRATE_TRIGGERS trigger)
	{
		const std::string moves = fmt::format("@{:x}({:x}) {:x}->{:x}", address(memory) / page, n, to_vram ? 0 : gpu_,
						      to_vram ? gpu_ : 0);

		return watch_.told(KFD_SMI_EVENT_MIGRATE_START,
				   fmt::format("{} {:x}:{:x} {}", moves, prefetch, KFD_IOCTL_SVM_LOCATION_UNDEFINED, +trigger)) &&
		       watch_.told(KFD_SMI_EVENT_MIGRATE_END, fmt::format("{} {}", moves, +trigger));
	}

private:
	uint32_t gpu_;
	SmiWatch watch_;
};

/* The first pages of a memory that move together whatever lies beside it: they end at a limit of 2 MiB. */
size_t whole_step(const uint32_t *memory) { return (step_pages - address(memory) / page % step_pages) % step_pages; }

/* There and back, three times; a copy engine of the kernel carries it. */
void there_and_back(const Gpu &gpu)
{
	uint32_t *memory = anonymous(pages);
	const uint64_t in = counter(gpu, "page_in"), out = counter(gpu, "page_out");
	MigrationWatch watch(gpu);

	for (uint32_t round = 0; round < 3; round++) {
		fill(memory, round);
		{
			Recording record("amdgpu");

			CHECK_ERRNO(0, prefetch(gpu, memory, gpu.id()));
			record.expect({"amdgpu_sched_run_job"});
		}
		CHECK_EQ(in_vram(memory), pages);
		CHECK_ERRNO(0, prefetch(gpu, memory, KFD_IOCTL_SVM_LOCATION_SYSMEM));
		CHECK_EQ(in_host(memory), pages);
		CHECK_EQ(wrong(memory, round), 0U);
	}
	CHECK(watch.told(memory, pages, true, gpu.id(), KFD_MIGRATE_TRIGGER_PREFETCH));
	CHECK(watch.told(memory, pages, false, KFD_IOCTL_SVM_LOCATION_SYSMEM, KFD_MIGRATE_TRIGGER_PREFETCH));
	CHECK_EQ(counter(gpu, "page_in"), in + 3 * pages);
	CHECK_EQ(counter(gpu, "page_out"), out + 3 * pages);
	munmap(memory, pages * page);
}

/* What a CPU touches comes back with its neighbours, and nothing else does. */
void touched(const Gpu &gpu)
{
	uint32_t *memory = anonymous(pages);
	const size_t step = whole_step(memory);
	MigrationWatch watch(gpu);

	fill(memory, 9);
	CHECK_ERRNO(0, prefetch(gpu, memory, gpu.id()));
	CHECK_EQ(nth(memory, step + 100)[0], value(step + 100, 9));
	CHECK(watch.told(nth(memory, step), step_pages, false, gpu.id(), KFD_MIGRATE_TRIGGER_PAGEFAULT_CPU));
	CHECK_EQ(in_host(memory), step_pages);
	CHECK_EQ(in_vram(memory), pages - step_pages);
	CHECK_EQ(wrong(memory, 9), 0U);
	CHECK_EQ(in_host(memory), pages);
	munmap(memory, pages * page);
}

/* Nobody has touched it: it reads as zero, wherever it is. */
void untouched(const Gpu &gpu)
{
	uint32_t *memory = anonymous(pages);

	CHECK_ERRNO(0, prefetch(gpu, memory, gpu.id()));
	CHECK_EQ(in_vram(memory), pages);
	CHECK(std::all_of(memory, memory + pages * page / sizeof(*memory), [](uint32_t word) { return word == 0; }));
	munmap(memory, pages * page);
}

/* The GPU reads and writes it there; the CPU sees what it has written. */
void used(const Gpu &gpu, SdmaWriter &writer)
{
	uint32_t *memory = anonymous(pages);

	fill(memory, 3);
	CHECK_ERRNO(0, prefetch(gpu, memory, gpu.id()));
	CHECK(writer.copy(nth(memory, 600), nth(memory, 1), page));
	CHECK(writer.store(nth(memory, 1100) + 5, 77));
	CHECK_EQ(in_vram(memory), pages);
	CHECK_EQ(nth(memory, 600)[0], value(1, 3));
	CHECK_EQ(nth(memory, 1100)[5], 77U);
	/* It is in the host by now, and the GPU follows. */
	CHECK(writer.store(nth(memory, 1100) + 5, 78));
	CHECK_EQ(nth(memory, 1100)[5], 78U);
	munmap(memory, pages * page);
}

uint64_t vram_used(const drm::Device &device) { return number_in(device_folder(device) + "mem_info_vram_used"); }

/* VRAM that nobody's memory is in any more is free again. @unused: what was used before the process had memory there. */
void given_back(const Gpu &gpu, const drm::Device &device, uint64_t unused)
{
	const uint64_t tables = 64 * page; /* page tables stay for later */

	/* What the tests before have unmapped goes a moment later, and must not go while this one counts. */
	REQUIRE(eventually([&] { return vram_used(device) <= unused + tables; }));
	const uint64_t before = vram_used(device);
	uint32_t *memory = anonymous(pages);

	CHECK_ERRNO(0, prefetch(gpu, memory, gpu.id()));
	CHECK(vram_used(device) >= before + pages * page);
	CHECK(vram_used(device) <= before + pages * page + tables);
	munmap(memory, 600 * page);
	CHECK_EQ(in_vram(nth(memory, 600), 600), 600U);
	munmap(nth(memory, 600), 600 * page);
	CHECK(eventually([&] { return vram_used(device) <= before + tables; }));
}

/* Both sides of a fork have it, and what one writes, or its GPU, is its own. */
void forked(const Gpu &gpu, SdmaWriter &writer)
{
	uint32_t *memory = anonymous(pages);

	fill(memory, 4);
	CHECK_ERRNO(0, prefetch(gpu, memory, gpu.id()));
	Child child([&] {
		usleep(200'000); /* the GPU's store is earlier */
		CHECK_EQ(nth(memory, 50)[4], 0U);
		CHECK_EQ(wrong(memory, 4), 0U);
		fill(memory, 5);
		Child::ready();
		usleep(200'000);
		CHECK_EQ(wrong(memory, 5), 0U);
	});
	CHECK(writer.store(nth(memory, 50) + 4, 44));
	REQUIRE(child.wait_ready());
	CHECK_EQ(nth(memory, 50)[4], 44U);
	CHECK_EQ(wrong(memory, 4), 0U);
	fill(memory, 6);
	CHECK_EQ(child.join(), 0);
	CHECK_EQ(wrong(memory, 6), 0U);
	munmap(memory, pages * page);
}

/* A buffer that needs the room gets it. */
void evicted(const Gpu &gpu, const drm::Device &device)
{
	uint32_t *memory = anonymous(pages);
	MigrationWatch watch(gpu);

	fill(memory, 7);
	CHECK_ERRNO(0, prefetch(gpu, memory, gpu.id()));
	{
		const uint64_t left = number_in(device_folder(device) + "mem_info_vram_total") - vram_used(device);
		Ballast ballast(device, left + pages * page / 2, AMDGPU_GEM_DOMAIN_VRAM);

		CHECK(watch.told(nth(memory, whole_step(memory)), step_pages, false, gpu.id(), KFD_MIGRATE_TRIGGER_TTM_EVICTION));
		CHECK(in_host(memory) >= pages / 2);
		CHECK_EQ(wrong(memory, 7), 0U);
	}
	munmap(memory, pages * page);
}

/* Threads of the process, and the GPU, at the same pages while they move: nothing is lost. */
void contested(const Gpu &gpu, SdmaWriter &writer)
{
	uint32_t *memory = anonymous(pages);
	std::atomic<bool> end = false;
	uint32_t last = 0;

	fill(memory, 8);
	std::jthread toucher([&] {
		for (size_t i = 0; !end; i = (i + 37) % pages)
			nth(memory, i)[2]++;
	});
	for (uint32_t round = 0; round < 20; round++) {
		CHECK_ERRNO(0, prefetch(gpu, memory, gpu.id()));
		CHECK(writer.store(nth(memory, round * 59 % pages) + 3, ++last));
		CHECK_EQ(nth(memory, round * 59 % pages)[3], last);
	}
	end = true;
	toucher.join();
	CHECK_EQ(wrong(memory, 8), 0U);
	munmap(memory, pages * page);
}

/* What cannot be in VRAM stays, and is the GPU's all the same: a file's pages. */
void file_pages(const Gpu &gpu, SdmaWriter &writer)
{
	UniqueFd file(memfd_create("svm", MFD_CLOEXEC));

	REQUIRE(ftruncate(file.get(), 8 * page) == 0);
	auto *memory = static_cast<uint32_t *>(mmap(nullptr, 8 * page, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0));
	REQUIRE(memory != MAP_FAILED);
	fill(memory, 1, 8);
	CHECK_ERRNO(0, prefetch(gpu, memory, gpu.id(), 8));
	CHECK_EQ(in_vram(memory, 8), 0U);
	CHECK(writer.store(memory + 9, 10));
	CHECK_EQ(memory[9], 10U);
	CHECK_EQ(wrong(memory, 1, 8), 0U);
	munmap(memory, 8 * page);
}

/* Jobs of user space that do not end hold all copy engines: memory moves all the same, and what the engines do later does not harm it. */
void engines_held(const Gpu &gpu, const drm::Device &device)
{
	constexpr unsigned engines = 2;
	uint32_t *memory = anonymous(pages);
	drm::Context context(device);
	drm::Buffer gate(device, 4096, AMDGPU_GEM_DOMAIN_GTT);
	std::vector<std::unique_ptr<Ib>> ibs;
	std::vector<drm::Fence> fences;

	gate.as<uint32_t>()[0] = 0;
	for (unsigned ring = 0; ring < engines; ring++) {
		ibs.push_back(std::make_unique<Ib>(device));
		ibs.back()->wait(AMDGPU_HW_IP_DMA, gate.gpu(), 1);
		fences.push_back(context.submit(ibs.back()->job(AMDGPU_HW_IP_DMA, ring, {gate.handle()})));
	}
	usleep(50'000);
	fill(memory, 12);
	CHECK_ERRNO(0, prefetch(gpu, memory, gpu.id(), 100));
	CHECK_EQ(in_vram(memory, 100), 100U);
	CHECK_EQ(wrong(memory, 12), 0U);
	fill(memory, 13);
	gate.as<volatile uint32_t>()[0] = 1;
	for (const drm::Fence &fence : fences)
		CHECK(fence.wait(long_ns));
	usleep(50'000);
	CHECK_EQ(wrong(memory, 13), 0U);
	munmap(memory, pages * page);
}

void by_prefetch()
{
	Gpu gpu;
	drm::Device device;
	const uint64_t unused = vram_used(device);

	allocations_fail(gpu);
	there_and_back(gpu);
	touched(gpu);
	untouched(gpu);
	given_back(gpu, device, unused);
	evicted(gpu, device);
	engines_held(gpu, device);
	SdmaWriter writer(gpu);
	forked(gpu, writer);
	used(gpu, writer);
	contested(gpu, writer);
	file_pages(gpu, writer);
}

/* With XNACK the GPU that touches memory gets it, and again after a CPU has. */
void by_faults()
{
	Gpu gpu;
	kfd_ioctl_set_xnack_mode_args mode = {1};

	if (call(gpu.fd(), AMDKFD_IOC_SET_XNACK_MODE, mode))
		return; /* the chip does not retry */
	uint32_t *memory = anonymous(pages);
	const size_t step = whole_step(memory), touched = step + 100;
	SdmaWriter writer(gpu);

	for (uint32_t round = 0; round < 3; round++) {
		fill(memory, round);
		CHECK_EQ(in_host(memory), pages);
		MigrationWatch watch(gpu);

		CHECK(writer.store(nth(memory, touched) + 7, round));
		CHECK(watch.told(nth(memory, step), step_pages, true, KFD_IOCTL_SVM_LOCATION_UNDEFINED, KFD_MIGRATE_TRIGGER_PAGEFAULT_GPU));
		CHECK_EQ(in_vram(memory), step_pages);
		CHECK_EQ(nth(memory, touched)[7], round);
		CHECK_EQ(wrong(memory, round), 0U);
	}
	CHECK_ERRNO(0, svm_set(gpu.fd(), memory, pages * page, {{KFD_IOCTL_SVM_ATTR_PREFERRED_LOC, KFD_IOCTL_SVM_LOCATION_SYSMEM}}));
	CHECK(writer.store(nth(memory, 601) + 7, 1));
	CHECK_EQ(in_vram(memory), 0U);
	munmap(memory, pages * page);
}

/* A process without the GPU inherits pages in VRAM; the GPU goes. */
void inherited(const Gpu &gpu, Shared<bool> &gone)
{
	uint32_t *memory = anonymous(pages);

	fill(memory, 11);
	if (prefetch(gpu, memory, gpu.id()) == EPERM)
		_exit(no_svm);
	CHECK_EQ(in_vram(memory), pages);
	if (fork() == 0) {
		CHECK_EQ(in_vram(memory), pages);
		Child::ready();
		for (int patience = 60'000; !*gone && patience; patience--)
			usleep(1000);
		CHECK_EQ(in_host(memory), pages);
		CHECK_EQ(wrong(memory, 11), 0U);
		std::fflush(stdout);
		*gone = failures() != 0;
		_exit(0);
	}
	while (true)
		pause();
}

void removed()
{
	const std::string render = std::filesystem::path(Topology::read().gpu().render_path()).filename();
	const std::string function = std::filesystem::canonical("/sys/class/drm/" + render + "/device").filename();
	Shared<bool> gone;

	{
		Child child([&] {
			Gpu gpu;

			inherited(gpu, gone);
		});
		if (!child.wait_ready() && child.join() == no_svm)
			skip("the driver has no shared virtual memory");
		write_file("/sys/bus/pci/devices/" + function + "/remove", "1");
		CHECK_EQ(child.join(), 128 + SIGKILL);
	}
	*gone = true;
	CHECK(eventually([&] { return !*gone; })); /* the heir has found all of it */
	write_file("/sys/bus/pci/rescan", "1");
	REQUIRE(eventually([&] { return access(("/sys/bus/pci/devices/" + function + "/drm").c_str(), F_OK) == 0; }));
}

} // namespace

/* Children do it: a process that has used a GPU dies with it. */
KFDM_TEST("shared memory goes to VRAM and back")
{
	if (!has_device_pages())
		skip("this kernel has no device pages (DEVICE_PRIVATE)");
	removed(); /* first: what the others leave is seen by who removes the modules afterwards */
	CHECK_EQ(Child(by_prefetch).join(), 0);
	CHECK_EQ(Child(by_faults).join(), 0);
}
