// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_device_test.c - a GPU comes up, is reset and goes: the order of its parts, and that each is undone once, wherever it ended.
 */
#include <kunit/test.h>
#include <drm/drm_drv.h>
#include <drm/drm_managed.h>

#include "amdgpu_model/compat/workqueue.h"
#include "kunit/fail_nth.h"
#include "kunit/amdgpu_model/mem/no_migration.h"
#include "kunit/amdgpu_model/unexported.h"

#undef drmm_add_action_or_reset
#define drmm_add_action_or_reset(ddev, action, data)	fake_add_action(action)
#define drm_dev_register(ddev, flags)	step('r')
#define drm_dev_unregister(ddev)	note('-')
#define drm_dev_unplug(ddev)		fake_unplug(ddev)
#define drm_dev_enter(ddev, idx)	((void)(idx), !device_seen.unplugged)
#define drm_dev_exit(idx)		device_leave()

typedef void (*release_t)(struct drm_device *ddev, void *data);

static struct {
	char log[64];
	char failing;
	bool unplugged, in_reset;	/* at hw_fini */
	release_t release;
	int entered;
	u64 vram;
	u32 cus;
	const char *reset_cause;
	u32 shown;
} device_seen;

static void note(char what)
{
	size_t n = strlen(device_seen.log);

	if (n + 1 < sizeof(device_seen.log))
		device_seen.log[n] = what;
}

static int step(char what)
{
	if (device_seen.failing == what)
		return -EIO;
	note(what);
	return 0;
}

static void device_leave(void)
{
	device_seen.entered++;
}

static int fake_add_action(release_t action)
{
	device_seen.release = action;
	return 0;
}

static void fake_unplug(struct drm_device *ddev)
{
	note('u');
	device_seen.unplugged = true;
}

#include "amdgpu_model/device/amdgpu_device.c"
#include "amdgpu_model/device/amdgpu_hive.c"

struct amdm_parameters amdm_param;

static int sw_init_1(struct amdm_device *adev)
{
	return step('1');
}

static int sw_init_2(struct amdm_device *adev)
{
	return step('2');
}

static int hw_init_1(struct amdm_device *adev)
{
	return step('3');
}

static int hw_init_2(struct amdm_device *adev)
{
	return step('4');
}

static void hw_fini_1(struct amdm_device *adev)
{
	device_seen.in_reset = adev->in_reset;
	note('C');
}

static void hw_fini_2(struct amdm_device *adev)
{
	note('D');
}

static void sw_fini_1(struct amdm_device *adev)
{
	note('A');
}

static void sw_fini_2(struct amdm_device *adev)
{
	note('B');
}

/* sw_init: 1 2, undone A B; hw_init: 3 4, undone C D. The block between them has nothing to do. */
static const struct amdm_ip_block first = { "first", sw_init_1, hw_init_1, hw_fini_1, sw_fini_1 };
static const struct amdm_ip_block idle = { "idle" };
static const struct amdm_ip_block second = { "second", sw_init_2, hw_init_2, hw_fini_2, sw_fini_2 };
static const struct amdm_ip_block *const blocks[] = { &first, &idle, &second };

static const struct hw_generation generation = { .mode1_reset = true };
static const struct amdm_asic die = { .die.name = "vega20", .gen = &generation, .blocks = blocks, .num_blocks = ARRAY_SIZE(blocks) };
static const struct amdm_chip product = { .product = "Radeon", .vram_mb = 16384, .num_se = 4, .num_sh = 1, .cu_enabled = 60 };
static const struct sdma_layout layout;

const struct amdm_chip *amdm_chip_find(const char *names, u32 index, u32 *row)
{
	return device_seen.failing == 'x' ? NULL : &product;
}

const struct amdm_asic *amdm_asic_find(const struct amdm_chip *chip)
{
	return device_seen.failing == 'y' ? NULL : &die;
}

const struct sdma_layout *amdm_sdma_find(const struct amdm_asic *asic)
{
	return device_seen.failing == 'z' ? NULL : &layout;
}

u64 amdm_hive_id(const char *names, u32 index)
{
	return 0x1234;
}

u32 amdm_chip_cus(const struct amdm_chip *chip)
{
	return 60;
}

int amdm_xcp_nodes_alloc(struct amdm_device *adev)
{
	return 0;
}

