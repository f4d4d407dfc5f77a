/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Trace and samples, from the configuration to the files. */
#include "host/observe/trace/trace.h"

#include <errno.h>

/* ---- trace ---- */

int sl_record_trace_open(struct sl_record_trace *trace, struct sl_instructions *shared,
                         const struct sl_config *config, char *error, size_t error_bytes)
{
    const struct sl_ring_reader_user user = {&trace->text, sl_instruction_text_take,
                                             sl_instruction_text_rest};

    trace->shared = shared;
    if (sl_trace_filter_set(&shared->wanted, config, error, error_bytes) != 0) {
        return -1;
    }
    if (sl_instruction_text_open(&trace->text, config->text[SL_CFG_TRACE_FILE],
                                 shared->wanted.lines) != 0) {
        return errno;
    }
    return sl_ring_reader_open(&trace->drain, &shared->ring, &user);
}

int sl_record_trace_begin(struct sl_record_trace *trace, const struct sl_config *config,
                          const struct sl_elf *kernels, const struct sl_elf *firmware, char *error,
                          size_t error_bytes)
{
    if (trace->is_named && trace->kernels == kernels) {
        return 0;
    }
    sl_instruction_text_names(&trace->text, kernels, firmware);
    if (sl_trace_filter_name(&trace->shared->wanted, config, kernels, firmware, error,
                             error_bytes) != 0) {
        return -1;
    }
    trace->is_named = true;
    trace->kernels = kernels;
    return 0;
}

void sl_record_trace_close(struct sl_record_trace *trace)
{
    sl_ring_reader_close(&trace->drain);
    sl_instruction_text_close(&trace->text);
}

/* ---- samples ---- */

int sl_record_samples_open(struct sl_record_samples *samples, struct sl_samples *shared,
                           const struct sl_config *config, char *error, size_t error_bytes)
{
    const struct sl_ring_reader_user user = {&samples->text, sl_sample_text_take,
                                             sl_sample_text_rest};

    samples->shared = shared;
    if (sl_sample_text_choose(&samples->text, config, error, error_bytes) != 0) {
        return -1;
    }
    if (sl_sample_text_open(&samples->text, config->text[SL_CFG_SAMPLE_FILE]) != 0) {
        return errno;
    }
    shared->interval_cycles = (uint64_t)config->number[SL_CFG_SAMPLE_INTERVAL];
    return sl_ring_reader_open(&samples->drain, &shared->ring, &user);
}

void sl_record_samples_close(struct sl_record_samples *samples)
{
    sl_ring_reader_close(&samples->drain);
    sl_sample_text_close(&samples->text);
}
