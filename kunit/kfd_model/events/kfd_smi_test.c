// SPDX-License-Identifier: GPL-2.0 OR MIT
/* kfd_smi_test.c - SMI events: lines as tools parse them, who sees whose, and a reader that does not read (Linux: kfd_smi_events.c) */
#include <linux/cred.h>
#include <linux/fdtable.h>
#include <linux/file.h>

#include "kunit/fail_nth.h"
#include "kunit/kfd_model/process/process_fixture.h"
#include "kunit/kfd_model/user_space.h"

#include "kfd_model/events/kfd_smi.c"

#define MASK(event)	KFD_SMI_EVENT_MASK_FROM_INDEX(KFD_SMI_EVENT_##event)
#define ALL_EVENTS	(~0ULL >> 1)
#define EVERYBODY	MASK(ALL_PROCESS)

static int device_refs;

void kfdm_device_get(struct kfdm_device *dev)
{
	device_refs++;
}

void kfdm_device_put(struct kfdm_device *dev)
{
	device_refs--;
}

void kfdm_svm_get_places(struct kfdm_process *p, u64 page, u32 *prefetch, u32 *preferred)
{
	*prefetch = page == 0x7000 ? GPU_0 : KFD_IOCTL_SVM_LOCATION_UNDEFINED;
	*preferred = KFD_IOCTL_SVM_LOCATION_SYSMEM;
}

static const struct kfd2kgd_ops fake_kgd;

static int smi_setup(struct kunit *test)
{
	struct process_fixture *f = process_fixture_get(test, &fake_kgd);

	f->p.lead_thread = current;
	f->p.tgid = task_tgid(current);
	device_refs = 0;
	user_space_begin(test);
	return 0;
}

static void smi_teardown(struct kunit *test)
{
	struct process_fixture *f = test->priv;

	flush_delayed_fput();	/* files that kernel threads close are closed later */
	KUNIT_EXPECT_TRUE(test, list_empty(&f->dev[0].smi_clients));
	KUNIT_EXPECT_EQ(test, device_refs, 0);
	rcu_barrier();
	user_space_end();
	process_fixture_put(test);
}

static struct file *open(struct kunit *test, u64 events)
{
	struct process_fixture *f = test->priv;
	struct file *filp;
	u32 fd;

	KUNIT_ASSERT_EQ(test, kfdm_smi_open(&f->dev[0], &fd), 0);
	filp = fget(fd);
	close_fd(fd);
	KUNIT_ASSERT_NOT_NULL(test, filp);
	if (events) {
		KUNIT_EXPECT_EQ(test, put_user(events, USER(u64)), 0);
		KUNIT_EXPECT_EQ(test, smi_write(filp, USER(char), 8, NULL), 8l);
	}
	return filp;
}

#define AT_MOST	8192

/* Return: what a read gives, in a buffer that the next one overwrites; "" for nothing. */
static const char *line(struct file *filp)
{
	static char text[AT_MOST + 1];
	ssize_t n = smi_read(filp, USER(char), sizeof(text) - 1, NULL);

	if (n < 0 || copy_from_user(text, USER(char), n))
		n = 0;
	text[n] = '\0';
	return text;
}

static void masks(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct file *filp = open(test, 0);

	kfdm_smi_gpu_reset(&f->dev[0], false, "HWS hang");
	KUNIT_EXPECT_EQ(test, smi_read(filp, USER(char), 100, NULL), (ssize_t)-EAGAIN);	/* nothing asked for */
	KUNIT_EXPECT_EQ(test, smi_write(filp, USER(char), 7, NULL), (ssize_t)-EFAULT);
	KUNIT_EXPECT_EQ(test, smi_write(filp, (char __user *)NOT_USER, 8, NULL), (ssize_t)-EFAULT);
	KUNIT_EXPECT_EQ(test, put_user(MASK(GPU_POST_RESET), USER(u64)), 0);
	KUNIT_EXPECT_EQ(test, smi_write(filp, USER(char), 100, NULL), 8l);
	kfdm_smi_gpu_reset(&f->dev[0], false, "HWS hang");
	KUNIT_EXPECT_STREQ(test, line(filp), "");
	kfdm_smi_gpu_reset(&f->dev[0], true, "");
	KUNIT_EXPECT_EQ(test, device_refs, 1);	/* a stream may outlive the GPU */
	KUNIT_EXPECT_STREQ(test, line(filp), "4 2\n");	/* the second reset */
	KUNIT_EXPECT_STREQ(test, line(filp), "");
	fput(filp);
}

