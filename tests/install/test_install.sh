#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# An installation, as its users have it: in a prefix with a space in its name, which is moved afterwards, by a user who
# is not root (where this test is, `nobody` does all of it).
#   - A project outside the source tree (tests/install/project) is built by make and by CMake, with pkg-config and with
#     `sluice cc` through a symbolic link, and is right; so is one with libsluice.a in it, by SLUICE_HOME.
#   - Each template of `sluice new` makes a project that is built, tested, swept and profiled.
#   - Headers compile alone with nothing but PREFIX/include, and libsluice.so has what they declare.
#   - What is missing is told: all at once, by name, with what to do; the cross compiler too.
#   - An older installation's files go when a newer one has none of the name; uninstall removes what was installed, and
#     nothing else, also where an installation has ended early.
# Reports in TAP.
# shellcheck disable=SC2317 # `check` calls the functions
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export SLUICE_BUILD=${SLUICE_BUILD:-$root/build}

if [[ ! -e $SLUICE_BUILD/lib/libsluice.so || ! -x $SLUICE_BUILD/bin/sluice ]]; then
    echo "ok - install # SKIP not built: run 'make all' first"
    exit 0
fi

# As nobody, who has no home and may write nothing of ours.
if ((EUID == 0)) && setpriv --reuid=65534 --regid=65534 --clear-groups test -r "$root/Makefile" -a -x "$root"; then
    exec setpriv --reuid=65534 --regid=65534 --clear-groups "$0" "$@"
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/sluice install.XXXXXX")
trap 'rm -rf "$folder"' EXIT
prefix="$folder/moved to"
export HOME=$folder PATH="$folder/links:$PATH" PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
unset SLUICE_HOME MAKEFLAGS

status=0
check() { # check NAME COMMAND...: what it prints is shown where it fails
    local ended
    (set -e; "${@:2}") >"$folder/said" 2>&1 </dev/null # in no condition, where -e would not count
    ended=$?
    if ((ended == 0)); then
        echo "ok - install: $1"
    else
        sed 's/^/# /' "$folder/said"
        echo "not ok - install: $1"
        status=1
    fi
}

# says WORDS COMMAND...: fails with status 2 or 3, and prints that
says() {
    local words=$1 ended=0
    "${@:2}" >"$folder/output" 2>&1 || ended=$?
    cat "$folder/output"
    [[ $ended == [23] ]] && grep -qF -- "$words" "$folder/output"
}

hang_s=60
fail() {
    printf '%s\n' "$*"
    exit 1
}
expect() { # expect FILE PATTERN
    grep -Eq -- "$2" "$1" || fail "$1 has nothing like '$2': $(cat "$1")"
}
# shellcheck source-path=SCRIPTDIR source=../suite/lib/project.sh
source "$root/tests/suite/lib/project.sh"

installer() { # installer COMMAND [SETTING...]: make's recipe, since what is to be installed is built
    make -s -C "$root" BUILD="$SLUICE_BUILD" PREFIX="$folder/first prefix" -o all "$@"
}

install_and_move() {
    installer install
    rm -r "$folder/first prefix/share"
    mkdir -p "$folder/first prefix"/{share,lib/sluice/old}
    echo 'a file of the user' >"$folder/first prefix/share/mine"
    echo 'of an older version' >"$folder/first prefix/lib/sluice/old/file"
    printf 'd lib/sluice/old\nf lib/sluice/old/file\n' >>"$folder/first prefix/lib/sluice/installed"
    installer install
    [[ ! -e "$folder/first prefix/lib/sluice/old" && -e "$folder/first prefix/share/mine" ]]
    mv "$folder/first prefix" "$prefix"
    mkdir "$folder/links"
    ln -s "$prefix/bin/sluice" "$folder/links/sluice"
    ! grep -rIl -e "$root" -e 'first prefix' "$prefix" # nor in binaries, but for where debug information is from
}

command_works() {
    [[ $(sluice --version) == "sluice $(sed -n 's/^#define SL_VERSION "\(.*\)"/\1/p' "$prefix/include/sluice/version.h")" ]]
    [[ $(sluice run fib 12 --quiet) == 'fib(12) = 144' ]]
    [[ $(sluice run fib 12 --quiet --config small) == 'fib(12) = 144' ]]
    sluice report --list | grep figure15
    sluice config check isca14 small
    sluice flash verify
    sluice run --list | grep -x cilk_fib
}

project_by_make() {
    cp -r "$root/tests/install/project" "$folder/my project"
    make -s -C "$folder/my project"
    [[ $("$folder/my project/squares" 1000 --quiet) == 'squares(1000) = 332833500' ]]
}

