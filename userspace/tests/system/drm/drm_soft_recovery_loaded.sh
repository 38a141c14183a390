#!/bin/bash
# SPDX-License-Identifier: MIT
#
# drm_soft_recovery with the module parameter that it is about, and jobs that have little time.
set -u
here=$(dirname "$0")
. "$here/../support/modules.bash"
emulated && ms=60 || ms=300
load soft_recovery=1 lockup_timeout=$ms lockup_timeout_compute=$ms
"$here/../../../../build/native/tests/system/drm_soft_recovery"
