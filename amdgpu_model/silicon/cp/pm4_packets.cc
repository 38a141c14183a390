// SPDX-License-Identifier: MIT
/* pm4_packets.cc - what PM4 packets of user queues and kernel rings do. Fields: hw/pm4.h. */
#include "pm4.h"

#include "../base/compare.h"
#include "../shader/shader_core.h"

namespace silicon {

/* Registers belong to the driver: a user's packet that names one is refused as the hardware refuses it (CP_PRIV_REG). */
Result Pm4::write_register(u32 reg, u32 value)
{
	if (!privileged()) {
		wires_.slots->interrupt(q_, IH_SOURCE_CP_PRIV_REG, 0);
		return bad(reg);
	}
	/* One die reads the HIQ for all of its partition (partition.h). */
	if (q_.owner == Owner::Kiq && wires_.slots->is_scheduler(q_.slot))
		for (const Die &die : wires_.slots->partition())
			die.fabric->bus->reg_write(reg, value);
	else
		fabric_.bus->reg_write(reg, value);
	return Result::Done;
}

Result Pm4::write_data()
{
	Result r = fetch_body(min(total_, 4u));
	const u32 target = PM4_WRITE_DATA_DST(body_[1]);
	const bool one = PM4_WRITE_DATA_ONE_ADDR(body_[1]);

	if (r != Result::Done)
		return r;
	if (total_ < 5 || target == PM4_DST_GDS || target > PM4_DST_MEMORY)
		return bad(body_[1]);
	for (u32 i = 4; i < total_; i++) {
		const u32 n = one ? 0 : i - 4;
		u32 word;
		r = fetch(i, &word);
		if (r == Result::Done)
			r = target == PM4_DST_REGISTER ?
				    write_register(body_[2] + n, word) :
				    memory_result(fabric_.memory->store32(space_, join(body_[2], body_[3]) + n * u64{4}, word));
		if (r != Result::Done)
			return r;
	}
	return Result::Done;
}

Result Pm4::copy_source(u64 *value)
{
	const bool wide = PM4_COPY_64(body_[1]);
	const u64 address = join(body_[2], body_[3]);
	u32 word = 0;
	Result r = Result::Done;

	switch (PM4_COPY_SRC(body_[1])) {
	case PM4_COPY_REGISTER:
		if (!privileged())
			return write_register(body_[2], 0);
		*value = fabric_.bus->reg_read(body_[2]);
		if (wide)
			*value |= static_cast<u64>(fabric_.bus->reg_read(body_[2] + 1)) << 32;
		return r;
	case PM4_COPY_MEMORY:
	case PM4_COPY_L2:
		if (wide)
			return memory_result(fabric_.memory->load64(space_, address, value));
		r = memory_result(fabric_.memory->load32(space_, address, &word));
		*value = word;
		return r;
	case PM4_COPY_IMMEDIATE: *value = wide ? address : body_[2]; return r;
	case PM4_COPY_GPU_CLOCK: *value = fabric_.clock->ticks(fabric_.board->cycle); return r;
	}
	return bad(body_[1]);
}

Result Pm4::copy_data()
{
	u64 value = 0;
	Result r = fetch_body(6);

	if (r == Result::Done)
		r = copy_source(&value);
	if (r != Result::Done)
		return r;
	const bool wide = PM4_COPY_64(body_[1]);
	const u64 address = join(body_[4], body_[5]);
	switch (PM4_COPY_DST(body_[1])) {
	case PM4_COPY_REGISTER:
		r = write_register(body_[4], static_cast<u32>(value));
		return r == Result::Done && wide ? write_register(body_[4] + 1, static_cast<u32>(value >> 32)) : r;
	case PM4_COPY_MEMORY:
	case PM4_COPY_L2:
	case PM4_COPY_DST_MEMORY:
		return memory_result(wide ? fabric_.memory->store64(space_, address, value) :
					    fabric_.memory->store32(space_, address, static_cast<u32>(value)));
	}
	return bad(body_[1]);
}

Result Pm4::atomic_mem()
{
	u64 old = 0;
	bool known = false;
	Result r = fetch_body(9);

	if (r != Result::Done)
		return r;
	const u32 op = PM4_ATOMIC_OP(body_[1]);
	const u64 compare_to = join(body_[6], body_[7]);
	r = memory_result(fabric_.memory->atomic(space_, join(body_[2], body_[3]), op, join(body_[4], body_[5]), compare_to, &old, &known));
	if (r == Result::Done && !known)
		return bad(body_[1]);
	if (r == Result::Done && PM4_ATOMIC_LOOP(body_[1])) {
		const u64 wanted = op & 0x20 ? compare_to : static_cast<u32>(compare_to);
		return old == wanted ? Result::Done : Result::Poll;
	}
	return r;
}

Result Pm4::wait_reg_mem()
{
	u32 value = 0;
	Result r = fetch_body(7);

	if (r != Result::Done)
		return r;
	if (!compare_exists(PM4_WAIT_FUNCTION(body_[1])))
		return bad(body_[1]);
	if (PM4_WAIT_MEMORY(body_[1])) {
		r = memory_result(fabric_.memory->load32(space_, join(body_[2] & ~3u, body_[3]), &value));
		if (r != Result::Done)
			return r;
	} else if (!privileged()) {
		return write_register(body_[2], 0);
	} else if (PM4_WAIT_OPERATION(body_[1])) { /* write one register, wait on another */
		fabric_.bus->reg_write(body_[2], body_[4]);
		value = fabric_.bus->reg_read(body_[3]);
	} else {
		value = fabric_.bus->reg_read(body_[2]);
	}
	return compare_holds(PM4_WAIT_FUNCTION(body_[1]), value & body_[5], body_[4]) ? Result::Done : Result::Poll;
}

/* One level deep; inside a buffer only a chain, which leaves the old buffer for good. */
Result Pm4::indirect_buffer()
{
	const Result r = fetch_body(4);

	if (r != Result::Done)
		return r;
	const u32 size = PM4_IB_SIZE(body_[3]);
	if (!size || (buffer_ && !PM4_IB_CHAIN(body_[3])))
		return bad(body_[3]);
	if (!buffer_) {
		advance(total_);
		if (!q_.vmid) {
			regs_.at<mmCP_HQD_VMID>() = (regs_.at<mmCP_HQD_VMID>() & ~0xf00u) | PM4_IB_VMID(body_[3]) << 8;
			wires_.mqds->begin_job(q_, PM4_IB_VMID(body_[3]));
		}
	}
	regs_.set_ib(join(body_[1] & ~3u, body_[2]), size, 0);
	jumped_ = true;
	return Result::Done;
}

Result Pm4::event_write()
{
	const Result r = fetch_body(2);

	if (r != Result::Done)
		return r;
	return PM4_EVENT_TYPE(body_[1]) == PM4_EVENT_CS_PARTIAL_FLUSH && wires_.slots->all_grids(q_) ? Result::Wait : Result::Done;
}

/* End of pipe: after all work of the queue; then data, then interrupt. */
Result Pm4::release_mem()
{
	Result r = fetch_body(min(total_, u32{PM4_RELEASE_MEM_DWORDS}));

	if (r != Result::Done)
		return r;
	if (total_ < 7)
		return bad(total_);
	if (wires_.slots->all_grids(q_))
		return Result::Wait;
	return write_end(join(body_[3], body_[4]), join(body_[5], body_[6]), PM4_RELEASE_DATA_SEL(body_[2]), PM4_RELEASE_INT_SEL(body_[2]),
			 total_ >= PM4_RELEASE_MEM_DWORDS ? body_[7] : 0);
}

/* The graphics ring's form before GFX9. */
Result Pm4::event_write_eop()
{
	const Result r = fetch_body(PM4_EVENT_WRITE_EOP_DWORDS);

	if (r != Result::Done)
		return r;
	if (wires_.slots->all_grids(q_))
		return Result::Wait;
	return write_end(join(body_[2], body_[3] & 0xffff), join(body_[4], body_[5]), PM4_RELEASE_DATA_SEL(body_[3]),
			 PM4_RELEASE_INT_SEL(body_[3]) & 3, 0);
}

Result Pm4::write_end(u64 address, u64 data, u32 data_sel, u32 int_sel, u32 context)
{
	Result r = Result::Done;

	/* Number and interrupt by one packet of the ring itself: the end of a job */
	if (int_sel == PM4_INT_AFTER_WRITE && privileged() && fabric_.board->fails(SILICON_FAULT_LOST_RING_FENCE))
		data_sel = PM4_DATA_NONE;
	switch (data_sel) {
	case PM4_DATA_NONE: break;
	case PM4_DATA_32: r = memory_result(fabric_.memory->store32(space_, address, static_cast<u32>(data))); break;
	case PM4_DATA_64: r = memory_result(fabric_.memory->store64(space_, address, data)); break;
	case PM4_DATA_GPU_CLOCK:
	case PM4_DATA_SYSTEM_CLOCK:
		r = memory_result(fabric_.memory->store64(space_, address, fabric_.clock->ticks(fabric_.board->cycle)));
		break;
	default: return bad(data_sel);
	}
	if (r == Result::Done && (int_sel == PM4_INT_ONLY || int_sel == PM4_INT_AFTER_WRITE))
		wires_.slots->interrupt(q_, IH_SOURCE_CP_EOP, context);
	return r;
}

/* Copy or fill, a bounded piece at a time: another queue of the pipe gets its turn in between. */
Result Pm4::dma_data()
{
	constexpr u32 piece = 64 * 1024;
	const Result r = fetch_body(PM4_DMA_DATA_DWORDS);

	if (r != Result::Done)
		return r;
	const u32 source = PM4_DMA_SRC(body_[1]), target = PM4_DMA_DST(body_[1]), bytes = PM4_DMA_BYTES(body_[6]);
	const bool fill = source == PM4_DMA_DATA_VALUE;
	if (source == PM4_DMA_GDS || target == PM4_DMA_GDS || target == PM4_DMA_DATA_VALUE)
		return bad(body_[1]);
	for (u32 moved = 0; q_.dma_done < bytes && moved < piece;) {
		const u64 from = join(body_[2], body_[3]) + q_.dma_done, to = join(body_[4], body_[5]) + q_.dma_done;
		u32 n = min(bytes - q_.dma_done, static_cast<u32>(page_bytes - (to & page_mask)));
		u8 *src = nullptr, *dst = nullptr;

		if (!fill)
			n = min(n, static_cast<u32>(page_bytes - (from & page_mask)));
		Mem answer = fabric_.memory->reach(space_, to, Access::Write, &dst);
		if (answer == Mem::Ok && !fill)
			answer = fabric_.memory->reach(space_, from, Access::Read, &src);
		if (answer != Mem::Ok)
			return memory_result(answer);
		if (fill)
			for (u32 i = 0; i < n; i++)
				dst[i] = static_cast<u8>(body_[2] >> 8 * ((q_.dma_done + i) & 3));
		else
			__builtin_memmove(dst, src, n);
		q_.dma_done += n;
		moved += n;
	}
	more_ = q_.dma_done < bytes;
	if (!more_)
		q_.dma_done = 0;
	return Result::Done;
}

Result Pm4::set_sh_reg()
{
	Result r = fetch_body(2);

	if (r != Result::Done)
		return r;
	for (u32 i = 2; i < total_; i++) {
		const u32 reg = PM4_SH_REG_START + (body_[1] & 0xffff) + i - 2;
		u32 word;
		r = fetch(i, &word);
		if (r != Result::Done)
			return r;
		if (reg >= PM4_SH_REG_END)
			return bad(reg);
		/* The CU masks are the driver's, from the MQD; registers of the graphics stages are not here. */
		if (reg != mmCOMPUTE_STATIC_THREAD_MGMT_SE0 && reg != mmCOMPUTE_STATIC_THREAD_MGMT_SE1 &&
		    reg != mmCOMPUTE_STATIC_THREAD_MGMT_SE2 && reg != mmCOMPUTE_STATIC_THREAD_MGMT_SE3 &&
		    (reg < mmCOMPUTE_STATIC_THREAD_MGMT_SE4 || reg >= mmCOMPUTE_STATIC_THREAD_MGMT_SE4 + 4) &&
		    !fabric_.registers->write_hqd(q_.slot, reg, word).known)
			fabric_.board->report(SILICON_REPORT_BAD_REGISTER, q_.vmid, reg, word);
	}
	return Result::Done;
}

Result Pm4::set_register(u32 start)
{
	Result r = fetch_body(2);

	for (u32 i = 2; i < total_ && r == Result::Done; i++) {
		u32 word;
		r = fetch(i, &word);
		if (r == Result::Done)
			r = write_register(start + (body_[1] & 0xffff) + i - 2, word);
	}
	return r;
}

/* GFX9's MEC form: 1,2 address; 4 dwords to execute if the word there is not 0. */
Result Pm4::cond_exec()
{
	u32 word;
	Result r = fetch_body(5);

	if (r == Result::Done)
		r = memory_result(fabric_.memory->load32(space_, join(body_[1] & ~3u, body_[2]), &word));
	if (r == Result::Done && !word)
		skip_ = min(body_[4] & 0x3fff, available() - total_);
	return r;
}

Result Pm4::dispatch(bool indirect)
{
	Grid grid = {};
	u32 initiator;
	Result r = fetch_body(indirect ? 4 : 5);

	if (r != Result::Done)
		return r;
	if (indirect) {
		u32 dimensions[3];
		r = memory_result(fabric_.memory->read(space_, join(body_[1], body_[2]), dimensions, sizeof(dimensions)));
		if (r != Result::Done)
			return r;
		initiator = body_[3];
		for (unsigned i = 0; i < 3; i++)
			body_[1 + i] = dimensions[i];
		body_[4] = initiator;
	}
	if (!space_)
		return bad(0); /* shaders run in a user's VMID */
	if (!(body_[4] & PM4_DISPATCH_COMPUTE_SHADER_EN) || !body_[1] || !body_[2] || !body_[3])
		return Result::Done;
	if (fabric_.chip->generation->isa == Isa::None)
		return bad(header_);
	wires_.slots->fill_pm4_grid(q_, space_, body_, &grid);
	switch (wires_.shaders->submit(grid)) {
	case Step::Done:
		q_.grids++;
		fabric_.board->trace(SILICON_TRACE_KERNEL_START, space_, fabric_.where(q_.slot), grid.code, 0);
		return Result::Done;
	case Step::Busy: return Result::Wait;
	case Step::Need: return Result::Need;
	case Step::Fault: break;
	}
	return bad(body_[4]);
}

} // namespace silicon
