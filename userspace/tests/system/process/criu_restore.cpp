// SPDX-License-Identifier: MIT
/*
 * criu_restore.cpp - a process that works on the GPU is checkpointed from outside and killed, and another one takes its place: kernels and
 * packets go on where they were, with the same queues, doorbells, events and memory.
 */
#include <malloc.h>

#include "criu.hpp"
#include "svm.hpp"
#include "users.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint32_t items = 256, rounds = 20000;

/* Where things are in the process, which the one that takes its place must know. */
struct Places {
	int kfd, queues, events;
	bool has_svm, doubled_ring;
	uint32_t *stop, *spun, *out, *counter, *flag, *user, *shared;
	uint64_t *gate, *done, *read_pointer, *write_pointer;
	uint8_t *ring;
	uint64_t packets, doorbell, doorbell_bytes, doorbell_slice;
	uint32_t queue, signaled, silent, faults;
};

/* With its pointers, for one who writes packets without the class. */
struct OpenQueue : AqlQueue {
	using AqlQueue::AqlQueue;
	using Queue::read_pointer;
	using Queue::write_pointer;
};

uint64_t *value_of(const Signal &signal) { return reinterpret_cast<uint64_t *>(signal.handle() + 8); }

bool share(Gpu &gpu, uint32_t *memory)
{
	kfd_ioctl_set_xnack_mode_args mode = {-1};

	if (call(gpu.fd(), AMDKFD_IOC_SET_XNACK_MODE, mode))
		return false;
	return !svm_set(gpu.fd(), memory, 2 * page,
			{{KFD_IOCTL_SVM_ATTR_ACCESS, gpu.id()}, {KFD_IOCTL_SVM_ATTR_GRANULARITY, 5}, {KFD_IOCTL_SVM_ATTR_CLR_FLAGS, 2}});
}

