#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Prints the contract id, 16 hexadecimal digits: a hash of what firmware, plugin and host library have to agree on, which is
# the tables of hal/contract without their sentences, and the capacities and addresses of two headers. Machines are started
# with parts of one id only (hal/host/driver/machine/contracts.c). A table or a macro that is new is in it as it is written.
#
#     scripts/contract-id.sh [TREE]     CC is the preprocessor
set -euo pipefail

cd "${1:-$(dirname "${BASH_SOURCE[0]}")/..}"
headers=(hal/include/sluice/limits.h hal/include/sluice/memory_map.h)

preprocess() {
    "${CC:-gcc}" -w -E -P -x c -Ihal -Ihal/include "$@"
}

# The macros of tables without the columns that people read. The compiler's spaces are removed: marks are between words.
columns() {
    cat <<'MACROS'
#include "sluice/limits.h"
#define SL_ENUM_BEGIN(name, prefix, text) enum(name, prefix)
#define SL_ENUM_VALUE(prefix, name, value, text) value(prefix, name, value)
#define SL_ENUM_END(name)
#define SL_REFUSAL(name, value, node, explanation, valid, text) refusal(name, value, node)
#define SL_FAULT(name, value, address, value0, value1, text) fault(name, value)
#define SL_LAYOUT_BEGIN(name, bytes, text) layout(name, bytes)
#define SL_LAYOUT_FIELD(name, offset, type, field, text) field(offset, type, field)
#define SL_LAYOUT_ARRAY(name, offset, type, field, count, text) array(offset, type, field, count)
#define SL_LAYOUT_GAP(name, offset, bytes) gap(offset, bytes)
#define SL_LAYOUT_END(name)
#define SL_REGISTER(name, offset, access, text) register(name, offset, access)
#define SL_POLICY(NAME, name, value, graphs, flags, text) policy(name, value, graphs, flags)
#define SL_POLICY_FLAG(NAME, name, bit, text) policy_flag(name, bit)
#define SL_PREDICATE(NAME, name, value, text) predicate(name, value)
#define SL_GUARD(NAME, name, value, text) guard(name, value)
#define SL_EXCEPTION(cause, name) exception(cause)
#define SL_AGG_STACK(ID, name, words, text) agg_stack(name)
#define SL_STALL(ID, name, words, text) stall(name)
#define SL_SERVED_KIND(ID, name, text) served_kind(name)
#define SL_SERVED_PLACE(ID, name, text) served_place(name)
#define SL_SERVED_STRUCTURE(ID, name, text) served_structure(name)
#define SL_STATISTIC(ID, name, kind, unit, together, text) statistic(name, kind, unit)
MACROS
}

meaning() {
    local table header
    for table in hal/contract/*.def; do
        printf 'table %s\n' "$table"
        { columns && printf '#include "contract/%s"\n' "${table##*/}"; } | preprocess -
    done
    for header in "${headers[@]}"; do
        preprocess -dD "$header" | grep '^#define SL_'
    done
}

meaning | tr -d '[:space:]' | sha256sum | cut -c 1-16
