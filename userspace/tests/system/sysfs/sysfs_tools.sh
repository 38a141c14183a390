#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Debian's unmodified rocm-smi, radeontop and nvtop (where they are installed) show the GPU: what they print is what sysfs says.
set -u
command -v rocm-smi > /dev/null || { echo "skipped: rocm-smi is not installed"; exit 77; }
node=$(basename /dev/dri/renderD*)
device=$(readlink -f "/sys/class/drm/$node/device")
fail=0
check() { "${@:2}" || { echo "FAILED: $1"; fail=1; }; }
shows() { grep -qE -- "$1" /run/rocm-smi; }

ask() { timeout 300 rocm-smi "$@" > /run/rocm-smi 2>&1; check "rocm-smi $* ends well ($?)" [ $? = 0 ]; cat /run/rocm-smi; }

sclk=$(sed 's/^0: \([0-9]*\)Mhz.*/\1/' "$device/pp_dpm_sclk")
ask --showmeminfo vram gtt
check "VRAM" shows "GPU\[0\].*VRAM Total Memory \(B\): $(cat "$device/mem_info_vram_total")\$"
check "VRAM in use" shows "GPU\[0\].*VRAM Total Used Memory \(B\): $(cat "$device/mem_info_vram_used")\$"
check "GTT" shows "GPU\[0\].*GTT Total Memory \(B\): $(cat "$device/mem_info_gtt_total")\$"
ask --showclocks --showperflevel --showuse
check "sclk" shows "GPU\[0\].*sclk clock level: 0: \(${sclk}Mhz\)"
check "level" shows "GPU\[0\].*Performance Level: auto"
check "use" shows "GPU\[0\].*GPU use \(%\): [0-9]+"
ask --showproductname
ask --showfwinfo
check "firmware" shows "GPU\[0\].*MEC firmware version:.*[1-9]"
if [ -e "$device/unique_id" ]; then
	ask --showuniqueid
	check "unique id" shows "GPU\[0\].*Unique ID: 0x0*$(sed 's/^0*//' "$device/unique_id")"
fi
timeout 300 rocm-smi > /run/rocm-smi 2>&1	# ends with 2: power is not told
cat /run/rocm-smi
check "the table" shows "^0 .* ${sclk}Mhz .* auto "
ask --setperflevel high
check "the level is set" grep -qx high "$device/power_dpm_force_performance_level"
ask --setperflevel auto
check "the level is set back" grep -qx auto "$device/power_dpm_force_performance_level"

if command -v radeontop > /dev/null; then
	timeout 300 radeontop -d - -l 1 -i 1 > /run/radeontop 2>&1
	check "radeontop ends well ($?)" [ $? = 0 ]
	cat /run/radeontop
	check "radeontop shows VRAM" grep -qE "gpu [0-9.]+%.*vram [0-9.]+% [0-9.]+mb" /run/radeontop
fi

# Its list of cards as JSON, since nvtop 3.1 (Debian 13).
if command -v nvtop > /dev/null && nvtop --help 2>&1 | grep -q -- --snapshot; then
	timeout 300 nvtop --snapshot > /run/nvtop 2>&1
	check "nvtop ends well ($?)" [ $? = 0 ]
	cat /run/nvtop
	check "nvtop shows the clock" grep -q "\"gpu_clock\": \"${sclk}MHz\"" /run/nvtop
	check "nvtop shows the load" grep -qE '"gpu_util": "[0-9]+%"' /run/nvtop
fi
exit $fail