static void lines(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct file *filp = open(test, ALL_EVENTS);
	char expected[KFD_SMI_EVENT_MSG_SIZE];
	int pid, gpu, trigger;
	s64 ns;
	char c;

	kfdm_smi_vm_fault(&f->dev[0], &f->p);
	snprintf(expected, sizeof(expected), "1 %x:%s\n", current->pid, current->comm);
	KUNIT_EXPECT_STREQ(test, line(filp), expected);
	kfdm_smi_gpu_reset(&f->dev[0], false, "HWS hang");
	KUNIT_EXPECT_STREQ(test, line(filp), "3 1\n");

	kfdm_smi_queue_eviction(&f->dev[0], &f->p, KFD_QUEUE_EVICTION_TRIGGER_TTM);
	KUNIT_EXPECT_EQ(test, sscanf(line(filp), "9 %lld -%d %x %d%c", &ns, &pid, &gpu, &trigger, &c), 5);
	KUNIT_EXPECT_LE(test, abs(ktime_get_boottime_ns() - ns), 60 * (s64)NSEC_PER_SEC);
	KUNIT_EXPECT_EQ(test, pid, current->pid);
	KUNIT_EXPECT_EQ(test, (u32)gpu, GPU_0);
	KUNIT_EXPECT_EQ(test, trigger, 2);
	KUNIT_EXPECT_EQ(test, c, '\n');

	kfdm_smi_queue_restore(&f->dev[0], &f->p, false);
	KUNIT_EXPECT_EQ(test, sscanf(line(filp), "a %lld -%d %x%c", &ns, &pid, &gpu, &c), 4);
	KUNIT_EXPECT_EQ(test, c, '\n');
	kfdm_smi_queue_restore(&f->dev[0], &f->p, true);
	KUNIT_EXPECT_NOT_NULL(test, strstr(line(filp), " 1234 R\n"));
	fput(filp);
}

/* Return: what a line has behind its event, time and process, with them checked; "" if they are wrong. */
static const char *rest(const char *text, u32 event)
{
	int n = 0, pid;
	u32 seen;
	s64 ns;

	return sscanf(text, "%x %lld -%d %n", &seen, &ns, &pid, &n) == 3 && seen == event && pid == current->pid ? text + n : "";
}

