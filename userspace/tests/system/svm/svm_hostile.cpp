// SPDX-License-Identifier: MIT
/*
 * svm_hostile.cpp - threads that share, split, protect, unmap and fork the same memory at once while the GPU stores next to it: the GPU's
 * own page is right all the time, arguments of any kind are refused or taken, and who is killed in the middle of it leaves nothing.
 */
#include <atomic>
#include <random>
#include <sys/wait.h>
#include <thread>

#include "process.hpp"
#include "svm.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr size_t pages = 32;

uint32_t below(std::mt19937 &random, uint32_t end) { return static_cast<uint32_t>(random() % end); }

/* Some attribute, now and then a wrong one. */
SvmAttribute any_attribute(std::mt19937 &random, uint32_t gpu_id)
{
	const uint32_t type = below(random, 9);

	if (type == KFD_IOCTL_SVM_ATTR_SET_FLAGS || type == KFD_IOCTL_SVM_ATTR_CLR_FLAGS)
		return {type, below(random, 256)};
	if (type == KFD_IOCTL_SVM_ATTR_GRANULARITY)
		return {type, below(random, 70)};
	return {type, below(random, 8) ? gpu_id : below(random, 0xffffffff)};
}

void change_memory(std::mt19937 &random, uint32_t *at, size_t bytes)
{
	switch (random() % 5) {
	case 0: munmap(at, bytes); break;
	case 1: mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0); break;
	case 2: mprotect(at, bytes, random() % 2 ? PROT_READ : PROT_READ | PROT_WRITE); break;
	case 3: madvise(at, bytes, MADV_DONTNEED); break;
	default: mprotect(at, bytes, PROT_READ | PROT_WRITE); break;
	}
}

/* Return: the errno of one call with random arguments. */
int any_call(std::mt19937 &random, const Gpu &gpu, uint32_t *memory)
{
	size_t first = random() % pages, count = 1 + random() % (pages - first);
	std::vector<SvmAttribute> list(random() % 4);

	for (SvmAttribute &attribute : list)
		attribute = any_attribute(random, gpu.id());
	return svm(gpu.fd(), random() % 3 ? KFD_IOCTL_SVM_OP_SET_ATTR : KFD_IOCTL_SVM_OP_GET_ATTR, nth(memory, first), count * page, list);
}

void abuse(const Gpu &gpu, uint32_t *memory, unsigned seed, const std::atomic<bool> &ends)
{
	std::mt19937 random(seed);

	while (!ends) {
		int error = any_call(random, gpu, memory);
		CHECK(error == 0 || error == EINVAL || error == EFAULT || error == EPERM || error == ENOMEM);
		size_t first = random() % pages;
		change_memory(random, nth(memory, first), (1 + random() % (pages - first)) * page);
	}
}

/* @rounds stores of the GPU to a page of its own, while threads do what they like with the rest. */
void stand(Gpu &gpu, uint32_t rounds)
{
	uint32_t *memory = anonymous(pages), *own = anonymous(1);
	std::atomic<bool> ends = false;
	std::vector<std::thread> threads;

	REQUIRE(svm_set(gpu.fd(), own, page, {{KFD_IOCTL_SVM_ATTR_ACCESS, gpu.id()}}) == 0);
	SdmaWriter writer(gpu);
	for (unsigned i = 0; i < 3; i++)
		threads.emplace_back(abuse, std::cref(gpu), memory, i, std::cref(ends));
	for (uint32_t i = 1; i <= rounds; i++) {
		CHECK(writer.store(own, i));
		CHECK_EQ(own[0], i);
		if (i % 4)
			continue;
		pid_t child = fork();
		if (!child)
			_exit(own[0] == i ? 0 : 1);
		int status;
		REQUIRE(waitpid(child, &status, 0) == child);
		CHECK_EQ(status, 0);
	}
	ends = true;
	for (std::thread &thread : threads)
		thread.join();
}

/* Killed at any moment. */
void killed()
{
	Child child([] {
		Gpu gpu;

		Child::ready();
		stand(gpu, 1'000'000);
	});

	REQUIRE(child.wait_ready());
	usleep(50'000);
	child.kill();
}

} // namespace

KFDM_TEST("whatever a process does to memory that it shares, the GPU's stores next to it arrive")
{
	Gpu gpu;

	svm_or_skip(gpu);
	killed();
	stand(gpu, soak() ? 2000 : 8);
}
