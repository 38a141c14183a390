// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: ports.c - the wires that leave the chip, in Linux
 *
 * All ports are called inside a slice or a register access, with amdm_glue.lock held. They do not sleep, do not call
 * the silicon, and allocate only what can be had at once; what cannot is noted, and served after the slice.
 */
#include <linux/ktime.h>
#include <linux/mm.h>

#include "chip.h"
#include "amdgpu_model/base/amdgpu_chips.h"

static enum silicon_access amdm_port_vram_page(void *context, u64 offset, bool write, void **host)
{
	struct amdm_glue *glue = context;
	struct page *page = glue->wires->vram_page(glue->adev, offset, GFP_NOWAIT);

	if (likely(page)) {
		*host = page_address(page);
		return SILICON_OK;
	}
	if (offset >= glue->adev->vram.size)
		return SILICON_FAULT;
	if (offset == glue->vram_refuse) {
		glue->vram_refuse = AMDM_NO_NOTE;
		return SILICON_FAULT;
	}
	glue->vram_note = offset;
	return SILICON_NEED;
}

static enum silicon_access amdm_port_bus_page(void *context, u64 addr, bool write, void **host)
{
	struct amdm_glue *glue = context;

	switch (glue->wires->bus_page(glue->adev, addr, write, host)) {
	case 0:
		return SILICON_OK;
	case -EAGAIN:
		return SILICON_NEED;
	default:
		return SILICON_FAULT;
	}
}

static u64 amdm_port_doorbell32(u32 *place, bool take)
{
	u32 value = READ_ONCE(*place);

	if (take && value != (u32)SILICON_NO_DOORBELL)
		value = xchg(place, (u32)SILICON_NO_DOORBELL);
	return value == (u32)SILICON_NO_DOORBELL ? SILICON_NO_DOORBELL : value;
}

static u64 amdm_port_doorbell(void *context, u32 byte_offset, bool take)
{
	struct amdm_glue *glue = context;
	struct page *page;
	u64 *place, value;

	if (byte_offset >= AMDM_DOORBELL_BYTES)
		return SILICON_NO_DOORBELL;
	page = READ_ONCE(glue->doorbells.pages[byte_offset >> PAGE_SHIFT]);
	if (!page)
		return SILICON_NO_DOORBELL;
	if (glue->adev->asic->gen->doorbell_bytes == sizeof(u32))
		return amdm_port_doorbell32(page_address(page) + offset_in_page(byte_offset), take);
	place = page_address(page) + (offset_in_page(byte_offset) & ~7u);
	value = READ_ONCE(*place);
	return take && value != SILICON_NO_DOORBELL ? xchg(place, SILICON_NO_DOORBELL) : value;
}

static void amdm_port_interrupt(void *context)
{
	struct amdm_glue *glue = context;

	WRITE_ONCE(glue->interrupt, true);
}

static u64 amdm_port_wall_ns(void *context)
{
	return ktime_get_ns();
}

static const char *const amdm_report_names[SILICON_REPORT_KINDS] = {
	[SILICON_REPORT_RESERVED_BITS] = "reserved_bits",
	[SILICON_REPORT_BAD_REGISTER] = "bad_register",
	[SILICON_REPORT_BAD_PACKET] = "bad_packet",
	[SILICON_REPORT_BAD_MQD] = "bad_mqd",
	[SILICON_REPORT_BAD_RUNLIST] = "bad_runlist",
	[SILICON_REPORT_BAD_ADDRESS] = "bad_address",
	[SILICON_REPORT_VM_FAULT] = "vm_fault",
	[SILICON_REPORT_BAD_INSTRUCTION] = "bad_instruction",
	[SILICON_REPORT_IH_OVERFLOW] = "ih_overflow",
	[SILICON_REPORT_BAD_PTE] = "bad_pte",
};

/** amdm_report_name() - of an enum silicon_report_kind */
const char *amdm_report_name(u32 kind)
{
	return kind < SILICON_REPORT_KINDS ? amdm_report_names[kind] : "?";
}

/* They are counted and listed (lab/complaints.c); as messages they are for those who switch dynamic debug on. */
static void amdm_port_report(void *context, const struct silicon_report *report)
{
	struct amdm_glue *glue = context;

	amdm_complaint_note(&glue->complaints, report);
	dev_dbg_ratelimited(&glue->adev->pdev->dev, "silicon: %s, vmid %u, 0x%llx 0x%llx\n", amdm_report_name(report->kind), report->vmid,
			    report->subject, report->detail);
}

static void amdm_port_trace(void *context, const struct silicon_trace_event *event)
{
	struct amdm_trace *trace = &((struct amdm_glue *)context)->trace;

	if (trace->events && !(trace->kinds >> event->kind & 1))
		return;
	if (!trace->events || trace->count == trace->size) {
		trace->lost++;
		return;
	}
	trace->events[(trace->first + trace->count++) % trace->size] = *event;
}

const struct silicon_ports amdm_ports = {
	.vram_page = amdm_port_vram_page,
	.bus_page = amdm_port_bus_page,
	.doorbell = amdm_port_doorbell,
	.interrupt = amdm_port_interrupt,
	.wall_ns = amdm_port_wall_ns,
	.report = amdm_port_report,
	.trace = amdm_port_trace,
};
