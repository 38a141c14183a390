// SPDX-License-Identifier: MIT
/*
 * grid_record.cc - writes a grid's record into the save area and reads it back, by one list of fields.
 *
 * The fields are copied word by word instead of the struct, so that neither padding (memory of the host) nor what user space must not see
 * gets into the save area.
 */
#include "grid_record.h"

namespace silicon {

namespace {

constexpr u32 magic = 0x44495247;

class Writer {
public:
	explicit Writer(u32 *words) : at_(words) {}
	template <class T> void field(const T &value) { *at_++ = static_cast<u32>(value); }
	void field(const u64 &value)
	{
		*at_++ = static_cast<u32>(value);
		*at_++ = static_cast<u32>(value >> 32);
	}

private:
	u32 *at_;
};

class Reader {
public:
	explicit Reader(const u32 *words) : at_(words) {}
	template <class T> void field(T &value) { value = static_cast<T>(*at_++); }
	void field(u64 &value)
	{
		value = join(at_[0], at_[1]);
		at_ += 2;
	}

private:
	const u32 *at_;
};

template <class Stream, class Record> void fields(Stream &stream, Record &record)
{
	auto &grid = record.grid;

	stream.field(record.ordinal);
	stream.field(record.pending_count);
	for (auto &number : record.pending)
		stream.field(number);
	stream.field(record.next);
	for (auto &size : grid.workgroup)
		stream.field(size);
	for (auto &count : grid.items)
		stream.field(count);
	for (auto &id : grid.start)
		stream.field(id);
	stream.field(grid.code);
	stream.field(grid.rsrc1);
	stream.field(grid.rsrc2);
	stream.field(grid.rsrc3);
	for (auto &value : grid.user_sgpr)
		stream.field(value);
	stream.field(grid.lds_bytes);
	stream.field(grid.tmpring_size);
	stream.field(grid.scratch_base);
	stream.field(grid.cookie);
	stream.field(grid.wave32);
	stream.field(grid.dies);
	stream.field(grid.die);
	stream.field(grid.chunk);
}

/* ordinal, pending and its count, next; the grid's fields in the order above; magic */
static_assert(2 + 2 * max_se + 2 + 3 + 3 + 3 + 2 + 3 + 16 + 2 + 2 + 2 + 1 + 3 + 1 <= grid_record_words);

} // namespace

void write_record(const GridRecord &record, u32 words[grid_record_words])
{
	__builtin_memset(words, 0, grid_record_bytes);
	words[0] = magic;

	Writer writer(words + 1);

	fields(writer, record);
}

bool read_record(const u32 words[grid_record_words], GridRecord *record)
{
	__builtin_memset(static_cast<void *>(record), 0, sizeof(*record));

	Reader reader(words + 1);

	fields(reader, *record);

	const Grid &grid = record->grid;
	const bool shared = grid.die < grid.dies && grid.dies <= SILICON_MAX_XCC && grid.chunk && grid.chunk <= max_chunk;

	return words[0] == magic && record->pending_count <= max_se && (!grid.dies || shared);
}

} // namespace silicon
