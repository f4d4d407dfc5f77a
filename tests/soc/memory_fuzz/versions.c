/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Versions of words, and their order. */
#include "soc/memory_fuzz/versions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"

#define NOBODYS UINT32_MAX

void versions_fail(struct versions *versions, const char *format, ...)
{
    va_list arguments;

    if (versions->failure[0] == '\0') {
        va_start(arguments, format);
        (void)vsnprintf(versions->failure, sizeof versions->failure, format, arguments);
        va_end(arguments);
    }
}

struct versions *versions_create(const uint8_t *memory)
{
    struct versions *versions = calloc(1, sizeof *versions);

    assert_non_null(versions);
    versions->memory = memory;
    versions_next_phase(versions);
    return versions;
}

void versions_destroy(struct versions *versions)
{
    free(versions);
}

void versions_next_phase(struct versions *versions)
{
    versions_look(versions);
    memcpy(versions->start, versions->memory, VERSIONS_BYTES);
    memcpy(versions->known, versions->memory, VERSIONS_BYTES);
    memset(versions->seen, 0, sizeof versions->seen);
    versions->orders = 0;
    for (uint32_t at = 0; at < VERSIONS_BYTES; at += versions_size(at)) {
        struct versions_word *word = &versions->word[at];
        for (uint32_t i = 1; i <= word->count; i++) {
            if (word->version[i].is_made && word->version[i].from == VERSIONS_NEVER) {
                versions_fail(versions, "version %u of the word at %u, of %u, is lost", i, at,
                              word->version[i].author);
            }
        }
        word->count = 0;
        word->current = 0;
        memset(word->placed, 0, sizeof word->placed);
        word->version[0] = (struct version){.author = VERSIONS_AUTHORS, .until = VERSIONS_NEVER};
    }
}

/* ---- versions and bytes ---- */

/* The version that bytes are of; NOBODYS: of none, or of several. */
static uint32_t version_of(const struct versions *versions, uint32_t at, const uint8_t *bytes)
{
    const uint8_t number = (uint8_t)(bytes[0] - versions->start[at]);

    for (uint32_t k = 1; k < versions_size(at); k++) {
        if ((uint8_t)(bytes[k] - versions->start[at + k]) != number) {
            return NOBODYS;
        }
    }
    return number <= versions->word[at].count ? number : NOBODYS;
}

uint8_t versions_new(struct versions *versions, uint32_t at, uint16_t author, uint32_t number,
                     uint32_t *left)
{
    struct versions_word *word = &versions->word[at];

    if (word->count == VERSIONS_MAX) {
        return 0;
    }
    word->version[++word->count] = (struct version){.number = number,
                                                    .from = VERSIONS_NEVER,
                                                    .until = VERSIONS_NEVER,
                                                    .author = author,
                                                    .left = left};
    versions->seen[author][at].made = word->count;
    (*left)++;
    return word->count;
}

void versions_write(struct versions *versions, uint32_t at, uint8_t number, uint8_t *bytes)
{
    versions->word[at].version[number].is_made = true;
    for (uint32_t k = 0; k < versions_size(at); k++) {
        bytes[k] = (uint8_t)(versions->start[at + k] + number);
    }
}

/* ---- order ---- */

static bool has_place(const struct versions_word *word, uint8_t number)
{
    return word->version[number].from != VERSIONS_NEVER;
}

/* One that was seen before it had a place has one now, or what it had to follow. */
static void check_orders(struct versions *versions, uint32_t at, uint8_t number)
{
    const struct versions_word *word = &versions->word[at];

    for (uint32_t i = 0; i < versions->orders; i++) {
        const struct version_order *order = &versions->order[i];
        if (order->at == at && order->later == number && !has_place(word, order->earlier)) {
            versions_fail(versions,
                          "version %u of the word at %u was returned behind version %u, and comes "
                          "to memory before it",
                          number, at, order->earlier);
        }
        if (order->at == at && (order->later == number || order->earlier == number)) {
            versions->order[i--] = versions->order[--versions->orders];
        }
    }
}

static void find_place(struct versions *versions, uint32_t at)
{
    struct versions_word *word = &versions->word[at];
    const uint32_t number = version_of(versions, at, versions->memory + at);
    struct version *version = &word->version[number == NOBODYS ? 0 : number];

    if (number == NOBODYS) {
        versions_fail(versions, "memory has bytes of nobody in the word at %u", at);
        return;
    }
    if (!version->is_made || version->from != VERSIONS_NEVER) {
        versions_fail(versions, "version %u of the word at %u comes to memory %s", number, at,
                      version->is_made ? "again" : "before it is made");
        return;
    }
    if (version->number < word->placed[version->author]) {
        versions_fail(versions, "stores %u and %u of %u to the word at %u change their order",
                      version->number, word->placed[version->author], version->author, at);
    }
    versions->changes++;
    versions->changed[at / SL_CACHE_LINE_BYTES]++;
    word->placed[version->author] = version->number;
    version->from = versions->changes;
    word->version[word->current].until = versions->changes;
    word->current = (uint8_t)number;
    (*version->left)--;
    if (versions->orders > 0) {
        check_orders(versions, at, word->current);
    }
}

