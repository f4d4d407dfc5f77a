/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Figures as text: shares, reasons, numbers, and what of them has color. */
#include <inttypes.h>
#include <string.h>

#include "annotate/annotate.h"

#define SHARES_MAX    64
#define SHARE_COLUMNS 9
#define BAR_COLUMNS   10

const char *annotate_color(const struct annotate_output *output, unsigned tenths)
{
    if (!output->has_colors || tenths < 50) {
        return "";
    }
    return tenths >= 200 ? "\033[1;31m" : "\033[33m";
}

const char *annotate_plain(const struct annotate_output *output)
{
    return output->has_colors ? "\033[0m" : "";
}

void annotate_title(const char *text, const struct annotate_output *output)
{
    (void)fprintf(output->stream, "%s%s%s\n", output->has_colors ? "\033[1m" : "", text,
                  annotate_plain(output));
}

void annotate_share(const struct annotate_output *output, unsigned tenths)
{
    (void)fprintf(output->stream, "%s%5u.%u%%%s ", annotate_color(output, tenths), tenths / 10,
                  tenths % 10, annotate_plain(output));
    if (output->has_colors) {
        const unsigned filled = (tenths * BAR_COLUMNS + 500) / 1000;
        for (unsigned i = 0; i < BAR_COLUMNS; i++) {
            (void)fputs(i < filled ? "\u2588" : "\u00b7", output->stream);
        }
        (void)fputc(' ', output->stream);
    }
}

unsigned annotate_share_columns(const struct annotate_output *output)
{
    return SHARE_COLUMNS + (output->has_colors ? BAR_COLUMNS + 1 : 0);
}

void annotate_shares(const uint64_t *parts, size_t count, unsigned *tenths)
{
    uint64_t rest[SHARES_MAX];
    uint64_t whole = 0;
    unsigned given = 0;
    for (size_t i = 0; i < count; i++) {
        whole += parts[i];
    }
    for (size_t i = 0; i < count; i++) {
        const unsigned __int128 exact = (unsigned __int128)parts[i] * 1000;
        tenths[i] = whole == 0 ? 0 : (unsigned)(exact / whole);
        rest[i] = whole == 0 ? 0 : (uint64_t)(exact % whole);
        given += tenths[i];
    }
    for (; whole != 0 && given < 1000; given++) {
        size_t most = 0;
        for (size_t i = 1; i < count; i++) {
            most = rest[i] > rest[most] ? i : most;
        }
        tenths[most]++;
        rest[most] = 0;
    }
}

void annotate_reasons(const uint64_t cost[SL_KERNEL_EVENTS], unsigned order[SL_STALL_COUNT])
{
    const uint64_t *const cycles = &cost[SL_KERNEL_EVENT_STALL];
    for (unsigned i = 0; i < SL_STALL_COUNT; i++) {
        unsigned at = i;
        for (; at > 0 && cycles[order[at - 1]] < cycles[i]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

void annotate_reasons_text(const uint64_t cost[SL_KERNEL_EVENTS], unsigned width, char *out,
                           size_t bytes)
{
    const uint64_t *const cycles = &cost[SL_KERNEL_EVENT_STALL];
    const uint64_t all = cost[SL_KERNEL_EVENT_RESIDENT];
    unsigned order[SL_STALL_COUNT];
    size_t length = 0;
    (void)snprintf(out, bytes, "-");
    annotate_reasons(cost, order);
    for (unsigned i = 0; i < SL_STALL_COUNT && all > 0; i++) {
        char text[64];
        const double share = 100.0 * (double)cycles[order[i]] / (double)all;
        const int more = snprintf(text, sizeof text, "%s%s %.0f%%", i == 0 ? "" : ", ",
                                  sl_stall_text[order[i]].words, share);
        if (share < 0.5 || length + (size_t)more > width || length + (size_t)more >= bytes) {
            break;
        }
        memcpy(out + length, text, (size_t)more + 1);
        length += (size_t)more;
    }
}

const char *annotate_lanes(const uint64_t cost[SL_KERNEL_EVENTS], char out[16])
{
    const uint64_t waves = cost[SL_KERNEL_EVENT_WAVES];
    if (waves == 0) {
        return "-";
    }
    (void)snprintf(out, 16, "%.1f", (double)cost[SL_KERNEL_EVENT_LANES] / (double)waves);
    return out;
}

const char *annotate_number(uint64_t number, char out[32])
{
    char digits[24];
    char *to = out;
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            *to++ = ',';
        }
        *to++ = digits[i];
    }
    *to = '\0';
    return out;
}

/* Without folders, which take the room of all else. */
void annotate_place(const struct annotate_selection *selection, const struct sl_view_line *line,
                    char *out, size_t bytes)
{
    const char *const path = selection->view->names[line->file];
    const char *const slash = strrchr(path, '/');
    (void)snprintf(out, bytes, "%s:%u", slash != NULL ? slash + 1 : path, line->line);
}

/* A list's costs: those of its rows, and what is left for the last one. Returns the rows. */
size_t annotate_rest(uint64_t *parts, size_t shown, size_t count, uint64_t total)
{
    uint64_t left = total;
    for (size_t i = 0; i < shown; i++) {
        left -= parts[i];
    }
    parts[shown] = left;
    return shown < count ? shown + 1 : shown;
}

/* How many of `count` a list of so many rows names. */
size_t annotate_named(size_t count, size_t rows)
{
    return count <= rows ? count : rows - 1;
}
