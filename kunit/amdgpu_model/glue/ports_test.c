// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * ports_test.c - the chip's wires: what can be had at once, what later, what never; doorbells are taken once; a trace that is full.
 */
#include <kunit/test.h>

#include "kunit/amdgpu_model/unexported.h"
#include "amdgpu_model/glue/complaints.c"
#include "amdgpu_model/glue/ports.c"

#define VRAM_BYTES	(1ULL << 20)
#define NOBODY		SILICON_NO_DOORBELL

struct port_bed {
	struct amdm_device adev;
	struct amdm_asic asic;
	struct hw_generation gen;
	struct pci_dev pdev;
	struct amdm_glue glue;
	struct page *page;
};

static struct {
	struct page *vram;
	int bus_answer;
	gfp_t gfp;
	bool write;
} port_seen;

static struct page *fake_vram_page(struct amdm_device *adev, u64 offset, gfp_t gfp)
{
	port_seen.gfp = gfp;
	return port_seen.vram;
}

static int fake_bus_page(struct amdm_device *adev, u64 addr, bool write, void **host)
{
	port_seen.write = write;
	*host = (void *)addr;
	return port_seen.bus_answer;
}

static const struct amdm_wires wires = { .vram_page = fake_vram_page, .bus_page = fake_bus_page };

static int port_setup(struct kunit *test)
{
	struct port_bed *bed = kunit_kzalloc(test, sizeof(*bed), GFP_KERNEL);

	if (!bed)
		return -ENOMEM;
	test->priv = bed;
	memset(&port_seen, 0, sizeof(port_seen));
	bed->adev.vram.size = VRAM_BYTES;
	bed->adev.asic = &bed->asic;
	bed->asic.gen = &bed->gen;
	bed->gen.doorbell_bytes = sizeof(u64);
	bed->adev.pdev = &bed->pdev;
	bed->glue.adev = &bed->adev;
	bed->glue.wires = &wires;
	bed->glue.vram_note = bed->glue.vram_refuse = AMDM_NO_NOTE;
	bed->page = alloc_pages(GFP_KERNEL, 0);
	return bed->page ? 0 : -ENOMEM;
}

static void port_teardown(struct kunit *test)
{
	struct port_bed *bed = test->priv;

	__free_page(bed->page);
}

static void vram(struct kunit *test)
{
	struct port_bed *bed = test->priv;
	struct amdm_glue *glue = &bed->glue;
	void *host = NULL;

	port_seen.vram = bed->page;
	KUNIT_EXPECT_EQ(test, amdm_ports.vram_page(glue, 0x3000, true, &host), SILICON_OK);
	KUNIT_EXPECT_PTR_EQ(test, host, page_address(bed->page));
	KUNIT_EXPECT_FALSE(test, gfpflags_allow_blocking(port_seen.gfp));
	port_seen.vram = NULL;
	KUNIT_EXPECT_EQ(test, amdm_ports.vram_page(glue, VRAM_BYTES, false, &host), SILICON_FAULT);
	KUNIT_EXPECT_EQ(test, glue->vram_note, AMDM_NO_NOTE);
	KUNIT_EXPECT_EQ(test, amdm_ports.vram_page(glue, 0x5000, true, &host), SILICON_NEED);
	KUNIT_EXPECT_EQ(test, glue->vram_note, 0x5000ULL);
	glue->vram_refuse = 0x5000;	/* the worker had none either: one fault, then another try */
	KUNIT_EXPECT_EQ(test, amdm_ports.vram_page(glue, 0x6000, true, &host), SILICON_NEED);
	KUNIT_EXPECT_EQ(test, amdm_ports.vram_page(glue, 0x5000, true, &host), SILICON_FAULT);
	KUNIT_EXPECT_EQ(test, amdm_ports.vram_page(glue, 0x5000, true, &host), SILICON_NEED);
}

static void bus(struct kunit *test)
{
	struct port_bed *bed = test->priv;
	void *host = NULL;

	KUNIT_EXPECT_EQ(test, amdm_ports.bus_page(&bed->glue, 0x7000, true, &host), SILICON_OK);
	KUNIT_EXPECT_PTR_EQ(test, host, (void *)0x7000);
	KUNIT_EXPECT_TRUE(test, port_seen.write);
	port_seen.bus_answer = -EAGAIN;
	KUNIT_EXPECT_EQ(test, amdm_ports.bus_page(&bed->glue, 0x7000, false, &host), SILICON_NEED);
	KUNIT_EXPECT_FALSE(test, port_seen.write);
	port_seen.bus_answer = -EFAULT;
	KUNIT_EXPECT_EQ(test, amdm_ports.bus_page(&bed->glue, 0x7000, false, &host), SILICON_FAULT);
}

