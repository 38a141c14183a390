// SPDX-License-Identifier: MIT
/*
 * many_gpus.cpp - several GPUs in one machine work side by side; runs where the modules were loaded with more than one.
 */
#include <memory>
#include <vector>

#include "gpu.hpp"

using namespace kfdm;
using namespace kfdm::test;

KFDM_TEST("every GPU of the machine runs kernels of one process")
{
	Kfd kfd = Kfd::open();
	Topology topology = Topology::read();
	unsigned count = topology.gpu_count();

	if (count < 2)
		skip("there is one GPU only");
	for (unsigned g = 0; g < count; g++) {
		for (unsigned other = 0; other < g; other++)
			CHECK(topology.gpu(g).gpu_id != topology.gpu(other).gpu_id);
	}
	for (unsigned g = 0; g < count; g++) {
		Device device = Device::open(kfd, topology.gpu(g));
		AqlQueue queue(device);
		Program program = Program::load(device, CodeObject::read(find_device_code("test", device.node().isa())));
		Buffer out = Buffer::vram(device, 4096);
		Launch launch(device, program.kernel("ids"), {.grid = {1000, 1, 1}});

		launch.arg(out);
		launch.run(queue, patience);
		CHECK_EQ(out.as<uint32_t>()[999], 999U * 3 + 7);
	}
}
