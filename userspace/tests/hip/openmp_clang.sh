#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The OpenMP example as clang-15 compiles it: it has to say PASS. What happens behind main() is not judged: the plugin of LLVM 15.0.6,
# which opens the ROCm runtime by dlopen(), calls it from an exit handler when the runtime's own destructors have run, and crashes
# (llvm/llvm-project issues 56856 and 57124).
set -u
. "$(dirname "$0")/support/openmp.sh"
openmp_program clang
stdbuf -oL "$program" > /run/openmp_clang
code=$?
cat /run/openmp_clang
[ $code = 0 ] || [ $code = 139 ] || { echo "exit code $code"; exit 1; }
grep -qx 'saxpy: PASS (0 wrong)' /run/openmp_clang
