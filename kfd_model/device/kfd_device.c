// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Devices
 *
 * The GPUs that there are, who uses them, and whether one is being reset. How they come and go is in kfd_device_init.c.
 */
#include "kfd_device.h"

#include <linux/delay.h>
#include <linux/slab.h>

#include "kfd_model/dqm/kfd_dqm.h"

#define RESET_WITHIN_SECONDS 120
#define MES_VERSION_MASK	0xfffu

const struct kfd2kgd_ops *kfdm_kgd;

static DEFINE_MUTEX(devices_lock);
static LIST_HEAD(devices);
static atomic_t locked;	/* GPUs that are being reset or sleep */

/** kfdm_is_locked() - is a GPU being reset, or does one sleep? */
bool kfdm_is_locked(void)
{
	return atomic_read(&locked);
}

static bool hang_pending(void)
{
	struct kfdm_device *dev;
	bool pending = false;

	mutex_lock(&devices_lock);
	list_for_each_entry(dev, &devices, link)
		pending |= dev->dqm->is_hws_hang;
	mutex_unlock(&devices_lock);
	return pending || kfdm_is_locked();
}

/**
 * kfdm_wait_for_reset() - until no device is hung or being reset
 *
 * Memory of a process may be freed only when its queues are surely off the hardware. A device that is not reset in time is left
 * to itself.
 */
void kfdm_wait_for_reset(void)
{
	unsigned long end = jiffies + RESET_WITHIN_SECONDS * HZ;

	while (hang_pending()) {
		if (time_after(jiffies, end)) {
			pr_err("kfd_model: a hung GPU was not reset\n");
			return;
		}
		msleep(20);
	}
}

static void device_free(struct kref *ref)
{
	kfree(container_of(ref, struct kfdm_device, ref));
}

/** kfdm_device_get() - the memory stays, even if the GPU goes */
void kfdm_device_get(struct kfdm_device *dev)
{
	kref_get(&dev->ref);
}

/** kfdm_device_put() - undo kfdm_device_get() */
void kfdm_device_put(struct kfdm_device *dev)
{
	kref_put(&dev->ref, device_free);
}

static DECLARE_WAIT_QUEUE_HEAD(unused);

/** kfdm_device_put_user() - a process or a look-up has left the device */
void kfdm_device_put_user(struct kfdm_device *dev)
{
	if (atomic_dec_and_test(&dev->users))
		wake_up_all(&unused);
}

/**
 * kfdm_device_by_id() - a device by its name
 * @gpu_id: its name
 *
 * Return: NULL: none; else it stays until kfdm_device_put_user(), for which an
 * unplugging waits: soon, and not after an access to user memory.
 */
struct kfdm_device *kfdm_device_by_id(u32 gpu_id)
{
	struct kfdm_device *dev, *found = NULL;

	mutex_lock(&devices_lock);
	list_for_each_entry(dev, &devices, link)
		if (dev->id == gpu_id && !dev->locked)
			found = dev;
	if (found)
		atomic_inc(&found->users);
	mutex_unlock(&devices_lock);
	return found;
}

/**
 * kfdm_devices_get() - those that current's cgroup may use
 * @out: in topology order; they stay until kfdm_devices_put(), as of
 *       kfdm_device_by_id()
 *
 * Return: how many.
 */
u32 kfdm_devices_get(struct kfdm_device *out[KFDM_MAX_DEVICES])
{
	struct kfdm_device *dev;
	u32 n = 0;

	mutex_lock(&devices_lock);
	list_for_each_entry(dev, &devices, link)
		if (n < KFDM_MAX_DEVICES && !dev->locked && kfdm_device_visible(dev)) {
			atomic_inc(&dev->users);
			out[n++] = dev;
		}
	mutex_unlock(&devices_lock);
	return n;
}

/** kfdm_devices_put() - undo kfdm_devices_get(), which has returned @n */
void kfdm_devices_put(struct kfdm_device *devices[KFDM_MAX_DEVICES], u32 n)
{
	while (n)
		kfdm_device_put_user(devices[--n]);
}

/** kfdm_devices_add() - processes may use a device from now on */
void kfdm_devices_add(struct kfdm_device *dev)
{
	mutex_lock(&devices_lock);
	list_add_tail(&dev->link, &devices);
	mutex_unlock(&devices_lock);
}

/** kfdm_device_lock() - nobody finds a device that nobody has, until kfdm_device_unlock(). Return: 0, -EBUSY */
int kfdm_device_lock(struct kfdm_device *dev)
{
	int ret = 0;

	mutex_lock(&devices_lock);
	if (atomic_read(&dev->users))
		ret = -EBUSY;
	else
		dev->locked = true;
	mutex_unlock(&devices_lock);
	return ret;
}

/** kfdm_device_unlock() - undo kfdm_device_lock() */
void kfdm_device_unlock(struct kfdm_device *dev)
{
	mutex_lock(&devices_lock);
	dev->locked = false;
	mutex_unlock(&devices_lock);
}

/** kfdm_devices_remove() - nobody finds it any more */
void kfdm_devices_remove(struct kfdm_device *dev)
{
	mutex_lock(&devices_lock);
	list_del(&dev->link);
	mutex_unlock(&devices_lock);
}

/** kfdm_device_wait_unused() - until nobody uses a device, for @timeout jiffies at most. Return: has it come to that? */
bool kfdm_device_wait_unused(struct kfdm_device *dev, unsigned long timeout)
{
	return wait_event_timeout(unused, !atomic_read(&dev->users), timeout);
}

/** kfdm_reset_begins() - kfdm_is_locked() until kfdm_reset_ends(). Return: is it the only one? */
bool kfdm_reset_begins(void)
{
	return atomic_inc_return(&locked) == 1;
}

/** kfdm_reset_ends() - undo kfdm_reset_begins(). Return: was it the last one? */
bool kfdm_reset_ends(void)
{
	return atomic_dec_and_test(&locked);
}

/** kfdm_device_active_cus() - its share of the device's CUs; as in Linux, also where the dies have lost unequally many */
u32 kfdm_device_active_cus(const struct kfdm_device *dev)
{
	return dev->facts.cu_active / dev->facts.partitions;
}

/**
 * kfdm_device_has_gws() - may queues own the global wave sync?
 * @dev: device with its scheduler
 *
 * It takes scheduling firmware that knows about it (kfd_gws_init).
 */
bool kfdm_device_has_gws(const struct kfdm_device *dev)
{
	u32 needed = dev->chip->gws_mec2_fw, mes = dev->chip->gws_mes;

	if (!dev->facts.gws_size || dev->dqm->sched_policy == KFDM_SCHED_POLICY_NO_HWS)
		return false;
	return amdm_kfd_param.hws_gws_support || dev->chip->gws_always || (needed && dev->facts.mec2_fw >= needed) ||
	       (mes && (dev->facts.mes_version & MES_VERSION_MASK) >= mes);
}
