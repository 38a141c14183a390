// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Attributes of shared virtual memory
 *
 * Pure functions: which lists of attributes are accepted, what they change, and what is told of several ranges together
 * (Linux: kfd_svm.c).
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/minmax.h>

#include "kfd_svm_attr.h"
#include "uapi/kfd_ioctl.h"

/* Return: number of a GPU, -1: the process has none of that id. */
static int gpu_number(const struct kfdm_svm_gpus *gpus, u32 id)
{
	u32 i;

	for (i = 0; i < gpus->n; i++)
		if (id && gpus->id[i] == id)
			return i;
	return -1;
}

static bool is_access(u32 type)
{
	return type == KFD_IOCTL_SVM_ATTR_ACCESS || type == KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE ||
	       type == KFD_IOCTL_SVM_ATTR_NO_ACCESS;
}

/* Does the value have to be the id of a GPU? To prefetch to nowhere makes no sense. */
static bool names_gpu(const struct kfd_ioctl_svm_attribute *attr)
{
	switch (attr->type) {
	case KFD_IOCTL_SVM_ATTR_PREFERRED_LOC:
		return attr->value != KFD_IOCTL_SVM_LOCATION_SYSMEM && attr->value != KFD_IOCTL_SVM_LOCATION_UNDEFINED;
	case KFD_IOCTL_SVM_ATTR_PREFETCH_LOC:
		return attr->value != KFD_IOCTL_SVM_LOCATION_SYSMEM;
	default:
		return is_access(attr->type);
	}
}

/**
 * kfdm_svm_attrs_default() - of pages that nobody has said anything about (svm_range_set_default_attributes)
 * @attrs:  out
 * @access: GPUs that may use them
 */
void kfdm_svm_attrs_default(struct kfdm_svm_attrs *attrs, u32 access)
{
	*attrs = (struct kfdm_svm_attrs){
		.preferred_loc = KFD_IOCTL_SVM_LOCATION_UNDEFINED,
		.prefetch_loc = KFD_IOCTL_SVM_LOCATION_UNDEFINED,
		.flags = KFD_IOCTL_SVM_FLAG_HOST_ACCESS | KFD_IOCTL_SVM_FLAG_COHERENT,
		.granularity = KFDM_SVM_GRANULARITY,
		.access = access,
	};
}

/** kfdm_svm_attrs_check_set() - may a list be set (svm_range_check_attr)? Return: 0, -EINVAL */
int kfdm_svm_attrs_check_set(const struct kfdm_svm_gpus *gpus, u32 n, const struct kfd_ioctl_svm_attribute *list)
{
	u32 i;

	for (i = 0; i < n; i++) {
		int gpu;

		if (list[i].type > KFD_IOCTL_SVM_ATTR_GRANULARITY)
			return -EINVAL;
		if (!names_gpu(&list[i]))
			continue;
		gpu = gpu_number(gpus, list[i].value);
		if (gpu < 0 || !(gpus->supported & BIT(gpu)))
			return -EINVAL;
	}
	return 0;
}

static bool has_access(const struct kfdm_svm_attrs *attrs, u32 type, u32 gpu)
{
	switch (type) {
	case KFD_IOCTL_SVM_ATTR_ACCESS:
		return attrs->access & gpu;
	case KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE:
		return attrs->in_place & gpu;
	default:
		return !((attrs->access | attrs->in_place) & gpu);
	}
}

static bool attr_is(const struct kfdm_svm_attrs *attrs, const struct kfdm_svm_gpus *gpus, const struct kfd_ioctl_svm_attribute *attr)
{
	switch (attr->type) {
	case KFD_IOCTL_SVM_ATTR_PREFERRED_LOC:
		return attrs->preferred_loc == attr->value;
	case KFD_IOCTL_SVM_ATTR_PREFETCH_LOC:
		return false;	/* is done again each time */
	case KFD_IOCTL_SVM_ATTR_SET_FLAGS:
		return !(attr->value & ~attrs->flags);
	case KFD_IOCTL_SVM_ATTR_CLR_FLAGS:
		return !(attr->value & attrs->flags);
	case KFD_IOCTL_SVM_ATTR_GRANULARITY:
		return attrs->granularity == attr->value;	/* not what it is limited to */
	default:
		return has_access(attrs, attr->type, BIT(gpu_number(gpus, attr->value)));
	}
}

/** kfdm_svm_attrs_are() - would a checked list change nothing (svm_range_is_same_attrs)? */
bool kfdm_svm_attrs_are(const struct kfdm_svm_attrs *attrs, const struct kfdm_svm_gpus *gpus, u32 n,
			const struct kfd_ioctl_svm_attribute *list)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (!attr_is(attrs, gpus, &list[i]))
			return false;
	return true;
}

static void set_access(struct kfdm_svm_attrs *attrs, u32 type, u32 gpu)
{
	attrs->access &= ~gpu;
	attrs->in_place &= ~gpu;
	if (type == KFD_IOCTL_SVM_ATTR_ACCESS)
		attrs->access |= gpu;
	else if (type == KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE)
		attrs->in_place |= gpu;
}

/**
 * kfdm_svm_attrs_apply() - set a checked list (svm_range_apply_attrs)
 * @attrs: of some pages
 * @gpus:  of the process
 * @xnack: its faults are retried: who gets access finds out by one
 * @n:     length of @list
 * @list:  what to set
 *
 * Return: page tables have to follow.
 */
