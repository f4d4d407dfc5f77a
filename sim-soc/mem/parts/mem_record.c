/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Telling where data accesses are served. */
#include "mem/parts/mem_record.h"

void note_tell(const struct stream *stream, const struct mem_request *request, enum hit_level where)
{
    struct obs_event event; /* told with each line: what others have in it is not zeroed */

    event.time_ps = request->time_ps;
    event.kind = OBS_SERVED;
    event.served = (struct obs_served){
        .from = request->from,
        .address = request->address,
        .pc = request->pc,
        .context = request->context,
        .kind = (uint8_t)mem_kind_counted(request->kind),
        .by = (uint8_t)where,
    };
    probe_emit(stream, &event);
}
