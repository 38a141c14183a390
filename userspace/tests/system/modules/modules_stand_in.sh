#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The module called amdgpu, which only has the name: what programs read of it is what the model's driver does, and it stands in nobody's
# way, neither in that of the driver, which comes and goes beside it, nor in that of the real amdgpu.
set -u
[ "$(id -u)" = 0 ] && [ -d /sys/module/kfd_model ] || { echo "skipped: needs root and the modules"; exit 77; }
fail=0
check() { "${@:2}" || { echo "FAILED: $1"; fail=1; }; }
not() { ! "$@" 2> /dev/null; }
says() { [ "$(cat "/sys/module/amdgpu/$1")" = "$2" ]; }
load() { modprobe -r kfd_model; modprobe amdgpu_model "$@" && modprobe kfd_model || { echo "FAILED: loading with $*"; exit 1; }; }
trap load EXIT
file=/lib/modules/$(uname -r)/stand_in/amdgpu.ko

check "it is there" says initstate live
check "it says whose name it has not" says parameters/stands_in_for amdgpu_model
check "its description says what it is" grep -q 'the driver is amdgpu_model' <(modinfo -F description "$file")
check "it takes no device" [ -z "$(modinfo -F alias "$file")" ]
check "it drives nothing" [ ! -e /sys/bus/pci/drivers/amdgpu ]
check "modprobe does not find it" not grep -q stand_in <(modinfo -n amdgpu 2>&1)
check "amdgpu_model's value" says parameters/cwsr_enable "$(cat /sys/module/amdgpu_model/parameters/cwsr_enable)"
check "the driver can go" not grep -qw amdgpu <(ls /sys/module/amdgpu_model/holders)
load cwsr_enable=0
check "another value of amdgpu_model" says parameters/cwsr_enable 0
modprobe -r kfd_model
check "no value without amdgpu_model" not cat /sys/module/amdgpu/parameters/cwsr_enable
check "it can go" rmmod amdgpu
load
check "and come again" insmod "$file"
exit $fail
