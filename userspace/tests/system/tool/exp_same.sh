#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Each experiment prints the same on the GPU behind /dev/kfd and on the silicon alone, also when others have run before it. What is left out
# of the comparison is the name of the GPU, which KFD calls by its chip, and the speed of the host.
set -u -o pipefail
[ "$(id -u)" = 0 ] && [ -d /sys/module/kfd_model ] || { echo "skipped: needs root and the modules"; exit 77; }
kfdm=$(dirname "$0")/../../../../build/native/bin/kfdm
parameters=/sys/module/amdgpu_model/parameters
chip=$(cut -d, -f1 < $parameters/chip) arrays=$(sed -n 's/^array_count //p' /sys/class/kfd/kfd/topology/nodes/1/properties)
cus=$(cat $parameters/cus) code=0 same=()

run() { "$kfdm" exp "$@" --short 2>&1 | sed -E '/kernels in .* waves\/s$/d; s/ on [a-z0-9_]+, / on GPU, /'; }
while read -r -a experiment; do
	if run "${experiment[@]}" > /run/kernel && run "${experiment[@]}" --chip "$chip" --cus $((cus / arrays)) > /run/alone &&
		cmp -s /run/kernel /run/alone; then
		same+=("${experiment[*]}")
	else
		echo "FAILED: ${experiment[*]}"
		diff /run/kernel /run/alone | head -n 12
		code=1
	fi
done <<'END'
rtns --part masks
rtns --part cut-ahead
masks
deadlines --part compute
deadlines --part sdma
occupancy
priority
latency --part matrix
latency --part oversubscribed
cu_latency
oversub
launch
streams
progress
gemv
END
printf 'the same: %s\n' "${same[@]}"
exit $code
