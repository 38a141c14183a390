// SPDX-License-Identifier: MIT
//
// What HIP says about the device is what the driver's topology says.
#include "example.h"

#include <fstream>
#include <map>
#include <string>

static std::map<std::string, uint64_t> properties(const std::string &path)
{
	std::map<std::string, uint64_t> all;
	std::ifstream file(path);
	std::string name;
	for (uint64_t value; file >> name >> value;)
		all[name] = value;
	return all;
}

int main()
{
	Verdict verdict("device");
	const std::string nodes = "/sys/devices/virtual/kfd/kfd/topology/nodes/";
	int count = 0;
	HIP(hipGetDeviceCount(&count));
	int node = 0, device = 0;
	for (;; node++) {
		auto truth = properties(nodes + std::to_string(node) + "/properties");
		if (truth.empty())
			break;
		if (!truth["simd_count"])
			continue;
		if (!verdict.expect(device < count, "HIP lists every GPU", node))
			break;
		hipDeviceProp_t p;
		HIP(hipGetDeviceProperties(&p, device));
		auto bank = properties(nodes + std::to_string(node) + "/mem_banks/0/properties");
		uint64_t version = truth["gfx_target_version"];
		char arch[16];
		std::snprintf(arch, sizeof(arch), "gfx%d%x%x", int(version / 10000), int(version / 100 % 100), int(version % 100));
		std::printf("%d: %s, %s, %d CUs, %zu MiB, %d kHz, PCI %02x:%02x\n", device, p.name, p.gcnArchName,
			    p.multiProcessorCount, p.totalGlobalMem >> 20, p.clockRate, p.pciBusID, p.pciDeviceID);
		verdict.expect(!std::strncmp(p.gcnArchName, arch, std::strlen(arch)), "architecture");
		uint64_t cus = truth["simd_count"] / truth["simd_per_cu"];
		verdict.expect(uint64_t(p.multiProcessorCount) == cus || uint64_t(p.multiProcessorCount) * 2 == cus, "compute units (or WGPs)");
		verdict.expect(p.totalGlobalMem == bank["size_in_bytes"], "memory");
		verdict.expect(uint64_t(p.clockRate) == truth["max_engine_clk_fcompute"] * 1000, "clock");
		verdict.expect(p.sharedMemPerBlock == truth["lds_size_in_kb"] * 1024, "LDS");
		verdict.expect(uint64_t(p.memoryClockRate) == bank["mem_clk_max"] * 1000, "memory clock");
		verdict.expect(uint64_t(p.memoryBusWidth) == bank["width"], "memory bus");
		verdict.expect(uint64_t(p.warpSize) == truth["wave_front_size"], "wave size");
		verdict.expect(uint64_t(p.pciBusID) == (truth["location_id"] >> 8 & 0xff), "PCI bus");
		verdict.expect(uint64_t(p.pciDeviceID) == (truth["location_id"] >> 3 & 0x1f), "PCI device");
		verdict.expect(p.name[0] != 0, "name");
		size_t free = 0, total = 0;
		HIP(hipSetDevice(device));
		HIP(hipMemGetInfo(&free, &total));
		verdict.expect(total == p.totalGlobalMem && free <= total && free > total / 2, "hipMemGetInfo");
		device++;
	}
	verdict.expect(device == count && count > 0, "as many devices as the topology has GPUs");
	return verdict.close();
}
