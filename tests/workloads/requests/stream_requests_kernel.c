/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of stream_requests.c: a lane answers a request. */
#include "sluice/wave/wave.h"
#include "workloads/requests/stream_requests.h"

SL_KERNEL void request_kernel(int source, int index, uint64_t *answers)
{
    const struct request request = *(const struct request *)sl_deq(source, index);

    answers[request.number] = request_answer(request);
    sl_tfree(source, index);
}
