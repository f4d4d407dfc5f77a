/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Versions of bytes, and what happens before what. */
#include "soc/memory_fuzz/memory_reference.h"

#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "isa/isa.h"

struct version {
    const struct reference_event *event;
    const struct reference_event
        *over; /* of the one there that its thread had read or made before */
    uint8_t value;
};

/* Versions of a byte, in the order in which their stores took effect. */
struct versions {
    struct version *at;
    uint32_t count;
    uint32_t room;
};

/* The last version of a byte that a thread has read or made, with which access. */
struct known {
    const struct reference_event *version;
    uint32_t number;
};

struct thread {
    uint32_t number; /* of its latest access */
    struct reference_order order;
    struct reference_order fenced;  /* before fences that release; by scope */
    struct reference_order pending; /* read by atomics that do not acquire; likewise */
    struct known *known;            /* by byte */
};

struct reference {
    struct versions *versions;
    uint32_t bytes;
    uint32_t threads;
    uint32_t chains;
    struct thread thread[REFERENCE_THREADS];
    struct reference_event *used;
    struct reference_event *free;
};

/* What earlier phases have left. */
static const struct reference_event past;

struct reference *reference_create(uint32_t bytes, bool is_transitive)
{
    struct reference *reference = calloc(1, sizeof *reference);

    assert_non_null(reference);
    reference->bytes = bytes;
    reference->chains = is_transitive ? 1 : REFERENCE_CHAINS;
    reference->versions = calloc(bytes, sizeof *reference->versions);
    assert_non_null(reference->versions);
    for (uint32_t byte = 0; byte < bytes; byte++) {
        reference_store(reference, &past, byte, 0);
    }
    for (uint32_t i = 0; i < REFERENCE_THREADS; i++) {
        reference->thread[i].known = calloc(bytes, sizeof *reference->thread[i].known);
        assert_non_null(reference->thread[i].known);
    }
    return reference;
}

static void free_events(struct reference_event *event)
{
    while (event != NULL) {
        struct reference_event *next = event->next;
        free(event);
        event = next;
    }
}

void reference_destroy(struct reference *reference)
{
    for (uint32_t i = 0; i < REFERENCE_THREADS; i++) {
        free(reference->thread[i].known);
    }
    for (uint32_t byte = 0; byte < reference->bytes; byte++) {
        free(reference->versions[byte].at);
    }
    free_events(reference->used);
    free_events(reference->free);
    free(reference->versions);
    free(reference);
}

/* ---- order ---- */

static uint32_t chain_of(const struct reference *reference, unsigned scope)
{
    return reference->chains == 1 ? 0 : scope - SL_SCOPE_WORKGROUP;
}

/* What fences and atomics have between them is by scope, whatever the chains. */
static uint32_t scope_of(unsigned scope)
{
    return scope - SL_SCOPE_WORKGROUP;
}

static void join(uint32_t to[REFERENCE_THREADS], const uint32_t from[REFERENCE_THREADS])
{
    for (uint32_t i = 0; i < REFERENCE_THREADS; i++) {
        to[i] = to[i] < from[i] ? from[i] : to[i];
    }
}

static bool happens_before(const struct reference *reference, const struct reference_event *a,
                           const struct reference_event *b)
{
    if (a == b || b->number == 0) {
        return false;
    }
    for (uint32_t chain = 0; chain < reference->chains; chain++) {
        if (a->number <= b->order.seen[chain][a->thread]) {
            return true;
        }
    }
    return a->number == 0;
}

uint16_t reference_thread(struct reference *reference)
{
    assert_true(reference->threads < REFERENCE_THREADS);
    return (uint16_t)reference->threads++;
}

uint32_t reference_threads_left(const struct reference *reference)
{
    return REFERENCE_THREADS - reference->threads;
}

struct reference_event *reference_access(struct reference *reference, uint16_t number)
{
    struct thread *thread = &reference->thread[number];
    struct reference_event *event = reference->free;

    if (event == NULL) {
        event = malloc(sizeof *event);
        assert_non_null(event);
    } else {
        reference->free = event->next;
    }
    event->next = reference->used;
    reference->used = event;
    event->thread = number;
    event->number = ++thread->number;
    assert_int_not_equal(event->number, 0);
    for (uint32_t chain = 0; chain < reference->chains; chain++) {
        thread->order.seen[chain][number] = event->number;
    }
    event->order = thread->order;
    event->acquired = (struct reference_order){0};
    return event;
}

void reference_read_word(struct reference_event *event, const struct reference_order *word)
{
    event->acquired = *word;
}

void reference_write_word(struct reference *reference, const struct reference_event *event,
                          struct reference_order *word, unsigned scope, bool releases)
{
    const struct thread *thread = &reference->thread[event->thread];
    const uint32_t chain = chain_of(reference, scope);

    join(word->seen[chain],
         releases ? event->order.seen[chain] : thread->fenced.seen[scope_of(scope)]);
}

void reference_over(struct reference *reference, const struct reference_event *event,
                    unsigned scope, bool acquires)
{
    struct thread *thread = &reference->thread[event->thread];
    const uint32_t chain = chain_of(reference, scope);

    join(acquires ? thread->order.seen[chain] : thread->pending.seen[scope_of(scope)],
         event->acquired.seen[chain]);
}

