/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Calls of wavefronts: what has been spent between their begin and their end.
 *
 * The frames of a wavefront are found by where they return to, the latest one first. They end in
 * the reverse order but where locks move lanes on the reconvergence stack; of frames with one
 * return address it makes no difference to the sums which one ends. */
#include <stdlib.h>
#include <string.h>

#include "observers/kernels/kernels.h"

_Static_assert(sizeof(struct sl_kernel_cost) % sizeof(uint64_t) == 0, "words alone");

/* Adds what has been spent since. */
static void add_since(struct sl_kernel_cost *sum, const struct sl_kernel_cost *now,
                      const struct sl_kernel_cost *begin)
{
    uint64_t *to = (uint64_t *)sum;
    const uint64_t *end = (const uint64_t *)now;
    const uint64_t *from = (const uint64_t *)begin;

    for (size_t i = 0; i < sizeof(*sum) / sizeof(*to); i++) {
        to[i] += end[i] - from[i];
    }
}

void kernels_enter(struct kernels *kernels, struct kernels_wave *wave, const struct obs_call *call)
{
    if (wave->depth == KERNELS_FRAMES) {
        wave->beyond++;
        kernels->shared->lost_calls++;
        return;
    }
    struct kernels_frame *frame = &wave->frames[wave->depth++];
    frame->site = call->site;
    frame->callee = call->callee;
    frame->back = call->back;
    frame->begin = wave->total;
}

static void end_call(struct kernels *kernels, const struct kernels_wave *wave,
                     const struct kernels_frame *frame)
{
    struct sl_kernel_profile_call *call =
        kernels_call(kernels, wave->table, frame->site, frame->callee);

    if (call == NULL) {
        kernels->shared->lost_calls++;
        return;
    }
    call->count++;
    add_since(&call->cost, &wave->total, &frame->begin);
}

void kernels_return(struct kernels *kernels, struct kernels_wave *wave, uint64_t back)
{
    uint32_t at = wave->depth;

    if (wave->beyond > 0) {
        wave->beyond--;
        return;
    }
    while (at > 0 && wave->frames[at - 1].back != back) {
        at--;
    }
    if (at == 0) {
        return; /* its frame was lost */
    }
    end_call(kernels, wave, &wave->frames[at - 1]);
    memmove(&wave->frames[at - 1], &wave->frames[at], (wave->depth - at) * sizeof(wave->frames[0]));
    wave->depth--;
}

void kernels_end_calls(struct kernels *kernels, struct kernels_wave *wave)
{
    while (wave->depth > 0) {
        end_call(kernels, wave, &wave->frames[--wave->depth]);
    }
    wave->beyond = 0;
}

/* ---- yields ---- */

void kernels_park(struct kernels *kernels, struct kernels_wave *wave)
{
    const size_t bytes = wave->depth * sizeof(wave->frames[0]);

    if (wave->depth == 0) {
        return;
    }
    struct kernels_parked *parked = malloc(sizeof(*parked) + bytes);
    if (parked == NULL) {
        kernels_end_calls(kernels, wave);
        return;
    }
    memcpy(parked->frames, wave->frames, bytes);
    parked->wave = *wave;
    parked->wave.frames = parked->frames;
    parked->next = kernels->parked;
    kernels->parked = parked;
    wave->depth = 0;
}

void kernels_unpark(struct kernels *kernels, struct kernels_wave *wave)
{
    struct kernels_parked **at = &kernels->parked;
    struct kernels_frame *const frames = wave->frames;

    while (*at != NULL && (*at)->wave.number != wave->number) {
        at = &(*at)->next;
    }
    struct kernels_parked *parked = *at;
    if (parked == NULL) {
        return;
    }
    *at = parked->next;
    *wave = parked->wave;
    wave->yields = false;
    wave->frames = frames;
    memcpy(frames, parked->frames, wave->depth * sizeof(frames[0]));
    free(parked);
}

void kernels_end_parked(struct kernels *kernels)
{
    while (kernels->parked != NULL) {
        struct kernels_parked *parked = kernels->parked;
        kernels->parked = parked->next;
        kernels_end_calls(kernels, &parked->wave);
        free(parked);
    }
}
