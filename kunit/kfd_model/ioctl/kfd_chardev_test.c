// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_chardev_test.c - /dev/kfd: who may call what, what is copied in and out, and whether each ioctl reaches its handler */
#include <kunit/test.h>
#include <linux/cred.h>
#include "uapi/kfd_ioctl.h"

#include "every_ioctl.h"
#include "kunit/fail_nth.h"
#include "kunit/kfd_model/user_space.h"

#include "kfd_model/device/kfd_class.c"
#include "kfd_model/ioctl/kfd_chardev.c"

static unsigned int refusals;

/* What is refused is counted: amdgpu_refused_test.c. */
void amdm_refused(const char *what, u64 subject)
{
	refusals++;
}

#define AT_MOST	512

/* What the handler has seen, and does: fills its arguments, returns @error */
static struct {
	kfdm_ioctl_fn *fn;
	u8 data[AT_MOST];
	size_t size;	/* of the kernel's copy that the test looks at */
	int error;
	bool locked;
	struct kfdm_process *opened, *context;
	int puts, closes;
} fake;

static int handled(void *data, kfdm_ioctl_fn *fn)
{
	fake.fn = fn;
	memcpy(fake.data, data, fake.size);
	memset(data, 0x5a, fake.size);
	return fake.error;
}

#define HANDLER(name)							\
	int kfdm_ioctl_##name(struct kfdm_process *p, void *data)	\
	{								\
		return handled(data, kfdm_ioctl_##name);		\
	}
EVERY_IOCTL(HANDLER)

struct kfdm_process *kfdm_process_open(void)
{
	return fake.opened;
}

void kfdm_process_put(struct kfdm_process *p)
{
	fake.puts++;
}

void kfdm_process_close(struct kfdm_process *p)
{
	fake.closes++;
}

struct kfdm_process *kfdm_process_create_context(struct kfdm_process *primary)
{
	return fake.context;
}

struct kfdm_process_device *kfdm_pdd_by_real_id(struct kfdm_process *p, u32 gpu_id)
{
	return NULL;
}

bool kfdm_is_locked(void)
{
	return fake.locked;
}

static struct kfdm_process process;
static struct file filp;

static int chardev_setup(struct kunit *test)
{
	user_space_begin(test);
	memset(&fake, 0, sizeof(fake));
	memset(&process, 0, sizeof(process));
	memset(&filp, 0, sizeof(filp));
	process.lead_thread = current;
	process.mm = current->mm;
	process.context_id = KFDM_PRIMARY;
	filp.private_data = &process;
	return 0;
}

static void chardev_teardown(struct kunit *test)
{
	user_space_end();
}

static u8 user_byte(struct kunit *test, size_t at)
{
	u8 byte = 0;

	KUNIT_EXPECT_EQ(test, get_user(byte, USER(u8) + at), 0);
	return byte;
}

static void fill_user(struct kunit *test, int byte)
{
	u8 pattern[AT_MOST];

	memset(pattern, byte, sizeof(pattern));
	KUNIT_EXPECT_EQ(test, copy_to_user(USER(u8), pattern, sizeof(pattern)), 0ul);
}

struct ioctl_fact {
	u32 cmd;
	kfdm_ioctl_fn *fn;
};

/* The numbers of Linux 7.2's uapi/linux/kfd_ioctl.h: magic, direction and size are ABI */
static const struct ioctl_fact facts[] = {
	{ 0x80084b01, kfdm_ioctl_get_version },
	{ 0xc0604b02, kfdm_ioctl_create_queue },	/* 0xc0584b02 before 1.17 */
	{ 0xc0084b03, kfdm_ioctl_destroy_queue },
	{ 0x40204b04, kfdm_ioctl_set_memory_policy },
	{ 0xc0284b05, kfdm_ioctl_get_clock_counters },
	{ 0x81904b06, kfdm_ioctl_get_process_apertures },
	{ 0x40184b07, kfdm_ioctl_update_queue },
	{ 0xc0204b08, kfdm_ioctl_create_event },
	{ 0x40084b09, kfdm_ioctl_destroy_event },
	{ 0x40084b0a, kfdm_ioctl_set_event },
	{ 0x40084b0b, kfdm_ioctl_reset_event },
	{ 0xc0184b0c, kfdm_ioctl_wait_events },
	{ 0x40084b0d, kfdm_ioctl_debugger },
	{ 0x40084b0e, kfdm_ioctl_debugger },
	{ 0x40104b0f, kfdm_ioctl_debugger },
	{ 0x40104b10, kfdm_ioctl_debugger },
	{ 0xc0104b11, kfdm_ioctl_set_scratch_backing_va },
	{ 0xc0284b12, kfdm_ioctl_get_tile_config },
	{ 0x40184b13, kfdm_ioctl_set_trap_handler },
	{ 0xc0104b14, kfdm_ioctl_get_process_apertures_new },
	{ 0x40084b15, kfdm_ioctl_acquire_vm },
	{ 0xc0284b16, kfdm_ioctl_alloc_memory },
	{ 0x40084b17, kfdm_ioctl_free_memory },
	{ 0xc0184b18, kfdm_ioctl_map_memory },
	{ 0xc0184b19, kfdm_ioctl_unmap_memory },
	{ 0x40104b1a, kfdm_ioctl_set_cu_mask },
	{ 0xc0184b1b, kfdm_ioctl_get_queue_wave_state },
	{ 0xc0204b1c, kfdm_ioctl_get_dmabuf_info },
	{ 0xc0184b1d, kfdm_ioctl_import_dmabuf },
	{ 0xc0104b1e, kfdm_ioctl_alloc_queue_gws },
	{ 0xc0084b1f, kfdm_ioctl_smi_events },
	{ 0xc0184b20, kfdm_ioctl_svm },
	{ 0xc0044b21, kfdm_ioctl_set_xnack_mode },
	{ 0xc0384b22, kfdm_ioctl_criu },
	{ 0xc0104b23, kfdm_ioctl_available_memory },
	{ 0xc0104b24, kfdm_ioctl_export_dmabuf },
	{ 0xc0104b25, kfdm_ioctl_runtime_enable },
	{ 0xc0204b26, kfdm_ioctl_dbg_trap },
	{ 0xc0104b28, kfdm_ioctl_profiler },
};

static void fact_name(const struct ioctl_fact *fact, char *text)
{
	scnprintf(text, KUNIT_PARAM_DESC_SIZE, "%08x", fact->cmd);
}

KUNIT_ARRAY_PARAM(fact, facts, fact_name);

/* The driver's own idea of direction counts: what is not read is zero, what is not written stays; a failed call writes as well */
static void reaches_its_handler(struct kunit *test)
{
	const struct ioctl_fact *fact = test->param_value;
	size_t size = _IOC_SIZE(fact->cmd);
	u32 wrong_direction = fact->cmd ^ 0xc0000000;
	/* No pattern that SVM's check of its attributes would refuse. */
	int byte = fact->fn == kfdm_ioctl_svm ? 0 : 0xa5;

	if (_IOC_NR(fact->cmd) >= 0x24)	/* newer than 6.1 */
		kfdm_abi = &kfdm_abi_7_2;
	fill_user(test, byte);
	fake.size = size;
	fake.error = -EXDEV;
	KUNIT_EXPECT_EQ(test, kfd_ioctl(&filp, wrong_direction, user_page), (long)-EXDEV);
	KUNIT_EXPECT_PTR_EQ(test, fake.fn, fact->fn);
	KUNIT_EXPECT_EQ(test, fake.data[0], fact->cmd & IOC_IN ? byte : 0);
	KUNIT_EXPECT_EQ(test, fake.data[size - 1], fact->cmd & IOC_IN ? byte : 0);
	KUNIT_EXPECT_EQ(test, user_byte(test, 0), fact->cmd & IOC_OUT ? 0x5a : byte);
	KUNIT_EXPECT_EQ(test, user_byte(test, size - 1), fact->cmd & IOC_OUT ? 0x5a : byte);
	KUNIT_EXPECT_EQ(test, user_byte(test, size), byte);
	/* Memory that is not there: read first, written in place of the handler's error. */
	KUNIT_EXPECT_EQ(test, kfd_ioctl(&filp, fact->cmd, NOT_USER), (long)-EFAULT);
	kfdm_abi = &kfdm_abi_6_1;
}

static void every_row_is_a_fact(struct kunit *test)
{
	u32 nr, i;

	for (nr = 0; nr < ARRAY_SIZE(ioctls); nr++) {
		if (!ioctls[nr].fn)	/* none, or CREATE_PROCESS, which has no struct */
			continue;
		for (i = 0; i < ARRAY_SIZE(facts) && facts[i].cmd != ioctls[nr].cmd; i++)
			;
		KUNIT_EXPECT_LT_MSG(test, i, (u32)ARRAY_SIZE(facts), "no row in facts[] is %08x", ioctls[nr].cmd);
	}
}

static void number_owner_capability(struct kunit *test)
{
	static const u32 no_numbers[] = { 0x4b00, 0x80084b24, 0x4b80, 0x4bff };
	struct cred *weak = prepare_creds();
	const struct cred *strong;
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, weak);
	KUNIT_EXPECT_EQ(test, kfd_ioctl(&filp, 0x80085801, user_page), 0l);	/* the ioctl's type byte is not checked */
	fake.fn = NULL;
	process.lead_thread = NULL;
	for (i = 0; i < ARRAY_SIZE(no_numbers); i++)
		KUNIT_EXPECT_EQ(test, kfd_ioctl(&filp, no_numbers[i], user_page), (long)-ENOTTY);
	process.lead_thread = current->real_parent;	/* fork: the file of another process */
	KUNIT_EXPECT_EQ(test, kfd_ioctl(&filp, AMDKFD_IOC_GET_VERSION, NOT_USER), (long)-EBADF);
	KUNIT_EXPECT_EQ(test, kfd_ioctl(&filp, AMDKFD_IOC_CRIU_OP, user_page), (long)-EBADF);	/* nor its tracer */
	process.lead_thread = current;
	process.mm = NULL;	/* exec: the file is older than the program */
	KUNIT_EXPECT_EQ(test, kfd_ioctl(&filp, AMDKFD_IOC_GET_VERSION, user_page), (long)-EBADF);
	process.mm = current->mm;
	cap_lower(weak->cap_effective, CAP_SYS_ADMIN);
	strong = override_creds(weak);
	KUNIT_EXPECT_EQ(test, kfd_ioctl(&filp, AMDKFD_IOC_CRIU_OP, user_page), 0l);	/* CAP_CHECKPOINT_RESTORE is enough */
	fake.fn = NULL;
	cap_lower(weak->cap_effective, CAP_CHECKPOINT_RESTORE);
	KUNIT_EXPECT_EQ(test, kfd_ioctl(&filp, AMDKFD_IOC_CRIU_OP, NOT_USER), (long)-EACCES);
	revert_creds(strong);
	put_cred(weak);
	KUNIT_EXPECT_NULL(test, fake.fn);
}

