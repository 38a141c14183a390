/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * DOC: The rows of chips that Linux 6.1 does not know
 *
 * Read by kfd_abi_7_2.c. The driver's half of these chips is complete as far as it can be judged without one: no silicon of theirs is
 * modelled, so that amdgpu_model has no product with these graphics versions, and none is ever probed.
 */
	{
		DIES, .name = "ip discovery", .gc_version = 0x090403, .gfx_target_version = 90402,
		.trap_handler = &gfx9_4_3_handler, .asic = &kfdm_asic_v9_4_3_7_2,
		.mode2_pmfw = 0x00557300, .waves_of_apu_wait = true, .cpu_in_package = true,
		.debug.watch_mask_low = 7, .debug.watch_mask_high = 30,
	},
	{
		DIES, .name = "ip discovery", .gc_version = 0x090404, .gfx_target_version = 90402,
		.trap_handler = &gfx9_4_3_handler, .asic = &kfdm_asic_v9_4_3_7_2,
		.mode2_pmfw = 0x05550c00,
		.debug.watch_mask_low = 7, .debug.watch_mask_high = 30,
	},
	{
		DIES, .name = "ip discovery", .gc_version = 0x090500, .gfx_target_version = 90500,
		.trap_handler = &gfx9_5_0_handler, .asic = &kfdm_asic_v9_5_0_7_2,
		.debug.watch_mask_low = 6, .debug.watch_mask_high = 29,
	},
