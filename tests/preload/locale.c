/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Preloaded (LD_PRELOAD), it makes a program one that has called setlocale(), and not those that
 * this one starts. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void set_locale(void)
{
    (void)unsetenv("LD_PRELOAD");
    if (setlocale(LC_NUMERIC, "") == NULL) {
        (void)fputs("locale.so: LC_NUMERIC is no locale of LOCPATH\n", stderr);
        abort();
    }
}
