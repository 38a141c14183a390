/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/**
 * DOC: migrate.h - what differs between versions of Linux for pages of devices
 *
 * See kernel.h.
 */
#ifndef KFDM_COMPAT_MIGRATE_H
#define KFDM_COMPAT_MIGRATE_H

#include <linux/memremap.h>

/* The slot of dev_pagemap_ops for a page that has gone: a folio's since 6.19. KFDM_PAGEMAP_FREE(function) comes before the structure. */
#ifdef KFDM_HAS_PAGEMAP_FOLIO_FREE
#define KFDM_PAGEMAP_FREE(function)			\
	static void function ## _folio(struct folio *folio)	\
	{						\
		function(folio_page(folio, 0));		\
	}
#define KFDM_PAGEMAP_FREE_SLOT(function)	.folio_free = function ## _folio,
#else
#define KFDM_PAGEMAP_FREE(function)
#define KFDM_PAGEMAP_FREE_SLOT(function)	.page_free = function,
#endif

/** kfdm_device_page_init() - zone_device_page_init() for a page of its own (6.19 and later: the page map, and an order) */
static inline void kfdm_device_page_init(struct page *page, struct dev_pagemap *pagemap)
{
#ifdef KFDM_HAS_DEVICE_PAGE_ORDER
	zone_device_page_init(page, pagemap, 0);
#else
	zone_device_page_init(page);
#endif
}

#endif
