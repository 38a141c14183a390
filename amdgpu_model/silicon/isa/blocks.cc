// SPDX-License-Identifier: MIT
/*
 * blocks.cc - finds or makes the decoded run of instructions at an address.
 *
 * A block goes on over conditional branches and ends where control must leave, at the end of a page, or at a word
 * that does not decode. Like the hardware's instruction cache it keeps what it has seen until it is invalidated.
 */
#include <cstddef>

#include "store.h"

namespace silicon {
namespace {

constexpr unsigned block_ops = 64;

unsigned hash(unsigned vmid, u64 pc) { return (pc >> 2 ^ pc >> 13 ^ vmid * 97) & (EngineStore::blocks_max - 1); }

/** Words of code at one place: up to the page's end, or gathered over it for an instruction that straddles. */
struct Fetch {
	const u32 *code;
	unsigned size;
	u32 gathered[5];
};

bool fault(StopInfo *why, Mem answer, u64 va)
{
	*why = {answer == Mem::Need ? Stop::Need : Stop::VmFault, Access::Execute, 0, va};
	return false;
}

bool fetch_page(EngineContext &context, unsigned vmid, u64 pc, Fetch *f, StopInfo *why)
{
	u8 *host;
	const Mem answer = context.tlb->translate(vmid, pc, Access::Execute, &host);

	if (answer != Mem::Ok)
		return fault(why, answer, pc);
	f->code = reinterpret_cast<const u32 *>(host);
	f->size = page_bytes - (pc & page_mask);
	return true;
}

/** Append the first words of the next page. */
bool fetch_over_page(EngineContext &context, unsigned vmid, u64 pc, Fetch *f, StopInfo *why)
{
	Fetch next;
	const unsigned words = f->size / 4;

	for (unsigned i = 0; i < words; i++)
		f->gathered[i] = f->code[i];
	if (!fetch_page(context, vmid, pc + f->size, &next, why))
		return false;
	for (unsigned i = words; i < 5; i++)
		f->gathered[i] = next.code[i - words];
	f->code = f->gathered;
	f->size = sizeof(f->gathered);
	return true;
}

void end_with(EngineStore &store, ExecFn run, u64 pc)
{
	Op &op = store.ops[store.used++];

	__builtin_memset(&op, 0, sizeof(op));
	op.run = op.kernel = run;
	op.pc = pc;
}

/** Decode from pc on; the first instruction may straddle a page, later ones end the block instead. */
bool build(EngineContext &context, const Variant &variant, unsigned vmid, u64 pc, StopInfo *why)
{
	EngineStore &store = *context.store;
	Fetch f;

	if (!fetch_page(context, vmid, pc, &f, why))
		return false;
	for (unsigned n = 0; n < block_ops; n++) {
		Op &op = store.ops[store.used];
		unsigned length = f.size ? decode(store, variant, f.code, f.size, pc, &op) : ~0u;

		if (length > f.size) {
			if (n)
				break;
			if (!fetch_over_page(context, vmid, pc, &f, why))
				return false;
			length = decode(store, variant, f.code, f.size, pc, &op);
		}
		if (!length) {
			end_with(store, variant.illegal, pc);
			return true;
		}
		store.used++;
		pc += length;
		f.code += length / 4;
		f.size -= length;
		if (f.code >= f.gathered && f.code < f.gathered + 5)
			break;
		if (op.row->has(ends_block))
			break;
	}
	end_with(store, variant.block_end, pc);
	return true;
}

} // namespace

void engine_flush(EngineStore &store)
{
	/* A dispatch begins with a flush: it must not cost more than what has been decoded since the last one. */
	while (store.fills)
		store.blocks[store.filled[--store.fills]].tag = 0;
	store.generation++;
	store.used = 0;
	store.constants = 0;
}

/** AGPR numbers are resolved while decoding: code is decoded again for waves that have their AGPRs elsewhere. */
const Op *find_block(EngineContext &context, const Variant &variant, const Wave &wave, u64 pc, StopInfo *why)
{
	EngineStore &store = *context.store;
	const unsigned vmid = wave.vmid;
	const u64 tag = pc << 11 | u64{wave.wave32} << 12 | u64{wave.accum_offset / 4u & 127} << 5 | vmid << 1 |
			1; /* pc is a multiple of 4 */
	const unsigned place = hash(vmid, pc);
	Block &block = store.blocks[place];

	if (block.tag == tag)
		return block.first;
	if ((pc + (u64{1} << 52)) >> 53) { /* too large for a tag, and for any address space */
		fault(why, Mem::Fault, pc);
		return nullptr;
	}
	if (store.used + block_ops + 1 >= EngineStore::ops_max)
		engine_flush(store);
	if (is_gfx10(store.isa))
		store.isa = wave.wave32 ? Isa::Gfx10Wave32 : Isa::Gfx10;
	const Op *first = &store.ops[store.used];
	store.accum_offset = wave.accum_offset;
	if (!build(context, variant, vmid, pc, why))
		return nullptr;
	block = {tag, first};
	store.filled[store.fills++] = static_cast<u16>(place);
	return first;
}

void engine_select(EngineStore &store, Isa isa)
{
	store.isa = isa;
	engine_flush(store);
}

u64 engine_store_bytes() { return sizeof(EngineStore); }

void engine_init(EngineStore &store) { __builtin_memset(static_cast<void *>(&store), 0, offsetof(EngineStore, ops)); }

} // namespace silicon
