// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_amdkfd_test.c - adding, removing and resetting KFD's device; when it is called; the facts of a GPU that it gets; calls that a
 * generation does not have.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/unexported.h"
#include "amdgpu_model/compat/machine.h"
#include "amdgpu_model/glue/glue.h"
#include "amdgpu_model/hw/regs.h"

static u32 fresh_rreg(struct amdm_device *adev, u32 name)
{
	return name == mmCP_IQ_WAIT_TIME2 ? 0x40404040 : 0;
}
#define amdm_rreg	fresh_rreg

#include "amdgpu_model/base/amdgpu_kfd_dock.c"
#include "amdgpu_model/kfd/amdgpu_amdkfd.c"
#include "amdgpu_model/pm/amdgpu_pm.c"

/* Functions of the bridge's table that are not called here; each is tested in its own suite. */
static void __used not_called(void)
{
	BUG();
}

#define NOT_CALLED(name)	asm(".set " #name ", not_called\n\t.hidden " #name)
NOT_CALLED(amdm_doorbell_reset);
NOT_CALLED(amdm_doorbell_write32);
NOT_CALLED(amdm_doorbell_write64);
NOT_CALLED(amdm_gfx_clock);
NOT_CALLED(amdm_glue_wait_begin);
NOT_CALLED(amdm_glue_wait_is_over);
NOT_CALLED(amdm_gtt_destroy);
NOT_CALLED(amdm_kgd_dmabuf_info);
NOT_CALLED(amdm_kgd_hiq_mqd_load);
NOT_CALLED(amdm_kgd_hqd_is_occupied);
NOT_CALLED(amdm_kgd_hqd_sdma_destroy);
NOT_CALLED(amdm_kgd_hqd_sdma_dump);
NOT_CALLED(amdm_kgd_hqd_sdma_is_occupied);
NOT_CALLED(amdm_kgd_hqd_sdma_load);
NOT_CALLED(amdm_gfx_init_interrupts);
NOT_CALLED(amdm_kgd_mem_alloc);
NOT_CALLED(amdm_kgd_mem_dmabuf);
NOT_CALLED(amdm_kgd_mem_export);
NOT_CALLED(amdm_kgd_mem_free);
NOT_CALLED(amdm_kgd_mem_import);
NOT_CALLED(amdm_kgd_mem_info);
NOT_CALLED(amdm_kgd_mem_kmap);
NOT_CALLED(amdm_kgd_mem_kunmap);
NOT_CALLED(amdm_kgd_mem_is_refused);
NOT_CALLED(amdm_kgd_mem_map);
NOT_CALLED(amdm_kgd_mem_unmap);
NOT_CALLED(amdm_kgd_tlb_flush_pasid);
NOT_CALLED(amdm_kgd_tlb_flush_vmid);
NOT_CALLED(amdm_kgd_vm_acquire);
NOT_CALLED(amdm_kgd_vm_evicted);
NOT_CALLED(amdm_kgd_vm_fault_info);
NOT_CALLED(amdm_kgd_vm_fault_vmid);
NOT_CALLED(amdm_kgd_vm_hold);
NOT_CALLED(amdm_kgd_vm_release);
NOT_CALLED(amdm_kgd_vm_restore);
NOT_CALLED(amdm_kgd_vm_unhold);
NOT_CALLED(amdm_kgd_set_launch_mode);
NOT_CALLED(amdm_kgd_set_trap_mask);
NOT_CALLED(amdm_kgd_set_watch);
NOT_CALLED(amdm_kgd_vm_is_used);
NOT_CALLED(amdm_kgd_vm_refuse);
NOT_CALLED(amdm_kgd_svm_move);
NOT_CALLED(amdm_kgd_vmid_pasid);
NOT_CALLED(amdm_kgd_wave_control);
NOT_CALLED(amdm_limit_vram_available);
NOT_CALLED(amdm_limits_get);
NOT_CALLED(amdm_vm_page_table_base);

#define VA_END	(1ULL << 47)

struct amdm_parameters amdm_param;

static struct {
	char order[16];		/* i device_init, x device_exit, I interrupt, < pre_reset, > post_reset, s suspend, r resume, q quiesce, u userptr, e evict */
	u32 at;
	int init_answer, gtt_answer;
	struct kgd2kfd_facts facts;
	struct kgd2kfd_resources resources;
	struct amdm_device *adev;	/* the device that device_exit asks for facts */
	u32 resets;
	void *busy;		/* the KFD object that a process has */
} kfd_seen;

