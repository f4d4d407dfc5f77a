/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where the firmware was when it trapped or was ended: functions and lines of its ELF file, who has
 * called them, and for a hang the loop. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/text.h"
#include "host/driver/code/debug_lines.h"
#include "host/driver/code/firmware_elf.h"
#include "host/driver/machine/machine.h"
#include "host/observe/diagnose/diagnose.h"
#include "host/observe/diagnose/firmware_backtrace.h"
#include "sluice/codes.h"
#include "sluice/layouts.h"
#include "sluice/memory_map.h"
#include "sluice/registers.h"

#define SP         2
#define INLINED    4 /* functions inlined into each other that are named, from the inside */
#define LOOP_LINES 6 /* of a loop that are named */

/* What the firmware was made from. */
struct names {
    struct sl_elf elf;
    Dwarf *lines;
    bool is_open;
    char error[1024]; /* why it is not open */
};

static void names_open(struct names *names, const struct sl_config *config)
{
    *names = (struct names){.is_open = false};
    if (sl_firmware_elf_open(&names->elf, config, names->error, sizeof names->error) != SL_OK) {
        return;
    }
    if (!sl_firmware_elf_fits(&names->elf, config, names->error, sizeof names->error)) {
        sl_elf_close(&names->elf);
        return;
    }
    names->lines = sl_debug_lines_open(names->elf.elf);
    names->is_open = true;
}

static void names_close(struct names *names)
{
    if (names->is_open) {
        sl_debug_lines_close(names->lines);
        sl_elf_close(&names->elf);
    }
}

static void append_unknown(const struct names *names, char *out, size_t bytes)
{
    sl_text_append(out, bytes,
                   "; for names of functions keep the firmware's ELF file beside the flash image, "
                   "x.elf beside x.flash, or set profile.firmware: %s",
                   names->error);
}

static void append_line(const struct sl_debug_line *line, char *out, size_t bytes)
{
    if (line->file != NULL) {
        sl_text_append(out, bytes, " (%s:%d)", line->file, line->line);
    }
}

/* "inner (x.h:4) <- outer (x.c:12)": the functions that an instruction is of. */
static void append_place(const struct names *names, uint64_t pc, char *out, size_t bytes)
{
    struct sl_debug_frame frames[INLINED];
    const int count = sl_debug_frames(names->lines, pc, frames, INLINED);
    const struct sl_elf_function *const function = sl_elf_function_at(&names->elf, pc);

    for (int i = 0; i < count; i++) {
        const char *const name = frames[i].function;
        sl_text_append(out, bytes, "%s%s", i > 0 ? " <- " : "", name != NULL ? name : "?");
        append_line(&frames[i].line, out, bytes);
    }
    if (count == 0 && function != NULL) {
        const struct sl_debug_line line = sl_debug_line_at(names->lines, pc);
        sl_text_append(out, bytes, "%s", function->name);
        append_line(&line, out, bytes);
    } else if (count == 0) {
        sl_text_append(out, bytes, "0x%" PRIx64 " (no code of the firmware)", pc);
    }
}

static void append_calls(const struct names *names, const struct sl_backtrace *trace, char *out,
                         size_t bytes)
{
    const uint64_t inner = trace->count < SL_BACKTRACE_INNER ? trace->count : SL_BACKTRACE_INNER;
    const uint64_t left = trace->count - inner;
    const uint64_t outer = left < SL_BACKTRACE_OUTER ? left : SL_BACKTRACE_OUTER;

    for (uint64_t i = 0; i < inner; i++) {
        sl_text_append(out, bytes, "%s", i > 0 ? " <- " : "");
        append_place(names, trace->inner[i], out, bytes);
    }
    if (left > outer) {
        sl_text_append(out, bytes, " <- %" PRIu64 " more", left - outer);
    }
    for (uint64_t i = trace->count - outer; i < trace->count; i++) {
        sl_text_append(out, bytes, " <- ");
        append_place(names, trace->outer[i % SL_BACKTRACE_OUTER], out, bytes);
    }
}

