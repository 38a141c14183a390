#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Programs that the fuzzer of the ioctls has found worth keeping, two users in each, and those that were recorded from the system tests. What
# the kernel has to say about them is judged by who runs the tests.
top=$(cd "$(dirname "$0")/../../../.." && pwd)
exec "$top/build/native/bin/ioctl_fuzz" replay "$top"/userspace/tests/fuzz/{corpus,system}.prog