/* Programs of other versions: what theirs lacks reads as zero, what theirs has more comes back as it was */
static void other_sizes(struct kunit *test)
{
	const u32 small = _IOC(_IOC_READ | _IOC_WRITE, 'K', 2, 8), large = _IOC(_IOC_READ | _IOC_WRITE, 'K', 2, 256);

	fill_user(test, 0xa5);
	fake.size = 88;
	KUNIT_EXPECT_EQ(test, kfd_ioctl(&filp, small, user_page), 0l);
	KUNIT_EXPECT_EQ(test, fake.data[7], 0xa5);
	KUNIT_EXPECT_EQ(test, fake.data[8], 0);
	KUNIT_EXPECT_EQ(test, fake.data[87], 0);
	KUNIT_EXPECT_EQ(test, user_byte(test, 7), 0x5a);
	KUNIT_EXPECT_EQ(test, user_byte(test, 8), 0xa5);
	fill_user(test, 0xa5);
	KUNIT_EXPECT_EQ(test, kfd_ioctl(&filp, large, user_page), 0l);
	KUNIT_EXPECT_EQ(test, fake.data[87], 0xa5);
	KUNIT_EXPECT_EQ(test, user_byte(test, 87), 0x5a);
	KUNIT_EXPECT_EQ(test, user_byte(test, 88), 0xa5);
	KUNIT_EXPECT_EQ(test, user_byte(test, 255), 0xa5);
	FAIL_NTH_NEEDED(test);
	fake.fn = NULL;
	fail_nth_arm(1);
	KUNIT_EXPECT_EQ(test, kfd_ioctl(&filp, large, user_page), (long)-ENOMEM);
	KUNIT_EXPECT_TRUE(test, fail_nth_disarm());
	KUNIT_EXPECT_NULL(test, fake.fn);
}

