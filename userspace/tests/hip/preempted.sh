#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Real programs, which check their results, while every 100 instructions of the chip all queues are preempted: waves to the save areas
# and back, on other CUs and in other queue slots. With KFDM_SOAK=1 more of them.
set -u
build=$(dirname "$0")/../../../build/native
every=100
programs="reduce scratch atomics math"
[ -z "${KFDM_SOAK:-}" ] || programs+=" vadd copy copies streams grid managed matmul module printf primitives random concurrency openmp_clang"

disarm() { "$build/bin/kfdm" mode preempt 0; }
saved() { "$build/bin/kfdm" counters | awk '$1 == "saved_waves" {print $2}'; }
trap disarm EXIT

for program in $programs; do
	for run in "$build/examples/hip/$program" "$build/tests/hip/$program" "$(dirname "$0")/$program.sh"; do [ ! -x "$run" ] || break; done
	before=$(saved)
	"$build/bin/kfdm" mode preempt $every || exit 1
	SECONDS=0
	"$run"
	result=$?
	disarm
	waves=$(($(saved) - before))
	echo "$program, preempted every $every instructions: exit $result, $waves waves saved, $SECONDS s"
	[ $result = 0 ] && [ $waves -gt 0 ] || exit 1
done
