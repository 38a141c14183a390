// SPDX-License-Identifier: MIT
/*
 * event_heap.h - which SIMD does something next.
 *
 * A binary heap of SIMDs, earliest first and the lower number first among equals, in which any entry's time can be
 * changed: where[] knows its place. The owner gives the memory.
 */
#pragma once

#include "../base/types.h"

namespace silicon {

class EventHeap {
public:
	struct Entry {
		u64 key;
		u32 id;
	};

	static constexpr u64 bytes(u32 ids) { return ids * (sizeof(Entry) + sizeof(u32)); }

	void init(void *memory, u32 ids)
	{
		entries_ = static_cast<Entry *>(memory);
		where_ = reinterpret_cast<u32 *>(entries_ + ids);
		size_ = 0;
		for (u32 i = 0; i < ids; i++)
			where_[i] = absent;
	}

	bool empty() const { return size_ == 0; }
	u64 top_key() const { return entries_[0].key; }
	u32 top() const { return entries_[0].id; }
	u32 size() const { return size_; }
	/** All ids, i < size(), in no order. */
	u32 id(u32 i) const { return entries_[i].id; }

	/** Enter id, or change its time. */
	void set(u32 id, u64 key)
	{
		u32 at = where_[id];

		if (at == absent)
			at = size_++;
		else if (entries_[at].key == key)
			return;
		at = rise(at, {key, id});
		sink(at, {key, id});
	}

	void remove(u32 id)
	{
		u32 at = where_[id];

		if (at == absent)
			return;
		where_[id] = absent;
		if (at == --size_)
			return;
		Entry last = entries_[size_];
		at = rise(at, last);
		sink(at, last);
	}

private:
	static constexpr u32 absent = ~u32{0};

	static bool before(const Entry &a, const Entry &b) { return a.key != b.key ? a.key < b.key : a.id < b.id; }

	void put(u32 at, const Entry &entry)
	{
		entries_[at] = entry;
		where_[entry.id] = at;
	}

	u32 rise(u32 at, const Entry &entry)
	{
		for (; at && before(entry, entries_[(at - 1) / 2]); at = (at - 1) / 2)
			put(at, entries_[(at - 1) / 2]);
		put(at, entry);
		return at;
	}

	void sink(u32 at, const Entry &entry)
	{
		for (u32 child; (child = 2 * at + 1) < size_; at = child) {
			if (child + 1 < size_ && before(entries_[child + 1], entries_[child]))
				child++;
			if (!before(entries_[child], entry))
				break;
			put(at, entries_[child]);
		}
		put(at, entry);
	}

	Entry *entries_ = nullptr;
	u32 *where_ = nullptr;
	u32 size_ = 0;
};

} // namespace silicon
