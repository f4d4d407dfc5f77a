/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The check of sequences. Freestanding; no arithmetic on untrusted numbers can overflow. */
#include "check/launch/sequence_check.h"

static int check_head(const struct sl_sequence *sequence, const struct sl_graph_limits *limits,
                      struct sl_graph_refusal *refusal)
{
    const uint64_t address = (uintptr_t)sequence;

    if (sl_refuse_place(refusal, SL_REFUSE_SEQUENCE_ADDRESS, 0, limits, address, sizeof(*sequence),
                        8) != 0) {
        return -1;
    }
    if (sequence->magic != SL_SEQUENCE_MAGIC) {
        return sl_refuse(refusal, SL_REFUSE_SEQUENCE_MAGIC, 0, sequence->magic, SL_SEQUENCE_MAGIC);
    }
    if (sequence->count < 1 || sequence->count > SL_SEQUENCE_LAUNCHES) {
        return sl_refuse(refusal, SL_REFUSE_SEQUENCE_COUNT, 0, sequence->count,
                         SL_SEQUENCE_LAUNCHES);
    }
    return sl_refuse_place(refusal, SL_REFUSE_SEQUENCE_ADDRESS, 0, limits, address,
                           sizeof(*sequence) + sequence->count * sizeof(struct sl_launch), 8);
}

static int check_part(const struct sl_sequence *sequence, const struct sl_graph_limits *limits,
                      struct sl_graph_refusal *refusal)
{
    if (sequence->word == 0) {
        return 0;
    }
    if (sequence->last >= sequence->count) {
        return sl_refuse(refusal, SL_REFUSE_SEQUENCE_PART, 0, sequence->last, sequence->count - 1);
    }
    if (sequence->first > sequence->last) {
        return sl_refuse(refusal, SL_REFUSE_SEQUENCE_PART, 0, sequence->first, sequence->last);
    }
    return sl_refuse_place(refusal, SL_REFUSE_SEQUENCE_WORD, 0, limits, sequence->word,
                           sizeof(uint32_t), sizeof(uint32_t));
}

int sl_sequence_check(const struct sl_sequence *sequence, const struct sl_graph_limits *limits,
                      const struct sl_cu_shape *cu, struct sl_graph_refusal *refusal,
                      struct sl_graph_scratch *scratch)
{
    if (check_head(sequence, limits, refusal) != 0 || check_part(sequence, limits, refusal) != 0) {
        return -1;
    }
    const struct sl_launch *const launches = sl_sequence_launches(sequence);
    for (uint32_t i = 0; i < sequence->count; i++) {
        int status = sl_launch_check(&launches[i], limits, cu, refusal, scratch);
        if (status == 0 && launches[i].program != launches[0].program) {
            status = sl_refuse(refusal, SL_REFUSE_SEQUENCE_PROGRAM, 0, launches[i].program,
                               launches[0].program);
        }
        if (status != 0) {
            refusal->step = i;
            return -1;
        }
    }
    return 0;
}
