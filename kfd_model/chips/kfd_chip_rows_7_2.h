/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * DOC: The rows of chips that Linux 6.1 does not know
 *
 * Read by kfd_abi_7_2.c. They are the driver's knowledge alone: no silicon of these chips is modelled, so that amdgpu_model has no product
 * with one of these graphics versions, and none is ever probed.
 */
	{
		DIES, .name = "ip discovery", .gc_version = 0x090403, .gfx_target_version = 90402,
		.trap_handler = &gfx9_4_3_handler, .asic = &kfdm_asic_v9_4_3_7_2,
		.mode2_pmfw = 0x00557300, .waves_of_apu_wait = true, .cpu_in_package = true,
		.xgmi_mbs = XGMI_MBS_MI300,
		.debug.watch_mask_low = 7, .debug.watch_mask_high = 30,
	},
	{
		DIES, .name = "ip discovery", .gc_version = 0x090404, .gfx_target_version = 90402,
		.trap_handler = &gfx9_4_3_handler, .asic = &kfdm_asic_v9_4_3_7_2,
		.mode2_pmfw = 0x05550c00,
		.xgmi_mbs = XGMI_MBS_MI300,
		.debug.watch_mask_low = 7, .debug.watch_mask_high = 30,
	},
	{
		DIES, .name = "ip discovery", .gc_version = 0x090500, .gfx_target_version = 90500,
		.trap_handler = &gfx9_5_0_handler, .asic = &kfdm_asic_v9_5_0_7_2,
		.xgmi_mbs = XGMI_MBS_MI300,
		.debug.watch_mask_low = 6, .debug.watch_mask_high = 29,
	},
	{
		GFX11, .name = "ip discovery", .gc_version = 0x0b0500, .gfx_target_version = 110500,
	},
	{
		GFX11, .name = "ip discovery", .gc_version = 0x0b0501, .gfx_target_version = 110501,
	},
	{
		GFX11, .name = "ip discovery", .gc_version = 0x0b0502, .gfx_target_version = 110502,
	},
	{
		GFX11, .name = "ip discovery", .gc_version = 0x0b0503, .gfx_target_version = 110503,
	},
	{
		GFX11, .name = "ip discovery", .gc_version = 0x0b0504, .gfx_target_version = 110504,
	},
	{
		GFX11, .name = "ip discovery", .gc_version = 0x0b0506, .gfx_target_version = 110504,
	},
	{
		GFX11, .name = "ip discovery", .gc_version = 0x0b0700, .gfx_target_version = 110700,
	},
	{
		GFX11, .name = "ip discovery", .gc_version = 0x0b0701, .gfx_target_version = 110701,
	},
	{
		GFX12_0, .name = "ip discovery", .gc_version = 0x0c0000, .gfx_target_version = 120000,
	},
	{
		GFX12_0, .name = "ip discovery", .gc_version = 0x0c0001, .gfx_target_version = 120001,
	},
	{
		GFX12_1, .name = "ip discovery", .gc_version = 0x0c0100, .gfx_target_version = 120500,
	},
