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
static inline int arg(int argc, char **argv, int i, int dflt) { return argc > i ? std::atoi(argv[i]) : dflt; }
