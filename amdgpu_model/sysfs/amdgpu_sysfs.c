// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_sysfs.c - files of the PCI device: memory, board, firmware
 *
 * Names, forms and modes are those of Linux 6.1 (amdgpu_vram_mgr.c, amdgpu_gtt_mgr.c, amdgpu_preempt_mgr.c, amdgpu_device.c,
 * amdgpu_ucode.c). A file is left out where Linux leaves it out: mem_info_vram_vendor, if the video BIOS, of which there is none here,
 * does not tell.
 *
 * Files are there before udev hears of the DRM nodes, and until the device has gone: see amdm_sysfs_device().
 */
#include <linux/sysfs.h>

#include "amdgpu_sysfs.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/mem/amdgpu_gem.h"
#include "amdgpu_model/pm/amdgpu_pm.h"

#define SYSFS_VALUE(name, form, value)								\
static ssize_t name##_show(struct device *dev, struct device_attribute *attr, char *buf)	\
{												\
	struct amdm_device *adev = amdm_sysfs_device(dev);					\
												\
	return sysfs_emit(buf, form "\n", (u64)(value));					\
}												\
static DEVICE_ATTR_RO(name)

/* CPUs see all VRAM. */
SYSFS_VALUE(mem_info_vram_total, "%llu", adev->vram.size);
SYSFS_VALUE(mem_info_vis_vram_total, "%llu", adev->vram.size);
SYSFS_VALUE(mem_info_vram_used, "%llu", amdm_vram_used(adev));
SYSFS_VALUE(mem_info_vis_vram_used, "%llu", amdm_vram_used(adev));
SYSFS_VALUE(mem_info_gtt_total, "%llu", ((void)adev, amdm_gtt_size()));
SYSFS_VALUE(mem_info_gtt_used, "%llu", atomic64_read(&adev->gtt_bytes));
SYSFS_VALUE(mem_info_preempt_used, "%llu", atomic64_read(&adev->preempt_bytes));

static struct attribute *sysfs_memory_files[] = {
	&dev_attr_mem_info_vram_total.attr,
	&dev_attr_mem_info_vis_vram_total.attr,
	&dev_attr_mem_info_vram_used.attr,
	&dev_attr_mem_info_vis_vram_used.attr,
	&dev_attr_mem_info_gtt_total.attr,
	&dev_attr_mem_info_gtt_used.attr,
	&dev_attr_mem_info_preempt_used.attr,
	NULL
};

const struct attribute_group amdm_sysfs_memory = { .attrs = sysfs_memory_files };

/* Without an EEPROM that tells (FRU) these are empty lines. */
static ssize_t product_name_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "\n");
}
static DEVICE_ATTR_RO(product_name);

static ssize_t product_number_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "\n");
}
static DEVICE_ATTR_RO(product_number);

static ssize_t serial_number_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct amdm_device *adev = amdm_sysfs_device(dev);

	if (!amdm_pm_facts(adev)->serial_is_id)
		return sysfs_emit(buf, "\n");
	return sysfs_emit(buf, "%016llx\n", amdm_pm_unique_id(adev));
}
static DEVICE_ATTR_RO(serial_number);

/* There is no video BIOS, and no card without one: librocm_smi takes a device without the file for no GPU, rocm-smi looks for a dash. */
static ssize_t vbios_version_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "kfd-model\n");
}
static DEVICE_ATTR_RO(vbios_version);

/* The model's link loses nothing. */
SYSFS_VALUE(pcie_replay_count, "%llu", ((void)adev, 0));

static struct attribute *sysfs_board_files[] = {
	&dev_attr_product_name.attr,
	&dev_attr_product_number.attr,
	&dev_attr_serial_number.attr,
	&dev_attr_vbios_version.attr,
	&dev_attr_pcie_replay_count.attr,
	NULL
};

const struct attribute_group amdm_sysfs_board = { .attrs = sysfs_board_files };

/* The firmware of each block and its version; 0: the block is not modelled, as AMDGPU_INFO_FW_VERSION says. */
#define SYSFS_FIRMWARES(FIRMWARE) \
	FIRMWARE(vce, 0) FIRMWARE(uvd, 0) FIRMWARE(mc, 0) FIRMWARE(me, 0) FIRMWARE(pfp, 0) FIRMWARE(ce, 0) FIRMWARE(rlc, 0) \
	FIRMWARE(rlc_srlc, 0) FIRMWARE(rlc_srlg, 0) FIRMWARE(rlc_srls, 0) FIRMWARE(mec, adev->asic->die.mec_fw) \
	FIRMWARE(mec2, adev->asic->die.mec_fw) FIRMWARE(sos, 0) FIRMWARE(asd, 0) FIRMWARE(ta_ras, 0) FIRMWARE(ta_xgmi, 0) \
	FIRMWARE(smc, 0) FIRMWARE(sdma, adev->asic->die.sdma_fw) FIRMWARE(sdma2, adev->asic->die.sdma_fw) FIRMWARE(vcn, 0) \
	FIRMWARE(dmcu, 0) FIRMWARE(imu, 0)

#define SYSFS_FIRMWARE_FILE(name, version) SYSFS_VALUE(name##_fw_version, "0x%08llx", ((void)adev, version));
SYSFS_FIRMWARES(SYSFS_FIRMWARE_FILE)

#define SYSFS_FIRMWARE_ATTR(name, version) &dev_attr_##name##_fw_version.attr,
static struct attribute *sysfs_firmware_files[] = { SYSFS_FIRMWARES(SYSFS_FIRMWARE_ATTR) NULL };

const struct attribute_group amdm_sysfs_firmware = { .name = "fw_version", .attrs = sysfs_firmware_files };

/**
 * amdm_sysfs_init() - make all files; the device works, and no program knows of it yet
 * @adev: device, driver data of its PCI function
 *
 * devres takes them away again, before it drops the device that they ask. Return: 0, -ENOMEM.
 */
int amdm_sysfs_init(struct amdm_device *adev)
{
	static const struct attribute_group *const groups[] = {
		&amdm_sysfs_memory, &amdm_sysfs_board, &amdm_sysfs_firmware, &amdm_sysfs_pm, &amdm_sysfs_xgmi,
		&amdm_sysfs_xcp,
	};
	int ret = 0;
	u32 i;

	for (i = 0; !ret && i < ARRAY_SIZE(groups); i++)
		ret = devm_device_add_group(&adev->pdev->dev, groups[i]);
	return ret ? ret : amdm_hwmon_init(adev);
}
