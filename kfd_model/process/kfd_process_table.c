// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: Where processes are found
 *
 * By their mm, and by the PASID that the hardware reports; PASIDs are also allocated here. Readers hold SRCU: what they find is not freed
 * before they are done, because a process is removed from the tables, and kfdm_processes_synchronize() has returned, before its last
 * reference is dropped.
 */
#include "kfd_process_table.h"

#include <linux/hashtable.h>
#include <linux/idr.h>
#include <linux/srcu.h>

#include "kfd_model/chips/kfd_abi.h"

#define PASID_FIRST	0x8001
#define PASID_LAST	0xffff

DEFINE_MUTEX(kfdm_processes_mutex);

static DEFINE_HASHTABLE(processes, 5);		/* by mm; writers: kfdm_processes_mutex, readers: SRCU */
static DEFINE_HASHTABLE(by_pasid, 12);		/* the same, by PASID: interrupts look there */
static DEFINE_HASHTABLE(by_vm_pasid, 12);	/* their address spaces, where those have PASIDs */
DEFINE_STATIC_SRCU(processes_srcu);
static DEFINE_IDR(pasids);	/* not an IDA: Linux 6.1's loses memory when its tree cannot grow at first (lib/idr.c: ida_alloc_range) */

/** kfdm_process_find() - the process of an mm that is no context; NULL: none. Context: kfdm_processes_mutex */
struct kfdm_process *kfdm_process_find(const struct mm_struct *mm)
{
	struct kfdm_process *p;

	hash_for_each_possible_rcu(processes, p, hash, (unsigned long)mm, srcu_read_lock_held(&processes_srcu) ||
				   lockdep_is_held(&kfdm_processes_mutex))
		if (p->mm == mm && !kfdm_process_is_context(p))
			return p;
	return NULL;
}

/** kfdm_process_show() - from now on it is found. Context: kfdm_processes_mutex */
void kfdm_process_show(struct kfdm_process *p)
{
	hash_add_rcu(processes, &p->hash, (unsigned long)p->mm);
	if (p->pasid)
		hash_add_rcu(by_pasid, &p->pasid_hash, p->pasid);
}

/** kfdm_process_hide() - and no more, when kfdm_processes_synchronize() has returned. Context: kfdm_processes_mutex */
void kfdm_process_hide(struct kfdm_process *p)
{
	u32 i;

	p->hidden = true;
	hash_del_rcu(&p->hash);
	if (p->pasid)
		hash_del_rcu(&p->pasid_hash);
	for (i = 0; i < p->n_pdds; i++)
		if (p->pdds[i]->pasid)
			hash_del_rcu(&p->pdds[i]->pasid_hash);
}

/** kfdm_processes_synchronize() - nobody who looks for processes has one any more that was hidden before. Context: process */
void kfdm_processes_synchronize(void)
{
	synchronize_srcu(&processes_srcu);
}

/**
 * kfdm_pasid_alloc() - a PASID
 *
 * They go round: what still knows a process that has ended by its PASID, on the chip or on the way from there, shall not take the next
 * one for it. Context: kfdm_processes_mutex. Return: the PASID, -ENOSPC, -ENOMEM.
 */
int kfdm_pasid_alloc(void)
{
	return idr_alloc_cyclic(&pasids, &pasids, PASID_FIRST, PASID_LAST + 1, GFP_KERNEL);
}

/** kfdm_pasid_free() - undo kfdm_pasid_alloc() */
void kfdm_pasid_free(u32 pasid)
{
	idr_remove(&pasids, pasid);
}

/**
 * kfdm_pdd_take_pasid() - a PASID for the address space that a process is about to have on a device, if address spaces have some
 * @pdd: process and device; process's mutex held
 *
 * Return: 0, -ESRCH: the process ends, -ENOSPC, -ENOMEM.
 */
