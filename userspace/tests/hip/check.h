// SPDX-License-Identifier: MIT
#pragma once
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cmath>
#include <vector>
#define HIP_CHECK(x) do { hipError_t e_ = (x); if (e_ != hipSuccess) { \
  std::fprintf(stderr, "%s:%d: %s -> %d (%s)\n", __FILE__, __LINE__, #x, (int)e_, hipGetErrorString(e_)); \
  std::exit(1); } } while (0)
static inline int done(const char *name, long bad) {
  std::printf("%s: %s (%ld bad)\n", name, bad ? "FAILED" : "PASSED", bad);
  return bad ? 1 : 0;
}
// Mask of the unit that a stream can have to itself: a CU, a work-group processor (two CUs) since GFX10; Linux refuses half of one.
static inline std::vector<uint32_t> unit_mask(const hipDeviceProp_t &p, unsigned unit) {
  const unsigned width = p.major >= 10 ? 2 : 1, bit = unit * width;
  std::vector<uint32_t> mask(bit / 32 + 1);
  mask.back() = ((1u << width) - 1) << bit % 32;
  return mask;
}
static inline int arg(int argc, char **argv, int i, int dflt) { return argc > i ? std::atoi(argv[i]) : dflt; }
