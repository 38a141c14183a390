// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_pci_test.c - config space, read and written as programs may; which driver gets a new function; a bus that cannot be made.
 */
#include <kunit/test.h>
#include <linux/pci.h>

#include "kunit/compat.h"
#include "kunit/fail_nth.h"

#define pci_scan_root_bus_bridge	pci_fake_scan
#define bus_register_notifier	pci_fake_register
#define bus_unregister_notifier	pci_fake_unregister
static int pci_fake_scan(struct pci_host_bridge *bridge);
static int pci_fake_register(const struct bus_type *bus, struct notifier_block *nb);
static int pci_fake_unregister(const struct bus_type *bus, struct notifier_block *nb);
#include "amdgpu_model/device/amdgpu_pci.c"

static const struct amdm_chip chips[] = {
	{ .name = "vega20", .device = 0x66af, .revision = 0xc1, .subdevice = 0x081e },
	{ .name = "navi21", .device = 0x73bf, .revision = 0xc0, .subdevice = 0x0e3a },
};

struct amdm_parameters amdm_param;

static struct {
	u32 known, windows;
	int notifiers;
} pci_seen;

const struct amdm_chip *amdm_chip_find(const char *names, u32 index, u32 *row)
{
	return index < pci_seen.known ? &chips[index] : NULL;
}

/* The host has no memory for a bus. */
static int pci_fake_scan(struct pci_host_bridge *bridge)
{
	struct list_head *at;

	list_for_each(at, &bridge->windows)
		pci_seen.windows++;
	return -ENOMEM;
}

static int pci_fake_register(const struct bus_type *bus, struct notifier_block *nb)
{
	pci_seen.notifiers++;
	return 0;
}

static int pci_fake_unregister(const struct bus_type *bus, struct notifier_block *nb)
{
	pci_seen.notifiers--;
	return 0;
}

struct pci_bed {
	struct pci_bus bus;
	struct pci_dev pdev;
};

static int pci_setup(struct kunit *test)
{
	struct pci_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&amdm_pci, 0, sizeof(amdm_pci));
	memset(&pci_seen, 0, sizeof(pci_seen));
	pci_seen.known = 2;
	amdm_param.gpus = 2;
	bed->bus.sysdata = &amdm_pci.sysdata;
	bed->pdev.bus = &bed->bus;
	KUNIT_EXPECT_EQ(test, amdm_pci_create(), -ENOMEM);	/* config space exists nevertheless */
	return 0;
}

static void pci_teardown(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, pci_seen.notifiers, 0);
}

static u32 read(struct kunit *test, u32 slot, int where, int size)
{
	struct pci_bed *bed = test->priv;
	u32 value = 0;

	KUNIT_EXPECT_EQ(test, amdm_pci_read(&bed->bus, PCI_DEVFN(slot, 0), where, size, &value), PCIBIOS_SUCCESSFUL);
	return value;
}

static void ids(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, read(test, 0, PCI_VENDOR_ID, 4), 0x66af1002u);
	KUNIT_EXPECT_EQ(test, read(test, 0, PCI_CLASS_REVISION, 4), 0x038000c1u);	/* a display that is no VGA */
	KUNIT_EXPECT_EQ(test, read(test, 0, PCI_SUBSYSTEM_VENDOR_ID, 4), 0x081e1002u);
	KUNIT_EXPECT_EQ(test, read(test, 1, PCI_DEVICE_ID, 2), 0x73bfu);
	KUNIT_EXPECT_EQ(test, read(test, 1, PCI_REVISION_ID, 1), 0xc0u);
	KUNIT_EXPECT_EQ(test, read(test, 0, PCI_HEADER_TYPE, 1), 0u);
	KUNIT_EXPECT_EQ(test, read(test, 0, PCI_STATUS, 2), 0u);	/* no capabilities */
	KUNIT_EXPECT_EQ(test, pci_seen.windows, 1u);
}

static void what_is_not_there(struct kunit *test)
{
	struct pci_bed *bed = test->priv;
	u32 value = 0;

	KUNIT_EXPECT_EQ(test, amdm_pci_read(&bed->bus, PCI_DEVFN(2, 0), 0, 4, &value), PCIBIOS_DEVICE_NOT_FOUND);
	KUNIT_EXPECT_EQ(test, value, ~0u);
	KUNIT_EXPECT_EQ(test, amdm_pci_read(&bed->bus, PCI_DEVFN(0, 1), 0, 4, &value), PCIBIOS_DEVICE_NOT_FOUND);
	KUNIT_EXPECT_EQ(test, amdm_pci_write(&bed->bus, PCI_DEVFN(2, 0), PCI_COMMAND, 2, 7), PCIBIOS_DEVICE_NOT_FOUND);
	bed->bus.number = 1;
	KUNIT_EXPECT_EQ(test, amdm_pci_read(&bed->bus, PCI_DEVFN(0, 0), 0, 4, &value), PCIBIOS_DEVICE_NOT_FOUND);
	bed->bus.number = 0;
	KUNIT_EXPECT_EQ(test, read(test, 0, 60, 4), 0u);
	KUNIT_EXPECT_EQ(test, read(test, 0, 64, 4), 0u);	/* behind the header: nothing, not the next function */
	KUNIT_EXPECT_EQ(test, read(test, 0, 4092, 4), 0u);
}

