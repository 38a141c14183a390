// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_refused.c - what programs have asked for and Linux's driver does, but this one does not
 *
 * The program gets the errno that Documentation/differences.md names; here it is counted by name, so that whoever runs a program can tell
 * what is missing in the model from what is wrong with the program. lab/complaints.c shows it.
 */
#include <linux/export.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "amdgpu_refused.h"
#include "amdgpu_kunit.h"

static DEFINE_SPINLOCK(amdm_refusals_lock);
static struct amdm_refusals amdm_refusals;

static struct amdm_refusal *amdm_refusal_row(const char *what, u64 subject)
{
	struct amdm_refusal *row = amdm_refusals.rows, *end = row + amdm_refusals.used;

	for (; row < end; row++)
		if (row->subject == subject && !strcmp(row->what, what))
			return row;
	if (amdm_refusals.used == AMDM_REFUSALS)
		return NULL;
	amdm_refusals.used++;
	strscpy(row->what, what, sizeof(row->what));
	row->subject = subject;
	return row;
}

/**
 * amdm_refused() - a program has been refused something that Linux's driver does
 * @what:    name of it, of at most 39 characters, without white space
 * @subject: which of several, such as the number of an operation
 *
 * Context: any but interrupts.
 */
void amdm_refused(const char *what, u64 subject)
{
	struct amdm_refusal *row;

	spin_lock(&amdm_refusals_lock);
	row = amdm_refusal_row(what, subject);
	if (row)
		row->count++;
	else
		amdm_refusals.others++;
	spin_unlock(&amdm_refusals_lock);
}
EXPORT_SYMBOL_GPL(amdm_refused);

/** amdm_refusals_copy() - all of it, as it is now */
void amdm_refusals_copy(struct amdm_refusals *copy)
{
	spin_lock(&amdm_refusals_lock);
	*copy = amdm_refusals;
	spin_unlock(&amdm_refusals_lock);
}
EXPORT_SYMBOL_IF_KUNIT(amdm_refusals_copy);