/* A kernel that waits, one that calculates, a packet that waits, one behind it; an SDMA queue that waits. */
void work(Shared<Places> &at)
{
	Gpu gpu;
	Program program = gpu.program();
	OpenQueue queue(gpu.device, {.ring_bytes = 4096});
	SdmaQueue sdma(gpu.device);
	Buffer flags = Buffer::gtt(gpu.device, page, memory_coherent), out = Buffer::vram(gpu.device, items * 4);
	Buffer user = Buffer::anonymous(gpu.device, page);
	Signal gate = Signal::polled(gpu.device), done = Signal::with_event(gpu.device);
	Event signaled = Event::signal(gpu.device, false), silent = Event::signal(gpu.device), faults = Event::memory(gpu.device);
	Launch spin(gpu.device, program.kernel("spin"), {.grid = {128, 1, 1}}),
		busy(gpu.device, program.kernel("work"), {.grid = {items, 1, 1}});
	Launch count(gpu.device, program.kernel("count"), {.grid = {items, 1, 1}});
	uint32_t *flag = flags.as<uint32_t>().data(), *shared = anonymous(2);
	const Signal *gates[] = {&gate};

	at->has_svm = share(gpu, shared);
	spin.arg(flags.gpu()).arg(flags.gpu() + 4).submit(queue);
	busy.arg(out).arg(rounds).submit(queue);
	queue.submit(barrier_and(gates, nullptr));
	count.arg(flags.gpu() + 8).submit(queue, {.barrier = true});
	queue.submit(barrier_and({}, &done, {.barrier = true}));

	const uint32_t one = 1, two = 2;
	SdmaStream stream = sdma.stream();
	stream.poll(flags.gpu() + 12, PM4_EQUAL, 1).write(user.gpu() + 64, std::span(&one, 1));
	if (at->has_svm)
		stream.write(address(shared) + page + 8, std::span(&two, 1));
	sdma.submit(stream.fence(flags.gpu() + 16, 5));

	flag[5] = 0x600d;
	user.as<uint32_t>()[1] = 0x1234;
	shared[1] = 0x5678;
	signaled.set();
	usleep(50'000); /* the waves are on the chip by now */

	at->kfd = gpu.fd();
	at->doubled_ring = gpu.device.doubles_aql_rings();
	at->stop = flag;
	at->spun = flag + 1;
	at->counter = flag + 2;
	at->flag = flag + 3;
	at->out = out.as<uint32_t>().data();
	at->user = user.as<uint32_t>().data();
	at->shared = shared;
	at->gate = value_of(gate);
	at->done = value_of(done);
	at->read_pointer = queue.read_pointer();
	at->write_pointer = queue.write_pointer();
	at->ring = static_cast<uint8_t *>(queue.ring().data());
	at->packets = queue.capacity();
	at->queue = queue.id();
	at->doorbell = queue.doorbell_offset();
	at->doorbell_bytes = gpu.device.doorbell_bytes();
	at->doorbell_slice = gpu.device.doorbell_slice();
	at->signaled = signaled.id();
	at->silent = silent.id();
	at->faults = faults.id();
	Child::ready();
	for (;;)
		pause();
}

uint32_t generated(uint32_t x)
{
	for (uint32_t k = 0; k < rounds; k++)
		x = x * 1664525 + 1013904223;
	return x;
}

/* A packet that was taken once more; the packet processor has made its header invalid. */
void again(const Places &at, uint64_t index, aql_type type)
{
	uint8_t *to = at.ring + *at.write_pointer % at.packets * AQL_PACKET_BYTES;
	const uint16_t header = AqlHeader{.barrier = true}.encode(type);

	std::memcpy(to, at.ring + index % at.packets * AQL_PACKET_BYTES, AQL_PACKET_BYTES);
	std::memcpy(to, &header, sizeof(header));
	++*at.write_pointer;
}

/* The last packet but one, which counts, once more: through the doorbell that the queue has always had. */
void ring_again(int kfd, const Places &at, uint64_t gpu_id)
{
	const uint64_t offset = (at.doorbell & ~(uint64_t{0xffff} << 46)) | gpu_id << 46;
	off_t first = static_cast<off_t>(offset & ~(at.doorbell_slice - 1));
	void *page_of = mmap(nullptr, at.doorbell_slice, PROT_READ | PROT_WRITE, MAP_SHARED, kfd, first);
	auto *write_pointer = reinterpret_cast<volatile uint64_t *>(at.write_pointer);
	uint64_t index = *write_pointer;

	REQUIRE(page_of != MAP_FAILED);
	*at.done = 1;
	again(at, index - 2, AQL_KERNEL_DISPATCH);
	again(at, index - 1, AQL_BARRIER_AND);
	std::atomic_thread_fence(std::memory_order_seq_cst);
	uint8_t *doorbell = static_cast<uint8_t *>(page_of) + (at.doorbell & (at.doorbell_slice - 1));
	if (at.doorbell_bytes == 4)
		*reinterpret_cast<volatile uint32_t *>(doorbell) = static_cast<uint32_t>(*write_pointer - 1);
	else
		*reinterpret_cast<volatile uint64_t *>(doorbell) = *write_pointer - 1;
}

/* Return: has the event happened within no time? */
bool happened(int kfd, uint32_t id)
{
	kfd_event_data event = {};
	kfd_ioctl_wait_events_args args = {};

	event.event_id = id;
	args.events_ptr = reinterpret_cast<uint64_t>(&event);
	args.num_events = 1;
	CHECK_ERRNO(0, call(kfd, AMDKFD_IOC_WAIT_EVENTS, args));
	return args.wait_result == KFD_IOC_WAIT_RESULT_COMPLETE;
}

void events_are_back(int kfd, const Places &at)
{
	kfd_ioctl_set_event_args set = {at.silent, 0};

	CHECK(happened(kfd, at.signaled));
	CHECK(!happened(kfd, at.silent));
	CHECK(!happened(kfd, at.faults));
	CHECK_ERRNO(0, call(kfd, AMDKFD_IOC_SET_EVENT, set));
	CHECK(happened(kfd, at.silent));
}

void shared_memory_is_back(int kfd, const Places &at, uint32_t gpu_id)
{
	SvmFacts facts = svm_get(kfd, at.shared, 2 * page, gpu_id);

	CHECK_ERRNO(0, facts.error);
	CHECK_EQ(facts.access, static_cast<uint32_t>(KFD_IOCTL_SVM_ATTR_ACCESS));
	CHECK_EQ(facts.granularity, 5U);
	CHECK_EQ(facts.flags, 1U);
	CHECK_EQ(nth(at.shared, 1)[2], 2U);
	CHECK_EQ(at.shared[1], 0x5678U);
}

/* Where there are two GPUs, the process comes back on the other one, which it knows by the name of the first. */
void exchange_devices(Image &image)
{
	if (image.devices.size() == 2)
		std::swap(image.devices[0].actual_gpu_id, image.devices[1].actual_gpu_id);
}

/* What takes its place: until it is told that its queues run, nothing happens; then everything does. */
void take_place(Shared<Places> &at, Image &image, volatile int &resumed)
{
	int kfd = ::open(Kfd::path, O_RDWR | O_CLOEXEC);

	REQUIRE(kfd >= 0);
	exchange_devices(image);
	const std::vector<UniqueFd> nodes = render_nodes(image);
	if (at->has_svm) {
		map_at(address(at->shared), 2 * page, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		at->shared[1] = 0x5678;
	}
	REQUIRE(CHECK_ERRNO(0, restore(kfd, nodes, image)));
	restore_contents(image, nodes);
	CHECK_EQ(at->stop[5], 0x600dU);
	*at->stop = 1;
	*at->flag = 1;
	*at->gate = 0;
	usleep(100'000);
	CHECK_EQ(*at->spun, 0U);
	Child::ready();
	REQUIRE(eventually([&] { return resumed != 0; }));

	auto *done = reinterpret_cast<volatile uint64_t *>(at->done);
	REQUIRE(eventually([&] { return *done == 0; }));
	CHECK_EQ(*at->spun, 1U);
	CHECK_EQ(*at->counter, items);
	uint64_t wrong = 0;
	for (uint32_t i = 0; i < items; i++)
		wrong += at->out[i] != generated(i);
	CHECK_EQ(wrong, 0U);
	CHECK(eventually([&] { return reinterpret_cast<volatile uint32_t *>(at->stop)[4] == 5; }));
	CHECK_EQ(at->user[1], 0x1234U);
	CHECK_EQ(at->user[16], 1U);
	if (at->has_svm)
		shared_memory_is_back(kfd, *at, image.devices[0].user_gpu_id);
	ring_again(kfd, *at, image.devices[0].actual_gpu_id);
	CHECK(eventually([&] { return *done == 0; }));
	CHECK_EQ(*at->counter, 2 * items);
	events_are_back(kfd, *at);

	kfd_ioctl_destroy_queue_args destroy = {at->queue, 0};
	CHECK_ERRNO(0, call(kfd, AMDKFD_IOC_DESTROY_QUEUE, destroy));
	CHECK_ERRNO(EINVAL, call(kfd, AMDKFD_IOC_DESTROY_QUEUE, destroy));
}

} // namespace

KFDM_TEST("a process that is restored from a checkpoint goes on where it was")
{
	saved_waves_or_skip();
	mallopt(M_MMAP_THRESHOLD, 1 << 30); /* addresses of mappings are the child's */
	Shared<Places> at;
	Shared<int> resumed;
	Image image;

	{
		Child original([&] { work(at); });
		REQUIRE(original.wait_ready());
		trace(original.pid());
		UniqueFd kfd = fd_of(original.pid(), at->kfd);

		/* Let go and stopped again: nothing is lost. */
		REQUIRE(CHECK_ERRNO(0, process_info(kfd.get(), image)));
		CHECK_EQ(image.pid, static_cast<uint32_t>(original.pid()));
		CHECK_ERRNO(0, criu_op(kfd.get(), KFD_CRIU_OP_UNPAUSE));
		CHECK_ERRNO(EINVAL, criu_op(kfd.get(), KFD_CRIU_OP_UNPAUSE));
		CHECK_ERRNO(EINVAL, checkpoint(kfd.get(), image));
		REQUIRE(CHECK_ERRNO(0, process_info(kfd.get(), image)));
		REQUIRE(CHECK_ERRNO(0, process_info(kfd.get(), image)));
		REQUIRE(CHECK_ERRNO(0, checkpoint(kfd.get(), image)));
		save_contents(image, original.pid());
		original.kill();
	}
	Child heir([&] { take_place(at, image, *resumed); });
	REQUIRE(heir.wait_ready());

	Kfd kfd = Kfd::open();
	CHECK_ERRNO(ESRCH, criu_op(kfd.fd(), KFD_CRIU_OP_RESUME, 0x7fff'0000));
	CHECK_ERRNO(EINVAL, criu_op(kfd.fd(), KFD_CRIU_OP_RESUME, static_cast<uint32_t>(getpid())));
	CHECK_ERRNO(0, criu_op(kfd.fd(), KFD_CRIU_OP_RESUME, static_cast<uint32_t>(heir.pid())));
	CHECK_ERRNO(EINVAL, criu_op(kfd.fd(), KFD_CRIU_OP_RESUME, static_cast<uint32_t>(heir.pid())));
	*resumed = 1;
	CHECK_EQ(heir.join(), 0);
}
