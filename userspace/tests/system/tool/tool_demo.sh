#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The kfdm tool: its demonstration passes, its reports hold together, bad input gives a sentence and exit code 1.
set -u
kfdm=$(dirname "$0")/../../../../build/native/bin/kfdm
code=$(dirname "$0")/../../../../build/native/lib/kfdm
fail=0
expect() {	# CODE PATTERN COMMAND...
	"${@:3}" > /run/tool 2>&1
	local got=$?
	if [ $got != "$1" ] || { [ -n "$2" ] && ! grep -qE "$2" /run/tool; }; then
		echo "FAILED: ${*:3}: exit code $got, not $1, or no '$2' in:"
		cat /run/tool
		fail=1
	fi
}
isa=gfx906
[ -e "$code/demo.$isa.co" ] || { echo "no device code"; exit 1; }
grep -q '^gfx_target_version 90006' /sys/devices/virtual/kfd/kfd/topology/nodes/1/properties || isa=gfx900

expect 0 '^node 1: GPU' "$kfdm" info
expect 0 '^PASS: 3 kernels' "$kfdm" demo -n 5000 -m 20
expect 0 '^vector_add:' "$kfdm" kernels "$code/demo.$isa.co"
expect 0 'argument 0: 7 10 13 16' "$kfdm" dispatch "$code/test.$isa.co" ids --grid 100 --workgroup 64 buffer:400 --print 0:u32:4
expect 1 'has no kernel nothing; it has: .*ids' "$kfdm" dispatch "$code/test.$isa.co" nothing
expect 1 'still needs argument 0' "$kfdm" dispatch "$code/test.$isa.co" ids
expect 1 'needs workgroups of 16x16x1' "$kfdm" dispatch "$code/demo.$isa.co" matrix_product buffer:4 buffer:4 buffer:4 u32:1
expect 1 'not an ELF file' "$kfdm" kernels "$0"
expect 1 'cannot open' "$kfdm" kernels /nonexistent
expect 1 'no such GPU' "$kfdm" demo --gpu 9
expect 0 '^instructions +[1-9]' "$kfdm" counters
expect 0 '"event":"wave_end"' "$kfdm" trace -- "$kfdm" demo -n 1000 -m 16
expect 3 '' "$kfdm" trace -o /run/trace -- sh -c 'exit 3'
expect 0 '^PASS' "$kfdm" step -- "$kfdm" demo -n 1000 -m 16
printf 'now\nidle\nquit\n' > /run/commands
expect 0 '^cycle [0-9]+' sh -c "'$kfdm' hold < /run/commands"
exit $fail
