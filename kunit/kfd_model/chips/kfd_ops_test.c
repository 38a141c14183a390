// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * kfd_ops_test.c - every ops table of kfd_model, slot by slot: schedulers, descriptors, packets, registers, interrupts; and every
 * row of the chip tables names tables that are walked here. What may be empty is what that Linux leaves empty, too.
 */
#include <kunit/test.h>

#include "kunit/ops_slots.h"
#include "kfd_model/chips/kfd_chips.h"
#include "kfd_model/dqm/kfd_dqm.h"
#include "kunit/kfd_model/every_chip.h"

#define DQM(slot)	OPS_SLOT(kfdm_dqm_ops, slot)
static const struct ops_slot dqm_slots[] = {
	DQM(init), DQM(start), DQM(stop), DQM(reserve), DQM(release), DQM(load), DQM(unload), DQM(before_update), DQM(after_update),
	DQM(evict_queue), DQM(evicted), DQM(restoring), DQM(restore_queue), DQM(restored), DQM(terminate_queue), DQM(terminated),
	DQM(policy_changed), DQM(reset_queues), DQM(halt), DQM(unhalt),
};
OPS_SLOTS_ARE_ALL(dqm_slots, kfdm_dqm_ops, init);

#define MQD(slot)	OPS_SLOT(kfdm_mqd_ops, slot)
static const struct ops_slot mqd_slots[] = { MQD(init), MQD(update), MQD(read_doorbell_id), MQD(wave_state) };
OPS_SLOTS_ARE_ALL(mqd_slots, kfdm_mqd_ops, init);

#define PACKET(slot)	OPS_SLOT(kfdm_packet_ops, slot)
static const struct ops_slot packet_slots[] = {
	PACKET(map_process), PACKET(map_queues), PACKET(run_list), PACKET(set_resources), PACKET(unmap_queues), PACKET(query_status),
	PACKET(dequeue_wait), PACKET(release_mem),
};
OPS_SLOTS_ARE_ALL(packet_slots, kfdm_packet_ops, map_process);

#define ASIC(slot)	OPS_SLOT(kfdm_asic_ops, slot)
static const struct ops_slot asic_slots[] = { ASIC(apertures), ASIC(update_qpd), ASIC(cache_policy), ASIC(bases), ASIC(any_policy),
	ASIC(sdma_vm_addr) };
OPS_SLOTS_ARE_ALL(asic_slots, kfdm_asic_ops, apertures);

#define INTERRUPT(slot)	OPS_SLOT(kfdm_interrupt_ops, slot)
static const struct ops_slot interrupt_slots[] = { INTERRUPT(node_ids), INTERRUPT(wanted), INTERRUPT(decode) };
OPS_SLOTS_ARE_ALL(interrupt_slots, kfdm_interrupt_ops, node_ids);

static void schedulers(struct kunit *test)
{
	static const struct kfdm_dqm_ops *const tables[] = { &kfdm_dqm_cpsch, &kfdm_dqm_mes, &kfdm_dqm_nocpsch };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(tables); i++) {
		KUNIT_ASSERT_NOT_NULL(test, tables[i]->name);
		OPS_SLOTS_WALK(test, tables[i]->name, tables[i], dqm_slots, tables[i] == &kfdm_dqm_cpsch ? "" : "halt unhalt");
	}
}

struct packet_row {
	const char *name;
	const struct kfdm_packet_ops *ops;
	const char *empty;
};

/* kfd_packet_manager_v9.c: .release_mem = NULL */
static const struct packet_row packet_rows[] = {
	{ "packets_vi", &kfdm_packets_vi, "dequeue_wait" },
	{ "packets_v9", &kfdm_packets_v9, "dequeue_wait release_mem" },
	{ "packets_aldebaran", &kfdm_packets_aldebaran, "dequeue_wait release_mem" },
	{ "packets_vi_7_2", &kfdm_packets_vi_7_2, "dequeue_wait" },
	{ "packets_v9_7_2", &kfdm_packets_v9_7_2, "release_mem" },
	{ "packets_aldebaran_7_2", &kfdm_packets_aldebaran_7_2, "release_mem" },
};

static void packets(struct kunit *test)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(packet_rows); i++) {
		const struct kfdm_packet_ops *ops = packet_rows[i].ops;

		OPS_SLOTS_WALK(test, packet_rows[i].name, ops, packet_slots, packet_rows[i].empty);
		KUNIT_EXPECT_TRUE(test, ops->map_process_dwords && ops->map_queues_dwords && ops->run_list_dwords);
		KUNIT_EXPECT_TRUE(test, ops->set_resources_dwords && ops->unmap_queues_dwords && ops->query_status_dwords);
		KUNIT_EXPECT_EQ(test, ops->release_mem_dwords != 0, ops->release_mem != NULL);
	}
}

