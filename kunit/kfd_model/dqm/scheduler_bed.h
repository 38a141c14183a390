/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* scheduler_bed.h - a device with a scheduler, a process on it and queues to be made; to be included after kfd_dqm.c */
#ifndef SCHEDULER_BED_H
#define SCHEDULER_BED_H

static void fake_mqd_init(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd, u64 gpu_addr,
			  struct kfdm_queue_properties *q)
{
	seen.mqd_inits++;
	q->is_active = kfdm_queue_wants_to_run(q);
}

static void fake_mqd_update(const struct kfdm_mqd_ops *ops, const struct kfdm_mqd_env *env, u32 *mqd,
			    struct kfdm_queue_properties *q, const struct kfdm_cu_mask *mask)
{
	seen.mqd_updates++;
	seen.update_flags = mask ? mask->flags : 0;
	q->is_active = kfdm_queue_wants_to_run(q);
}

static void fake_wave_state(const u32 *mqd, const struct kfdm_queue_properties *q, struct kfdm_wave_state *state)
{
	*state = (struct kfdm_wave_state){ .ctl_stack_used = 8, .save_area_used = 16, .ctl_stack_size = ~0u, .copy_bytes = ~0u };
}

static u32 fake_sdma_vm_addr(const struct kfdm_sh_mem_inputs *in)
{
	return 0x42;
}

static void fake_update_qpd(struct kfdm_map_process *process, const struct kfdm_sh_mem_inputs *in)
{
	process->sh_mem_bases = 5;
}

static u32 fake_cache_policy(u32 sh_mem_config, bool default_coherent, bool alternate_coherent)
{
	return default_coherent ? 1 : 2;
}

static u64 fake_page_table(struct amdm_vm *vm)
{
	seen.page_tables++;
	return 0x1001;
}

static bool fake_vmid_pasid(struct amdm_xcp *xcp, u32 vmid, u16 *pasid)
{
	*pasid = seen.vmid_pasid[vmid];
	return *pasid;
}

static int fake_wave_control(struct amdm_xcp *xcp, u32 gfx_index, u32 sq_cmd)
{
	seen.gfx_index = gfx_index;
	seen.sq_cmd = sq_cmd;
	return 0;
}

static int fake_init_interrupts(struct amdm_device *adev, u32 pipe)
{
	seen.pipes |= 1u << pipe;
	return 0;
}

static void fake_gpu_reset(struct amdm_device *adev)
{
	seen.resets++;
}

static const struct kfd2kgd_ops fake_kgd = {
	.vm_page_table_base = fake_page_table, .vmid_pasid = fake_vmid_pasid, .wave_control = fake_wave_control,
	.init_interrupts = fake_init_interrupts, .gpu_reset = fake_gpu_reset,
};

static const struct kfdm_mqd_ops mqds[KFDM_MQD_TYPES] = {
	[KFDM_MQD_CP] = { .init = fake_mqd_init, .update = fake_mqd_update, .wave_state = fake_wave_state },
	[KFDM_MQD_SDMA] = { .init = fake_mqd_init, .update = fake_mqd_update },
};
static const struct kfdm_asic_ops asic = {
	.update_qpd = fake_update_qpd, .cache_policy = fake_cache_policy, .sdma_vm_addr = fake_sdma_vm_addr,
};
static const struct kfdm_chip chip = { .mqd = mqds, .asic = &asic };
static const struct kfdm_chip kaveri = { .mqd = mqds, .asic = &asic, .no_hws = true };

struct fixture {
	const struct kfd2kgd_ops *saved;
	struct amdm_kfd_parameters saved_param;
	struct kfdm_device dev;
	struct kfdm_dqm *dqm;
	struct kfdm_process process;
	struct kfdm_process_device pdd;
	struct kfdm_queue q[5];
};

static void describe_queue(struct fixture *f, struct kfdm_queue *q, enum kfdm_queue_type type)
{
	memset(q, 0, sizeof(*q));
	q->pdd = &f->pdd;
	q->properties.type = type;
	q->properties.queue_address = 0x7f0000000000;
	q->properties.queue_size = 4096;
	q->properties.queue_percent = 100;
}

static int dqm_setup(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	test->priv = f;
	f->saved = kfdm_kgd;
	kfdm_kgd = &fake_kgd;
	f->saved_param = amdm_kfd_param;
	amdm_kfd_param.sched_policy = KFDM_SCHED_POLICY_HWS;
	memset(&seen, 0, sizeof(seen));
	seen.error = -ETIME;
	f->dev.chip = &chip;
	f->dev.info.sdma_engines = 1;
	f->dev.info.sdma_queues_per_engine = 2;
	f->process.pasid = 0x8001;
	f->process.pdds[0] = &f->pdd;
	f->process.n_pdds = 1;
	f->pdd.dev = &f->dev;
	f->pdd.process = &f->process;
	f->pdd.qpd.map.pasid = 0x8001;
	INIT_LIST_HEAD(&f->pdd.qpd.queues);
	for (i = 0; i < ARRAY_SIZE(f->q); i++)
		describe_queue(f, &f->q[i], KFDM_QUEUE_COMPUTE);
	f->dqm = kfdm_dqm_create(&f->dev);
	KUNIT_ASSERT_NOT_NULL(test, f->dqm);
	KUNIT_EXPECT_STREQ(test, seen.log, "array init ");
	seen.log[0] = 0;
	return 0;
}

static void dqm_teardown(struct kunit *test)
{
	struct fixture *f = test->priv;

	f->dqm->total_queue_count = 0;		/* cases leave queues behind; a WARN would be a failure */
	f->dqm->processes_count = 0;
	kfdm_dqm_destroy(f->dqm);
	amdm_kfd_param = f->saved_param;
	kfdm_kgd = f->saved;
}

static inline int create(struct fixture *f, u32 i)
{
	return kfdm_dqm_create_queue(f->dqm, &f->pdd.qpd, &f->q[i]);
}

#define EXPECT_LOG(test, text)				\
	do {						\
		KUNIT_EXPECT_STREQ(test, seen.log, text); \
		seen.log[0] = 0;			\
	} while (0)

#endif
