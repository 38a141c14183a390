/* SPDX-License-Identifier: MIT */
/* The part of sysfs that the topology uses: directories of read-only files. shim_sysfs_read() is the reader. */
#ifndef GOLDEN_SHIM_SYSFS_H
#define GOLDEN_SHIM_SYSFS_H

#include "kernel.h"

struct attribute {
	const char *name;
	unsigned short mode;
};
struct attribute_group {
	struct attribute **attrs;
};
struct kobject;
struct sysfs_ops {
	ssize_t (*show)(struct kobject *kobj, struct attribute *attr, char *buf);
};
struct kobj_type {
	const struct sysfs_ops *sysfs_ops;
	void (*release)(struct kobject *kobj);
	const struct attribute_group **default_groups;
};
struct kobject {
	char name[32];
	struct kobject *parent;
	const struct kobj_type *type;
	struct list_head link;	/* in all that are in sysfs */
	int references;
};
struct device {
	struct kobject kobj;
};

#define ATTRIBUTE_GROUPS(name) \
	static const struct attribute_group name##_group = { .attrs = name##_attrs }; \
	static const struct attribute_group *name##_groups[] = { &name##_group, NULL }

__printf(4, 5) int kobject_init_and_add(struct kobject *kobj, const struct kobj_type *type, struct kobject *parent,
					const char *format, ...);
void kobject_del(struct kobject *kobj);
void kobject_put(struct kobject *kobj);
__printf(2, 3) int sysfs_emit(char *buf, const char *format, ...);
__printf(3, 4) int sysfs_emit_at(char *buf, int at, const char *format, ...);
#define vscnprintf vsnprintf
#define dev_to_node(dev) NUMA_NO_NODE

/* One NUMA node without memory of its own; 8 CPUs by default */
#define NUMA_NO_NODE (-1)
#define MAX_NR_ZONES 0
enum { ACPI_OEM_ID_SIZE = 6, ACPI_OEM_TABLE_ID_SIZE = 8 };
struct cpumask {
	unsigned int cpus, max_khz;
};
struct zone {
	int unused;
};
typedef struct {
	struct zone node_zones[1];
} pg_data_t;
struct cpuinfo {
	unsigned int apicid;
};
extern struct cpumask shim_cpus;
extern pg_data_t shim_pgdat;
extern struct cpuinfo shim_cpu;
#define for_each_online_node(n)	for ((n) = 0; (n) < 1; (n)++)
#define cpumask_of_node(n)	((void)(n), &shim_cpus)
#define cpumask_first(mask)	((mask)->cpus ? 0u : ~0u)
#define cpumask_weight(mask)	((mask)->cpus)
#define nr_cpu_ids		64u
#define cpu_data(n)		((void)(n), shim_cpu)
#define NODE_DATA(n)		((void)(n), &shim_pgdat)
#define zone_managed_pages(z)	((void)(z), 0ul)
#define node_distance(a, b)	((a) == (b) ? 10 : 20)
#define cpufreq_quick_get_max(cpu) (shim_cpus.max_khz)

/* No device cgroup */
enum { DEVCG_DEV_CHAR = 2, DEVCG_ACC_READ = 2, DEVCG_ACC_WRITE = 4 };
#define devcgroup_check_permission(type, major, minor, access) 0

/* For the test: the text of a file below topology/, its length, or -ENOENT */
int shim_sysfs_read(const char *path, char *buf);

#endif
