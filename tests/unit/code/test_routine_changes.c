/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels call the routines of hal/kernel/channel_routines.S as assembly that names the registers
 * it changes (sluice/wave/changes.h): these are the ones that the routines' instructions write. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/check.h"
#include "host/driver/code/elf.h"
#include "isa/isa.h"
#include "sluice/wave/changes.h"

#define CHANGES_MAX 16

static const struct {
    const char *name;
    const char *arguments[3]; /* that it changes */
    const char *changes[CHANGES_MAX];
} routines[] = {
    {"sl_talloc", {"a0"}, {SL_TALLOC_CHANGES}},
    {"sl_talloc_or_trap", {"a0"}, {SL_TALLOC_CHANGES}},
    {"sl_talloc_or_yield", {"a0"}, {SL_TALLOC_CHANGES}},
    {"sl_enq", {"a1", "a2"}, {SL_ENQ_CHANGES}},
    {"sl_tfree", {NULL}, {SL_TFREE_CHANGES}},
    {"sl_talloc_stamped", {"a0"}, {SL_TALLOC_CHANGES}},
    {"sl_talloc_or_trap_stamped", {"a0"}, {SL_TALLOC_CHANGES}},
    {"sl_talloc_or_yield_stamped", {"a0"}, {SL_TALLOC_CHANGES}},
    {"sl_enq_stamped", {"a1", "a2"}, {SL_ENQ_CHANGES}},
};
#define ROUTINE_COUNT (sizeof routines / sizeof routines[0])

/* The bit of a register by its name in the calling convention. */
static uint64_t bit_of(const char *name)
{
    const unsigned number = (unsigned)(name[1] - '0');
    if (name[0] == 'a') {
        return 1ull << (10 + number);
    }
    assert_int_equal(name[0], 't');
    return 1ull << (number < 3 ? 5 + number : 25 + number);
}

static uint64_t bits_of(const char *const *names, size_t most)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < most && names[i] != NULL; i++) {
        bits |= bit_of(names[i]);
    }
    return bits;
}

/* What the instructions of a function write, x0 left out. */
static uint64_t written(const struct sl_elf *elf, const struct sl_elf_function *function)
{
    const struct sl_elf_segment *const code = &elf->segments[elf->code];
    uint64_t mask = 0;
    for (uint64_t at = 0; at < function->bytes; at += 4) {
        uint32_t word;
        memcpy(&word, (const char *)code->data + (function->address - code->address) + at, 4);
        const struct sl_insn insn = sl_insn_decode(word);
        assert_int_not_equal(insn.class, SL_CLASS_ILLEGAL);
        assert_int_equal(insn.bytes, 4);
        mask |= 1ull << insn.rd;
    }
    return mask & ~1ull;
}

/* The routines that a file of kernels has. Returns how many. */
static size_t check_routines(const struct sl_elf *elf)
{
    size_t found = 0;

    for (size_t r = 0; r < ROUTINE_COUNT; r++) {
        for (size_t f = 0; f < elf->function_count; f++) {
            if (strcmp(elf->functions[f].name, routines[r].name) == 0) {
                assert_int_equal(written(elf, &elf->functions[f]),
                                 bits_of(routines[r].arguments, 3) |
                                     bits_of(routines[r].changes, CHANGES_MAX));
                found++;
            }
        }
    }
    return found;
}

/* The file for stamped channels has them all. */
TEST(test_changes)
{
    static const char *const files[] = {"routines", "routines_stamped"};
    const char *build = getenv("SLUICE_BUILD");
    static const size_t counts[] = {5, ROUTINE_COUNT};

    for (size_t i = 0; i < 2; i++) {
        char path[1024];
        char error[512];
        struct sl_elf elf;
        (void)snprintf(path, sizeof path, "%s/kernels/%s.elf", build == NULL ? "build" : build,
                       files[i]);
        if (access(path, R_OK) != 0) {
            skip(); /* `make test` builds it first */
        }
        if (sl_elf_open(&elf, path, error, sizeof error) != 0) {
            fail_msg("%s", error);
        }
        assert_int_equal(check_routines(&elf), counts[i]);
        sl_elf_close(&elf);
    }
}