project_by_cmake() {
    cmake -S "$folder/my project" -B "$folder/by cmake"
    cmake --build "$folder/by cmake"
    [[ $("$folder/by cmake/squares" 100 --quiet) == 'squares(100) = 328350' ]]
}

# As a user has it who knows of nothing but `sluice` in PATH.
from_template() {
    unset PKG_CONFIG_PATH
    cd "$folder"
    make_project "$1" "my_$1"
    by_make "my_$1"
    by_cmake "my_$1"
    by_commands "my_$1"
}

# Copied as its page says, and its header and library found by `sluice` in PATH.
example() {
    unset PKG_CONFIG_PATH
    cp -r "$prefix/share/sluice/examples/$1" "$folder/an example"
    make -s -C "$folder/an example" WARNINGS='-Wall -Wextra -Werror' test
}

# The words that pkg-config prints are quoted for a shell.
flags() {
    pkg-config "$@" sluice
}

with_static_library() {
    local libraries
    libraries=$(flags --static --libs)
    eval "gcc -Wall $(flags --cflags) -o '$folder/my project/static' '$folder/my project/squares.c'" \
        "${libraries/-lsluice/-l:libsluice.a}"
    SLUICE_HOME=$prefix "$folder/my project/static" 10 --quiet
    says "set SLUICE_HOME to the prefix" "$folder/my project/static" 10
    SLUICE_HOME=/nonexistent says 'SLUICE_HOME is /nonexistent, which is neither' "$folder/my project/static" 10
    [[ $("$folder/my project/static" 10 --quiet --set "host.plugin=$prefix/lib/sluice/lib" \
        --set "host.flash=$prefix/lib/sluice/firmware/sluice.flash") == 'squares(10) = 285' ]]
}

headers_alone() {
    local header
    (cd "$prefix/include" && find . -name '*.h' ! -path '*/wave/*' -printf '%P\n') >"$folder/headers"
    [[ -s $folder/headers ]]
    while IFS= read -r header; do
        printf '#include <%s>\n' "$header" >"$folder/alone.c"
        gcc -std=c11 -Wall -Wextra -Werror -I"$prefix/include" -fsyntax-only "$folder/alone.c"
        g++ -x c++ -std=c++17 -Wall -Wextra -Werror -I"$prefix/include" -fsyntax-only "$folder/alone.c"
        cat "$folder/alone.c" >>"$folder/all.c"
    done <"$folder/headers"
}

