#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What the model itself costs a HIP program: CPU time of its thread, of all the time that a small program takes; and while a program
# has everything open and does nothing, less than 10 ms in four seconds.
set -u
build=$(dirname "$0")/../../../build/native
log=/run/hip_cost
model_us() { echo $(($("$build/bin/kfdm" counters | awk '$1 == "worker_ns" {print $2}') / 1000)); }
now_us() { echo "${EPOCHREALTIME/./}"; }

from=$(now_us) model=$(model_us)
"$build/tests/hip/vadd" || exit 1
echo "vadd: $((($(now_us) - from) / 1000)) ms, of which the model $((($(model_us) - model) / 1000)) ms of CPU time"

"$build/tests/hip/idle" 8 > $log &
until grep -q idle $log; do
	kill -0 $! || { cat $log; exit 1; }
	sleep 0.1
done
sleep 1
model=$(model_us)
sleep 4
used=$(($(model_us) - model))
wait $! || { cat $log; exit 1; }
echo "idle: the model used $used us of CPU time in 4 s"
[ $used -lt 10000 ]
