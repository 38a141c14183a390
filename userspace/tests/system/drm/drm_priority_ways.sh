#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A compute job of a context above normal, on a GPU with 4 CUs that is full of others' work: with the hardware's priorities, static
# or dynamic, it takes at most 1.1 times what it takes on an idle GPU (median and 99 %); without them it waits (high_priority).
set -u
[ "$(id -u)" = 0 ] && [ -d /sys/module/kfd_model ] || { echo "skipped: needs root and the modules"; exit 77; }
kfdm=$(dirname "$0")/../../../../build/native/bin/kfdm
code=0

# Once more as they were; what follows on the command line outweighs /etc/modprobe.d.
load() { modprobe -r kfd_model && modprobe amdgpu_model "$@" && modprobe kfd_model || { echo "FAILED: loading with $*"; exit 1; }; }
trap 'load' EXIT
for way in static dynamic off; do
	load gpus=1 chip=radeon_vii cus=4 high_priority=$way
	"$kfdm" exp ring-priority --short || { echo "FAILED: $way"; code=1; }
done
exit $code
