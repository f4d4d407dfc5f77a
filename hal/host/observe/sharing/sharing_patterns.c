/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The rule by which figures become the patterns of papers/003 sections 2.2 and 4.2. The thesis
 * describes the patterns in words; the bounds are ours. */
#include "host/observe/sharing/sharing.h"

const char *const sl_sharing_pattern_name[SL_SHARING_PATTERNS] = {
    [SL_SHARING_BROADCAST] = "broadcast",
    [SL_SHARING_BOUNDARY] = "boundary",
    [SL_SHARING_DYNAMIC] = "dynamic",
    [SL_SHARING_COALESCED] = "coalesced",
    [SL_SHARING_NON_COALESCED] = "non_coalesced",
    [SL_SHARING_ATOMIC] = "atomic",
};

static struct sl_sharing_accesses all_of(const struct sl_sharing_figures *figures)
{
    struct sl_sharing_accesses all = {.instructions = 0};

    for (unsigned kind = 0; kind < SL_SHARING_KINDS; kind++) {
        all.instructions += figures->by_kind[kind].instructions;
        all.lanes += figures->by_kind[kind].lanes;
        all.lines += figures->by_kind[kind].lines;
    }
    return all;
}

/* A kernel's parameters, counters and borders of partitions say nothing of it: an allocation counts
 * when it has a tenth of the lines that the kernel touches, or of its memory instructions. */
static bool is_significant(const struct sl_sharing_figures *array,
                           const struct sl_sharing_figures *kernel)
{
    return 10 * array->lines >= kernel->lines ||
           10 * all_of(array).instructions >= all_of(kernel).instructions;
}

/* Data of which several compute units need the same: a quarter of the lines have such words. */
static bool is_shared(const struct sl_sharing_figures *array)
{
    return 4 * array->shared_lines >= array->lines;
}

/* Most wavefronts have lanes elsewhere than the wavefront before: the addresses come out of data.
 */
static bool is_indirect(const struct sl_sharing_figures *array)
{
    return 2 * array->irregular > array->compared;
}

/* What several compute units need is the data, not the borders of what each has for itself: a third
 * of the words, or more. */
static bool is_whole(const struct sl_sharing_figures *array)
{
    return 3 * array->shared_words >= array->words;
}

/* Few enough lines for the lanes that bypassing would spare them (section 3.3): less than 8 for 32
 * lanes, which are the 512 lines of an L1 divided among 64 wavefronts. */
static bool is_coalesced(const struct sl_sharing_figures *array)
{
    const struct sl_sharing_accesses all = all_of(array);

    return 4 * all.lines < all.lanes;
}

static enum sl_sharing_pattern sharing_of(const struct sl_sharing_figures *array)
{
    if (is_indirect(array)) {
        return SL_SHARING_DYNAMIC;
    }
    return is_whole(array) ? SL_SHARING_BROADCAST : SL_SHARING_BOUNDARY;
}

static enum sl_sharing_pattern partition_of(const struct sl_sharing_figures *array)
{
    return is_coalesced(array) ? SL_SHARING_COALESCED : SL_SHARING_NON_COALESCED;
}

unsigned sl_sharing_patterns(const struct sl_sharing_figures *array,
                             const struct sl_sharing_figures *kernel)
{
    const bool is_atomic = array->by_kind[SL_SHARING_ATOMICS].instructions > 0;
    unsigned patterns = is_atomic ? 1u << SL_SHARING_ATOMIC : 0;

    if (is_significant(array, kernel)) {
        if (is_shared(array)) {
            patterns |= 1u << sharing_of(array);
        } else if (!is_atomic) { /* these are never in an L1 */
            patterns |= 1u << partition_of(array);
        }
    }
    return patterns;
}
