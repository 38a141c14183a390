// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * amdgpu_ih_test.c - the interrupt ring as the driver reads it: order, wrap, overflow, entries of both lengths.
 */
#include <kunit/test.h>
#include <linux/pci.h>
#include <linux/vmalloc.h>

#include "kunit/amdgpu_model/fake_registers.h"

#define amdm_kfd_interrupt	fake_kfd_interrupt
#define amdm_gtt_create		fake_gtt_create
#define amdm_gtt_destroy	fake_gtt_destroy
#define amdm_ih_process		tested_ih_process
#define amdm_ih_sw_init		tested_ih_sw_init
#define amdm_ih_sw_fini		tested_ih_sw_fini
#define amdm_ih_place_ring	tested_ih_place_ring
#define amdm_ih_enable		tested_ih_enable
#define amdm_ih_hw_fini		tested_ih_hw_fini
#include "amdgpu_model/ih/amdgpu_ih.c"

#define RING_ADDR	0x1230000ULL

static struct {
	struct amdm_gtt gtt;
	bool refuse;
	u32 v3[64], v4[64], num_v3, num_v4, rings, kfd;
	u32 in_a_row, most_in_a_row, writes;
	bool interrupts_on;
} ih_seen;

static void fake_v3_look(struct amdm_device *adev, const u32 *entry)
{
	ih_seen.v3[ih_seen.num_v3++ % 64] = entry[0];
}

static void fake_v4_look(struct amdm_device *adev, const u32 *cookie)
{
	ih_seen.v4[ih_seen.num_v4++ % 64] = cookie[0];
	ih_seen.interrupts_on |= !irqs_disabled();
	/* The register is written at the end of each section with interrupts off. */
	if (ih_seen.writes != fake_registers.count)
		ih_seen.in_a_row = 0;
	ih_seen.writes = fake_registers.count;
	ih_seen.most_in_a_row = max(ih_seen.most_in_a_row, ++ih_seen.in_a_row);
}

static void fake_decode(const struct amdm_device *adev, const u32 *cookie, struct amdm_ih_entry *entry)
{
	amdm_ih_decode_cp(IH_SOURCE(cookie[0]), IH_RING_ID(cookie[0]), entry);
}

static const struct amdm_ih_funcs fake_v3 = { .entry_bytes = IH_OLD_BYTES, .decode = fake_decode, .look = fake_v3_look };
static const struct amdm_ih_funcs fake_v4 = { .entry_bytes = IH_COOKIE_BYTES, .decode = fake_decode, .look = fake_v4_look };

static void fake_rings_interrupt(struct amdm_device *adev, const struct amdm_ih_entry *entry)
{
	ih_seen.rings++;
}

void fake_kfd_interrupt(struct amdm_device *adev, const u32 *cookie)
{
	ih_seen.kfd++;
}

struct amdm_gtt *fake_gtt_create(struct amdm_device *adev, size_t size)
{
	if (ih_seen.refuse)
		return ERR_PTR(-ENOSPC);
	ih_seen.gtt.cpu = vzalloc(size);
	ih_seen.gtt.addr = RING_ADDR;
	return ih_seen.gtt.cpu ? &ih_seen.gtt : ERR_PTR(-ENOMEM);
}

void fake_gtt_destroy(struct amdm_device *adev, struct amdm_gtt *gtt)
{
	vfree(gtt->cpu);
}

struct ih_bed {
	struct amdm_device adev;
	struct pci_dev pdev;
};

static int ih_setup(struct kunit *test)
{
	struct ih_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&ih_seen, 0, sizeof(ih_seen));
	fake_registers_reset();
	bed->adev.ih.rings = fake_rings_interrupt;
	bed->adev.pdev = &bed->pdev;
	device_initialize(&bed->pdev.dev);
	return amdm_ih_sw_init(&bed->adev, &fake_v4);
}

static void ih_teardown(struct kunit *test)
{
	struct ih_bed *bed = test->priv;

	amdm_ih_sw_fini(&bed->adev);
}

/* An entry as the chip writes it: at @at of the ring, its first dword @number. */
static void put_entry(struct ih_bed *bed, u32 at, u32 number)
{
	bed->adev.ih.ring[at % IH_RING_BYTES / 4] = number;
}