static void note(char what)
{
	if (kfd_seen.at < sizeof(kfd_seen.order) - 1)
		kfd_seen.order[kfd_seen.at++] = what;
}

static void expect(struct kunit *test, const char *order)
{
	KUNIT_EXPECT_STREQ(test, kfd_seen.order, order);
	memset(kfd_seen.order, 0, sizeof(kfd_seen.order));
	kfd_seen.at = 0;
}

static int fake_device_init(struct amdm_device *adev, struct amdm_xcp *xcp, const struct kgd2kfd_facts *facts,
			    const struct kgd2kfd_resources *resources, void **kfd)
{
	note('i');
	kfd_seen.facts = *facts;
	kfd_seen.resources = *resources;
	*kfd = xcp;
	return kfd_seen.init_answer;
}

/* While it goes: no interrupt comes any more, and a process that ends does not wait for it. */
static void fake_device_exit(void *kfd)
{
	static const u32 cookie[8];

	note('x');
	if (!kfd_seen.adev)
		return;
	local_irq_disable();
	amdm_kfd_interrupt(kfd_seen.adev, cookie);
	local_irq_enable();
	amdm_kfd_mm_ending(kfd_seen.adev, NULL);
}

static int fake_lock(void *kfd)
{
	note('l');
	return kfd_seen.busy == kfd ? -EBUSY : 0;
}

static void fake_unlock(void *kfd)
{
	note('u');
}

static void fake_interrupt(void *kfd, const u32 *ih_entry)
{
	note('I');
}

static int fake_pre_reset(void *kfd, const char *cause)
{
	note('<');
	return 0;
}

static int fake_post_reset(void *kfd)
{
	note('>');
	return 0;
}

static void fake_suspend(void *kfd)
{
	note('s');
}

static int fake_resume(void *kfd)
{
	note('r');
	return -EIO;
}

static int fake_quiesce(struct mm_struct *mm, u32 trigger)
{
	note(trigger == KFD_QUEUE_EVICTION_TRIGGER_USERPTR ? 'q' : '?');
	return 0;
}

static void fake_userptr(struct mm_struct *mm)
{
	note('u');
}

static void fake_evict(struct mm_struct *mm)
{
	note('e');
}

static const struct kgd2kfd_ops fake_kfd = {
	.device_init = fake_device_init,
	.device_exit = fake_device_exit, .lock = fake_lock, .unlock = fake_unlock,
	.interrupt = fake_interrupt,
	.pre_reset = fake_pre_reset,
	.post_reset = fake_post_reset,
	.suspend = fake_suspend,
	.resume = fake_resume,
	.quiesce_mm = fake_quiesce,
	.userptr_invalidated = fake_userptr,
	.evict_and_restore = fake_evict,
};

struct amdm_gtt *amdm_gtt_create(struct amdm_device *adev, size_t size)
{
	static struct amdm_gtt gtt = { .addr = 0x123000, .cpu = &gtt };

	return kfd_seen.gtt_answer ? ERR_PTR(kfd_seen.gtt_answer) : &gtt;
}

int amdm_doorbell_mmap(struct amdm_device *adev, struct vm_area_struct *vma, u32 offset, u32 size, struct drm_gem_object *obj)
{
	return -EINVAL;
}

u64 amdm_va_end(const struct amdm_device *adev)
{
	return VA_END;
}

u64 amdm_va_table_end(const struct amdm_device *adev)
{
	return 2 * VA_END;
}

/* Two of them */
bool amdm_gfx_owns_queue(const struct amdm_device *adev, u32 pipe, u32 queue)
{
	return queue == 2 && pipe < 2;
}

static void count_reset(struct work_struct *work)
{
	kfd_seen.resets++;
}

static struct {
	u32 vmid;
	u64 base;
} page_table;

int amdm_xcp_render_minor(const struct amdm_xcp *xcp)
{
	return xcp->adev->ddev.render->index + xcp->id;
}

static void set_page_table(struct amdm_xcp *xcp, u32 vmid, u64 base)
{
	page_table.vmid = vmid;
	page_table.base = base;
}