/* Most GPUs have none: they leave no note. */
int amdm_xcp_nodes_register(struct amdm_device *adev)
{
	return device_seen.failing == 'N' ? -ENOMEM : 0;
}

void amdm_xcp_nodes_unplug(struct amdm_device *adev)
{
	if (device_seen.failing == 'N')
		note('N');
}

int amdm_xcps_init(struct amdm_device *adev, int mode)
{
	adev->num_xcps = 1;
	return 0;
}

u32 amdm_chip_xccs(const struct amdm_chip *chip)
{
	return 1;
}

void amdm_chip_harvest(const struct amdm_chip *chip, u32 cus, amdm_cu_bitmap *bitmap)
{
	device_seen.cus = cus;
}

#define NOTED(name, letter)	void name(struct amdm_device *adev) { note(letter); }
NOTED(amdm_vmids_init, 'v')
NOTED(amdm_vmids_fini, 'V')
NOTED(amdm_vmids_forget, '0')
NOTED(amdm_evict_lose, 'v')
NOTED(amdm_iommu_fini, 'I')
NOTED(amdm_vram_fini, 'M')
NOTED(amdm_evict_init, 'e')
NOTED(amdm_rings_fini, 'R')
NOTED(amdm_kfd_add, 'k')
NOTED(amdm_kfd_remove, 'K')
NOTED(amdm_kfd_post_reset, '>')
NOTED(amdm_kfd_suspend, '(')
NOTED(amdm_glue_fini, 'G')
NOTED(amdm_glue_stop, 'S')
NOTED(amdm_glue_reset, '!')

void amdm_kfd_resets_begin(void)
{
	note('{');
}

void amdm_kfd_resets_end(void)
{
	note('}');
}

void amdm_kfd_pre_reset(struct amdm_device *adev, const char *cause)
{
	note('<');
	device_seen.reset_cause = cause;
}

void amdm_pm_init(struct amdm_device *adev)
{
}

/* Who has files of the hive */
void amdm_sysfs_hide_hive(struct amdm_hive *hive)
{
	device_seen.shown = 0;
}

void amdm_sysfs_show_hive(struct amdm_hive *hive)
{
	struct amdm_device *adev;

	list_for_each_entry(adev, &hive->members, in_hive)
		device_seen.shown++;
}

/* Before anybody hears of the device */
int amdm_sysfs_init(struct amdm_device *adev)
{
	return step('f');
}

int amdm_kfd_resume(struct amdm_device *adev)
{
	note(')');
	return device_seen.failing == ')' ? -ENOMEM : 0;
}

int amdm_rings_wait_idle(struct amdm_device *adev, unsigned long timeout)
{
	return device_seen.failing == 'w' ? -EBUSY : 0;
}

int amdm_iommu_init(struct amdm_device *adev)
{
	return step('i');
}

int amdm_vram_init(struct amdm_device *adev, u64 size)
{
	device_seen.vram = size;
	return step('m');
}

int amdm_glue_init(struct amdm_device *adev, const struct amdm_wires *wires)
{
	return step('g');
}

int amdm_glue_start(struct amdm_device *adev)
{
	return step('s');
}

void amdm_recover_stop(struct amdm_ring *ring, struct drm_sched_job *bad)
{
	note('[');
}

void amdm_recover_settle(struct amdm_ring *ring)
{
	note('.');
}

void amdm_recover_start(struct amdm_ring *ring)
{
	note(']');
}

/* The chip's wires and the interrupt ring's: nothing comes through them here. */
struct page *amdm_vram_gpu_page(struct amdm_device *adev, u64 offset, gfp_t gfp)
{
	return NULL;
}

int amdm_iommu_page(struct amdm_device *adev, u64 addr, bool write, void **host)
{
	return -EFAULT;
}

bool amdm_iommu_serve(struct amdm_device *adev)
{
	return false;
}

void amdm_ih_process(struct amdm_device *adev)
{
}

void amdm_rings_interrupt(struct amdm_device *adev, const struct amdm_ih_entry *entry)
{
}

struct device_bed {
	struct amdm_device adev;
	struct pci_dev pdev;
};

