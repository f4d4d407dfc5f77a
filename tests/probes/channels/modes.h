/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Elements of modes.c's channels, for host and kernels. */
#ifndef SLUICE_PROBES_CHANNELS_MODES_H
#define SLUICE_PROBES_CHANNELS_MODES_H

#include <stdint.h>

#define MODES_LINES   4  /* of a page */
#define MODES_LETTERS 48 /* of a line */
#define MODES_KINDS   16 /* letters that there are: 'a' and up */

/* A page of text, and the number of its first line. */
struct modes_page {
    uint32_t first;
    char text[MODES_LINES][MODES_LETTERS];
};

/* The mode of a line: the letter that it has most of, of several the first of the alphabet. */
struct modes_found {
    uint32_t line;
    uint32_t letter; /* 0 is 'a' */
};

#endif
