#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Tests of queues, memory and events that hold for both drivers, with the one that is not loaded.
set -u
[ "$(id -u)" = 0 ] && [ -d /sys/module/kfd_model ] || { echo "skipped: needs root and the modules"; exit 77; }
tests=$(dirname "$0")/../../../../build/native/tests/system
loaded=$(cat /sys/module/kfd_model/parameters/abi)
case $loaded in 6.1) other=7.2 ;; *) other=6.1 ;; esac
code=0
modprobe -r kfd_model && modprobe kfd_model abi=$other || { echo "FAILED: loading with abi=$other"; exit 1; }
trap 'modprobe -r kfd_model; modprobe kfd_model abi=$loaded' EXIT
for test in abi_arguments queue_life queue_update queue_evict_userptr memory_basic memory_dmabuf event_wait aql_many process_kill; do
	"$tests/$test"
	case $? in 0 | 77) ;; *) echo "FAILED: $test with abi=$other"; code=1 ;; esac
done
exit $code
