// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: complaints.c - /sys/kernel/debug/amdgpu_model/complaints
 *
 * What the silicon has complained about and what the driver has refused, a line each, since the modules were loaded. Columns, with a
 * tabulator between them:
 *
 *	GPU, "-" for what is of none; kind; how often; VMID of the first time; subject and detail of the first time
 *
 * Kinds are those of enum silicon_report_kind in lower case, "refused" (the subject is a name), and "others": rows that found no room.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "bench.h"
#include "complaints.h"
#include "amdgpu_model/base/amdgpu_param.h"
#include "amdgpu_model/base/amdgpu_refused.h"
#include "amdgpu_model/device/amdgpu_devices.h"

static void amdm_complaints_print(struct seq_file *m, u32 gpu, const struct amdm_complaints *complaints)
{
	u32 i;

	for (i = 0; i < complaints->used; i++) {
		const struct amdm_complaint *row = &complaints->rows[i];

		seq_printf(m, "%u\t%s\t%llu\t%u\t0x%llx\t0x%llx\n", gpu, amdm_report_name(row->first.kind), row->count, row->first.vmid,
			   row->first.subject, row->first.detail);
	}
	if (complaints->others)
		seq_printf(m, "%u\tothers\t%llu\t0\t0x0\t0x0\n", gpu, complaints->others);
}

static void amdm_refusals_print(struct seq_file *m, const struct amdm_refusals *refusals)
{
	u32 i;

	for (i = 0; i < refusals->used; i++) {
		const struct amdm_refusal *row = &refusals->rows[i];

		seq_printf(m, "-\trefused\t%llu\t0\t%s\t0x%llx\n", row->count, row->what, row->subject);
	}
	if (refusals->others)
		seq_printf(m, "-\tothers\t%llu\t0\t0x0\t0x0\n", refusals->others);
}

/* Not printed with the silicon's lock held. */
static int amdm_complaints_of(struct seq_file *m, struct amdm_device *adev)
{
	struct amdm_complaints *copy = kmalloc(sizeof(*copy), GFP_KERNEL);

	if (!copy)
		return -ENOMEM;
	amdm_glue_lock(adev->glue);
	*copy = adev->glue->complaints;
	amdm_glue_unlock(adev->glue);
	amdm_complaints_print(m, adev->index, copy);
	kfree(copy);
	return 0;
}

static int complaints_show(struct seq_file *m, void *unused)
{
	struct amdm_refusals *refusals;
	int ret = 0;
	u32 i;

	for (i = 0; i < amdm_param.gpus && !ret; i++) {
		struct amdm_device *adev = amdm_device_get(i);

		if (!adev)
			continue;
		ret = amdm_complaints_of(m, adev);
		amdm_device_put(adev);
	}
	refusals = kmalloc(sizeof(*refusals), GFP_KERNEL);
	if (!refusals)
		return -ENOMEM;
	amdm_refusals_copy(refusals);
	amdm_refusals_print(m, refusals);
	kfree(refusals);
	return ret;
}
DEFINE_SHOW_ATTRIBUTE(complaints);

static struct dentry *amdm_complaints_folder;

/** amdm_complaints_init() - make the file; without debugfs there is none */
void amdm_complaints_init(void)
{
	amdm_complaints_folder = debugfs_create_dir("amdgpu_model", NULL);
	debugfs_create_file("complaints", 0400, amdm_complaints_folder, NULL, &complaints_fops);
}

/** amdm_complaints_fini() - remove it */
void amdm_complaints_fini(void)
{
	debugfs_remove(amdm_complaints_folder);
}
