#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# No source uses what another defines that uses, in its turn, what the first one does; nor does a folder: so each can be
# read, and tested, after those below it. Taken from the symbols of the object files; #include lines are the matter of
# tests/static/check_dependencies.sh. Folders use what tests/static/layers.txt allows, and no more. Reports in TAP. A self-test
# proves that a circle of files, one of folders alone, and a use upwards are found.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=${SLUICE_BUILD:-build}
# shellcheck source-path=SCRIPTDIR source=loops.sh
source tests/static/loops.sh
layers=$PWD/tests/static/layers.txt
awk_layers=$PWD/tests/static/layers.awk
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/out"
status=0

# of_sources: the objects of standard input whose sources are in the tree; a build folder keeps those of files that were moved.
of_sources() {
    local object unit
    while IFS= read -r object; do
        unit=${object%.o}
        if [[ -e $unit || -e $unit.c || -e $unit.cc || -e ${unit%.*}.c ]]; then
            printf '%s\n' "$object"
        fi
    done
}

# uses ROOT NM: "user definer symbol" for each symbol that a source has of another, of the objects of standard input, which
# are below ROOT. A source that is compiled several times (lanes_exec.avx2.o) is one.
uses() {
    xargs "$2" -A -g | awk -v root="$1/" '
        {
            colon = index($0, ":")
            source = substr($0, length(root) + 1, colon - 1 - length(root))
            sub(/(\.S)?(\.(base|avx2|avx512))?\.o$/, "", source)
            n = split(substr($0, colon + 1), word, " ")
            if (word[1] == "U") { user[++count] = source; used[count] = word[2] } else if (n == 3) { definer[word[3]] = source }
        }
        END {
            for (i = 1; i <= count; i++) {
                if (used[i] in definer && definer[used[i]] != user[i]) { print user[i], definer[used[i]], used[i] }
            }
        }' | sort -u
}

# forbidden FILE: the uses in it between folders of the table of layers that it does not allow
forbidden() {
    # shellcheck disable=SC2016 # these are awk's
    awk -v layers="$layers" -f "$awk_layers" -f <(printf '%s\n' 'BEGIN { read_layers(layers) }
        { from = layer_of($1); to = layer_of($2) } from != "" && to != "" && !may_use(from, to)') "$1"
}

# check NAME ROOT NM FOLDER...: the objects of these folders of ROOT, which are linked together
check() {
    local name=$1 root=$2
    (cd "$root" && find "${@:4}" -name '*.o') | sort | of_sources | sed "s|^|$root/|" | uses "$root" "$3" >"$folder/out/files"
    awk '{ sub("/[^/]*$", "", $1); sub("/[^/]*$", "", $2) } $1 != $2' "$folder/out/files" | sort -u >"$folder/out/folders"
    if [[ ! -s $folder/out/files ]]; then
        printf 'not ok - %s: no source in %s uses another: make all\n' "$name" "$root"
        return 1
    fi
    { loops "$folder/out/files" && loops "$folder/out/folders" && forbidden "$folder/out/folders"; } >"$folder/out/found"
    if [[ -s $folder/out/found ]]; then
        awk '{ printf "# %s uses %s of %s\n", $1, $3, $2 }' "$folder/out/found"
        printf 'not ok - %s: a circle, or what tests/static/layers.txt does not allow\n' "$name"
        return 1
    fi
    printf 'ok - %s: %d uses, none in a circle\n' "$name" "$(wc -l <"$folder/out/files")"
}

# source_of PATH TEXT: a source and its object, for the self-test
source_of() {
    mkdir -p "$folder/$(dirname "$1")"
    printf '%s\n' "$2" >"$folder/$1.c"
    "${CC:-gcc}" -c -o "$folder/$1.o" "$folder/$1.c"
}

# expect NAME FOLDER WORDS: what is reported of it
expect() {
    (cd "$folder" && check "$1" "$folder" nm "$2") >"$folder/out/said" || true
    if ! grep -q -- "$3" "$folder/out/said"; then
        sed 's/^/# /' "$folder/out/said"
        printf 'not ok - self-test: %s should say "%s"\n' "$1" "$3"
        status=1
    fi
}

source_of good/a 'int b(void); int a(void) { return b(); }'
source_of good/b 'int b(void) { return 0; }'
expect 'two sources' good '^ok - two sources: 1 uses'
source_of files/a 'int b(void); int a(void) { return b(); }'
source_of files/b 'int a(void); int b(void) { return a(); }'
expect 'a circle of files' files '^# files/a uses b of files/b$'
source_of folders/x/a 'int b(void); int a(void) { return b(); }'
source_of folders/y/b 'int b(void) { return 0; }'
source_of folders/y/c 'int d(void); int c(void) { return d(); }'
source_of folders/x/d 'int d(void) { return 0; }'
expect 'a circle of folders' folders '^# folders/y uses d of folders/x$'
source_of hal/host/base/a 'int b(void); int a(void) { return b(); }'
source_of hal/host/runtime/run/b 'int b(void) { return 0; }'
expect 'a use upwards' hal '^# hal/host/base uses b of hal/host/runtime/run$'
((status == 0)) && printf 'ok - self-test: each circle is found, and a use that no layer allows\n'

mapfile -t rooms < <(printf '%s\n' sim-soc/*/ | grep -vxE "sim-soc/(native|configs)/")
check 'library and accelerator' "$build/obj" nm hal "${rooms[@]%/}" || status=1
check 'native engine' "$build/obj" nm hal/isa sim-soc/native || status=1
for tool in scripts/tools/*/; do
    name=$(basename "$tool")
    if (($(find "$build/obj/$tool" -name '*.o' | wc -l) > 1)); then
        check "tool $name" "$build/obj" nm "${tool%/}" || status=1
    fi
done
if [[ -d $build/obj/scripts/kernel-plugin ]]; then # needs a C++ compiler
    check 'plugin of the cross compiler' "$build/obj" nm scripts/kernel-plugin || status=1
fi
check firmware "$build/obj/riscv" "${CROSS:-riscv64-unknown-elf-}nm" firmware hal || status=1
exit $status