static int device_setup(struct kunit *test)
{
	struct device_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&device_seen, 0, sizeof(device_seen));
	memset(&amdm_param, 0, sizeof(amdm_param));
	bed->pdev.dev.init_name = "model";
	bed->adev.pdev = &bed->pdev;
	bed->adev.index = 3;
	kref_init(&bed->adev.ddev.ref);
	return 0;
}

static void expect(struct kunit *test, const char *steps)
{
	KUNIT_EXPECT_STREQ(test, device_seen.log, steps);
	memset(device_seen.log, 0, sizeof(device_seen.log));
}

/* The last user of the DRM device has gone. */
static void release(struct device_bed *bed)
{
	release_t action = device_seen.release;

	device_seen.release = NULL;
	if (action)
		action(&bed->adev.ddev, NULL);
}

static void device_teardown(struct kunit *test)
{
	struct device_bed *bed = test->priv;

	release(bed);
	KUNIT_EXPECT_NULL(test, amdm_device_get(3));
	KUNIT_EXPECT_EQ(test, kref_read(&bed->adev.ddev.ref), 1u);
}

#define BASE	"vime"
#define GONE	"IMG"

static void it_comes_and_goes(struct kunit *test)
{
	struct device_bed *bed = test->priv;
	struct amdm_device *found;

	KUNIT_ASSERT_EQ(test, amdm_device_init(&bed->adev), 0);
	expect(test, BASE "g12s34frk");
	found = amdm_device_get(3);
	KUNIT_EXPECT_PTR_EQ(test, found, &bed->adev);
	KUNIT_EXPECT_EQ(test, kref_read(&bed->adev.ddev.ref), 2u);
	amdm_device_put(found);
	KUNIT_EXPECT_NULL(test, amdm_device_get(4));
	KUNIT_EXPECT_NULL(test, amdm_device_get(32));
	KUNIT_EXPECT_NULL(test, amdm_device_get(~0u));
	amdm_device_fini(&bed->adev);
	expect(test, "uKDCS");	/* what open files need stays */
	KUNIT_EXPECT_NULL(test, amdm_device_get(3));
	release(bed);
	expect(test, "RVBA" GONE);
}

static const struct {
	char failing;
	int answer;
	const char *init, *release;
} failures[] = {
	{ 'x', -ENODEV, "", "" },
	{ 'y', -ENODEV, "", "" },
	{ 'z', -ENODEV, "", "" },
	{ 'g', -EIO, BASE, "RV" GONE },
	{ '1', -EIO, BASE "g", "RV" GONE },
	{ '2', -EIO, BASE "g1", "RVA" GONE },
	{ 's', -EIO, BASE "g12", "RVBA" GONE },
	{ '3', -EIO, BASE "g12sS", "RVBA" GONE },
	{ '4', -EIO, BASE "g12s3CS", "RVBA" GONE },
	{ 'f', -EIO, BASE "g12s34DCS", "RVBA" GONE },
	{ 'r', -EIO, BASE "g12s34fDCS", "RVBA" GONE },
	{ 'N', -ENOMEM, BASE "g12s34frN-DCS", "RVBA" GONE },
};

static void a_step_that_fails(struct kunit *test)
{
	struct device_bed *bed = test->priv;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(failures); i++) {
		memset(&bed->adev, 0, sizeof(bed->adev));
		bed->adev.pdev = &bed->pdev;
		bed->adev.index = 3;
		kref_init(&bed->adev.ddev.ref);
		device_seen.failing = failures[i].failing;
		KUNIT_EXPECT_EQ_MSG(test, amdm_device_init(&bed->adev), failures[i].answer, "row %u", i);
		expect(test, failures[i].init);
		KUNIT_EXPECT_NULL(test, amdm_device_get(3));
		release(bed);
		expect(test, failures[i].release);
	}
}

