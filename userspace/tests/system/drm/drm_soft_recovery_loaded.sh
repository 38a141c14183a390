#!/bin/bash
# SPDX-License-Identifier: MIT
#
# drm_soft_recovery with the module parameter that it is about, and jobs that have little time.
set -u
[ "$(id -u)" = 0 ] && [ -d /sys/module/kfd_model ] || { echo "skipped: needs root and the modules"; exit 77; }

# Once more as they were; what follows on the command line outweighs /etc/modprobe.d.
load() { modprobe -r kfd_model && modprobe amdgpu_model "$@" && modprobe kfd_model || { echo "FAILED: loading with $*"; exit 1; }; }
trap 'load' EXIT
load soft_recovery=1 lockup_timeout=300 lockup_timeout_compute=300
"$(dirname "$0")/../../../../build/native/tests/system/drm_soft_recovery"
