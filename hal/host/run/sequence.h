/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sentences about sequences of launches. */
#ifndef SLUICE_HOST_SEQUENCE_H
#define SLUICE_HOST_SEQUENCE_H

#include <stddef.h>

#include "graph/refusal.h"
#include "host/messages/launched.h"
#include "host/sluice.h"

/* Why a sequence is refused; with the step's number where it is a step's fault, without the names
 * of kernels. Appends. */
void sl_sequence_refusal_text(const struct sl_config *config,
                              const struct sl_graph_refusal *refusal, char *out, size_t bytes);

/* Appends where the sequence was, as the firmware's message says: "; step 3 of 0 to 11, kernel
 * bitonic_step, repeat 17". */
void sl_sequence_append_step(const struct sl_launched *launched,
                             const struct sl_message_agg *message, char *out, size_t bytes);

#endif
