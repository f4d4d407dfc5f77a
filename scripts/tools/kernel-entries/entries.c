/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Which instructions make a function's frame, GCC says itself: with -dP each instruction has its
 * RTL as a comment in front of it, in which `insn/f` is one that the frame's description for
 * debuggers follows (RTX_FRAME_RELATED_P). Of an entry,
 *
 *   - stores of those that save ra, s0-s11 or fs0-fs11 are left out, and so are the loads that
 *     restore one; in place of the load of ra, which calls have overwritten, ra is set to where a
 *     lane's end is (SL_LANE_EXIT_PC);
 *   - the description says nothing of these registers, and of ra that it is undefined, by which
 *     debuggers know the outermost frame;
 *   - sp is left alone where nothing but the frame's own instructions names it;
 *   - the symbol is marked as one of another calling convention, as RISC-V's ELF psABI has it
 *     (STO_RISCV_VARIANT_CC), by which the host library knows entries.
 *
 * What else makes a frame (large ones, a frame pointer) stays, and so does all of the function's
 * own use of its stack. */
#include "entries.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/memory_map.h"

#define SECTION "\t.section\t.text.kernels"

struct line {
    const char *text;
    bool is_frame; /* an instruction of the frame's */
    bool is_gone;
    bool ends_lane; /* in its place, ra is set to where a lane's end is */
};

struct file {
    struct line *lines;
    size_t count;
};

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* A line of the compiler's that is an instruction, none of its directives, labels and comments. */
static bool is_instruction(const char *text)
{
    return text[0] == '\t' && islower((unsigned char)text[1]);
}

/* A line that names the section of entries; its flags follow when it is named first. */
static bool begins_kernels(const char *text)
{
    return begins(text, SECTION) && strchr(",", text[sizeof SECTION - 1]) != NULL;
}

/* ---- lines, and the RTL in front of them ---- */

/* The first line of an RTL comment: "#(insn/f:TI 163 ...", of which the flags are between the
 * parenthesis and the first blank. */
static bool is_frame_rtl(const char *text)
{
    const char *const flag = strstr(text, "/f");
    return begins(text, "#(insn") && flag != NULL && flag < strchr(text, ' ');
}

/* Splits the text, and leaves out the RTL: a comment that begins with a parenthesis, up to the
 * first line that is none. Assembly in the source has none. */
static int split(char *text, struct file *file)
{
    bool is_rtl = false;
    bool is_frame = false;
    size_t most = 1;

    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++) {
        most++;
    }
    file->lines = calloc(most, sizeof *file->lines);
    if (file->lines == NULL) {
        return -1;
    }
    for (char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        *end = '\0';
        if (begins(text, "#(")) {
            is_rtl = true;
            is_frame = is_frame_rtl(text);
        }
        is_rtl = is_rtl && text[0] == '#';
        if (!is_rtl) {
            const bool is_insn = is_instruction(text);
            file->lines[file->count++] =
                (struct line){.text = text, .is_frame = is_frame && is_insn};
            is_frame = is_frame && !is_insn && !begins(text, " #APP");
        }
    }
    return 0;
}

/* ---- instructions of a frame ---- */

/* Registers that a function keeps for its caller, ra among them. */
static bool is_kept(const char *reg)
{
    const char *const number = reg + (reg[0] == 'f');
    return strcmp(reg, "ra") == 0 || (number[0] == 's' && isdigit((unsigned char)number[1]));
}

/* Whether a line is `integer` or `floating` (mnemonics) of such a register and a word on the stack.
 * Gives the register. */
static bool is_move(const struct line *line, const char *integer, const char *floating, char reg[5])
{
    char mnemonic[8];
    char base[5];
    long offset;

    return line->is_frame &&
           sscanf(line->text, " %7[a-z] %4[a-z0-9],%ld(%4[a-z0-9])", mnemonic, reg, &offset,
                  base) == 4 &&
           strcmp(mnemonic, reg[0] == 'f' ? floating : integer) == 0 && strcmp(base, "sp") == 0 &&
           is_kept(reg);
}

/* Whether a line names sp as GCC writes it. Assembly in the source counts, since its operands may
 * be on the stack. */
