// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: What user space may ask of a queue
 *
 * CREATE_QUEUE and UPDATE_QUEUE arguments become queue properties here, or an error. The order of the tests decides which
 * errno a doubly wrong call gets and is that of Linux: kfd_chardev.c (set_queue_properties_from_user). As there, an address is
 * only tested for being a user address: what it points to is the hardware's business.
 */
#include "kfd_queue_properties.h"

static int check_schedule(const struct kfdm_queue_rules *rules, u32 percentage, u32 priority)
{
	if ((percentage & rules->mask_of_percentage) > KFDM_MAX_QUEUE_PERCENTAGE)
		return -EINVAL;
	if (priority > KFDM_MAX_QUEUE_PRIORITY)
		return -EINVAL;
	return 0;
}

/* Linux looks at the end of a small range too, or since 6.10 at its start alone: what follows cannot be the kernel's. */
static bool is_user(const struct kfdm_queue_rules *rules, u64 address, u64 size)
{
	return kfdm_user_range_ok(address, rules->start_counts ? 0 : size);
}

static int check_ring(const struct kfdm_queue_rules *rules, u64 base, u32 size)
{
	if (base && !is_user(rules, base, sizeof(u64)))
		return -EFAULT;
	if (size && !is_power_of_2(size))
		return -EINVAL;
	return 0;
}

static int check_pointers(const struct kfdm_queue_rules *rules, const struct kfd_ioctl_create_queue_args *args)
{
	if (!is_user(rules, args->read_pointer_address, sizeof(u32)) ||
	    !is_user(rules, args->write_pointer_address, sizeof(u32)))
		return -EFAULT;
	if (args->eop_buffer_address && !is_user(rules, args->eop_buffer_address, sizeof(u32)))
		return -EFAULT;
	if (args->ctx_save_restore_address && !is_user(rules, args->ctx_save_restore_address, sizeof(u32)))
		return -EFAULT;
	return 0;
}

static int set_kind(const struct kfdm_queue_rules *rules, u32 queue_type, struct kfdm_queue_properties *q)
{
	if (queue_type >= rules->types)
		return -ENOTSUPP;
	switch (queue_type) {
	case KFD_IOC_QUEUE_TYPE_COMPUTE:
	case KFD_IOC_QUEUE_TYPE_COMPUTE_AQL:
		q->type = KFDM_QUEUE_COMPUTE;
		break;
	case KFD_IOC_QUEUE_TYPE_SDMA:
		q->type = KFDM_QUEUE_SDMA;
		break;
	case KFD_IOC_QUEUE_TYPE_SDMA_XGMI:
		q->type = KFDM_QUEUE_SDMA_XGMI;
		break;
	case KFD_IOC_QUEUE_TYPE_SDMA_BY_ENG_ID:
		q->type = KFDM_QUEUE_SDMA_BY_ENGINE;
		break;
	default:
		return -ENOTSUPP;
	}
	q->format = queue_type == KFD_IOC_QUEUE_TYPE_COMPUTE_AQL ? KFDM_FORMAT_AQL : KFDM_FORMAT_PM4;
	return 0;
}

static void tell_size(const struct kfdm_queue_rules *rules, struct kfd_ioctl_create_queue_args *args)
{
	if (rules->tells_size)
		args->ring_size = max(args->ring_size, (u32)KFDM_MIN_QUEUE_RING_SIZE);
}

static int check_metadata(const struct kfdm_queue_rules *rules, u32 size)
{
	return rules->metadata && size && !is_power_of_2(size) ? -EINVAL : 0;
}

/* What the bits of a percentage above it mean, to a driver for which they are no part of it */
static u32 target_xcc(const struct kfdm_queue_rules *rules, u32 percentage)
{
	return (percentage & ~rules->mask_of_percentage & 0xffff) >> 8;
}

/**
 * kfdm_queue_check_create() - CREATE_QUEUE arguments to properties
 * @rules: of the driver
 * @args: from user space
 * @q:    out, cleared first
 *
 * Pure. Return: 0, -EINVAL, -EFAULT, -ENOTSUPP.
 */
int kfdm_queue_check_create(const struct kfdm_queue_rules *rules, struct kfd_ioctl_create_queue_args *args,
			    struct kfdm_queue_properties *q)
{
	int ret;

	memset(q, 0, sizeof(*q));
	ret = check_schedule(rules, args->queue_percentage, args->queue_priority);
	if (!ret)
		ret = check_ring(rules, args->ring_base_address, args->ring_size);
	if (ret)
		return ret;
	tell_size(rules, args);
	ret = check_metadata(rules, args->metadata_ring_size);
	if (!ret)
		ret = check_pointers(rules, args);
	if (!ret)
		ret = set_kind(rules, args->queue_type, q);
	if (ret)
		return ret;

