#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every experiment of `kfdm exp` through the device nodes, in its short form: it ends well, with a result and pictures. Without the firmware's
# scheduler more queues than slots are refused, which the tables say.
set -u
kfdm=$(dirname "$0")/../../../../build/native/bin/kfdm
policy=$(cat /sys/module/amdgpu_model/parameters/sched_policy)
fail=0
complain() { echo "FAILED: $*:"; cat /run/exp; fail=1; }

tables=
run() {	# PATTERN EXPERIMENT ARGUMENTS...
	rm -f /run/exp.json /run/exp*.svg
	if ! timeout 300 "$kfdm" exp "${@:2}" --short --json /run/exp.json --svg /run/exp.svg > /run/exp 2>&1; then
		complain "exp ${*:2} ended with an error"
	elif ! grep -qE "$1" /run/exp; then
		complain "exp ${*:2}: no '$1'"
	elif ! grep -q '"chip":' /run/exp.json; then
		complain "exp ${*:2}: no JSON"
	elif [ -z "$tables" ] && ! tail -qc 8 /run/exp*.svg | grep -q '</svg>'; then
		complain "exp ${*:2}: no picture"
	else
		echo "    exp ${*:2}: $SECONDS s"
	fi
	SECONDS=0
}

if [ "$policy" = 2 ]; then
	run '^ +32 are refused' oversub
	tables=yes run '^Not over-subscribed' latency --part oversubscribed
else
	run . rtns --part masks
	run . rtns --part cut-ahead	# the pairs take minutes here
	run '^ +[0-9]+ chosen' masks
	run '^compute, static +6 +0 ' deadlines --part compute
	run '^SDMA, an engine of its own +6 +0 ' deadlines --part sdma
	run . occupancy
	run . priority
	run . latency --part matrix
	run '^flags in one line' cu_latency
	tables=yes run 'over-subscribed\)' latency --part oversubscribed
	run '^ +32 +4 .* [1-9][0-9]*$' oversub
	run '^1 +again +[0-9]+' launch
	run '^ +5 +8\.' streams
	run '^one CU +200 +yes +no' progress
	run . ring-priority
fi

refuse() {	# PATTERN ARGUMENTS...
	"$kfdm" exp "${@:2}" > /run/exp 2>&1 && complain "exp ${*:2} did not fail"
	grep -qE "$1" /run/exp || complain "exp ${*:2}: no '$1'"
}

refuse 'no such GPU' oversub --gpu 9
refuse 'nonsense not in' rtns --part nonsense
mkfifo /run/hold
"$kfdm" hold < /run/hold > /dev/null &
exec 3> /run/hold
sleep 2
refuse 'one program at a time' occupancy --short
echo quit >&3
wait
exit $fail