struct mqd_row {
	const char *name;
	const struct kfdm_mqd_ops *ops;
	const char *cp_empty;		/* of compute queues */
	bool kiq, checkpoint, ctl_stack;
};

/*
 * mqd_manager_init_*: only the HIQ reads doorbell ids; compute queues have get_wave_state, but not on GFX7; checkpoint_mqd is not
 * there on GFX11; the HIQ goes through the KIQ since GFX9 (hiq_load_mqd_kiq); the control stack lies behind the descriptor on GFX9.
 */
static const struct mqd_row mqd_rows[] = {
	{ "cik",        kfdm_mqd_cik,        "read_doorbell_id wave_state", false, true,  false },
	{ "cik_hawaii", kfdm_mqd_cik_hawaii, "read_doorbell_id wave_state", false, true,  false },
	{ "vi",         kfdm_mqd_vi,         "read_doorbell_id",            false, true,  false },
	{ "vi_tonga",   kfdm_mqd_vi_tonga,   "read_doorbell_id",            false, true,  false },
	{ "v9",         kfdm_mqd_v9,         "read_doorbell_id",            true,  true,  true },
	{ "v10",        kfdm_mqd_v10,        "read_doorbell_id",            true,  true,  false },
	{ "v11",        kfdm_mqd_v11,        "read_doorbell_id",            true,  false, false },
	{ "cik_7_2",    kfdm_mqd_cik_7_2,    "read_doorbell_id wave_state", false, true,  false },
	{ "vi_7_2",     kfdm_mqd_vi_7_2,     "read_doorbell_id",            false, true,  false },
	{ "v9_7_2",     kfdm_mqd_v9_7_2,     "read_doorbell_id",            true,  true,  true },
	{ "aldebaran_7_2", kfdm_mqd_aldebaran_7_2, "read_doorbell_id",      true,  true,  true },
	{ "v9_4_3_7_2", kfdm_mqd_v9_4_3_7_2, "read_doorbell_id",            true,  true,  true },
	{ "v10_7_2",    kfdm_mqd_v10_7_2,    "read_doorbell_id",            true,  true,  false },
	{ "v11_7_2",    kfdm_mqd_v11_7_2,    "read_doorbell_id",            true,  true,  false },
	{ "v12_7_2",    kfdm_mqd_v12_7_2,    "read_doorbell_id",            true,  false, false },
	{ "v12_1_7_2",  kfdm_mqd_v12_1_7_2,  "read_doorbell_id",            true,  false, false },
};

