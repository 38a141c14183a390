// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_evict.c - room for one buffer by moving others
 *
 * As TTM does it for amdgpu: VRAM that is full gives its longest unused buffers to GTT, or to memory that no GPU reaches where
 * that is full as well; GTT that is full gives them there. CS moves the buffers of its jobs back to their preferred place, within a budget
 * (amdgpu_cs_bo_validate()), and always at least to a place that jobs can reach. A buffer for whose preferred place there is no room goes
 * to GTT.
 *
 * A buffer that is in use does not move: a caller who needs its room waits for its jobs, and for the queues of KFD that map it to leave
 * (amdgpu_evict_kfd.c). Nothing is waited for with amdm_placement.sem held, since page faults of CPUs take it. Lock order: mmap_lock,
 * reservations, amdm_placement.sem, amdm_vm.lock, amdm_bo.lock, amdm_placement.lock.
 */
#include <linux/delay.h>
#include <linux/dma-resv.h>

#include "amdgpu_evict.h"
#include "amdgpu_vm.h"
#include "amdgpu_model/base/amdgpu_kfd_dock.h"
#include "amdgpu_model/glue/glue.h"

#define EVICT_KFD_PATIENCE_MS	2000	/* until queues have left */
#define EVICT_TABLES_ROOM	(4ULL << 20)
#define EVICT_GONE_US		200
#define EVICT_NEW_TRIES		16	/* for a new buffer; as many as EVICT_STILL_TRIES if nothing has changed */
#define EVICT_STILL_TRIES	2

/** amdm_evict_init() - nothing is anywhere */
void amdm_evict_init(struct amdm_device *adev)
{
	struct amdm_placement *placement = &adev->placement;
	u32 i;

	init_rwsem(&placement->sem);
	spin_lock_init(&placement->lock);
	for (i = 0; i < AMDM_PLACES; i++)
		INIT_LIST_HEAD(&placement->in[i]);
	init_waitqueue_head(&placement->left);
}

/** amdm_evict_now() - what is used from now on has a later amdm_bo.used_at */
u64 amdm_evict_now(struct amdm_device *adev)
{
	u64 now;

	spin_lock(&adev->placement.lock);
	now = ++adev->placement.clock;
	spin_unlock(&adev->placement.lock);
	return now;
}

/** amdm_evict_touch() - a buffer is used, or new */
void amdm_evict_touch(struct amdm_bo *bo)
{
	struct amdm_placement *placement = &amdm_bo_device(bo)->placement;

	spin_lock(&placement->lock);
	bo->used_at = ++placement->clock;
	if (bo->kind < AMDM_PLACES)
		list_move_tail(&bo->place, &placement->in[bo->kind]);
	spin_unlock(&placement->lock);
}

/** amdm_evict_forget() - a buffer has gone, and its memory has been given back */
void amdm_evict_forget(struct amdm_bo *bo)
{
	struct amdm_placement *placement = &amdm_bo_device(bo)->placement;

	spin_lock(&placement->lock);
	list_del_init(&bo->place);
	list_del_init(&bo->stray);
	spin_unlock(&placement->lock);
}

/** amdm_evict_kfd_running() - may a queue of KFD touch it at this moment? amdm_placement.sem held for writing */
bool amdm_evict_kfd_running(const struct amdm_bo *bo)
{
	const struct amdm_mapping *mapping;

	list_for_each_entry(mapping, &bo->mappings, of_bo)
		if (amdm_mapping_is_of_kfd(mapping) && !mapping->vm->queues_off)
			return true;
	return false;
}

/* A process of KFD needs all its buffers at once: none of its own goes for it (amdgpu_ttm_bo_eviction_valuable()). */
static bool evict_may_take(const struct amdm_bo *bo, const struct amdm_evict_who *who)
{
	const struct amdm_mapping *mapping;

	if (bo->kmap_count || atomic_read(&bo->pins))
		return false;
	list_for_each_entry(mapping, &bo->mappings, of_bo)
		if (amdm_mapping_is_of_kfd(mapping) && (who->kfd_stays || (current->mm && mapping->vm->mm == current->mm)))
			return false;
	return true;
}

/* Every job of an address space uses all its always-valid buffers. */
static u64 evict_used_at(const struct amdm_bo *bo)
{
	return bo->vm ? max(bo->used_at, READ_ONCE(bo->vm->used_at)) : bo->used_at;
}

/*
 * The next to go, with a reference: the longest unused; amdm_placement.sem held for writing. ERR_PTR: -ENOSPC: there is none, -EAGAIN:
 * one goes by itself, without the lock.
 */
