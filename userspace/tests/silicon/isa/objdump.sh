#!/bin/bash
# SPDX-License-Identifier: MIT
#
# objdump.sh KFDM OBJDUMP NEWER FILE...: `kfdm dis` prints of each code object what llvm-objdump prints; of gfx942 what NEWER does.
set -u
kfdm=$1 older=$2 newer=$3
shift 3
[ $# -gt 0 ] || { echo "no code objects"; exit 1; }
failed=0 lines=0
for file in "$@"; do
	case $file in *.gfx942.*) objdump=$newer ;; *) objdump=$older ;; esac
	wanted=$("$objdump" -d "$file") || { echo "$objdump does not read $file"; exit 1; }
	if ! diff <("$kfdm" dis "$file" 2> /dev/null) <(printf '%s\n' "$wanted") > /dev/null; then
		echo "$file:"
		diff <("$kfdm" dis "$file" 2>&1) <(printf '%s\n' "$wanted") | head -n 10
		failed=$((failed + 1))
	fi
	lines=$((lines + $(wc -l <<< "$wanted")))
done
echo "$# code objects, $lines lines: $failed differ"
[ $failed = 0 ]
