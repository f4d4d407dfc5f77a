#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Builds newlib from Debian's newlib-source package, once for the firmware (rv64imac, lp64) and once
# for GPU kernels (rv64imafd, lp64d), both with the medany code model that images at 0x8000_0000 need.
# usage: scripts/build-newlib.sh [all|firmware|kernel]
# Results, under build (or SLUICE_BUILD): newlib/{firmware,kernel}/{include,lib}; the compiler's output
# is in newlib/*.log.
# A variant is built only when its stamp is missing or differs from the checksum of the recipe (the functions of
# this script that build), of the source archive and of the compiler's version. Beside the stamp, which is
# written with a new build only, an empty file `checked` has the time of the last comparison.
# Run by make, it builds in make's jobs, otherwise in as many as there are processors (or NEWLIB_JOBS).
# Leaves out: libgloss and newlib's system calls; firmware and kernels bring their own.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=$(mkdir -p "${SLUICE_BUILD:-build}/newlib" && cd "${SLUICE_BUILD:-build}/newlib" && pwd)
target=riscv64-unknown-elf
archive=${NEWLIB_ARCHIVE:-}
# Newlib's build is its own, not part of a make that calls this script, but for the jobs.
if [[ ${MAKEFLAGS:-} =~ --jobserver-[a-z]+=[^[:space:]]+ ]]; then
    jobs="-j ${BASH_REMATCH[0]}"
elif [[ -z ${NEWLIB_JOBS:-} && ${MAKEFLAGS:-} =~ -j([0-9]+) ]]; then
    jobs=${BASH_REMATCH[0]}
else
    jobs=-j${NEWLIB_JOBS:-$(nproc)}
fi
unset MAKEFLAGS MFLAGS MAKELEVEL

fail() {
    printf 'build-newlib: %s\n' "$*" >&2
    exit 1
}

# The architecture strings are those of the compiler's own libgcc variants; with an extension more
# (_zicsr), GCC 12 silently takes the default libgcc, which is compressed code for lp64d.
# The last line: what kernels execute has no jumps through tables (docs/look-up/isa.md, "Divergence").
variant_flags() {
    local common="-mcmodel=medany -g -O2 -ffunction-sections -fdata-sections -fcommon"
    case $1 in
    firmware) echo "-march=rv64imac -mabi=lp64 $common" ;;
    kernel) echo "-march=rv64imafd -mabi=lp64d $common -fno-jump-tables -fno-bit-tests -fno-gcse" ;;
    esac
}

# The firmware prints integers and short strings, and has one thread: newlib's small printf, malloc and
# reentrancy structure. Kernels get newlib as it comes.
variant_options() {
    case $1 in
    firmware)
        echo "--enable-newlib-nano-malloc --enable-newlib-nano-formatted-io" \
            "--enable-lite-exit --enable-newlib-reent-small --disable-newlib-wide-orient"
        ;;
    kernel) echo "" ;;
    esac
}

find_archive() {
    if [[ -z $archive ]]; then
        archive=$(find /usr/src/newlib -maxdepth 1 -name 'newlib-*.tar.xz' 2>/dev/null | sort | tail -n 1)
    fi
    [[ -n $archive && -r $archive ]] ||
        fail "no newlib-*.tar.xz in /usr/src/newlib: install the package newlib-source" \
            "(make setup), or name the archive in NEWLIB_ARCHIVE"
    command -v $target-gcc >/dev/null ||
        fail "$target-gcc not found: install the package gcc-$target (make setup)"
}

recipe_checksum() {
    {
        declare -f variant_flags variant_options build_variant
        sha256sum <"$archive"
        $target-gcc --version | head -n 1
    } | sha256sum | cut -d ' ' -f 1
}

# Output goes to the log alone; its last lines are shown when something fails.
build_variant() {
    local variant=$1 work=$out/.work-$1 log=$out/$1.log install=$out/.install-$1
    rm -rf "$work" "$install"
    mkdir -p "$work/obj"
    tar -xf "$archive" -C "$work" --exclude='*/libgloss'
    local source
    source=$(find "$work" -mindepth 1 -maxdepth 1 -name 'newlib-*')
    (
        set -e
        cd "$work/obj"
        # shellcheck disable=SC2046 # one word per option
        "$source/configure" --target=$target --prefix="$install" --disable-multilib \
            --disable-newlib-supplied-syscalls --disable-libgloss --disable-nls \
            --disable-dependency-tracking $(variant_options "$variant") \
            CFLAGS_FOR_TARGET="$(variant_flags "$variant") -ffile-prefix-map=$source=newlib"
        MAKEFLAGS=$jobs make MAKEINFO=true all-target-newlib
        make MAKEINFO=true install-target-newlib
    ) >"$log" 2>&1
}

ensure_variant() {
    local variant=$1 start=$SECONDS want
    want=$(recipe_checksum)
    if [[ -f $out/$variant/stamp && $(<"$out/$variant/stamp") == "$want" ]]; then
        touch "$out/$variant/checked"
        return
    fi
    printf '# newlib for %s: building (about half a minute) ...\n' "$variant"
    mkdir -p "$out"
    # Not "if ! build_variant": that would switch off set -e inside it.
    local status
    set +e
    (set -e; build_variant "$variant")
    status=$?
    set -e
    if ((status != 0)); then
        tail -n 30 "$out/$variant.log" >&2 || true
        fail "newlib for $variant failed; the whole log is $out/$variant.log"
    fi
    rm -rf "${out:?}/$variant"
    mv "$out/.install-$variant/$target" "$out/$variant"
    rm -rf "$out/.work-$variant" "$out/.install-$variant"
    [[ -f $out/$variant/lib/libc.a && -f $out/$variant/lib/libm.a ]] ||
        fail "newlib for $variant: $out/$variant/lib has no libc.a or libm.a"
    printf '%s\n' "$want" >"$out/$variant/stamp"
    touch "$out/$variant/checked"
    printf '# newlib for %s: done in %d s\n' "$variant" $((SECONDS - start))
}

find_archive
case ${1:-all} in
all)
    ensure_variant firmware
    ensure_variant kernel
    ;;
firmware | kernel) ensure_variant "$1" ;;
*) fail "unknown variant '$1': all, firmware or kernel" ;;
esac