static void look_at_line(struct versions *versions, uint32_t first)
{
    const uint32_t size = versions_size(first);

    for (uint32_t at = first; at < first + VERSIONS_LINE_BYTES; at += size) {
        if (memcmp(versions->known + at, versions->memory + at, size) != 0) {
            find_place(versions, at);
        }
    }
    memcpy(versions->known + first, versions->memory + first, VERSIONS_LINE_BYTES);
}

void versions_look(struct versions *versions)
{
    if (memcmp(versions->known, versions->memory, VERSIONS_BYTES) == 0) {
        return;
    }
    for (uint32_t first = 0; first < VERSIONS_BYTES; first += VERSIONS_LINE_BYTES) {
        if (memcmp(versions->known + first, versions->memory + first, VERSIONS_LINE_BYTES) != 0) {
            look_at_line(versions, first);
        }
    }
}

/* ---- loads ---- */

/* A load has returned a version, and may not have returned one that is older than another. */
static void check_age(struct versions *versions, uint32_t at, const struct versions_load *load,
                      uint8_t number, uint8_t other, const char *what)
{
    const struct versions_word *word = &versions->word[at];
    const struct version *old = &word->version[number];
    const struct version *new = &word->version[other];
    const bool in_order = old->author == new->author && old->author != VERSIONS_AUTHORS;

    if (number == other) {
        return;
    }
    if (old->from == VERSIONS_NEVER && new->from == VERSIONS_NEVER && !in_order) {
        assert_true(versions->orders < VERSIONS_ORDERS);
        versions->order[versions->orders++] = (struct version_order){at, number, other};
        return;
    }
    if (in_order ? old->number < new->number : old->from < new->from) {
        versions_fail(versions,
                      "access %u of %u reads version %u (of %u) of the word at %u: older than %u "
                      "(of %u), %s",
                      load->number, load->author, number, old->author, at, other, new->author,
                      what);
    }
}

/* Returns the version that a load has found; NOBODYS: a failure. */
static uint32_t returned_version(struct versions *versions, uint32_t at,
                                 const struct versions_load *load, const uint8_t *bytes)
{
    const uint32_t number = version_of(versions, at, bytes);
    const struct version *version = &versions->word[at].version[number == NOBODYS ? 0 : number];

    if (number == NOBODYS || (number != 0 && !version->is_made)) {
        versions_fail(versions, "access %u of %u reads bytes of nobody in the word at %u",
                      load->number, load->author, at);
        return NOBODYS;
    }
    if (version->author == load->author && version->number > load->number) {
        versions_fail(versions, "access %u of %u reads what its store %u writes to the word at %u",
                      load->number, load->author, version->number, at);
    }
    return number;
}

bool versions_check_load(struct versions *versions, uint32_t at, const struct versions_load *load,
                         uint8_t made, const uint8_t *bytes)
{
    const struct versions_word *word = &versions->word[at];
    struct versions_seen *seen = &versions->seen[load->author][at];
    const uint32_t found = returned_version(versions, at, load, bytes);
    const uint8_t number = (uint8_t)found;

    if (found == NOBODYS) {
        return false;
    }
    if (made != 0) {
        check_age(versions, at, load, number, made, "which its requester made");
    }
    if (word->version[number].until <= load->acquired) {
        versions_fail(versions,
                      "access %u of %u reads version %u of the word at %u, which was no longer the "
                      "value of all when it acquired",
                      load->number, load->author, number, at);
    }
    if (seen->number < load->number) {
        if (seen->number != 0) {
            check_age(versions, at, load, number, seen->returned, "which its requester read");
        }
        seen->number = load->number;
        seen->returned = number;
    }
    return number != word->current &&
           (has_place(word, number) || word->version[number].author != load->author);
}

void versions_check_coherent(struct versions *versions, uint32_t at,
                             const struct versions_load *load, uint8_t made, const uint8_t *bytes)
{
    const uint8_t current = versions->word[at].current;
    const uint32_t found = returned_version(versions, at, load, bytes);

    if (found != NOBODYS && found != current) {
        versions_fail(versions, "access %u of %u reads version %u of the word at %u: all have %u",
                      load->number, load->author, found, at, current);
    }
    (void)versions_check_load(versions, at, load, made, bytes);
}

/* ---- the end ---- */

static void check_settled_word(struct versions *versions, uint32_t at)
{
    const struct versions_word *word = &versions->word[at];
    const uint32_t number = version_of(versions, at, versions->memory + at);
    bool are_on_their_way = false;

    if (number == NOBODYS) {
        versions_fail(versions, "memory has bytes of nobody in the word at %u", at);
        return;
    }
    const struct version *last = &word->version[number];
    for (uint32_t i = 1; i <= word->count; i++) {
        const struct version *other = &word->version[i];
        if (other->is_made && other->from == VERSIONS_NEVER) {
            are_on_their_way = true;
            if (other->author == last->author && other->number > last->number) {
                versions_fail(versions, "version %u of the word at %u overwrites version %u",
                              number, at, i);
            }
        }
    }
    if (are_on_their_way ? last->from != VERSIONS_NEVER : number != word->current) {
        versions_fail(versions, "memory keeps version %u of the word at %u", number, at);
    }
}

void versions_check_settled(struct versions *versions)
{
    for (uint32_t at = 0; at < VERSIONS_BYTES; at += versions_size(at)) {
        check_settled_word(versions, at);
    }
}
