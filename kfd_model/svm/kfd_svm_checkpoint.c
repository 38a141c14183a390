// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Shared virtual memory that is saved and restored
 *
 * A checkpoint has each range with its attributes. A restored process gets its memory only after its buffers and queues: ranges wait for
 * CRIU_OP RESUME, which sets their attributes then (Linux: kfd_svm.c).
 */
#include <linux/list.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "kfd_model/process/kfd_process.h"
#include "uapi/kfd_ioctl.h"

#include "kfd_svm.h"

#define MAX_PAGE	(1ULL << (64 - PAGE_SHIFT))

/* Of the process, and then ACCESS of each GPU */
static const u32 common[] = {
	KFD_IOCTL_SVM_ATTR_PREFERRED_LOC, KFD_IOCTL_SVM_ATTR_PREFETCH_LOC, KFD_IOCTL_SVM_ATTR_SET_FLAGS, KFD_IOCTL_SVM_ATTR_GRANULARITY,
};

/** kfdm_svm_saved_attrs() - how many attributes a range has in a checkpoint */
u32 kfdm_svm_saved_attrs(const struct kfdm_process *p)
{
	return ARRAY_SIZE(common) + p->n_pdds;
}

/** kfdm_svm_catch_up() - what the process has unmapped is in no range any more. Context: process, also another one; no lock held */
void kfdm_svm_catch_up(struct kfdm_process *p)
{
	flush_delayed_work(&p->svm.work);
}

/** kfdm_svm_count() - how many ranges there are. Process's mutex held */
u32 kfdm_svm_count(struct kfdm_process *p)
{
	struct kfdm_svm_range *range;
	u32 n = 0;

	for (range = kfdm_svm_range_first(&p->svm, 0, ULONG_MAX); range; range = kfdm_svm_range_next(range, 0, ULONG_MAX))
		n++;
	return n;
}

static void ask_for_all(const struct kfdm_process *p, struct kfd_ioctl_svm_attribute *attrs)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(common); i++)
		attrs[i] = (struct kfd_ioctl_svm_attribute){ .type = common[i] };
	for (i = 0; i < p->n_pdds; i++)
		attrs[ARRAY_SIZE(common) + i] =
			(struct kfd_ioctl_svm_attribute){ KFD_IOCTL_SVM_ATTR_ACCESS, p->svm.gpus.id[i] };
}

/**
 * kfdm_svm_next() - ranges one by one, for a checkpoint
 * @p:     process, its mutex held
 * @first: in: page from which on a range is looked for; out: where it begins
 * @pages: out
 * @attrs: out, kfdm_svm_saved_attrs()
 *
 * Return: there is one.
 */
bool kfdm_svm_next(struct kfdm_process *p, u64 *first, u64 *pages, struct kfd_ioctl_svm_attribute *attrs)
{
	struct kfdm_svm_range *range = kfdm_svm_range_first(&p->svm, *first, ULONG_MAX);
	struct kfdm_svm_summary summary;

	if (!range)
		return false;
	*first = range->node.start;
	*pages = range->node.last - range->node.start + 1;
	kfdm_svm_summary_begin(&summary, p->svm.gpus.supported);
	kfdm_svm_summary_add(&summary, &range->attrs);
	ask_for_all(p, attrs);
	return !kfdm_svm_summary_tell(&summary, &p->svm.gpus, kfdm_svm_saved_attrs(p), attrs);
}

/** kfdm_svm_saved_new() - room for a range of a checkpoint with @n attributes, and one more. NULL: no memory */
struct kfdm_svm_saved *kfdm_svm_saved_new(u32 n)
{
	struct kfdm_svm_saved *saved = kzalloc(struct_size(saved, attrs, n + 1), GFP_KERNEL_ACCOUNT);

	if (saved)
		saved->n = n;
	return saved;
}

/** kfdm_svm_restore() - a range is to come back; takes over @saved. Process's mutex held */
void kfdm_svm_restore(struct kfdm_process *p, struct kfdm_svm_saved *saved)
{
	list_add_tail(&saved->link, &p->svm.saved);
}

/*
 * What was asked is not always what may be set: no place to prefetch to is none, and of flags the checkpoint has those that are set, while
 * the others must be cleared.
 */
static void make_settable(struct kfdm_svm_saved *saved)
{
	u32 i, flags = ~0u;

	for (i = 0; i < saved->n; i++) {
		struct kfd_ioctl_svm_attribute *attr = &saved->attrs[i];

		if (attr->type == KFD_IOCTL_SVM_ATTR_PREFETCH_LOC && attr->value == KFD_IOCTL_SVM_LOCATION_UNDEFINED)
			*attr = (struct kfd_ioctl_svm_attribute){ KFD_IOCTL_SVM_ATTR_SET_FLAGS, 0 };
		else if (attr->type == KFD_IOCTL_SVM_ATTR_SET_FLAGS)
			flags = attr->value;
	}
	saved->attrs[saved->n] = (struct kfd_ioctl_svm_attribute){ KFD_IOCTL_SVM_ATTR_CLR_FLAGS, ~flags };
}

static int resume_range(struct kfdm_process *p, struct kfdm_svm_saved *saved)
{
	/* The ioctl takes bytes. */
	if (!saved->first || !saved->pages || saved->first >= MAX_PAGE || saved->pages > MAX_PAGE - saved->first)
		return -EFAULT;
	make_settable(saved);
	return kfdm_svm_set(p, saved->first, saved->pages, saved->n + 1, saved->attrs);
}

/**
 * kfdm_svm_resume() - the ranges of kfdm_svm_restore() come back (kfd_criu_resume_svm)
 * @p: process whose memory current has, its mutex held
 *
 * Return: 0, or the first error of kfdm_svm_set(): the others do not come back.
 */
int kfdm_svm_resume(struct kfdm_process *p)
{
	struct kfdm_svm_saved *saved;
	int ret = 0;

	list_for_each_entry(saved, &p->svm.saved, link) {
		ret = resume_range(p, saved);
		if (ret)
			break;
	}
	kfdm_svm_forget_saved(p);
	return ret;
}
