// SPDX-License-Identifier: MIT
//
// metadata.h - for assembly: what the metadata of a code object says of a kernel without LDS and scratch (LLVM's AMDGPU usage document).
//
//	KERNEL_METADATA(name, VGPRs, SGPRs, work-items of the largest workgroup, bytes of the arguments, [arguments])
//
// One line each between `amdhsa.kernels:` and the metadata's end.
#define KERNEL_METADATA(kernel, vgprs, sgprs, workgroup, kernarg_bytes, ...) \
  - {.name: kernel, .symbol: kernel.kd, __VA_ARGS__ .kernarg_segment_size: kernarg_bytes, .kernarg_segment_align: 8, \
     .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: sgprs, .vgpr_count: vgprs, \
     .max_flat_workgroup_size: workgroup}

// Arguments { void *, u32 }
#define POINTER_AND_NUMBER \
  .args: [{.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}, {.size: 4, .offset: 8, .value_kind: by_value}],
