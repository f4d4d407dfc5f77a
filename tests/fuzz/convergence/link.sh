#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Links kernels as sluice-kernel-cc does it, but without the check: what do kernels that it refuses?
# usage: tests/fuzz/convergence/link.sh KERNELS.o KERNELS.elf
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
build=${SLUICE_BUILD:-$root/build}
"${CROSS:-riscv64-unknown-elf-}gcc" -march=rv64imafd -mabi=lp64d -mcmodel=medany "$1" -o "$2" \
    -nostartfiles -nostdlib -T "$root/linker/kernel.ld" -Wl,--no-relax -L "$build/lib" -L "$build/newlib/kernel/lib" \
    -Wl,--whole-archive -lsluice-wave -Wl,--no-whole-archive -lsluice-wave-called \
    -Wl,--start-group -lc -lm -lgcc -Wl,--end-group
