/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The information of a flash image (sluice/image.h): finding it, checking it, and its rows. */
#ifndef SLUICE_HOST_BASE_IMAGE_INFORMATION_H
#define SLUICE_HOST_BASE_IMAGE_INFORMATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/image.h"

enum sl_information_state {
    SL_INFORMATION_GOOD,
    SL_INFORMATION_NONE,    /* an older image, or no image */
    SL_INFORMATION_DAMAGED, /* its place or its CRC-32 is wrong */
};

/* Of an image of `bytes` bytes in memory, aligned to 8; *text, in it, ends with a zero. */
enum sl_information_state sl_information_find(const uint8_t *image, size_t bytes,
                                              const char **text);

/* The same of an image in a file; *text is to be freed, NULL unless the state is GOOD. A file that
 * cannot be read has none, nor has one for which memory is used up. */
enum sl_information_state sl_information_read(const char *path, char **text);

/* A line: words without an end of their own. Those that it lacks are empty. */
struct sl_information_row {
    struct sl_information_word {
        const char *text;
        int length;
    } word[SL_INFORMATION_WORDS];
};

/* Takes the line at *text, which goes on to the next one. Returns whether there was one. */
bool sl_information_next(const char **text, struct sl_information_row *row);

bool sl_information_is(const struct sl_information_word *word, const char *text);

/* The contract id, or 0 where the information has none. */
uint64_t sl_information_contract(const char *text);

#endif