bool kfdm_svm_attrs_apply(struct kfdm_svm_attrs *attrs, const struct kfdm_svm_gpus *gpus, bool xnack, u32 n,
			  const struct kfd_ioctl_svm_attribute *list)
{
	bool update = false;
	u32 i;

	for (i = 0; i < n; i++) {
		switch (list[i].type) {
		case KFD_IOCTL_SVM_ATTR_PREFERRED_LOC:
			attrs->preferred_loc = list[i].value;
			break;
		case KFD_IOCTL_SVM_ATTR_PREFETCH_LOC:
			attrs->prefetch_loc = list[i].value;
			break;
		case KFD_IOCTL_SVM_ATTR_SET_FLAGS:
			attrs->flags |= list[i].value;
			update = true;
			break;
		case KFD_IOCTL_SVM_ATTR_CLR_FLAGS:
			attrs->flags &= ~list[i].value;
			update = true;
			break;
		case KFD_IOCTL_SVM_ATTR_GRANULARITY:
			attrs->granularity = min_t(u32, list[i].value, KFDM_SVM_GRANULARITY_MAX);
			break;
		default:
			set_access(attrs, list[i].type, BIT(gpu_number(gpus, list[i].value)));
			update |= !xnack;
			break;
		}
	}
	return update;
}

/** kfdm_svm_attrs_check_get() - may a list be asked for? Of access only ACCESS may, which stands for all three. Return: 0, -EINVAL */
int kfdm_svm_attrs_check_get(u32 n, const struct kfd_ioctl_svm_attribute *list)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (list[i].type > KFD_IOCTL_SVM_ATTR_GRANULARITY || list[i].type == KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE ||
		    list[i].type == KFD_IOCTL_SVM_ATTR_NO_ACCESS)
			return -EINVAL;
	return 0;
}

/** kfdm_svm_summary_begin() - of no range yet; one at least has to be added */
void kfdm_svm_summary_begin(struct kfdm_svm_summary *summary, u32 supported)
{
	*summary = (struct kfdm_svm_summary){
		.attrs = {
			.preferred_loc = KFD_IOCTL_SVM_LOCATION_UNDEFINED,
			.prefetch_loc = KFD_IOCTL_SVM_LOCATION_UNDEFINED,
			.flags = U32_MAX,
			.granularity = U8_MAX,
			.access = supported,
			.in_place = supported,
		},
	};
}

/* One undefined or other location makes the common one undefined for good. */
static void add_location(u32 *common, bool *differs, u32 location)
{
	if (*differs)
		return;
	if (location == KFD_IOCTL_SVM_LOCATION_UNDEFINED || (*common != KFD_IOCTL_SVM_LOCATION_UNDEFINED && *common != location)) {
		*common = KFD_IOCTL_SVM_LOCATION_UNDEFINED;
		*differs = true;
		return;
	}
	*common = location;
}

/** kfdm_svm_summary_add() - one range more */
void kfdm_svm_summary_add(struct kfdm_svm_summary *summary, const struct kfdm_svm_attrs *attrs)
{
	struct kfdm_svm_attrs *common = &summary->attrs;

	add_location(&common->preferred_loc, &summary->preferred_differs, attrs->preferred_loc);
	add_location(&common->prefetch_loc, &summary->prefetch_differs, attrs->prefetch_loc);
	common->access &= attrs->access;
	common->in_place &= attrs->in_place;
	common->flags &= attrs->flags;
	summary->flags_any |= attrs->flags;
	common->granularity = min(common->granularity, attrs->granularity);
}

static u32 access_type(const struct kfdm_svm_attrs *attrs, u32 gpu)
{
	if (attrs->access & gpu)
		return KFD_IOCTL_SVM_ATTR_ACCESS;
	return attrs->in_place & gpu ? KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE : KFD_IOCTL_SVM_ATTR_NO_ACCESS;
}

/**
 * kfdm_svm_summary_tell() - answer a checked list
 * @summary: of one range or more
 * @gpus:    of the process
 * @n:       length of @list
 * @list:    in and out
 *
 * Return: 0, -EINVAL: there is no such GPU; what stands before it in the list is answered.
 */
int kfdm_svm_summary_tell(const struct kfdm_svm_summary *summary, const struct kfdm_svm_gpus *gpus, u32 n,
			  struct kfd_ioctl_svm_attribute *list)
{
	const struct kfdm_svm_attrs *attrs = &summary->attrs;
	u32 i;
	int gpu;

	for (i = 0; i < n; i++) {
		switch (list[i].type) {
		case KFD_IOCTL_SVM_ATTR_PREFERRED_LOC:
			list[i].value = attrs->preferred_loc;
			break;
		case KFD_IOCTL_SVM_ATTR_PREFETCH_LOC:
			list[i].value = attrs->prefetch_loc;
			break;
		case KFD_IOCTL_SVM_ATTR_ACCESS:
			gpu = gpu_number(gpus, list[i].value);
			if (gpu < 0)
				return -EINVAL;
			list[i].type = access_type(attrs, BIT(gpu));
			break;
		case KFD_IOCTL_SVM_ATTR_SET_FLAGS:
			list[i].value = attrs->flags;
			break;
		case KFD_IOCTL_SVM_ATTR_CLR_FLAGS:
			list[i].value = ~summary->flags_any;
			break;
		case KFD_IOCTL_SVM_ATTR_GRANULARITY:
			list[i].value = attrs->granularity;
			break;
		}
	}
	return 0;
}
