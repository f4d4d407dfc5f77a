/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Arrays that grow. */
#ifndef SLUICE_OBSERVERS_RACES_GROWABLE_H
#define SLUICE_OBSERVERS_RACES_GROWABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for one more behind `count` in the array that the pointer at `where` points to. False
 * without memory, the array being as it was. */
static inline bool room_for(void *where, uint32_t *room, uint32_t count, size_t each)
{
    uint32_t more = *room > 0 ? 2 * *room : 8;
    void *array;

    if (count < *room) {
        return true;
    }
    memcpy(&array, where, sizeof(array)); /* whatever it points to */
    array = realloc(array, more * each);
    if (array == NULL) {
        return false;
    }
    memcpy(where, &array, sizeof(array));
    *room = more;
    return true;
}

#endif