/* Rings stop while they work; nothing is programmed before the chip is reset; KFD is last to go on. */
static void a_reset(struct kunit *test)
{
	struct device_bed *bed = test->priv;
	struct amdm_device *adev = &bed->adev;

	KUNIT_ASSERT_EQ(test, amdm_device_init(adev), 0);
	adev->num_rings = 2;
	expect(test, BASE "g12s34frk");
	amdm_device_reset(adev, "user trigger");
	expect(test, "{<[[DC..!0v34]]>}");
	KUNIT_EXPECT_EQ(test, adev->vram_losses, 1u);
	KUNIT_EXPECT_TRUE(test, device_seen.in_reset);
	KUNIT_EXPECT_FALSE(test, adev->in_reset);
	KUNIT_EXPECT_EQ(test, adev->resets, 1u);
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&adev->hive->reset_mutex));
	KUNIT_EXPECT_EQ(test, device_seen.entered, 1);
	KUNIT_EXPECT_STREQ(test, device_seen.reset_cause, "user trigger");
	amdm_device_schedule_reset(adev, "HWS hang");
	flush_work(&adev->reset_work);
	KUNIT_EXPECT_EQ(test, adev->resets, 2u);
	KUNIT_EXPECT_STREQ(test, device_seen.reset_cause, "HWS hang");
	amdm_device_fini(adev);
	amdm_device_reset(adev, "user trigger");	/* too late */
	KUNIT_EXPECT_EQ(test, adev->resets, 2u);
}

/* Only a GPU that XGMI joins to the CPU keeps what is in VRAM. */
static void a_reset_of_the_cpus_neighbour(struct kunit *test)
{
	struct device_bed *bed = test->priv;
	struct amdm_device *adev = &bed->adev;

	amdm_param.xgmi_to_cpu = true;
	KUNIT_EXPECT_EQ(test, amdm_device_init(adev), 0);
	amdm_param.xgmi_to_cpu = false;
	KUNIT_ASSERT_TRUE(test, adev->xgmi_to_cpu);
	expect(test, BASE "g12s34frk");
	amdm_device_reset(adev, "user trigger");
	KUNIT_EXPECT_EQ(test, adev->resets, 1u);
	KUNIT_EXPECT_EQ(test, adev->vram_losses, 0u);
	amdm_device_fini(adev);
}

/* None of a hive comes up before all are down; who sleeps or is gone is left out. */
static void a_reset_of_a_hive(struct kunit *test)
{
	struct device_bed *bed = test->priv, *second = kunit_kzalloc(test, sizeof(*second), GFP_KERNEL);
	struct amdm_device *adev = &bed->adev, *other;

	KUNIT_ASSERT_NOT_NULL(test, second);
	*second = *bed;
	other = &second->adev;
	other->pdev = &second->pdev;
	other->index = 4;
	amdm_param.xgmi = true;
	KUNIT_EXPECT_EQ(test, amdm_device_init(adev), 0);
	KUNIT_EXPECT_EQ(test, amdm_device_init(other), 0);
	amdm_param.xgmi = false;
	KUNIT_EXPECT_PTR_EQ(test, other->hive, adev->hive);
	KUNIT_EXPECT_EQ(test, device_seen.shown, 2u);
	expect(test, BASE "g12s34frk" BASE "g12s34frk");
	amdm_device_reset(other, "user trigger");
	expect(test, "{<DC!0v<DC!0v34>34>}");
	KUNIT_EXPECT_EQ(test, adev->resets, 1u);
	KUNIT_EXPECT_EQ(test, other->resets, 1u);
	KUNIT_EXPECT_EQ(test, device_seen.entered, 2);
	KUNIT_EXPECT_EQ(test, amdm_device_suspend(adev), 0);
	amdm_device_reset(other, "user trigger");
	KUNIT_EXPECT_EQ(test, amdm_device_resume(adev), 0);
	expect(test, "(DC!0{<DC!0v34>}34)");
	amdm_device_fini(adev);
	KUNIT_EXPECT_EQ(test, device_seen.shown, 1u);
	release(bed);
	device_seen.unplugged = false;
	expect(test, "uKDCSRVBA" GONE);
	amdm_device_reset(other, "user trigger");
	expect(test, "{<DC!0v34>}");
	KUNIT_EXPECT_EQ(test, adev->resets, 1u);
	KUNIT_EXPECT_EQ(test, other->resets, 3u);
	amdm_device_fini(other);
	amdm_device_release(&other->ddev, NULL);
}

