#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Reads the public headers with Doxygen (docs/Doxyfile) and writes what they declare as XML, FOLDER/xml, for the API pages of
# the site. A warning is an error. XML that is newer than the headers is left alone.
# usage: scripts/api-xml.sh FOLDER
set -euo pipefail

mkdir -p "$1"
SLUICE_API=$(cd "$1" && pwd) # Doxyfile reads it
export SLUICE_API
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ -f $SLUICE_API/complete && -z $(find hal/include/sluice docs/Doxyfile -newer "$SLUICE_API/complete") ]]; then
    exit
fi
rm -rf "$SLUICE_API/xml" "$SLUICE_API/complete"
touch "$SLUICE_API/begun" # headers may change meanwhile
doxygen docs/Doxyfile
mv "$SLUICE_API/begun" "$SLUICE_API/complete"
