/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Records of instructions to lines. A line is put together of what is kept for its address and of
 * numbers that are written digit by digit: traces are long. */
#include "host/observe/trace/instruction_trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/disassembly.h"
#include "sluice/memory_map.h"

/* More than the longest line takes: 64 lanes of "63:0x0123456789abcdef,". */
#define LINE_BYTES 2048u

#define TIME_WIDTH 13u

/* ---- numbers ---- */

static char *put_decimal(char *to, uint64_t number)
{
    char digits[20];
    unsigned count = 0;

    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    while (count > 0) {
        *to++ = digits[--count];
    }
    return to;
}

/* So many digits, in small letters. */
static char *put_hex(char *to, uint64_t number, unsigned digits)
{
    for (unsigned i = digits; i-- > 0;) {
        *to++ = "0123456789abcdef"[number >> (4 * i) & 15];
    }
    return to;
}

static char *put_value(char *to, uint64_t value)
{
    const unsigned bits = value != 0 ? 64 - (unsigned)__builtin_clzll(value) : 1;

    *to++ = '0';
    *to++ = 'x';
    return put_hex(to, value, (bits + 3) / 4);
}

static char *put_text(char *to, const char *text)
{
    const size_t length = strlen(text);

    memcpy(to, text, length);
    return to + length;
}

/* Nanoseconds with three digits behind the point, to the right. */
static char *put_time(char *to, uint64_t time_ps)
{
    char text[32];
    char *end = put_decimal(text, time_ps / 1000);

    *end++ = '.';
    *end++ = (char)('0' + time_ps % 1000 / 100);
    *end++ = (char)('0' + time_ps % 100 / 10);
    *end++ = (char)('0' + time_ps % 10);
    const size_t length = (size_t)(end - text);
    for (size_t i = length; i < TIME_WIDTH; i++) {
        *to++ = ' ';
    }
    memcpy(to, text, length);
    return to + length;
}

/* ---- names ---- */

/* "function+0x10", or "-" outside any function. */
static void describe(const struct sl_instruction_text *text, uint64_t pc, char *out, size_t bytes)
{
    const struct sl_elf *const elf =
        pc - SL_FIRMWARE_BASE < SL_FIRMWARE_BYTES ? text->firmware : text->kernels;
    const struct sl_elf_function *const function = elf != NULL ? sl_elf_function_at(elf, pc) : NULL;

    if (function == NULL) {
        (void)snprintf(out, bytes, "-");
    } else {
        (void)snprintf(out, bytes, "%.110s+0x%" PRIx64, function->name, pc - function->address);
    }
}

static void look_up_kernel(struct sl_instruction_text *text, uint64_t entry)
{
    const struct sl_elf_function *const function =
        text->kernels != NULL ? sl_elf_function_at(text->kernels, entry) : NULL;

    text->entry = entry;
    if (function != NULL) {
        (void)snprintf(text->kernel, sizeof text->kernel, "%.120s", function->name);
    } else {
        (void)snprintf(text->kernel, sizeof text->kernel, "0x%" PRIx64, entry);
    }
}

/* A run begins. */
static void take_names(struct sl_instruction_text *text)
{
    const struct sl_elf *const kernels = __atomic_load_n(&text->next_kernels, __ATOMIC_ACQUIRE);
    const struct sl_elf *const firmware = __atomic_load_n(&text->next_firmware, __ATOMIC_ACQUIRE);

    if (kernels != text->kernels || firmware != text->firmware) {
        text->kernels = kernels;
        text->firmware = firmware;
        look_up_kernel(text, 0);
        memset(text->places, 0, SL_PLACE_TEXTS * sizeof *text->places);
    }
}

/* "80400010 function+0x10 addi a0,a0,1", and how much of it is in front of the instruction. */
static const struct sl_place_text *place_text(struct sl_instruction_text *text, uint64_t pc,
                                              uint32_t word)
{
    struct sl_place_text *const place = &text->places[pc / 2 % SL_PLACE_TEXTS];
    char where[128];
    char instruction[SL_DISASSEMBLY_BYTES];

    if (place->length == 0 || place->pc != pc || place->word != word) {
        describe(text, pc, where, sizeof where);
        (void)sl_disassemble(word, pc, instruction, sizeof instruction);
        place->pc = pc;
        place->word = word;
        place->length = (uint32_t)snprintf(place->text, sizeof place->text, "%08" PRIx64 " %s %s",
                                           pc, where, instruction);
    }
    return place;
}

/* The instruction's own length within that. */
static size_t front_length(const struct sl_place_text *place)
{
    const char *const first = strchr(place->text, ' ');
    return (size_t)(strchr(first + 1, ' ') + 1 - place->text);
}

/* ---- lines ---- */

static char *end_line(struct sl_instruction_text *text, char *to)
{
    if (text->is_open) {
        *to++ = '\n';
        text->is_open = false;
    }
    return to;
}

/* What is in front of the address. */
static char *put_wave(struct sl_instruction_text *text, char *to,
                      const struct sl_traced_record *record)
{
    if (record->entry != text->entry) {
        look_up_kernel(text, record->entry);
    }
    to = put_time(to, record->time_ps);
    to = put_decimal(put_text(to, " cu"), record->cu);
    to = put_decimal(put_text(to, " w"), record->wave);
    to = put_decimal(put_text(to, " c"), record->context);
    *to++ = ' ';
    to = put_text(to, text->kernel);
    *to++ = ' ';
    to = put_hex(to, record->lanes, 16);
    *to++ = ' ';
    return to;
}

