// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_process_device_test.c - a process on a device: what every chip begins with, ACQUIRE_VM and its failures, trap handlers, TLBs */
#include "kunit/fail_nth.h"
#include "kunit/kfd_model/every_chip.h"
#include "kunit/kfd_model/fake_memory.h"
#include "process_fixture.h"

#include <linux/anon_inodes.h>
#include <linux/file.h>

#include "kfd_model/memory/kfd_memory.c"
#include "kfd_model/device/kfd_pdd.c"
#include "kfd_model/process/kfd_process_device.c"

static struct {
	int vms, contexts, slices, users_gone, terminated, told, forgotten;
	int vm_error, ctx_error, pasid_error, pasids;
	u32 pasid, flushed_pasid, flushed_vmid, type;
} fake;

int kfdm_mes_ctx_get(struct kfdm_device *dev, struct kfdm_mes_ctx *ctx)
{
	fake.contexts += !fake.ctx_error;
	return fake.ctx_error;
}

void kfdm_mes_ctx_put(struct kfdm_device *dev, struct kfdm_mes_ctx *ctx)
{
	fake.contexts--;
}

void kfdm_doorbell_slice_put(struct kfdm_process_device *pdd)
{
	fake.slices++;
}

void kfdm_device_put_user(struct kfdm_device *dev)
{
	atomic_dec(&dev->users);
}

int kfdm_pdd_take_pasid(struct kfdm_process_device *pdd)
{
	fake.pasids += !fake.pasid_error;
	return fake.pasid_error;
}

void kfdm_pdd_give_pasid(struct kfdm_process_device *pdd)
{
	fake.pasids--;
}

void kfdm_smi_process(struct kfdm_device *dev, struct kfdm_process *p, bool start)
{
	fake.told += start ? 1 : -1;
}

void kfdm_profiler_forget(struct kfdm_device *dev, const struct kfdm_process *p)
{
	fake.forgotten++;
}

int kfdm_dqm_terminate(struct kfdm_dqm *dqm, struct kfdm_qpd *qpd)
{
	fake.terminated++;
	return 0;
}

static int fake_vm_acquire(struct amdm_device *adev, struct file *drm_file, u32 pasid, struct amdm_vm **vm)
{
	if (fake.vm_error)
		return fake.vm_error;
	fake.vms++;
	fake.pasid = pasid;
	*vm = (struct amdm_vm *)&fake;
	return 0;
}

static void fake_vm_release(struct amdm_device *adev, struct amdm_vm *vm)
{
	fake.vms--;
}

static int fake_flush_pasid(struct amdm_device *adev, u32 pasid, enum kfd_bridge_tlb_flush type)
{
	fake.flushed_pasid = pasid;
	fake.type = type;
	return 0;
}

static void fake_flush_vmid(struct amdm_device *adev, u32 vmid)
{
	fake.flushed_vmid = vmid;
}

static const struct kfd2kgd_ops fake_kgd = {
	FAKE_MEMORY_OPS, .vm_acquire = fake_vm_acquire, .vm_release = fake_vm_release,
	.tlb_flush_pasid = fake_flush_pasid, .tlb_flush_vmid = fake_flush_vmid,
};

static const struct file_operations no_fops;
static struct file *render_node;

static int pdd_setup(struct kunit *test)
{
	struct process_fixture *f = process_fixture_get(test, &fake_kgd);

	memset(&fake, 0, sizeof(fake));
	memset(&fake_memory, 0, sizeof(fake_memory));
	f->chip.asic = &kfdm_asic_v9;
	f->dev[0].resources.gpuvm_size = 1ull << 47;
	f->dev[0].resources.non_cp_doorbells_start = 256;
	f->dev[0].resources.non_cp_doorbells_end = 399;
	render_node = anon_inode_getfile("kunit", &no_fops, NULL, O_RDWR);
	return PTR_ERR_OR_ZERO(render_node);
}

