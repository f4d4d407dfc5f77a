# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What is tried out with a project of `sluice new`, in the current folder, by the `sluice` of PATH: of this build
# (suite/new.sh), or installed. Needs lib/common.sh.
# shellcheck shell=bash disable=SC2154 # hang_s

# The command line of a user: quiet where all is well.
typed() {
    timeout --kill-after=5 "$hang_s" "$@" >out 2>err || fail "$*: status $?: $(cat out err)"
}

# refused STATUS PATTERN COMMAND...
refused() {
    local status=0
    timeout --kill-after=5 "$hang_s" "${@:3}" >out 2>err || status=$?
    ((status == $1)) || fail "${*:3} ended with status $status, wanted $1: $(cat out err)"
    expect err "$2"
}

# make_project TEMPLATE NAME: the folder, as the message says.
make_project() {
    typed sluice new --template "$1" "$2"
    expect out "^made $2, "
    expect out "^    cd $2\$"
    if grep -rniE 'the_(program|template|sentence)|SPDX' "$2"; then
        fail "left from the template"
    fi
}

# by_make NAME: built without a warning, run and tested; a test that has to fail does.
by_make() {
    typed make -C "$1" WARNINGS='-Wall -Wextra -Werror'
    typed make -C "$1" run ARGUMENTS=1000
    expect out "^$1\\(1000\\) = -?[0-9]+\$"
    typed make -C "$1" test
    (($(grep -c '^ok - ' out) == $(grep -c '^[0-9]' "$1/tests.txt"))) || fail "tests: $(cat out)"
    printf '0 | 1000 | %s(1000) = 1000000\n' "$1" >>"$1/tests.txt"
    refused 2 'Error 1' make -C "$1" test
    expect out "^not ok - 1000: status 0 and \"$1\\(1000\\) = "
    sed -i '$d' "$1/tests.txt"
}

# by_cmake NAME: the same with CMake, which reports by ctest.
by_cmake() {
    typed cmake -S "$1" -B "$1/build" -DCMAKE_C_FLAGS=-Werror
    typed cmake --build "$1/build"
    typed ctest --test-dir "$1/build"
    expect out '100% tests passed'
}

# by_commands NAME: what a project's program is for Sluice's commands.
by_commands() {
    (
        cd "$1" || exit 1
        typed sluice run "./$1" 1000 --quiet --set gpu.cus=2
        expect out "^$1\\(1000\\) = -?[0-9]+\$"
        typed sluice sweep --out runs --vary gpu.cus=1,2 "./$1 1000"
        expect out '^2 of 2 runs are right'
        typed sluice profile --cores simple --seeds 1 "./$1 1000"
        expect out '^simple +[0-9.]+$'
        look_closer
    )
}

# look_closer: what README.md says of profile, trace and samples, as it stands there; the wavefront that it names is one.
look_closer() {
    local line
    while IFS= read -r line; do
        typed bash -c "$line"
    done < <(grep -E '^    (\./.* --(kernel-profile|trace|sample) |sluice annotate )' README.md)
    [[ -s run.kp ]] || fail "no profile: $(cat README.md)"
    grep -q ' w0 ' run.trace || fail "no wavefront 0: $(head run.trace)"
    (($(wc -l <run.csv) > 2)) || fail "no samples: $(cat run.csv)"
}
