/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * process_fixture.h - a process on two GPUs, for the suites of what works for a process. The first GPU has its address space, the
 * second has none yet.
 */
#ifndef PROCESS_FIXTURE_H
#define PROCESS_FIXTURE_H

#include <kunit/test.h>

#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kfd_model/process/kfd_process.h"

#define GPU_0		0x1234u
#define GPU_1		0x5678u
#define NO_GPU		0x4321u
#define PASID		0x8001u

/** struct process_fixture - @vm stands for the first GPU's address space, which is never dereferenced */
struct process_fixture {
	const struct kfd2kgd_ops *saved_kgd;
	struct kfdm_chip chip;
	struct kfdm_process p;
	struct kfdm_device dev[2];
	struct kfdm_dqm dqm[2];
	struct kfdm_process_device pdd[2];
	u64 vm;
};

static inline struct process_fixture *process_fixture_get(struct kunit *test, const struct kfd2kgd_ops *kgd)
{
	struct process_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	f->saved_kgd = kfdm_kgd;
	kfdm_kgd = kgd;
	f->chip = *kfdm_chip_find(&kfdm_abi_6_1, "vega20", 0x090400);
	mutex_init(&f->p.mutex);
	INIT_LIST_HEAD(&f->p.queues);
	mutex_init(&f->p.debug.lock);
	INIT_LIST_HEAD(&f->p.debug.link);
	INIT_LIST_HEAD(&f->p.debug.targets);
	init_waitqueue_head(&f->p.debug.changed);
	f->p.pasid = PASID;
	f->p.context_id = KFDM_PRIMARY;
	for (i = 0; i < 2; i++) {
		f->dev[i].id = i ? GPU_1 : GPU_0;
		f->dev[i].chip = &f->chip;
		f->dev[i].dqm = &f->dqm[i];
		f->dev[i].adev = (struct amdm_device *)&f->dev[i];
		spin_lock_init(&f->dev[i].smi_lock);
		INIT_LIST_HEAD(&f->dev[i].smi_clients);
		mutex_init(&f->dqm[i].mutex);
		f->dqm[i].dev = &f->dev[i];
		f->pdd[i].dev = &f->dev[i];
		f->pdd[i].process = &f->p;
		f->pdd[i].user_gpu_id = f->dev[i].id;
		f->pdd[i].index = i;
		f->pdd[i].qpd.map.pasid = PASID;
		idr_init(&f->pdd[i].bos);
		INIT_LIST_HEAD(&f->pdd[i].qpd.queues);
		f->p.pdds[f->p.n_pdds++] = &f->pdd[i];
	}
	f->pdd[0].vm = (struct amdm_vm *)&f->vm;
	test->priv = f;
	return f;
}

static inline void process_fixture_put(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	if (!f)
		return;
	idr_destroy(&f->pdd[0].bos);
	idr_destroy(&f->pdd[1].bos);
	kfdm_kgd = f->saved_kgd;
}

#endif