/* A block does not start again after a reset: rings and KFD are notified nevertheless, and the other blocks go on. */
static void a_reset_that_fails(struct kunit *test)
{
	struct device_bed *bed = test->priv;
	struct amdm_device *adev = &bed->adev;

	KUNIT_ASSERT_EQ(test, amdm_device_init(adev), 0);
	adev->num_rings = 1;
	expect(test, BASE "g12s34frk");
	device_seen.failing = '4';
	amdm_device_reset(adev, "user trigger");
	expect(test, "{<[DC.!0v3]>}");
	device_seen.failing = 0;
	amdm_device_reset(adev, "user trigger");	/* only what is up goes down */
	expect(test, "{<[C.!0v34]>}");
	amdm_device_fini(adev);
}

/* As a reset, but VRAM is not lost, and a reset meanwhile has nothing to do. */
static void a_sleep(struct kunit *test)
{
	struct device_bed *bed = test->priv;
	struct amdm_device *adev = &bed->adev;

	KUNIT_ASSERT_EQ(test, amdm_device_init(adev), 0);
	adev->num_rings = 1;
	expect(test, BASE "g12s34frk");
	device_seen.failing = 'w';
	KUNIT_EXPECT_EQ(test, amdm_device_suspend(adev), -EBUSY);
	expect(test, "");
	device_seen.failing = 0;
	KUNIT_EXPECT_EQ(test, amdm_device_suspend(adev), 0);
	expect(test, "([DC.!0");
	amdm_device_reset(adev, "user trigger");
	expect(test, "");
	KUNIT_EXPECT_EQ(test, amdm_device_resume(adev), 0);
	expect(test, "34])");
	KUNIT_EXPECT_EQ(test, adev->vram_losses + adev->resets, 0u);
	KUNIT_EXPECT_EQ(test, amdm_device_suspend(adev), 0);
	device_seen.failing = '4';
	KUNIT_EXPECT_EQ(test, amdm_device_resume(adev), -EIO);
	expect(test, "([DC.!03])");
	device_seen.failing = ')';
	KUNIT_EXPECT_EQ(test, amdm_device_suspend(adev), 0);
	KUNIT_EXPECT_EQ(test, amdm_device_resume(adev), -ENOMEM);
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&adev->hive->reset_mutex));
	amdm_device_fini(adev);
}

static void parameters(struct kunit *test)
{
	static const struct {
		uint cus, vram_mb;
		u32 cus_then, vram_then;
	} rows[] = { { 0, 0, 60, 16384 }, { 8, 512, 8, 512 }, { 61, 16385, 60, 16384 } };
	struct device_bed *bed = test->priv;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		amdm_param.cus = rows[i].cus;
		amdm_param.vram_mb = rows[i].vram_mb;
		device_seen.failing = '1';
		KUNIT_EXPECT_EQ(test, amdm_device_init(&bed->adev), -EIO);
		release(bed);
		KUNIT_EXPECT_EQ(test, device_seen.cus, rows[i].cus_then);
		KUNIT_EXPECT_EQ(test, bed->adev.cu_active, rows[i].cus_then);
		KUNIT_EXPECT_EQ(test, device_seen.vram, (u64)rows[i].vram_then << 20);
	}
}

static void without_memory(struct kunit *test)
{
	struct device_bed *bed = test->priv;
	u32 n, refused = 0;
	bool used = true;

	FAIL_NTH_NEEDED(test);
	device_seen.failing = '1';	/* only what base_init asks for */
	for (n = 1; used; n++) {
		int ret;

		memset(&bed->adev, 0, sizeof(bed->adev));
		bed->adev.pdev = &bed->pdev;
		fail_nth_arm(n);
		ret = amdm_device_init(&bed->adev);
		used = fail_nth_disarm();
		KUNIT_EXPECT_TRUE(test, ret == -ENOMEM || ret == -EIO);
		refused += ret == -ENOMEM;
		release(bed);
	}
	KUNIT_EXPECT_GT(test, refused, 0u);
	kref_init(&bed->adev.ddev.ref);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(it_comes_and_goes),
	KUNIT_CASE(a_step_that_fails),
	KUNIT_CASE(a_reset),
	KUNIT_CASE(a_reset_of_a_hive),
	KUNIT_CASE(a_sleep),
	KUNIT_CASE(a_reset_of_the_cpus_neighbour),
	KUNIT_CASE(a_reset_that_fails),
	KUNIT_CASE(parameters),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_device", .init = device_setup, .exit = device_teardown, .test_cases = cases };
kunit_test_suite(suite);
