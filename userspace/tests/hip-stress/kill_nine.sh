#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Kills HIP programs by SIGKILL at random moments of their lives, two at a time. Whatever they were doing, no process, queue or
# memory of theirs may stay with the driver, and the next program passes.
#
#	kill_nine.sh [TIMES [SEED]]	(default 20, with KFDM_SOAK=1 500)
set -u
times=${1:-$([ "${KFDM_SOAK:-}" = 1 ] && echo 500 || echo 20)}
RANDOM=${2:-1}
build=$(cd "$(dirname "$0")/../../../build/native" && pwd)
programs=("$build"/tests/hip/{vadd,copy,streams} "$build"/examples/hip/{atomics,reduce,scratch})

# How long the shortest of them lives on this host, undisturbed: the better of two.
longest_ms=
for try in 1 2; do
	begin=$EPOCHREALTIME
	"${programs[0]}" || exit 1
	took=$(((${EPOCHREALTIME/./} - ${begin/./}) / 1000))
	[ $took -gt "${longest_ms:-$took}" ] || longest_ms=$took
done

held() { "$build/bin/kfdm" counters | grep -E 'bytes|pages'; }
nobody() {
	[ -z "$(ls /sys/devices/virtual/kfd/kfd/proc)" ] && ! grep -q 'queue on device' /sys/kernel/debug/kfd/mqds && [ "$(held)" = "$before" ]
}
killed_after() {	# MS PROGRAM: true if it was still alive
	"$2" > /dev/null 2>&1 &
	sleep "$(($1 / 1000)).$(printf %03d $(($1 % 1000)))"
	kill -KILL $! 2> /dev/null
	wait $! 2> /dev/null
	[ $? = 137 ]
}

# A process that has ended or been killed lets go a moment later.
let_go() { local try; for try in {1..600}; do nobody && return; sleep 0.1; done; nobody; }

for try in {1..600}; do [ "$(cat /sys/module/{kfd,amdgpu}_model/refcnt | xargs)" != "0 1" ] || break; sleep 0.1; done
before=$(held)
alive=0
for ((i = 0; i < times; i += 2)); do
	pids=()
	for side in 0 1; do
		killed_after $((RANDOM % longest_ms)) "${programs[RANDOM % ${#programs[@]}]}" & pids+=($!)
	done
	for pid in "${pids[@]}"; do wait "$pid" && alive=$((alive + 1)); done
	let_go || {
		echo "after $((i + 2)) programs something stays:"
		ls /sys/devices/virtual/kfd/kfd/proc
		cat /sys/kernel/debug/kfd/mqds
		diff <(echo "$before") <(held)
		exit 1
	}
done
echo "$times programs started, killed in their first $longest_ms ms, $alive of them alive"
[ $alive -ge $((times / 4)) ] || { echo "too few were alive when the signal came"; exit 1; }
"${programs[0]}"
