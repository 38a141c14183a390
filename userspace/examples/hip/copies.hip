// SPDX-License-Identifier: MIT
//
// Copies in all directions and shapes: pageable, pinned and registered host memory, odd sizes and offsets, pitched, between
// buffers, symbols, sets of all widths.
#include "example.h"

__device__ uint32_t symbol[64];
__global__ void bump_symbol() { symbol[threadIdx.x] += threadIdx.x; }

static std::vector<uint8_t> pattern(size_t size, uint32_t seed)
{
	std::vector<uint8_t> bytes(size);
	Random random(seed);
	for (auto &b : bytes)
		b = uint8_t(random.next() >> 7);
	return bytes;
}

// host -> device -> device -> host, at an offset, with a guard on each side
static void round_trip(Verdict &verdict, size_t size, size_t offset)
{
	auto from = pattern(size, uint32_t(size + offset));
	std::vector<uint8_t> blank(size + 128, 0xa5), want = blank;
	std::copy(from.begin(), from.end(), want.begin() + offset);
	Device<uint8_t> a(blank), b(blank);
	HIP(hipMemcpy(a + offset, from.data(), size, hipMemcpyHostToDevice));
	HIP(hipMemcpy(b + offset, a + offset, size, hipMemcpyDeviceToDevice));
	verdict.equal(b.read(), want, "round trip");
}

static void pinned(Verdict &verdict)
{
	const size_t size = 300001;
	uint8_t *host;
	HIP(hipHostMalloc(&host, size, 0));
	auto from = pattern(size, 1);
	std::memcpy(host, from.data(), size);
	Device<uint8_t> device(size);
	hipStream_t stream;
	HIP(hipStreamCreate(&stream));
	HIP(hipMemcpyAsync(device, host, size, hipMemcpyHostToDevice, stream));
	HIP(hipMemsetAsync(device + 1000, 0x11, 1001, stream));
	HIP(hipStreamSynchronize(stream));
	std::memset(host, 0, size);
	HIP(hipMemcpyAsync(host, device, size, hipMemcpyDeviceToHost, stream));
	HIP(hipStreamSynchronize(stream));
	std::fill(from.begin() + 1000, from.begin() + 2001, 0x11);
	verdict.equal(std::vector<uint8_t>(host, host + size), from, "pinned");
	HIP(hipStreamDestroy(stream));
	HIP(hipHostFree(host));
}

static void registered(Verdict &verdict)
{
	auto host = pattern(70000, 2), want = host;
	HIP(hipHostRegister(host.data(), host.size(), hipHostRegisterDefault));
	uint8_t *seen;
	HIP(hipHostGetDevicePointer(reinterpret_cast<void **>(&seen), host.data(), 0));
	Device<uint8_t> device(host.size());
	HIP(hipMemcpy(device, seen, host.size(), hipMemcpyDeviceToDevice));
	verdict.equal(device.read(), want, "registered");
	HIP(hipHostUnregister(host.data()));
}

static void pitched(Verdict &verdict)
{
	const size_t width = 100, height = 37, host_pitch = 128;
	auto from = pattern(host_pitch * height, 3);
	size_t pitch;
	uint8_t *device;
	HIP(hipMallocPitch(reinterpret_cast<void **>(&device), &pitch, width, height));
	HIP(hipMemcpy2D(device, pitch, from.data(), host_pitch, width, height, hipMemcpyHostToDevice));
	std::vector<uint8_t> to(host_pitch * height, 0);
	HIP(hipMemcpy2D(to.data(), host_pitch, device, pitch, width, height, hipMemcpyDeviceToHost));
	for (size_t y = 0; y < height; y++)
		verdict.expect(!std::memcmp(&to[y * host_pitch], &from[y * host_pitch], width), "pitched row", long(y));
	HIP(hipFree(device));
}

static void sets(Verdict &verdict)
{
	const size_t count = 5003;
	Device<uint32_t> device(count);
	HIP(hipMemset(device, 0x3c, count * 4));
	verdict.equal(device.read(), std::vector<uint32_t>(count, 0x3c3c3c3c), "hipMemset");
	HIP(hipMemsetD16(hipDeviceptr_t(static_cast<uint32_t *>(device)), 0xbeef, count * 2));
	verdict.equal(device.read(), std::vector<uint32_t>(count, 0xbeefbeef), "hipMemsetD16");
	HIP(hipMemsetD32(hipDeviceptr_t(static_cast<uint32_t *>(device)), int(0x89abcdef), count));
	verdict.equal(device.read(), std::vector<uint32_t>(count, 0x89abcdef), "hipMemsetD32");
}

static void symbols(Verdict &verdict)
{
	std::vector<uint32_t> values(64), want(64);
	for (uint32_t i = 0; i < 64; i++)
		values[i] = i * 1000, want[i] = i * 1001;
	HIP(hipMemcpyToSymbol(HIP_SYMBOL(symbol), values.data(), 256));
	bump_symbol<<<1, 64>>>();
	HIP(hipMemcpyFromSymbol(values.data(), HIP_SYMBOL(symbol), 256));
	verdict.equal(values, want, "symbol");
}

int main()
{
	Verdict verdict("copies");
	for (size_t size : {1, 3, 64, 65, 1023, 4097, 65537, 1000003})
		for (size_t offset : {0, 1, 7})
			round_trip(verdict, size, offset);
	pinned(verdict);
	registered(verdict);
	pitched(verdict);
	sets(verdict);
	symbols(verdict);
	return verdict.close();
}