# The pages have the pictures that they show.
pages_have_pictures() {
    local page picture
    while IFS=: read -r page picture; do
        [[ -f ${page%/*}/$picture ]] || fail "$page shows $picture, which is not there"
        touch "$folder/pictures"
    done < <(grep -roE '\.\./pictures/[a-z0-9-]+\.svg' "$prefix/share/doc/sluice")
    [[ -f $folder/pictures ]] || fail "no page shows a picture"
}

# What a header declares but the library has not would be found by a user's linker.
library_is_whole() {
    gcc -std=gnu11 -I"$prefix/include" -fsyntax-only -aux-info "$folder/declared" "$folder/all.c"
    sed -n -E '/include\/sluice\//s/.* extern .*\b(sl_[a-z0-9_]+) \(.*/\1/p' "$folder/declared" | sort -u >"$folder/names"
    nm -D --defined-only "$prefix/lib/libsluice.so" | awk '$2 == "T" { print $3 }' | sort >"$folder/exported"
    (($(wc -l <"$folder/names") > 80))
    diff "$folder/names" "$folder/exported"
}

# Hides PATH of the prefix, and runs the rest.
without() {
    local path=$prefix/lib/sluice/$1 ended=0
    mv "$path" "$folder/${1//\//-}"
    "${@:2}" || ended=$?
    mv "$folder/${1//\//-}" "$path"
    return "$ended"
}

# A plugin that was made for another version of the compiler, by a copy with that in its text.
says_other_version() {
    local plugin=$prefix/lib/sluice/lib/sluice-kernel-plugin.so version ended=0
    version=$("${CROSS:-riscv64-unknown-elf-}gcc" -dumpfullversion)
    LC_ALL=C sed "s/${version//./\\.}/${version//[0-9]/0}/g" "$SLUICE_BUILD/lib/sluice-kernel-plugin.so" >"$plugin"
    sluice cc "$folder/my project/squares_kernel.c" -o "$folder/none.elf" >"$folder/output" 2>&1 || ended=$?
    rm "$plugin"
    cat "$folder/output"
    ((ended != 0)) && [[ ! -e "$folder/none.elf" ]] &&
        grep -qF "was made for GCC ${version//[0-9]/0} and not for this one, $version: build Sluice with" "$folder/output"
}

told_one_by_one() {
    local squares="$folder/my project/squares"
    without firmware/sluice.flash says 'sluice.flash: No such file or directory; the installation is not whole: install Sluice again' "$squares" 10
    without lib/sluice-plugin.so says 'host.plugin: no plugin in' "$squares" 10
    without linker/kernel.ld says 'linker/kernel.ld: the installation is not whole: ' sluice cc "$folder/my project/squares_kernel.c" -o "$folder/none.elf"
    without lib/libsluice-wave.a says 'lib/libsluice-wave.a: the installation is not whole: ' \
        sluice cc "$folder/my project/squares_kernel.c" -o "$folder/none.elf"
    without lib/sluice-kernel-plugin.so says 'lib/sluice-kernel-plugin.so: the installation is not whole: ' \
        sluice cc "$folder/my project/squares_kernel.c" -o "$folder/none.elf"
    without lib/sluice-kernel-plugin.so says_other_version
    without share says 'small: no such file, and no presets' "$squares" 10 --config small
    PATH=$folder/links:/bin CROSS=none- says 'apt-get install gcc-riscv64-unknown-elf' sluice cc a.c -o a.elf
}

told_at_once() {
    local part
    mkdir "$folder/hidden"
    mv "$prefix"/lib/sluice/{lib,firmware,share} "$folder/hidden"
    says '4 things are missing:' "$folder/my project/squares" 10 --set host.qemu=no-qemu || part=failed
    mv "$folder/hidden"/* "$prefix/lib/sluice"
    rmdir "$folder/hidden"
    [[ ${part:-} != failed ]]
    for part in "host.qemu: cannot run 'no-qemu'" 'install QEMU (Debian: qemu-system-misc)' 'host.plugin: no plugin in' \
        'host.flash: no firmware image' 'presets: none in'; do
        grep -F -- "$part" "$folder/output"
    done
}

uninstall() {
    mv "$prefix" "$folder/first prefix"
    installer uninstall
    [[ $(cd "$folder/first prefix" && find . | LC_ALL=C sort | tr '\n' ' ') == '. ./share ./share/mine ' ]]
    says 'nothing is installed in' installer uninstall
}

# One that ends in the midst of it, new or over another one.
ends_early() {
    local before
    for before in none whole; do
        [[ $before == none ]] || installer install
        says 'not all is installed to' installer install INSTALLED_PROGRAMS=nothing
        installer uninstall
        [[ ! -e "$folder/first prefix" ]]
    done
}

leaves_nothing() {
    installer install
    installer uninstall
    [[ ! -e "$folder/first prefix" ]]
}

# Programs could not be linked from a folder of such a name.
refuses_names() {
    local name
    for name in 'pre,fix' "pre'fix" 'pre\fix' 'pre"fix' 'pre(fix' 'pre:fix' 'pre;fix'; do
        says "PREFIX is '$folder/$name': programs could not be linked from there" installer install PREFIX="$folder/$name"
        [[ ! -e $folder/$name ]]
    done
}

# DESTDIR is in no file.
takes_names() {
    local prefix="$folder/a=b+%&*é" destination="$folder/it's, here"
    installer install PREFIX="$prefix" DESTDIR="$destination"
    [[ -e $destination$prefix/bin/sluice ]]
    installer uninstall PREFIX="$prefix" DESTDIR="$destination"
    [[ ! -e $destination$prefix ]]
}

printf "# as user %s\n" "$(id -un)"
check "into a prefix with a space, over an older one, moved" install_and_move
check "the command and its parts" command_works
check "a project, by make" project_by_make
if command -v cmake >/dev/null; then
    check "a project, by CMake" project_by_cmake
    for template in graph cilk ndrange; do
        check "a project of sluice new, $template" from_template $template
    done
else
    echo "ok - install: projects, by CMake # SKIP no cmake"
fi
check "an example" example stencil
check "a program with libsluice.a in it" with_static_library
check "headers, each alone" headers_alone
check "pages with their pictures" pages_have_pictures
check "libsluice.so has what headers declare" library_is_whole
check "each thing that is missing" told_one_by_one
check "all that is missing, at once" told_at_once
check "uninstall" uninstall
rm -rf "$folder/first prefix"
check "nothing is left" leaves_nothing
check "nothing is left of what ends early" ends_early
check "names that programs could not be linked from" refuses_names
check "names that they can" takes_names
exit $status
