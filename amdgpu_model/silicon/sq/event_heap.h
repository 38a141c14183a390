// SPDX-License-Identifier: MIT
/*
 * event_heap.h - which SIMD does something next.
 *
 * Earliest first and the lower number first among equals; any entry's time can be changed. Most SIMDs do something in this round or
 * the next one, at two times: entries of these are bits of two buckets. The others are in a binary heap; where[] knows each entry's place.
 * The owner gives the memory.
 */
#pragma once

#include "../base/bitmap.h"

namespace silicon {

class EventHeap {
public:
	struct Entry {
		u64 key;
		u32 id;
	};

	static constexpr u64 bytes(u32 ids) { return ids * sizeof(Entry) + buckets * words(ids) * sizeof(u64) + ids * sizeof(u32); }

	void init(void *memory, u32 ids)
	{
		entries_ = static_cast<Entry *>(memory);
		u64 *bits = reinterpret_cast<u64 *>(entries_ + ids);
		for (Bucket &bucket : bucket_) {
			bucket = {never, 0, bits};
			for (u32 i = 0; i < words(ids); i++)
				*bits++ = 0;
		}
		where_ = reinterpret_cast<u32 *>(bits);
		size_ = 0;
		for (u32 i = 0; i < ids; i++)
			where_[i] = absent;
	}

	bool empty() const { return !size_ && !bucket_[0].count && !bucket_[1].count; }
	/** Its time, and which one it is; there must be one. */
	ALWAYS_INLINE u64 top_key() const
	{
		const u64 in_buckets = min(bucket_[0].key, bucket_[1].key);

		return size_ ? min(entries_[0].key, in_buckets) : in_buckets;
	}
	u32 top() const;
	bool has(u32 id) const { return where_[id] != absent; }

	/** Enter id, or change its time. Times that many share are quick. */
	void set(u32 id, u64 key);
	void remove(u32 id);

private:
	static constexpr u64 never = ~u64{0};
	static constexpr u32 absent = ~u32{0}, in_bucket = u32{1} << 30, buckets = 2;
	static constexpr u32 words(u32 ids) { return (ids + 63) / 64; }

	struct Bucket {
		u64 key; /* of all of its entries; never: there is none */
		u32 count;
		u64 *bits;
	};

	static bool before(const Entry &a, const Entry &b) { return a.key != b.key ? a.key < b.key : a.id < b.id; }

	u64 key_at(u32 place) const { return place & in_bucket ? bucket_[place & 1].key : entries_[place].key; }

	Bucket *bucket_for(u64 key);
	void put_in(Bucket &bucket, u32 id, u64 key);
	void put(u32 at, const Entry &entry);
	u32 rise(u32 at, const Entry &entry);
	void sink(u32 at, const Entry &entry);

	Entry *entries_ = nullptr;
	Bucket bucket_[buckets] = {};
	u32 *where_ = nullptr;
	u32 size_ = 0; /* of the heap */
};

} // namespace silicon
