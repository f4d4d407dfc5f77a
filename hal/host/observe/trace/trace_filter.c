/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Filters of a trace: lists of numbers, of names and of patterns, as configuration has them. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/text.h"
#include "host/observe/trace/instruction_trace.h"

struct refusal {
    const char *key;
    char *error;
    size_t bytes;
};

__attribute__((format(printf, 2, 3))) static int refuse(const struct refusal *refusal,
                                                        const char *format, ...)
{
    char why[512];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    (void)snprintf(refusal->error, refusal->bytes, "%s: %s", refusal->key, why);
    return -1;
}

static int add(const struct refusal *refusal, struct sl_traced_list *list, uint64_t first,
               uint64_t last)
{
    if (list->count == SL_TRACED_RANGES) {
        return refuse(refusal, "more than %u are wanted; take a pattern or a range that has fewer",
                      SL_TRACED_RANGES);
    }
    list->range[list->count++] = (struct sl_traced_range){first, last};
    return 0;
}

/* ---- numbers ---- */

/* Reads a number; returns what is behind it, or NULL. */
static const char *read_number(const char *text, uint64_t *number)
{
    char *end = NULL;

    errno = 0;
    *number = strtoull(text, &end, text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10);
    return text[0] >= '0' && text[0] <= '9' && errno == 0 ? end : NULL;
}

static int add_numbers(const struct refusal *refusal, struct sl_traced_list *list, const char *item)
{
    uint64_t first = 0;
    uint64_t last = 0;
    const char *end = read_number(item, &first);

    last = first;
    if (end != NULL && *end == '-') {
        end = read_number(end + 1, &last);
    }
    if (end == NULL || *end != '\0' || last < first) {
        return refuse(refusal, "'%s' is neither a number nor a range of them like 4-7", item);
    }
    return add(refusal, list, first, last);
}

/* ---- lists ---- */

struct names {
    const struct sl_elf *elf[2]; /* NULL: none there */
    bool is_kernels;             /* entries alone are wanted, and no other functions */
};

static int add_names(const struct refusal *refusal, struct sl_traced_list *list, const char *item,
                     const struct names *names);

/* Goes through the items of a key's value: numbers, or names where these are given. */
static int set_list(const struct refusal *refusal, struct sl_traced_list *list, const char *value,
                    const struct names *names)
{
    char items[SL_CONFIG_TEXT_MAX];
    char *rest = items;

    (void)snprintf(items, sizeof items, "%s", value);
    while (rest != NULL && items[0] != '\0') {
        const char *const item = strsep(&rest, ",");
        const int status = names != NULL ? add_names(refusal, list, item, names)
                                         : add_numbers(refusal, list, item);
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

/* ---- names ---- */

static bool is_meant(const struct sl_elf_function *function, const struct names *names)
{
    return !names->is_kernels || function->is_entry;
}

/* The names that there are, as far as there is room. */
static void list_names(const struct names *names, char *out, size_t bytes)
{
    for (unsigned file = 0; file < 2; file++) {
        const struct sl_elf *const elf = names->elf[file];
        for (size_t i = 0; elf != NULL && i < elf->function_count; i++) {
            const char *const name = elf->functions[i].name;
            if (!is_meant(&elf->functions[i], names)) {
                continue;
            }
            if (strlen(out) + strlen(name) + sizeof ", , ..." > bytes) {
                sl_text_append(out, bytes, ", ...");
                return;
            }
            sl_text_append(out, bytes, "%s%s", out[0] == '\0' ? "" : ", ", name);
        }
    }
}

static int refuse_name(const struct refusal *refusal, const char *item, const struct names *names)
{
    char list[2048] = "";

    list_names(names, list, sizeof list);
    (void)snprintf(refusal->error, refusal->bytes, "%s: no %s has the name '%s'; there are: %s",
                   refusal->key, names->is_kernels ? "kernel" : "function", item, list);
    return -1;
}

static int add_names(const struct refusal *refusal, struct sl_traced_list *list, const char *item,
                     const struct names *names)
{
    const uint64_t before = list->count;

    for (unsigned file = 0; file < 2; file++) {
        const struct sl_elf *const elf = names->elf[file];
        for (size_t i = 0; elf != NULL && i < elf->function_count; i++) {
            const struct sl_elf_function *const function = &elf->functions[i];
            if (!is_meant(function, names) || fnmatch(item, function->name, 0) != 0) {
                continue;
            }
            const uint64_t last =
                function->address + (function->bytes > 0 ? function->bytes - 1 : 0);
            const int status =
                add(refusal, list, function->address, names->is_kernels ? function->address : last);
            if (status != 0) {
                return status;
            }
        }
    }
    return list->count > before ? 0 : refuse_name(refusal, item, names);
}

/* ---- all ---- */

int sl_trace_filter_set(struct sl_traced *wanted, const struct sl_config *config, char *error,
                        size_t error_bytes)
{
    const int64_t *const number = config->number;
    const struct {
        enum sl_config_key key;
        struct sl_traced_list *list;
    } lists[] = {{SL_CFG_TRACE_WAVE, &wanted->numbers}, {SL_CFG_TRACE_CU, &wanted->cus}};

    *wanted = (struct sl_traced){
        .waves = number[SL_CFG_TRACE_WHAT] != SL_TRACE_WHAT_FIRMWARE,
        .firmware = number[SL_CFG_TRACE_WHAT] != SL_TRACE_WHAT_WAVES,
        .results = number[SL_CFG_TRACE_REGISTERS] == SL_TRACE_REGISTERS_ON,
        .from_ps = (uint64_t)number[SL_CFG_TRACE_FROM],
        .to_ps = number[SL_CFG_TRACE_TO] > 0 ? (uint64_t)number[SL_CFG_TRACE_TO] : UINT64_MAX,
        .lines = number[SL_CFG_TRACE_LINES] > 0 ? (uint64_t)number[SL_CFG_TRACE_LINES] : UINT64_MAX,
    };
    if (wanted->from_ps >= wanted->to_ps) {
        const struct refusal refusal = {sl_config_table[SL_CFG_TRACE_TO].key, error, error_bytes};
        return refuse(&refusal, "no time lies from trace.from on and before it");
    }
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const struct refusal refusal = {sl_config_table[lists[i].key].key, error, error_bytes};
        if (set_list(&refusal, lists[i].list, config->text[lists[i].key], NULL) != 0) {
            return -1;
        }
    }
    return 0;
}

int sl_trace_filter_name(struct sl_traced *wanted, const struct sl_config *config,
                         const struct sl_elf *kernels, const struct sl_elf *firmware, char *error,
                         size_t error_bytes)
{
    const struct names entries = {{kernels, NULL}, true};
    const struct names functions = {{kernels, firmware}, false};
    const struct {
        enum sl_config_key key;
        struct sl_traced_list *list;
        const struct names *names;
    } lists[] = {
        {SL_CFG_TRACE_KERNEL, &wanted->kernels, &entries},
        {SL_CFG_TRACE_FUNCTION, &wanted->pcs, &functions},
        {SL_CFG_TRACE_PC, &wanted->pcs, NULL},
    };

    wanted->kernels.count = 0;
    wanted->pcs.count = 0;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const struct refusal refusal = {sl_config_table[lists[i].key].key, error, error_bytes};
        if (set_list(&refusal, lists[i].list, config->text[lists[i].key], lists[i].names) != 0) {
            return -1;
        }
    }
    return 0;
}
