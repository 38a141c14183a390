/* SPDX-License-Identifier: MIT */
/* stubs.h - in the place of glibc's, which asks which of its libraries there are: none. */
