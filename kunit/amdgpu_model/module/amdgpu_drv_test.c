// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_drv_test.c - loading: where it is refused, which parameters are, and that a step that fails takes back those before it.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/pci.h>
#include <drm/drm_drv.h>

#include "amdgpu_model/compat/machine.h"
#include "kunit/amdgpu_model/unexported.h"

/* This is not the module that the file makes. */
#undef module_init
#undef module_exit
#undef module_param
#undef module_param_named
#undef MODULE_PARM_DESC
#undef MODULE_DESCRIPTION
#undef MODULE_LICENSE
#undef MODULE_IMPORT_NS
#undef __init
#undef __exit
#undef pci_register_driver
#undef devm_drm_dev_alloc
#define module_init(fn)	static int (*const load)(void) = fn
#define module_exit(fn)	static void (*const unload)(void) = fn
#define module_param(...)		_Static_assert(true, "")
#define module_param_named(...)		_Static_assert(true, "")
#define MODULE_PARM_DESC(...)		_Static_assert(true, "")
#define MODULE_DESCRIPTION(text)	_Static_assert(true, "")
#define MODULE_LICENSE(text)		_Static_assert(true, "")
#define MODULE_IMPORT_NS(space)		_Static_assert(true, "")
#define __init
#define __exit
#define kern_path(name, flags, path)	fake_kern_path(name, path)
#define path_put(path)			fake_path_put(path)
#define driver_find(name, bus)		fake_driver_find(name)
#define kfdm_machine_is_virtual()	(machine.virtual)
#define pci_register_driver(driver)	step('p')
#define pci_unregister_driver(driver)	undo('p')
#define devm_drm_dev_alloc(parent, driver, type, member)	fake_alloc()
#define pcim_enable_device(pdev)	step('e')

static struct {
	bool virtual, driver;
	const char *path;	/* that is there */
	int paths;
} machine;

static char log[32];	/* steps, a letter each; in capitals: taken back */
static char failing;

static void note(char what)
{
	size_t n = strlen(log);

	if (n + 1 < sizeof(log))
		log[n] = what;
}

static int step(char what)
{
	if (failing == what)
		return -ENOMEM;
	note(what);
	return 0;
}

static void undo(char what)
{
	note(what - 'a' + 'A');
}

static int fake_kern_path(const char *name, struct path *path)
{
	if (!machine.path || strcmp(name, machine.path))
		return -ENOENT;
	machine.paths++;
	return 0;
}

static void fake_path_put(struct path *path)
{
	machine.paths--;
}

static struct device_driver *fake_driver_find(const char *name)
{
	static struct device_driver found;

	return machine.driver && !strcmp(name, "amdgpu") ? &found : NULL;
}

static void *fake_alloc(void);
#include "amdgpu_model/base/amdgpu_param.c"
#include "amdgpu_model/module/amdgpu_drv.c"

static struct amdm_device *device;
static u32 gpus;	/* that come up */
static int held;

static void *fake_alloc(void)
{
	return failing == 'a' ? ERR_PTR(-ENOMEM) : device;
}

const struct drm_driver amdm_drm_driver;

static const struct amdm_chip large = { .name = "large", .num_se = 4, .num_sh = 1, .cu_enabled = 64, .vram_mb = 16384 };
static const struct amdm_chip medium = { .name = "medium", .num_se = 4, .num_sh = 1, .cu_enabled = 64, .vram_mb = 16384 };
static const struct amdm_chip small = { .name = "small", .num_se = 1, .num_sh = 1, .cu_enabled = 8, .vram_mb = 4096 };

u32 amdm_chip_count(const char *names)
{
	return strchr(names, ',') ? 2 : 1;
}

const struct amdm_chip *amdm_chip_find(const char *names, u32 index, u32 *row)
{
	const char *name = index && strchr(names, ',') ? strchr(names, ',') + 1 : names;

	if (!strncmp(name, "large", 5))
		return &large;
	if (!strncmp(name, "medium", 6))
		return &medium;
	return strncmp(name, "small", 5) ? NULL : &small;
}

u32 amdm_chip_hive(const struct amdm_chip *chip)
{
	return chip == &small ? 0 : 4;
}

bool amdm_chip_host_xgmi(const struct amdm_chip *chip)
{
	return chip == &large;
}

u32 amdm_chip_cus(const struct amdm_chip *chip)
{
	return chip->cu_enabled;
}

