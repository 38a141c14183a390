// SPDX-License-Identifier: MIT
/* ih.cc - see ih.h. */
#include "ih.h"

namespace silicon {

namespace {

constexpr u32 mc_space_bus = 1;
constexpr u32 overflow = 1; /* IH_RB_WPTR.RB_OVERFLOW */

} // namespace

/* RB_SIZE is log2 of the ring's dwords (vega20_ih_rb_cntl). */
u32 InterruptHandler::ring_mask() const
{
	const u32 size = REG_GET(registers_->at<mmIH_RB_CNTL>(), IH_RB_CNTL, RB_SIZE);

	return (u32{4} << min(size, u32{16})) - 1;
}

/* A doorbell writes the register. */
u32 InterruptHandler::read_pointer()
{
	const u32 doorbell = registers_->at<mmIH_DOORBELL_RPTR>();

	if (REG_GET(doorbell, IH_DOORBELL_RPTR, ENABLE)) {
		u64 value;
		if (board_->take_doorbell(REG_GET(doorbell, IH_DOORBELL_RPTR, OFFSET) * 4, &value))
			registers_->at<mmIH_RB_RPTR>() = static_cast<u32>(value);
	}
	return registers_->at<mmIH_RB_RPTR>();
}

u32 InterruptHandler::pasid_of(const Interrupt &in) const
{
	const RegisterFile &table = *pasids_[IH_XCC_OF_NODE(in.node)];

	return in.mmhub ? table.at<mmIH_VMID_0_LUT_MM>(0, in.vmid) : table.at<mmIH_VMID_0_LUT>(0, in.vmid);
}

bool InterruptHandler::raise(const Interrupt &in)
{
	const u64 stamp = board_->cycle;
	const u32 pasid = pasid_of(in);
	Cookie cookie = {};

	cookie.dw[0] = in.client | in.source << 8 | in.ring_id << 16 | static_cast<u32>(in.vmid) << 24 | static_cast<u32>(in.mmhub) << 31;
	cookie.dw[1] = static_cast<u32>(stamp);
	cookie.dw[2] = static_cast<u32>(stamp >> 32) & 0xffff;
	cookie.dw[3] = (pasid & 0xffff) | u32{in.node} << 16;
	for (unsigned i = 0; i < 4; i++)
		cookie.dw[4 + i] = in.data[i];

	if (short_entries()) {
		cookie = {.dw = {in.source, in.data[0] & 0x0fffffff, in.ring_id | static_cast<u32>(in.vmid) << 8 | pasid << 16,
				 static_cast<u32>(stamp) & 0x0fffffff}};
	}
	if (queued_ == queue_size) {
		board_->report(SILICON_REPORT_IH_OVERFLOW, in.vmid, cookie.dw[0], 0);
		return false;
	}
	queue_[(first_ + queued_++) % queue_size] = cookie;
	drain();
	return true;
}

bool InterruptHandler::raise_retry(Interrupt in, u64 page)
{
	const unsigned entry = cam_.enter(RetryCam::whose(in.vmid + (in.mmhub ? mmhub_space : 0), pasid_of(in) & 0xffff), page);

	if (entry == RetryCam::none)
		return true;
	in.data[2] = entry;
	if (raise(in))
		return true;
	cam_.acknowledge(entry);
	return false;
}

Mem InterruptHandler::drain()
{
	while (queued_) {
		const Cookie &cookie = queue_[first_];
		const Mem answer = write(cookie);
		if (answer == Mem::Need)
			return answer;
		first_ = (first_ + 1) % queue_size;
		queued_--;
		if (answer == Mem::Fault)
			continue; /* reported by the walker; a driver without a ring gets no interrupts */
		board_->count(SILICON_COUNT_INTERRUPTS);
		if (short_entries())
			board_->trace(SILICON_TRACE_INTERRUPT, cookie.dw[2] >> 8 & 0xf, cookie.dw[2] & 0xff, cookie.dw[0], cookie.dw[1]);
		else
			board_->trace(SILICON_TRACE_INTERRUPT, IH_VMID(cookie.dw[0]), IH_RING_ID(cookie.dw[0]),
				      IH_CLIENT(cookie.dw[0]) << 8 | IH_SOURCE(cookie.dw[0]), cookie.dw[4]);
		if (!board_->fails(SILICON_FAULT_LOST_INTERRUPT) && (REG_GET(registers_->at<mmIH_RB_CNTL>(), IH_RB_CNTL, ENABLE_INTR) ||
								     (short_entries() && bit(registers_->at<mmIH_CNTL>(), 0))))
			board_->ports().interrupt(board_->context());
	}
	return Mem::Ok;
}

Mem InterruptHandler::ring_write(u64 address, const void *from, u32 bytes, bool bus)
{
	void *page = nullptr;

	if (!bus)
		return memory_->write(mmhub_space, address, from, bytes);
	switch (board_->ports().bus_page(board_->context(), address & ~page_mask, true, &page)) {
	case SILICON_OK: break;
	case SILICON_NEED: return Mem::Need;
	case SILICON_FAULT: board_->report(SILICON_REPORT_BAD_ADDRESS, 0, address, 0); return Mem::Fault;
	}
	__builtin_memcpy(static_cast<u8 *>(page) + (address & page_mask), from, bytes);
	return Mem::Ok;
}

/* Cookies are 32 bytes and the ring is 256-byte aligned, so none crosses a page. */
Mem InterruptHandler::write(const Cookie &cookie)
{
	const u32 cntl = registers_->at<mmIH_RB_CNTL>();
	const bool bus = !short_entries() && REG_GET(cntl, IH_RB_CNTL, MC_SPACE) == mc_space_bus;
	const u64 base = join(registers_->at<mmIH_RB_BASE>(), registers_->at<mmIH_RB_BASE_HI>() & 0xff) << 8;
	const u32 mask = ring_mask();
	u32 &wptr = registers_->at<mmIH_RB_WPTR>();
	const u32 at = wptr & mask & ~(entry_bytes_ - 1);
	const u32 next = (at + entry_bytes_) & mask;

	if (!REG_GET(cntl, IH_RB_CNTL, RB_ENABLE))
		return Mem::Fault;
	Mem answer = publish_wptr(wptr); /* the same value again: its page must be there before an entry is written */
	if (answer == Mem::Ok)
		answer = ring_write(base + at, cookie.dw, entry_bytes_, bus);
	if (answer != Mem::Ok)
		return answer;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	u32 flag = wptr & overflow;
	if (next == (read_pointer() & mask)) {
		board_->report(SILICON_REPORT_IH_OVERFLOW, 0, next, cookie.dw[0]);
		if (short_entries() || REG_GET(cntl, IH_RB_CNTL, WPTR_OVERFLOW_ENABLE))
			flag = overflow;
	}
	wptr = next | flag;
	publish_wptr(wptr);
	return Mem::Ok;
}

Mem InterruptHandler::publish_wptr(u32 wptr)
{
	const u32 cntl = registers_->at<mmIH_RB_CNTL>();
	const u64 address = join(registers_->at<mmIH_RB_WPTR_ADDR_LO>(), registers_->at<mmIH_RB_WPTR_ADDR_HI>());

	if (!REG_GET(cntl, IH_RB_CNTL, WPTR_WRITEBACK_ENABLE))
		return Mem::Ok;
	return ring_write(address, &wptr, sizeof(wptr), !short_entries() && REG_GET(cntl, IH_RB_CNTL, MC_SPACE) == mc_space_bus);
}

void InterruptHandler::wrote(const RegisterAccess &access)
{
	switch (access.base) {
	case mmIH_RB_CNTL:
		if (REG_GET(access.value, IH_RB_CNTL, WPTR_OVERFLOW_CLEAR))
			registers_->at<mmIH_RB_WPTR>() &= ~overflow;
		break;
	case mmIH_RB_WPTR: publish_wptr(access.value); break;
	case mmIH_RETRY_CAM_ACK: cam_.acknowledge(REG_GET(access.value, IH_RETRY_CAM_ACK, INDEX)); break;
	}
}

} // namespace silicon
