/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* N work-items print; what arrives is compared, line by line, with what printf makes of the same
 * arguments. With a small host.print_buffer, what arrives and what was lost have to add up. Its
 * kernel is print_kernel.c. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"
#include "sluice/sluice.h"

#define N_MAX      100000
#define LINE_BYTES 160

static error_t parse(int key, char *argument, struct argp_state *state)
{
    return sl_app_n(key, argument, state, 1, N_MAX, state->input);
}

static const struct argp argp = {
    .parser = parse,
    .args_doc = "N",
    .doc = "Print from N work-items, and check what arrives; the result is the number of lines.\vN "
           "is from 1 to 100000.",
};

static enum sl_status run(struct sl_soc *soc, uint32_t n)
{
    struct sl_module *module;

    enum sl_status status = sl_app_load(soc, "print.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    const double half = 0.5;
    const uint32_t grid[3] = {n, 1, 1};
    const uint32_t group[3] = {128, 1, 1};
    status = sl_launch_values(module, "print_kernel", grid, group, 0, SL_VALUES(half));
    return status == SL_OK ? sl_app_wait(soc, NULL) : status;
}

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

/* Checks each line, in any order but none twice. Returns false where something is wrong. */
static bool check(FILE *printed, uint32_t n, uint32_t *lines)
{
    const uint32_t total = n + n / 2;
    bool *const seen = calloc(2 * (size_t)n, sizeof *seen);
    char line[LINE_BYTES];
    char expected[LINE_BYTES];
    uint64_t lost = 0;
    bool is_right = seen != NULL;

    *lines = 0;
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
        if (!is_right) {
            (void)fprintf(stderr, "print: wrong: '%s' should be '%s', once\n", line, expected);
        }
        ++*lines;
    }
    free(seen);
    if (is_right && *lines + lost != total) {
        (void)fprintf(stderr,
                      "print: wrong: %" PRIu32 " lines and %" PRIu64 " lost of %" PRIu32 "\n",
                      *lines, lost, total);
        return false;
    }
    return is_right;
}

int main(int argc, char **argv)
{
    struct sl_app_options options;
    uint32_t lines = 0;
    uint32_t n = 0;
    struct sl_soc *soc;
    bool is_right = false;

    sl_app_parse(&argp, argc, argv, &n, &options);
    FILE *const printed = tmpfile();
    if (printed == NULL) {
        perror("print: no temporary file");
        return SL_APP_MACHINE;
    }
    enum sl_status status = sl_soc_open(&options.config, &soc);
    if (status == SL_OK) {
        sl_soc_print_to(soc, printed);
        status = run(soc, n);
    }
    if (status == SL_OK) {
        rewind(printed);
        is_right = check(printed, n, &lines);
        sl_app_result("print(%" PRIu32 ") = %" PRIu32, n, lines);
        status = sl_app_report(soc, &options);
    }
    int exit_status = is_right ? SL_APP_RIGHT : SL_APP_WRONG;
    if (status != SL_OK) {
        exit_status = sl_app_error(soc, status);
    }
    exit_status = sl_app_races(soc, exit_status);
    sl_soc_close(soc);
    (void)fclose(printed);
    return exit_status;
}
