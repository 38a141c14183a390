# SPDX-License-Identifier: MIT
#
# To be sourced: KFD's topology read by the shell itself. A process takes 20 ms in User-Mode Linux, and five GPUs have a hundred files.
# shellcheck shell=bash
# shellcheck disable=SC2034 # for who reads this file

nodes=/sys/class/kfd/kfd/topology/nodes

# Sets node_count, ${property["NODE NAME"]}, ${property["LINK NAME"]}, and ${links[NODE]}: its LINKs, as "3/io_links/0", in words.
look_at_topology() {
	local file place name value
	declare -gA property=()
	declare -ga links=()
	node_count=0
	for file in "$nodes"/*/properties "$nodes"/*/{io,p2p}_links/*/properties; do
		[ -e "$file" ] || continue
		place=${file#"$nodes/"} place=${place%/properties}
		while read -r name value; do property["$place $name"]=$value; done < "$file"
		case $place in */*) links[${place%%/*}]+=" $place" ;; *) node_count=$((node_count + 1)) ;; esac
	done
}
