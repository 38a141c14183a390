#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The GPU's driver is unbound (sysfs) while a process holds every kind of file of the GPU that no job and no memory belongs to: open files
# of sysfs, hwmon, KFD's topology, debugfs and fdinfo, both DRM nodes, the control device, and a current folder below the device. Reading
# them afterwards ends, with an error or with what they had. Bound again, the GPU works beside them, and their end harms nothing. (What
# belongs to jobs and memory: pci_unplug*.)
set -u
native=$(dirname "$0")/../../../../build/native
fail=0
check() { "${@:2}" || { echo "FAILED: $1"; fail=1; }; }
eventually() { local try; for ((try = 0; try < 1500; try++)); do "$@" && return; sleep 0.2; done; return 1; }

node=$(basename /dev/dri/renderD*)
device=$(readlink -f "/sys/class/drm/$node/device")
slot=$(basename "$device") driver=$(readlink -f "$device/driver")
card=$(basename "$device"/drm/card*)
trap 'modprobe -r kfd_model; modprobe kfd_model' EXIT

# Every file that can be opened and is not the function's own (config, resource: they stay with the PCI function, and the control files
# act when they are written).
fds=() names=()
hold() {	# FILE...
	local file fd
	for file; do
		[ -f "$file" ] || [ -c "$file" ] || continue
		if exec {fd}< "$file"; then fds+=("$fd") names+=("$file"); fi
	done 2> /dev/null
}
hold "$device"/{vendor,device,mem_info_*,unique_id,gpu_busy_percent,gpu_metrics,pp_dpm_*,power_dpm_*,pcie_*,product_name} "$device"/fw_version/* \
	"$device"/hwmon/hwmon*/* "$device/drm/$card/dev" "$device/drm/$node/dev"
mine=${#fds[@]}
hold /sys/class/kfd/kfd/topology/nodes/1/{gpu_id,name,properties} /sys/class/kfd/kfd/topology/nodes/1/{mem_banks,caches,io_links}/*/properties
hold /sys/kernel/debug/dri/"${card#card}"/* /sys/kernel/debug/kfd/{mqds,hqds,rls}
hold "/dev/dri/$card" /dev/amdgpu_model_ctl "/dev/dri/$node"
hold /proc/$$/fdinfo/"${fds[-1]}"
check "files of all kinds are held (${#fds[@]}, $mine of the device)" [ "$mine" -ge 40 ]
check "and others (${#fds[@]})" [ ${#fds[@]} -ge $((mine + 8)) ]
cd "$device/drm/$card" || fail=1

echo "$slot" > "$driver/unbind"
check "the driver is gone" [ ! -e "$driver/$slot" ]
check "KFD has no GPU" [ ! -e /sys/class/kfd/kfd/topology/nodes/1 ]
check "the current folder is empty" [ -z "$(ls 2> /dev/null)" ]
for i in "${!fds[@]}"; do
	case ${names[i]} in /dev/*) continue ;; esac	# reading a primary node waits for an event
	read -rt 60 -N 4096 -u "${fds[i]}" _ 2> /dev/null	# the shell itself: there are hundreds
	check "reading ${names[i]} ends" [ $? -le 128 ]
done

echo "$slot" > "$driver/bind"
check "the GPU is back" [ -e /sys/class/kfd/kfd/topology/nodes/1 ]
# Every other one goes while the new GPU is there, the rest with the last of it.
for ((i = 0; i < ${#fds[@]}; i += 2)); do fd=${fds[i]}; exec {fd}<&-; done
check "it works beside the old files" "$native/bin/kfdm" demo -n 1000 -m 16
for ((i = 1; i < ${#fds[@]}; i += 2)); do fd=${fds[i]}; exec {fd}<&-; done
cd /
check "it works afterwards" "$native/bin/kfdm" demo -n 1000 -m 16
goes() { rmmod "$1" 2> /run/rmmod; }
check "kfd_model goes" eventually goes kfd_model
check "amdgpu_model goes" eventually goes amdgpu_model
exit $fail
