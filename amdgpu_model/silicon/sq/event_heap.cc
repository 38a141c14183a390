// SPDX-License-Identifier: MIT
/* event_heap.cc - entering SIMDs, and taking them out. */
#include "event_heap.h"

namespace silicon {

/** The one that has this time, else one that has none. */
EventHeap::Bucket *EventHeap::bucket_for(u64 key)
{
	Bucket &a = bucket_[0], &b = bucket_[1];

	return a.key == key || (!a.count && b.key != key) ? &a : b.key == key || !b.count ? &b : nullptr;
}

void EventHeap::put_in(Bucket &bucket, u32 id, u64 key)
{
	bucket.key = key;
	bucket.bits[id / 64] |= u64{1} << id % 64;
	bucket.count++;
	where_[id] = in_bucket | static_cast<u32>(&bucket - bucket_);
}

void EventHeap::put(u32 at, const Entry &entry)
{
	entries_[at] = entry;
	where_[entry.id] = at;
}

u32 EventHeap::rise(u32 at, const Entry &entry)
{
	for (; at && before(entry, entries_[(at - 1) / 2]); at = (at - 1) / 2)
		put(at, entries_[(at - 1) / 2]);
	return at;
}

void EventHeap::sink(u32 at, const Entry &entry)
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

u32 EventHeap::top() const
{
	const u64 key = top_key();
	u32 id = size_ && entries_[0].key == key ? entries_[0].id : absent;

	for (const Bucket &bucket : bucket_) {
		if (bucket.key != key)
			continue;
		u32 word = 0;

		while (!bucket.bits[word])
			word++;
		id = min(id, word * 64 + lowest_bit(bucket.bits[word]));
	}
	return id;
}

void EventHeap::set(u32 id, u64 key)
{
	const u32 at = where_[id];

	if (at != absent && key_at(at) == key)
		return;
	if (Bucket *bucket = bucket_for(key)) {
		remove(id);
		put_in(*bucket, id, key);
	} else if (at < in_bucket) {
		sink(rise(at, {key, id}), {key, id});
	} else {
		remove(id);
		put(rise(size_++, {key, id}), {key, id});
	}
}

void EventHeap::remove(u32 id)
{
	const u32 at = where_[id];

	where_[id] = absent;
	if (at == absent)
		return;
	if (at & in_bucket) {
		Bucket &bucket = bucket_[at & 1];

		bucket.bits[id / 64] &= ~(u64{1} << id % 64);
		if (!--bucket.count)
			bucket.key = never;
		return;
	}
	if (at == --size_)
		return;
	const Entry last = entries_[size_];

	sink(rise(at, last), last);
}

} // namespace silicon
