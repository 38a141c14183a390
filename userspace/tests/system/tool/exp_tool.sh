#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every experiment of `kfdm exp` through the device nodes, in its short form: it ends well, with a result and pictures, and prints the same on
# the silicon alone, also when others have run before it. What is left out of the comparison is the name of the GPU, which KFD calls by its
# chip, and the speed of the host. Without the firmware's scheduler more queues than slots are refused, which the tables say.
set -u
kfdm=$(dirname "$0")/../../../../build/native/bin/kfdm
parameters=/sys/module/amdgpu_model/parameters
policy=$(cat $parameters/sched_policy) chip=$(cut -d, -f1 < $parameters/chip)
cus=$(($(cat $parameters/cus) / $(sed -n 's/^array_count //p' /sys/class/kfd/kfd/topology/nodes/1/properties)))
fail=0
complain() { echo "FAILED: $*:"; cat /run/exp; fail=1; }
comparable() { sed -E '/kernels in .* waves\/s$/d; s/ on [a-z0-9_]+, / on GPU, /' "$1"; }

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
both() {	# the same, and alone
	run "$@"
	if ! "$kfdm" exp "${@:2}" --short --chip "$chip" --cus "$cus" > /run/alone 2>&1 ||
		! diff <(comparable /run/exp) <(comparable /run/alone) > /run/difference; then
		head -n 12 /run/difference > /run/exp
		complain "exp ${*:2} is another one alone"
	fi
}

if [ "$policy" = 2 ]; then
	run '^ +32 are refused' oversub
	tables=yes run '^Not over-subscribed' latency --part oversubscribed
else
	both . rtns --part masks
	both . rtns --part cut-ahead	# the pairs take minutes here
	both '^ +[0-9]+ chosen' masks
	both '^compute, static +6 +0 ' deadlines --part compute
	both '^SDMA, an engine of its own +6 +0 ' deadlines --part sdma
	both . occupancy
	both . priority
	both . latency --part matrix
	both '^flags in one line' cu_latency
	tables=yes both 'over-subscribed\)' latency --part oversubscribed
	both '^ +32 +4 .* [1-9][0-9]*$' oversub
	both '^1 +again +[0-9]+' launch
	both '^ +5 +8\.' streams
	both '^one CU +200 +yes +no' progress
	both . gemv
	run . ring-priority	# of the kernel's rings
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