static void registers_say_where_it_is(struct kunit *test)
{
	struct ih_bed *bed = test->priv;
	u32 value;

	bed->adev.ih.rptr = 96;
	*bed->adev.ih.wptr = 128;
	amdm_ih_place_ring(&bed->adev);
	KUNIT_EXPECT_TRUE(test, fake_written(mmIH_RB_BASE, &value));
	KUNIT_EXPECT_EQ(test, value, (u32)(RING_ADDR >> 8));
	KUNIT_EXPECT_TRUE(test, fake_written(mmIH_RB_WPTR_ADDR_LO, &value));
	KUNIT_EXPECT_EQ(test, value, (u32)RING_ADDR + IH_RING_BYTES);	/* the word behind the ring */
	KUNIT_EXPECT_EQ(test, fake_registers.writes[0].name, (u32)mmIH_RB_CNTL);	/* off while it moves */
	KUNIT_EXPECT_EQ(test, fake_registers.writes[0].value, 0u);
	KUNIT_EXPECT_EQ(test, bed->adev.ih.rptr, 0u);
	KUNIT_EXPECT_EQ(test, *bed->adev.ih.wptr, 0u);
	amdm_ih_enable(&bed->adev, 0);
	fake_written(mmIH_RB_CNTL, &value);
	KUNIT_EXPECT_EQ(test, REG_GET(value, IH_RB_CNTL, RB_ENABLE), 1u);
	KUNIT_EXPECT_EQ(test, 4u << REG_GET(value, IH_RB_CNTL, RB_SIZE), IH_RING_BYTES);
	amdm_ih_hw_fini(&bed->adev);
	fake_written(mmIH_RB_CNTL, &value);
	KUNIT_EXPECT_EQ(test, value, 0u);
}

static void entries_come_in_order(struct kunit *test)
{
	struct ih_bed *bed = test->priv;
	u32 i, value;

	for (i = 0; i < 5; i++)
		put_entry(bed, i * IH_COOKIE_BYTES, 100 + i);
	*bed->adev.ih.wptr = 5 * IH_COOKIE_BYTES;
	amdm_ih_process(&bed->adev);
	KUNIT_EXPECT_EQ(test, ih_seen.num_v4, 5u);
	for (i = 0; i < 5; i++)
		KUNIT_EXPECT_EQ(test, ih_seen.v4[i], 100 + i);
	KUNIT_EXPECT_EQ(test, ih_seen.rings, 5u);	/* everybody hears of everything */
	KUNIT_EXPECT_EQ(test, ih_seen.kfd, 5u);
	KUNIT_EXPECT_TRUE(test, fake_written(mmIH_RB_RPTR, &value));	/* once, when all are done */
	KUNIT_EXPECT_EQ(test, value, 5u * IH_COOKIE_BYTES);
	KUNIT_EXPECT_EQ(test, fake_times_written(mmIH_RB_RPTR), 1u);
	amdm_ih_process(&bed->adev);
	KUNIT_EXPECT_EQ(test, ih_seen.num_v4, 5u);
}

static void the_ring_is_round(struct kunit *test)
{
	struct ih_bed *bed = test->priv;

	bed->adev.ih.rptr = IH_RING_BYTES - IH_COOKIE_BYTES;
	put_entry(bed, IH_RING_BYTES - IH_COOKIE_BYTES, 7);
	put_entry(bed, 0, 8);
	*bed->adev.ih.wptr = IH_COOKIE_BYTES;
	amdm_ih_process(&bed->adev);
	KUNIT_EXPECT_EQ(test, ih_seen.num_v4, 2u);
	KUNIT_EXPECT_EQ(test, ih_seen.v4[0], 7u);
	KUNIT_EXPECT_EQ(test, ih_seen.v4[1], 8u);
	KUNIT_EXPECT_EQ(test, bed->adev.ih.rptr, (u32)IH_COOKIE_BYTES);
}

/* A full ring is not handled with interrupts off from its beginning to its end. */
static void interrupts_are_off_for_a_few(struct kunit *test)
{
	const u32 all = IH_RING_BYTES / IH_COOKIE_BYTES - 1;
	struct ih_bed *bed = test->priv;
	u32 value;

	put_entry(bed, (all - 1) * IH_COOKIE_BYTES, 4711);
	*bed->adev.ih.wptr = all * IH_COOKIE_BYTES;
	amdm_ih_process(&bed->adev);
	KUNIT_EXPECT_EQ(test, ih_seen.num_v4, all);
	KUNIT_EXPECT_EQ(test, ih_seen.v4[(all - 1) % 64], 4711u);
	KUNIT_EXPECT_LE(test, ih_seen.most_in_a_row, 32u);	/* AMDGPU_IH_MAX_NUM_IVS */
	KUNIT_EXPECT_FALSE(test, ih_seen.interrupts_on);
	KUNIT_EXPECT_FALSE(test, irqs_disabled());
	KUNIT_EXPECT_TRUE(test, fake_written(mmIH_RB_RPTR, &value));
	KUNIT_EXPECT_EQ(test, value, all * IH_COOKIE_BYTES);
}

