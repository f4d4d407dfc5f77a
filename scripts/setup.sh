#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Sets a Debian machine up: installs the packages that are missing.
# usage: scripts/setup.sh [all|run|paper|site]     what every target needs, or only what `make run` needs, or that
#                                                  and what writes reports, or the site
#        scripts/setup.sh missing [SCOPE]          names what is missing, one per line; changes nothing
# As root, or with sudo that asks for no password, packages are installed with apt-get; otherwise the
# command to install them is printed, and the status is 1. A package counts as present when what is used of it
# is there (a command, a header, a file): a QEMU or a compiler from elsewhere will do.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
log=${SLUICE_BUILD:-build}/setup.log

# package, what needs it, what is used of it
packages="
gcc                           run   command:gcc
g++                           run   command:g++
libgmp-dev                    run   header:gmp.h
libc6-dev                     run   header:stdlib.h
make                          run   command:make
xz-utils                      run   command:xz
gcc-riscv64-unknown-elf       run   command:riscv64-unknown-elf-gcc
binutils-riscv64-unknown-elf  run   command:riscv64-unknown-elf-ld
newlib-source                 run   file:/usr/src/newlib/newlib-*.tar.xz
qemu-system-misc              run   command:qemu-system-riscv64
libelf-dev                    run   header:gelf.h
libdw-dev                     run   header:elfutils/libdwfl.h
libinih-dev                   run   header:ini.h
libjansson-dev                run   header:jansson.h
zlib1g-dev                    run   header:zlib.h
libjq-dev                     run   header:jq.h
libxxhash-dev                 run   header:xxhash.h
node-d3                       paper file:/usr/share/nodejs/d3/dist/d3.min.js
parallel                      paper command:parallel
python3-sphinx                site  file:/usr/lib/python3/dist-packages/sphinx/__init__.py
python3-myst-parser           site  file:/usr/lib/python3/dist-packages/myst_parser/__init__.py
python3-sphinx-copybutton     site  file:/usr/lib/python3/dist-packages/sphinx_copybutton/__init__.py
furo                          site  file:/usr/lib/python3/dist-packages/furo/__init__.py
python3-breathe               site  file:/usr/lib/python3/dist-packages/breathe/__init__.py
doxygen                       site  command:doxygen
groff-base                    site  command:groff
libcmocka-dev                 test  header:cmocka.h
gdb-multiarch                 test  command:gdb-multiarch
clang-format                  test  command:clang-format
procps                        test  command:ps
qemu-user                     test  command:qemu-riscv64
valgrind                      test  command:callgrind_annotate
python3                       test  command:python3
pkg-config                    test  command:pkg-config
cmake                         test  command:cmake
munge                         test  command:munged
slurmctld                     test  command:slurmctld
slurmd                        test  command:slurmd
slurm-client                  test  command:sbatch
spin                          test  command:spin
chromium                      test  command:chromium
chromium-driver               test  command:chromedriver
python3-selenium              test  file:/usr/lib/python3/dist-packages/selenium/__init__.py
"

fail() {
    printf 'setup: %s\n' "$*" >&2
    exit 1
}

present() {
    local what=${1#*:} folder
    case $1 in
    command:*) PATH=$PATH:/usr/sbin command -v "$what" >/dev/null ;;
    file:*) compgen -G "$what" >/dev/null ;;
    header:*)
        for folder in /usr/local/include /usr/include /usr/include/"$(uname -m)"-linux-gnu; do
            if [[ -f $folder/$what ]]; then
                return 0
            fi
        done
        return 1
        ;;
    esac
}

# is_wanted SCOPE PURPOSE
is_wanted() {
    [[ $1 == all || $1 == "$2" || ($1 =~ ^(paper|site)$ && $2 == run) ]]
}

missing_packages() {
    local package purpose used
    while read -r package purpose used; do
        if [[ -n $package ]] && is_wanted "$1" "$purpose" && ! present "$used"; then
            printf '%s\n' "$package"
        fi
    done <<<"$packages"
}

# Runs a command with its output in the log; shows the log's end when it fails.
logged() {
    if ! "$@" >>"$log" 2>&1 </dev/null; then
        tail -n 20 "$log" >&2
        fail "failed: $*; the whole log is $log"
    fi
}

install_packages() {
    local names=("$@") as_root=()
    local command="apt-get install --no-install-recommends ${names[*]}"
    printf '# missing packages: %s\n' "${names[*]}"
    command -v apt-get >/dev/null || fail "no apt-get here: install what Debian calls: ${names[*]}"
    if ((EUID != 0)); then
        sudo -n true 2>/dev/null ||
            fail "not root, so install them with: sudo apt-get update && sudo $command"
        as_root=(sudo -n)
    fi
    printf '# installing them with apt-get ...\n'
    mkdir -p "$(dirname "$log")"
    : >"$log"
    logged "${as_root[@]}" apt-get -q update
    logged "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y install \
        --no-install-recommends "${names[@]}"
}

scope=${1:-all}
if [[ $scope == missing ]]; then
    missing_packages "${2:-all}"
    exit 0
fi
[[ $scope == all || $scope == run || $scope == paper || $scope == site ]] ||
    fail "unknown scope '$scope': all, run, paper or site"

mapfile -t names < <(missing_packages "$scope")
if ((${#names[@]} > 0)); then
    install_packages "${names[@]}"
    mapfile -t names < <(missing_packages "$scope")
    ((${#names[@]} == 0)) || fail "installed, but what is used of these is still missing: ${names[*]}"
fi