void reference_fence(struct reference *reference, uint16_t number, unsigned scope, bool acquires,
                     bool releases)
{
    struct thread *thread = &reference->thread[number];
    uint32_t *order = thread->order.seen[chain_of(reference, scope)];

    if (acquires) {
        join(order, thread->pending.seen[scope_of(scope)]);
    }
    if (releases) {
        join(thread->fenced.seen[scope_of(scope)], order);
    }
}

void reference_arrive(struct reference *reference, uint16_t thread, struct reference_order *barrier)
{
    const uint32_t chain = chain_of(reference, SL_SCOPE_WORKGROUP);

    join(barrier->seen[chain], reference->thread[thread].order.seen[chain]);
}

void reference_leave(struct reference *reference, uint16_t thread,
                     const struct reference_order *barrier)
{
    const uint32_t chain = chain_of(reference, SL_SCOPE_WORKGROUP);

    join(reference->thread[thread].order.seen[chain], barrier->seen[chain]);
}

/* ---- bytes ---- */

/* Accesses of a thread take effect in program order where they are at one place; where not, the
 * later one may come first. */
static const struct reference_event *
known_before(const struct reference *reference, const struct reference_event *event, uint32_t byte)
{
    const struct known *known = &reference->thread[event->thread].known[byte];

    return known->number < event->number ? known->version : NULL;
}

static void know(struct reference *reference, const struct reference_event *event, uint32_t byte,
                 const struct reference_event *version)
{
    struct known *known = &reference->thread[event->thread].known[byte];

    if (known->number < event->number) {
        *known = (struct known){version, event->number};
    }
}

void reference_store(struct reference *reference, const struct reference_event *event,
                     uint32_t byte, uint8_t value)
{
    struct versions *versions = &reference->versions[byte];
    const struct reference_event *before =
        event == &past ? NULL : known_before(reference, event, byte);

    if (versions->count == versions->room) {
        versions->room += 8;
        versions->at = realloc(versions->at, versions->room * sizeof *versions->at);
        assert_non_null(versions->at);
    }
    versions->at[versions->count++] = (struct version){event, before, value};
    if (event != &past) {
        know(reference, event, byte, event);
    }
}

uint8_t reference_new_value(const struct reference *reference, uint32_t byte)
{
    const struct versions *versions = &reference->versions[byte];
    uint8_t value = versions->at[versions->count - 1].value;
    uint32_t i;

    assert_true(versions->count < 250);
    do {
        value++;
        for (i = 0; i < versions->count && versions->at[i].value != value; i++) {
        }
    } while (i < versions->count);
    return value;
}

/* Whether one version of a byte is older than another: its store happens before the other's, or
 * the other's thread had read it, or something newer than it, before. */
static bool is_older(const struct reference *reference, const struct version *old,
                     const struct version *new)
{
    return happens_before(reference, old->event, new->event) ||
           (new->over != NULL &&
            (new->over == old->event || happens_before(reference, old->event, new->over)));
}

/* Whether a load may return a version that some store has made. */
static bool is_visible(const struct reference *reference, const struct reference_event *load,
                       uint32_t byte, const struct version *version)
{
    const struct versions *versions = &reference->versions[byte];
    const struct reference_event *before = known_before(reference, load, byte);

    if ((before != NULL && happens_before(reference, version->event, before)) ||
        happens_before(reference, load, version->event)) {
        return false;
    }
    for (uint32_t i = 0; i < versions->count; i++) {
        const struct version *other = &versions->at[i];
        if (other != version && happens_before(reference, other->event, load) &&
            is_older(reference, version, other)) {
            return false;
        }
    }
    return true;
}

bool reference_load(struct reference *reference, const struct reference_event *load, uint32_t byte,
                    uint8_t value, uint32_t *visible)
{
    const struct versions *versions = &reference->versions[byte];
    const struct version *found = NULL;
    uint32_t matches = 0;

    *visible = 0;
    for (uint32_t i = 0; i < versions->count; i++) {
        const struct version *version = &versions->at[i];
        if (is_visible(reference, load, byte, version)) {
            (*visible)++;
            if (version->value == value) {
                found = version;
                matches++;
            }
        }
    }
    if (matches == 1) {
        know(reference, load, byte, found->event);
    }
    return matches != 0;
}

static bool is_overwritten(const struct reference *reference, const struct versions *versions,
                           const struct version *version)
{
    for (uint32_t i = 0; i < versions->count; i++) {
        if (&versions->at[i] != version && is_older(reference, version, &versions->at[i])) {
            return true;
        }
    }
    return false;
}

bool reference_may_remain(const struct reference *reference, uint32_t byte, uint8_t value)
{
    const struct versions *versions = &reference->versions[byte];

    for (uint32_t i = 0; i < versions->count; i++) {
        if (versions->at[i].value == value &&
            !is_overwritten(reference, versions, &versions->at[i])) {
            return true;
        }
    }
    return false;
}

/* ---- phases ---- */

void reference_next_phase(struct reference *reference, const uint8_t *bytes)
{
    for (uint32_t byte = 0; byte < reference->bytes; byte++) {
        reference->versions[byte].count = 0;
        reference_store(reference, &past, byte, bytes[byte]);
    }
    for (uint32_t i = 0; i < reference->threads; i++) {
        struct thread *thread = &reference->thread[i];
        struct known *known = thread->known;
        memset(known, 0, reference->bytes * sizeof *known);
        *thread = (struct thread){.known = known};
    }
    reference->threads = 0;
    while (reference->used != NULL) {
        struct reference_event *event = reference->used;
        reference->used = event->next;
        event->next = reference->free;
        reference->free = event;
    }
}
