#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Projects of `sluice new`, in a build tree: each template is built, run and tested, one of them with CMake, too, and by
# the other commands (tests/install/test_install.sh does all with each); what cannot be made is told, and nothing is left
# of it.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=lib/project.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/project.sh"

export PATH=$bin:$PATH
unset PKG_CONFIG_PATH SLUICE SLUICE_HOME

project() {
    make_project "$1" "my_$1"
    by_make "my_$1"
}

whole() {
    project graph
    by_cmake my_graph
    by_commands my_graph
}

# The table of the command and the folders are the same.
templates() {
    run 0 sluice new --list
    awk '{ print $1 }' out | sort >listed
    (cd "$root/scripts/templates" && ls -d -- */) | grep -vx common/ | tr -d / | diff - listed
}

# A command that is a link elsewhere, of a Sluice that is not in PATH, in folders with spaces.
elsewhere() {
    mkdir 'other bin' 'my work'
    ln -s "$bin/sluice" 'other bin/sluice'
    sluice new --template ndrange 'my work/dots' >out
    expect out "^    cd 'my work/dots'\$"
    export PATH=/usr/bin:/bin
    typed make -C 'my work/dots' run SLUICE="$PWD/other bin/sluice"
    expect out '^dots\(10000\) = '
    typed cmake -S 'my work/dots' -B 'my work/dots/build' -DSLUICE="$PWD/other bin/sluice"
    typed cmake --build 'my work/dots/build'
    typed 'my work/dots/build/dots' 100 --quiet
}

# What building needs is told where it is not there.
tools_missing() {
    typed sluice new dots
    mkdir tools
    ln -s "$(command -v make)" "$(command -v cmake)" "$(command -v cc)" "$(command -v ld)" "$(command -v as)" \
        "$(command -v rm)" "$(command -v sed)" /bin/sh tools
    refused 2 "no 'sluice' to build with: put the bin folder of Sluice into PATH" env PATH="$PWD/tools" make -C dots
    refused 1 'no command sluice: put the bin folder of Sluice into PATH' env PATH="$PWD/tools" cmake -S dots -B dots/build
    refused 2 'is pkg-config installed' env PATH="$PWD/tools" make -C dots SLUICE="$bin/sluice"
    typed env PATH="$PWD/tools" make -C dots SLUICE="$bin/sluice" clean
}

# A change of the header is one of the program and of its kernels; nothing else is built again.
rebuilt() {
    typed sluice new --template ndrange dots
    typed make -C dots
    typed make -C dots --question all
    touch -d '1 minute' dots/dots.h
    typed make -C dots --dry-run all
    expect out '-o dots '
    expect out '-o dots\.elf '
}

# Without a table there is nothing that could pass.
no_table() {
    typed sluice new --template ndrange dots
    rm dots/tests.txt
    refused 2 'test.sh: cannot read tests.txt' make -C dots test
}

# Kernels of a second file, which needs an option.
several_files() {
    typed sluice new --template ndrange dots
    sed -i 's/^KERNELS .*/& more.c/' dots/Makefile
    printf '%s\n' '#ifdef MORE' '#include "sluice/wave/wave.h"' 'SL_KERNEL void more_kernel(void)' '{' '}' '#endif' >dots/more.c
    typed make -C dots KERNEL_FLAGS=-DMORE
    riscv64-unknown-elf-nm dots/dots.elf >symbols
    grep -q ' more_kernel$' symbols || fail "no more_kernel in $(cat symbols)"
}

names() {
    local name
    for name in Dots 1dots my-dots dots.c 'my dots' dots/.. '' "$(printf '%033d' 0 | tr 0 a)"; do
        refused 2 "cannot be the name of a program; it may have small letters, digits and _" sluice new "$name"
    done
    for name in sluice sl_dots sluice_dots; do
        refused 2 "'$name' cannot be the name of a program: what begins with sl_ and sluice" sluice new "$name"
    done
    for name in test run clean install build; do
        refused 2 "'$name' cannot be the name of a program: make and CMake have" sluice new "$name"
    done
    refused 2 'one project at a time' sluice new a b
    refused 2 'what is the program called' sluice new
    refused 2 "there is no template 'dag'; one of graph, cilk, ndrange" sluice new --template dag dots
    rm out err
    [[ -z $(ls) ]] || fail "made: $(ls)"
}

# An empty folder is taken, by whatever path; one with files is not, nor is what is no folder.
folders() {
    mkdir empty full "it's"
    touch full/mine text
    typed sluice new empty/
    [[ -f empty/empty_kernel.c ]] || fail "not there: $(ls empty)"
    mkdir "it's/here"
    (cd "it's/here" && sluice new . >../out && [[ -f here.c ]])
    refused 2 "'full' is there already, and is not empty" sluice new full
    refused 2 "'empty' is there already, and is not empty" sluice new empty
    refused 2 "'text' is there already, and is no folder" sluice new text
    [[ $(ls full) == mine && ! -s text ]] || fail "something was written: $(ls full)"
    refused 3 "cannot make the folder 'no/such': No such file or directory" sluice new no/such
    ln -s nowhere link
    refused 3 "cannot make the folder 'link': File exists" sluice new link
}

# One that cannot be written to, by a user who is not root.
unwritable() {
    local user=()
    if ((EUID == 0)); then
        user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
        "${user[@]}" "$bin/sluice" --version >/dev/null 2>&1 || skip "no other user can execute $bin/sluice"
        chmod 755 "$suite_folder"
    fi
    mkdir closed closed/empty
    chmod 555 closed closed/empty
    refused 3 "cannot make the folder 'closed/dots': Permission denied" "${user[@]}" "$bin/sluice" new closed/dots
    refused 3 "cannot write 'closed/empty/.*': Permission denied" "${user[@]}" "$bin/sluice" new closed/empty
    chmod 755 closed closed/empty
    [[ -d closed/empty && -z $(ls -A closed/empty) ]] || fail "left: $(ls -AR closed)"
}

# A disk that is full after a few of the files: a limit of file sizes ends the same write.
full_disk() {
    mkdir empty
    (
        ulimit -f 1
        refused 3 "cannot write 'dots/.*': File too large" sluice new dots
        refused 3 "cannot write 'empty/.*': File too large" sluice new empty
    )
    [[ ! -e dots && -z $(ls -A empty) ]] || fail "left: $(ls -AR)"
}

# A template that is not there.
not_whole() {
    mkdir -p home/bin home/lib
    cp "$bin/sluice" home/bin
    refused 3 'home/share/templates/graph: No such file or directory; ' home/bin/sluice new dots
    [[ ! -e dots ]] || fail "left: $(ls -A dots)"
}

check "a project of graph" whole
check "a project of cilk" project cilk
check "a project of ndrange" project ndrange
check "templates" templates
check "a link to the command" elsewhere
check "tools that are missing" tools_missing
check "what is built again" rebuilt
check "no table of tests" no_table
check "kernels of several files, with an option" several_files
check "names" names
check "folders" folders
check "no permission" unwritable
check "a full disk" full_disk
check "parts that are missing" not_whole