static char *put_lanes(char *to, uint64_t lanes, const uint64_t *values)
{
    *to++ = '{';
    for (uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
        to = put_decimal(to, (unsigned)__builtin_ctzll(rest));
        *to++ = ':';
        to = put_value(to, *values++);
        *to++ = (rest & (rest - 1)) != 0 ? ',' : '}';
    }
    return to;
}

static char *put_register(char *to, const struct sl_traced_record *record)
{
    const uint64_t *const values = (const void *)(record + 1);

    to = put_text(to, sl_register_name(record->rd));
    *to++ = '=';
    return record->words == SL_TRACED_WORDS + 1 ? put_value(to, values[0])
                                                : put_lanes(to, record->lanes, values);
}

/* A line that may go on with what the instruction computed. */
static char *put_issue(struct sl_instruction_text *text, char *to,
                       const struct sl_traced_record *record)
{
    const struct sl_place_text *const place = place_text(text, record->pc, record->word);

    to = put_wave(text, to, record);
    memcpy(to, place->text, place->length);
    text->is_open = true;
    return to + place->length;
}

static char *put_late(struct sl_instruction_text *text, char *to,
                      const struct sl_traced_record *record)
{
    const struct sl_place_text *const place = place_text(text, record->pc, record->word);
    const size_t length = front_length(place);

    to = put_wave(text, to, record);
    memcpy(to, place->text, length);
    text->is_open = true;
    return put_register(put_text(to + length, "<- "), record);
}

/* Its words are where the file has them: what is in memory is the same. */
static uint32_t firmware_word(const struct sl_instruction_text *text, uint64_t pc)
{
    const struct sl_elf_segment *const code =
        text->firmware != NULL ? &text->firmware->segments[text->firmware->code] : NULL;
    uint32_t word = 0;

    if (code != NULL && pc >= code->address && pc - code->address < code->file_bytes) {
        const uint64_t left = code->file_bytes - (pc - code->address);
        memcpy(&word, (const char *)code->data + (pc - code->address),
               left < sizeof word ? left : sizeof word);
    }
    return (word & 3) == 3 ? word : (uint16_t)word;
}

static char *put_firmware(struct sl_instruction_text *text, char *to,
                          const struct sl_traced_record *record)
{
    const struct sl_place_text *const place =
        place_text(text, record->pc, firmware_word(text, record->pc));

    to = put_text(put_time(to, record->time_ps), " agg - - - - ");
    memcpy(to, place->text, place->length);
    text->is_open = true;
    return to + place->length;
}

static char *put_end(const struct sl_instruction_text *text, char *to,
                     const struct sl_traced_record *record)
{
    if (record->wave > 0) {
        to += snprintf(to, LINE_BYTES / 2,
                       "# run %" PRIu64 ": %" PRIu64 " more lines are left out, behind %" PRIu64
                       " (trace.lines)\n",
                       text->run, record->wave, text->lines);
    }
    return to;
}

static char *put_line(struct sl_instruction_text *text, char *to,
                      const struct sl_traced_record *record)
{
    if (record->kind == SL_TRACED_RESULT) {
        return put_register(put_text(to, " ; "), record);
    }
    to = end_line(text, to);
    switch ((enum sl_traced_kind)record->kind) {
    case SL_TRACED_BEGIN:
        take_names(text);
        return to + snprintf(to, LINE_BYTES / 2, "# run %" PRIu64 "\n", ++text->run);
    case SL_TRACED_END:
        return put_end(text, to, record);
    case SL_TRACED_FIRMWARE:
        return put_firmware(text, to, record);
    case SL_TRACED_ISSUE:
        return put_issue(text, to, record);
    default:
        return put_late(text, to, record);
    }
}

bool sl_instruction_text_take(void *owner, const uint64_t *record)
{
    struct sl_instruction_text *const text = owner;
    char *const to = sl_stream_take(&text->sink, LINE_BYTES);

    sl_stream_put(&text->sink, put_line(text, to, (const void *)record));
    return sl_stream_failure(&text->sink) == 0;
}

bool sl_instruction_text_rest(void *owner)
{
    return sl_stream_flush(&((struct sl_instruction_text *)owner)->sink);
}

/* ---- the file ---- */

int sl_instruction_text_open(struct sl_instruction_text *text, const char *path, uint64_t lines)
{
    *text = (struct sl_instruction_text){.lines = lines};
    if (sl_stream_open(&text->sink, path) != 0) {
        return -1;
    }
    text->places = calloc(SL_PLACE_TEXTS, sizeof *text->places);
    if (text->places == NULL) {
        sl_stream_close(&text->sink);
        return -1;
    }
    look_up_kernel(text, 0);
    sl_stream_print(&text->sink, "# time/ns unit wavefront context kernel lanes address "
                                 "function+offset instruction [; register=value]\n");
    return 0;
}

void sl_instruction_text_names(struct sl_instruction_text *text, const struct sl_elf *kernels,
                               const struct sl_elf *firmware)
{
    __atomic_store_n(&text->next_kernels, kernels, __ATOMIC_RELEASE);
    __atomic_store_n(&text->next_firmware, firmware, __ATOMIC_RELEASE);
}

void sl_instruction_text_close(struct sl_instruction_text *text)
{
    if (text->places != NULL) {
        sl_stream_text(&text->sink, "\n", text->is_open);
        sl_stream_close(&text->sink);
        free(text->places);
        text->places = NULL;
    }
}
