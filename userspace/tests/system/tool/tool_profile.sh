#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What kfdm profile, report, top and the counters of trace say of the demonstration: its kernels by name, the same in each form, what was
# refused by number, the load; the exit code of the command.
set -u
kfdm=$(dirname "$0")/../../../../build/native/bin/kfdm
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
holds() {	# WHAT: what Python says of the files, on standard input
	python3 - || { echo "FAILED: $1"; fail=1; }
}
demo=("$kfdm" demo -n 5000 -m 20)

expect 0 '^vector_add +1 ' "$kfdm" profile --csv /run/csv --json /run/json --svg /run/svg -- "${demo[@]}"
holds 'profile: CSV, JSON and roofline' <<'END'
import csv, json, xml.etree.ElementTree as tree
rows = list(csv.DictReader(open('/run/csv')))
kernels = json.load(open('/run/json'))['kernels']
assert {row['kernel'] for row in rows} == {'vector_add', 'saxpy', 'matrix_product'}, rows
assert [row['kernel'] for row in rows] == [kernel['name'] for kernel in kernels]
for row, kernel in zip(rows, kernels):
    assert all(int(row[name]) == value for name, value in kernel['counts'].items()), (row, kernel)
    assert kernel['counts']['valu_instructions'] and kernel['counts']['cycles'] and 0 < kernel['occupancy'] <= 1, kernel
assert [row['waves'] for row in rows if row['kernel'] == 'vector_add'] == ['79'], rows	# 5000 work-items
text = ' '.join(tree.parse('/run/svg').getroot().itertext())
assert all(name in text for name in ('roof:', 'vector_add', 'saxpy', 'matrix_product')), text
END
expect 3 'no kernel has run' "$kfdm" profile -- sh -c 'exit 3'

expect 0 '^ +AQL packets +3$' "$kfdm" report -- "${demo[@]}"
grep -q 'Times are virtual' /run/tool && grep -qA 1 '^Not in the model' /run/tool || { echo "FAILED: the report lacks a section"; fail=1; }
# Number 0x7f is nobody's ioctl.
ask='open my $kfd, "+<", "/dev/kfd" or die; my $x = "\0" x 8; ioctl($kfd, 0xc0084b7f, $x); exit 5'
expect 5 '^  \* KFD_IOC 0x7f: ' "$kfdm" report -- perl -e "$ask"

expect 4 '^GPU 0 .*wave slots \[' "$kfdm" top --delay 0.1 -- sh -c 'sleep 1; exit 4'
expect 0 'a second: .* instructions' "$kfdm" top --delay 0.1 --looks 2

expect 0 '' "$kfdm" trace -f chrome -o /run/trace -- "${demo[@]}"
holds 'trace: spans and counters' <<'END'
import json
events = json.load(open('/run/trace'))['traceEvents']
counters = {event['name'] for event in events if event['ph'] == 'C'}
assert counters == {'wave slots', 'instructions', 'memory', 'L1 hits', 'L2 hits'}, counters
assert any(event['ph'] == 'X' for event in events)
assert max(event['args']['waves'] for event in events if event['name'] == 'wave slots' and event['ph'] == 'C') > 0
END
exit $fail
