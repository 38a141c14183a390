#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Debian's own amdgpu knows the ids of the model's GPUs. It must not come because of them, not even with udevd at work and
# nothing blacklisted; and where it is already, the model stays away with a clear word.
set -u
modinfo -n amdgpu > /dev/null 2>&1 || { echo "skipped: this kernel has no amdgpu"; exit 77; }
fail=0
check() { "${@:2}" || { echo "FAILED: $1"; fail=1; }; }
not() { ! "$@"; }
eventually() { local try; for ((try = 0; try < 1500; try++)); do "$@" && return; sleep 0.2; done; return 1; }	# five minutes or more
udevd_gone() { ! pidof systemd-udevd > /dev/null; }
# Who has ended, and udev's workers, let go a moment later.
gone() { modprobe -r kfd_model 2> /run/gone; [ ! -d /sys/module/amdgpu_model ]; }
options=/etc/modprobe.d/kfd_model.conf
cp "$options" /run/options
stand_in=/lib/modules/$(uname -r)/stand_in/amdgpu.ko
restore() { cp /run/options "$options"; modprobe -r amdgpu 2>/dev/null; modprobe kfd_model; insmod "$stand_in"; }
trap restore EXIT

rmmod amdgpu	# the one that has the name only

sed -i /blacklist/d "$options"
check "the model goes" eventually gone
pidof systemd-udevd > /dev/null || /lib/systemd/systemd-udevd --daemon || { echo "systemd-udevd does not start"; exit 1; }
modprobe kfd_model
slot=$(basename "$(readlink -f /sys/class/drm/renderD*/device | sed q)")
check "the ids are ones that amdgpu wants" grep -q amdgpu <(modprobe -R "$(cat "/sys/bus/pci/devices/$slot/modalias")")
udevadm trigger --action=add --subsystem-match=pci --subsystem-match=drm --subsystem-match=kfd
udevadm settle --timeout=600
check "udev has not loaded amdgpu" [ ! -d /sys/module/amdgpu ]
check "the model's driver is bound" [ "$(basename "$(readlink -f "/sys/bus/pci/devices/$slot/driver")")" = amdgpu_model ]
pkill systemd-udevd
check "udevd ends" eventually udevd_gone

check "the model goes" eventually gone
modprobe amdgpu || { echo "the stock amdgpu does not load"; exit 1; }
check "the model does not load beside amdgpu" not modprobe amdgpu_model 2> /run/refused
check "the refusal is EBUSY" grep -qi busy /run/refused
check "the kernel log says why" grep -q "real amdgpu driver is loaded" <(dmesg)
modprobe -r amdgpu
check "afterwards it loads" modprobe kfd_model
exit $fail
