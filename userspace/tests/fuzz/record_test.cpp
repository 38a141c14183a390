// SPDX-License-Identifier: MIT
/*
 * record_test.cpp - system calls become lines of a trace, traces become programs; and the programs that the system tests gave.
 */
#include <gtest/gtest.h>

#include <drm/amdgpu_drm.h>
#include <fstream>
#include <iterator>
#include <linux/kfd_ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "recorder.hpp"
#include "seeds.hpp"
#include "syzkaller.hpp"

using namespace kfdm::fuzz;

namespace {

bool peek(uint64_t address, void *to, size_t size)
{
	const iovec local{to, size}, remote{reinterpret_cast<void *>(address), size};

	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

template <typename T> uint64_t at(T &object) { return reinterpret_cast<uint64_t>(&object); }

class Record : public testing::Test {
protected:
	void SetUp() override { read_descriptions(description); }
	std::string made(std::string_view base, const Registers &registers, int64_t result)
	{
		auto pending = recorder.before(base, registers);

		return pending ? recorder.after(std::move(*pending), result) : "";
	}
	std::string seeds_of(const std::string &trace)
	{
		Seeds seeds(description);
		std::string text;

		for (const Program &program : seeds.take(read_trace(description, trace)))
			text += to_text(description, program) + "\n";
		return text;
	}

	Description description;
	Recorder recorder{description, peek};
};

constexpr const char *open_kfd = "0 openat$kfd(0xffffffffffffff9c, &\"/dev/kfd\", 0x2, 0x0)\n";

} // namespace

TEST_F(Record, WhatCallsPutOutIsKnownByTheirNumbers)
{
	const char *path = "/dev/kfd";
	kfd_ioctl_alloc_memory_of_gpu_args alloc{.va_addr = 0x7f0000000000, .size = 0x3000, .gpu_id = 0x1234, .flags = 0x80000001};
	uint32_t gpu = 0x1234;
	kfd_ioctl_map_memory_to_gpu_args map{.device_ids_array_ptr = at(gpu), .n_devices = 1};

	EXPECT_EQ(made("openat", {static_cast<uint64_t>(-100), reinterpret_cast<uint64_t>(path), 2, 0}, 5), open_kfd);
	EXPECT_EQ(recorder.apertures(5, {0x1234}), "0 ioctl$AMDKFD_IOC_GET_PROCESS_APERTURES_NEW(r0, 0xc0104b14, "
						   "&{&[{0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0}], %, 0x0})\n");
	auto pending = recorder.before("ioctl", {5, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, at(alloc)});
	ASSERT_TRUE(pending);
	alloc.handle = map.handle = 0x123400000007;
	EXPECT_EQ(recorder.after(std::move(*pending), 0),
		  "0 ioctl$AMDKFD_IOC_ALLOC_MEMORY_OF_GPU(r0, 0xc0284b16, &{0x7f0000000000, 0x3000, 0x0, 0x0, r1.1, 0x80000001})\n");
	EXPECT_EQ(made("ioctl", {5, AMDKFD_IOC_MAP_MEMORY_TO_GPU, at(map)}, -22),
		  "0 ioctl$AMDKFD_IOC_MAP_MEMORY_TO_GPU(r0, 0xc0184b18, &{r2.1, &[r1.1], %, 0x0})\n# failed\n");
	EXPECT_TRUE(recorder.is_named(0x7f0000002fff, 1));
	EXPECT_FALSE(recorder.is_named(0x7f0000003000, 0x1000));
	recorder.duplicated(5, 6);
	EXPECT_FALSE(recorder.closed(5)) << "6 is the same file";
	EXPECT_TRUE(recorder.closed(6));
	EXPECT_EQ(made("close", {6}, 0), "0 close$gpu(r0)\n");
	EXPECT_EQ(made("ioctl", {5, AMDKFD_IOC_MAP_MEMORY_TO_GPU, at(map)}, 0), "") << "no longer a descriptor of the GPU's";
}

/* One number, two descriptions: user memory has a flag of its own. */
TEST_F(Record, OfSeveralDescriptionsTheOneThatFits)
{
	const char *path = "/dev/kfd";
	kfd_ioctl_alloc_memory_of_gpu_args alloc{
		.va_addr = 0x1000, .size = 0x1000, .mmap_offset = 0x1000, .flags = KFD_IOC_ALLOC_MEM_FLAGS_USERPTR};
	uint8_t beyond[96]{};

	made("openat", {static_cast<uint64_t>(-100), reinterpret_cast<uint64_t>(path), 2, 0}, 5);
	EXPECT_EQ(made("ioctl", {5, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, at(alloc)}, -22).substr(0, 33), "0 ioctl$AMDKFD_IOC_ALLOC_USERPTR(");
	EXPECT_EQ(made("ioctl", {5, 0xc0604bff, at(beyond)}, -25), "") << "not described";
	EXPECT_EQ(made("ioctl", {6, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, at(alloc)}, 0), "") << "another file";
}

/* What a job executes, programs write through a mapping: it stands before the job. */
TEST_F(Record, AJobComesWithWhatItsBufferHolds)
{
	const char *path = "/dev/dri/renderD129";
	alignas(4096) static uint32_t buffer[1024] = {0xffff1000, 0xc0033700};
	drm_amdgpu_gem_create create{.in = {.bo_size = 0x1000}};
	drm_amdgpu_gem_va va{.handle = 1, .operation = AMDGPU_VA_OP_MAP, .va_address = 0x100000000, .map_size = 0x1000};
	drm_amdgpu_gem_mmap map{.in = {.handle = 1}};
	drm_amdgpu_cs_chunk_ib ib{.va_start = 0x100000000, .ib_bytes = 8};
	drm_amdgpu_cs_chunk chunk{.chunk_id = AMDGPU_CHUNK_ID_IB, .length_dw = sizeof(ib) / 4, .chunk_data = at(ib)};
	uint64_t chunks = at(chunk);
	drm_amdgpu_cs job{.in = {.ctx_id = 1, .num_chunks = 1, .chunks = at(chunks)}};

	made("openat", {static_cast<uint64_t>(-100), reinterpret_cast<uint64_t>(path), 2, 0}, 5);
	auto pending = recorder.before("ioctl", {5, DRM_IOCTL_AMDGPU_GEM_CREATE, at(create)});
	create.out.handle = 1;
	recorder.after(std::move(*pending), 0);
	EXPECT_EQ(made("ioctl", {5, DRM_IOCTL_AMDGPU_GEM_VA, at(va)}, 0),
		  "0 ioctl$AMDGPU_GEM_VA(r0, 0x40286448, &{r1.1, 0x0, 0x1, 0x0, 0x100000000, 0x0, 0x1000})\n");
	pending = recorder.before("ioctl", {5, DRM_IOCTL_AMDGPU_GEM_MMAP, at(map)});
	map.out.addr_ptr = 0x200000;
	recorder.after(std::move(*pending), 0);
	made("mmap", {at(buffer), 0x1000, 3, 0x11, 5, 0x200000}, static_cast<int64_t>(at(buffer)));
	const std::string lines = made("ioctl", {5, DRM_IOCTL_AMDGPU_CS, at(job)}, 0);

	EXPECT_EQ(lines.substr(0, lines.find('(')), "0 syz_kfdm_copy$code");
	EXPECT_NE(lines.find(
			  ", 0x0, &[0xffff1000, 0xc0033700], %)\n0 ioctl$AMDGPU_CS(r0, 0xc0186444, &{0x1, 0x0, %, 0x0, &[{&<0:{0x1, %, &{"),
		  std::string::npos)
		<< lines;
}

/* What a call needs comes with it: what made its handles, and what lies where it looks; nothing else does. */
TEST_F(Record, AProgramHasWhatItsCallsNeed)
{
	const std::string
		buffer = "0 ioctl$AMDKFD_IOC_ALLOC_MEMORY_OF_GPU(r0, 0xc0284b16, &{0x7f0000000000, 0x3000, 0x0, 0x0, 0xffffffff, 0x1})\n",
		scratch = "0 ioctl$AMDKFD_IOC_SET_SCRATCH_BACKING_VA(r0, 0x40104b11, &{0x7f0000001000, 0xffffffff, 0x0})\n";

	EXPECT_EQ(seeds_of(open_kfd + buffer + "# failed\n" + scratch),
		  std::string(open_kfd) + "0 ioctl$AMDKFD_IOC_ALLOC_MEMORY_OF_GPU(r0, 0xc0284b16, &{@10/3, %, 0x0, 0x0, 0xffffffff, 0x1})\n"
					  "0 ioctl$AMDKFD_IOC_SET_SCRATCH_BACKING_VA(r0, 0x40104b11, &{@11/1, 0xffffffff, 0x0})\n\n");
	EXPECT_EQ(seeds_of(std::string(open_kfd) + open_kfd + "0 close$gpu(r1)\n"),
		  std::string(open_kfd) + open_kfd + "0 close$gpu(r1)\n\n")
		<< "one of a kind, but where another one is needed";
}

TEST_F(Record, LongTracesBecomeSeveralPrograms)
{
	std::string trace = open_kfd;

	for (int type = 0; type < 40; type++)
		trace += "0 ioctl$AMDKFD_IOC_CREATE_EVENT(r0, 0xc0204b08, &{0x0, 0x0, 0x" + std::to_string(type) +
			 ", 0x0, 0x0, 0x0, 0x0})\n";
	const std::vector<std::string> programs = split_programs(seeds_of(trace));

	ASSERT_EQ(programs.size(), 2U);
	for (const std::string &program : programs)
		EXPECT_EQ(program.substr(0, program.find('\n') + 1), open_kfd);
}

TEST_F(Record, MemoryGetsPlacesInThePagesThatThereAre)
{
	const std::string text = seeds_of(
		std::string(open_kfd) +
		"0 ioctl$AMDKFD_IOC_ALLOC_MEMORY_OF_GPU(r0, 0xc0284b16, &{0x7f0000000000, 0x1000000, 0x0, 0x0, 0xffffffff, 0x1})\n"
		"0 ioctl$AMDKFD_IOC_ALLOC_MEMORY_OF_GPU(r0, 0xc0284b16, &{0x7f1000000000, 0x1001, 0x0, 0x0, 0xffffffff, 0x2})\n");

	EXPECT_NE(text.find("&{@10/200, %,"), std::string::npos) << "too large: halved" << text;
	EXPECT_NE(text.find("&{@210/2, 0x1001,"), std::string::npos) << "a length that is no page is kept" << text;
}

/* The programs that were recorded, as they are in the tree. */
TEST_F(Record, ThoseOfTheSystemTests)
{
	std::ifstream in(FUZZ_FOLDER "/system.prog");
	const std::string text{std::istreambuf_iterator<char>(in), {}};
	std::set<std::string> made, left;
	unsigned programs = 0;

	for (const std::string &one : split_programs(text)) {
		const Program program = from_text(description, one);

		programs++;
		EXPECT_EQ(one.substr(one.find('\n') + 1), to_text(description, program));
		EXPECT_TRUE(to_syzkaller(description, program)) << one;
		for (const Invocation &call : program.calls)
			made.insert(description.calls()[static_cast<size_t>(call.call)].name);
	}
	for (const Call &call : description.calls())
		if (call.base == "ioctl" && !made.contains(call.name))
			left.insert(call.name);
	EXPECT_GE(programs, 50U);
	/*
	 * What no system test asks for, or only with what is made of time: corpus.prog has it. Operations of DBG_TRAP are recorded as that
	 * one call, and name a process, which is another one each time.
	 */
	EXPECT_EQ(left, (std::set<std::string>{"ioctl$AMDGPU_GEM_USERPTR", "ioctl$AMDGPU_VM", "ioctl$AMDGPU_WAIT_FENCES",
					       "ioctl$AMDKFD_IOC_CREATE_PROCESS", "ioctl$AMDKFD_IOC_DBG_TRAP_ENABLE",
					       "ioctl$AMDKFD_IOC_DBG_TRAP_INFO", "ioctl$AMDKFD_IOC_DBG_TRAP_QUEUES", "ioctl$AMDKFD_IOC_any",
					       "ioctl$GPU_FD_TO_SYNCOBJ", "ioctl$GPU_SYNCOBJ_RESET", "ioctl$GPU_SYNCOBJ_WAIT"}));
}
