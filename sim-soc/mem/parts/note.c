/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Telling where data accesses are served. */
#include "mem/parts/note.h"

void note_tell(const struct stream *stream, const struct mem_request *request,
               enum mem_served where)
{
    const struct obs_event event = {
        .time_ps = request->time_ps,
        .kind = OBS_SERVED,
        .served =
            {
                .from = request->from,
                .address = request->address,
                .pc = request->pc,
                .context = request->context,
                .kind = (uint8_t)mem_kind_counted(request->kind),
                .by = (uint8_t)where,
            },
    };

    stream_tell(stream, &event);
}