static void pdd_teardown(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, fake.vms, 0);
	KUNIT_EXPECT_EQ(test, fake.contexts, 0);
	KUNIT_EXPECT_EQ(test, fake_memory.buffers + fake_memory.maps + fake_memory.kmaps, 0);
	KUNIT_EXPECT_EQ(test, file_count(render_node), 1l);
	fput(render_node);
	flush_delayed_fput();	/* files that kernel threads close are closed later */
	process_fixture_put(test);
}

static struct kfdm_process_device *create(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfdm_process_device *pdd = kfdm_pdd_create(&f->p, &f->dev[0]);

	KUNIT_ASSERT_NOT_NULL(test, pdd);
	return pdd;
}

/* kfd_flat_memory.c: the driver's own pages lie below what user space may use; the windows of LDS and scratch do not overlap */
static void a_new_process(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfdm_process_device *pdd;

	f->dev[0].chip = test->param_value;
	pdd = create(test);
	KUNIT_EXPECT_EQ(test, (u32)pdd->qpd.map.pasid, PASID);
	KUNIT_EXPECT_EQ(test, pdd->index, 2u);
	KUNIT_EXPECT_EQ(test, atomic_read(&f->dev[0].users), 1);
	KUNIT_EXPECT_GE(test, pdd->apertures.gpuvm_base, pdd->apertures.cwsr_base + KFDM_CWSR_TBA_TMA_SIZE);
	KUNIT_EXPECT_GE(test, pdd->apertures.cwsr_base, pdd->apertures.ib_base + PAGE_SIZE);
	KUNIT_EXPECT_NE(test, pdd->apertures.ib_base, 0ull);
	KUNIT_EXPECT_EQ(test, pdd->apertures.gpuvm_limit, 0x7fffffffffffull);
	KUNIT_EXPECT_GT(test, pdd->apertures.scratch_base, pdd->apertures.lds_limit);
	KUNIT_EXPECT_EQ(test, pdd->apertures.lds_limit, pdd->apertures.lds_base | 0xffffffff);
	KUNIT_EXPECT_TRUE(test, test_bit(256, pdd->qpd.doorbell_ids));
	KUNIT_EXPECT_TRUE(test, test_bit(399 + 512, pdd->qpd.doorbell_ids));
	KUNIT_EXPECT_FALSE(test, test_bit(400, pdd->qpd.doorbell_ids));
	KUNIT_EXPECT_EQ(test, kfdm_pdd_bind(pdd), -ENODEV);
	kfdm_pdd_destroy(pdd);
	KUNIT_EXPECT_EQ(test, atomic_read(&f->dev[0].users), 0);
	KUNIT_EXPECT_EQ(test, fake.slices, 1);
}

static void a_process_without_memory(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	fake.ctx_error = -ENOMEM;
	KUNIT_EXPECT_NULL(test, kfdm_pdd_create(&f->p, &f->dev[0]));
	fake.ctx_error = 0;
	KUNIT_EXPECT_EQ(test, atomic_read(&f->dev[0].users), 0);
	FAIL_NTH_NEEDED(test);
	fail_nth_arm(1);
	KUNIT_EXPECT_NULL(test, kfdm_pdd_create(&f->p, &f->dev[0]));
	KUNIT_EXPECT_TRUE(test, fail_nth_disarm());
}

static void acquired_without_context_save(struct kunit *test)
{
	struct kfdm_process_device *pdd = create(test);

	KUNIT_EXPECT_EQ(test, kfdm_pdd_acquire_vm(pdd, render_node), 0);
	KUNIT_EXPECT_EQ(test, fake.pasid, PASID);
	KUNIT_EXPECT_EQ(test, kfdm_pdd_bind(pdd), 0);
	KUNIT_EXPECT_NOT_NULL(test, pdd->qpd.ib_kaddr);
	KUNIT_EXPECT_NULL(test, pdd->qpd.cwsr_kaddr);
	KUNIT_EXPECT_EQ(test, fake_memory.buffers, 1);
	kfdm_pdd_set_trap_handler(pdd, 0x1000, 0x2000);	/* the user's is the only one */
	KUNIT_EXPECT_EQ(test, (u64)pdd->qpd.map.tba_addr, 0x1000ull);
	KUNIT_EXPECT_EQ(test, (u64)pdd->qpd.map.tma_addr, 0x2000ull);
	kfdm_pdd_destroy(pdd);
}

