#!/bin/bash
# SPDX-License-Identifier: MIT
#
# One of several GPUs is unplugged: the nodes behind it move up, no link leads to it any more (kfd_topology_update_io_links), and the
# GPUs that are left work. Plugged in again it is the last node.
set -u
native=$(dirname "$0")/../../../../build/native
. "$(dirname "$0")/../support/topology.bash"
id() { cat "$nodes/$1/gpu_id"; }
# io_links and p2p_links of a node lead to nodes that there are, from itself.
links_are_right() {
	local link found=0
	for link in ${links[$1]:-}; do
		[ "${property["$link node_from"]}" = "$1" ] && [ "${property["$link node_to"]}" -lt "$node_count" ] || return
		[[ $link != */io_links/* ]] || found=$((found + 1))
	done
	[ "${property["$1 io_links_count"]}" = $found ]
}
all_links_are_right() { local n; for ((n = 0; n < node_count; n++)); do links_are_right "$n" || return; done; }
fail=0
check() { "${@:2}" || { echo "FAILED: $1"; fail=1; }; }

look_at_topology
before=$node_count
[ "$before" -ge 3 ] || { echo "skipped: there is one GPU only"; exit 77; }
trap 'modprobe -r kfd_model; modprobe kfd_model' EXIT
gone=$(id 1) stays=$(id 2)
generation=$(cat /sys/class/kfd/kfd/topology/generation_id)
slot=$(basename "$(readlink -f "/sys/class/drm/renderD${property["1 drm_render_minor"]}/device")")
check "the links lead somewhere" all_links_are_right

echo 1 > "/sys/bus/pci/devices/$slot/remove"
look_at_topology
check "a node less" [ "$node_count" = $((before - 1)) ]
check "without holes: the second GPU is node 1" [ "$(id 1)" = "$stays" ]
check "no link leads to it" all_links_are_right
check "programs can see that" [ "$(cat /sys/class/kfd/kfd/topology/generation_id)" -gt "$generation" ]
check "the other works" "$native/bin/kfdm" demo -n 1000 -m 16

echo 1 > /sys/bus/pci/rescan
look_at_topology
check "it is back" [ "$node_count" = "$before" ]
check "as the last one" [ "$(id $((before - 1)))" = "$gone" ]
check "the other stays in its place" [ "$(id 1)" = "$stays" ]
check "the links lead somewhere again" all_links_are_right
check "it works" "$native/bin/kfdm" demo -n 1000 -m 16
exit $fail
