#!/bin/bash
# SPDX-License-Identifier: MIT
#
# GPUs of a hive have a link of XGMI to each other one of it, both ways and one hop long, and those of different hives none
# (kfd_fill_gpu_xgmi_link_to_gpu()). With topology=xgmi-cpu the CPU belongs to the hive (kfd_fill_iolink_non_crat_info()). Nobody reaches
# VRAM over the bus: no p2p_links. All of it after one was unplugged, too.
set -u
nodes=/sys/class/kfd/kfd/topology/nodes
fail=0
check() { "${@:2}" || { echo "FAILED: $1"; fail=1; }; }
property() { awk -v name="$2" '$1 == name { print $2 }' "$1/properties"; }
gpus() { local n; for n in $(ls $nodes | sort -n); do [ "$(property $nodes/"$n" simd_count)" = 0 ] || echo "$n"; done; }
xgmi_from() { local link; for link in "$nodes/$1"/io_links/*; do [ "$(property "$link" type)" != 11 ] || echo "$link"; done; }
# As Linux: the nodes of @1's hive but itself, each once; GPUs, and the CPU if it belongs to one
leads_to_its_hive() {
	local hive other expected='' found
	hive=$(property "$nodes/$1" hive_id)
	for other in $(ls $nodes | sort -n); do
		[ "$hive" = 0 ] || [ "$other" = "$1" ] || [ "$(property "$nodes/$other" hive_id)" != "$hive" ] || expected+="$other "
	done
	found=$(for other in $(xgmi_from "$1"); do property "$other" node_to; done | sort -n | tr '\n' ' ')
	[ "$found" = "$expected" ] || { echo "node $1: XGMI to '$found', not '$expected'"; return 1; }
}
all() { local n; for n in $(gpus); do "$1" "$n" || return; done; }
one_hop() { local link; for link in $(xgmi_from "$1"); do [ "$(property "$link" weight)" = 15 ] || return; done; }
no_p2p() { [ "$(property "$nodes/$1" p2p_links_count)" = 0 ]; }
cpu_is_in_the_hive() { [ "$(property $nodes/0 hive_id)" = "$(property "$nodes/$(gpus | head -n 1)" hive_id)" ]; }
cpu_is_in_no_hive() { [ "$(property $nodes/0 hive_id)" = 0 ]; }
cpu_leads_to_all() { [ "$(xgmi_from 0 | wc -l)" = "$before" ]; }
coherent_host() { [ $(($(property "$nodes/$1" capability) >> 28 & 1)) = 1 ]; }

before=$(gpus | wc -l)
[ "$before" -ge 2 ] || { echo "skipped: there is one GPU only"; exit 77; }
topology=$(cat /sys/module/amdgpu_model/parameters/topology)
case $topology in
xgmi*) in_a_hive() { [ "$(property "$nodes/$1" hive_id)" != 0 ]; } ;;
*) in_a_hive() { [ "$(property "$nodes/$1" hive_id)" = 0 ]; } ;;
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

first=$(gpus | head -n 1)
slot=$(basename "$(readlink -f "/sys/class/drm/renderD$(property "$nodes/$first" drm_render_minor)/device")")
echo 1 > "/sys/bus/pci/devices/$slot/remove"
check "a GPU less" [ "$(gpus | wc -l)" = $((before - 1)) ]
check "links lead to those that are left" all leads_to_its_hive
echo 1 > /sys/bus/pci/rescan
check "it is back" [ "$(gpus | wc -l)" = "$before" ]
check "hive_id is the same" all in_a_hive
check "links lead to the hive again" all leads_to_its_hive
exit $fail
