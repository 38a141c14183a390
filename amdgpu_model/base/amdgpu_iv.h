/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_iv.h - an interrupt as the trace event amdgpu_iv has it.
 */
#ifndef AMDGPU_IV_H
#define AMDGPU_IV_H

#include <linux/types.h>

/**
 * struct amdm_iv - an interrupt (Linux: struct amdgpu_iv_entry); what a generation does not tell is 0
 * @client_id, @src_id: enum ih_client, enum ih_source
 * @ring_id:       of the client
 * @vmid, @vmid_src: address space; 1: of the MMHUB
 * @timestamp, @timestamp_src: of the chip's clock
 * @pasid:         process
 * @src_data:      by source
 */
struct amdm_iv {
	u32 client_id, src_id, ring_id;
	u32 vmid, vmid_src;
	u64 timestamp;
	u32 timestamp_src;
	u32 pasid;
	u32 src_data[4];
};

#endif
