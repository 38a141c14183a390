// SPDX-License-Identifier: MIT
//
// Code that is loaded at run time: compiled by hipRTC from a string, loaded as a module, launched by name, with a global that
// host and device share; and an error for what is not there.
#include "example.h"
#include <hip/hiprtc.h>

#include <string>

static const char source[] = R"(
extern "C" __device__ int offset = 3;
extern "C" __global__ void scale(const int *in, int *out, int count, int factor)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < count)
		out[i] = in[i] * factor + offset;
}
)";

int main()
{
	Verdict verdict("module");
	hipDeviceProp_t p;
	HIP(hipGetDeviceProperties(&p, 0));
	hiprtcProgram program;
	verdict.expect(hiprtcCreateProgram(&program, source, "scale.hip", 0, nullptr, nullptr) == HIPRTC_SUCCESS, "create");
	std::string arch = std::string("--gpu-architecture=") + p.gcnArchName;
	const char *options[] = {arch.c_str()};
	if (!verdict.expect(hiprtcCompileProgram(program, 1, options) == HIPRTC_SUCCESS, "compile")) {
		size_t size = 0;
		hiprtcGetProgramLogSize(program, &size);
		std::string log(size, 0);
		hiprtcGetProgramLog(program, &log[0]);
		std::printf("%s\n", log.c_str());
		return verdict.close();
	}
	size_t size = 0;
	hiprtcGetCodeSize(program, &size);
	std::vector<char> code(size);
	hiprtcGetCode(program, code.data());
	hiprtcDestroyProgram(&program);

	hipModule_t module;
	HIP(hipModuleLoadData(&module, code.data()));
	hipFunction_t scale, nothing;
	HIP(hipModuleGetFunction(&scale, module, "scale"));
	verdict.expect(hipModuleGetFunction(&nothing, module, "nothing") == hipErrorNotFound, "a kernel that is not there");

	const int count = 1000;
	std::vector<int> in(count), want(count);
	for (int i = 0; i < count; i++)
		in[i] = i, want[i] = i * 7 + 11;
	hipDeviceptr_t offset;
	size_t bytes;
	HIP(hipModuleGetGlobal(&offset, &bytes, module, "offset"));
	verdict.expect(bytes == 4, "size of the global");
	int eleven = 11;
	HIP(hipMemcpyHtoD(offset, &eleven, 4));
	Device<int> input(in), output(count);
	struct {
		int *in, *out;
		int count, factor;
	} arguments = {input, output, count, 7};
	size_t argument_bytes = sizeof(arguments);
	void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &arguments, HIP_LAUNCH_PARAM_BUFFER_SIZE, &argument_bytes, HIP_LAUNCH_PARAM_END};
	HIP(hipModuleLaunchKernel(scale, 8, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra));
	verdict.equal(output.read(), want, "scaled");
	HIP(hipModuleUnload(module));
	return verdict.close();
}
