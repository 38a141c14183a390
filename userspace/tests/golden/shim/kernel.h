/* SPDX-License-Identifier: MIT */
/*
 * kernel.h - what the scheduler's half of kfd_model needs of a kernel, for one thread in user space
 *
 * Every <linux/...> header that those files name is this one (CMakeLists.txt makes the forwarding headers). Locks check that they
 * are taken once and given back, waiting advances a clock of its own, workers are never run: what a test wants of them it asks for.
 */
#ifndef GOLDEN_SHIM_KERNEL_H
#define GOLDEN_SHIM_KERNEL_H

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

#include <linux/types.h>

#include "bits.h"
#include "list.h"

#define __user
#define __init
#define __exit
#define __printf(at, args)	__attribute__((format(printf, at, args)))
#define EXPORT_SYMBOL_GPL(name)
#define READ_ONCE(x)		(*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value)	(*(volatile __typeof__(x) *)&(x) = (value))
#define wmb()			__sync_synchronize()
#define U32_MAX			0xffffffffu

/* Messages: what is printed natively only hides the table of results. KFDM_GOLDEN_LOG=1 shows it. */
__printf(1, 2) void shim_log(const char *format, ...);
#undef pr_err
#define pr_err			shim_log
#define pr_warn			shim_log
#define pr_info			shim_log
#define pr_debug		shim_log
#define pr_err_ratelimited	shim_log
#define pr_warn_ratelimited	shim_log
#define pr_debug_ratelimited	shim_log
#undef WARN_ONCE
#define WARN_ON(condition)	shim_warn(!!(condition), __FILE__, __LINE__)
#define WARN_ON_ONCE		WARN_ON
#define WARN(condition, ...)	WARN_ON(condition)
#define WARN_ONCE(condition, ...) WARN_ON(condition)
bool shim_warn(bool condition, const char *file, int line);

/* Memory */
enum { GFP_KERNEL, GFP_KERNEL_ACCOUNT };
#define kzalloc(size, gfp)	shim_alloc(size)
#define kvcalloc(n, size, gfp)	calloc((n) ? (n) : 1, size)
#define kcalloc(n, size, gfp)	calloc((n) ? (n) : 1, size)
#define kfree			shim_free
void *shim_alloc(size_t size);
void shim_free(void *ptr);
/* For the test: the next object of @size bytes stays readable when it has been freed. */
void shim_keep(size_t size);
void *shim_kept(void);
#define kvfree			free
#define memalloc_noreclaim_save() 0u
#define memalloc_noreclaim_restore(flags) ((void)(flags))
#define IS_ERR(ptr)		((uintptr_t)(ptr) >= (uintptr_t)-4095)
#define IS_ERR_OR_NULL(ptr)	(!(ptr) || IS_ERR(ptr))
#define PTR_ERR(ptr)		((int)(intptr_t)(ptr))
#define ERR_PTR(error)		((void *)(intptr_t)(error))

/* Locks */
struct mutex {
	int held;
};

void mutex_lock(struct mutex *m);
void mutex_unlock(struct mutex *m);
#define mutex_init(m)		((m)->held = 0)
#define mutex_destroy(m)	((void)(m))
#define DEFINE_MUTEX(name)	struct mutex name
#define lockdep_assert_held(m)	((void)(m))

struct rw_semaphore {
	struct mutex m;
};

#define DECLARE_RWSEM(name)	struct rw_semaphore name
#define down_read(s)		mutex_lock(&(s)->m)
#define up_read(s)		mutex_unlock(&(s)->m)
#define down_write(s)		mutex_lock(&(s)->m)
#define up_write(s)		mutex_unlock(&(s)->m)

typedef struct mutex spinlock_t;
#define spin_lock_init(s)	((s)->held = 0)

typedef struct {
	int counter;
} atomic_t;
typedef struct {
	s64 counter;
} atomic64_t;
#define atomic_read(a)		((a)->counter)
#define atomic_set(a, n)	((a)->counter = (n))
#define atomic_inc(a)		((a)->counter++)
#define atomic_dec(a)		((a)->counter--)
#define atomic_inc_return(a)	(++(a)->counter)
#define atomic_dec_and_test(a)	(--(a)->counter == 0)
#define atomic64_add(n, a)	((a)->counter += (n))