static bool names_sp(const char *text)
{
    for (const char *at = text; (at = strstr(at, "sp")) != NULL; at += 2) {
        const bool begins_word =
            at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_' && at[-1] != '.');
        if (begins_word && !isalnum((unsigned char)at[2]) && at[2] != '_') {
            return true;
        }
    }
    return false;
}

/* "addi sp,sp,16" of the frame's. */
static bool is_adjustment(const struct line *line)
{
    return line->is_frame && begins(line->text, "\taddi\tsp,sp,");
}

/* Descriptions of where a function's registers are. */
static bool is_saved_rule(const char *text)
{
    return begins(text, "\t.cfi_offset ") || begins(text, "\t.cfi_restore ");
}

static bool is_frame_rule(const char *text)
{
    return begins(text, "\t.cfi_def_cfa_offset ");
}

/* ---- entries ---- */

/* An entry that is called all the same, through a pointer, must not come back with registers
 * changed: one that does not save ra sets it in place of its first save. */
static void drop_saves(struct line *lines, size_t count)
{
    struct line *first = NULL;
    bool saves_ra = false;
    char reg[5];

    for (size_t i = 0; i < count; i++) {
        struct line *const line = &lines[i];
        if (is_move(line, "sd", "fsd", reg)) {
            saves_ra |= strcmp(reg, "ra") == 0;
            first = first == NULL ? line : first;
            line->is_gone = true;
        } else if (is_move(line, "ld", "fld", reg)) {
            line->ends_lane = strcmp(reg, "ra") == 0;
            line->is_gone = !line->ends_lane;
        } else if (is_saved_rule(line->text)) {
            line->is_gone = true;
        }
    }
    if (first != NULL && !saves_ra) {
        first->is_gone = false;
        first->ends_lane = true;
    }
}

/* Where nothing on the stack is used, there is no frame. */
static void drop_frame(struct line *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct line *const line = &lines[i];
        if (!line->is_gone && !line->ends_lane && !is_adjustment(line) && names_sp(line->text)) {
            return;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (is_adjustment(&lines[i]) || is_frame_rule(lines[i].text)) {
            lines[i].is_gone = true;
        }
    }
}

/* The lines from one that declares a function to the one that gives its size. */
static size_t function_lines(const struct file *file, size_t first, const char *name)
{
    char size[256];

    (void)snprintf(size, sizeof size, "\t.size\t%s, ", name);
    for (size_t i = first; i < file->count; i++) {
        if (begins(file->lines[i].text, size)) {
            return i + 1 - first;
        }
    }
    return 0;
}

static void write_lines(const struct line *lines, size_t count, const char *entry, FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        if (lines[i].ends_lane) {
            (void)fprintf(out, "\tli\tra,%llu\n", SL_LANE_EXIT_PC);
        } else if (!lines[i].is_gone) {
            (void)fprintf(out, "%s\n", lines[i].text);
        }
        if (entry != NULL && i == 0) {
            (void)fprintf(out, "\t.variant_cc\t%s\n", entry);
        } else if (entry != NULL && strcmp(lines[i].text, "\t.cfi_startproc") == 0) {
            (void)fprintf(out, "\t.cfi_undefined ra\n");
        }
    }
}

int entries_write(char *text, FILE *out)
{
    struct file file = {NULL, 0};
    char name[200];
    bool is_kernels = false;
    size_t count;

    if (split(text, &file) != 0) {
        return -1;
    }
    for (size_t i = 0; i < file.count; i += count) {
        struct line *const line = &file.lines[i];
        const char *entry = NULL;
        count = 1;
        if (begins(line->text, "\t.section\t") || strcmp(line->text, "\t.text") == 0) {
            is_kernels = begins_kernels(line->text);
        } else if (is_kernels && sscanf(line->text, " .type %199[^, ], @function", name) == 1 &&
                   function_lines(&file, i, name) > 0) {
            entry = name;
            count = function_lines(&file, i, name);
            drop_saves(line, count);
            drop_frame(line, count);
        }
        write_lines(line, count, entry, out);
    }
    free(file.lines);
    return 0;
}