/* kfd_chardev.c, kfd_ioctl_svm_validate() */
static void svm_attributes_fit_the_call(struct kunit *test)
{
	static const struct { u32 nattr, size; long ret; } calls[] = {
		{ 0, 24, 0 }, { 1, 24, -EINVAL }, { 1, 31, -EINVAL }, { 1, 32, 0 }, { 3, 48, 0 }, { U32_MAX, 48, -EINVAL },
		{ 0x20000000, 24, -EINVAL },	/* 2^32 bytes of them */
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		struct kfd_ioctl_svm_args args = { .nattr = calls[i].nattr };

		KUNIT_EXPECT_EQ(test, copy_to_user(USER(void), &args, sizeof(args)), 0ul);
		KUNIT_EXPECT_EQ(test, kfd_ioctl(&filp, _IOC(_IOC_READ | _IOC_WRITE, 'K', 0x20, calls[i].size), user_page),
				calls[i].ret);
	}
}

static void opened(struct kunit *test)
{
	static struct address_space mapping;
	static struct inode inode, own = { .i_mapping = &mapping };

	inode.i_rdev = MKDEV(240, 1);
	process.inode = &own;
	KUNIT_EXPECT_EQ(test, kfd_open(&inode, &filp), -ENODEV);
	inode.i_rdev = MKDEV(240, 0);
	fake.opened = ERR_PTR(-ENOSPC);
	KUNIT_EXPECT_EQ(test, kfd_open(&inode, &filp), -ENOSPC);
	fake.opened = &process;
	fake.locked = true;	/* a reset is under way */
	filp.private_data = NULL;
	KUNIT_EXPECT_EQ(test, kfd_open(&inode, &filp), -EAGAIN);
	KUNIT_EXPECT_EQ(test, fake.puts, 1);
	KUNIT_EXPECT_NULL(test, filp.private_data);
	fake.locked = false;
	KUNIT_EXPECT_EQ(test, kfd_open(&inode, &filp), 0);
	KUNIT_EXPECT_PTR_EQ(test, filp.private_data, (void *)&process);
	KUNIT_EXPECT_PTR_EQ(test, filp.f_mapping, &mapping);
	KUNIT_EXPECT_EQ(test, kfd_release(&inode, &filp), 0);
	KUNIT_EXPECT_EQ(test, fake.closes, 1);
}