/* Time: there is no other thread, so it passes only while the driver waits. */
#define HZ 250
typedef s64 ktime_t;
extern u64 shim_ns;
extern void (*shim_idle)(void);	/* who runs while the driver waits */
#define jiffies			((unsigned long)(shim_ns / (1000000000 / HZ)))
#define get_jiffies_64()	((u64)jiffies)
#define msecs_to_jiffies(ms)	((unsigned long)(ms) * HZ / 1000)
#define time_after(a, b)	((long)((b) - (a)) < 0)
#define time_before(a, b)	time_after(b, a)
#define ktime_get()		((ktime_t)shim_ns)
#define ktime_us_delta(a, b)	(((a) - (b)) / 1000)
#define ktime_add_us(t, us)	((t) + (us) * 1000)
#define ktime_before(a, b)	((a) < (b))
void shim_wait(u64 ns);
#define usleep_range(low, high)	shim_wait((high) * 1000ULL)
#define msleep(ms)		shim_wait((ms) * 1000000ULL)
#define NSEC_PER_SEC		1000000000u
#define ktime_get_raw_ns()	shim_ns
#define ktime_get_boottime_ns()	shim_ns
#define cond_resched()		shim_wait(1000)
#define schedule_timeout_uninterruptible(t) shim_wait((t) * (1000000000ULL / HZ))

/* A kernel that has what is asked for; processes have no shared virtual memory, so types of its members are enough */
#define IS_ENABLED(option) 1
struct interval_tree_node {
	unsigned long start, last;
};
struct rb_root_cached {
	void *root;
};
struct mmu_interval_notifier {
	void *mm;
};

/* Work: recorded, not run */
struct work_struct {
	void (*fn)(struct work_struct *work);
	bool pending;
};
struct delayed_work {
	struct work_struct work;
};
struct workqueue_struct;
#define INIT_WORK(w, f)		((w)->fn = (f), (w)->pending = false)
#define schedule_work(w)	((w)->pending = true)
#define cancel_work_sync(w)	((w)->pending = false)
typedef struct mutex wait_queue_head_t;
#define DECLARE_WAIT_QUEUE_HEAD(name) wait_queue_head_t name
#define wake_up_all(q)		((void)(q))
#define wait_event_timeout(q, condition, timeout) (condition)

/* Numbers and objects by number */
struct ida {
	DECLARE_BITMAP(used, 4096);
};
struct idr {
	void *slots[64];
};
int ida_alloc_range(struct ida *ida, unsigned int first, unsigned int last, int gfp);
#define ida_free(i, id)		__clear_bit(id, (i)->used)
#define ida_init(i)		memset(i, 0, sizeof(*(i)))
#define ida_destroy(i)		((void)(i))
#define idr_init(i)		memset(i, 0, sizeof(*(i)))
#define idr_destroy(i)		((void)(i))
int idr_alloc(struct idr *idr, void *ptr, int start, int end, int gfp);
void *idr_find(struct idr *idr, unsigned long id);
void *idr_remove(struct idr *idr, unsigned long id);
void *idr_get_next(struct idr *idr, int *id);
#define idr_for_each_entry(idr, entry, id) \
	for ((id) = 0; ((entry) = idr_get_next(idr, &(id))) != NULL; (id)++)

/* Things that are only passed on, or embedded */
struct kref {
	int count;
};
#define kref_init(r)		((r)->count = 1)
#define kref_get(r)		((void)(r)->count++)
#define kref_put(r, release)	((void)(--(r)->count || (release(r), 0)))
struct file {
	int references;
};
struct mmu_notifier {
	int unused;
};
struct kfifo {
	int unused;
};
struct mm_struct;
struct inode;
struct pid;
struct vm_area_struct {
	unsigned long vm_start, vm_end;
};
struct task_struct {
	struct mm_struct *mm;
	unsigned int flags;
};
extern struct task_struct *current;
#define get_file(f)		((f)->references++, (f))
#define fput(f)			((void)(f)->references--)
#define fget(fd)		((void)(fd), (struct file *)NULL)
#define mmput_async(mm)		((void)(mm))
#define mmget_not_zero(mm)	((mm) != NULL)
#define SIGKILL 9

/* Tracepoints: functions that do nothing */
#define TP_PROTO(...)		__VA_ARGS__
#define TP_ARGS(...)		__VA_ARGS__
#define TRACE_EVENT(name, proto, ...) static inline void trace_##name(proto) { }
#define DECLARE_EVENT_CLASS(name, ...)
#define DEFINE_EVENT(class, name, proto, args) static inline void trace_##name(proto) { }
#define TRACE_DEFINE_ENUM(name)

/* User memory: what the vectors name is not there, and reads as zero. */
#define get_user(value, at)	((value) = 0, (void)(at), 0)
#define put_user(value, at)	((void)(value), (void)(at), 0)
extern const void *shim_user_memory;
static inline unsigned long copy_from_user(void *to, const void *from, unsigned long bytes)
{
	if (from != shim_user_memory)
		return bytes;
	memcpy(to, from, bytes);
	return 0;
}
#define clear_user(to, bytes)	((void)(to), (void)(bytes), 0ul)
#define copy_to_user(to, from, bytes) ((void)(to), (void)(from), (void)(bytes), 0ul)

#endif
