#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The GPU is reset, and unplugged (sysfs), while waves wait for their pages (svm_fault_storm): neither waits for them, the kernel says
# nothing, and afterwards the same work is done.
set -u
storm=$(dirname "$0")/../../../../build/native/tests/system/svm_fault_storm
"$storm" > /run/storm 2>&1; code=$?
[ $code != 77 ] || { cat /run/storm; exit 77; }
fail=0
check() { "${@:2}" || { echo "FAILED: $1"; fail=1; }; }
eventually() { local try; for ((try = 0; try < 1500; try++)); do "$@" && return; sleep 0.1; done; return 1; }
faults() { cat /sys/class/kfd/kfd/proc/*/counters_*/faults 2>/dev/null | sort -n | tail -1; }
faulting() { local n; n=$(faults); [ "${n:-0}" -gt 100 ]; }
gpu_is_there() { compgen -G "/sys/bus/pci/devices/$slot/drm/renderD*" > /run/new_node; }
none() { [ -z "$(ls /sys/class/kfd/kfd/proc)" ]; }
start() { KFDM_SOAK=1 setsid "$storm" > /run/storm 2>&1 & runner=$!; check "waves wait" eventually faulting; }
finish() { kill -KILL -- -$runner; wait $runner 2> /run/killed; check "its processes are gone" eventually none; }

check "pages come" [ $code = 0 ]
mountpoint -q /sys/kernel/debug || mount -t debugfs debugfs /sys/kernel/debug
node=$(basename /dev/dri/renderD*)
slot=$(basename "$(readlink -f "/sys/class/drm/$node/device")")
start
check "a reset" [ "$(cat "/sys/kernel/debug/dri/$((${node#renderD} - 128))/amdgpu_gpu_recover")" = 0 ]
finish
check "pages come after a reset" "$storm"
start
echo 1 > "/sys/bus/pci/devices/$slot/remove"
check "the function is gone" [ ! -e "/sys/bus/pci/devices/$slot" ]
finish
echo 1 > /sys/bus/pci/rescan
# Its node may have another number: who was killed may still hold the old one for a moment after its KFD process has gone.
check "the GPU is back" eventually gpu_is_there
check "pages come from a new GPU" "$storm"
exit $fail
