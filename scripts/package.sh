#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Makes a Debian package of what `make all` has built (mk/install.mk): BUILD/sluice_VERSION_ARCHITECTURE.deb, for
# `apt-get install ./FILE`. What it depends on is found out by dpkg-shlibdeps, so that it fits the release that it was
# made on.
# usage: scripts/package.sh PROGRAM...   the host programs to install, as of scripts/install.sh
# Environment: SLUICE_BUILD, the build folder; SLUICE_VERSION and SLUICE_ABI. Needs Debian's packages dpkg-dev and xz-utils.
set -euo pipefail
umask 022

cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$(cd "${SLUICE_BUILD:-build}" && pwd)
parts=$PWD/scripts/package
architecture=$(dpkg --print-architecture)
package=$build/sluice_${SLUICE_VERSION}_$architecture.deb
work=$build/package
root=$work/root
document=$root/usr/share/doc/sluice

fail() {
    printf 'package: %s\n' "$*" >&2
    exit 1
}

# fill FILE: a file of scripts/package, with what is known by now.
fill() {
    sed -e "s/@VERSION@/$SLUICE_VERSION/; s/@ARCHITECTURE@/$architecture/; s/@DEPENDS@/${depends:-}/; s/@SIZE@/${size:-}/" \
        "$parts/$1"
}

# Debian's places for what every package has, and no list of our own: dpkg has one.
put_documents() {
    rm "$root/usr/lib/sluice/installed" "$document/LICENSE"
    {
        printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\n'
        printf 'Files: *\nCopyright: The Sluice authors\nLicense: BSD-2-Clause\n'
        sed 's/^$/./; s/^/ /' LICENSE
    } >"$document/copyright"
    fill changelog | gzip -9n >"$document/changelog.gz"
    find "$root/usr/share/man" -type f -exec gzip -9n {} +
    mkdir -p "$root/usr/share/lintian/overrides"
    cp "$parts/lintian-overrides" "$root/usr/share/lintian/overrides/sluice"
}

# The packages with the libraries that programs, plugins and the library need.
shared_libraries() {
    local files
    mkdir -p "$work/debian"
    printf 'Source: sluice\n\nPackage: sluice\nArchitecture: any\n' >"$work/debian/control"
    mapfile -t files < <(find "$root/usr/lib" -type f \( -path '*/sluice/bin/*' -o -name '*.so*' \) ! -name sluice-kernel-cc)
    (cd "$work" && dpkg-shlibdeps -O -S"$root" -l"$root/usr/lib" -xsluice "${files[@]}" 2>"$work/shlibdeps.log") ||
        fail "dpkg-shlibdeps failed: $(<"$work/shlibdeps.log")"
}

put_control() {
    mkdir -p "$root/DEBIAN"
    depends=$(shared_libraries)
    depends=${depends#shlibs:Depends=}
    size=$(du -k --apparent-size -s "$root" | cut -f 1)
    fill control >"$root/DEBIAN/control"
    printf 'libsluice %s sluice\n' "$SLUICE_ABI" >"$root/DEBIAN/shlibs"
    printf 'activate-noawait ldconfig\n' >"$root/DEBIAN/triggers"
    (cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
}

command -v dpkg-shlibdeps >/dev/null || fail "no dpkg-shlibdeps: install Debian's package dpkg-dev"
rm -rf "$work"
mkdir -p "$work"
DESTDIR=$root PREFIX=/usr scripts/install.sh install "$@" >/dev/null
put_documents
put_control
SOURCE_DATE_EPOCH=$(fill changelog | dpkg-parsechangelog -l- -STimestamp)
export SOURCE_DATE_EPOCH
dpkg-deb --root-owner-group -Zxz --build "$root" "$package" >/dev/null
rm -rf "$work"
printf '%s\n' "$package"