static void mqd_name(const struct mqd_row *row, char *text)
{
	strscpy(text, row->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(mqd, mqd_rows, mqd_name);

static void descriptors(struct kunit *test)
{
	const struct mqd_row *row = test->param_value;
	const struct kfdm_mqd_ops *hiq = &row->ops[KFDM_MQD_HIQ], *cp = &row->ops[KFDM_MQD_CP];
	const struct kfdm_mqd_ops *sdma = &row->ops[KFDM_MQD_SDMA], *diq = &row->ops[KFDM_MQD_DIQ];

	OPS_SLOTS_WALK(test, "HIQ", hiq, mqd_slots, "wave_state");
	OPS_SLOTS_WALK(test, "CP", cp, mqd_slots, row->cp_empty);
	OPS_SLOTS_WALK(test, "SDMA", sdma, mqd_slots, "read_doorbell_id wave_state");
	OPS_SLOTS_WALK(test, "DIQ", diq, mqd_slots, "read_doorbell_id wave_state");
	KUNIT_EXPECT_EQ(test, hiq->load == KFDM_LOAD_KIQ, row->kiq);
	KUNIT_EXPECT_TRUE(test, cp->load == KFDM_LOAD_HQD && diq->load == KFDM_LOAD_HQD && sdma->load == KFDM_LOAD_SDMA);
	KUNIT_EXPECT_EQ(test, cp->can_checkpoint, row->checkpoint);
	KUNIT_EXPECT_EQ(test, sdma->can_checkpoint, row->checkpoint);
	KUNIT_EXPECT_FALSE(test, hiq->can_checkpoint || diq->can_checkpoint);
	KUNIT_EXPECT_EQ(test, cp->ctl_stack_in_mqd, row->ctl_stack);
	KUNIT_EXPECT_NOT_NULL(test, cp->map_cu_mask);
	KUNIT_EXPECT_NOT_NULL(test, sdma->sdma);	/* its builder's style; the builder of GFX7 has none for compute queues */
	KUNIT_EXPECT_TRUE(test, hiq->size == cp->size && diq->size == cp->size && sdma->size && cp->size);
}

struct asic_row {
	const char *name;
	const struct kfdm_asic_ops *ops;
	const char *empty;
};

/* set_cache_memory_policy_v9, _v10 and _v11 accept everything and change nothing. */
static const struct asic_row asic_rows[] = {
	{ "asic_cik", &kfdm_asic_cik, "bases any_policy" },
	{ "asic_cik_hawaii", &kfdm_asic_cik_hawaii, "bases any_policy" },
	{ "asic_vi", &kfdm_asic_vi, "bases any_policy" },
	{ "asic_vi_tonga", &kfdm_asic_vi_tonga, "bases any_policy" },
	{ "asic_v9", &kfdm_asic_v9, "cache_policy bases any_policy" },
	{ "asic_aldebaran", &kfdm_asic_aldebaran, "cache_policy bases any_policy" },
	{ "asic_v10", &kfdm_asic_v10, "cache_policy bases any_policy" },
	{ "asic_cik_7_2", &kfdm_asic_cik_7_2, "update_qpd any_policy" },
	{ "asic_vi_7_2", &kfdm_asic_vi_7_2, "update_qpd any_policy" },
	{ "asic_v9_7_2", &kfdm_asic_v9_7_2, "cache_policy bases" },
	{ "asic_aldebaran_7_2", &kfdm_asic_aldebaran_7_2, "cache_policy bases" },
	{ "asic_v9_4_3_7_2", &kfdm_asic_v9_4_3_7_2, "cache_policy bases" },
	{ "asic_v9_5_0_7_2", &kfdm_asic_v9_5_0_7_2, "cache_policy bases" },
	{ "asic_v12_1_7_2", &kfdm_asic_v12_1_7_2, "cache_policy bases any_policy" },
	{ "asic_v10_7_2", &kfdm_asic_v10_7_2, "update_qpd cache_policy bases" },
};

static void registers(struct kunit *test)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(asic_rows); i++)
		OPS_SLOTS_WALK(test, asic_rows[i].name, asic_rows[i].ops, asic_slots, asic_rows[i].empty);
}

static const struct kfdm_interrupt_ops *const interrupt_tables[] = {
	&kfdm_interrupt_cik, &kfdm_interrupt_v9, &kfdm_interrupt_v11,
	&kfdm_interrupt_v9_7_2, &kfdm_interrupt_v9_4_3_7_2, &kfdm_interrupt_v10_7_2, &kfdm_interrupt_v11_7_2,
	&kfdm_interrupt_v12_1_7_2,
};

static void interrupts(struct kunit *test)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(interrupt_tables); i++) {
		const bool dies = interrupt_tables[i] == &kfdm_interrupt_v9_4_3_7_2 || interrupt_tables[i] == &kfdm_interrupt_v12_1_7_2;

		OPS_SLOTS_WALK(test, "interrupt", interrupt_tables[i], interrupt_slots, dies ? "" : "node_ids");
		KUNIT_EXPECT_TRUE(test, interrupt_tables[i]->entry_dwords == 4 || interrupt_tables[i]->entry_dwords == 8);
	}
}

#define WALKED(rows, member, table)							\
	({										\
		bool found = false;							\
		u32 i;									\
											\
		for (i = 0; i < ARRAY_SIZE(rows); i++)					\
			found |= (rows)[i]member == (table);				\
		found;									\
	})

static void chip_names_walked_tables(struct kunit *test)
{
	const struct kfdm_chip *chip = test->param_value;

	KUNIT_EXPECT_TRUE(test, WALKED(mqd_rows, .ops, chip->mqd));
	KUNIT_EXPECT_TRUE(test, WALKED(packet_rows, .ops, chip->packets));
	KUNIT_EXPECT_TRUE(test, WALKED(asic_rows, .ops, chip->asic));
	KUNIT_EXPECT_TRUE(test, WALKED(interrupt_tables, /* itself */, chip->interrupts));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(schedulers),
	KUNIT_CASE(packets),
	KUNIT_CASE_PARAM(descriptors, mqd_gen_params),
	KUNIT_CASE(registers),
	KUNIT_CASE(interrupts),
	KUNIT_CASE_PARAM(chip_names_walked_tables, next_chip),
	{}
};

static struct kunit_suite suite = { .name = "kfd_ops", .test_cases = cases };
kunit_test_suite(suite);
