// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_chardev_mmap_test.c - mmap of /dev/kfd by type and GPU, and how the device comes into being or does not */
#include "every_ioctl.h"
#include "kunit/kfd_model/process/process_fixture.h"

#include <linux/device.h>
#include <linux/fs.h>
#include <linux/mm.h>

#include "amdgpu_model/compat/kernel.h"

/* The steps of making the device; each can be made to fail. */
static struct {
	int fail_step, chrdevs, classes, devices;
	const char *device_name;
	dev_t device_number;
	const struct file_operations *fops;
} steps;

#define register_chrdev(number, name, ops)		fake_register_chrdev(ops)
#define unregister_chrdev(number, name)			(steps.chrdevs--)
#define kfdm_class_create(name)				fake_class_create()
#define class_destroy(class)				(steps.classes--)
#define device_create(class, parent, number, data, name)	fake_device_create(number, name)
#define device_destroy(class, number)			(steps.devices--)

static int fake_register_chrdev(const struct file_operations *ops)
{
	if (steps.fail_step == 1)
		return -EBUSY;
	steps.chrdevs++;
	steps.fops = ops;
	return 240;
}

static struct class *fake_class_create(void)
{
	if (steps.fail_step == 2)
		return ERR_PTR(-EEXIST);
	steps.classes++;
	return (struct class *)&steps;
}

static struct device *fake_device_create(dev_t number, const char *name)
{
	if (steps.fail_step == 3)
		return ERR_PTR(-ENOMEM);
	steps.devices++;
	steps.device_number = number;
	steps.device_name = name;
	return (struct device *)&steps.devices;
}

#include "kfd_model/device/kfd_class.c"
#include "kfd_model/ioctl/kfd_chardev.c"

/* What is refused is counted: amdgpu_refused_test.c. */
void amdm_refused(const char *what, u64 subject)
{
}

#define HANDLER(name)							\
	int kfdm_ioctl_##name(struct kfdm_process *p, void *data)	\
	{								\
		return -ENOTTY;						\
	}
EVERY_IOCTL(HANDLER)

struct kfdm_process *kfdm_process_open(void)
{
	return ERR_PTR(-ENODEV);
}

bool kfdm_is_locked(void)
{
	return false;
}

enum { NOTHING, EVENTS, DOORBELL, MMIO };
static int mapped, puts;
static struct kfdm_process_device *mapped_pdd;

void kfdm_process_close(struct kfdm_process *p)
{
}

struct kfdm_process *kfdm_process_create_context(struct kfdm_process *primary)
{
	return ERR_PTR(-ENOMEM);
}

void kfdm_process_put(struct kfdm_process *p)
{
	puts++;
}

int kfdm_events_mmap(struct kfdm_events *events, struct vm_area_struct *vma)
{
	mapped = EVENTS;
	return 0;
}

int kfdm_doorbell_mmap(struct kfdm_process_device *pdd, struct vm_area_struct *vma)
{
	mapped = DOORBELL;
	mapped_pdd = pdd;
	return 0;
}

static int fake_mmio(struct amdm_device *adev, struct vm_area_struct *vma)
{
	mapped = MMIO;
	mapped_pdd = NULL;
	return 0;
}

struct kfdm_process_device *kfdm_pdd_by_real_id(struct kfdm_process *p, u32 gpu_id)
{
	return gpu_id == GPU_0 ? p->pdds[0] : gpu_id == GPU_1 ? p->pdds[1] : NULL;
}

static const struct kfd2kgd_ops fake_kgd = { .mmio_mmap = fake_mmio };
static struct file filp;

static int mmap_setup(struct kunit *test)
{
	struct process_fixture *f = process_fixture_get(test, &fake_kgd);

	filp.private_data = &f->p;
	f->p.lead_thread = current->group_leader;
	f->p.mm = current->mm;
	mapped = NOTHING;
	puts = 0;
	memset(&steps, 0, sizeof(steps));
	return 0;
}

struct mmap_fact {
	const char *name;
	u64 type, gpu_id, bytes;
	unsigned long flags;
	int ret, mapped;
};

