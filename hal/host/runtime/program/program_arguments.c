/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Numbers and words of the command line. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "config/number.h"
#include "sluice/program.h"

uint64_t sl_app_number(const struct argp_state *state, const char *what, const char *text,
                       uint64_t least, uint64_t most)
{
    char *end = NULL;
    errno = 0;
    /* Decimal, as in configurations: with base 0, a zero in front would make it octal. */
    const bool is_hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const unsigned long long value = strtoull(text, &end, is_hexadecimal ? 16 : 10);
    const bool is_number = text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
    if (!is_number || value < least || value > most) {
        argp_failure(state, SL_APP_USAGE, 0, "%s: '%s' is not a number from %llu to %llu", what,
                     text, (unsigned long long)least, (unsigned long long)most);
    }
    return value;
}

double sl_app_real(const struct argp_state *state, const char *what, const char *text, double least,
                   double most)
{
    char *end = NULL;
    const double value = sl_number_real(text, &end);

    if (end == text || *end != '\0' || !(value >= least && value <= most)) {
        char range[64];
        (void)sl_number_format(range, sizeof range, "from %g to %g", least, most);
        argp_failure(state, SL_APP_USAGE, 0, "%s: '%s' is not a number %s", what, text, range);
    }
    return value;
}

uint32_t sl_app_power_of_two(const struct argp_state *state, const char *what, const char *text,
                             uint32_t least, uint32_t most)
{
    const uint32_t number = (uint32_t)sl_app_number(state, what, text, least, most);
    if ((number & (number - 1)) != 0) {
        argp_error(state, "%s: %s is not a power of two", what, text);
    }
    return number;
}

bool sl_app_choice(const struct argp_state *state, const char *what, const char *text,
                   const char *first, const char *second)
{
    const bool is_second = strcmp(text, second) == 0;
    if (!is_second && strcmp(text, first) != 0) {
        argp_error(state, "%s: '%s' is neither %s nor %s", what, text, first, second);
    }
    return is_second;
}

error_t sl_app_n(int key, const char *argument, const struct argp_state *state, uint32_t least,
                 uint32_t most, uint32_t *n)
{
    switch (key) {
    case ARGP_KEY_ARG:
        if (state->arg_num > 0) {
            argp_error(state, "one argument, N, is expected, and '%s' is another", argument);
        }
        *n = (uint32_t)sl_app_number(state, "N", argument, least, most);
        return 0;
    case ARGP_KEY_NO_ARGS:
        if (*n == 0) {
            argp_error(state, "the argument N is missing: a number from %" PRIu32 " to %" PRIu32,
                       least, most);
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
