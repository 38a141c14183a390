/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/**
 * DOC: pci.h - what differs between versions of Linux in how a PCI device is kept for one driver
 */
#ifndef KFDM_COMPAT_PCI_H
#define KFDM_COMPAT_PCI_H

#include <linux/pci.h>

/**
 * kfdm_pci_keep_for() - only the named driver may have the device, which is being added to its bus
 *
 * Without memory for the name nobody may have it: no driver matches this vendor.
 */
static inline void kfdm_pci_keep_for(struct pci_dev *pdev, const char *driver)
{
#ifdef KFDM_HAS_DEVICE_OVERRIDE
	int ret = device_set_driver_override(&pdev->dev, driver);
#else
	int ret = driver_set_override(&pdev->dev, &pdev->driver_override, driver, strlen(driver));
#endif

	if (ret)
		pdev->vendor = 0xffff;
}

#endif
