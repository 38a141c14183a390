// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Where shared memory lies
 *
 * Memory goes to VRAM when the process prefetches it there (svm_range_best_prefetch_location), and where accesses wait for their page, when
 * a GPU touches it that may move it (svm_range_best_restore_location). It goes back when the process prefetches it to the host, when a GPU
 * touches it that it may not be moved to, when a CPU touches it, and when VRAM gets full; the last two are amdgpu_model's business
 * (amdgpu_migrate.c), which also finds it where it is. A GPU reaches no other one's VRAM: memory that several may use stays in the host, also
 * where Linux leaves it in the VRAM of one of a hive.
 *
 * Where the kernel has no device pages nothing moves, as with Linux's driver on devices that prefer it (apu_prefer_gtt).
 *
 * The process's mutex is held, and the process's mm is current's. mmap_lock is not held.
 */
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/process/kfd_process.h"
#include "uapi/kfd_ioctl.h"

#include "kfd_svm.h"

/* @trigger: KFD_MIGRATE_TRIGGER_*, here and below */
static int move(struct kfdm_process_device *pdd, u64 first, u64 last, bool to_vram, u32 trigger)
{
	int ret = kfdm_kgd->svm_move(pdd->dev->adev, first << PAGE_SHIFT, (last + 1) << PAGE_SHIFT, to_vram, trigger);

	/* What cannot move can be used where it is. */
	return ret == -EINVAL || ret == -EFAULT ? 0 : ret;
}

/* From the VRAM of all devices but one; NULL: of all. */
static int move_to_host(struct kfdm_process *p, const struct kfdm_process_device *but, u64 first, u64 last, u32 trigger)
{
	int ret = 0;
	u32 i;

	for (i = 0; !ret && i < p->n_pdds; i++)
		if (p->pdds[i] != but)
			ret = move(p->pdds[i], first, last, false, trigger);
	return ret;
}

/* From one device's VRAM to that of another one memory goes by way of the host. */
static int move_to(struct kfdm_process *p, struct kfdm_process_device *pdd, u64 first, u64 last, u32 trigger)
{
	int ret = move_to_host(p, pdd, first, last, trigger);

	return ret || !pdd ? ret : move(pdd, first, last, true, trigger);
}

/**
 * kfdm_svm_get_places() - where a process wants a page to be
 * @p:        process; none of its locks need be held. Context: any
 * @page:     its number
 * @prefetch, @preferred: out: attributes of the range that it lies in, as they are just then; of none: undefined
 */
void kfdm_svm_get_places(struct kfdm_process *p, u64 page, u32 *prefetch, u32 *preferred)
{
	struct kfdm_svm_range *range;

	spin_lock(&p->svm.lock);
	range = kfdm_svm_range_first(&p->svm, page, page);
	*prefetch = range ? data_race(range->attrs.prefetch_loc) : KFD_IOCTL_SVM_LOCATION_UNDEFINED;
	*preferred = range ? data_race(range->attrs.preferred_loc) : KFD_IOCTL_SVM_LOCATION_UNDEFINED;
	spin_unlock(&p->svm.lock);
}

/* NULL: the host */
static struct kfdm_process_device *prefetch_place(struct kfdm_process *p, const struct kfdm_svm_range *range)
{
	struct kfdm_process_device *pdd = kfdm_pdd_by_id(p, range->attrs.prefetch_loc);
	u32 users = p->xnack_enabled ? range->attrs.in_place : range->attrs.access | range->attrs.in_place;

	return pdd && !(users & ~BIT(pdd->index)) ? pdd : NULL;
}

/**
 * kfdm_svm_prefetch() - pages have been asked to go to where their ranges say
 * @p:           process
 * @first, @last: page numbers
 *
 * Return: 0, -ENOMEM, -ENOSPC: there was no room for all, -ENODEV: the GPU goes, -ERESTARTSYS.
 */
int kfdm_svm_prefetch(struct kfdm_process *p, u64 first, u64 last)
{
	struct kfdm_svm_range *range = kfdm_svm_range_first(&p->svm, first, last);
	int ret = 0;

	if (!kfdm_kgd->svm_moves)
		return 0;
	for (; !ret && range; range = kfdm_svm_range_next(range, first, last)) {
		struct kfdm_process_device *pdd = prefetch_place(p, range);
		u64 from = max_t(u64, first, range->node.start), to = min_t(u64, last, range->node.last);

		if (range->attrs.prefetch_loc != KFD_IOCTL_SVM_LOCATION_UNDEFINED)
			ret = move_to(p, pdd, from, to, KFD_MIGRATE_TRIGGER_PREFETCH);
	}
	return ret;
}

/**
 * enum home - where a GPU that touches a range wants its pages
 * @HOME_ANY:  where they are
 * @HOME_VRAM: in its VRAM
 * @HOME_HOST: in the host
 */
enum home { HOME_ANY, HOME_VRAM, HOME_HOST };

static enum home home_of(const struct kfdm_process_device *pdd, const struct kfdm_svm_range *range)
{
	const struct kfdm_svm_attrs *attrs = &range->attrs;

	if (attrs->preferred_loc == KFD_IOCTL_SVM_LOCATION_SYSMEM)
		return HOME_HOST;
	if (attrs->preferred_loc == pdd->user_gpu_id)
		return HOME_VRAM;
	if (attrs->access & BIT(pdd->index))
		return HOME_VRAM;
	return HOME_ANY;
}

/** kfdm_svm_moves_on_fault() - do pages of a range go to the VRAM of a GPU that it is mapped to, when that touches them? */
bool kfdm_svm_moves_on_fault(const struct kfdm_process *p, const struct kfdm_svm_range *range)
{
	u32 i;

	for (i = 0; kfdm_kgd->svm_moves && range->mapped >> i; i++)
		if (range->mapped & BIT(i) && home_of(p->pdds[i], range) == HOME_VRAM)
			return true;
	return false;
}

/**
 * kfdm_svm_bring() - a GPU has touched a range: its pages go to where they should be
 * @pdd:   the GPU's
 * @range: it
 *
 * Pages for which there is no room stay, and can be used all the same. Return: 0, -ENODEV, -ERESTARTSYS.
 */
int kfdm_svm_bring(struct kfdm_process_device *pdd, const struct kfdm_svm_range *range)
{
	enum home home = home_of(pdd, range);
	int ret = 0;

	if (kfdm_kgd->svm_moves && home != HOME_ANY)
		ret = move_to(pdd->process, home == HOME_VRAM ? pdd : NULL, range->node.start, range->node.last,
			      KFD_MIGRATE_TRIGGER_PAGEFAULT_GPU);
	return ret == -ENOMEM || ret == -ENOSPC ? 0 : ret;
}
