/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/**
 * DOC: machine.h - what differs between a PC, real or virtual, and User-Mode Linux
 *
 * ARCH=um has no CPUID helpers and no pci_sysdata of its own. Nothing but this folder asks which of the two it is compiled for.
 */
#ifndef KFDM_COMPAT_MACHINE_H
#define KFDM_COMPAT_MACHINE_H

#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/fpu/api.h>

#ifdef CONFIG_UML

/**
 * struct pci_sysdata - what a root bus of the modules has as bus->sysdata
 * @domain: PCI domain
 * @node:   NUMA node
 */
struct pci_sysdata {
	int domain;
	int node;
};

/** kfdm_machine_is_virtual() - false where a mistake of a module takes a real machine with it */
static inline bool kfdm_machine_is_virtual(void)
{
	return true;
}

/** kfdm_machine_is_emulated() - does QEMU's TCG translate each instruction? */
static inline bool kfdm_machine_is_emulated(void)
{
	return false;
}

/**
 * kfdm_machine_page_prot() - protection of pages that are mapped before they are touched
 *
 * ARCH=um makes a page writable when it is dirty, by one more fault. Memory of devices is not looked at for that.
 */
static inline pgprot_t kfdm_machine_page_prot(const struct vm_area_struct *vma)
{
	return vma->vm_flags & VM_WRITE ? __pgprot(pgprot_val(vma->vm_page_prot) | _PAGE_ACCESSED | _PAGE_DIRTY) : vma->vm_page_prot;
}

#else

#include <asm/cpufeature.h>
#include <asm/processor.h>
#if __has_include(<asm/cpuid/api.h>)	/* 6.17: no longer a part of processor.h */
#include <asm/cpuid/api.h>
#endif

static inline pgprot_t kfdm_machine_page_prot(const struct vm_area_struct *vma)
{
	return vma->vm_page_prot;
}

static inline bool kfdm_machine_is_virtual(void)
{
	return boot_cpu_has(X86_FEATURE_HYPERVISOR);
}

static inline bool kfdm_machine_is_emulated(void)
{
	u32 eax, id[3];

	if (!kfdm_machine_is_virtual())
		return false;
	cpuid(0x40000000, &eax, &id[0], &id[1], &id[2]);
	return !memcmp(id, "TCGTCGTCGTCG", sizeof(id));
}

#endif /* CONFIG_UML */

/**
 * kfdm_bridge_set_domain() - before the scan: x86 takes the domain from pci_sysdata, others from the bridge
 *
 * Since 6.18 a bridge's domain is taken from a list of them, to which the bridge gives it back. Return: 0, -errno: it is taken.
 */
static inline int kfdm_bridge_set_domain(struct pci_host_bridge *bridge, int domain)
{
#ifdef CONFIG_PCI_DOMAINS_GENERIC
#ifdef KFDM_HAS_PCI_EMUL_DOMAIN
	int ret = pci_bus_find_emul_domain_nr(domain, domain, domain);

	if (ret < 0)
		return ret;
#endif
	bridge->domain_nr = domain;
#endif
	return 0;
}

/** kfdm_bus_set_domain() - the same for a bus that tests make without a scan */
static inline void kfdm_bus_set_domain(struct pci_bus *bus, struct pci_sysdata *sysdata, int domain)
{
	sysdata->domain = domain;
	bus->sysdata = sysdata;
#ifdef CONFIG_PCI_DOMAINS_GENERIC
	bus->domain_nr = domain;
#endif
}

#endif
