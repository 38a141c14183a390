/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * DOC: The rows of the chips
 *
 * Read by the chip table of each driver (kfd_abi_6_1.c, kfd_abi_7_2.c), which first says what the generations' names mean to it: their
 * descriptors, packets, registers, interrupt entries and trap handlers. The facts in a row itself belong to the chip, and hold for every
 * driver.
 */
	{
		GFX7_APU, .name = "kaveri", .gfx_target_version = 70000,
		.caches = &kfdm_caches_kaveri,
		.needs_atomics = true,
	},
	{
		GFX7_DGPU, .name = "hawaii", .gfx_target_version = 70001,
		.caches = &kfdm_caches_kaveri,
		.experimental = true, .no_hws = true, .faults_lack_owner = true,
		.driver_flushes_tc = true, .no_atomic_requests = true,
	},
	{
		GFX8_APU, .name = "carrizo", .gfx_target_version = 80001,
		.trap_handler = &gfx8_handler, .doorbell_type = DOORBELL_1_0,
	},
	{
		GFX8_DGPU, .name = "tonga", .gfx_target_version = 80002,
		.doorbell_type = DOORBELL_PRE_1_0, .no_hws = true, .aql_double_map = true,
	},
	{
		GFX8_DGPU, .name = "fiji", .gfx_target_version = 80003,
		.trap_handler = &gfx8_handler, .doorbell_type = DOORBELL_1_0, .virtual_function = true,
	},
	{
		GFX8_DGPU, .name = "polaris10", .gfx_target_version = 80003,
		.trap_handler = &gfx8_handler, .doorbell_type = DOORBELL_1_0, .virtual_function = true,
	},
	{
		GFX8_DGPU, .name = "polaris11", .gfx_target_version = 80003,
		.trap_handler = &gfx8_handler, .doorbell_type = DOORBELL_1_0,
	},
	{
		GFX8_DGPU, .name = "polaris12", .gfx_target_version = 80003,
		.trap_handler = &gfx8_handler, .doorbell_type = DOORBELL_1_0,
	},
	{
		GFX8_DGPU, .name = "vegam", .gfx_target_version = 80003,
		.trap_handler = &gfx8_handler, .doorbell_type = DOORBELL_1_0,
	},
	{
		GFX9, .name = "vega10", .gc_version = 0x090001, .gfx_target_version = 90000,
		.eop_id_mec_fw = 0x817a, .flush_unmap_sdma_fw = KFDM_NO_FIRMWARE, .debug.mec_fw = 459 + 32768, .no_ras_events = true,
		.caches = &kfdm_caches_vega10,
		.virtual_function = true,
	},
	{
		GFX9_APU, .name = "raven", .gc_version = 0x090100, .gfx_target_version = 90002,
		.eop_id_mec_fw = 0x017a, .flush_unmap_sdma_fw = KFDM_NO_FIRMWARE, .debug.mec_fw = 459,
		.caches = &kfdm_caches_raven,
	},
	{
		GFX9_APU, .name = "raven", .gc_version = 0x090202, .gfx_target_version = 90002,
		.eop_id_mec_fw = 0x017a, .flush_unmap_sdma_fw = KFDM_NO_FIRMWARE, .debug.mec_fw = 459,
		.caches = &kfdm_caches_raven,
	},
	{
		GFX9, .name = "vega12", .gc_version = 0x090201, .gfx_target_version = 90004,
		.eop_id_mec_fw = 0x017a, .flush_unmap_sdma_fw = KFDM_NO_FIRMWARE, .debug.mec_fw = 459,
		.caches = &kfdm_caches_vega12,
	},
	{
		GFX9, .name = "renoir", .gc_version = 0x090300, .gfx_target_version = 90012,
		.eop_id_mec_fw = 0x017a, .flush_unmap_sdma_fw = KFDM_NO_FIRMWARE, .debug.mec_fw = 459,
		.caches = &kfdm_caches_renoir,
	},
	{
		GFX9, .name = "vega20", .gc_version = 0x090400, .gfx_target_version = 90006,
		.eop_id_mec_fw = 0x017a, .debug.mec_fw = 459, .xgmi_incoherent = true, .xgmi_mbs = XGMI_MBS,
		.caches = &kfdm_caches_vega20,
	},
	{
		ARCTURUS, .name = "arcturus", .gc_version = 0x090401, .gfx_target_version = 90008,
		.flush_unmap_sdma_fw = 18, .debug.mec_fw = 60, .waits_by_iq_timer = true, .xgmi_mbs = XGMI_MBS,
		.caches = &kfdm_caches_vega20,
		.virtual_function = true,
	},
	{
		ALDEBARAN, .name = "aldebaran", .gc_version = 0x090402, .gfx_target_version = 90010,
		.debug.mec_fw = 51, .waits_by_iq_timer = true, .xgmi_mbs = 16 * 25000 / 8,	/* 16 lanes at 25 Gbit/s */
		.debug.by_vmid = true, .debug.precise_memory = true, .debug.no_dispatch_info = true,
		.caches = &kfdm_caches_aldebaran,
		.virtual_function = true,
	},
	{
		NAVI1, .name = "navi10", .gc_version = 0x0a010a, .gfx_target_version = 100100,
		.debug.mec_fw = 144,
		.caches = &kfdm_caches_navi10,
	},
	{
		NAVI1, .name = "navi12", .gc_version = 0x0a0102, .gfx_target_version = 100101,
		.debug.mec_fw = 144,
		.caches = &kfdm_caches_navi10,
		.virtual_function = true,
	},
	{
		NAVI1, .name = "navi14", .gc_version = 0x0a0101, .gfx_target_version = 100102,
		.debug.mec_fw = 144,
		.caches = &kfdm_caches_navi14,
	},
	{
		NAVI1, .name = "cyan_skillfish", .gc_version = 0x0a0103, .gfx_target_version = 100103,
		.debug.mec_fw = KFDM_NO_FIRMWARE,
		.caches = &kfdm_caches_navi10,
	},
	{
		NAVI1, .name = "cyan_skillfish", .gc_version = 0x0a0104, .gfx_target_version = 100103,
		.caches = &kfdm_caches_navi10,
	},
	{
		NAVI2, .name = "sienna_cichlid", .gc_version = 0x0a0300, .gfx_target_version = 100300,
		.debug.mec_fw = 89,
		.caches = &kfdm_caches_sienna_cichlid,
		.virtual_function = true,
	},
	{
		NAVI2, .name = "navy_flounder", .gc_version = 0x0a0302, .gfx_target_version = 100301,
		.debug.mec_fw = 89,
		.caches = &kfdm_caches_navy_flounder,
		.virtual_function = true,
	},
	{
		NAVI2, .name = "vangogh", .gc_version = 0x0a0301, .gfx_target_version = 100303,
		.debug.mec_fw = 89,
		.caches = &kfdm_caches_vangogh,
	},
	{
		NAVI2, .name = "dimgrey_cavefish", .gc_version = 0x0a0304, .gfx_target_version = 100302,
		.debug.mec_fw = 89,
		.caches = &kfdm_caches_dimgrey_cavefish,
		.virtual_function = true,
	},
	{
		NAVI2, .name = "beige_goby", .gc_version = 0x0a0305, .gfx_target_version = 100304,
		.debug.mec_fw = 89,
		.caches = &kfdm_caches_beige_goby,
		.virtual_function = true,
	},
	{
		NAVI2, .name = "yellow_carp", .gc_version = 0x0a0303, .gfx_target_version = 100305,
		.debug.mec_fw = KFDM_NO_FIRMWARE,
		.caches = &kfdm_caches_yellow_carp,
	},
	{
		NAVI2_BASE, .name = "ip discovery", .gc_version = 0x0a0306, .gfx_target_version = 100306,
		.caches = &kfdm_caches_gc_10_3_6,
		.no_atomics_fw = 14,
	},
	{
		NAVI2_BASE, .name = "ip discovery", .gc_version = 0x0a0307, .gfx_target_version = 100306,
		.caches = &kfdm_caches_gc_10_3_7,
		.no_atomics_fw = 3,
	},
	{
		GFX11, .name = "ip discovery", .gc_version = 0x0b0000, .gfx_target_version = 110000,
	},
	{
		GFX11, .name = "ip discovery", .gc_version = 0x0b0001, .gfx_target_version = 110003,
	},
	{
		GFX11, .name = "ip discovery", .gc_version = 0x0b0002, .gfx_target_version = 110002,
	},
	{
		GFX11, .name = "ip discovery", .gc_version = 0x0b0003, .gfx_target_version = 110001,
	},
	{
		GFX11, .name = "ip discovery", .gc_version = 0x0b0004, .gfx_target_version = 110003,
	},
