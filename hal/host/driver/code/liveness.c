/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Backward data flow over all functions at once, from no register live, until nothing changes. */
#include "host/driver/code/analysis.h"

#include <stdbool.h>
#include <stdlib.h>

#include "host/driver/code/decoded.h"

/* What an instruction does to the flow. Places that it goes to are parcels, or one of the two
 * below; FLOW_NOWHERE is an unused one. */
#define FLOW_UNKNOWN SIZE_MAX /* no instruction that is known: every register is live there */
#define FLOW_NOWHERE (SIZE_MAX - 1)
#define FLOW_ENTRIES (SIZE_MAX - 2) /* the beginning of any function */

struct flow {
    uint64_t reads;
    uint64_t writes;
    size_t target;
    size_t behind;
};

struct analysis {
    const struct sl_decoded *decoded;
    struct flow *flows; /* per parcel */
    uint64_t *live;
    uint64_t live_at_entries; /* of functions */
};

static uint64_t bit(uint8_t reg)
{
    return (1ull << reg) & SL_LIVE_ALL;
}

/* The place behind an instruction; FLOW_UNKNOWN where none begins there. */
static size_t behind(const struct sl_decoded *decoded, size_t at)
{
    return sl_decoded_place(decoded, sl_decoded_address(decoded, sl_decoded_behind(decoded, at)));
}

/* Where a jalr goes whose register an auipc sets right in front of it, which is the instruction
 * `before`; else `unknown`. */
static size_t far_target(const struct sl_decoded *decoded, size_t before, size_t at, size_t unknown)
{
    const struct sl_insn *jump = &decoded->insns[at];
    const struct sl_insn *high = &decoded->insns[before];

    if (before == at || !sl_insn_is_far_jump(high, jump)) {
        return unknown;
    }
    return sl_decoded_place(decoded, sl_decoded_address(decoded, before) +
                                         (uint64_t)(int64_t)high->immediate +
                                         (uint64_t)(int64_t)jump->immediate);
}

static void set_flow(struct analysis *analysis, size_t before, size_t at)
{
    const struct sl_decoded *decoded = analysis->decoded;
    const struct sl_insn *insn = &decoded->insns[at];
    struct flow *flow = &analysis->flows[at];

    *flow = (struct flow){
        .reads = bit(insn->rs1) | bit(insn->rs2) | bit(insn->rs3),
        .writes = bit(insn->rd),
        .target = FLOW_NOWHERE,
        .behind = behind(decoded, at),
    };
    if (sl_insn_is_end(insn) || sl_insn_is_return(insn)) {
        flow->behind = FLOW_NOWHERE;
    } else if (insn->class == SL_CLASS_BRANCH || insn->id == SL_INSN_JAL) {
        flow->target = sl_decoded_place(decoded, sl_decoded_address(decoded, at) +
                                                     (uint64_t)(int64_t)insn->immediate);
        if (sl_insn_is_direct_jump(insn)) {
            flow->behind = FLOW_NOWHERE;
        }
    } else if (insn->id == SL_INSN_JALR && sl_insn_is_call(insn)) {
        flow->target = far_target(decoded, before, at, FLOW_ENTRIES);
    } else if (insn->id == SL_INSN_JALR) {
        flow->behind = FLOW_NOWHERE;
        flow->target = far_target(decoded, before, at, FLOW_UNKNOWN);
    }
}

static void set_flows(struct analysis *analysis, struct sl_code_range range)
{
    size_t before = range.first;

    for (size_t at = range.first; at < range.end; at = sl_decoded_behind(analysis->decoded, at)) {
        set_flow(analysis, before, at);
        before = at;
    }
}

static uint64_t live_at(const struct analysis *analysis, size_t place)
{
    switch (place) {
    case FLOW_NOWHERE:
        return 0;
    case FLOW_UNKNOWN:
        return SL_LIVE_ALL;
    case FLOW_ENTRIES:
        return analysis->live_at_entries;
    default:
        return analysis->live[place];
    }
}

static uint64_t live_before(const struct analysis *analysis, const struct flow *flow)
{
    const uint64_t after = live_at(analysis, flow->target) | live_at(analysis, flow->behind);

    return flow->reads | (after & ~flow->writes);
}

/* Goes over a function once, backwards; returns whether anything became live. */
static bool sweep(const struct analysis *analysis, struct sl_code_range range)
{
    bool has_changed = false;

    for (size_t at = range.end; at-- > range.first;) {
        if (analysis->decoded->insns[at].bytes != 0) {
            uint64_t before = live_before(analysis, &analysis->flows[at]);
            has_changed |= before != analysis->live[at];
            analysis->live[at] = before;
        }
    }
    return has_changed;
}

static void solve(struct analysis *analysis)
{
    const struct sl_decoded *decoded = analysis->decoded;
    const struct sl_code *code = decoded->code;
    bool has_changed = true;

    for (size_t at = 0; at < decoded->parcels; at++) {
        analysis->live[at] = decoded->insns[at].bytes != 0 ? 0 : SL_LIVE_ALL;
    }
    while (has_changed) {
        uint64_t entries = 0;
        for (size_t f = 0; f < code->function_count; f++) {
            entries |= live_at(analysis, sl_decoded_place(decoded, code->functions[f].address));
        }
        has_changed = entries != analysis->live_at_entries;
        analysis->live_at_entries = entries;
        for (size_t r = decoded->range_count; r-- > 0;) {
            has_changed |= sweep(analysis, decoded->ranges[r]);
        }
    }
}

int sl_liveness(const struct sl_code *code, uint64_t *live)
{
    struct sl_decoded decoded;
    int status = sl_decoded_open(code, &decoded);
    struct analysis analysis = {
        .decoded = &decoded,
        .flows = calloc(decoded.parcels + 1, sizeof *analysis.flows),
        .live = live,
    };

    if (analysis.flows == NULL) {
        status = -1;
    }
    if (status == 0) {
        for (size_t r = 0; r < decoded.range_count; r++) {
            set_flows(&analysis, decoded.ranges[r]);
        }
        solve(&analysis);
    }
    free(analysis.flows);
    sl_decoded_close(&decoded);
    return status;
}
