/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A call of sl_printf. The first line has its arguments, numbers in hexadecimal; those after '@'
 * count from the beginning of the memory, which is the rest: the format, and what else is in it. A
 * zero follows, unless the line begins with '!'. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/input/input.h"
#include "host/observe/print/print.h"
#include "sluice/print.h"

#define BUFFER_BYTES 1024
#define LIMIT_BYTES  65536

struct call {
    struct sl_print_buffer buffer;
    struct sl_print_record record;
    uint64_t arguments[SL_PRINT_ARGUMENTS];
    char
        rest[BUFFER_BYTES - sizeof(struct sl_print_record) - SL_PRINT_ARGUMENTS * sizeof(uint64_t)];
};

static void read_arguments(const char *line, uint64_t base, struct call *call)
{
    uint64_t count = 0;

    for (line += strspn(line, "! "); *line != '\0' && count < SL_PRINT_ARGUMENTS; count++) {
        char *end;
        const uint64_t from = *line == '@' ? base : 0;
        call->arguments[count] = from + strtoull(line + (*line == '@'), &end, 16);
        line = end + strcspn(end, " ");
        line += strspn(line, " ");
    }
    call->record.ready = count + 1;
}

/* Controls that terminals act on are none of it. */
static void check_text(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        const unsigned char c = (unsigned char)text[i];
        input_check((c >= ' ' && c != 0x7f) || c == '\n' || c == '\t');
    }
}

static void show(struct call *call, const char *memory, size_t bytes)
{
    static struct sl_config config; /* the same for all */
    char *text = NULL;
    size_t text_bytes = 0;
    const struct sl_print_memory readable = {(uintptr_t)memory, (uintptr_t)memory + bytes, NULL};
    struct sl_print print = {.config = &config, .stream = open_memstream(&text, &text_bytes)};
    const struct call given = *call;

    if (config.number[SL_CFG_HOST_PRINT_LIMIT] == 0) {
        sl_config_init(&config);
        config.number[SL_CFG_HOST_PRINT_BUFFER] = BUFFER_BYTES;
        config.number[SL_CFG_HOST_PRINT_LIMIT] = LIMIT_BYTES;
    }
    input_check(print.stream != NULL);
    sl_print_begin(&print, &call->buffer, &readable);
    *call = given;
    call->buffer.tail = sizeof call->record + (call->record.ready - 1) * sizeof(uint64_t);
    sl_print_show(&print, true);
    input_check(fclose(print.stream) == 0);
    check_text(text, text_bytes);
    input_check(text_bytes < LIMIT_BYTES + 256); /* with what is said of the limit */
    free(text);
}

int input_print(const uint8_t *data, size_t bytes)
{
    const uint8_t *const end = bytes > 0 ? memchr(data, '\n', bytes) : NULL;
    struct call call = {.buffer = {.bytes = BUFFER_BYTES}};

    if (end == NULL) {
        return 0;
    }
    /* Both as large as they are, so that a sanitizer sees what is read behind them. */
    char *const line = strndup((const char *)data, (size_t)(end - data));
    const size_t rest = bytes - (size_t)(end + 1 - data);
    const size_t memory_bytes = rest + (data[0] != '!');
    char *const memory = calloc(1, memory_bytes > 0 ? memory_bytes : 1);
    input_check(line != NULL && memory != NULL);
    memcpy(memory, end + 1, rest);
    read_arguments(line, (uintptr_t)memory, &call);
    call.record.format = (uintptr_t)memory;
    show(&call, memory, memory_bytes);
    free(memory);
    free(line);
    return 0;
}
