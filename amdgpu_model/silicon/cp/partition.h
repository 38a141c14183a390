// SPDX-License-Identifier: MIT
/*
 * partition.h - what a command processor sees of the other compute dies (XCC) of its partition.
 *
 * CP_HYP_XCP_CTL says how many dies the partition has and which of them this is. Each die has all of its queues, in slots of the same
 * number, from descriptors a stride apart (cp_mqd_stride_size). The packets of a queue are worked at by one of them: of AQL queues and
 * of the HIQ by the first, of PM4 queues by the one that the descriptor names (pm4_target_xcc_in_xcp). The others follow: a kernel of
 * an AQL queue is handed to all, and done when all have done their part. So packets are in step, and there is one read pointer. How the
 * firmware of the dies agrees on that is not known; that packets are seen by one of them is the model's choice.
 */
#pragma once

#include "hqd.h"

namespace silicon {

class QueueSlots;
class Mqds;
class Preemption;
class ShaderCore;

constexpr unsigned max_xcc = SILICON_MAX_XCC;

/** A die's part of the command processors. */
struct Die {
	Fabric *fabric = nullptr;
	ShaderCore *shaders = nullptr;
	QueueSlots *slots = nullptr;
	Mqds *mqds = nullptr;
	Preemption *preemption = nullptr;
};

/** All compute dies of the chip. */
struct Dies {
	Die die[max_xcc];
	unsigned count = 0;
};

class Partition {
public:
	void connect(const Dies *dies, const Fabric *fabric)
	{
		dies_ = dies;
		fabric_ = fabric;
	}

	/** Dies of the partition; what the register says in vain is a partition of one. */
	unsigned size() const { return fits() ? wanted() : 1; }
	/** This one's number in it. */
	unsigned rank() const { return fits() ? REG_GET(control(), CP_HYP_XCP_CTL, VIRTUAL_XCC_ID) : 0; }
	const Die &operator[](unsigned rank) const { return dies_->die[fabric_->xcc - this->rank() + rank]; }
	const Die *begin() const { return &(*this)[0]; }
	const Die *end() const { return begin() + size(); }

private:
	u32 control() const { return fabric_->registers->at<mmCP_HYP_XCP_CTL>(); }
	u32 wanted() const { return REG_GET(control(), CP_HYP_XCP_CTL, NUM_XCC_IN_XCP); }
	bool fits() const
	{
		const u32 rank = REG_GET(control(), CP_HYP_XCP_CTL, VIRTUAL_XCC_ID);

		return rank < wanted() && rank <= fabric_->xcc && fabric_->xcc - rank + wanted() <= dies_->count;
	}

	const Dies *dies_ = nullptr;
	const Fabric *fabric_ = nullptr;
};

} // namespace silicon