/* kfd_smi_event_migration_start(), kfd_smi_event_migration_end(), kfd_smi_event_unmap_from_gpu() */
static void memory_moves(struct kunit *test)
{
	struct kfd_bridge_migration what = {
		.start = 0x7000000, .end = 0x7200000, .to_vram = true, .trigger = KFD_MIGRATE_TRIGGER_PAGEFAULT_GPU,
	};
	struct process_fixture *f = test->priv;
	struct file *filp = open(test, ALL_EVENTS);

	kfdm_smi_migration(&f->dev[0], &f->p, &what);
	KUNIT_EXPECT_STREQ(test, rest(line(filp), 5), "@7000(200) 0->1234 1234:0 1\n");
	what.done = true;
	kfdm_smi_migration(&f->dev[0], &f->p, &what);
	KUNIT_EXPECT_STREQ(test, rest(line(filp), 6), "@7000(200) 0->1234 1\n");
	what.error = -ENOMEM;
	kfdm_smi_migration(&f->dev[0], &f->p, &what);
	KUNIT_EXPECT_STREQ(test, line(filp), "");	/* not told before 7.2 */
	kfdm_smi_unmap(&f->dev[0], &f->p, 0x7000, 0x7003, KFD_SVM_UNMAP_TRIGGER_UNMAP_FROM_CPU);
	KUNIT_EXPECT_STREQ(test, rest(line(filp), 11), "@7000(4) 1234 2\n");
	fput(filp);

	kfdm_abi = &kfdm_abi_7_2;
	filp = open(test, ALL_EVENTS);
	kfdm_smi_migration(&f->dev[0], &f->p, &what);
	KUNIT_EXPECT_STREQ(test, rest(line(filp), 6), "@7000(200) 0->1234 1 -12\n");
	what = (struct kfd_bridge_migration){ .start = 0x8000000, .end = 0x8001000, .trigger = KFD_MIGRATE_TRIGGER_TTM_EVICTION };
	kfdm_smi_migration(&f->dev[0], &f->p, &what);
	KUNIT_EXPECT_STREQ(test, rest(line(filp), 5), "@8000(1) 1234->0 ffffffff:0 3\n");
	what.done = true;
	kfdm_smi_migration(&f->dev[0], &f->p, &what);
	KUNIT_EXPECT_STREQ(test, rest(line(filp), 6), "@8000(1) 1234->0 3 0\n");
	fput(filp);
	kfdm_abi = &kfdm_abi_6_1;
}

/* 7.2's kfd_smi_events.c: processes, a third word of each restoring, a reset's cause */
static void lines_of_7_2(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	char expected[KFD_SMI_EVENT_MSG_SIZE];
	struct file *filp = open(test, ALL_EVENTS);

	kfdm_smi_process(&f->dev[0], &f->p, true);
	KUNIT_EXPECT_STREQ(test, line(filp), "");
	fput(filp);
	kfdm_abi = &kfdm_abi_7_2;
	filp = open(test, ALL_EVENTS);
	kfdm_smi_process(&f->dev[0], &f->p, true);
	snprintf(expected, sizeof(expected), "c %x %s\n", current->pid, current->comm);
	KUNIT_EXPECT_STREQ(test, line(filp), expected);
	kfdm_smi_process(&f->dev[0], &f->p, false);
	expected[0] = 'd';
	KUNIT_EXPECT_STREQ(test, line(filp), expected);
	kfdm_smi_queue_restore(&f->dev[0], &f->p, false);
	KUNIT_EXPECT_NOT_NULL(test, strstr(line(filp), " 1234 0\n"));
	kfdm_smi_gpu_reset(&f->dev[0], false, "HWS hang");
	KUNIT_EXPECT_STREQ(test, line(filp), "3 1 HWS hang\n");
	kfdm_smi_gpu_reset(&f->dev[0], true, "");
	KUNIT_EXPECT_STREQ(test, line(filp), "4 1 \n");
	f->p.tgid = (struct pid *)f;	/* another process: its faults are the device's; and the administrator sees all */
	kfdm_smi_vm_fault(&f->dev[0], &f->p);
	KUNIT_EXPECT_STRNEQ(test, line(filp), "");
	kfdm_smi_queue_restore(&f->dev[0], &f->p, false);
	KUNIT_EXPECT_STRNEQ(test, line(filp), "");
	fput(filp);
	kfdm_abi = &kfdm_abi_6_1;
}

