// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_address_space_test.c - inodes with address spaces of their own, and the file system that comes and goes with them */
#include <kunit/test.h>

#include "kunit/fail_nth.h"

#define kfdm_inode_create	tested_inode_create
#define kfdm_inode_destroy	tested_inode_destroy
#include "kfd_model/process/kfd_address_space.c"

/* Unmapping by one address_space must not walk the mappings of another (drm_fs_inode_new does the same for devices). */
static void each_has_its_own(struct kunit *test)
{
	struct inode *a = kfdm_inode_create(), *b = kfdm_inode_create();

	KUNIT_ASSERT_FALSE(test, IS_ERR(a) || IS_ERR(b));
	KUNIT_EXPECT_PTR_NE(test, a, b);
	KUNIT_EXPECT_PTR_NE(test, a->i_mapping, b->i_mapping);
	KUNIT_EXPECT_PTR_EQ(test, a->i_mapping->host, a);
	KUNIT_EXPECT_PTR_EQ(test, a->i_sb, b->i_sb);
	KUNIT_EXPECT_EQ(test, a->i_sb->s_magic, (unsigned long)KFDM_FS_MAGIC);
	KUNIT_EXPECT_EQ(test, a->i_nlink, 1u);
	kfdm_inode_destroy(b);
	kfdm_inode_destroy(a);
}

static void the_file_system_goes_with_the_last(struct kunit *test)
{
	struct inode *a, *b;

	KUNIT_EXPECT_NULL(test, kfdm_mount);
	a = kfdm_inode_create();
	b = kfdm_inode_create();
	KUNIT_ASSERT_FALSE(test, IS_ERR(a) || IS_ERR(b));
	KUNIT_EXPECT_EQ(test, kfdm_mount_count, 2);
	KUNIT_EXPECT_NOT_NULL(test, kfdm_mount);
	kfdm_inode_destroy(a);
	KUNIT_EXPECT_EQ(test, kfdm_mount_count, 1);
	KUNIT_EXPECT_NOT_NULL(test, kfdm_mount);
	kfdm_inode_destroy(b);
	KUNIT_EXPECT_EQ(test, kfdm_mount_count, 0);
	KUNIT_EXPECT_NULL(test, kfdm_mount);
}

/* What a process without an inode hands over. */
static void nothing_to_destroy(struct kunit *test)
{
	struct inode *a = kfdm_inode_create();

	KUNIT_ASSERT_FALSE(test, IS_ERR(a));
	kfdm_inode_destroy(NULL);
	kfdm_inode_destroy(ERR_PTR(-ENOMEM));
	KUNIT_EXPECT_EQ(test, kfdm_mount_count, 1);
	kfdm_inode_destroy(a);
}

static void without_memory(struct kunit *test)
{
	struct inode *inode;
	u32 n, failed = 0;
	bool used;

	FAIL_NTH_NEEDED(test);
	for (n = 1, used = true; used; n++) {
		fail_nth_arm(n);
		inode = kfdm_inode_create();
		used = fail_nth_disarm();
		if (IS_ERR(inode)) {
			KUNIT_EXPECT_EQ(test, PTR_ERR(inode), (long)-ENOMEM);
			failed++;
		} else {
			kfdm_inode_destroy(inode);
		}
		KUNIT_EXPECT_EQ(test, kfdm_mount_count, 0);
		KUNIT_EXPECT_NULL(test, kfdm_mount);
	}
	kunit_info(test, "%u refusals", failed);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(each_has_its_own),
	KUNIT_CASE(the_file_system_goes_with_the_last),
	KUNIT_CASE(nothing_to_destroy),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = { .name = "kfd_address_space", .test_cases = cases };
kunit_test_suite(suite);
