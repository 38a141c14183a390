#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A compute job of a context above normal, on a GPU with 4 CUs that is full of others' work: with the hardware's priorities, static
# or dynamic, it takes at most 1.1 times what it takes on an idle GPU (median and 99 %); without them it waits (high_priority).
set -u
here=$(dirname "$0")
. "$here/../support/modules.bash"
kfdm=$here/../../../../build/native/bin/kfdm
code=0

for way in static dynamic off; do
	load gpus=1 chip=radeon_vii cus=4 high_priority=$way
	"$kfdm" exp ring-priority --short || { echo "FAILED: $way"; code=1; }
done
exit $code