int kfdm_pdd_take_pasid(struct kfdm_process_device *pdd)
{
	int ret;

	if (!kfdm_abi->pasid_of_vm)
		return 0;
	mutex_lock(&kfdm_processes_mutex);
	ret = pdd->process->hidden ? -ESRCH : kfdm_pasid_alloc();
	if (ret > 0) {
		pdd->pasid = ret;
		pdd->qpd.map.pasid = ret;
		hash_add_rcu(by_vm_pasid, &pdd->pasid_hash, ret);
		ret = 0;
	}
	mutex_unlock(&kfdm_processes_mutex);
	return ret;
}

/** kfdm_pdd_give_pasid() - undo kfdm_pdd_take_pasid(), if it was done; the hardware knows it no more */
void kfdm_pdd_give_pasid(struct kfdm_process_device *pdd)
{
	if (!pdd->pasid)	/* also of a process that is not quite made yet, with kfdm_processes_mutex held */
		return;
	mutex_lock(&kfdm_processes_mutex);
	if (!pdd->process->hidden)
		hash_del_rcu(&pdd->pasid_hash);
	mutex_unlock(&kfdm_processes_mutex);
	kfdm_processes_synchronize();
	kfdm_pasid_free(pdd->pasid);
	pdd->pasid = 0;
	pdd->qpd.map.pasid = 0;
}

/** kfdm_process_get_unless_dying() - one more reference, if it has one yet; NULL: it had not */
struct kfdm_process *kfdm_process_get_unless_dying(struct kfdm_process *p)
{
	return p && kref_get_unless_zero(&p->ref) ? p : NULL;
}

/** kfdm_process_by_mm() - referenced process of an mm, NULL: none */
struct kfdm_process *kfdm_process_by_mm(const struct mm_struct *mm)
{
	int idx = srcu_read_lock(&processes_srcu);
	struct kfdm_process *p = mm ? kfdm_process_get_unless_dying(kfdm_process_find(mm)) : NULL;

	srcu_read_unlock(&processes_srcu, idx);
	return p;
}

/** kfdm_processes_of_mm() - call @fn for the process of an mm and its contexts; @fn may sleep if the caller may. Return: how many */
u32 kfdm_processes_of_mm(const struct mm_struct *mm, void (*fn)(struct kfdm_process *p, void *data), void *data)
{
	int idx = srcu_read_lock(&processes_srcu);
	struct kfdm_process *p;
	u32 n = 0;

	hash_for_each_possible_rcu(processes, p, hash, (unsigned long)mm, srcu_read_lock_held(&processes_srcu)) {
		if (!mm || p->mm != mm)
			continue;
		fn(p, data);
		n++;
	}
	srcu_read_unlock(&processes_srcu, idx);
	return n;
}

/**
 * kfdm_process_by_pasid() - a process as the hardware names it
 * @pasid: its PASID
 *
 * Context: any; it takes no longer if there are many processes. Return:
 * referenced process, NULL: none.
 */
struct kfdm_process *kfdm_process_by_pasid(u32 pasid)
{
	int idx = srcu_read_lock(&processes_srcu);
	struct kfdm_process *p, *found = NULL;
	struct kfdm_process_device *pdd;

	hash_for_each_possible_rcu(by_pasid, p, pasid_hash, pasid, srcu_read_lock_held(&processes_srcu))
		if (p->pasid == pasid) {
			found = kfdm_process_get_unless_dying(p);
			break;
		}
	hash_for_each_possible_rcu(by_vm_pasid, pdd, pasid_hash, pasid, srcu_read_lock_held(&processes_srcu))
		if (pdd->pasid == pasid) {
			found = kfdm_process_get_unless_dying(pdd->process);
			break;
		}
	srcu_read_unlock(&processes_srcu, idx);
	return found;
}

/** kfdm_processes_for_each() - call @fn for every live process. Context: process; @fn may sleep */
void kfdm_processes_for_each(void (*fn)(struct kfdm_process *p, void *data), void *data)
{
	struct kfdm_process *p;
	int bucket, idx = srcu_read_lock(&processes_srcu);

	hash_for_each_rcu(processes, bucket, p, hash)
		fn(p, data);
	srcu_read_unlock(&processes_srcu, idx);
}

/** kfdm_process_table_fini() - at module unload, without processes */
void kfdm_process_table_fini(void)
{
	idr_destroy(&pasids);
}