static const struct amdm_kfd_gen poor_generation = { .set_vm_context_page_table_base = set_page_table };
static const struct sdma_layout layout = { .engines = 2 };
static const struct amdm_doorbell_assignment doorbells = {
	.sdma = { 0x100, 0x10a }, .non_cp_start = 0x100, .non_cp_end = 0x18f, .max_assignment = 0x18f << 1,
	.paging = 0x400,
};
static const struct amdm_chip chip = {
	.gfx_target = 90006, .num_se = 4, .num_sh = 1, .cu_built = 16, .clock_mhz = 1801, .memory_mhz = 1000, .vram_bits = 4096,
};

struct kfd_bed {
	struct amdm_device adev[2];
	struct amdm_asic asic;
	struct hw_generation gen;
	struct pci_dev pdev;
	struct pci_bus bus;
	struct pci_sysdata sysdata;
	struct drm_minor render;
};

static int kfd_setup(struct kunit *test)
{
	struct kfd_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);
	u32 i;

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&kfd_seen, 0, sizeof(kfd_seen));
	bed->gen = (struct hw_generation){
		.ip_versions = true, .mecs = 2, .simds_per_cu = 4, .waves_per_simd = 10, .wave_lanes = 64,
	};
	bed->asic = (struct amdm_asic){
		.die = {
			.name = "vega20", .gc_version = 0x090400, .sdma_version = 0x040200, .xgmi = true, .noretry = true,
			.mec_fw = 0x1ff, .sdma_fw = 145, .gb_addr_config = 0x2a114042, .gws = 64,
		},
		.gen = &bed->gen, .doorbells = &doorbells, .kfd = &poor_generation,
	};
	kfdm_bus_set_domain(&bed->bus, &bed->sysdata, 3);
	bed->bus.number = 0x41;
	bed->pdev.bus = &bed->bus;
	bed->pdev.devfn = PCI_DEVFN(2, 0);
	bed->pdev.vendor = 0x1002;
	bed->pdev.device = 0x66af;
	bed->pdev.subsystem_device = 0x081e;
	bed->pdev.revision = 0xc1;
	bed->pdev.dev.init_name = "model";
	bed->render.index = 129;
	for (i = 0; i < 2; i++) {
		struct amdm_device *adev = &bed->adev[i];

		adev->index = i;
		adev->num_xcps = 1;
		adev->xcp[0] = (struct amdm_xcp){ .adev = adev, .num_xcc = 1 };
		adev->asic = &bed->asic;
		adev->chip = &chip;
		adev->sdma = &layout;
		adev->pdev = &bed->pdev;
		adev->ddev.render = &bed->render;
		adev->vram.size = 16ULL << 30;
		adev->cu_active = 60;
		adev->hive_id = 0x1234;
		adev->xgmi_to_cpu = i;
		adev->cu_bitmap[0][3][0] = 0x7fff;
		spin_lock_init(&adev->kfd_lock);
		INIT_WORK(&adev->reset_work, count_reset);
	}
	return 0;
}

/* Each suite's file has a state of its own: it is left as it was found. */
static void kfd_teardown(struct kunit *test)
{
	struct kfd_bed *bed = test->priv;

	kfd_seen.adev = NULL;
	KUNIT_EXPECT_FALSE(test, rwsem_is_locked(&amdm_kfd_dock.sem));
	amdm_kfd_detach();
	amdm_kfd_remove(&bed->adev[0]);
	amdm_kfd_remove(&bed->adev[1]);
	KUNIT_EXPECT_NULL(test, amdm_kfd_dock.ops);
}

static void attach(struct kunit *test)
{
	const struct kfd2kgd_ops *kgd = NULL;

	KUNIT_ASSERT_EQ(test, amdm_kfd_attach(&fake_kfd, &kgd), 0);
	KUNIT_EXPECT_PTR_EQ(test, kgd, &amdm_kgd_ops);
}

static void gpus_before_and_after_kfd(struct kunit *test)
{
	struct kfd_bed *bed = test->priv;
	const struct kfd2kgd_ops *kgd = NULL;

	amdm_kfd_add(&bed->adev[0]);
	expect(test, "");
	attach(test);
	expect(test, "i");
	KUNIT_EXPECT_EQ(test, amdm_kfd_attach(&fake_kfd, &kgd), -EBUSY);
	KUNIT_EXPECT_NULL(test, kgd);
	amdm_kfd_add(&bed->adev[1]);
	expect(test, "i");
	amdm_kfd_remove(&bed->adev[0]);
	expect(test, "x");
	amdm_kfd_detach();
	expect(test, "x");
	attach(test);
	expect(test, "i");	/* the first one has gone */
}

