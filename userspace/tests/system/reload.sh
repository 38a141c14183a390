#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Loads and unloads both modules again and again, by modprobe and by plain insmod in turn, and asks that nothing stays behind:
# no memory (MemAvailable within 2 MiB of the start after some warm-up), no node, no line of the kernel log that reports a
# mistake (the runner reads it). 12 cycles; 1,000 with KFDM_SOAK=1.
set -u
cycles=12
[ -z "${KFDM_SOAK:-}" ] || cycles=1000
warm=4	# slab and per-CPU caches fill in the first rounds
folder=/lib/modules/$(uname -r)/updates

available() {
	sync
	echo 3 > /proc/sys/vm/drop_caches
	sleep 0.2
	awk '/^MemAvailable:/ {print $2}' /proc/meminfo
}
parameters() { sed -n "s/^options $1 //p" /etc/modprobe.d/kfd_model.conf 2>/dev/null | tr '\n' ' '; }
fail() { echo "cycle $i: $*"; modprobe kfd_model; exit 1; }

i=0
modprobe -r kfd_model || fail "the modules do not unload"
first=
for i in $(seq $cycles); do
	if [ $((i % 2)) = 1 ]; then
		modprobe kfd_model || fail "modprobe"
	else
		# What modprobe did stays loaded (drm and its helpers), so insmod finds every symbol.
		insmod "$folder/amdgpu_model.ko" $(parameters amdgpu_model) || fail "insmod amdgpu_model"
		insmod "$folder/kfd_model.ko" $(parameters kfd_model) || fail "insmod kfd_model"
	fi
	[ -c /dev/kfd ] || fail "no /dev/kfd"
	if [ $((i % 2)) = 1 ]; then
		# Only these two: modprobe -r would take drm's helpers along.
		rmmod kfd_model amdgpu_model || fail "rmmod"
	else
		modprobe -r kfd_model || fail "modprobe -r"
	fi
	[ ! -e /dev/kfd ] || fail "/dev/kfd stays after the modules have gone"
	[ ! -e /sys/devices/virtual/kfd ] || fail "the topology stays after the modules have gone"
	if [ $i = $warm ]; then first=$(available); fi
done
last=$(available)
modprobe kfd_model || fail "modprobe"
lost=$((first - last))
echo "$((cycles - warm)) cycles: MemAvailable $first kB before, $last kB after, $lost kB less"
# KASAN's quarantine keeps freed memory: on the debug kernel kmemleak judges, after the run.
[ -e /sys/kernel/debug/kmemleak ] || [ $lost -le 2048 ] || { echo "more than 2 MiB lost"; exit 1; }