static struct amdm_bo *evict_victim(struct amdm_device *adev, enum amdm_kind kind, const struct amdm_evict_who *who)
{
	struct amdm_bo *bo, *found = ERR_PTR(-ENOSPC);
	u64 oldest = who->before;

	spin_lock(&adev->placement.lock);
	list_for_each_entry(bo, &adev->placement.in[kind], place) {
		if (!kref_read(&bo->base.refcount)) {
			if (found == ERR_PTR(-ENOSPC))
				found = ERR_PTR(-EAGAIN);
		} else if (evict_used_at(bo) < oldest && evict_may_take(bo, who)) {
			found = bo;
			oldest = evict_used_at(bo);
		}
		/* The rest of the list has been used, or has come here, later. */
		if (!IS_ERR(found) && bo->used_at >= oldest)
			break;
	}
	if (!IS_ERR(found) && !kref_get_unless_zero(&found->base.refcount))
		found = ERR_PTR(-EAGAIN);
	spin_unlock(&adev->placement.lock);
	return found;
}

static enum amdm_kind evict_to(const struct amdm_bo *bo)
{
	struct amdm_device *adev = amdm_bo_device(bo);

	if (bo->kind == AMDM_VRAM && bo->base.size <= amdm_gtt_left(adev))
		return AMDM_GTT;
	return AMDM_CPU;
}

static bool evict_is_idle(const struct amdm_bo *bo)
{
	return dma_resv_test_signaled(bo->base.resv, DMA_RESV_USAGE_READ);
}

/* The buffer is idle and its pages are not mapped; amdm_placement.sem held for writing. */
static bool evict_is_free(const struct amdm_bo *bo)
{
	return evict_is_idle(bo) && !amdm_evict_kfd_running(bo) && !bo->kmap_count && !atomic_read(&bo->pins);
}

/* Return: 0; -ETIME: they have not ended in the time that @who has; -ERESTARTSYS. */
static int evict_wait_jobs(struct amdm_bo *bo, const struct amdm_evict_who *who)
{
	long ret = dma_resv_wait_timeout(bo->base.resv, DMA_RESV_USAGE_READ, true, who->patience ? who->patience : MAX_SCHEDULE_TIMEOUT);

	if (!ret)
		return -ETIME;
	return ret < 0 ? ret : 0;
}

/* Have the queues that may touch a buffer leave; amdm_placement.sem held for writing. */
static void evict_ask_kfd(struct amdm_bo *bo)
{
	struct amdm_mapping *mapping;

	list_for_each_entry(mapping, &bo->mappings, of_bo)
		if (amdm_mapping_is_of_kfd(mapping) && !mapping->vm->queues_off)
			amdm_kfd_evict_and_restore(amdm_bo_device(bo), mapping->vm->mm);
}

/* Until it may be free; what has been waited for has to be looked at again. */
static int evict_wait_free(struct amdm_bo *bo, const struct amdm_evict_who *who)
{
	struct amdm_placement *placement = &amdm_bo_device(bo)->placement;
	u32 seen = READ_ONCE(placement->departures);
	long ret;

	ret = evict_wait_jobs(bo, who);
	if (ret)
		return ret;
	down_write(&placement->sem);
	if (!amdm_evict_kfd_running(bo)) {
		up_write(&placement->sem);
		return 0;
	}
	evict_ask_kfd(bo);
	up_write(&placement->sem);
	ret = wait_event_interruptible_timeout(placement->left, READ_ONCE(placement->departures) != seen,
					       msecs_to_jiffies(EVICT_KFD_PATIENCE_MS * amdm_glue_slow_factor()));
	if (!ret)
		return -ETIME;
	return ret < 0 ? ret : 0;
}

/* What goes by itself needs no more than a CPU. */
static int evict_wait_gone(void)
{
	usleep_range(EVICT_GONE_US, 2 * EVICT_GONE_US);
	return signal_pending(current) ? -ERESTARTSYS : 0;
}

static bool evict_memory(struct amdm_device *adev, enum amdm_kind kind)
{
	return kind == AMDM_VRAM && adev->placement.give_room && adev->placement.give_room(adev);
}

