#!/bin/bash
# SPDX-License-Identifier: MIT
#
# libdrm's own programs: drmdevice and amdgpu_stress as Debian ships them, amdgpu_test as qemu/libdrm-tests builds it from
# Debian's source package. Which of its tests pass is a list.
set -u
top=$(cd "$(dirname "$0")/../../../.." && pwd)
program=$top/build/libdrm/amdgpu_test
code=0
fail() { echo "$*"; code=1; }

drmdevice > /run/drmdevice 2>&1 || fail "drmdevice: $?"
grep -q "vendor_id  *1002\|1002:66af\|vendor_id.*0x1002\|1002" /run/drmdevice || { cat /run/drmdevice; fail "drmdevice does not show the GPU"; }
amdgpu_stress -b v 1m -b g 1m -c 1 2 1m 4 || fail "amdgpu_stress: $?"

[ -x "$program" ] || { echo "amdgpu_test is not built: qemu/libdrm-tests"; [ $code != 0 ] || exit 77; exit $code; }

# Rows: suite, test (-: all of the suite), more options. -r: by the render node; -f: a test that the program would leave out. What is
# not here:
#   Basic 12 (Draw), Deadlock 10, 11: there is no graphics pipeline
#   Deadlock 13: an indirect buffer of 1835008 dwords, which Linux 6.1 refuses as well (EINVAL)
#   CS, VCE, VCN, JPEG, UVD ENC: no video engines; Security: no TMZ; RAS: no RAS
wanted() {
	cat <<'END'
1 1 -r
1 2 -r
1 4 -r
1 5 -r
1 6 -r
1 7 -r
1 8 -r
1 10 -r
1 11 -r
1 14 -r
2 - -r
9 - -r
11 - -r
13 - -r
14 - -r
1 13 -f
8 1 -f
8 2 -f
8 3 -f
8 4 -f
8 5 -f
8 6 -f
8 7 -f
8 8 -f
END
	# Sync dependency: 10 million rounds of a loop, three quarters of a minute where a CPU is emulated
	grep -q 'QEMU TCG' /proc/cpuinfo || echo 1 9 -r
	# What ends by its job's time, where that is short
	[ "$(cat /sys/module/amdgpu_model/parameters/lockup_timeout)" -gt 1000 ] || printf '8 9 -f\n8 12 -f\n'
	# bo eviction takes all of VRAM and as much of GTT (libdrm's max_allocation of both): a VM with a small VRAM
	[ "$(pages amdgpu_vram_mm)" -gt "$(pages amdgpu_gtt_mm)" ] || echo 1 3 -f
}
# The GPU's number is another one once it was unplugged and plugged in again.
pages() { sed -n 's/^man size:\([0-9]*\) pages.*/\1/p' /sys/kernel/debug/dri/[0-9]*/"$1" | sed q; }

# It tells failures in its text only.
run_suite() { timeout 600 "$program" "$@" > /run/amdgpu_test 2>&1 < /dev/null; }

while read -r suite test options; do
	[ "$test" = - ] && test=
	# shellcheck disable=SC2086
	run_suite $options -s "$suite" ${test:+-t "$test"}
	# Hot unplug: a thread of the program that submits writes through a null pointer when the GPU goes before it has got its buffer.
	if [ $? = 139 ] && [ "$suite" = 13 ]; then
		echo 1 > /sys/bus/pci/rescan
		run_suite "$options" -s "$suite"
	fi
	result=$(awk '$1 == "tests" { print $3 "/" $4 "/" $5 }' /run/amdgpu_test)	# ran/passed/failed
	case $result in
	[1-9]*/[1-9]*/0) echo "suite $suite ${test:+test $test }ok ($result)" ;;
	*) tail -n 25 /run/amdgpu_test; fail "suite $suite ${test:+test $test }failed ($result)" ;;
	esac
done < <(wanted)
exit $code