int amdm_priority_parse(const char *name)
{
	return strcmp(name, "static") ? -EINVAL : 0;
}

void amdm_limits_init(void)
{
	note('l');
}

int amdm_fence_module_init(void)
{
	return step('f');
}

void amdm_fence_module_fini(void)
{
	undo('f');
}

int amdm_pci_create(void)
{
	return step('b');
}

void amdm_pci_destroy(void)
{
	undo('b');
}

u32 amdm_pci_index(struct pci_dev *pdev)
{
	return 5;
}

int amdm_ctl_init(void)
{
	return step('c');
}

void amdm_ctl_fini(void)
{
	undo('c');
}

void amdm_complaints_init(void)
{
}

void amdm_complaints_fini(void)
{
}

struct amdm_device *amdm_device_get(u32 index)
{
	held += index < gpus;
	return index < gpus ? device : NULL;
}

void amdm_device_put(struct amdm_device *adev)
{
	held--;
}

int amdm_device_init(struct amdm_device *adev)
{
	return step('d');
}

void amdm_device_fini(struct amdm_device *adev)
{
	undo('d');
}

int amdm_device_suspend(struct amdm_device *adev)
{
	return step('s');
}

int amdm_device_resume(struct amdm_device *adev)
{
	undo('s');
	return failing == 'r' ? -EIO : 0;
}

static int drv_setup(struct kunit *test)
{
	device = kunit_kzalloc(test, sizeof(*device), GFP_KERNEL);
	if (!device)
		return -ENOMEM;
	memset(&machine, 0, sizeof(machine));
	machine.virtual = true;
	memset(log, 0, sizeof(log));
	failing = 0;
	gpus = 32;
	allow_bare_metal = false;
	amdm_param = (struct amdm_parameters){ .chip = "large", .topology = "pcie", .high_priority = "static" };
	return 0;
}

static void drv_teardown(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, machine.paths, 0);
	KUNIT_EXPECT_EQ(test, held, 0);
}

static void expect(struct kunit *test, const char *steps)
{
	KUNIT_EXPECT_STREQ(test, log, steps);
	memset(log, 0, sizeof(log));
}

static void where_it_is_not_loaded(struct kunit *test)
{
	machine.driver = true;
	KUNIT_EXPECT_EQ(test, load(), -EBUSY);
	machine.driver = false;
	machine.path = "/sys/module/amdgpu";
	KUNIT_EXPECT_EQ(test, load(), -EBUSY);
	machine.path = "/sys/class/kfd";
	KUNIT_EXPECT_EQ(test, load(), -EBUSY);
	machine.path = NULL;
	machine.virtual = false;
	KUNIT_EXPECT_EQ(test, load(), -EPERM);
	expect(test, "");
	allow_bare_metal = true;
	KUNIT_EXPECT_EQ(test, load(), 0);
	expect(test, "lfpbc");
	unload();
	expect(test, "CBPF");
}

static const struct {
	struct amdm_parameters param;
	int answer;
	uint gpus;
} parameters[] = {
	{ { .chip = "large" }, 0, 1 },
	{ { .chip = "large,small" }, 0, 2 },
	{ { .chip = "large,small", .gpus = 32 }, 0, 32 },
	{ { .chip = "large", .gpus = 33 }, -EINVAL },
	{ { .chip = "large", .gpus = ~0u }, -EINVAL },
	{ { .chip = "huge" }, -EINVAL },
	{ { .chip = "large,huge" }, -EINVAL },
	{ { .chip = "large", .cus = 64 }, 0, 1 },
	{ { .chip = "large", .cus = 65 }, -EINVAL },
	{ { .chip = "large,small", .cus = 9 }, -EINVAL },	/* each has to have them */
	{ { .chip = "large", .vram_mb = 63 }, -EINVAL },
	{ { .chip = "large", .vram_mb = 64 }, 0, 1 },
	{ { .chip = "large,small", .vram_mb = 4097 }, -EINVAL },
	{ { .chip = "large", .high_priority = "often" }, -EINVAL },
	{ { .chip = "large", .topology = "star" }, -EINVAL },
	{ { .chip = "large", .topology = "xgmi" }, 0, 1 },
	{ { .chip = "large,small", .topology = "xgmi" }, -EINVAL },	/* each has to have links */
	{ { .chip = "large", .topology = "xgmi-cpu" }, 0, 1 },
	{ { .chip = "medium", .topology = "xgmi" }, 0, 1 },
	{ { .chip = "medium", .topology = "xgmi-cpu" }, -EINVAL },
};

