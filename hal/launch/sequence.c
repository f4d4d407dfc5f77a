/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The check of sequences. Freestanding; no arithmetic on untrusted numbers can overflow. */
#include "launch/sequence.h"

static int refuse(struct sl_graph_refusal *refusal, enum sl_refusal reason, uint64_t value,
                  uint64_t limit)
{
    *refusal = (struct sl_graph_refusal){reason, 0, value, limit, 0};
    return -1;
}

static int check_head(const struct sl_sequence *sequence, const struct sl_graph_limits *limits,
                      struct sl_graph_refusal *refusal)
{
    const uint64_t address = (uintptr_t)sequence;

    if (sl_launch_check_place(address, sizeof(*sequence), 8, SL_REFUSE_SEQUENCE_ADDRESS, limits,
                              refusal) != 0) {
        return -1;
    }
    if (sequence->magic != SL_SEQUENCE_MAGIC) {
        return refuse(refusal, SL_REFUSE_SEQUENCE_MAGIC, sequence->magic, SL_SEQUENCE_MAGIC);
    }
    if (sequence->count < 1 || sequence->count > SL_SEQUENCE_LAUNCHES) {
        return refuse(refusal, SL_REFUSE_SEQUENCE_COUNT, sequence->count, SL_SEQUENCE_LAUNCHES);
    }
    return sl_launch_check_place(address,
                                 sizeof(*sequence) + sequence->count * sizeof(struct sl_launch), 8,
                                 SL_REFUSE_SEQUENCE_ADDRESS, limits, refusal);
}

static int check_part(const struct sl_sequence *sequence, const struct sl_graph_limits *limits,
                      struct sl_graph_refusal *refusal)
{
    if (sequence->word == 0) {
        return 0;
    }
    if (sequence->last >= sequence->count) {
        return refuse(refusal, SL_REFUSE_SEQUENCE_PART, sequence->last, sequence->count - 1);
    }
    if (sequence->first > sequence->last) {
        return refuse(refusal, SL_REFUSE_SEQUENCE_PART, sequence->first, sequence->last);
    }
    return sl_launch_check_place(sequence->word, sizeof(uint32_t), sizeof(uint32_t),
                                 SL_REFUSE_SEQUENCE_WORD, limits, refusal);
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
            status = refuse(refusal, SL_REFUSE_SEQUENCE_PROGRAM, launches[i].program,
                            launches[0].program);
        }
        if (status != 0) {
            refusal->step = i;
            return -1;
        }
    }
    return 0;
}