/* Let one buffer go from @kind, or memory of a process. Return: 0: look again; -ENOSPC: there is none; -ERESTARTSYS, -ENOMEM. */
static int evict_one(struct amdm_device *adev, enum amdm_kind kind, const struct amdm_evict_who *who)
{
	struct amdm_bo *bo;
	int ret = 0;
	bool busy;

	down_write(&adev->placement.sem);
	bo = evict_victim(adev, kind, who);
	if (IS_ERR(bo)) {
		up_write(&adev->placement.sem);
		if (PTR_ERR(bo) == -EAGAIN)
			return evict_wait_gone();
		return evict_memory(adev, kind) ? 0 : PTR_ERR(bo);
	}
	busy = !evict_is_free(bo);
	if (!busy) {
		ret = amdm_move(bo, evict_to(bo), NULL);
		if (!ret)
			atomic64_inc(&adev->placement.evictions);
	}
	up_write(&adev->placement.sem);
	if (busy)
		ret = evict_wait_free(bo, who);
	if (ret == -ETIME) {
		amdm_evict_touch(bo);	/* another buffer's turn */
		ret = 0;
	}
	drm_gem_object_put(&bo->base);
	return ret;
}

/**
 * amdm_evict_vram() - VRAM, even if others have to go
 * @adev:  device
 * @size:  bytes
 * @align: of the first piece
 * @who:   wants it
 *
 * Context: may sleep; no reservation and not amdm_placement.sem held. Return: ERR_PTR: -ENOMEM, -ERESTARTSYS.
 */
struct amdm_vram_alloc *amdm_evict_vram(struct amdm_device *adev, u64 size, u64 align, const struct amdm_evict_who *who)
{
	struct amdm_vram_alloc *vram;
	int ret;

	if (size > adev->vram.size)
		return ERR_PTR(-ENOMEM);
	for (;;) {
		vram = amdm_vram_alloc(adev, size, align, false);
		if (vram != ERR_PTR(-ENOSPC))
			return vram;
		ret = evict_one(adev, AMDM_VRAM, who);
		if (ret)
			return ERR_PTR(ret == -ENOSPC ? -ENOMEM : ret);
	}
}

/*
 * Other threads may fill the room that has been made for a new buffer. Their buffers are newer than this request, or not in the list yet,
 * so that this request cannot evict them; the next try can. Where nothing has changed few more tries are made: buffers that cannot be
 * evicted stay.
 */
static bool evict_try_again(struct amdm_device *adev, int error, u64 asked, u32 *tries)
{
	bool changed = amdm_evict_now(adev) > asked + 1;

	return error == -ENOMEM && ++*tries < (changed ? EVICT_NEW_TRIES : EVICT_STILL_TRIES) && !evict_wait_gone();
}

/** amdm_evict_vram_for_new() - VRAM for a buffer that is being made; as amdm_evict_vram() */
struct amdm_vram_alloc *amdm_evict_vram_for_new(struct amdm_device *adev, u64 size, u64 align)
{
	struct amdm_evict_who who = {};
	struct amdm_vram_alloc *vram;
	u32 tries = 0;

	do {
		who.before = amdm_evict_now(adev);
		vram = amdm_evict_vram(adev, size, align, &who);
	} while (IS_ERR(vram) && evict_try_again(adev, PTR_ERR(vram), who.before, &tries));
	return vram;
}

/** amdm_evict_gtt_for_new() - the same in GTT */
int amdm_evict_gtt_for_new(struct amdm_device *adev, u64 size)
{
	struct amdm_evict_who who = {};
	u32 tries = 0;
	int ret;

	do {
		who.before = amdm_evict_now(adev);
		ret = amdm_evict_gtt(adev, size, &who);
	} while (ret && evict_try_again(adev, ret, who.before, &tries));
	return ret;
}

/** amdm_evict_gtt() - room in GTT, even if others have to go; context as amdm_evict_vram(). Return: 0, -ENOMEM, -ERESTARTSYS. */
int amdm_evict_gtt(struct amdm_device *adev, u64 size, const struct amdm_evict_who *who)
{
	int ret = 0;

	if (size > amdm_gtt_size())
		return -ENOMEM;
	while (!ret && size > amdm_gtt_left(adev))
		ret = evict_one(adev, AMDM_GTT, who);
	if (ret != -ENOSPC)
		return ret;
	/* What had the room may have left it, or have moved on, while amdm_placement.sem was waited for. */
	return size > amdm_gtt_left(adev) ? -ENOMEM : 0;
}

/** amdm_evict_all() - empty a place as far as possible (ttm_resource_manager_evict_all()). Return: 0, -ERESTARTSYS, -ENOMEM. */
int amdm_evict_all(struct amdm_device *adev, enum amdm_kind kind)
{
	const struct amdm_evict_who who = { .before = amdm_evict_now(adev) };
	int ret;

	do
		ret = evict_one(adev, kind, &who);
	while (!ret);
	return ret == -ENOSPC ? 0 : ret;
}

/* The first buffer in VRAM, with a reference, which is the last one now; NULL: none, or it goes. */
static struct amdm_bo *evict_rotate(struct amdm_placement *placement)
{
	struct amdm_bo *bo;

