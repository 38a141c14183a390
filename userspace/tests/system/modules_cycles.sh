#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Loads, uses and unloads both modules again and again, by modprobe and by plain insmod in turn. Nothing may stay behind: no
# node, no line of the kernel log that reports a mistake (the runner reads it), and afterwards as much memory is available as
# before, within 2 MiB.
#
#	modules_cycles.sh [CYCLES]	(default 10, on the debug kernel 4, with KFDM_SOAK=1 1000)
#
# The first cycles fill caches that the kernel keeps (slabs, page tables of the module area), so they do not count.
set -u
[ "$(id -u)" = 0 ] && [ -d /sys/module/kfd_model ] || { echo "skipped: needs root and the modules"; exit 77; }
short=10
[ ! -e /sys/kernel/debug/kmemleak ] || short=4	# where a cycle takes six seconds
cycles=${1:-$([ "${KFDM_SOAK:-}" = 1 ] && echo 1000 || echo $short)}
warm=2
tool=$(dirname "$0")/../../../build/native/bin/kfdm
folder=/lib/modules/$(uname -r)/updates

# MemAvailable, without what only looks used: page cache, empty slabs, KASAN's quarantine (it keeps freed objects from reuse;
# shrinking a slab cache takes its objects out), and the free pages on each CPU's own list (up to 18 MiB a CPU), which the
# kernel does not count.
available() {
	local cache round
	sync
	echo 3 > /proc/sys/vm/drop_caches
	for round in 1 2; do
		for cache in /sys/kernel/slab/*/shrink; do echo 1 > "$cache"; done 2>/dev/null
		sleep 0.5
	done
	awk '/^MemAvailable:/ {kib = $2} $1 == "count:" {kib += 4 * $2} END {print kib}' /proc/meminfo /proc/zoneinfo
}
parameters() { sed -n "s/^options $1 //p" /etc/modprobe.d/kfd_model.conf 2>/dev/null | tr '\n' ' '; }
fail() { echo "cycle $i: $*"; modprobe kfd_model; exit 1; }
load() {
	if [ $((i % 2)) = 0 ]; then
		modprobe kfd_model || fail "modprobe"
	else
		# What modprobe did stays loaded (drm and its helpers), so insmod finds every symbol.
		insmod "$folder/amdgpu_model.ko" $(parameters amdgpu_model) || fail "insmod amdgpu_model"
		insmod "$folder/kfd_model.ko" $(parameters kfd_model) || fail "insmod kfd_model"
	fi
	[ -c /dev/kfd ] || fail "no /dev/kfd"
}
# Somebody may still be letting go (work that ends a process): five seconds, as the specification says.
unload() {
	local try
	for try in {1..25}; do
		# modprobe -r would take drm's helpers along, which insmod needs.
		[ ! -d /sys/module/kfd_model ] || rmmod kfd_model 2>/dev/null
		rmmod amdgpu_model 2>/dev/null && break
		sleep 0.2
	done
	[ ! -d /sys/module/amdgpu_model ] || fail "the modules do not unload"
	[ ! -e /dev/kfd ] || fail "/dev/kfd stays after the modules have gone"
	[ ! -e /sys/devices/virtual/kfd ] || fail "the topology stays after the modules have gone"
}
cycle() {
	load
	# Every fifth time the GPU is used in between.
	[ $((i % 5)) != 0 ] || "$tool" demo -n 1000 -m 16 > /run/cycle 2>&1 || { cat /run/cycle; fail "the demonstration"; }
	unload
}

i=0
unload
for ((i = 1; i <= warm; i++)); do cycle; done
before=$(available)
for ((i = warm + 1; i <= warm + cycles; i++)); do cycle; done
after=$(available)
modprobe kfd_model || fail "modprobe"
lost=$((before - after))
echo "$cycles cycles: MemAvailable $before kB before, $after kB after, $lost kB less"
if [ "$lost" -gt 2048 ]; then
	echo "FAILED: more than 2 MiB are gone"
	exit 1
fi
