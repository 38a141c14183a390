// SPDX-License-Identifier: MIT
/*
 * sysfs_files.cpp - which files a GPU has, their modes and forms, and what they say to wrong values: Linux 6.1's, chip by chip.
 */
#include <cstring>
#include <filesystem>
#include <regex>

#include "drm_gpus.hpp"
#include "gpu.hpp"
#include "gpu_files.hpp"

using namespace kfdm;
using namespace kfdm::test;

namespace {

/* What differs (amdgpu_pm.c default_attr_update(), get_gpu_metrics of powerplay and swsmu). */
struct ChipFiles {
	uint32_t device;
	bool memory_load, unique_id, writes_mclk;
	int metrics; /* bytes of gpu_metrics, 0: no such file */
	int revision;
};

constexpr ChipFiles chips[] = {
	{0x67b0, true, false, true, 0, 0},   {0x6938, true, false, true, 0, 0},	  {0x7300, true, false, true, 0, 0},
	{0x67df, true, false, true, 0, 0},   {0x687f, false, true, true, 0, 0},	  {0x69af, true, false, true, 80, 0},
	{0x66af, true, true, true, 80, 0},   {0x66a1, true, true, true, 80, 0},	  {0x66a0, true, true, true, 80, 0},
	{0x738c, true, true, false, 120, 3}, {0x740f, true, true, false, 120, 3}, {0x731f, true, false, true, 120, 3},
	{0x7340, true, false, true, 120, 3}, {0x73bf, true, true, true, 120, 3},  {0x744c, true, true, true, 120, 3},
};

int read_errno(const std::string &path)
{
	const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
	char byte = 0;

	return fd && ::read(fd.get(), &byte, 1) >= 0 ? 0 : errno;
}

/* mode 0: there is no such file */
void check_file(const std::string &path, unsigned mode, const std::string &form)
{
	struct stat st = {};

	if (!mode) {
		CHECK_ERRNO(ENOENT, ::stat(path.c_str(), &st) ? errno : 0);
		return;
	}
	if (!CHECK_ERRNO(0, ::stat(path.c_str(), &st) ? errno : 0)) {
		fmt::print("{}\n", path);
		return;
	}
	CHECK_EQ(st.st_mode & 07777, mode);
	const std::string text = read_file(path);
	if (!std::regex_match(text, std::regex(form)))
		fail(__FILE__, __LINE__, fmt::format("{} has '{}', not {}", path, text, form));
}

void check_firmware(const std::string &dir)
{
	constexpr const char *blocks[] = {"vce",      "uvd",	  "mc",	   "me",   "pfp",  "ce",  "rlc",    "rlc_srlc",
					  "rlc_srlg", "rlc_srls", "mec",   "mec2", "sos",  "asd", "ta_ras", "ta_xgmi",
					  "smc",      "sdma",	  "sdma2", "vcn",  "dmcu", "imu"};

	for (const char *block : blocks)
		check_file(fmt::format("{}fw_version/{}_fw_version", dir, block), 0444, "0x[0-9a-f]{8}\n");
	CHECK(std::stoul(read_file(dir + "fw_version/mec_fw_version"), nullptr, 16) > 0);
	CHECK(std::stoul(read_file(dir + "fw_version/sdma_fw_version"), nullptr, 16) > 0);
}

void check_hwmon(const std::string &dir, const drm_amdgpu_info_device &info)
{
	unsigned found = 0;

	for (const auto &entry : std::filesystem::directory_iterator(dir + "hwmon")) {
		const std::string hwmon = entry.path().string() + "/";

		found++;
		check_file(hwmon + "name", 0444, "amdgpu\n");
		check_file(hwmon + "freq1_label", 0444, "sclk\n");
		check_file(hwmon + "freq2_label", 0444, "mclk\n");
		check_file(hwmon + "in0_label", 0444, "vddgfx\n");
		CHECK_ERRNO(EOPNOTSUPP, read_errno(hwmon + "in0_input"));
		CHECK_EQ(number_in(hwmon + "freq1_input"), info.max_engine_clock * 1000);
		CHECK_EQ(number_in(hwmon + "freq2_input"), info.max_memory_clock * 1000);
		for (const char *unknown : {"temp1_input", "power1_average", "fan1_input", "pwm1", "in1_input"})
			check_file(hwmon + unknown, 0, "");
	}
	CHECK_EQ(found, 1U);
}

void check_metrics(const std::string &dir, const ChipFiles &chip, const drm_amdgpu_info_device &info)
{
	if (!chip.metrics)
		return check_file(dir + "gpu_metrics", 0, "");
	const std::string table = read_file(dir + "gpu_metrics");
	uint16_t size = 0, mhz = 0;

	CHECK_EQ(table.size(), static_cast<size_t>(chip.metrics));
	REQUIRE(table.size() >= 80);
	std::memcpy(&size, table.data(), 2);
	std::memcpy(&mhz, table.data() + 40, 2); /* average_gfxclk_frequency: at the same place in both */
	CHECK_EQ(size, chip.metrics);
	CHECK_EQ(table[2], 1);
	CHECK_EQ(table[3], chip.revision);
	CHECK_EQ(mhz, info.max_engine_clock / 1000);
}

void check_files(const drm::Device &device, const ChipFiles &chip)
{
	const auto info = device.info<drm_amdgpu_info_device>(AMDGPU_INFO_DEV_INFO);
	const std::string dir = device_folder(device);

	for (const char *file : {"vram_total", "vis_vram_total", "vram_used", "vis_vram_used", "gtt_total", "gtt_used", "preempt_used"})
		check_file(dir + "mem_info_" + file, 0444, "[0-9]+\n");
	for (const char *file : {"mem_info_vram_vendor", "pp_od_clk_voltage", "pp_dpm_pcie"})
		check_file(dir + file, 0, "");
	check_file(dir + "vbios_version", 0444, "kfd-model\n");
	check_file(dir + "product_name", 0444, "\n");
	check_file(dir + "product_number", 0444, "\n");
	check_file(dir + "serial_number", 0444, "([0-9a-f]{16})?\n");
	check_file(dir + "pcie_replay_count", 0444, "0\n");
	check_file(dir + "gpu_busy_percent", 0444, "(100|[0-9]{1,2})\n");
	check_file(dir + "mem_busy_percent", chip.memory_load ? 0444 : 0, "(100|[0-9]{1,2})\n");
	check_file(dir + "unique_id", chip.unique_id ? 0444 : 0, "[0-9a-f]{16}\n");
	check_file(dir + "power_dpm_force_performance_level", 0644, "auto\n");
	check_file(dir + "pp_dpm_sclk", 0644, fmt::format("0: {}Mhz \\*\n", info.max_engine_clock / 1000));
	check_file(dir + "pp_dpm_mclk", chip.writes_mclk ? 0644 : 0444, fmt::format("0: {}Mhz \\*\n", info.max_memory_clock / 1000));
	CHECK_ERRNO(ENODATA, read_errno(dir + "pcie_bw"));
	check_firmware(dir);
	check_hwmon(dir, info);
	check_metrics(dir, chip, info);
}

int set_pstate(const drm::Device &device, uint32_t ctx, uint32_t pstate)
{
	drm_amdgpu_ctx args = {};

	args.in = {.op = AMDGPU_CTX_OP_SET_STABLE_PSTATE, .flags = pstate, .ctx_id = ctx, .priority = 0};
	return call(device.fd(), DRM_IOCTL_AMDGPU_CTX, args);
}

uint32_t make_context(const drm::Device &device)
{
	drm_amdgpu_ctx args = {};

	args.in.op = AMDGPU_CTX_OP_ALLOC_CTX;
	REQUIRE(!call(device.fd(), DRM_IOCTL_AMDGPU_CTX, args));
	return args.out.alloc.ctx_id;
}

void free_context(const drm::Device &device, uint32_t ctx)
{
	drm_amdgpu_ctx args = {};

	args.in.op = AMDGPU_CTX_OP_FREE_CTX;
	args.in.ctx_id = ctx;
	CHECK_ERRNO(0, call(device.fd(), DRM_IOCTL_AMDGPU_CTX, args));
}

/* Levels are root's and contexts'; who is root wins. */
void check_levels(const drm::Device &device)
{
	const std::string dir = device_folder(device), level = dir + "power_dpm_force_performance_level";
	const uint32_t ctx = make_context(device), other = make_context(device);

	for (const char *wrong : {"nonsense", " auto", "lo", "profile_exit"})
		CHECK_ERRNO(EINVAL, write_errno(level, wrong));
	CHECK_ERRNO(EINVAL, write_errno(dir + "pp_dpm_sclk", "0")); /* the level is not manual */
	CHECK_ERRNO(0, write_errno(level, "manual\n"));
	CHECK_EQ(read_file(level), "manual\n");
	CHECK_ERRNO(0, write_errno(dir + "pp_dpm_sclk", "0\n"));
	for (const char *wrong : {"1", "0 1", "32", "-1", "x", "0,0", "99999999999999999999"})
		CHECK_ERRNO(EINVAL, write_errno(dir + "pp_dpm_sclk", wrong));
	CHECK_ERRNO(0, set_pstate(device, ctx, AMDGPU_CTX_STABLE_PSTATE_PEAK));
	CHECK_EQ(read_file(level), "profile_peak\n");
	CHECK_ERRNO(EBUSY, set_pstate(device, other, AMDGPU_CTX_STABLE_PSTATE_STANDARD));
	CHECK_ERRNO(0, write_errno(level, "profile_exit"));
	CHECK_EQ(read_file(level), "manual\n");
	CHECK_ERRNO(0, set_pstate(device, other, AMDGPU_CTX_STABLE_PSTATE_STANDARD));
	CHECK_EQ(read_file(level), "profile_standard\n");
	free_context(device, ctx);
	CHECK_EQ(read_file(level), "profile_standard\n");
	free_context(device, other);
	CHECK_EQ(read_file(level), "auto\n");
}

} // namespace

KFDM_TEST("files of the PCI device and hwmon are those of Linux 6.1 for the chip, as far as the model knows what they tell")
{
	for_each_gpu([](const drm::Device &device) {
		const auto d = device.info<drm_amdgpu_info_device>(AMDGPU_INFO_DEV_INFO);

		for (const ChipFiles &chip : chips)
			if (chip.device == d.device_id) {
				fmt::print("{:04x}\n", d.device_id);
				check_files(device, chip);
				check_levels(device);
				return;
			}
		fail(__FILE__, __LINE__, fmt::format("no facts about {:04x}", d.device_id));
	});
}
