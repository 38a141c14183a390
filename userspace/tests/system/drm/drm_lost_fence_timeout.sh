#!/bin/bash
# SPDX-License-Identifier: MIT
#
# drm_lost_fence with jobs that have little time.
set -u
here=$(dirname "$0")
. "$here/../support/modules.bash"
emulated && ms=100 || ms=500
load lockup_timeout=$ms lockup_timeout_compute=$ms
"$here/../../../../build/native/tests/system/drm_lost_fence" && exit
code=$?
[ $code = 77 ] || dmesg | grep amdgpu | tail -n 20
exit $code
