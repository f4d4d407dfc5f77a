#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# clang takes every C and C++ source of the host without a warning: libraries, plugins (both APIs), programs, tools, tests,
# and the variants of the code that executes lanes. The commands are those of the makefiles for CC=clang, with
# -fsyntax-only in place of what is written. Left out are the sources of GCC's plugin that include GCC's headers, which are
# for GCC. One process of the compiler proper takes many sources of one command, in turn, each by itself: to start the
# driver and the compiler takes longer than most sources. Reports in TAP. That a fault between clean sources is found, is
# tried first.
# usage: tests/static/check_clang.sh [SOURCE...]     only these, "hal/host/driver/machine/paths.c"; without arguments, all
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
clang=${CLANG:-clang}

if ! command -v "$clang" >/dev/null; then
    echo "ok - clang # SKIP no clang on this machine: apt-get install clang"
    exit 0
fi

# What make would run in an empty build folder, which is never made, as one line per command. Not what calls
# this script: its flags and settings would show. A number that a command reads from a file of the build is 1.
commands() {
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make --dry-run --no-print-directory V=1 CC="$clang" \
        BUILD="no-such-folder-$$" test |
        sed -e ':join' -e '/\\$/ { N; s/\\\n/ /; b join' -e '}' |
        sed -n -E "s/^mkdir -p [^ ]+ && ($clang(\+\+)? .*) -MMD -MP -MF [^ ]+ -c ([^ ]+\.cc?) -o ([^ ]+)$/\4 \3 \1/p" |
        sed -E 's/0x\$\(cat [^)]*\)/1/; s/ +$//'
}

# Of the plugin of GCC, what has none of GCC's headers.
without_gcc() {
    awk '$2 !~ /^scripts\/kernel-plugin\// || $2 == "scripts/kernel-plugin/flow.cc"'
}

# Of the objects with sanitizers, only those whose source is in no product.
needed() {
    awk '{ is_test = $1 ~ /\/san\// }
         !is_test { seen[$2] = 1 }
         !is_test || !($2 in seen) { print }'
}

chosen() {
    if (($# == 0)); then
        cat
    else
        awk -v "wanted=$*" 'BEGIN { count = split(wanted, names, " "); for (i = 1; i <= count; i++) want[names[i]] = 1 }
            $2 in want'
    fi
}

# together: lines `COUNT SOURCE... COMMAND`, of at most forty sources with the same command
together() {
    awk '{ source = $2; sub(/^[^ ]+ [^ ]+ /, ""); }
         ++count[$0] > 40 { print 40 sources[$0], $0; sources[$0] = ""; count[$0] = 1 }
         { sources[$0] = sources[$0] " " source }
         END { for (command in count) print count[command] sources[command], command }'
}

# check COUNT SOURCE... COMMAND...: what the driver would start for the first, with all of them. Where that is not as
# expected, one by one.
check() {
    local sources=("${@:2:$1}") driver=("${@:2+$1}") front source status=0
    front=$("${driver[@]}" -fsyntax-only '-###' "${sources[0]}" 2>&1 | tail -n 1)
    eval "front=($front)" # the driver quotes them for a shell
    if [[ ${front[1]} == -cc1 && ${front[-1]} == "${sources[0]}" ]]; then
        "${front[@]::${#front[@]}-1}" "${sources[@]}" || status=1
    else
        for source in "${sources[@]}"; do
            "${driver[@]}" -fsyntax-only "$source" || status=1
        done
    fi
    ((status == 0)) || printf 'in the command %s\n' "${driver[*]}" >&2
    return $status
}
export -f check

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for name in first third; do
    printf 'int %s(void);\nint %s(void) { return 0; }\n' $name $name >"$folder/$name.c"
done
printf 'int second(void) { int unused; return 0; }\n' >"$folder/second.c"
if ! check 2 "$folder"/{first,third}.c "$clang" -Wall -Werror ||
    said=$(check 3 "$folder"/{first,second,third}.c "$clang" -Wall -Werror 2>&1) || [[ $said != *second.c:1:*unused* ]]; then
    printf 'not ok - clang: self-test: an unused variable in the second of three sources\n'
    exit 1
fi

list=$(commands | without_gcc | needed | chosen "$@")
count=$(grep -c . <<<"$list") || true
if ((count < ($# > 0 ? $# : 100))); then
    printf "not ok - clang: only %d commands found in the dry run of 'make test'\n" "$count"
    exit 1
fi
# shellcheck disable=SC2016 # the inner shell expands
if xargs -P "$(nproc)" -L 1 bash -c 'check "$@"' check < <(together <<<"$list") 2>&1; then
    printf 'ok - clang: %d compilations without a warning\n' "$count"
else
    printf 'not ok - clang: see above\n'
    exit 1
fi
