#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Loads, uses and unloads both modules again and again; afterwards as much memory is available as before, within 2 MiB.
#
#	modules_cycles.sh [CYCLES]	(default 10, with KFDM_SOAK=1 1000)
#
# The first cycles fill caches that the kernel keeps (slabs, page tables of the module area), so they do not count.
set -u
[ "$(id -u)" = 0 ] && [ -d /sys/module/kfd_model ] || { echo "skipped: needs root and the modules"; exit 77; }
cycles=${1:-$([ "${KFDM_SOAK:-}" = 1 ] && echo 1000 || echo 10)}
work=$(dirname "$0")/../../../build/native/bin/kfdm

available() {
	sync
	echo 3 > /proc/sys/vm/drop_caches
	sleep 0.5
	awk '/^MemAvailable/ { print $2 }' /proc/meminfo
}
unload() {
	modprobe -r kfd_model amdgpu_model 2>/dev/null
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ -d /sys/module/amdgpu_model ] || break
		sleep 0.2
		modprobe -r kfd_model amdgpu_model 2>/dev/null
	done
	[ ! -d /sys/module/amdgpu_model ] || { echo "cycle $1: the modules do not unload"; exit 1; }
}
cycle() {
	unload "$1"
	modprobe kfd_model || { echo "cycle $1: the modules do not load"; exit 1; }
	[ -e /dev/kfd ] || { echo "cycle $1: no /dev/kfd"; exit 1; }
	# Every tenth time the GPU is used in between.
	[ $(($1 % 10)) != 0 ] || "$work" demo -n 1000 -m 16 > /run/cycle 2>&1 || { cat /run/cycle; exit 1; }
}

for ((i = 0; i < 5; i++)); do cycle "$i"; done
# Both measurements without the modules: what a loaded GPU holds for its last user is no loss.
unload before
before=$(available)
for ((i = 1; i <= cycles; i++)); do cycle "$i"; done
unload after
after=$(available)
modprobe kfd_model
lost=$((before - after))
echo "$cycles cycles: MemAvailable $before kB before, $after kB after, difference $lost kB"
# KASAN keeps freed memory in quarantine (up to 1/32 of RAM): there kmemleak, after the run, is the judge.
[ ! -e /sys/kernel/debug/kmemleak ] || exit 0
if [ "$lost" -gt 2048 ]; then
	echo "FAILED: more than 2 MiB are gone"
	exit 1
fi
