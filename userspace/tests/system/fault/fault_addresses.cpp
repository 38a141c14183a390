// SPDX-License-Identifier: MIT
/*
 * fault_addresses.cpp - queues whose ring, pointers or buffers are not there, or are hostile. CREATE_QUEUE of Linux 6.1 looks
 * at none of these; it is the hardware that meets them.
 */
#include "gpu.hpp"
#include "process.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

constexpr uint64_t nowhere = 0x6666'0000'0000;
using Args = kfd_ioctl_create_queue_args;

struct Row {
	const char *what;
	uint32_t type;
	void (*spoil)(Args &args);
};

const Row rows[] = {
	{"AQL ring", KFD_IOC_QUEUE_TYPE_COMPUTE_AQL, [](Args &a) { a.ring_base_address = nowhere; }},
	{"AQL read pointer", KFD_IOC_QUEUE_TYPE_COMPUTE_AQL, [](Args &a) { a.read_pointer_address = nowhere + 0x80; }},
	{"AQL write pointer", KFD_IOC_QUEUE_TYPE_COMPUTE_AQL, [](Args &a) { a.write_pointer_address = nowhere; }},
	{"null pointers", KFD_IOC_QUEUE_TYPE_COMPUTE_AQL, [](Args &a) { a.read_pointer_address = a.write_pointer_address = 0; }},
	{"end-of-pipe buffer", KFD_IOC_QUEUE_TYPE_COMPUTE_AQL, [](Args &a) { a.eop_buffer_address = nowhere; }},
	{"end-of-pipe size", KFD_IOC_QUEUE_TYPE_COMPUTE_AQL, [](Args &a) { a.eop_buffer_size = 0; }},
	{"save area", KFD_IOC_QUEUE_TYPE_COMPUTE_AQL, [](Args &a) { a.ctx_save_restore_address = nowhere; }},
	{"save area sizes", KFD_IOC_QUEUE_TYPE_COMPUTE_AQL, [](Args &a) { a.ctx_save_restore_size = a.ctl_stack_size = 0xffffffff; }},
	{"misaligned pointers", KFD_IOC_QUEUE_TYPE_COMPUTE_AQL,
	 [](Args &a) {
		 a.read_pointer_address += 3;
		 a.write_pointer_address += 1;
	 }},
	{"PM4 ring", KFD_IOC_QUEUE_TYPE_COMPUTE, [](Args &a) { a.ring_base_address = nowhere; }},
	{"PM4 write pointer", KFD_IOC_QUEUE_TYPE_COMPUTE, [](Args &a) { a.write_pointer_address = nowhere; }},
	{"SDMA ring", KFD_IOC_QUEUE_TYPE_SDMA, [](Args &a) { a.ring_base_address = nowhere; }},
	{"SDMA pointers", KFD_IOC_QUEUE_TYPE_SDMA,
	 [](Args &a) {
		 a.read_pointer_address = nowhere;
		 a.write_pointer_address = nowhere + 8;
	 }},
};

void hostile(const Row &row)
{
	Gpu gpu;
	RawQueue queue(gpu, row.type);

	row.spoil(queue.args);
	int error = queue.create();
	if (error)
		return; /* refused: fine */
	for (uint64_t value : {uint64_t{0}, uint64_t{8}, uint64_t{64}, uint64_t{1} << 40, ~uint64_t{0}}) {
		queue.pointers.as<volatile uint64_t>()[0x38 / 8] = value;
		*gpu.device.doorbell(queue.args.doorbell_offset) = value;
		usleep(10'000);
	}
	error = queue.destroy();
	if (!CHECK(error == 0 || error == ETIME))
		fmt::print("  {}: {}\n", row.what, errno_name(error));
}

} // namespace

KFDM_TEST("queues made of bad addresses harm only their own process")
{
	Gpu gpu;
	AqlQueue bystander(gpu.device);

	for (const Row &row : rows) {
		Child child([&] { hostile(row); });

		if (!CHECK_EQ(child.join(), 0) || !CHECK(works(gpu, bystander, 200)))
			fmt::print("  with a bad {}\n", row.what);
	}
}