/* The registers as the trap entry has saved them. */
static struct sl_firmware_registers saved_registers(const struct names *names, uint64_t pc)
{
    struct sl_firmware_registers registers = {.pc = pc};
    const uint64_t frame = sl_elf_symbol(&names->elf, "trap_frame");

    if (frame % sizeof(uint64_t) == 0 &&
        frame - SL_FIRMWARE_BASE <= SL_FIRMWARE_BYTES - sizeof registers.x) {
        memcpy(registers.x, (const void *)(uintptr_t)frame, sizeof registers.x);
    }
    return registers;
}

/* The stack ends where the linker script says. */
static void append_stack(const struct names *names, uint64_t sp, char *out, size_t bytes)
{
    const uint64_t end = sl_elf_symbol(&names->elf, "firmware_was_here");

    if (end != 0 && sp < end && sp >= SL_FIRMWARE_BASE) {
        sl_text_append(out, bytes,
                       "; its stack overflowed: sp is %" PRIu64 " bytes below the stack's end",
                       end - sp);
    }
}

static void append_trace(const struct names *names, const struct sl_firmware_registers *registers,
                         char *out, size_t bytes)
{
    struct sl_backtrace trace;

    sl_firmware_backtrace(names->lines, registers, &trace);
    append_calls(names, &trace, out, bytes);
    append_stack(names, registers->x[SP], out, bytes);
}

void sl_text_append_trap(const struct sl_config *config, uint64_t pc, char *out, size_t bytes)
{
    struct names names;

    names_open(&names, config);
    if (names.is_open) {
        const struct sl_firmware_registers registers = saved_registers(&names, pc);
        sl_text_append(out, bytes, "; in ");
        append_trace(&names, &registers, out, bytes);
    } else {
        append_unknown(&names, out, bytes);
    }
    names_close(&names);
}

/* ---- hangs ---- */

/* A line of a loop, and so many samples of it. */
struct loop_line {
    char text[256];
    unsigned samples;
};

static int by_samples(const void *left, const void *right)
{
    const struct loop_line *const a = left;
    const struct loop_line *const b = right;
    return a->samples != b->samples ? (a->samples < b->samples) - (a->samples > b->samples)
                                    : strcmp(a->text, b->text);
}

/* "function (x.c:12)" of the innermost function, or the address. */
static void line_text(const struct names *names, uint64_t pc, char *out, size_t bytes)
{
    struct sl_debug_frame frame;

    out[0] = '\0';
    if (names->is_open && sl_debug_frames(names->lines, pc, &frame, 1) == 1) {
        sl_text_append(out, bytes, "%s", frame.function != NULL ? frame.function : "?");
        append_line(&frame.line, out, bytes);
    } else if (names->is_open) {
        append_place(names, pc, out, bytes);
    } else {
        sl_text_append(out, bytes, "0x%" PRIx64, pc);
    }
}

/* Samples of one line are made one. Returns how many lines there are. */
static size_t gather(const struct names *names, const struct sl_hang *hang, uint32_t samples,
                     struct loop_line *lines)
{
    size_t count = 0;

    for (uint32_t i = 0; i < samples; i++) {
        char text[sizeof lines->text];
        size_t at = 0;
        line_text(names, hang->pc[i], text, sizeof text);
        while (at < count && strcmp(lines[at].text, text) != 0) {
            at++;
        }
        if (at == count) {
            lines[count] = (struct loop_line){.samples = 0};
            memcpy(lines[count++].text, text, sizeof text);
        }
        lines[at].samples++;
    }
    qsort(lines, count, sizeof *lines, by_samples);
    return count;
}

