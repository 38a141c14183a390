#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Debian's unmodified rocminfo lists the GPU with its instruction set and compute units.
set -u
command -v rocminfo > /dev/null || { echo "skipped: rocminfo is not installed"; exit 77; }
rocminfo > /run/rocminfo 2>&1
code=$?
node=/sys/devices/virtual/kfd/kfd/topology/nodes/1/properties
version=$(awk '/^gfx_target_version / { print $2 }' $node)
isa=$(printf 'gfx%d%x%x' $((version / 10000)) $((version / 100 % 100)) $((version % 100)))
cus=$(awk '/^simd_count / { s = $2 } /^simd_per_cu / { p = $2 } END { print s / p }' $node)
if [ $code != 0 ] || ! grep -q "Name: *$isa" /run/rocminfo || ! grep -q "Compute Unit: *$cus *\$" /run/rocminfo; then
	cat /run/rocminfo
	echo "FAILED: exit code $code; looked for $isa with $cus compute units"
	exit 1
fi
grep -E "Name:|Compute Unit:" /run/rocminfo