/* vega20_ih_get_wptr: go on behind what was overwritten last, and clear the flag by a one that does not stay. */
static void an_overflow_loses_the_oldest(struct kunit *test)
{
	struct ih_bed *bed = test->priv;
	u32 i, value, cleared = 0;

	*bed->adev.ih.wptr = 2 * IH_COOKIE_BYTES | IH_WPTR_OVERFLOW;
	amdm_ih_process(&bed->adev);
	KUNIT_EXPECT_EQ(test, ih_seen.num_v4, IH_RING_BYTES / IH_COOKIE_BYTES - 1);
	KUNIT_EXPECT_EQ(test, bed->adev.ih.rptr, 2u * IH_COOKIE_BYTES);
	for (i = 0; i < fake_registers.count; i++)
		if (fake_registers.writes[i].name == mmIH_RB_CNTL)
			cleared += REG_GET(fake_registers.writes[i].value, IH_RB_CNTL, WPTR_OVERFLOW_CLEAR);
	KUNIT_EXPECT_EQ(test, cleared, 1u);
	fake_written(mmIH_RB_CNTL, &value);
	KUNIT_EXPECT_EQ(test, REG_GET(value, IH_RB_CNTL, WPTR_OVERFLOW_CLEAR), 0u);
	amdm_ih_process(&bed->adev);	/* nothing has come since */
	KUNIT_EXPECT_EQ(test, ih_seen.num_v4, IH_RING_BYTES / IH_COOKIE_BYTES - 1);
}

static void entries_of_gfx7_are_shorter(struct kunit *test)
{
	struct ih_bed *bed = test->priv;

	bed->adev.ih.funcs = &fake_v3;
	put_entry(bed, 0, 1);
	put_entry(bed, IH_OLD_BYTES, 2);
	*bed->adev.ih.wptr = 2 * IH_OLD_BYTES;
	amdm_ih_process(&bed->adev);
	KUNIT_EXPECT_EQ(test, ih_seen.num_v4, 0u);
	KUNIT_EXPECT_EQ(test, ih_seen.num_v3, 2u);
	KUNIT_EXPECT_EQ(test, ih_seen.v3[1], 2u);
}

/* The write pointer's copy is memory that the chip writes: no value of it leads out of the ring. */
static void a_write_pointer_beyond_the_ring(struct kunit *test)
{
	struct ih_bed *bed = test->priv;

	*bed->adev.ih.wptr = IH_RING_BYTES + IH_COOKIE_BYTES;
	amdm_ih_process(&bed->adev);
	KUNIT_EXPECT_EQ(test, ih_seen.num_v4, 1u);
	KUNIT_EXPECT_EQ(test, bed->adev.ih.rptr, (u32)IH_COOKIE_BYTES);
	*bed->adev.ih.wptr = 2 * IH_COOKIE_BYTES + 12;		/* in the middle of an entry */
	amdm_ih_process(&bed->adev);
	KUNIT_EXPECT_EQ(test, ih_seen.num_v4, 2u);
	KUNIT_EXPECT_EQ(test, bed->adev.ih.rptr, 2u * IH_COOKIE_BYTES);
}

static void without_a_ring(struct kunit *test)
{
	struct ih_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, bed);
	amdm_ih_process(&bed->adev);
	KUNIT_EXPECT_EQ(test, ih_seen.num_v4 + fake_registers.count, 0u);
	ih_seen.refuse = true;
	KUNIT_EXPECT_EQ(test, amdm_ih_sw_init(&bed->adev, &fake_v4), -ENOSPC);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(registers_say_where_it_is),
	KUNIT_CASE(entries_come_in_order),
	KUNIT_CASE(the_ring_is_round),
	KUNIT_CASE(interrupts_are_off_for_a_few),
	KUNIT_CASE(an_overflow_loses_the_oldest),
	KUNIT_CASE(entries_of_gfx7_are_shorter),
	KUNIT_CASE(a_write_pointer_beyond_the_ring),
	KUNIT_CASE(without_a_ring),
	{}
};

static struct kunit_suite suite = { .name = "amdgpu_ih", .init = ih_setup, .exit = ih_teardown, .test_cases = cases };
kunit_test_suite(suite);
