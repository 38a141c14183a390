// SPDX-License-Identifier: MIT
/* slots.cc - queues come into their slots, leave them, and complain. */
#include "slots.h"

#include "../shader/shader_core.h"

namespace silicon {

namespace {

constexpr unsigned time_stamp_interrupt = 26; /* CPC_INT_CNTL */
constexpr unsigned opcode_error_interrupt = 24;

/** The bit of the slot that a byte of RLC_CP_SCHEDULERS names, or none. */
constexpr u64 slot_of_scheduler(u32 named)
{
	constexpr u32 first = RLC_SCHEDULER(1, 0, 0);

	return named >= first && named - first < hqd_slots ? u64{1} << (named - first) : 0;
}
static_assert(slot_of_scheduler(RLC_SCHEDULER(2, 3, 7)) == u64{1} << 63, "MEs follow one another in the register as in the slots");

} // namespace

void QueueSlots::connect(Fabric *fabric, ShaderCore *shaders, const Dies *dies)
{
	fabric_ = fabric;
	partition_.connect(dies, fabric);
	shaders_ = shaders;
}

void QueueSlots::reset()
{
	for (unsigned slot = 0; slot < hqd_slots; slot++) {
		hqd_[slot] = {};
		hqd_[slot].slot = static_cast<u8>(slot);
	}
	active_ = 0;
}

void QueueSlots::activate(Hqd &q)
{
	const HqdRegs r = regs(q.slot);

	q.active = true;
	active_ |= u64{1} << q.slot;
	q.aql = is_aql(r);
	q.vmid = r.at<mmCP_HQD_VMID>() & 0xf;
	q.follows = !leads(q);
	q.serial = ++serial_;
	q.mapped_at = fabric_->board->cycle;
	q.ready_at = q.vmid ? max(q.mapped_at, shaders_->context_free()) : q.mapped_at;
	if (q.wptr_address && !q.follows) /* what rang before the mapping is in memory, which start() reads */
		fabric_->board->take_doorbell(r.doorbell_offset(), &q.doorbell);
	if (r.doorbell_enabled() && !fabric_->board->doorbell_exists(r.doorbell_offset()))
		fabric_->board->report(SILICON_REPORT_BAD_MQD, q.vmid, r.mqd_base(), r.doorbell_control());
	fabric_->board->progress++;
	fabric_->board->trace(SILICON_TRACE_QUEUE_MAP, q.vmid, fabric_->where(q.slot), r.doorbell_offset() / 4, r.mqd_base());
}

u64 QueueSlots::schedulers() const
{
	const u32 both = fabric_->registers->at<mmRLC_CP_SCHEDULERS>();

	return slot_of_scheduler(both & 0xff) | slot_of_scheduler(both >> 8 & 0xff);
}

/*
 * Whether this die works at the queue's packets. What the driver has connected by register for itself (the KIQ) is of one die alone.
 */
bool QueueSlots::leads(const Hqd &q) const
{
	const unsigned rank = partition_.rank();
	const bool spread = q.vmid || q.owner == Owner::Kiq;

	return !spread || &leading_die(q) == &partition_[rank];
}

const Die &QueueSlots::leading_die(const Hqd &q) const { return partition_[q.aql ? 0 : q.target % partition_.size()]; }

Hqd &QueueSlots::leader(Hqd &q) { return q.follows ? (*leading_die(q).slots)[q.slot] : q; }

u32 QueueSlots::all_grids(const Hqd &q) const
{
	u32 sum = q.grids;

	if (q.aql && !q.follows)
		for (unsigned rank = 1; rank < partition_.size(); rank++)
			sum += (*partition_[rank].slots)[q.slot].grids;
	return sum;
}

bool QueueSlots::all_started(const Hqd &leader) const
{
	bool all = leader.started;

	for (unsigned rank = 1; leader.aql && rank < partition_.size(); rank++) {
		const Hqd &other = (*partition_[rank].slots)[leader.slot];

		all &= other.active && other.started && other.follows;
	}
	return all;
}

bool QueueSlots::is_followed(const Hqd &q) const
{
	for (const Die &die : partition_) {
		const Hqd &other = (*die.slots)[q.slot];

		if (&other != &q && other.active && other.follows && !q.follows)
			return true;
	}
	return false;
}

/* On a die by itself each has come back, or its waves cannot be read (Preemption::restore_waves()). */
void QueueSlots::settle(Hqd &q)
{
	Hqd &lead = leader(q);

	if (partition_.size() == 1 || !lead.aql || !lead.active || !all_started(lead))
		return;
	for (Flight &f : lead.flight) {
		if (!f.used || !f.restored || f.done || f.grids || AQL_TYPE(f.header) != AQL_KERNEL_DISPATCH)
			continue;
		f.done = true;
		f.end = fabric_->board->cycle;
		fabric_->board->progress++;
	}
}

/* CPC_INT_CNTL is banked by GRBM_GFX_CNTL and the same as CP_MEn_PIPEm_INT_CNTL; registers.cc keeps the latter. */
bool QueueSlots::interrupt_enabled(const Hqd &q, unsigned bit_number) const
{
	const RegisterFile &f = *fabric_->registers;

	if (q.is_gfx())
		return bit(f.at<mmCP_INT_CNTL_RING0>(), bit_number);
	return bit(q.me() == 1 ? f.at<mmCP_ME1_PIPE0_INT_CNTL>(0, q.pipe()) : f.at<mmCP_ME2_PIPE0_INT_CNTL>(0, q.pipe()), bit_number);
}

void QueueSlots::interrupt(const Hqd &q, u8 source, u32 context_id) const
{
	if (!interrupt_enabled(q, source == IH_SOURCE_CP_EOP ? time_stamp_interrupt : opcode_error_interrupt))
		return;
	fabric_->ih->raise({
		.client = IH_CLIENT_GRBM_CP,
		.source = source,
		.ring_id = q.ring_id(),
		.vmid = q.vmid,
		.mmhub = false,
		.node = fabric_->node_id(),
		.data = {context_id, 0, 0, 0},
	});
}

/* The queue stands still over a page that is not there; of several that work in one VMID the driver can see which. */
void QueueSlots::halt_at_fault(Hqd &q, u32 error)
{
	q.halt = Halt::Fault;
	if (q.is_gfx())
		fabric_->registers->at<mmCPG_UTCL1_ERROR>() |= REG_MASK(CPG_UTCL1_ERROR, ERROR_DETECTED_HALT);
	else
		regs(q.slot).at<mmCP_HQD_ERROR>() |= error;
}

Result QueueSlots::memory_result(const Hqd &q, Mem answer) const
{
	if (answer != Mem::Fault)
		return answer == Mem::Ok ? Result::Done : Result::Need;
	fabric_->vm_fault(q.vmid);
	return Result::Fault;
}

bool QueueSlots::idle(unsigned slot) const
{
	const Hqd &q = hqd_[slot];
	const HqdRegs r = regs(slot);

	if (q.halt != Halt::None)
		return true;
	if (q.follows) { /* a driver that divides the chip anew while queues run may leave two that follow each other */
		const QueueSlots &slots = *leading_die(q).slots;
		return slots[slot].follows || slots.idle(slot);
	}
	if (!q.started || q.restoring || all_grids(q) || q.error || q.refresh || q.unreported || r.ib_size())
		return false;
	if (q.aql)
		return q.launch == q.read && q.launch >= q.write;
	return r.at<mmCP_HQD_PQ_RPTR>() == (static_cast<u32>(q.write) & (r.ring_dwords() - 1));
}

bool QueueSlots::is_aql(const HqdRegs &r) const
{
	const u32 in_control = fabric_->chip->generation->aql_bit;

	return in_control ? r.pq_control() & in_control : r.is_aql();
}

void QueueSlots::vmid_reassigned(unsigned vmid)
{
	shaders_->vmid_reassigned(vmid);
	for (Hqd &q : hqd_)
		if (q.shader_vmid == vmid)
			q.shader_vmid = 0;
}

void QueueSlots::drop_waves(Hqd &q)
{
	if (q.grids || q.restoring || q.vmid)
		shaders_->kill(q.me(), q.pipe(), q.queue());
	q.grids = 0;
	for (Flight &f : leader(q).flight)
		f.grids &= static_cast<u8>(~(1u << partition_.rank()));
}

void QueueSlots::disconnect(Hqd &q)
{
	const HqdRegs r = regs(q.slot);

	fabric_->board->trace(SILICON_TRACE_QUEUE_UNMAP, q.vmid, fabric_->where(q.slot), r.doorbell_offset() / 4, q.saved);
	shaders_->hold(q.me(), q.pipe(), q.queue(), false);
	r.at<mmCP_HQD_ACTIVE>() = 0;
	r.at<mmCP_HQD_DEQUEUE_REQUEST>() = 0;
	r.at<mmCP_HQD_PQ_DOORBELL_CONTROL>() &= ~(1u << 30);
	q.active = false;
	q.unmap = Unmap::None;
	q.wptr_address = 0;
	active_ &= ~(u64{1} << q.slot);
	fabric_->board->progress++;
}

bool QueueSlots::has_user_queue(unsigned vmid) const
{
	for (u64 left = active_; left; left &= left - 1)
		if (hqd_[__builtin_ctzll(left)].vmid == vmid)
			return true;
	return false;
}

void QueueSlots::kill_vmid(unsigned vmid)
{
	/* Jobs on the kernel's rings: what waits for their waves goes on. */
	if (!has_user_queue(vmid)) {
		shaders_->end_vmid(vmid);
		fabric_->board->progress++;
		return;
	}
	shaders_->kill_vmid(vmid);
	for (u64 left = active_; left; left &= left - 1) {
		Hqd &q = hqd_[__builtin_ctzll(left)];
		if (q.vmid != vmid || !vmid || !(q.grids || q.restoring))
			continue;
		drop_waves(q);
		q.restoring = false;
		q.halt = leader(q).halt = Halt::Fault;
	}
	fabric_->board->progress++;
}

} // namespace silicon
