// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Queue ioctls
 *
 * Create, update, destroy, CU mask, wave state, GWS. Arguments are checked by pure functions before the process's mutex is
 * taken (Linux: kfd_chardev.c).
 */
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "kfd_ioctl.h"
#include "kfd_mmap.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/debug/kfd_debug.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/process/kfd_process.h"
#include "kfd_model/queue/kfd_queues.h"
#include "uapi/kfd_ioctl.h"

static bool engine_exists(const struct kfdm_device *dev, const struct kfdm_queue_properties *properties)
{
	return properties->type != KFDM_QUEUE_SDMA_BY_ENGINE ||
	       properties->sdma_engine_id < dev->info.sdma_engines + dev->info.xgmi_sdma_engines;
}

static int create_queue_locked(struct kfdm_process *p, struct kfd_ioctl_create_queue_args *args,
			       const struct kfdm_queue_properties *properties)
{
	struct kfdm_process_device *pdd = kfdm_pdd_by_id(p, args->gpu_id);
	u32 offset;
	int ret;

	if (!pdd)
		return -EINVAL;
	if (kfdm_pdd_bind(pdd))
		return -ESRCH;
	if (!engine_exists(pdd->dev, properties))
		return -EINVAL;
	ret = kfdm_doorbell_slice_get(pdd);
	if (ret)
		return ret;
	ret = kfdm_queue_create(pdd, properties, &args->queue_id, &offset);
	if (ret)
		return ret;
	args->doorbell_offset = KFDM_MMAP_TYPE_DOORBELL | kfdm_mmap_gpu_id(args->gpu_id);
	if (!pdd->dev->chip->doorbell_is_queue_id)
		args->doorbell_offset |= offset;
	kfdm_debug_raise_new_queue(p, args->queue_id);
	return 0;
}

/** kfdm_ioctl_create_queue() - CREATE_QUEUE */
int kfdm_ioctl_create_queue(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_create_queue_args *args = data;
	struct kfdm_queue_properties properties;
	int ret;

	ret = kfdm_queue_check_create(&kfdm_abi->queue_rules, args, &properties);
	if (ret)
		return ret;
	args->ring_size = (u32)properties.queue_size;
	mutex_lock(&p->mutex);
	ret = create_queue_locked(p, args, &properties);
	mutex_unlock(&p->mutex);
	return ret;
}

static int destroy_queue_locked(struct kfdm_process *p, u32 queue_id)
{
	const struct kfdm_queue *q = kfdm_queue_find(p, queue_id);
	struct kfdm_process_device *pdd = q ? q->pdd : NULL;
	int ret = kfdm_queue_destroy(p, queue_id);

	if (pdd && (!ret || ret == -ETIME || ret == -EIO))
		kfdm_debug_raise_device(pdd, KFD_EC_MASK(EC_DEVICE_QUEUE_DELETE), NULL);
	return ret;
}

/** kfdm_ioctl_destroy_queue() - DESTROY_QUEUE */
int kfdm_ioctl_destroy_queue(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_destroy_queue_args *args = data;
	int ret;

	mutex_lock(&p->mutex);
	ret = destroy_queue_locked(p, args->queue_id);
	mutex_unlock(&p->mutex);
	return ret;
}

/** kfdm_ioctl_update_queue() - UPDATE_QUEUE */
int kfdm_ioctl_update_queue(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_update_queue_args *args = data;
	int ret;

	mutex_lock(&p->mutex);
	ret = kfdm_queue_update(p, args->queue_id, args);
	mutex_unlock(&p->mutex);
	return ret;
}

/** kfdm_ioctl_set_cu_mask() - SET_CU_MASK */
int kfdm_ioctl_set_cu_mask(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_set_cu_mask_args *args = data;
	struct kfdm_cu_mask *mask;
	u32 bits;
	int ret;

	ret = kfdm_cu_mask_check_size(args->num_cu_mask, &bits);
	if (ret)
		return ret;
	mask = kzalloc(sizeof(*mask), GFP_KERNEL);
	if (!mask)
		return -ENOMEM;
	mask->bits = bits;
	if (copy_from_user(mask->words, (const void __user *)(uintptr_t)args->cu_mask_ptr, mask->bits / 8)) {
		kfree(mask);
		return -EFAULT;
	}
	mutex_lock(&p->mutex);
	ret = kfdm_queue_set_cu_mask(p, args->queue_id, mask);
	mutex_unlock(&p->mutex);
	kfree(mask);
	return ret;
}

/** kfdm_ioctl_get_queue_wave_state() - GET_QUEUE_WAVE_STATE */
int kfdm_ioctl_get_queue_wave_state(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_get_queue_wave_state_args *args = data;
	int ret;

	mutex_lock(&p->mutex);
	ret = kfdm_queue_wave_state(p, args->queue_id, (void __user *)(uintptr_t)args->ctl_stack_address,
				    &args->ctl_stack_used_size, &args->save_area_used_size);
	mutex_unlock(&p->mutex);
	return ret;
}

/** kfdm_ioctl_alloc_queue_gws() - ALLOC_QUEUE_GWS */
int kfdm_ioctl_alloc_queue_gws(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_alloc_queue_gws_args *args = data;
	int ret;

	mutex_lock(&p->mutex);
	ret = kfdm_queue_set_gws(p, args->queue_id, args->num_gws);
	mutex_unlock(&p->mutex);
	args->first_gws = 0;
	return ret;
}
