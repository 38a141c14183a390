/* SPDX-License-Identifier: MIT */
/* prelude_sizes.h - what a generated program gets: work-items, words of each; for prelude.h and isa_fuzz.cc. */
#pragma once

enum { items = 160, group = 96, in_words = 16, mem_words = 16, lds_words = 8 };
