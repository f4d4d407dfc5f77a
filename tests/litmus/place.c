/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Places of threads that need no tree of scopes. */
#include "litmus/place.h"

#include <string.h>

static void begin(struct litmus_test *test, unsigned groups)
{
    memset(test->wave_count, 0, sizeof test->wave_count);
    test->group_count = groups;
}

void litmus_place_apart(struct litmus_test *test)
{
    begin(test, test->thread_count);
    for (unsigned i = 0; i < test->thread_count; i++) {
        test->thread[i].group = i;
        test->thread[i].wave = 0;
        test->wave_count[i] = 1;
    }
}

void litmus_place_in_group(struct litmus_test *test)
{
    begin(test, 1);
    test->wave_count[0] = test->thread_count;
    for (unsigned i = 0; i < test->thread_count; i++) {
        test->thread[i].group = 0;
        test->thread[i].wave = i;
    }
}

void litmus_place_in_wave(struct litmus_test *test)
{
    begin(test, 1);
    test->wave_count[0] = 1;
    for (unsigned i = 0; i < test->thread_count; i++) {
        test->thread[i].group = 0;
        test->thread[i].wave = 0;
    }
}
