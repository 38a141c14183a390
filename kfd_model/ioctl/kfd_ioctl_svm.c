// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Ioctls of shared virtual memory
 *
 * A driver that is built without it (CONFIG_HSA_AMD_SVM; kfd_abi_6_1.c) answers -EPERM to everything.
 */
#include <linux/mm.h>

#include "kfd_ioctl.h"
#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/process/kfd_process.h"
#include "uapi/kfd_ioctl.h"

static int set_xnack(struct kfdm_process *p, s32 wanted)
{
	if (!list_empty(&p->queues))
		return -EBUSY;
	if (p->xnack_enabled == wanted)
		return 0;
	if (wanted && !kfdm_process_may_retry(p, true))
		return -EPERM;
	p->xnack_enabled = wanted;
	return 0;
}

/** kfdm_ioctl_set_xnack_mode() - SET_XNACK_MODE: a negative mode is a question */
int kfdm_ioctl_set_xnack_mode(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_set_xnack_mode_args *args = data;
	int ret = 0;

	if (!kfdm_svm_is_built())
		return -EPERM;
	mutex_lock(&p->mutex);
	if (args->xnack_enabled < 0)
		args->xnack_enabled = p->xnack_enabled;
	else
		ret = set_xnack(p, args->xnack_enabled);
	mutex_unlock(&p->mutex);
	return ret;
}

static int svm_locked(struct kfdm_process *p, struct kfd_ioctl_svm_args *args)
{
	u64 first = args->start_addr >> PAGE_SHIFT, pages = args->size >> PAGE_SHIFT;

	switch (args->op) {
	case KFD_IOCTL_SVM_OP_SET_ATTR:
		return kfdm_svm_set(p, first, pages, args->nattr, args->attrs);
	case KFD_IOCTL_SVM_OP_GET_ATTR:
		return kfdm_svm_get(p, first, pages, args->nattr, args->attrs);
	default:
		return -EINVAL;
	}
}

/**
 * kfdm_ioctl_svm() - SVM
 * @p:    current's process
 * @data: in and out; the dispatcher has made sure that all attributes are there
 *
 * A range that goes round the end of the address space is no memory of any process.
 */
int kfdm_ioctl_svm(struct kfdm_process *p, void *data)
{
	struct kfd_ioctl_svm_args *args = data;
	int ret;

	if (!kfdm_svm_is_built())
		return -EPERM;
	if (kfdm_process_is_context(p))
		return -EOPNOTSUPP;
	if ((args->start_addr | args->size) & ~PAGE_MASK || !args->start_addr || !args->size)
		return -EINVAL;
	mutex_lock(&p->mutex);
	ret = svm_locked(p, args);
	mutex_unlock(&p->mutex);
	return ret;
}
