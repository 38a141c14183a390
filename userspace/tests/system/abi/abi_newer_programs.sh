#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The driver of Linux 7.2: its own tests, and tests of queues, memory and events that hold for both.
set -u
[ "$(id -u)" = 0 ] && [ -d /sys/module/kfd_model ] || { echo "skipped: needs root and the modules"; exit 77; }
tests=$(dirname "$0")/../../../../build/native/tests/system
code=0
modprobe -r kfd_model && modprobe kfd_model abi=7.2 || { echo "FAILED: loading with abi=7.2"; exit 1; }
trap 'modprobe -r kfd_model; modprobe kfd_model' EXIT
for test in abi_newer memory_export queue_life queue_update queue_evict_userptr memory_basic memory_dmabuf event_wait aql_many process_kill; do
	"$tests/$test"
	case $? in 0 | 77) ;; *) echo "FAILED: $test with abi=7.2"; code=1 ;; esac
done
exit $code
