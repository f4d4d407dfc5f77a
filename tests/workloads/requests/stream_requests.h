/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of stream_requests.c share. */
#ifndef SLUICE_WORKLOADS_REQUESTS_STREAM_REQUESTS_H
#define SLUICE_WORKLOADS_REQUESTS_STREAM_REQUESTS_H

#include <stdint.h>

/* An element: a request, whose answer takes so many steps. */
struct request {
    uint32_t number;
    uint32_t steps;
};

/* An answer is marked, so that none can be told from any. */
#define REQUEST_ANSWERED (UINT64_C(1) << 32)

static inline uint64_t request_answer(struct request request)
{
    uint32_t value = request.number;

    for (uint32_t i = 0; i < request.steps; i++) {
        value = (value * 1664525u + 1013904223u) ^ value >> 13;
    }
    return REQUEST_ANSWERED | value;
}

#endif
