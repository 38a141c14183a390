// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_ioctl_queue_test.c - queue ioctls: order and errno of their checks, doorbell offsets of every chip, outputs of failed calls */
#include "kunit/fail_nth.h"
#include "kunit/kfd_model/every_chip.h"
#include "kunit/kfd_model/process/process_device.h"
#include "kunit/kfd_model/process/process_fixture.h"
#include "kunit/kfd_model/user_space.h"

#include "kfd_model/ioctl/kfd_ioctl_queue.c"

static struct {
	int slice_error, error;
	u32 calls, queue_id, num_gws, new_queues, deleted;
	struct kfdm_queue queue;
	struct kfdm_queue_properties properties;
	struct kfdm_cu_mask mask;
} fake;

static int called(struct kfdm_process *p, u32 queue_id)
{
	lockdep_assert_held(&p->mutex);
	fake.calls++;
	fake.queue_id = queue_id;
	return fake.error;
}

int kfdm_doorbell_slice_get(struct kfdm_process_device *pdd)
{
	return fake.slice_error;
}

int kfdm_queue_create(struct kfdm_process_device *pdd, const struct kfdm_queue_properties *properties, u32 *queue_id,
		      u32 *doorbell_offset)
{
	fake.properties = *properties;
	*queue_id = 5;
	*doorbell_offset = 0x7f8;
	return called(pdd->process, 5);
}

bool kfdm_debug_raise_new_queue(struct kfdm_process *p, u32 queue_id)
{
	fake.new_queues += queue_id == 5;
	return false;
}

bool kfdm_debug_raise_device(struct kfdm_process_device *pdd, u64 exceptions, const struct kfd_hsa_memory_exception_data *fault)
{
	fake.deleted += exceptions == KFD_EC_MASK(EC_DEVICE_QUEUE_DELETE);
	return false;
}

struct kfdm_queue *kfdm_queue_find(struct kfdm_process *p, u32 queue_id)
{
	return queue_id == 3 ? &fake.queue : NULL;
}

int kfdm_queue_destroy(struct kfdm_process *p, u32 queue_id)
{
	return called(p, queue_id);
}

int kfdm_queue_update(struct kfdm_process *p, u32 queue_id, const struct kfd_ioctl_update_queue_args *args)
{
	return called(p, queue_id);
}

int kfdm_queue_set_cu_mask(struct kfdm_process *p, u32 queue_id, const struct kfdm_cu_mask *mask)
{
	fake.mask = *mask;
	return called(p, queue_id);
}

int kfdm_queue_wave_state(struct kfdm_process *p, u32 queue_id, void __user *ctl_stack, u32 *ctl_stack_used, u32 *save_area_used)
{
	*ctl_stack_used = 0x40;
	*save_area_used = 0x8000;
	return called(p, queue_id);
}

int kfdm_queue_set_gws(struct kfdm_process *p, u32 queue_id, u32 num_gws)
{
	fake.num_gws = num_gws;
	return called(p, queue_id);
}

/* No address space is acquired here. */
struct kfdm_bo *kfdm_bo_create_internal(struct kfdm_process_device *pdd, u64 va, u64 size, u32 flags, void **cpu)
{
	return ERR_PTR(-ENOMEM);
}

void kfdm_bo_destroy_internal(struct kfdm_bo *bo, bool mapped_by_cpu)
{
}

static const struct kfd2kgd_ops fake_kgd;

static int ioctl_setup(struct kunit *test)
{
	process_fixture_get(test, &fake_kgd);
	memset(&fake, 0, sizeof(fake));
	user_space_begin(test);
	return 0;
}

static void ioctl_teardown(struct kunit *test)
{
	user_space_end();
	process_fixture_put(test);
}

static struct kfd_ioctl_create_queue_args good_args(void)
{
	return (struct kfd_ioctl_create_queue_args){
		.ring_base_address = user_page, .write_pointer_address = user_page, .read_pointer_address = user_page,
		.ring_size = 4096, .gpu_id = GPU_0, .queue_type = KFD_IOC_QUEUE_TYPE_COMPUTE_AQL, .queue_percentage = 100,
		.queue_priority = 7, .queue_id = 99, .doorbell_offset = 99,
	};
}

static int create(struct kunit *test, struct kfd_ioctl_create_queue_args *args)
{
	return kfdm_ioctl_create_queue(&((struct process_fixture *)test->priv)->p, args);
}

/* kfd_chardev.c, kfd_ioctl_create_queue(): arguments, then device, then address space, then doorbells */
static void create_checks_in_order(struct kunit *test)
{
	struct kfd_ioctl_create_queue_args args = good_args();

	args.gpu_id = NO_GPU;
	args.queue_type = 4;
	args.queue_percentage = 101;
	fake.slice_error = -ENOMEM;
	KUNIT_EXPECT_EQ(test, create(test, &args), -EINVAL);
	args.queue_percentage = 100;
	KUNIT_EXPECT_EQ(test, create(test, &args), -ENOTSUPP);
	args.queue_type = KFD_IOC_QUEUE_TYPE_SDMA;
	KUNIT_EXPECT_EQ(test, create(test, &args), -EINVAL);
	args.gpu_id = GPU_1;
	KUNIT_EXPECT_EQ(test, create(test, &args), -ESRCH);
	args.gpu_id = GPU_0;
	KUNIT_EXPECT_EQ(test, create(test, &args), -ENOMEM);
	KUNIT_EXPECT_EQ(test, fake.calls, 0u);
	fake.slice_error = 0;
	fake.error = -ENOSPC;
	KUNIT_EXPECT_EQ(test, create(test, &args), -ENOSPC);
	KUNIT_EXPECT_EQ(test, fake.calls, 1u);
	KUNIT_EXPECT_EQ(test, args.doorbell_offset, 99ull);
	KUNIT_EXPECT_EQ(test, (u32)fake.properties.type, (u32)KFDM_QUEUE_SDMA);
}

