#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every ioctl of both drivers, with each of its allocations failing once: no report of the kernel, and in the end it succeeds. Which calls
# there are is compared with the drivers' tables natively (ioctl_fuzz_test).
top=$(cd "$(dirname "$0")/../../../.." && pwd)
exec "$top/build/native/bin/ioctl_fuzz" nth "$top"/userspace/tests/fuzz/corpus.prog
