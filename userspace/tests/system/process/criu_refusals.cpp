// SPDX-License-Identifier: MIT
/*
 * criu_refusals.cpp - who may checkpoint whom, and checkpoints that are none: wrong numbers, forged bytes, memory that is missing. Nothing
 * of it harms the kernel or others, and nothing stays behind.
 */
#include <malloc.h>

#include <dirent.h>

#include <random>

#include "criu.hpp"
#include "fail_nth.hpp"
#include "users.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

struct Victim {
	int kfd;
};

/* One of everything, and the kernel that runs does not end. */
void one_of_each(Shared<Victim> &at)
{
	Gpu gpu;
	Program program = gpu.program();
	AqlQueue queue(gpu.device, {.ring_bytes = 4096});
	SdmaQueue sdma(gpu.device);
	Buffer flags = Buffer::gtt(gpu.device, page, memory_coherent), user = Buffer::anonymous(gpu.device, page);
	Event event = Event::signal(gpu.device), faults = Event::memory(gpu.device);
	Launch spin(gpu.device, program.kernel("spin"), {.grid = {128, 1, 1}});

	spin.arg(flags.gpu()).arg(flags.gpu() + 4).submit(queue);
	sdma.submit(sdma.stream().poll(flags.gpu() + 12, PM4_EQUAL, 1).fence(user.gpu(), 5));
	usleep(50'000); /* the waves are on the chip by now */
	at->kfd = gpu.fd();
	Child::ready();
	for (;;)
		pause();
}

size_t open_files()
{
	DIR *folder = opendir("/proc/self/fd");
	size_t n = 0;

	while (readdir(folder))
		n++;
	closedir(folder);
	return n;
}

/* Who does not trace the process, or has no right to checkpoint at all. */
void wrong_people(int kfd, pid_t victim)
{
	CHECK_ERRNO(EBADF, criu_op(kfd, KFD_CRIU_OP_PROCESS_INFO));
	trace(victim);
	CHECK_ERRNO(EINVAL, criu_op(kfd, KFD_CRIU_OP_RESUME + 1));
	CHECK_ERRNO(EINVAL, criu_op(kfd, KFD_CRIU_OP_UNPAUSE));
	admit_users();
	Child user = as(alice, [] {
		Kfd own = Kfd::open();

		for (uint32_t op :
		     {KFD_CRIU_OP_PROCESS_INFO, KFD_CRIU_OP_CHECKPOINT, KFD_CRIU_OP_UNPAUSE, KFD_CRIU_OP_RESTORE, KFD_CRIU_OP_RESUME})
			CHECK_ERRNO(EACCES, criu_op(own.fd(), op, 1));
	});
	CHECK_EQ(user.join(), 0);
}

/* CHECKPOINT wants exactly the numbers of PROCESS_INFO, and gives no descriptor if it fails. */
void wrong_numbers(int kfd, Image &image)
{
	const kfd_ioctl_criu_args good = image.args(KFD_CRIU_OP_CHECKPOINT);
	std::vector<kfd_ioctl_criu_args> bad(8, good);
	const size_t files = open_files();

	bad[0].num_devices--;
	bad[1].num_bos--;
	bad[2].num_objects++;
	bad[3].priv_data_size--;
	bad[4].priv_data_size = ~0ULL;
	bad[5].devices = 0;
	bad[6].bos = 0;
	bad[7].priv_data = 0;
	for (kfd_ioctl_criu_args &args : bad)
		CHECK_ERRNO(EINVAL, call(kfd, AMDKFD_IOC_CRIU_OP, args));
	for (__u64 kfd_ioctl_criu_args::*pointer :
	     {&kfd_ioctl_criu_args::devices, &kfd_ioctl_criu_args::bos, &kfd_ioctl_criu_args::priv_data}) {
		kfd_ioctl_criu_args args = good;

		args.*pointer = 64;
		CHECK_ERRNO(EFAULT, call(kfd, AMDKFD_IOC_CRIU_OP, args));
	}
	kfd_ioctl_criu_args restore = image.args(KFD_CRIU_OP_RESTORE);
	CHECK_ERRNO(EBADF, call(kfd, AMDKFD_IOC_CRIU_OP, restore));
	CHECK_EQ(open_files(), files);
}

/* @attempt in a process of its own, with a new /dev/kfd and render nodes. */
template <typename Attempt> int elsewhere(const Image &image, Attempt attempt)
{
	Child child([&] {
		UniqueFd kfd(::open(Kfd::path, O_RDWR | O_CLOEXEC));

		REQUIRE(kfd);
		attempt(kfd.get(), render_nodes(image));
	});
	return child.join();
}

/* Sentences about devices that are not so. After each the process is as it was. */
void wrong_devices_here(int kfd, const std::vector<UniqueFd> &nodes, Image &image)
{
	const kfd_criu_device_bucket good = image.devices[0];
	std::vector<UniqueFd> none, others;

	image.devices[0].user_gpu_id = 0;
	CHECK_ERRNO(EINVAL, restore(kfd, nodes, image));
	image.devices[0] = good;
	image.devices[0].actual_gpu_id ^= 1;
	CHECK_ERRNO(EINVAL, restore(kfd, nodes, image));
	image.devices[0] = good;
	CHECK_ERRNO(EINVAL, restore(kfd, none, image));
	others.emplace_back(dup(kfd));
	CHECK_ERRNO(EINVAL, restore(kfd, others, image));
	CHECK_ERRNO(EINVAL, criu_op(kfd, KFD_CRIU_OP_RESUME, static_cast<uint32_t>(getpid())));
	CHECK_ERRNO(EINVAL, criu_op(kfd, KFD_CRIU_OP_RESTORE));
	image.devices.push_back(good);
	CHECK_ERRNO(EINVAL, restore(kfd, nodes, image));
	image.devices.pop_back();
	CHECK_ERRNO(0, restore(kfd, nodes, image));
	CHECK_ERRNO(EINVAL, restore(kfd, nodes, image));
}

void wrong_devices(Image &image)
{
	CHECK_EQ(elsewhere(image, [&](int kfd, const std::vector<UniqueFd> &nodes) { wrong_devices_here(kfd, nodes, image); }), 0);
}

/* A process that works stays as it is, and goes on. */
void process_with_queues(Image &image)
{
	Child child([&] {
		Gpu gpu;
		AqlQueue queue(gpu.device);

		CHECK_ERRNO(EINVAL, restore(gpu.fd(), render_nodes(image), image));
		CHECK(works(gpu, queue));
		CHECK_ERRNO(EINVAL, criu_op(gpu.fd(), KFD_CRIU_OP_RESUME, static_cast<uint32_t>(getpid())));
	});
	CHECK_EQ(child.join(), 0);
}

uint8_t *byte_of(Image &image, size_t n)
{
	const size_t devices = image.devices.size() * sizeof(image.devices[0]), bos = image.bos.size() * sizeof(image.bos[0]);

	if (n < image.data.size())
		return &image.data[n];
	n -= image.data.size();
	return n < devices ? reinterpret_cast<uint8_t *>(image.devices.data()) + n :
			     reinterpret_cast<uint8_t *>(image.bos.data()) + (n - devices) % bos;
}

/* Whatever it says, it ends, and takes everything with it. Half of the flips are in words that are no descriptor's. */
void forged(const Image &good, unsigned seed)
{
	std::mt19937 random(seed);
	const size_t bytes = good.data.size() + good.devices.size() * sizeof(good.devices[0]) + good.bos.size() * sizeof(good.bos[0]);
	const int times = soak() ? 3000 : 40;

	for (int n = 0; n < times; n++) {
		Image image;
		image.devices = good.devices;
		image.bos = good.bos;
		image.data = good.data;
		image.objects = good.objects;
		for (auto flips = 1 + random() % 3; flips; flips--) {
			const bool anywhere = random() % 2, in_data = random() % 2;
			const size_t at = anywhere ? random() % bytes :
					  in_data  ? random() % std::min<size_t>(1200, good.data.size()) :
						     good.data.size() + random() % (bytes - good.data.size());

			*byte_of(image, at) ^= static_cast<uint8_t>(random() % 2 ? 1U << random() % 8 : random());
		}
		if (random() % 8 == 0)
			image.objects += static_cast<uint32_t>(random() % 5) - 2;
		if (random() % 8 == 0)
			image.data.resize(random() % good.data.size() + 1);
		CHECK_EQ(elsewhere(good,
				   [&](int kfd, const std::vector<UniqueFd> &nodes) {
					   if (!restore(kfd, nodes, image))
						   CHECK_ERRNO(0, criu_op(kfd, KFD_CRIU_OP_RESUME, static_cast<uint32_t>(getpid())));
				   }),
			 0);
	}
}

/* The n-th allocation fails, for each n or some: whoever has failed can end, and the next one begins with nothing of it. */
void without_memory(Image &image)
{
	const unsigned step = soak() ? 1 : 23;
	unsigned failed = 0;

	for (bool used = true; used && failed < 3000;) {
		int code = elsewhere(image, [&](int kfd, const std::vector<UniqueFd> &nodes) {
			FailNth nth;

			nth.arm(failed * step + 1);
			int error = restore(kfd, nodes, image);
			bool hit = nth.disarm();
			if (!hit)
				CHECK_ERRNO(0, error);
			_exit(failures() ? 1 : hit ? 2 : 0);
		});
		used = code == 2;
		failed += used;
		CHECK(code == 0 || code == 2);
	}
	fmt::print("    {} allocations were made to fail\n", failed);
	CHECK(failed > 10);
}

} // namespace

KFDM_TEST("only who may checkpoints a process, and what is no checkpoint is refused")
{
	saved_waves_or_skip();
	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	Shared<Victim> at;
	Image image;

	{
		Child victim([&] { one_of_each(at); });
		REQUIRE(victim.wait_ready());
		UniqueFd kfd = fd_of(victim.pid(), at->kfd);

		wrong_people(kfd.get(), victim.pid());
		REQUIRE(CHECK_ERRNO(0, process_info(kfd.get(), image)));
		wrong_numbers(kfd.get(), image);
		REQUIRE(CHECK_ERRNO(0, checkpoint(kfd.get(), image)));
		save_contents(image, victim.pid());
		victim.kill();
	}
	process_with_queues(image);
	wrong_devices(image);
	forged(image, 11);
	if (access("/proc/self/fail-nth", F_OK) == 0) {
		Child child([&] { without_memory(image); }); /* who has opened /dev/kfd is not alone */
		CHECK_EQ(child.join(), 0);
	}
	REQUIRE(alone());
	Gpu gpu;
	AqlQueue queue(gpu.device);
	CHECK(works(gpu, queue));
}
