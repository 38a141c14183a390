// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_pci.c - a PCI bus made of software, with the GPUs on it
 *
 * libdrm, Mesa and lspci look for GPUs on PCI. So there is a root bus in a domain of its own whose config space is a page of
 * memory a function: ids, class 0x0380 (display, so that vgaarb keeps out), BARs that read as zero, no capability, no interrupt.
 *
 * The ids are those of real products, which the stock amdgpu driver would take. Two things keep it away: driver_override is
 * set in the bus notifier, before anything can match, and the function's uevents are suppressed, so that udev does not
 * load the stock driver (which would occupy /dev/kfd) because of it.
 */
#include <linux/pci.h>
#include <linux/slab.h>

#include "amdgpu_devices.h"
#include "amdgpu_model/base/amdgpu_chips.h"
#include "amdgpu_model/base/amdgpu_param.h"
#include "amdgpu_model/compat/machine.h"
#include "amdgpu_model/compat/pci.h"

#define AMDM_PCI_FUNCTIONS 32	/* device numbers of a bus */

static struct {
	struct pci_sysdata sysdata;
	struct resource busn;
	struct pci_bus *bus;
	u8 config[AMDM_PCI_FUNCTIONS][64];
	u32 count;
} amdm_pci;

static u8 *amdm_pci_function(struct pci_bus *bus, unsigned int devfn)
{
	if (bus->number || PCI_FUNC(devfn) || PCI_SLOT(devfn) >= amdm_pci.count)
		return NULL;
	return amdm_pci.config[PCI_SLOT(devfn)];
}

static int amdm_pci_read(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 *value)
{
	const u8 *config = amdm_pci_function(bus, devfn);
	int i;

	*value = config ? 0 : ~0u;
	if (!config)
		return PCIBIOS_DEVICE_NOT_FOUND;
	for (i = 0; i < size && where + i < (int)sizeof(amdm_pci.config[0]); i++)
		*value |= (u32)config[where + i] << 8 * i;
	return PCIBIOS_SUCCESSFUL;
}

/* Only the command register can be written, as far as anybody can see. */
static int amdm_pci_write(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 value)
{
	u8 *config = amdm_pci_function(bus, devfn);

	if (!config)
		return PCIBIOS_DEVICE_NOT_FOUND;
	if (where == PCI_COMMAND && size == 2) {
		config[PCI_COMMAND] = value & (PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER);
		config[PCI_COMMAND + 1] = value >> 8 & (PCI_COMMAND_INTX_DISABLE >> 8);
	}
	return PCIBIOS_SUCCESSFUL;
}

static struct pci_ops amdm_pci_ops = {
	.read = amdm_pci_read,
	.write = amdm_pci_write,
};

static void amdm_pci_put16(u8 *config, int where, u16 value)
{
	config[where] = value;
	config[where + 1] = value >> 8;
}

static void amdm_pci_fill(u8 *config, const struct amdm_chip *chip)
{
	memset(config, 0, sizeof(amdm_pci.config[0]));
	amdm_pci_put16(config, PCI_VENDOR_ID, PCI_VENDOR_ID_ATI);
	amdm_pci_put16(config, PCI_DEVICE_ID, chip->device);
	config[PCI_REVISION_ID] = chip->revision;
	amdm_pci_put16(config, PCI_CLASS_DEVICE, PCI_CLASS_DISPLAY_OTHER);
	amdm_pci_put16(config, PCI_SUBSYSTEM_VENDOR_ID, PCI_VENDOR_ID_ATI);
	amdm_pci_put16(config, PCI_SUBSYSTEM_ID, chip->subdevice);
}

static int amdm_pci_notify(struct notifier_block *nb, unsigned long action, void *data)
{
	struct device *dev = data;
	struct pci_dev *pdev = to_pci_dev(dev);

	if (action != BUS_NOTIFY_ADD_DEVICE || pdev->bus->sysdata != &amdm_pci.sysdata)
		return NOTIFY_DONE;
	dev_set_uevent_suppress(dev, true);
	kfdm_pci_keep_for(pdev, AMDM_PCI_DRIVER);
	return NOTIFY_OK;
}

static struct notifier_block amdm_pci_notifier = {
	.notifier_call = amdm_pci_notify,
};

/* The root bus and what is found on it. */
static struct pci_bus *amdm_pci_scan(int domain)
{
	struct pci_host_bridge *bridge = pci_alloc_host_bridge(0);

	if (!bridge)
		return NULL;
	amdm_pci.sysdata = (struct pci_sysdata){ .domain = domain, .node = NUMA_NO_NODE };
	amdm_pci.busn = (struct resource){ .name = AMDM_PCI_DRIVER, .start = 0, .end = 0, .flags = IORESOURCE_BUS };
	pci_add_resource(&bridge->windows, &amdm_pci.busn);
	bridge->sysdata = &amdm_pci.sysdata;
	bridge->ops = &amdm_pci_ops;
	if (kfdm_bridge_set_domain(bridge, domain) || pci_scan_root_bus_bridge(bridge)) {
		pci_free_host_bridge(bridge);
		return NULL;
	}
	return bridge->bus;
}

static int amdm_pci_free_domain(void)
{
	int domain;

	/* libdrm reads four hex digits. */
	for (domain = 1; domain <= 0xffff; domain++)
		if (!pci_find_bus(domain, 0))
			return domain;
	return -ENOSPC;
}

/** amdm_pci_index() - which of our GPUs a function is */
u32 amdm_pci_index(struct pci_dev *pdev)
{
	return PCI_SLOT(pdev->devfn);
}

/** amdm_pci_create() - make the bus and its functions; drivers are probed before this returns */
int amdm_pci_create(void)
{
	int domain = amdm_pci_free_domain();
	u32 row, i;

	if (domain < 0)
		return domain;
	amdm_pci.count = min_t(u32, amdm_param.gpus, AMDM_PCI_FUNCTIONS);
	for (i = 0; i < amdm_pci.count; i++) {
		const struct amdm_chip *chip = amdm_chip_find(amdm_param.chip, i, &row);

		if (!chip)
			return -EINVAL;
		amdm_pci_fill(amdm_pci.config[i], chip);
	}
	bus_register_notifier(&pci_bus_type, &amdm_pci_notifier);
	pci_lock_rescan_remove();
	amdm_pci.bus = amdm_pci_scan(domain);
	if (amdm_pci.bus)
		pci_bus_add_devices(amdm_pci.bus);
	pci_unlock_rescan_remove();
	if (amdm_pci.bus)
		return 0;
	bus_unregister_notifier(&pci_bus_type, &amdm_pci_notifier);
	return -ENOMEM;
}

/** amdm_pci_destroy() - remove the functions and the bus */
void amdm_pci_destroy(void)
{
	struct pci_host_bridge *bridge = to_pci_host_bridge(amdm_pci.bus->bridge);

	pci_lock_rescan_remove();
	pci_stop_root_bus(amdm_pci.bus);
	pci_remove_root_bus(amdm_pci.bus);
	pci_free_host_bridge(bridge);	/* pci_alloc_host_bridge()'s own reference, which pci_remove_root_bus() leaves */
	pci_unlock_rescan_remove();
	bus_unregister_notifier(&pci_bus_type, &amdm_pci_notifier);
	amdm_pci.bus = NULL;
}