static void who_is_told_what(struct kunit *test)
{
	static const u32 cookie[8];
	struct kfd_bed *bed = test->priv;
	u32 i;

	for (i = 0; i < 2; i++) {
		local_irq_disable();
		amdm_kfd_interrupt(&bed->adev[0], cookie);
		local_irq_enable();
		amdm_kfd_userptr_invalidated(&bed->adev[0], NULL);
		amdm_kfd_evict_and_restore(&bed->adev[0], NULL);
		amdm_kfd_mm_ending(&bed->adev[0], NULL);
		amdm_kfd_resets_begin();
		amdm_kfd_pre_reset(&bed->adev[0], "HWS hang");
		amdm_kfd_post_reset(&bed->adev[0]);
		amdm_kfd_resets_end();
		amdm_kfd_suspend(&bed->adev[0]);
		KUNIT_EXPECT_EQ(test, amdm_kfd_resume(&bed->adev[0]), i ? -EIO : 0);
		expect(test, i ? "Iueq<>sr" : "");
		if (i)
			break;
		amdm_kfd_add(&bed->adev[0]);
		attach(test);
		expect(test, "i");
	}
}

static void a_gpu_that_kfd_does_not_take(struct kunit *test)
{
	static const u32 cookie[8];
	struct kfd_bed *bed = test->priv;

	kfd_seen.init_answer = -ENODEV;
	amdm_kfd_add(&bed->adev[0]);
	attach(test);
	expect(test, "i");
	local_irq_disable();
	amdm_kfd_interrupt(&bed->adev[0], cookie);
	local_irq_enable();
	amdm_kfd_resets_begin();
	amdm_kfd_pre_reset(&bed->adev[0], "HWS hang");
	amdm_kfd_post_reset(&bed->adev[0]);
	amdm_kfd_resets_end();
	amdm_kfd_remove(&bed->adev[0]);
	expect(test, "");
}

static void cut_off_before_it_goes(struct kunit *test)
{
	struct kfd_bed *bed = test->priv;

	amdm_kfd_add(&bed->adev[0]);
	attach(test);
	expect(test, "i");
	kfd_seen.adev = &bed->adev[0];
	amdm_kfd_remove(&bed->adev[0]);
	expect(test, "x");
}

/* During a reset no device is added or removed, and a process that ends does not wait. */
static void a_reset_keeps_others_out(struct kunit *test)
{
	struct kfd_bed *bed = test->priv;

	amdm_kfd_add(&bed->adev[0]);
	attach(test);
	amdm_kfd_resets_begin();
	amdm_kfd_pre_reset(&bed->adev[0], "HWS hang");
	KUNIT_EXPECT_FALSE(test, down_read_trylock(&amdm_kfd_dock.sem));
	amdm_kfd_mm_ending(&bed->adev[0], NULL);
	amdm_kfd_post_reset(&bed->adev[0]);
	amdm_kfd_resets_end();
	expect(test, "i<>");
}

static void facts_of_a_gpu(struct kunit *test)
{
	const struct kgd2kfd_facts *facts = &kfd_seen.facts;
	struct kfd_bed *bed = test->priv;

	attach(test);
	amdm_kfd_add(&bed->adev[1]);
	KUNIT_EXPECT_STREQ(test, facts->name, "vega20");
	KUNIT_EXPECT_EQ(test, facts->gc_version, 0x090400u);
	KUNIT_EXPECT_EQ(test, facts->pci_domain, 3u);
	KUNIT_EXPECT_EQ(test, facts->pci_location, 0x4110u);	/* bus 0x41, device 2 */
	KUNIT_EXPECT_EQ(test, facts->pci_vendor << 16 | facts->pci_device, 0x100266af);
	KUNIT_EXPECT_EQ(test, facts->pci_revision, 0xc1u);
	KUNIT_EXPECT_EQ(test, facts->vram_public, 16ULL << 30);
	KUNIT_EXPECT_EQ(test, facts->vram_private, 0ULL);
	KUNIT_EXPECT_EQ(test, facts->cu_bitmap[0][3][0], 0x7fffu);
	KUNIT_EXPECT_EQ(test, facts->cu_active, 60u);
	KUNIT_EXPECT_EQ(test, facts->sdma_engines, 2u);
	KUNIT_EXPECT_EQ(test, facts->engine_clk_mhz, 1801u);
	KUNIT_EXPECT_TRUE(test, facts->noretry && facts->xgmi_supported && !facts->enable_mes);
	KUNIT_EXPECT_NE(test, facts->unique_id, 0ULL);
	KUNIT_EXPECT_EQ(test, facts->hive_id, 0x1234ULL);
	KUNIT_EXPECT_EQ(test, facts->xgmi_hops * facts->xgmi_links, 1u);
	KUNIT_EXPECT_TRUE(test, facts->xgmi_to_cpu);
	amdm_kfd_remove(&bed->adev[1]);
	bed->gen.ip_versions = false;
	amdm_kfd_add(&bed->adev[0]);
	KUNIT_EXPECT_EQ(test, facts->gc_version | facts->sdma_version, 0u);
}

