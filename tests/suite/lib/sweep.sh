# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What the tests of sweeps share, on this machine and on Slurm.
# shellcheck shell=bash

forty=(--vary 'gpu.cus=1,2,4,8' --vary 'gpu.lanes=16,32,64' --vary 'gpu.contexts=20,40' --set gpu.simd_lanes=16)
forty_programs=('fib 10' 'cilk_fib 8 --width 1024')

# forty FOLDER ARGUMENT...: forty-eight runs
forty() {
    run 0 sluice sweep --out "$1" "${forty[@]}" "${@:2}" "${forty_programs[@]}"
}

# A name that shells, GNU parallel and Slurm could take for something else.
# shellcheck disable=SC2034 # for the tests
odd="it's {} {#} %j \$HOME \"x\""
