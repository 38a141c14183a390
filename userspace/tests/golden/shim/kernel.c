// SPDX-License-Identifier: MIT
/* The stand-ins of kernel.h and sysfs.h that are more than a macro */
#include "sysfs.h"

u64 shim_ns;
void (*shim_idle)(void);
const void *shim_user_memory;
struct cpumask shim_cpus = { 8 };
pg_data_t shim_pgdat;
struct cpuinfo shim_cpu;
static int the_mm;
static struct task_struct the_task = { .mm = (struct mm_struct *)&the_mm };
struct task_struct *current = &the_task;
static LIST_HEAD(kobjects);

void shim_log(const char *format, ...)
{
	va_list args;

	if (!getenv("KFDM_GOLDEN_LOG"))
		return;
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
}

bool shim_warn(bool condition, const char *file, int line)
{
	if (condition)
		shim_log("WARNING at %s:%d\n", file, line);
	return condition;
}

static void die(const char *why)
{
	fprintf(stderr, "golden: %s\n", why);
	abort();
}

static size_t kept_size;
static void *kept;

void shim_keep(size_t size)
{
	kept_size = size;
}

void *shim_kept(void)
{
	return kept;
}

void *shim_alloc(size_t size)
{
	void *ptr = calloc(1, size);

	if (size == kept_size) {
		kept = ptr;
		kept_size = 0;
	}
	return ptr;
}

void shim_free(void *ptr)
{
	if (ptr != kept)
		free(ptr);
}

void shim_wait(u64 ns)
{
	shim_ns += ns;
	if (shim_idle)
		shim_idle();
}

void mutex_lock(struct mutex *m)
{
	if (m->held++)
		die("a lock is taken twice");
}

void mutex_unlock(struct mutex *m)
{
	if (!m->held--)
		die("a lock that is not held is given back");
}

int ida_alloc_range(struct ida *ida, unsigned int first, unsigned int last, int gfp)
{
	unsigned long id = find_next_in(ida->used, 4096, first, false);

	if (id > last || id >= 4096)
		return -ENOSPC;
	__set_bit(id, ida->used);
	return (int)id;
}

int idr_alloc(struct idr *idr, void *ptr, int start, int end, int gfp)
{
	int id;

	for (id = start; id < (int)ARRAY_SIZE(idr->slots); id++)
		if (!idr->slots[id]) {
			idr->slots[id] = ptr;
			return id;
		}
	return -ENOSPC;
}

void *idr_find(struct idr *idr, unsigned long id)
{
	return id < ARRAY_SIZE(idr->slots) ? idr->slots[id] : NULL;
}

void *idr_remove(struct idr *idr, unsigned long id)
{
	void *ptr = idr_find(idr, id);

	if (ptr)
		idr->slots[id] = NULL;
	return ptr;
}

void *idr_get_next(struct idr *idr, int *id)
{
	for (; *id < (int)ARRAY_SIZE(idr->slots); ++*id)
		if (idr->slots[*id])
			return idr->slots[*id];
	return NULL;
}

int kobject_init_and_add(struct kobject *kobj, const struct kobj_type *type, struct kobject *parent, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(kobj->name, sizeof(kobj->name), format, args);
	va_end(args);
	kobj->type = type;
	kobj->parent = parent;
	kobj->references = 1;
	list_add_tail(&kobj->link, &kobjects);
	return 0;
}

void kobject_del(struct kobject *kobj)
{
	list_del_init(&kobj->link);
}

void kobject_put(struct kobject *kobj)
{
	if (!--kobj->references)
		kobj->type->release(kobj);
}

static int emit(char *buf, int at, const char *format, va_list args)
{
	return at >= 0 && at < (int)PAGE_SIZE ? vsnprintf(buf + at, PAGE_SIZE - at, format, args) : 0;
}

int sysfs_emit(char *buf, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = emit(buf, 0, format, args);
	va_end(args);
	return n;
}

int sysfs_emit_at(char *buf, int at, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = emit(buf, at, format, args);
	va_end(args);
	return n;
}

/* Does "a/b/c" lead to @kobj? Compared from the end; the topmost directory has no name in it. */
static bool is_path(const struct kobject *kobj, const char *path, size_t length)
{
	size_t name = strlen(kobj->name);

	if (!kobj->parent || !kobj->parent->type)
		return length == 0;
	if (length < name || strncmp(path + length - name, kobj->name, name))
		return false;
	length -= name;
	if (length && path[--length] != '/')
		return false;
	return is_path(kobj->parent, path, length);
}

int shim_sysfs_read(const char *path, char *buf)
{
	const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
	struct attribute **attr;
	struct kobject *kobj;

	list_for_each_entry(kobj, &kobjects, link) {
		if (!kobj->type->default_groups || !is_path(kobj, path, slash ? (size_t)(slash - path) : 0))
			continue;
		for (attr = kobj->type->default_groups[0]->attrs; *attr; attr++)
			if (!strcmp((*attr)->name, file))
				return (int)kobj->type->sysfs_ops->show(kobj, *attr, buf);
	}
	return -ENOENT;
}