/* kfd_process.c, kfd_process_device_init_cwsr_dgpu() and kfd_process_set_trap_handler(): the first-level handler finds the user's */
static void acquired_with_context_save(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfdm_process_device *pdd;
	u64 *tma;

	f->dev[0].cwsr_enabled = true;
	pdd = create(test);
	KUNIT_EXPECT_EQ(test, kfdm_pdd_acquire_vm(pdd, render_node), 0);
	KUNIT_EXPECT_EQ(test, fake_memory.buffers, 2);
	KUNIT_EXPECT_EQ(test, fake_memory.va, pdd->apertures.cwsr_base);
	KUNIT_EXPECT_EQ(test, fake_memory.flags & KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE, 0u);	/* the GPU only runs it */
	KUNIT_EXPECT_EQ(test, (u64)pdd->qpd.map.tba_addr, pdd->apertures.cwsr_base);
	KUNIT_EXPECT_EQ(test, (u64)pdd->qpd.map.tma_addr, pdd->apertures.cwsr_base + PAGE_SIZE);
	tma = pdd->qpd.cwsr_kaddr + PAGE_SIZE;
	kfdm_pdd_set_trap_handler(pdd, 0x1000, 0x2000);
	KUNIT_EXPECT_EQ(test, tma[0], 0x1000ull);
	KUNIT_EXPECT_EQ(test, tma[1], 0x2000ull);
	KUNIT_EXPECT_EQ(test, (u64)pdd->qpd.map.tba_addr, pdd->apertures.cwsr_base);
	kfdm_pdd_destroy(pdd);
}

static void one_file_for_life(struct kunit *test)
{
	struct kfdm_process_device *pdd = create(test);
	struct file *other = anon_inode_getfile("kunit", &no_fops, NULL, O_RDWR);

	KUNIT_ASSERT_FALSE(test, IS_ERR(other));
	fake.vm_error = -EINVAL;	/* it is a compute VM already, or no render node of this device */
	KUNIT_EXPECT_EQ(test, kfdm_pdd_acquire_vm(pdd, other), -EINVAL);
	KUNIT_EXPECT_NULL(test, pdd->drm_file);
	fake.vm_error = 0;
	KUNIT_EXPECT_EQ(test, kfdm_pdd_acquire_vm(pdd, render_node), 0);
	KUNIT_EXPECT_EQ(test, kfdm_pdd_acquire_vm(pdd, render_node), 0);
	KUNIT_EXPECT_EQ(test, kfdm_pdd_acquire_vm(pdd, other), -EBUSY);
	KUNIT_EXPECT_EQ(test, fake.vms, 1);
	KUNIT_EXPECT_EQ(test, file_count(render_node), 2l);
	kfdm_pdd_destroy(pdd);
	fput(other);
}

/* Every allocation of ACQUIRE_VM fails once; what it had is given back */
static void acquire_without_memory(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfdm_process_device *pdd;
	unsigned int nth = 1, refused = 0;
	bool failed;
	int ret;

	FAIL_NTH_NEEDED(test);
	f->dev[0].cwsr_enabled = true;
	do {
		pdd = create(test);
		fail_nth_arm(nth++);
		ret = kfdm_pdd_acquire_vm(pdd, render_node);
		failed = fail_nth_disarm();
		if (ret) {
			refused++;
			KUNIT_EXPECT_EQ(test, ret, -ENOMEM);
			KUNIT_EXPECT_EQ(test, kfdm_pdd_bind(pdd), -ENODEV);
			KUNIT_EXPECT_EQ(test, fake.vms + fake_memory.buffers + fake_memory.maps, 0);
			KUNIT_EXPECT_EQ(test, file_count(render_node), 1l);
		}
		kfdm_pdd_destroy(pdd);
	} while (failed);
	KUNIT_EXPECT_EQ(test, ret, 0);
	kunit_info(test, "%u refusals", refused);
}

