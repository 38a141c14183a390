#!/bin/bash
# SPDX-License-Identifier: MIT
#
# GPUs of a hive have a link of XGMI to each other one of it, both ways and one hop long, and those of different hives none
# (kfd_fill_gpu_xgmi_link_to_gpu()). With topology=xgmi-cpu the CPU belongs to the hive (kfd_fill_iolink_non_crat_info()). Nobody reaches
# VRAM over the bus: no p2p_links. All of it after one was unplugged, too.
set -u
. "$(dirname "$0")/../support/topology.bash"
fail=0
check() { "${@:2}" || { echo "FAILED: $1"; fail=1; }; }
look() {
	local n
	look_at_topology
	gpus=()
	for ((n = 0; n < node_count; n++)); do [ "${property["$n simd_count"]}" = 0 ] || gpus+=("$n"); done
}
# The nodes that links of XGMI lead to from @1, in $found.
xgmi_from() {
	local link
	found=()
	for link in ${links[$1]:-}; do [[ $link != */io_links/* || ${property["$link type"]} != 11 ]] || found+=("${property["$link node_to"]}"); done
}
# As Linux: the nodes of @1's hive but itself, each once; GPUs, and the CPU if it belongs to one
leads_to_its_hive() {
	local hive=${property["$1 hive_id"]} other
	local -A missing=()
	for ((other = 0; other < node_count; other++)); do
		[ "$hive" = 0 ] || [ $other = "$1" ] || [ "${property["$other hive_id"]}" != "$hive" ] || missing[$other]=y
	done
	xgmi_from "$1"
	for other in "${found[@]}"; do
		[ -n "${missing[$other]:-}" ] || { echo "node $1: XGMI to node $other once too often"; return 1; }
		unset "missing[$other]"
	done
	[ ${#missing[@]} = 0 ] || { echo "node $1: no XGMI to ${!missing[*]}"; return 1; }
}
all() { local n; for n in "${gpus[@]}"; do "$1" "$n" || return; done; }
one_hop() { local link; for link in ${links[$1]:-}; do [ "${property["$link type"]}" != 11 ] || [ "${property["$link weight"]}" = 15 ] || return; done; }
no_p2p() { [ "${property["$1 p2p_links_count"]}" = 0 ]; }
cpu_is_in_the_hive() { [ "${property["0 hive_id"]}" = "${property["${gpus[0]} hive_id"]}" ]; }
cpu_is_in_no_hive() { [ "${property["0 hive_id"]}" = 0 ]; }
cpu_leads_to_all() { xgmi_from 0; [ ${#found[@]} = "$before" ]; }
coherent_host() { [ $((${property["$1 capability"]} >> 28 & 1)) = 1 ]; }

look
before=${#gpus[@]}
[ "$before" -ge 2 ] || { echo "skipped: there is one GPU only"; exit 77; }
topology=$(cat /sys/module/amdgpu_model/parameters/topology)
case $topology in
xgmi*) in_a_hive() { [ "${property["$1 hive_id"]}" != 0 ]; } ;;
*) in_a_hive() { [ "${property["$1 hive_id"]}" = 0 ]; } ;;
esac
trap 'modprobe -r kfd_model; modprobe kfd_model' EXIT
check "hive_id is as topology= says" all in_a_hive
if [ "$topology" = xgmi-cpu ]; then
	check "the CPU is in the hive" cpu_is_in_the_hive
	check "XGMI leads from the CPU to each GPU" cpu_leads_to_all
	[ "$(cat /sys/module/kfd_model/parameters/abi)" != 7.2 ] || check "the host's access is coherent" all coherent_host
else
	check "the CPU is in no hive" cpu_is_in_no_hive
fi
check "links lead to the hive" all leads_to_its_hive
check "XGMI weighs 15" all one_hop
check "no p2p_links" all no_p2p

slot=$(basename "$(readlink -f "/sys/class/drm/renderD${property["${gpus[0]} drm_render_minor"]}/device")")
echo 1 > "/sys/bus/pci/devices/$slot/remove"
look
check "a GPU less" [ ${#gpus[@]} = $((before - 1)) ]
check "links lead to those that are left" all leads_to_its_hive
echo 1 > /sys/bus/pci/rescan
look
check "it is back" [ ${#gpus[@]} = "$before" ]
check "hive_id is the same" all in_a_hive
check "links lead to the hive again" all leads_to_its_hive
exit $fail
