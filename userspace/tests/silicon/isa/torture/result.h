/* SPDX-License-Identifier: MIT */
/* result.h - the word in which a test tells how it ended; 0: it did not. */
#pragma once

enum { torture_exit = 0x100 /* | code */, torture_abort = 0x200 };
