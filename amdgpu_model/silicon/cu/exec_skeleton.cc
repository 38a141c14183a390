// SPDX-License-Identifier: MIT
/* exec_skeleton.cc - proves the execution units' rule until the first real one is here; then it goes. */
#include "../base/types.h"

namespace silicon::SILICON_VARIANT {

typedef float vfloat __attribute__((vector_size(64)));

void saxpy(vfloat *y, const vfloat *x, float a) { *y = *x * a + *y; }

} // namespace silicon::SILICON_VARIANT
