#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The GPU is unplugged (sysfs) while one process runs an endless kernel on it and others hold its render node, or a /dev/kfd that
# was opened by a program which is gone: the first is killed, as there is no GPU to run it, the others may keep their files. It
# does not take long. Plugged in again, the GPU works, and both modules go.
set -u
native=$(dirname "$0")/../../../build/native
code=$native/lib/kfdm/test.gfx906.co
[ "$(cat /sys/class/kfd/kfd/topology/nodes/1/name)" = vega20 ] || { echo "skipped: the device code is for gfx906"; exit 77; }
fail=0
check() { "${@:2}" || { echo "FAILED: $1"; fail=1; }; }
not() { ! "$@"; }
trap 'kill $runner $holder $after_exec $heir 2>/dev/null; wait; modprobe -r kfd_model; modprobe kfd_model' EXIT

node=$(basename /dev/dri/renderD*)
slot=$(basename "$(readlink -f "/sys/class/drm/$node/device")")
"$native/bin/kfdm" dispatch "$code" endless --grid 640 > /run/runner 2>&1 & runner=$!
sleep 300 6<> "/dev/dri/$node" & holder=$!
(exec 7<> /dev/kfd; exec sleep 301) & after_exec=$!
(exec 7<> /dev/kfd; sleep 302 & echo $! > /run/heir; exit 0)
heir=$(cat /run/heir)
sleep 2
check "the kernel runs" kill -0 $runner

begin=$SECONDS
echo 1 > "/sys/bus/pci/devices/$slot/remove"
check "nobody was waited for" [ $((SECONDS - begin)) -lt 20 ]
check "the function is gone" [ ! -e "/sys/bus/pci/devices/$slot" ]
check "its node is gone" [ ! -e "/dev/dri/$node" ]
check "KFD has no GPU" [ ! -e /sys/class/kfd/kfd/topology/nodes/1 ]
wait $runner
check "its user was killed" [ $? = 137 ]
check "the other processes live" kill -0 $holder $after_exec $heir
check "no GPU is found" not "$native/bin/kfdm" demo > /dev/null 2>&1

echo 1 > /sys/bus/pci/rescan
check "the GPU is back" [ -e /sys/class/kfd/kfd/topology/nodes/1 ]
check "it works beside the old file" "$native/bin/kfdm" demo -n 1000 -m 16
kill $holder $after_exec $heir
wait $holder $after_exec
check "it works afterwards" "$native/bin/kfdm" demo -n 1000 -m 16
check "kfd_model goes" rmmod kfd_model
check "amdgpu_model goes" rmmod amdgpu_model
exit $fail