static void small_rings_grow(struct kunit *test)
{
	struct kfd_ioctl_create_queue_args args = good_args();

	args.ring_size = 256;
	KUNIT_EXPECT_EQ(test, create(test, &args), 0);
	KUNIT_EXPECT_EQ(test, args.ring_size, (u32)KFDM_MIN_QUEUE_RING_SIZE);
	KUNIT_EXPECT_EQ(test, fake.properties.queue_size, (u64)KFDM_MIN_QUEUE_RING_SIZE);
	KUNIT_EXPECT_EQ(test, args.queue_id, 5u);
	KUNIT_EXPECT_EQ(test, fake.new_queues, 1u);
}

/* Since Vega the offset in the slice is returned, too; before, user space computes it from the queue's id (kfd_chardev.c) */
static void doorbell_offsets(struct kunit *test)
{
	const struct kfdm_chip *chip = test->param_value;
	struct kfd_ioctl_create_queue_args args = good_args();
	struct process_fixture *f = test->priv;

	f->dev[0].chip = chip;
	KUNIT_EXPECT_EQ(test, create(test, &args), 0);
	KUNIT_EXPECT_EQ(test, args.doorbell_offset, 3ull << 62 | (u64)GPU_0 << 46 | (chip->gc_version >= 0x090000 ? 0x7f8 : 0));
}

static void queues_go_and_change_under_the_mutex(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfd_ioctl_destroy_queue_args destroy = { .queue_id = 3 };
	struct kfd_ioctl_update_queue_args update = { .queue_id = 4 };

	fake.queue.pdd = &f->pdd[0];
	fake.error = -ERESTARTSYS;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_destroy_queue(&f->p, &destroy), -ERESTARTSYS);
	KUNIT_EXPECT_EQ(test, fake.deleted, 0u);	/* it stays */
	fake.error = -ETIME;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_destroy_queue(&f->p, &destroy), -ETIME);
	KUNIT_EXPECT_EQ(test, fake.queue_id, 3u);
	KUNIT_EXPECT_EQ(test, fake.deleted, 1u);
	fake.error = -EFAULT;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_update_queue(&f->p, &update), -EFAULT);
	KUNIT_EXPECT_EQ(test, fake.queue_id, 4u);
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&f->p.mutex));
}

/* kfd_chardev.c, kfd_ioctl_set_cu_mask(): whole words; more than the driver has room for is cut off */
static void cu_masks(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfd_ioctl_set_cu_mask_args args = { .queue_id = 6, .num_cu_mask = 0, .cu_mask_ptr = user_page };
	const u32 words[] = { 0xf00f, 0x1234 };

	KUNIT_EXPECT_EQ(test, copy_to_user(USER(u32), words, sizeof(words)), 0ul);
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_cu_mask(&f->p, &args), -EINVAL);
	args.num_cu_mask = 33;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_cu_mask(&f->p, &args), -EINVAL);
	args.num_cu_mask = 64;
	args.cu_mask_ptr = NOT_USER - 4;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_cu_mask(&f->p, &args), -EFAULT);
	KUNIT_EXPECT_EQ(test, fake.calls, 0u);
	args.cu_mask_ptr = user_page;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_cu_mask(&f->p, &args), 0);
	KUNIT_EXPECT_EQ(test, fake.mask.bits, 64u);
	KUNIT_EXPECT_EQ(test, fake.mask.words[0], words[0]);
	KUNIT_EXPECT_EQ(test, fake.mask.words[1], words[1]);
	args.num_cu_mask = 0x80000000;
	args.cu_mask_ptr = NOT_USER - KFDM_MAX_CU_MASK_BITS / 8;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_cu_mask(&f->p, &args), 0);
	KUNIT_EXPECT_EQ(test, fake.mask.bits, (u32)KFDM_MAX_CU_MASK_BITS);
	FAIL_NTH_NEEDED(test);
	fail_nth_arm(1);
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_set_cu_mask(&f->p, &args), -ENOMEM);
	KUNIT_EXPECT_TRUE(test, fail_nth_disarm());
}

/* The dispatcher copies out even when the call failed: what it finds there is defined */
static void outputs_of_failed_calls(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct kfd_ioctl_get_queue_wave_state_args state = { .queue_id = 2 };
	struct kfd_ioctl_alloc_queue_gws_args gws = { .queue_id = 1, .num_gws = 64, .first_gws = 7 };

	fake.error = -EINVAL;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_get_queue_wave_state(&f->p, &state), -EINVAL);
	KUNIT_EXPECT_EQ(test, fake.queue_id, 2u);
	KUNIT_EXPECT_EQ(test, state.ctl_stack_used_size, 0x40u);
	KUNIT_EXPECT_EQ(test, state.save_area_used_size, 0x8000u);
	fake.error = -EBUSY;
	KUNIT_EXPECT_EQ(test, kfdm_ioctl_alloc_queue_gws(&f->p, &gws), -EBUSY);
	KUNIT_EXPECT_EQ(test, fake.num_gws, 64u);
	KUNIT_EXPECT_EQ(test, gws.first_gws, 0u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(create_checks_in_order),
	KUNIT_CASE(small_rings_grow),
	KUNIT_CASE_PARAM(doorbell_offsets, next_chip),
	KUNIT_CASE(queues_go_and_change_under_the_mutex),
	KUNIT_CASE(cu_masks),
	KUNIT_CASE(outputs_of_failed_calls),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_ioctl_queue", .suite_init = user_space_find, .init = ioctl_setup, .exit = ioctl_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