/* Its own process's events and the device's; everybody's for an administrator who asks */
static void whose(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct cred *weak = prepare_creds();
	const struct cred *strong;
	struct file *plain, *admin, *weak_admin;

	KUNIT_ASSERT_NOT_NULL(test, weak);
	plain = open(test, ALL_EVENTS);
	admin = open(test, ALL_EVENTS | EVERYBODY);
	cap_lower(weak->cap_effective, CAP_SYS_ADMIN);
	strong = override_creds(weak);
	weak_admin = open(test, ALL_EVENTS | EVERYBODY);
	revert_creds(strong);
	put_cred(weak);

	kfdm_smi_queue_restore(&f->dev[0], &f->p, false);
	KUNIT_EXPECT_STRNEQ(test, line(plain), "");
	KUNIT_EXPECT_STRNEQ(test, line(admin), "");
	KUNIT_EXPECT_STRNEQ(test, line(weak_admin), "");
	f->p.tgid = (struct pid *)f;	/* another process */
	kfdm_smi_queue_restore(&f->dev[0], &f->p, false);
	KUNIT_EXPECT_STREQ(test, line(plain), "");
	KUNIT_EXPECT_STRNEQ(test, line(admin), "");
	KUNIT_EXPECT_STREQ(test, line(weak_admin), "");
	kfdm_smi_gpu_reset(&f->dev[0], true, "");
	KUNIT_EXPECT_STRNEQ(test, line(plain), "");
	KUNIT_EXPECT_STRNEQ(test, line(weak_admin), "");
	kfdm_smi_gpu_reset(&f->dev[1], true, "");	/* a stream is of one GPU */
	KUNIT_EXPECT_STRNEQ(test, line(admin), "");	/* dev[0]'s */
	KUNIT_EXPECT_STREQ(test, line(admin), "");
	fput(plain);
	fput(admin);
	fput(weak_admin);
}

/* A message that does not fit is dropped as a whole; what was there stays */
static void a_full_stream(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	struct file *filp = open(test, ALL_EVENTS);
	const char *text;
	size_t n;
	u32 i;

	KUNIT_EXPECT_EQ(test, (__force u32)smi_poll(filp, NULL), 0u);
	f->dev[0].reset_sequence = 0x100;
	for (i = 0; i < 300; i++)	/* 300 * 6 bytes */
		kfdm_smi_gpu_reset(&f->dev[0], true, "");
	KUNIT_EXPECT_EQ(test, (__force u32)smi_poll(filp, NULL), (__force u32)(EPOLLIN | EPOLLRDNORM));
	KUNIT_EXPECT_EQ(test, smi_read(filp, USER(char), 6, NULL), 6l);
	text = line(filp);
	n = strlen(text);
	KUNIT_EXPECT_EQ(test, n, (size_t)kfdm_abi->smi.fifo_bytes / 6 * 6 - 6);
	for (i = 0; i < n; i += 6)
		if (strncmp(text + i, "4 100\n", 6))
			break;
	KUNIT_EXPECT_EQ(test, (size_t)i, n);
	KUNIT_EXPECT_EQ(test, (__force u32)smi_poll(filp, NULL), 0u);
	kfdm_smi_gpu_reset(&f->dev[0], true, "");
	KUNIT_EXPECT_EQ(test, smi_read(filp, (char __user *)NOT_USER, 6, NULL), (ssize_t)-EFAULT);
	fput(filp);
}

static void without_memory(struct kunit *test)
{
	struct process_fixture *f = test->priv;
	unsigned int nth = 1, refused = 0;
	u32 fd = 0;
	bool failed;
	int ret;

	FAIL_NTH_NEEDED(test);
	do {
		fail_nth_arm(nth++);
		ret = kfdm_smi_open(&f->dev[0], &fd);
		failed = fail_nth_disarm();
		if (ret) {
			refused++;
			KUNIT_EXPECT_TRUE(test, ret == -ENOMEM || ret == -ENFILE);
		} else {
			close_fd(fd);
			flush_delayed_fput();
		}
		KUNIT_EXPECT_TRUE(test, list_empty(&f->dev[0].smi_clients));
	} while (failed);
	KUNIT_EXPECT_EQ(test, ret, 0);
	kunit_info(test, "%u refusals", refused);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(masks),
	KUNIT_CASE(lines),
	KUNIT_CASE(memory_moves),
	KUNIT_CASE(lines_of_7_2),
	KUNIT_CASE(whose),
	KUNIT_CASE(a_full_stream),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite suite = {
	.name = "kfd_smi", .suite_init = user_space_find, .init = smi_setup, .exit = smi_teardown, .test_cases = cases,
};
kunit_test_suite(suite);