/* A number that a newer Linux may have is missing here; one that Linux never had is not. */
static void a_number_is_missing(struct kunit *test)
{
	refusals = 0;
	KUNIT_EXPECT_EQ(test, kfd_ioctl(&filp, 0xc0084b82, 0), (long)-ENOTTY);
	KUNIT_EXPECT_EQ(test, refusals, 0u);
	KUNIT_EXPECT_EQ(test, kfd_ioctl(&filp, 0xc0084b7f, 0), (long)-ENOTTY);
	KUNIT_EXPECT_EQ(test, refusals, 1u);
}

/* kfd_ioctl_create_process(): once a file, and a file only; the old driver does not know it */
static void a_context_of_its_own(struct kunit *test)
{
	static struct kfdm_process context;
	const u32 cmd = AMDKFD_IOC_CREATE_PROCESS;

	context = process;
	context.context_id = 0;
	KUNIT_EXPECT_EQ(test, kfd_ioctl(&filp, cmd, 0), (long)-ENOTTY);
	kfdm_abi = &kfdm_abi_7_2;
	fake.context = ERR_PTR(-ENOMEM);
	KUNIT_EXPECT_EQ(test, kfd_ioctl(&filp, cmd, 0), (long)-ENOMEM);
	KUNIT_EXPECT_PTR_EQ(test, filp.private_data, (void *)&process);
	fake.context = &context;
	KUNIT_EXPECT_EQ(test, kfd_ioctl(&filp, cmd, 0), 0l);
	KUNIT_EXPECT_PTR_EQ(test, filp.private_data, (void *)&context);
	KUNIT_EXPECT_EQ(test, kfd_ioctl(&filp, cmd, 0), (long)-EINVAL);
	kfdm_abi = &kfdm_abi_6_1;
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_number_is_missing),
	KUNIT_CASE(a_context_of_its_own),
	KUNIT_CASE_PARAM(reaches_its_handler, fact_gen_params),
	KUNIT_CASE(every_row_is_a_fact),
	KUNIT_CASE(number_owner_capability),
	KUNIT_CASE(other_sizes),
	KUNIT_CASE(svm_attributes_fit_the_call),
	KUNIT_CASE(opened),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_chardev", .suite_init = user_space_find, .init = chardev_setup, .exit = chardev_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