static void what_the_die_says(struct kunit *test)
{
	struct kfd_bed *bed = test->priv;

	attach(test);
	bed->asic.die.noretry = false;
	bed->asic.die.mes = true;
	amdm_kfd_add(&bed->adev[0]);
	KUNIT_EXPECT_FALSE(test, kfd_seen.facts.noretry);
	KUNIT_EXPECT_TRUE(test, kfd_seen.facts.enable_mes);
	amdm_kfd_remove(&bed->adev[0]);
}

/* amdgpu_amdkfd_device_init(), amdgpu_device_doorbell_init() */
static void what_kfd_gets(struct kunit *test)
{
	const struct kgd2kfd_resources *resources = &kfd_seen.resources;
	struct kfd_bed *bed = test->priv;

	attach(test);
	amdm_kfd_add(&bed->adev[0]);
	KUNIT_EXPECT_EQ(test, resources->compute_vmid_bitmap, 0xff00u);
	KUNIT_EXPECT_EQ(test, bitmap_weight(resources->cp_queue_bitmap, 128), 30);
	KUNIT_EXPECT_FALSE(test, test_bit(2, resources->cp_queue_bitmap) || test_bit(10, resources->cp_queue_bitmap));
	KUNIT_EXPECT_FALSE(test, test_bit(32, resources->cp_queue_bitmap));	/* MEC2 is not KFD's */
	KUNIT_EXPECT_EQ(test, resources->sdma_doorbell_idx[1], 0x10au);
	KUNIT_EXPECT_EQ(test, resources->non_cp_doorbells_end, 0x18fu);
	KUNIT_EXPECT_EQ(test, resources->doorbell_start_offset, (0x31e + 1 + 0x400) * 4u);
	KUNIT_EXPECT_EQ(test, resources->doorbell_aperture_bytes, 2u << 20);
	KUNIT_EXPECT_EQ(test, resources->gpuvm_size, VA_END);
	KUNIT_EXPECT_EQ(test, resources->va_size, 2 * VA_END);
	KUNIT_EXPECT_EQ(test, resources->drm_render_minor, 129);
}

/* Each is a GPU to KFD, with its dies and its render node (Linux 7.2: kgd2kfd_device_init()). */
static void partitions_of_a_gpu(struct kunit *test)
{
	struct kfd_bed *bed = test->priv;
	struct amdm_device *adev = &bed->adev[0];
	static const u32 cookie[8];
	u32 i;

	adev->num_xcc = 8;
	adev->num_xcps = 2;
	for (i = 0; i < 2; i++)
		adev->xcp[i] = (struct amdm_xcp){ .adev = adev, .id = i, .first_xcc = 4 * i, .num_xcc = 4 };
	adev->cu_bitmap[5][1][0] = 0xff;
	amdm_kfd_add(adev);
	attach(test);
	expect(test, "ii");
	KUNIT_EXPECT_EQ(test, kfd_seen.facts.partition, 1u);
	KUNIT_EXPECT_EQ(test, kfd_seen.facts.partitions, 2u);
	KUNIT_EXPECT_FALSE(test, kfd_seen.facts.die_is_partition);
	KUNIT_EXPECT_EQ(test, kfd_seen.facts.first_xcc, 4u);
	KUNIT_EXPECT_EQ(test, kfd_seen.facts.num_xcc, 4u);
	KUNIT_EXPECT_EQ(test, kfd_seen.facts.physical_xcc[1], 5u);
	KUNIT_EXPECT_EQ(test, kfd_seen.facts.cu_bitmap[1][1][0], 0xffu);
	KUNIT_EXPECT_EQ(test, kfd_seen.resources.drm_render_minor, 130);
	local_irq_disable();
	amdm_kfd_interrupt(adev, cookie);
	local_irq_enable();
	expect(test, "II");
	amdm_kfd_pre_reset(adev, "test");
	amdm_kfd_post_reset(adev);
	expect(test, "<<>>");
	amdm_kfd_remove(adev);
	expect(test, "xx");
	local_irq_disable();
	amdm_kfd_interrupt(adev, cookie);
	local_irq_enable();
	expect(test, "");
}

