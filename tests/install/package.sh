#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The Debian package, on this machine: `make test-deb` makes it and calls this. Only root can, it changes the machine, and
# so it is no part of `make test`. Where the package is installed already, nothing is done.
#   - lintian has nothing to say, but for what scripts/package/lintian-overrides explains.
#   - apt-get installs it; a project outside the source tree is built, and is right, for a user who is not root.
#   - apt-get removes it, and nothing of it is left.
# Reports in TAP.
# shellcheck disable=SC2317 # `check` calls the functions
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${SLUICE_BUILD:-$root/build}" && pwd)
version=$(sed -n 's/^#define SL_VERSION "\(.*\)"/\1/p' "$root/hal/include/sluice/version.h")
package=$build/sluice_${version}_$(dpkg --print-architecture).deb

if ((EUID != 0)); then
    echo "not ok - package: only root can install packages"
    exit 1
fi
if dpkg -s sluice >/dev/null 2>&1; then
    echo "ok - package # SKIP a package sluice is installed on this machine"
    exit 0
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
export DEBIAN_FRONTEND=noninteractive
unset SLUICE_HOME SLUICE_BUILD MAKEFLAGS PKG_CONFIG_PATH

status=0
check() { # check NAME COMMAND...: what it prints is shown where it fails
    local ended
    (set -e; "${@:2}") >"$folder/said" 2>&1 </dev/null # in no condition, where -e would not count
    ended=$?
    if ((ended == 0)); then
        echo "ok - package: $1"
    else
        sed 's/^/# /' "$folder/said"
        echo "not ok - package: $1"
        status=1
    fi
}

lintian_is_content() {
    lintian --no-tag-display-limit "$package" 2>/dev/null | tee "$folder/remarks"
    [[ ! -s $folder/remarks ]]
}

as_nobody() {
    (cd "$folder/project" && setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$folder" "$@")
}

is_installed() {
    cp "$package" "$folder"
    apt-get -q -y install --no-install-recommends "$folder/${package##*/}"
    dpkg -L sluice | LC_ALL=C sort >"$folder/files"
    [[ $(sluice --version) == "sluice $version" ]]
    [[ $(dpkg --verify sluice) == '' ]]
}

project_works() {
    cp -r "$root/tests/install/project" "$folder/project"
    chown -R 65534:65534 "$folder/project"
    as_nobody make -s
    [[ $(as_nobody ./squares 1000 --quiet) == 'squares(1000) = 332833500' ]]
    [[ $(as_nobody sluice run fib 12 --quiet --config isca14) == 'fib(12) = 144' ]]
    readelf -d "$folder/project/squares" >"$folder/dynamic"
    grep 'libsluice.so' "$folder/dynamic"
    ! grep -i runpath "$folder/dynamic"
}

is_removed() {
    local file
    apt-get -q -y remove sluice
    while IFS= read -r file; do
        # Folders that others use, too, stay.
        if [[ -e $file || -L $file ]] && [[ ! -d $file || $file == *sluice* ]]; then
            printf '%s is left\n' "$file"
            return 1
        fi
    done <"$folder/files"
    [[ -s $folder/files ]]
    ! ldconfig -p | grep libsluice
}

if command -v lintian >/dev/null; then
    check "lintian" lintian_is_content
else
    echo "ok - package: lintian # SKIP no lintian"
fi
check "apt-get installs it" is_installed
check "a project is built with it, and runs" project_works
check "apt-get removes it" is_removed
exit $status
