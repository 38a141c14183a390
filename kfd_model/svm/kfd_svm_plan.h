/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef KFD_SVM_PLAN_H
#define KFD_SVM_PLAN_H

#include "kfd_svm.h"

/**
 * struct kfdm_svm_wish - a list of attributes for some pages
 * @first, @last: page numbers
 * @n, @list:     checked attributes
 * @gpus, @xnack: of the process
 */
struct kfdm_svm_wish {
	u64 first, last;
	u32 n;
	const struct kfd_ioctl_svm_attribute *list;
	const struct kfdm_svm_gpus *gpus;
	bool xnack;
};

/**
 * struct kfdm_svm_cut - a range that keeps a part of its pages only
 * @link:         in the plan's list
 * @range:        the range
 * @first, @last: what it keeps
 */
struct kfdm_svm_cut {
	struct list_head link;
	struct kfdm_svm_range *range;
	u64 first, last;
};

/**
 * struct kfdm_svm_plan - what is to become of the ranges when some pages get attributes; nothing has changed yet
 * @cuts:    struct kfdm_svm_cut
 * @rests:   new ranges: what is left of cut ones behind the pages
 * @changed: new ranges: what of cut ones gets the attributes
 * @added:   new ranges: pages that were in none
 * @whole:   ranges that are there and get the attributes as they are
 */
struct kfdm_svm_plan {
	struct list_head cuts, rests, changed, added, whole;
};

int kfdm_svm_plan_make(struct kfdm_svm *svm, const struct kfdm_svm_wish *wish, struct kfdm_svm_plan *plan);
void kfdm_svm_plan_drop(struct kfdm_svm_plan *plan);
void kfdm_svm_plan_carry_out(struct kfdm_svm *svm, struct kfdm_svm_plan *plan);

#endif
