#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The GPU is a PCI device to everybody: lspci, libdrm's drmdevice, udev's properties; and the stock amdgpu keeps off.
set -u
fail=0
check() { "${@:2}" || { echo "FAILED: $1"; fail=1; }; }

# The first one: its number changes if it is unplugged and plugged in again.
node=$(basename "$(find /sys/class/drm -name 'renderD*' | sort | sed q)")
minor=${node#renderD}
slot=$(basename "$(readlink -f "/sys/class/drm/$node/device")")
echo "PCI function $slot"
check "vendor" grep -qx 0x1002 "/sys/bus/pci/devices/$slot/vendor"
check "class is display, other" grep -qx 0x038000 "/sys/bus/pci/devices/$slot/class"
check "the model's driver is bound" [ "$(basename "$(readlink -f "/sys/bus/pci/devices/$slot/driver")")" != amdgpu ]
check "no other driver may bind" [ -s "/sys/bus/pci/devices/$slot/driver_override" ]
domain=${slot%%:*}
check "the domain has at most four digits" [ ${#domain} -le 4 ]
if command -v lspci > /dev/null; then
	lspci -D -nn -s "$slot"
	check "lspci shows the chip" grep -q "1002:$(sed s/0x// "/sys/bus/pci/devices/$slot/device")" <(lspci -D -nn -s "$slot")
fi
if command -v drmdevice > /dev/null; then
	drmdevice > /run/drmdevice 2>&1
	check "drmdevice shows the render node" grep -q "$node" /run/drmdevice
	check "drmdevice shows the vendor" grep -qi 1002 /run/drmdevice
fi
check "the render node is a DRM device" [ -d "/sys/dev/char/226:$minor/device/drm" ]
check "the driver is called amdgpu" grep -q '^amdgpu' "/sys/kernel/debug/dri/$minor/name"
exit $fail