/* amdgpu_amdkfd_check_and_lock_kfd(): all partitions go, or none does. */
static void partitions_leave_together(struct kunit *test)
{
	struct kfd_bed *bed = test->priv;
	struct amdm_device *adev = &bed->adev[0];

	adev->num_xcps = 2;
	adev->xcp[1] = (struct amdm_xcp){ .adev = adev, .id = 1, .first_xcc = 1, .num_xcc = 1 };
	KUNIT_EXPECT_EQ(test, amdm_kfd_leave(adev), 0);	/* without KFD */
	amdm_kfd_return(adev);
	expect(test, "");
	amdm_kfd_add(adev);
	attach(test);
	expect(test, "ii");
	kfd_seen.busy = &adev->xcp[1];
	KUNIT_EXPECT_EQ(test, amdm_kfd_leave(adev), -EBUSY);
	KUNIT_EXPECT_FALSE(test, rwsem_is_locked(&amdm_kfd_dock.sem));
	expect(test, "llu");
	kfd_seen.busy = NULL;
	KUNIT_EXPECT_EQ(test, amdm_kfd_leave(adev), 0);
	expect(test, "llxx");
	KUNIT_EXPECT_TRUE(test, rwsem_is_locked(&amdm_kfd_dock.sem));
	adev->num_xcps = 1;
	amdm_kfd_return(adev);
	expect(test, "i");
	amdm_kfd_remove(adev);
}

/** struct entry_case - partitions of eight dies, an entry's node and VMID, and whose it is */
struct entry_case {
	u32 partitions, node, vmid, xcp;
};

/* Interposer die k is node 4k, its compute dies 4k + 1 and 4k + 2. */
static const struct entry_case entry_cases[] = {
	{ 1, 14, 9, 0 }, { 2, 6, 9, 0 }, { 2, 9, 9, 1 }, { 2, 12, 15, 1 }, { 4, 8, 8, 2 }, { 4, 14, 15, 3 },
	{ 8, 1, 15, 0 }, { 8, 2, 8, 1 }, { 8, 14, 8, 7 }, { 8, 4, 11, 2 }, { 8, 4, 12, 3 }, { 8, 255, 8, 7 },
};

static void entries_of_partitions(struct kunit *test)
{
	struct amdm_device *adev = &((struct kfd_bed *)test->priv)->adev[0];
	u32 i, n;

	for (i = 0; i < ARRAY_SIZE(entry_cases); i++) {
		const struct entry_case *c = &entry_cases[i];

		adev->num_xcps = c->partitions;
		for (n = 0; n < c->partitions; n++)
			adev->xcp[n].num_xcc = 8 / c->partitions;
		KUNIT_EXPECT_EQ_MSG(test, (u32)(amdm_kfd_xcp_of(adev, c->node, c->vmid) - adev->xcp), c->xcp, "row %u", i);
	}
	adev->num_xcps = 1;
	adev->xcp[0].num_xcc = 1;
	KUNIT_EXPECT_PTR_EQ(test, amdm_kfd_xcp_of(adev, 0, 15), &adev->xcp[0]);
}

