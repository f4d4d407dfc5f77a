/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The matrix of data accesses by what their lines belong to and where they were served (mem.matrix,
 * hal/contract/served.def). It is counted into the block of the memory system, which has the rest.
 */
#include <stdlib.h>

#include "observers/address_classes.h"
#include "observers/observers.h"
#include "sluice/config.h"

struct matrix {
    struct observer base;
    struct sl_served *served;
    struct mem_map *map;
};

static void count(struct matrix *matrix, const struct obs_served *access)
{
    const enum sl_served_side side = access->from.kind == MEM_AGG ? SL_SERVED_AGG : SL_SERVED_CUS;
    const enum sl_served_structure structure = mem_map_find(matrix->map, access->address);

    matrix->served->by_structure[side][structure][access->kind][access->by]++;
}

static void matrix_event(struct observer *observer, const struct obs_event *event)
{
    struct matrix *matrix = (struct matrix *)observer;

    switch (event->kind) {
    case OBS_SERVED:
        count(matrix, &event->served);
        break;
    case OBS_GRAPH:
        mem_map_graph(matrix->map, event->address);
        break;
    default:
        mem_map_graph(matrix->map, 0);
        break;
    }
}

static void matrix_destroy(struct observer *observer)
{
    struct matrix *matrix = (struct matrix *)observer;

    mem_map_destroy(matrix->map);
    free(matrix);
}

int obs_matrix_create(const struct observer_parts *parts, struct observer **observer)
{
    static const struct observer_ops ops = {
        .name = "matrix",
        .wants = 1u << OBS_BEGIN | 1u << OBS_GRAPH | 1u << OBS_SERVED,
        .event = matrix_event,
        .destroy = matrix_destroy,
    };

    if (parts->config->number[SL_CFG_MEM_MATRIX] == SL_MEM_MATRIX_OFF) {
        return 0;
    }
    struct matrix *matrix = malloc(sizeof(*matrix));
    if (matrix == NULL) {
        return -1;
    }
    *matrix = (struct matrix){
        .base = {.ops = &ops},
        .served = &parts->mem->counters.served,
        .map = mem_map_create(parts->config, parts->dram),
    };
    if (matrix->map == NULL) {
        free(matrix);
        return -1;
    }
    *observer = &matrix->base;
    return 0;
}
