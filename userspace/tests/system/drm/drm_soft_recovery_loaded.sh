#!/bin/bash
# SPDX-License-Identifier: MIT
#
# drm_soft_recovery with the module parameter that it is about, and jobs that have little time.
set -u
[ "$(id -u)" = 0 ] && [ -d /sys/module/kfd_model ] || { echo "skipped: needs root and the modules"; exit 77; }

# Once more as they were; what follows on the command line outweighs /etc/modprobe.d.
load() { modprobe -r kfd_model && modprobe amdgpu_model "$@" && modprobe kfd_model || { echo "FAILED: loading with $*"; exit 1; }; }
trap 'load' EXIT
# The driver multiplies it where a CPU is emulated: by 8, with KASAN by 32.
grep -q 'QEMU TCG' /proc/cpuinfo && ms=60 || ms=300
load soft_recovery=1 lockup_timeout=$ms lockup_timeout_compute=$ms
"$(dirname "$0")/../../../../build/native/tests/system/drm_soft_recovery"
