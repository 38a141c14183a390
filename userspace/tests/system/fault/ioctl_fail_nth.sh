#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every ioctl of both drivers, with each of its allocations failing once: no report of the kernel, and in the end it succeeds. Which calls
# there are is compared with the drivers' tables natively (ioctl_fuzz_test).
top=$(cd "$(dirname "$0")/../../../.." && pwd)
parameters=/sys/module/amdgpu_model/parameters
[ "$(cat $parameters/chip) $(cat $parameters/sched_policy)" = "radeon_vii 0" ] && some= || some=--some
exec "$top/build/native/bin/ioctl_fuzz" nth $some "$top"/userspace/tests/fuzz/corpus.prog