	q->queue_percent = args->queue_percentage & rules->mask_of_percentage;
	q->pm4_target_xcc = target_xcc(rules, args->queue_percentage);
	q->sdma_engine_id = q->type == KFDM_QUEUE_SDMA_BY_ENGINE ? args->sdma_engine_id : 0;
	q->metadata_size = rules->metadata && q->format == KFDM_FORMAT_AQL ? args->metadata_ring_size : 0;
	q->priority = args->queue_priority;
	q->queue_address = args->ring_base_address;
	q->queue_size = max(args->ring_size, (u32)KFDM_MIN_QUEUE_RING_SIZE);
	q->read_ptr = args->read_pointer_address;
	q->write_ptr = args->write_pointer_address;
	q->eop_address = args->eop_buffer_address;
	q->eop_size = (u32)args->eop_buffer_size;
	q->ctx_save_address = args->ctx_save_restore_address;
	q->ctx_save_size = args->ctx_save_restore_size;
	q->ctl_stack_size = args->ctl_stack_size;
	return 0;
}

static int check_saved_addresses(const struct kfdm_queue_rules *rules, const struct kfdm_queue_properties *q)
{
	const struct kfd_ioctl_create_queue_args args = {
		.read_pointer_address = q->read_ptr, .write_pointer_address = q->write_ptr, .eop_buffer_address = q->eop_address,
		.ctx_save_restore_address = q->ctx_save_address,
	};

	return check_pointers(rules, &args);
}

/**
 * kfdm_queue_check_saved() - could CREATE_QUEUE and UPDATE_QUEUE have made a queue of a checkpoint?
 * @rules: of the driver
 * @q:     its properties, of a kind that there is
 *
 * Linux takes them as they are. Pure. Return: 0, -EINVAL, -EFAULT.
 */
int kfdm_queue_check_saved(const struct kfdm_queue_rules *rules, const struct kfdm_queue_properties *q)
{
	int ret = check_schedule(rules, q->queue_percent, q->priority);

	if (!ret && ((u32)q->queue_size != q->queue_size || q->format > KFDM_FORMAT_AQL))
		ret = -EINVAL;
	if (!ret)
		ret = check_ring(rules, q->queue_address, (u32)q->queue_size);
	return ret ? ret : check_saved_addresses(rules, q);
}

/**
 * kfdm_queue_check_update() - UPDATE_QUEUE arguments into properties
 * @rules: of the driver
 * @args: from user space
 * @q:    properties to change; untouched on error
 *
 * Pure. Return: 0, -EINVAL, -EFAULT.
 */
int kfdm_queue_check_update(const struct kfdm_queue_rules *rules, const struct kfd_ioctl_update_queue_args *args,
			    struct kfdm_queue_properties *q)
{
	int ret = check_schedule(rules, args->queue_percentage, args->queue_priority);

	if (!ret)
		ret = check_ring(rules, args->ring_base_address, args->ring_size);
	if (ret)
		return ret;

	q->queue_address = args->ring_base_address;
	q->queue_size = max(args->ring_size, (u32)KFDM_MIN_QUEUE_RING_SIZE);
	q->queue_percent = args->queue_percentage & rules->mask_of_percentage;
	q->pm4_target_xcc = target_xcc(rules, args->queue_percentage);
	q->priority = args->queue_priority;
	return 0;
}

/**
 * kfdm_cu_mask_check_size() - SET_CU_MASK: how many bits of the user's mask are taken
 * @num_cu_mask: bits, as given by user space
 * @bits: out; what is too much for any chip is silently dropped
 *
 * Pure. Return: 0, -EINVAL for none, or for broken words.
 */
int kfdm_cu_mask_check_size(u32 num_cu_mask, u32 *bits)
{
	if (num_cu_mask % 32 || !num_cu_mask)
		return -EINVAL;
	*bits = min(num_cu_mask, (u32)KFDM_MAX_CU_MASK_BITS);
	return 0;
}

/**
 * kfdm_cu_mask_check_pairs() - a WGP's two CUs go together
 * @cus_per_wgp: 1: CUs can be chosen one by one
 * @mask:        as given by user space
 * @bits:        in @mask, a multiple of 32
 *
 * Pure. Return: 0, -EINVAL.
 */
int kfdm_cu_mask_check_pairs(u32 cus_per_wgp, const u32 *mask, u32 bits)
{
	u32 i;

	if (cus_per_wgp == 1)
		return 0;
	for (i = 0; i < bits / 32; i++)
		if ((mask[i] ^ (mask[i] >> 1)) & 0x55555555)
			return -EINVAL;
	return 0;
}

/**
 * kfdm_cu_mask_check_queue() - may this queue have this mask?
 * @q:           the queue
 * @cus_per_wgp: of its device
 * @mask:        as given by user space
 * @bits:        in @mask, a multiple of 32
 *
 * Pure. Return: 0, -EBUSY: a debugger's workaround has its CUs, -EINVAL.
 */
int kfdm_cu_mask_check_queue(const struct kfdm_queue_properties *q, u32 cus_per_wgp, const u32 *mask, u32 bits)
{
	return q->is_dbg_wa ? -EBUSY : kfdm_cu_mask_check_pairs(cus_per_wgp, mask, bits);
}