static void what_can_be_written(struct kunit *test)
{
	struct pci_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_pci_write(&bed->bus, 0, PCI_COMMAND, 2, 0xffff), PCIBIOS_SUCCESSFUL);
	KUNIT_EXPECT_EQ(test, read(test, 0, PCI_COMMAND, 2), 0x0406u);	/* memory, master, INTx off: no I/O ports, nothing else */
	KUNIT_EXPECT_EQ(test, read(test, 1, PCI_COMMAND, 2), 0u);
	KUNIT_EXPECT_EQ(test, amdm_pci_write(&bed->bus, 0, PCI_VENDOR_ID, 4, 0), PCIBIOS_SUCCESSFUL);
	KUNIT_EXPECT_EQ(test, amdm_pci_write(&bed->bus, 0, PCI_BASE_ADDRESS_0, 4, ~0u), PCIBIOS_SUCCESSFUL);
	KUNIT_EXPECT_EQ(test, read(test, 0, PCI_VENDOR_ID, 4), 0x66af1002u);
	KUNIT_EXPECT_EQ(test, read(test, 0, PCI_BASE_ADDRESS_0, 4), 0u);	/* a BAR of size 0 is not implemented */
	KUNIT_EXPECT_EQ(test, amdm_pci_write(&bed->bus, 0, PCI_COMMAND, 2, 0), PCIBIOS_SUCCESSFUL);
	KUNIT_EXPECT_EQ(test, read(test, 0, PCI_COMMAND, 2), 0u);
}

/* Only our driver may bind to it, and udev gets no event. */
static void whom_it_is_for(struct kunit *test)
{
	struct pci_bed *bed = test->priv;
	struct pci_bus other = {};

	bed->pdev.vendor = PCI_VENDOR_ID_ATI;
	KUNIT_EXPECT_EQ(test, amdm_pci_notify(NULL, BUS_NOTIFY_DEL_DEVICE, &bed->pdev.dev), NOTIFY_DONE);
	bed->pdev.bus = &other;
	KUNIT_EXPECT_EQ(test, amdm_pci_notify(NULL, BUS_NOTIFY_ADD_DEVICE, &bed->pdev.dev), NOTIFY_DONE);
	KUNIT_EXPECT_FALSE(test, dev_get_uevent_suppress(&bed->pdev.dev));
	KUNIT_EXPECT_NULL(test, kunit_pci_override(&bed->pdev));
	bed->pdev.bus = &bed->bus;
	fake_pci_override_init(&bed->pdev);
	KUNIT_EXPECT_EQ(test, amdm_pci_notify(NULL, BUS_NOTIFY_ADD_DEVICE, &bed->pdev.dev), NOTIFY_OK);
	KUNIT_EXPECT_TRUE(test, dev_get_uevent_suppress(&bed->pdev.dev));
	KUNIT_EXPECT_STREQ(test, kunit_pci_override(&bed->pdev), "amdgpu_model");
	KUNIT_EXPECT_EQ(test, bed->pdev.vendor, PCI_VENDOR_ID_ATI);
	kfree(kunit_pci_override(&bed->pdev));
	bed->pdev.devfn = PCI_DEVFN(9, 0);
	KUNIT_EXPECT_EQ(test, amdm_pci_index(&bed->pdev), 9u);
}

static void without_memory_for_its_name(struct kunit *test)
{
	struct pci_bed *bed = test->priv;

	FAIL_NTH_NEEDED(test);
	fake_pci_override_init(&bed->pdev);
	bed->pdev.vendor = PCI_VENDOR_ID_ATI;
	fail_nth_arm(1);
	amdm_pci_notify(NULL, BUS_NOTIFY_ADD_DEVICE, &bed->pdev.dev);
	KUNIT_EXPECT_TRUE(test, fail_nth_disarm());
	KUNIT_EXPECT_EQ(test, bed->pdev.vendor, 0xffff);
	KUNIT_EXPECT_NULL(test, kunit_pci_override(&bed->pdev));
}

static void a_chip_that_nobody_knows(struct kunit *test)
{
	pci_seen.known = 1;
	pci_seen.windows = 0;
	KUNIT_EXPECT_EQ(test, amdm_pci_create(), -EINVAL);
	KUNIT_EXPECT_EQ(test, pci_seen.windows, 0u);
}

static void a_domain(struct kunit *test)
{
	int domain = amdm_pci_free_domain();

	KUNIT_EXPECT_GT(test, domain, 0);		/* 0 is the machine's own */
	KUNIT_EXPECT_LE(test, domain, 0xffff);
	KUNIT_EXPECT_NULL(test, pci_find_bus(domain, 0));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(ids),
	KUNIT_CASE(what_is_not_there),
	KUNIT_CASE(what_can_be_written),
	KUNIT_CASE(whom_it_is_for),
	KUNIT_CASE(without_memory_for_its_name),
	KUNIT_CASE(a_chip_that_nobody_knows),
	KUNIT_CASE(a_domain),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_pci", .init = pci_setup, .exit = pci_teardown, .test_cases = cases };
kunit_test_suite(suite);