static void tlb_flushes(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	kfdm_pdd_flush_tlb(&f->pdd[0], KFD_BRIDGE_TLB_HEAVYWEIGHT);
	KUNIT_EXPECT_EQ(test, fake.flushed_pasid, PASID);
	KUNIT_EXPECT_EQ(test, fake.type, (u32)KFD_BRIDGE_TLB_HEAVYWEIGHT);
	fake.flushed_pasid = 0;
	f->dqm[0].sched_policy = KFDM_SCHED_POLICY_NO_HWS;
	kfdm_pdd_flush_tlb(&f->pdd[0], KFD_BRIDGE_TLB_LEGACY);
	KUNIT_EXPECT_EQ(test, fake.flushed_vmid, 0u);	/* no queue, no VMID */
	f->pdd[0].qpd.vmid = 9;
	kfdm_pdd_flush_tlb(&f->pdd[0], KFD_BRIDGE_TLB_LEGACY);
	KUNIT_EXPECT_EQ(test, fake.flushed_vmid, 9u);
	KUNIT_EXPECT_EQ(test, fake.flushed_pasid, 0u);
}

/* What has been unmapped without a flush is flushed once, and not where the process has left. */
static void stale_tlbs(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	fake.flushed_pasid = 0;
	kfdm_process_flush_stale_tlbs(&f->p);
	KUNIT_EXPECT_EQ(test, fake.flushed_pasid, 0u);
	f->pdd[1].tlb_stale = true;
	kfdm_process_flush_stale_tlbs(&f->p);
	KUNIT_EXPECT_EQ(test, fake.flushed_pasid, PASID);
	KUNIT_EXPECT_EQ(test, fake.type, (u32)KFD_BRIDGE_TLB_HEAVYWEIGHT);
	fake.flushed_pasid = 0;
	kfdm_process_flush_stale_tlbs(&f->p);
	f->pdd[1].tlb_stale = true;
	f->pdd[1].dequeued = true;
	kfdm_process_flush_stale_tlbs(&f->p);
	KUNIT_EXPECT_EQ(test, fake.flushed_pasid, 0u);
	f->pdd[1].dequeued = false;
}

static void dequeued_once_and_found_by_id(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	static struct kfdm_device other;

	kfdm_pdd_dequeue(&f->pdd[0]);
	kfdm_pdd_dequeue(&f->pdd[0]);
	KUNIT_EXPECT_EQ(test, fake.terminated, 1);
	KUNIT_EXPECT_EQ(test, kfdm_pdd_bind(&f->pdd[0]), -ENODEV);	/* nothing may start there any more */
	KUNIT_EXPECT_PTR_EQ(test, kfdm_pdd_by_id(&f->p, GPU_1), &f->pdd[1]);
	KUNIT_EXPECT_NULL(test, kfdm_pdd_by_id(&f->p, NO_GPU));
	f->pdd[0].user_gpu_id = 0;	/* not in the topology yet */
	KUNIT_EXPECT_NULL(test, kfdm_pdd_by_id(&f->p, 0));
	KUNIT_EXPECT_PTR_EQ(test, kfdm_pdd_by_dev(&f->p, &f->dev[1]), &f->pdd[1]);
	KUNIT_EXPECT_NULL(test, kfdm_pdd_by_dev(&f->p, &other));
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(a_new_process, next_chip),
	KUNIT_CASE(a_process_without_memory),
	KUNIT_CASE(acquired_without_context_save),
	KUNIT_CASE(acquired_with_context_save),
	KUNIT_CASE(one_file_for_life),
	KUNIT_CASE(acquire_without_memory),
	KUNIT_CASE(tlb_flushes),
	KUNIT_CASE(stale_tlbs),
	KUNIT_CASE(dequeued_once_and_found_by_id),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_process_device", .init = pdd_setup, .exit = pdd_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
