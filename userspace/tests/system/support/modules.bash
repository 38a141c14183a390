# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# For tests that load the modules with other parameters: needs the modules, and loads them at the end as they were.
[ "$(id -u)" = 0 ] && [ -d /sys/module/kfd_model ] || { echo "skipped: needs root and the modules"; exit 77; }
trap 'load' EXIT

# What follows on the command line outweighs /etc/modprobe.d.
load() { modprobe -r kfd_model && modprobe amdgpu_model "$@" && modprobe kfd_model || { echo "FAILED: loading with $*"; exit 1; }; }

# A CPU that QEMU emulates: the driver multiplies a job's time by 8 there, with KASAN by 32.
emulated() { grep -q 'QEMU TCG' /proc/cpuinfo; }
