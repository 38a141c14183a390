#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Loads, uses and unloads both modules again and again, by modprobe and by plain insmod in turn. Nothing may stay behind: no
# node, no line of the kernel log that reports a mistake (the runner reads it), and afterwards as much memory is available as
# before, within 2 MiB. A leak comes back in the next cycles; what happens once is another's memory.
#
#	modules_cycles.sh [CYCLES]	(default 5, with kmemleak 3, with KFDM_SOAK=1 1000)
#
# The first cycles fill caches that the kernel keeps (slabs, page tables of the module area), so they do not count.
set -u
[ "$(id -u)" = 0 ] && [ -d /sys/module/kfd_model ] || { echo "skipped: needs root and the modules"; exit 77; }
short=5
[ ! -e /sys/kernel/debug/kmemleak ] || short=3	# where a cycle takes six seconds: the fifth of all, which uses the GPU, is among them
cycles=${1:-$([ "${KFDM_SOAK:-}" = 1 ] && echo 1000 || echo $short)}
warm=2
tool=$(dirname "$0")/../../../../build/native/bin/kfdm
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
milliseconds() { echo $((${EPOCHREALTIME/./} / 1000)); }
load() {
	local begin
	begin=$(milliseconds)
	if [ $((i % 2)) = 0 ]; then
		modprobe kfd_model || fail "modprobe"
	else
		# What modprobe did stays loaded (drm and its helpers), so insmod finds every symbol.
		# shellcheck disable=SC2046 # words on purpose
		insmod "$folder/amdgpu_model.ko" $(parameters amdgpu_model) || fail "insmod amdgpu_model"
		# shellcheck disable=SC2046
		insmod "$folder/kfd_model.ko" $(parameters kfd_model) || fail "insmod kfd_model"
	fi
	[ -c /dev/kfd ] || fail "no /dev/kfd"
	loading=$(($(milliseconds) - begin))
}
# Somebody may still be letting go (work that ends a process): five seconds, as the specification says; on a slow host as long as
# loading takes five times. Later is counted by whether the GPU was used, and judged in the end: a host that stands still
# delays one or the other, the driver delays all.
declare -A times=([idle]=0 [used]=0) late=([idle]=0 [used]=0)
unload() {	# idle|used
	local try begin
	begin=$(milliseconds)
	for try in {1..600}; do
		# modprobe -r would take drm's helpers along, which insmod needs.
		[ ! -d /sys/module/kfd_model ] || rmmod kfd_model 2>/dev/null
		rmmod amdgpu_model 2>/dev/null && break
		sleep 0.2
	done
	[ ! -d /sys/module/amdgpu_model ] || fail "the modules do not unload"
	times[$1]=$((times[$1] + 1))
	[ $(($(milliseconds) - begin)) -le $((loading < 1000 ? 5000 : 5 * loading)) ] || late[$1]=$((late[$1] + 1))
	[ ! -e /dev/kfd ] || fail "/dev/kfd stays after the modules have gone"
	[ ! -e /sys/devices/virtual/kfd ] || fail "the topology stays after the modules have gone"
}
cycle() {
	load
	# Every fifth time the GPU is used in between.
	if [ $((i % 5)) = 0 ]; then
		"$tool" demo -n 1000 -m 16 > /run/cycle 2>&1 || { cat /run/cycle; fail "the demonstration"; }
		unload used
	else
		unload idle
	fi
}
# As many cycles as are wanted, and what they have cost. True if that is more than 2 MiB.
round() {
	local try last=$((i + cycles)) before after lost
	before=$(available)
	for ((; i < last; i++)); do cycle; done
	for try in {1..5}; do	# what is freed later has not gone
		after=$(available)
		lost=$((before - after))
		[ $lost -gt 2048 ] || break
	done
	echo "$cycles cycles: MemAvailable $before kB before, $after kB after, $lost kB less"
	[ $lost -gt 2048 ]
}

i=0 loading=0
unload idle
for ((i = 1; i <= warm; i++)); do cycle; done
code=0
if round && round; then
	echo "FAILED: more than 2 MiB are gone, and again as much after as many cycles"
	code=1
fi
for how in idle used; do
	[ ${late[$how]} -le $((1 + times[$how] / 10)) ] && continue
	echo "FAILED: ${late[$how]} of ${times[$how]} times the modules of an $how GPU took longer than five seconds to go"
	code=1
done
i=end
modprobe kfd_model || fail "modprobe"
exit $code
