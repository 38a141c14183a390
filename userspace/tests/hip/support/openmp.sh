# SPDX-License-Identifier: MIT
#
# openmp_program COMPILER: sets $program to the OpenMP example as that compiler makes it for this GPU; skips the test if it cannot.
openmp_program() {
	local version isa

	version=$(sed -n 's/^gfx_target_version //p' /sys/devices/virtual/kfd/kfd/topology/nodes/1/properties)
	printf -v isa 'gfx%d%x%x' $((version / 10000)) $((version / 100 % 100)) $((version % 100))
	program=$(dirname "$0")/../../../build/native/examples/openmp/saxpy_$1_$isa
	[ -x "$program" ] || { echo "skipped: there is no ${program##*/}: Documentation/rocm.md says which $1 can make"; exit 77; }
}