static void calls_that_a_generation_has_not(struct kunit *test)
{
	struct kfd_bed *bed = test->priv;
	struct amdm_device *adev = &bed->adev[0];
	struct amdm_xcp *xcp = &adev->xcp[0];
	u32 waves = 77, most = 77, reg;

	amdm_kgd_ops.program_trap_handler(xcp, 8, 1, 2);
	amdm_kgd_ops.set_scratch_backing_va(adev, 1, 8);
	KUNIT_EXPECT_EQ(test, amdm_kgd_ops.submit_ib(adev, 8, 0, NULL, 0), -EOPNOTSUPP);
	amdm_kgd_ops.get_cu_occupancy(xcp, 1, &waves, &most);
	KUNIT_EXPECT_EQ(test, waves << 8 | most, 1u);
	/* VMIDs below are amdgpu's. */
	amdm_kgd_ops.set_vm_context_page_table_base(xcp, 7, 0x1000);
	KUNIT_EXPECT_EQ(test, page_table.base, 0ULL);
	amdm_kgd_ops.set_vm_context_page_table_base(xcp, 8, 0x1000);
	KUNIT_EXPECT_EQ(test, page_table.vmid, 8u);
	KUNIT_EXPECT_EQ(test, page_table.base, 0x1000ULL);
	KUNIT_EXPECT_EQ(test, amdm_kgd_ops.gb_addr_config(adev), 0x2a114042u);
	KUNIT_EXPECT_EQ(test, amdm_kgd_ops.iq_wait_times(adev, &reg), 0x40404040u);
	KUNIT_EXPECT_EQ(test, reg, 0x30b0u);
}

static void memory_of_the_kernel(struct kunit *test)
{
	struct kfd_bed *bed = test->priv;
	struct amdm_gtt *mem = NULL;
	void *cpu = NULL;
	u64 addr = 0;

	KUNIT_EXPECT_EQ(test, amdm_kgd_ops.gtt_alloc(&bed->adev[0], 4096, &mem, &addr, &cpu), 0);
	KUNIT_EXPECT_EQ(test, addr, 0x123000ULL);
	KUNIT_EXPECT_PTR_EQ(test, cpu, (void *)mem);
	kfd_seen.gtt_answer = -ENOMEM;
	mem = NULL;
	KUNIT_EXPECT_EQ(test, amdm_kgd_ops.gtt_alloc(&bed->adev[0], 4096, &mem, &addr, &cpu), -ENOMEM);
	KUNIT_EXPECT_NULL(test, mem);
}

static void the_flush_page_is_one_page(struct kunit *test)
{
	struct vm_area_struct vma = { .vm_start = 0x10000, .vm_end = 0x10000 + 2 * PAGE_SIZE };
	struct kfd_bed *bed = test->priv;

	KUNIT_EXPECT_EQ(test, amdm_kgd_ops.mmio_mmap(&bed->adev[0], &vma), -EINVAL);
	vma.vm_end = vma.vm_start;
	KUNIT_EXPECT_EQ(test, amdm_kgd_ops.mmio_mmap(&bed->adev[0], &vma), -EINVAL);
	KUNIT_EXPECT_EQ(test, vma.vm_flags, 0ul);
}

static void kfd_asks_for_a_reset(struct kunit *test)
{
	struct kfd_bed *bed = test->priv;

	amdm_kgd_ops.gpu_reset(&bed->adev[0]);
	flush_work(&bed->adev[0].reset_work);
	KUNIT_EXPECT_EQ(test, kfd_seen.resets, 1u);
	KUNIT_EXPECT_STREQ(test, bed->adev[0].reset_cause, "HWS hang");
}

static struct kunit_case cases[] = {
	KUNIT_CASE(gpus_before_and_after_kfd),
	KUNIT_CASE(who_is_told_what),
	KUNIT_CASE(a_gpu_that_kfd_does_not_take),
	KUNIT_CASE(cut_off_before_it_goes),
	KUNIT_CASE(a_reset_keeps_others_out),
	KUNIT_CASE(facts_of_a_gpu),
	KUNIT_CASE(what_the_die_says),
	KUNIT_CASE(what_kfd_gets),
	KUNIT_CASE(partitions_of_a_gpu),
	KUNIT_CASE(partitions_leave_together),
	KUNIT_CASE(entries_of_partitions),
	KUNIT_CASE(calls_that_a_generation_has_not),
	KUNIT_CASE(memory_of_the_kernel),
	KUNIT_CASE(the_flush_page_is_one_page),
	KUNIT_CASE(kfd_asks_for_a_reset),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_amdkfd", .init = kfd_setup, .exit = kfd_teardown, .test_cases = cases };
kunit_test_suite(suite);
