/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* N work-items print; what arrives is compared, line by line, with what printf makes of the same
 * arguments. With a small host.print_buffer, what arrives and what was lost have to add up. Its
 * kernel is print_kernel.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"

#define LINE_BYTES 160

struct arguments {
    uint32_t n;
    uint32_t lines; /* the result */
    bool is_right;
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 100000, SL_INTO(struct arguments, n)},
    {0},
};

/* The line of an item, or its second one. */
static void expected_line(uint32_t item, uint32_t n, bool is_second, char *line)
{
    static const char *const names[] = {"zero", "one", "two", "three"};
    const char *const name = names[item % 4];
    if (is_second) {
        (void)snprintf(line, LINE_BYTES, "odd %03" PRIu32 ", half 0.500, %llx, %d\n", item,
                       (unsigned long long)item << 40, (signed char)(1000 + item));
    } else {
        (void)snprintf(line, LINE_BYTES,
                       "item %" PRIu32 " of %" PRIu32 ": %s|%-6s|%.2s, %d %lld %5" PRIx32 " %c%%\n",
                       item, n, name, name, name, -(int)item, -(long long)item * 1000000000000,
                       item, 'a' + (int)(item % 26));
    }
}

/* Checks each line, in any order but none twice. */
static void check(FILE *printed, struct arguments *arguments)
{
    const uint32_t n = arguments->n;
    const uint32_t total = n + n / 2;
    bool *const seen = sl_app_memory(2 * (size_t)n, sizeof *seen);
    char line[LINE_BYTES];
    char expected[LINE_BYTES];
    uint64_t lost = 0;
    bool is_right = true;

    while (is_right && fgets(line, sizeof line, printed) != NULL) {
        uint32_t item = 0;
        const bool is_second = sscanf(line, "odd %" SCNu32, &item) == 1;
        if (sscanf(line, "(%" SCNu64 " calls of sl_printf lost", &lost) == 1) {
            continue;
        }
        is_right = (is_second || sscanf(line, "item %" SCNu32, &item) == 1) && item < n;
        expected[0] = '\0';
        if (is_right) {
            expected_line(item, n, is_second, expected);
            is_right = strcmp(line, expected) == 0 && !seen[2 * item + is_second];
            seen[2 * item + is_second] = true;
        }
        (void)sl_app_check(is_right, "'%s' should be '%s', once", line, expected);
        arguments->lines++;
    }
    free(seen);
    arguments->is_right =
        is_right && sl_app_check(arguments->lines + lost == total,
                                 "%" PRIu32 " lines and %" PRIu64 " lost of %" PRIu32,
                                 arguments->lines, lost, total);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t grid[3] = {arguments->n, 1, 1};
    const uint32_t group[3] = {128, 1, 1};
    const double half = 0.5;

    FILE *const printed = tmpfile();
    if (printed == NULL) {
        perror("print: no temporary file");
        return SL_ERROR_MACHINE;
    }
    sl_soc_print_to(soc, printed);
    enum sl_status status =
        sl_launch_values(sl_app_kernels(soc), "print_kernel", grid, group, 0, SL_VALUES(half));
    if (status == SL_OK) {
        status = sl_app_wait(soc, NULL);
    }
    sl_soc_print_to(soc, NULL);
    if (status == SL_OK) {
        rewind(printed);
        check(printed, arguments);
        sl_app_result("print(%" PRIu32 ") = %" PRIu32, arguments->n, arguments->lines);
    }
    (void)fclose(printed);
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return arguments->is_right;
}

static const struct sl_app app = {
    .doc = "Print from N work-items, and check what arrives; the result is the number of lines.",
    .table = table,
    .arguments = &(struct arguments){0},
    .kernels = "print.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