static void append_loop(const struct names *names, const struct sl_hang *hang, char *out,
                        size_t bytes)
{
    const uint32_t samples = hang->samples < SL_HANG_SAMPLES ? hang->samples : SL_HANG_SAMPLES;
    struct loop_line *const lines = calloc(SL_HANG_SAMPLES, sizeof *lines);
    const size_t count = lines != NULL ? gather(names, hang, samples, lines) : 0;

    for (size_t i = 0; i < count && i < LOOP_LINES; i++) {
        sl_text_append(out, bytes, "%s%s", i > 0 ? ", " : "; it goes round in ", lines[i].text);
        if (count > 1) {
            sl_text_append(out, bytes, " %u %%", (lines[i].samples * 100 + samples / 2) / samples);
        }
    }
    if (count > LOOP_LINES) {
        sl_text_append(out, bytes, ", and %zu more lines", count - LOOP_LINES);
    }
    free(lines);
}

void sl_text_append_hang(const struct sl_soc *soc, int status, char *out, size_t bytes)
{
    const struct sl_hang *const hang =
        (const void *)((const char *)soc->memory.dram + (SL_HANG_BASE - SL_DRAM_BASE));
    struct names names;

    if (status == 0 || hang->status != (uint32_t)status) {
        return;
    }
    names_open(&names, &soc->config);
    if (status == SL_EXIT_OVERWRITTEN) {
        sl_text_append(out, bytes, " It stored to 0x%" PRIx64, hang->address);
    } else {
        sl_text_append(out, bytes, " It was");
    }
    sl_text_append(out, bytes, " at pc 0x%" PRIx64, hang->last);
    if (names.is_open) {
        sl_text_append(out, bytes, ", in ");
        if (hang->has_trapped != 0) {
            const struct sl_firmware_registers registers = saved_registers(&names, hang->last);
            append_trace(&names, &registers, out, bytes);
        } else {
            append_place(&names, hang->last, out, bytes);
        }
    }
    append_loop(&names, hang, out, bytes);
    if (!names.is_open) {
        append_unknown(&names, out, bytes);
    }
    names_close(&names);
}

/* ---- stray stores ---- */

/* "read-only register TIME_PS", "a part of register EXIT", "offset 0x204, where no register is". */
static void append_register(uint64_t offset, char *out, size_t bytes)
{
    enum { RO, WO, RW };
    static const struct {
        const char *name;
        uint64_t offset;
        int access;
    } registers[] = {
#define SL_REGISTER(NAME, at, access, text) {#NAME, (at), (access)},
#include "contract/registers.def"
#undef SL_REGISTER
    };

    for (size_t i = 0; i < sizeof registers / sizeof registers[0]; i++) {
        if (registers[i].offset == offset / 8 * 8) {
            sl_text_append(out, bytes, "%s %s",
                           registers[i].access == RO ? "read-only register" : "a part of register",
                           registers[i].name);
            return;
        }
    }
    sl_text_append(out, bytes, "offset 0x%" PRIx64 " of the window, where no register is", offset);
}

void sl_text_append_stray(const struct sl_soc *soc, const char *before, char *out, size_t bytes)
{
    const uint64_t stores = sl_soc_register(soc, SL_REG_STRAY_STORES);
    const uint64_t pc = sl_soc_register(soc, SL_REG_STRAY_PC);
    struct names names;

    if (stores == 0) {
        return;
    }
    sl_text_append(out, bytes, "%sthe firmware stored to ", before);
    append_register(sl_soc_register(soc, SL_REG_STRAY_OFFSET), out, bytes);
    sl_text_append(out, bytes, ", at pc 0x%" PRIx64, pc);
    names_open(&names, &soc->config);
    if (names.is_open && pc != 0) {
        sl_text_append(out, bytes, ", in ");
        append_place(&names, pc, out, bytes);
    }
    names_close(&names);
    if (stores > 1) {
        sl_text_append(out, bytes, "; there are %" PRIu64 " such stores", stores);
    }
}
