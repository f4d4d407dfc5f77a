/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Copies, lists and atomic buffers. */
#include "soc/memory/hybrid_model.h"

#include "sluice/config.h"
#include <string.h>

#define LINE  HYBRID_MODEL_LINE
#define LINES HYBRID_MODEL_LINES
#define CUS   HYBRID_MODEL_CUS

void hybrid_model_begin(struct hybrid_model *model, const struct sl_config *config, uint64_t base)
{
    const int64_t *number = config->number;

    *model = (struct hybrid_model){
        .base = base,
        .trackers = (uint32_t)number[SL_CFG_TRACKER_COUNT],
        .sharers = (uint32_t)number[SL_CFG_TRACKER_SHARERS],
        .sets = (uint32_t)number[SL_CFG_L1D_SIZE] / LINE,
        .piece = (uint32_t)number[SL_CFG_L2_LINE],
        .banks = (uint32_t)number[SL_CFG_L2_BANKS],
        .bypasses = number[SL_CFG_L1D_BYPASS] == SL_L1D_BYPASS_ON,
    };
    model->sharers = model->sharers == 0 ? CUS : model->sharers;
    memset(model->buffer, 0xff, sizeof model->buffer);
    for (uint32_t cu = 0; cu < CUS; cu++) {
        model->waves[cu] = 1;
    }
}

static uint32_t line_of(const struct hybrid_model *model, const struct mem_request *request)
{
    return (uint32_t)(request->address - model->base) / LINE;
}

static uint8_t *memory_of(struct hybrid_model *model, uint32_t line)
{
    return model->memory + (size_t)line * LINE;
}

/* ---- trackers ---- */

/* That of the compute unit's tracker; there is one. */
static struct hybrid_model_list *list_of(struct hybrid_model *model, uint32_t cu, uint32_t line)
{
    return &model->list[cu / (CUS / model->trackers)][line];
}

static void unlist(struct hybrid_model *model, uint32_t cu, uint32_t line)
{
    uint32_t kept = 0;

    if (model->trackers == 0) {
        return;
    }
    struct hybrid_model_list *list = list_of(model, cu, line);
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->cu[i] != cu) {
            list->cu[kept++] = list->cu[i];
        }
    }
    list->count = kept;
}

static void enlist(struct hybrid_model *model, uint32_t cu, uint32_t line)
{
    struct hybrid_model_list *list = list_of(model, cu, line);

    unlist(model, cu, line);
    if (list->count == model->sharers) {
        unlist(model, list->cu[0], line);
    }
    list->cu[list->count++] = (uint16_t)cu;
    model->tracker.marks++;
}

static void drop_entries(struct hybrid_model *model, uint32_t line)
{
    for (uint32_t tracker = 0; tracker < model->trackers; tracker++) {
        model->tracker.drops += model->list[tracker][line].count != 0;
        model->list[tracker][line].count = 0;
    }
}

/* ---- L1 caches ---- */

static void lose(struct hybrid_model *model, uint32_t cu, uint32_t line)
{
    if (model->copy[cu][line].is_there) {
        model->copy[cu][line].is_there = false;
        unlist(model, cu, line);
    }
}

void hybrid_model_empty(struct hybrid_model *model, uint32_t cu)
{
    for (uint32_t line = 0; line < LINES; line++) {
        lose(model, cu, line);
    }
}

/* A line comes, and another one goes. */
static void fill(struct hybrid_model *model, uint32_t cu, uint32_t line)
{
    struct hybrid_model_copy *copy = &model->copy[cu][line];

    for (uint32_t other = line % model->sets; other < LINES; other += model->sets) {
        lose(model, cu, other);
    }
    copy->is_there = true;
    memcpy(copy->bytes, memory_of(model, line), LINE);
    if (model->trackers != 0) {
        enlist(model, cu, line);
    }
}

/* ---- atomic buffers ---- */

static bool touches_piece(const struct hybrid_model *model, const struct mem_request *request,
                          uint32_t piece)
{
    bool does = false;

    for (uint32_t at = piece * model->piece; at < (piece + 1) * model->piece; at++) {
        does |= hybrid_model_touches(request, at);
    }
    return does;
}