	spin_lock(&placement->lock);
	bo = list_first_entry_or_null(&placement->in[AMDM_VRAM], struct amdm_bo, place);
	if (bo) {
		list_move_tail(&bo->place, &placement->in[AMDM_VRAM]);
		if (!kref_get_unless_zero(&bo->base.refcount))
			bo = NULL;
	}
	spin_unlock(&placement->lock);
	return bo;
}

static u32 evict_count(struct amdm_placement *placement)
{
	struct amdm_bo *bo;
	u32 n = 0;

	spin_lock(&placement->lock);
	list_for_each_entry(bo, &placement->in[AMDM_VRAM], place)
		n++;
	spin_unlock(&placement->lock);
	return n;
}

/**
 * amdm_evict_lose() - a reset has cost VRAM its contents
 * @adev: device, on which nothing runs
 *
 * Buffers read as zero. Page tables and the GART's are the driver's, who has them elsewhere on Linux; here they are still there.
 */
void amdm_evict_lose(struct amdm_device *adev)
{
	struct amdm_placement *placement = &adev->placement;
	struct amdm_bo *bo;
	u32 n;

	for (n = evict_count(placement); n; n--) {
		bo = evict_rotate(placement);
		if (!bo)
			continue;
		down_read(&placement->sem);
		if (bo->kind == AMDM_VRAM)
			amdm_vram_clear(adev, bo->vram);
		up_read(&placement->sem);
		drm_gem_object_put(&bo->base);
		cond_resched();
	}
}

/** amdm_evict_for_tables() - page tables have found no room in VRAM: is there more now? */
bool amdm_evict_for_tables(struct amdm_device *adev)
{
	const struct amdm_evict_who who = { .before = amdm_evict_now(adev) };

	/* With that much room something else was missing. */
	if (adev->vram.size - amdm_vram_used(adev) >= EVICT_TABLES_ROOM)
		return false;
	return !evict_one(adev, AMDM_VRAM, &who);
}

/* Into VRAM, where it is to be. Return: 0: it is there, or others were quicker; -ENOMEM, -ERESTARTSYS. */
static int validate_vram(struct amdm_bo *bo, const struct amdm_evict_who *who)
{
	struct amdm_device *adev = amdm_bo_device(bo);
	struct amdm_vram_alloc *vram;
	int ret;

	ret = evict_wait_jobs(bo, who);
	if (ret)
		return ret == -ETIME ? -ENOMEM : ret;
	vram = amdm_evict_vram(adev, bo->base.size, bo->align, who);
	if (IS_ERR(vram))
		return PTR_ERR(vram);
	ret = -EBUSY;
	down_write(&adev->placement.sem);
	if (bo->kind != AMDM_VRAM && evict_is_free(bo))
		ret = amdm_move(bo, AMDM_VRAM, vram);
	up_write(&adev->placement.sem);
	if (ret)
		amdm_vram_free(adev, vram);
	return ret == -EBUSY ? 0 : ret;
}

static int validate_gtt(struct amdm_bo *bo, const struct amdm_evict_who *who)
{
	struct amdm_device *adev = amdm_bo_device(bo);
	int ret;

	ret = amdm_evict_gtt(adev, bo->base.size, who);
	if (ret)
		return ret;
	down_write(&adev->placement.sem);
	if (bo->kind != AMDM_GTT && evict_is_free(bo))
		ret = amdm_move(bo, AMDM_GTT, NULL);
	up_write(&adev->placement.sem);
	return ret;
}

/**
 * amdm_evict_validate() - bring a buffer where it is to be, or at least where it can be used
 * @bo:       buffer, held
 * @who:      uses it
 * @may_move: also if it can be used where it is
 *
 * Context as amdm_evict_vram(). It may be elsewhere again when this returns. Return: 0, -ENOMEM, -ERESTARTSYS.
 */
int amdm_evict_validate(struct amdm_bo *bo, const struct amdm_evict_who *who, bool may_move)
{
	struct amdm_device *adev = amdm_bo_device(bo);
	bool usable, vram;
	int ret = -ENOMEM;

	if (!amdm_bo_is_memory(bo))
		return 0;
	down_read(&adev->placement.sem);
	usable = amdm_move_is_usable(bo);
	may_move = amdm_move_is_wanted(bo) && (may_move || !usable);
	vram = bo->domains & AMDGPU_GEM_DOMAIN_VRAM;
	up_read(&adev->placement.sem);
	if (!may_move)
		return 0;
	if (vram)
		ret = validate_vram(bo, who);
	if (ret == -ENOMEM && !(vram && usable))
		ret = validate_gtt(bo, who);
	return ret == -ENOMEM && usable ? 0 : ret;
}
