/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_SVM_ATTR_H
#define KFD_SVM_ATTR_H

#include <linux/types.h>

struct kfd_ioctl_svm_attribute;

#define KFDM_SVM_GRANULARITY		9	/* amdgpu_svm_default_granularity: 2 MiB */
#define KFDM_SVM_GRANULARITY_MAX	0x3f

/**
 * struct kfdm_svm_attrs - what user space wants of some pages
 * @preferred_loc: where they are to be (GPU id or KFD_IOCTL_SVM_LOCATION_*)
 * @prefetch_loc:  where they were last asked to go to
 * @flags:         KFD_IOCTL_SVM_FLAG_*
 * @granularity:   log2 of the pages that move together
 * @access:        bit: number of a process device that may move them to itself
 * @in_place:      that may use them where they are; a device is in one of the two at most
 */
struct kfdm_svm_attrs {
	u32 preferred_loc, prefetch_loc;
	u32 flags;
	u8 granularity;
	u32 access, in_place;
};

/**
 * struct kfdm_svm_gpus - the GPUs of a process, as attributes name them
 * @id:        by number
 * @n:         how many
 * @supported: bit: number of one that has shared virtual memory
 */
struct kfdm_svm_gpus {
	u32 id[32];
	u32 n;
	u32 supported;
};

/**
 * struct kfdm_svm_summary - what several ranges have in common (svm_range_get_attr)
 * @attrs:     locations that all have, access that all have, smallest granularity, flags that all have
 * @flags_any: flags that one at least has
 * @preferred_differs, @prefetch_differs: there is no location that all have
 */
struct kfdm_svm_summary {
	struct kfdm_svm_attrs attrs;
	u32 flags_any;
	bool preferred_differs, prefetch_differs;
};

void kfdm_svm_attrs_default(struct kfdm_svm_attrs *attrs, u32 access);
int kfdm_svm_attrs_check_set(const struct kfdm_svm_gpus *gpus, u32 n, const struct kfd_ioctl_svm_attribute *list);
bool kfdm_svm_attrs_are(const struct kfdm_svm_attrs *attrs, const struct kfdm_svm_gpus *gpus, u32 n,
			const struct kfd_ioctl_svm_attribute *list);
bool kfdm_svm_attrs_apply(struct kfdm_svm_attrs *attrs, const struct kfdm_svm_gpus *gpus, bool xnack, u32 n,
			  const struct kfd_ioctl_svm_attribute *list);

int kfdm_svm_attrs_check_get(u32 n, const struct kfd_ioctl_svm_attribute *list);
void kfdm_svm_summary_begin(struct kfdm_svm_summary *summary, u32 supported);
void kfdm_svm_summary_add(struct kfdm_svm_summary *summary, const struct kfdm_svm_attrs *attrs);
int kfdm_svm_summary_tell(const struct kfdm_svm_summary *summary, const struct kfdm_svm_gpus *gpus, u32 n,
			  struct kfd_ioctl_svm_attribute *list);

#endif