/* Lanes' operations on a piece in its bank's atomic buffer, whose line goes back into the L2 where
 * it is another. */
static void operate_on(struct hybrid_model *model, uint32_t piece, uint32_t operations)
{
    uint32_t *buffer = &model->buffer[piece % model->banks];

    model->buffer_hits += *buffer == piece ? operations : operations - 1;
    model->buffer_misses += *buffer != piece;
    *buffer = piece;
}

/* The pieces that an operation touches share its lanes'. */
static void operate_on_line(struct hybrid_model *model, const struct mem_request *request)
{
    const uint32_t pieces = LINE / model->piece;
    const uint32_t first = line_of(model, request) * pieces;
    uint32_t touched = 0;
    uint32_t before = 0;

    for (uint32_t piece = 0; piece < pieces; piece++) {
        touched += touches_piece(model, request, piece);
    }
    for (uint32_t piece = 0; piece < pieces; piece++) {
        if (touches_piece(model, request, piece)) {
            const uint32_t more = before++ < request->operations % touched;
            operate_on(model, first + piece, request->operations / touched + more);
        }
    }
}

/* Another access to a buffer's line puts it back: of the pieces that it touches, or all. */
static void pass_buffers(struct hybrid_model *model, const struct mem_request *request, bool of_all)
{
    const uint32_t pieces = LINE / model->piece;
    const uint32_t first = line_of(model, request) * pieces;

    for (uint32_t piece = 0; piece < pieces; piece++) {
        uint32_t *buffer = &model->buffer[(first + piece) % model->banks];
        if (*buffer == first + piece && (of_all || touches_piece(model, request, piece))) {
            *buffer = UINT32_MAX;
        }
    }
}

/* ---- accesses ---- */

enum hit_level hybrid_model_load(struct hybrid_model *model, const struct mem_request *request,
                                 uint8_t *bytes)
{
    const uint32_t cu = request->from.index;
    const uint32_t line = line_of(model, request);
    const struct hybrid_model_copy *copy = &model->copy[cu][line];
    const bool bypasses = model->bypasses && request->lines >= model->sets / model->waves[cu];
    enum hit_level served = HIT_L2;

    model->bypassed += bypasses;
    if (copy->is_there) {
        memcpy(bytes, copy->bytes, LINE);
        return HIT_L1;
    }
    memcpy(bytes, memory_of(model, line), LINE);
    model->tracker.lookups += model->trackers != 0;
    if (model->trackers != 0 && list_of(model, cu, line)->count != 0) {
        model->tracker.hits++;
        served = HIT_OTHER_L1;
    } else {
        pass_buffers(model, request, !bypasses);
    }
    if (!bypasses) {
        fill(model, cu, line);
    }
    return served;
}

void hybrid_model_store(struct hybrid_model *model, const struct mem_request *request,
                        const uint8_t *bytes)
{
    const uint32_t line = line_of(model, request);
    struct hybrid_model_copy *copy = &model->copy[request->from.index][line];

    for (uint32_t at = 0; at < LINE; at++) {
        if (hybrid_model_touches(request, at)) {
            memory_of(model, line)[at] = bytes[at];
            copy->bytes[at] = bytes[at];
        }
    }
    pass_buffers(model, request, false);
    drop_entries(model, line);
}

void hybrid_model_operate(struct hybrid_model *model, const struct mem_request *request,
                          uint8_t *bytes)
{
    const uint32_t line = line_of(model, request);
    uint8_t *memory = memory_of(model, line);

    for (uint32_t at = 0; at < LINE; at++) {
        const uint8_t old = memory[at];
        if (hybrid_model_touches(request, at) && request->kind != MEM_LOAD) {
            memory[at] = request->kind == MEM_STORE ? bytes[at] : (uint8_t)(old + 1);
        }
        bytes[at] = old;
    }
    operate_on_line(model, request);
    model->copy[request->from.index][line].is_there = false;
    drop_entries(model, line);
}

void hybrid_model_aggregate(struct hybrid_model *model, uint32_t at, uint8_t byte)
{
    model->memory[at] = byte;
    operate_on(model, at / model->piece, 1);
    drop_entries(model, at / LINE);
}
