# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The two sets of checks: the main one (`make test`) and the rest (`make test-rest`). SLUICE_TEST_SET says which of them
# run: `main` or `rest`; both without it. scripts/run-tests.sh starts in the rest only scripts that name check_rest,
# check_sample or in_rest themselves.
# shellcheck shell=bash

in_main() {
    [[ ${SLUICE_TEST_SET:-main} == main ]]
}

in_rest() {
    [[ ${SLUICE_TEST_SET:-rest} == rest ]]
}