static void parameters_of_the_module(struct kunit *test)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(parameters); i++) {
		amdm_param = parameters[i].param;
		if (!amdm_param.topology)
			amdm_param.topology = "pcie";
		if (!amdm_param.high_priority)
			amdm_param.high_priority = "static";
		KUNIT_EXPECT_EQ_MSG(test, load(), parameters[i].answer, "row %u", i);
		expect(test, parameters[i].answer ? "" : "lfpbc");
		if (!parameters[i].answer)
			KUNIT_EXPECT_EQ_MSG(test, amdm_param.gpus, parameters[i].gpus, "row %u", i);
	}
}

static void a_step_that_fails(struct kunit *test)
{
	static const struct {
		char failing;
		const char *steps;
	} rows[] = { { 'f', "l" }, { 'p', "lfF" }, { 'b', "lfpPF" }, { 'c', "lfpbBPF" } };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		failing = rows[i].failing;
		KUNIT_EXPECT_EQ(test, load(), -ENOMEM);
		expect(test, rows[i].steps);
	}
}

/* If not all GPUs can be made, none is kept. */
static void a_gpu_that_did_not_come_up(struct kunit *test)
{
	amdm_param.gpus = 3;
	gpus = 2;
	KUNIT_EXPECT_EQ(test, load(), -ENODEV);
	expect(test, "lfpbBPF");
}

static void a_gpu_is_probed(struct kunit *test)
{
	struct pci_dev *pdev = kunit_kzalloc(test, sizeof(*pdev), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, pdev);
	pdev->dev.init_name = "model";
	failing = 'a';
	KUNIT_EXPECT_EQ(test, amdm_pci_driver.probe(pdev, NULL), -ENOMEM);
	failing = 'e';
	KUNIT_EXPECT_EQ(test, amdm_pci_driver.probe(pdev, NULL), -ENOMEM);
	failing = 'd';
	KUNIT_EXPECT_EQ(test, amdm_pci_driver.probe(pdev, NULL), -ENOMEM);
	expect(test, "e");
	failing = 0;
	KUNIT_EXPECT_EQ(test, amdm_pci_driver.probe(pdev, NULL), 0);
	KUNIT_EXPECT_EQ(test, device->index, 5u);
	KUNIT_EXPECT_PTR_EQ(test, device->pdev, pdev);
	amdm_pci_driver.remove(pdev);
	expect(test, "edD");
	KUNIT_EXPECT_NULL(test, amdm_pci_driver.id_table);	/* it can never take a real card */
}

/* It sleeps and wakes; an image of the memory is never written. */
static void power(struct kunit *test)
{
	const struct dev_pm_ops *pm = amdm_pci_driver.driver.pm;
	struct pci_dev *pdev = kunit_kzalloc(test, sizeof(*pdev), GFP_KERNEL);

	if (!IS_ENABLED(CONFIG_PM_SLEEP))
		kunit_skip(test, "this kernel does not sleep");
	KUNIT_ASSERT_NOT_NULL(test, pdev);
	pdev->dev.init_name = "model";
	pci_set_drvdata(pdev, device);
	KUNIT_EXPECT_EQ(test, pm->suspend(&pdev->dev), 0);
	KUNIT_EXPECT_EQ(test, pm->resume(&pdev->dev), 0);
	failing = 's';
	KUNIT_EXPECT_EQ(test, pm->suspend(&pdev->dev), -ENOMEM);
	failing = 'r';
	KUNIT_EXPECT_EQ(test, pm->resume(&pdev->dev), -EIO);
	expect(test, "sSS");
	KUNIT_EXPECT_EQ(test, pm->freeze(&pdev->dev), -EOPNOTSUPP);
	KUNIT_EXPECT_NULL(test, pm->restore);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(where_it_is_not_loaded),
	KUNIT_CASE(parameters_of_the_module),
	KUNIT_CASE(a_step_that_fails),
	KUNIT_CASE(a_gpu_that_did_not_come_up),
	KUNIT_CASE(a_gpu_is_probed),
	KUNIT_CASE(power),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_drv", .init = drv_setup, .exit = drv_teardown, .test_cases = cases };
kunit_test_suite(suite);
