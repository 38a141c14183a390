// SPDX-License-Identifier: MIT
/*
 * work_item.h - OpenCL's work-item functions on the bare instruction set.
 *
 * Device code here is built without a device library, so that what runs on the GPU is what the source says. The
 * compiler knows the ids as builtins; sizes come from the dispatch packet.
 */
#ifndef WORK_ITEM_H
#define WORK_ITEM_H

#define KFDM_INLINE static inline __attribute__((always_inline))

KFDM_INLINE size_t work_item_local_id(uint dim)
{
	return dim == 0 ? __builtin_amdgcn_workitem_id_x() :
	       dim == 1 ? __builtin_amdgcn_workitem_id_y() :
	       dim == 2 ? __builtin_amdgcn_workitem_id_z() :
			  0;
}

KFDM_INLINE size_t work_item_group_id(uint dim)
{
	return dim == 0 ? __builtin_amdgcn_workgroup_id_x() :
	       dim == 1 ? __builtin_amdgcn_workgroup_id_y() :
	       dim == 2 ? __builtin_amdgcn_workgroup_id_z() :
			  0;
}

/* Of a full workgroup; the last one of a row may be smaller. */
KFDM_INLINE size_t work_item_enqueued_local_size(uint dim)
{
	return dim == 0 ? __builtin_amdgcn_workgroup_size_x() :
	       dim == 1 ? __builtin_amdgcn_workgroup_size_y() :
	       dim == 2 ? __builtin_amdgcn_workgroup_size_z() :
			  1;
}

KFDM_INLINE size_t work_item_global_size(uint dim)
{
	return dim == 0 ? __builtin_amdgcn_grid_size_x() :
	       dim == 1 ? __builtin_amdgcn_grid_size_y() :
	       dim == 2 ? __builtin_amdgcn_grid_size_z() :
			  1;
}

KFDM_INLINE size_t work_item_global_id(uint dim)
{
	return work_item_group_id(dim) * work_item_enqueued_local_size(dim) + work_item_local_id(dim);
}

#define get_local_id		work_item_local_id
#define get_group_id		work_item_group_id
#define get_enqueued_local_size work_item_enqueued_local_size
#define get_global_size		work_item_global_size
#define get_global_id		work_item_global_id

#endif
