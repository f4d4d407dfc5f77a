#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Installs what `make all` has built, and removes it again (mk/install.mk).
# usage: scripts/install.sh install PROGRAM...   the host programs to install, of those in build/bin
#        scripts/install.sh uninstall
# Environment: SLUICE_BUILD, the build folder; PREFIX; DESTDIR, which is put in front of PREFIX, for packages;
# SLUICE_VERSION and SLUICE_ABI, as the shared library is called.
#
# Everything in it finds the rest relative to itself, so that PREFIX may be moved. What is installed, and which
# folders were made for it, is listed in lib/sluice/installed, relative to PREFIX too: uninstall removes exactly that,
# and an install over an older one what is not there any more. What is where, and why: docs/do/install.md.
set -euo pipefail
umask 022

cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${SLUICE_BUILD:-build}
root=${DESTDIR:-}${PREFIX:?the folder to install to}
list=lib/sluice/installed
home=lib/sluice
share=share/sluice
new= # what is installed now: `f PATH` and `d PATH`, one per line
old= # what an older one has installed

fail() {
    printf 'install: %s\n' "$*" >&2
    exit 2
}

# ---- what install does with files; paths are relative to PREFIX. What is written is listed first: it may end early ----

# folder PATH: makes it, and remembers those that were not there.
folder() {
    [[ -d $root/$1 ]] && return 0
    if [[ $1 == . ]]; then
        mkdir -p "$root"
    elif [[ $1 == */* ]]; then
        folder "${1%/*}"
        mkdir "$root/$1"
    else
        folder .
        mkdir "$root/$1"
    fi
    new+="d $1"$'\n'
}

# put_in MODE FOLDER SOURCE...
put_in() {
    local file
    folder "$2"
    for file in "${@:3}"; do
        new+="f $2/${file##*/}"$'\n'
    done
    install -m "$1" -t "$root/$2" -- "${@:3}"
}

# put_stripped MODE FOLDER SOURCE...: programs and libraries, without what only a debugger reads.
put_stripped() {
    local file
    put_in "$@"
    for file in "${@:3}"; do
        printf '%s\0' "$root/$2/${file##*/}"
    done | xargs -0 strip --strip-unneeded
}

# put_tree SOURCE FOLDER: its files and those below it.
put_tree() {
    local place files
    while IFS= read -r place; do
        mapfile -t files < <(find "$1/$place" -maxdepth 1 -type f | LC_ALL=C sort)
        if ((${#files[@]} > 0)); then
            put_in 644 "$2${place:+/$place}" "${files[@]}"
        fi
    done < <(find "$1" -type d -printf '%P\n' | LC_ALL=C sort)
}

# link TARGET PATH
link() {
    folder "${2%/*}"
    new+="f $2"$'\n'
    ln -sfn "$1" "$root/$2"
}

# put_text PATH: standard input.
put_text() {
    folder "${1%/*}"
    new+="f $1"$'\n'
    rm -f "$root/$1"
    cat >"$root/$1"
}

# ---- what there is ----

put_host_library() {
    put_stripped 644 lib "$build/lib/libsluice.so.$SLUICE_VERSION"
    link "libsluice.so.$SLUICE_VERSION" "lib/libsluice.so.$SLUICE_ABI"
    link "libsluice.so.$SLUICE_ABI" lib/libsluice.so
    put_in 644 lib "$build/lib/libsluice.a"
    strip --strip-debug "$root/lib/libsluice.a"
    put_tree hal/include/sluice include/sluice
    put_in 644 include/sluice/contract hal/contract/*.def
    put_text lib/pkgconfig/sluice.pc <<<"$(print_pkg_config)"
}

# The dynamic linker looks into /usr by itself.
print_pkg_config() {
    local rpath=" -Wl,-rpath,\${libdir}"
    if [[ $PREFIX == /usr ]]; then
        rpath=
    fi
    cat <<PC
prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: sluice
Description: Programs on GPUs that a programmable control processor feeds, and the machine to run them on
Version: $SLUICE_VERSION
Cflags: -I\${includedir}
Libs: -L\${libdir}$rpath -lsluice
Libs.private: -lelf -ldw -linih -ljansson -lpthread -lm
PC
}

# home looks as the build folder does: hal/config/install_paths.h.
put_home() {
    put_stripped 755 $home/bin "$build"/bin/{sluice,mkflash,kernel-entries,check-convergence}
    link ../$home/bin/sluice bin/sluice
    put_in 755 $home/bin scripts/sluice-kernel-cc
    put_stripped 644 $home/lib "$build"/lib/sluice-plugin.so
    put_stripped 755 $home/lib "$build/lib/sluice-native"
    link "../../libsluice.so.$SLUICE_ABI" "$home/lib/libsluice.so.$SLUICE_ABI" # where the programs look for it
    put_stripped 755 $home/lib "$build"/lib/sluice-kernel-plugin.so
    put_in 644 $home/lib "$build"/lib/libsluice-wave.a "$build"/lib/libsluice-wave-called.a
    put_in 644 $home/firmware "$build"/firmware/sluice.{elf,flash}
    put_in 644 $home/linker linker/kernel.ld
    put_tree "$build/newlib/kernel/include" $home/newlib/kernel/include
    put_in 644 $home/newlib/kernel/lib "$build"/newlib/kernel/lib/lib{c,m}.a
    "${CROSS:-riscv64-unknown-elf-}strip" --strip-debug "$root/$home"/newlib/kernel/lib/lib{c,m}.a
    link ../../../include/sluice $home/include/sluice # and nothing else of PREFIX/include, for kernels
    link ../../$share $home/share
    put_tree sim-soc/configs $share/configs
    put_tree scripts/panels $share/panels
    put_tree scripts/page $share/page
    put_in 644 $share "$build/share/lines.json"
}

# Each with its kernels, whose files begin with its name.
put_programs() {
    local program kernels=()
    put_stripped 755 $home/bin "${@/#/$build/bin/}"
    for program in "$@"; do
        kernels+=("$build/kernels/$program.elf")
        mapfile -t -O ${#kernels[@]} kernels < <(compgen -G "$build/kernels/${program}_*.elf")
    done
    put_in 644 $home/kernels "${kernels[@]}"
}

put_documents() {
    local page text folder
    put_in 644 share/doc/sluice README.md CONTRIBUTING.md CHANGELOG.md LICENSE
    for folder in learn "do" know look-up; do
        put_in 644 "share/doc/sluice/$folder" docs/$folder/*.md
    done
    put_in 644 share/doc/sluice/pictures docs/pictures/*.svg
    if [[ -f $build/site/html/index.html ]]; then # made by `make site`
        put_tree "$build/site/html" share/doc/sluice/html
    fi
    for page in docs/man/*.[1-9]; do
        text=$(sed "s/@VERSION@/$SLUICE_VERSION/" "$page")
        put_text "share/man/man${page##*.}/$(basename "$page")" <<<"$text"
    done
    text=$("$build/bin/sluice" manual)
    put_text share/man/man1/sluice.1 <<<"$text"
    text=$("$build/bin/sluice" completion)
    put_text share/bash-completion/completions/sluice <<<"$text"
    for folder in docs/examples scripts/project scripts/templates; do
        if [[ -d $folder ]]; then
            put_tree "$folder" "$share/$(basename "$folder")"
        fi
    done
}

# ---- removing ----

# remove_listed LIST: its files, then its folders that are empty, the deepest first.
remove_listed() {
    local kind path
    while read -r kind path; do
        if [[ $kind == f ]]; then
            rm -f "$root/$path"
        fi
    done <<<"$1"
    while read -r kind path; do
        if [[ $kind == d && $path != . && -d $root/$path ]]; then
            rmdir --ignore-fail-on-non-empty "$root/$path"
        fi
    done < <(LC_ALL=C sort -r <<<"$1")
    if grep -qx 'd \.' <<<"$1" && [[ -d $root ]]; then
        rmdir --ignore-fail-on-non-empty "$root"
    fi
}

# Of the lines of a list, those of folders that are there.
existing_folders() {
    local kind path
    while read -r kind path; do
        [[ ! -d $root/$path ]] || printf '%s %s\n' "$kind" "$path"
    done
}

# write_list LINES
write_list() {
    LC_ALL=C sort -u <<<"$1" | sed '/^$/d' >"$root/$list"
}

# Where it ends in the midst of it, what is there by then can be removed, with what an older one has left.
end_early() {
    folder "${list%/*}"
    write_list "f $list"$'\n'"$new$old"
    printf 'install: not all is installed to %s; uninstall removes what is\n' "$root" >&2
}

# Programs are built with what sluice.pc says, and there is no way to write these characters so that pkg-config, CMake and
# the compiler's -Wl, all take them.
check_prefix() {
    local -r bad=$',:;\'"\\\\$()\n'
    if [[ $PREFIX == *["$bad"]* ]]; then
        fail "PREFIX is '$PREFIX': programs could not be linked from there, since pkg-config, CMake and the linker's options" \
            "take no path with , : ; ' \" \\ \$ or parentheses: choose another folder"
    fi
}

install_all() {
    check_prefix
    if [[ -f $root/$list ]]; then
        old=$(<"$root/$list")
    fi
    trap end_early EXIT
    trap 'exit 131' QUIT
    put_host_library
    put_home
    put_programs "$@"
    put_documents
    folder "${list%/*}"
    new+="f $list"$'\n'
    if [[ -n $old ]]; then
        remove_listed "$(LC_ALL=C comm -23 <(LC_ALL=C sort -u <<<"$old") <(LC_ALL=C sort -u <<<"$new"))"
        new+=$(grep '^d ' <<<"$old" | existing_folders) # that an older one has made are still ours
    fi
    write_list "$new"
    trap - EXIT QUIT
}

case ${1:-} in
install)
    shift
    install_all "$@"
    printf 'installed to %s\n' "$root"
    ;;
uninstall)
    [[ -f $root/$list ]] || fail "nothing is installed in $root: there is no $root/$list"
    remove_listed "$(<"$root/$list")"
    printf 'removed from %s\n' "$root"
    ;;
*) fail "usage: scripts/install.sh install PROGRAM... | uninstall" ;;
esac