/* Looked at: still there. Taken: gone, so that the same value can be stored again. */
static void doorbells(struct kunit *test)
{
	struct port_bed *bed = test->priv;
	u64 *words = page_address(bed->page);

	KUNIT_EXPECT_EQ(test, amdm_ports.doorbell(&bed->glue, 0x1008, true), NOBODY);	/* no page there */
	KUNIT_EXPECT_EQ(test, amdm_ports.doorbell(&bed->glue, AMDM_DOORBELL_BYTES, true), NOBODY);
	KUNIT_EXPECT_EQ(test, amdm_ports.doorbell(&bed->glue, ~0u, true), NOBODY);
	bed->glue.doorbells.pages[1] = bed->page;
	memset(words, 0xff, PAGE_SIZE);
	words[1] = 0x100000002ULL;
	KUNIT_EXPECT_EQ(test, amdm_ports.doorbell(&bed->glue, 0x1000, true), NOBODY);
	KUNIT_EXPECT_EQ(test, amdm_ports.doorbell(&bed->glue, 0x1008, false), 0x100000002ULL);
	KUNIT_EXPECT_EQ(test, amdm_ports.doorbell(&bed->glue, 0x1008, true), 0x100000002ULL);
	KUNIT_EXPECT_EQ(test, amdm_ports.doorbell(&bed->glue, 0x1008, true), NOBODY);
	KUNIT_EXPECT_EQ(test, words[1], NOBODY);
}

static void doorbells_of_32_bits(struct kunit *test)
{
	struct port_bed *bed = test->priv;
	u32 *words = page_address(bed->page);

	bed->gen.doorbell_bytes = sizeof(u32);
	bed->glue.doorbells.pages[0] = bed->page;
	memset(words, 0xff, PAGE_SIZE);
	words[2] = 5;
	words[3] = 6;
	KUNIT_EXPECT_EQ(test, amdm_ports.doorbell(&bed->glue, 12, true), 6ULL);
	KUNIT_EXPECT_EQ(test, amdm_ports.doorbell(&bed->glue, 12, true), NOBODY);
	KUNIT_EXPECT_EQ(test, amdm_ports.doorbell(&bed->glue, 8, false), 5ULL);	/* the neighbour's is untouched */
	KUNIT_EXPECT_EQ(test, words[2], 5u);
}

static void the_trace(struct kunit *test)
{
	struct port_bed *bed = test->priv;
	struct silicon_trace_event event = {}, room[4];
	struct amdm_trace *trace = &bed->glue.trace;
	u32 i;

	amdm_ports.trace(&bed->glue, &event);		/* never started */
	KUNIT_EXPECT_EQ(test, trace->lost, 1ULL);
	trace->events = room;
	trace->size = ARRAY_SIZE(room);
	trace->first = 3;
	trace->kinds = 1u << SILICON_TRACE_WAVE_END;
	event.kind = SILICON_TRACE_WAVE_START;
	amdm_ports.trace(&bed->glue, &event);		/* not asked for, so not lost either */
	KUNIT_EXPECT_EQ(test, trace->count, 0u);
	event.kind = SILICON_TRACE_WAVE_END;
	for (i = 0; i < 6; i++) {
		event.cycle = i;
		amdm_ports.trace(&bed->glue, &event);
	}
	KUNIT_EXPECT_EQ(test, trace->count, 4u);
	KUNIT_EXPECT_EQ(test, trace->lost, 3ULL);
	KUNIT_EXPECT_EQ(test, room[3].cycle, 0ULL);	/* the oldest stay */
	KUNIT_EXPECT_EQ(test, room[2].cycle, 3ULL);
}

static void the_rest(struct kunit *test)
{
	const struct silicon_report unknown = { .kind = SILICON_REPORT_KINDS }, known = { .kind = SILICON_REPORT_BAD_PTE };
	struct port_bed *bed = test->priv;
	u64 before = ktime_get_ns(), now;
	u32 i;

	amdm_ports.interrupt(&bed->glue);
	KUNIT_EXPECT_TRUE(test, bed->glue.interrupt);
	now = amdm_ports.wall_ns(&bed->glue);
	KUNIT_EXPECT_TRUE(test, now >= before && now <= ktime_get_ns());
	amdm_ports.report(&bed->glue, &unknown);
	amdm_ports.report(&bed->glue, &known);
	for (i = 0; i < SILICON_REPORT_KINDS; i++)
		KUNIT_EXPECT_NOT_NULL(test, amdm_report_names[i]);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(vram),
	KUNIT_CASE(bus),
	KUNIT_CASE(doorbells),
	KUNIT_CASE(doorbells_of_32_bits),
	KUNIT_CASE(the_trace),
	KUNIT_CASE(the_rest),
	{}
};

static struct kunit_suite suite = { .name = "glue_ports", .init = port_setup, .exit = port_teardown, .test_cases = cases };
kunit_test_suite(suite);
