#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The OpenMP example as gcc-12 with gcc-12-offload-amdgcn compiles it.
set -u
. "$(dirname "$0")/support/openmp.sh"
openmp_program gcc
exec "$program"