/* kfd_chardev.c, kfd_mmap(): type in bits 63:62, gpu_id in 61:46 of the offset */
static const struct mmap_fact facts[] = {
	{ "doorbells", 3, GPU_1, 8192, 0, 0, DOORBELL },
	{ "doorbells of no gpu", 3, NO_GPU, 8192, 0, -ENODEV, NOTHING },
	{ "doorbells of gpu 0", 3, 0, 8192, 0, -ENODEV, NOTHING },
	{ "events", 2, NO_GPU, 32768, 0, 0, EVENTS },
	{ "reserved memory of no APU", 1, GPU_0, 8192, 0, -EINVAL, NOTHING },
	{ "mmio", 0, GPU_0, PAGE_SIZE, 0, 0, MMIO },
	{ "mmio of no gpu", 0, 0, PAGE_SIZE, 0, -ENODEV, NOTHING },
	{ "two pages of mmio", 0, GPU_0, 2 * PAGE_SIZE, 0, -EINVAL, NOTHING },
	{ "code in doorbells", 3, GPU_1, 8192, VM_EXEC, -EPERM, NOTHING },
};

static void fact_name(const struct mmap_fact *fact, char *text)
{
	strscpy(text, fact->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(fact, facts, fact_name);

static void by_offset(struct kunit *test)
{
	const struct mmap_fact *fact = test->param_value;
	struct process_fixture *f = test->priv;
	struct vm_area_struct vma = {
		.vm_start = 0x10000, .vm_end = 0x10000 + fact->bytes, .vm_flags = VM_READ | VM_MAYEXEC | fact->flags,
		.vm_pgoff = (fact->type << 62 | fact->gpu_id << 46) >> PAGE_SHIFT,
	};

	KUNIT_EXPECT_EQ(test, kfd_mmap(&filp, &vma), fact->ret);
	KUNIT_EXPECT_EQ(test, mapped, fact->mapped);
	KUNIT_EXPECT_EQ(test, puts, 0);
	if (mapped == DOORBELL)
		KUNIT_EXPECT_PTR_EQ(test, mapped_pdd, &f->pdd[1]);
	/* Never copied by fork, grown, dumped, or made executable later. */
	KUNIT_EXPECT_EQ(test, vma.vm_flags & (VM_IO | VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP | VM_PFNMAP),
			(unsigned long)(VM_IO | VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP | VM_PFNMAP));
	KUNIT_EXPECT_EQ(test, vma.vm_flags & VM_MAYEXEC, 0ul);
}

static void for_its_own_process(struct kunit *test)
{
	struct vm_area_struct vma = { .vm_pgoff = 2ull << (62 - PAGE_SHIFT) };
	struct process_fixture *f = test->priv;

	f->p.mm = (struct mm_struct *)f;	/* after an exec */
	KUNIT_EXPECT_EQ(test, kfd_mmap(&filp, &vma), -EINVAL);
	kfdm_abi = &kfdm_abi_7_2;
	KUNIT_EXPECT_EQ(test, kfd_mmap(&filp, &vma), -EBADF);
	kfdm_abi = &kfdm_abi_6_1;
	f->p.mm = current->mm;
	f->p.lead_thread = NULL;
	KUNIT_EXPECT_EQ(test, kfd_mmap(&filp, &vma), -EINVAL);
	KUNIT_EXPECT_EQ(test, mapped, (int)NOTHING);
	f->p.lead_thread = current->group_leader;
	KUNIT_EXPECT_EQ(test, kfd_mmap(&filp, &vma), 0);
}

static void the_device_is_made_in_steps(struct kunit *test)
{
	static const int errors[] = { -EBUSY, -EEXIST, -ENOMEM };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		steps.fail_step = i + 1;
		KUNIT_EXPECT_EQ(test, kfdm_chardev_init(), errors[i]);
		KUNIT_EXPECT_EQ(test, steps.chrdevs, 0);
		KUNIT_EXPECT_EQ(test, steps.classes, 0);
		KUNIT_EXPECT_EQ(test, steps.devices, 0);
	}
	steps.fail_step = 0;
	KUNIT_EXPECT_EQ(test, kfdm_chardev_init(), 0);
	KUNIT_EXPECT_STREQ(test, steps.device_name, "kfd");
	KUNIT_EXPECT_EQ(test, steps.device_number, MKDEV(240, 0));
	KUNIT_EXPECT_PTR_EQ(test, kfdm_chardev_device(), (struct device *)&steps.devices);
	KUNIT_EXPECT_PTR_EQ(test, steps.fops, &kfd_fops);
	kfdm_chardev_fini();
	KUNIT_EXPECT_EQ(test, steps.chrdevs + steps.classes + steps.devices, 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(by_offset, fact_gen_params),
	KUNIT_CASE(for_its_own_process),
	KUNIT_CASE(the_device_is_made_in_steps),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_chardev_mmap", .init = mmap_setup, .exit = process_fixture_put, .test_cases = cases,
};
kunit_test_suite(suite);
