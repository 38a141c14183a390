#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The GPU is unplugged (sysfs) while one process runs an endless kernel on it and others hold its render node, or a /dev/kfd that
# was opened by a program which is gone: the first is killed, as there is no GPU to run it, the others may keep their files. It
# does not take long. Plugged in again, the GPU works, and both modules go.
set -u
native=$(dirname "$0")/../../../../build/native
code=$native/lib/kfdm/test.gfx906.co
[ "$(cat /sys/class/kfd/kfd/topology/nodes/1/name)" = vega20 ] || { echo "skipped: the device code is for gfx906"; exit 77; }
fail=0
check() { "${@:2}" || { echo "FAILED: $1"; fail=1; }; }
not() { ! "$@"; }
eventually() { local try; for ((try = 0; try < 1500; try++)); do "$@" && return; sleep 0.2; done; return 1; }	# five minutes or more
runs() { [ "$(cat "/proc/$2/comm")" = "$1" ]; }	# PROGRAM PID
waves() { "$native/bin/kfdm" counters | awk '$1 == "waves" { print $2 }'; }
more_waves() { [ "$(waves)" -gt "$before" ]; }
milliseconds() { echo $((${EPOCHREALTIME/./} / 1000)); }
trap 'kill $runner $holder $after_exec $heir 2>/dev/null; wait; modprobe -r kfd_model; modprobe kfd_model' EXIT

node=$(basename /dev/dri/renderD*)
slot=$(basename "$(readlink -f "/sys/class/drm/$node/device")")
before=$(waves)
"$native/bin/kfdm" dispatch "$code" endless --grid 640 > /run/runner 2>&1 & runner=$!
sleep infinity 6<> "/dev/dri/$node" & holder=$!
(exec 7<> /dev/kfd; exec sleep infinity) & after_exec=$!
(exec 7<> /dev/kfd; sleep infinity & echo $! > /run/heir; exit 0)
heir=$(cat /run/heir)
for pid in $holder $after_exec $heir; do check "a process has its file" eventually runs sleep $pid; done
check "the kernel runs" eventually more_waves

begin=$(milliseconds)
echo 1 > "/sys/bus/pci/devices/$slot/remove"
took=$(($(milliseconds) - begin))
check "the function is gone" [ ! -e "/sys/bus/pci/devices/$slot" ]
check "its node is gone" [ ! -e "/dev/dri/$node" ]
check "KFD has no GPU" [ ! -e /sys/class/kfd/kfd/topology/nodes/1 ]
wait $runner
check "its user was killed" [ $? = 137 ]
check "the other processes live" kill -0 $holder $after_exec $heir
check "no GPU is found" not "$native/bin/kfdm" demo > /dev/null 2>&1

begin=$(milliseconds)
echo 1 > /sys/bus/pci/rescan
plugging=$(($(milliseconds) - begin))
# The driver gives users that do not end a minute. A slow host is one that takes long to plug in.
check "nobody was waited for ($took ms; plugging in $plugging ms)" [ $took -lt $((plugging < 2000 ? 20000 : 10 * plugging)) ]
check "the GPU is back" [ -e /sys/class/kfd/kfd/topology/nodes/1 ]
check "it works beside the old file" "$native/bin/kfdm" demo -n 1000 -m 16
kill $holder $after_exec $heir
wait $holder $after_exec
check "it works afterwards" "$native/bin/kfdm" demo -n 1000 -m 16
# Who has ended lets go a moment later.
goes() { rmmod "$1" 2> /run/rmmod; }
check "kfd_model goes" eventually goes kfd_model
check "amdgpu_model goes" eventually goes amdgpu_model
exit $fail
