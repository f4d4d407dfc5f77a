/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A Linux program for qemu-riscv64 that runs the functions of cases.c as lanes run entries: ra is
 * SL_LANE_EXIT_PC, where code of this program is linked to (tests/static/check_entries.sh), and sp
 * is the same at the end. An entry may leave all other registers as it likes. Prints the names of
 * those that do not give the function's result. Exit status 0 where there is none, else 1. */
#include "entries/cases.h"

#include <stdbool.h>
#include <stddef.h>

#define LINUX_WRITE 64
#define LINUX_EXIT  93

#define INPUTS 24u

void run_entry(void (*entry)(uint64_t input, uint64_t *out), uint64_t input, uint64_t *out);
extern uint64_t run_entry_sp[2]; /* before, and at the end */

/* s2 is not zero, so that an entry which takes a register's value for its own is found. The other
 * arguments are what entry_variadic adds up. */
__asm__(".pushsection .bss\n"
        ".balign 8\n"
        "run_entry_sp: .skip 16\n"
        ".popsection\n"
        ".macro kept op, fop\n"
        "  .irp n, 0,1,2,3,4,5,6,7,8,9,10,11\n"
        "  \\op s\\n, 8 * \\n (sp)\n"
        "  \\fop fs\\n, 96 + 8 * \\n (sp)\n"
        "  .endr\n"
        "  \\op ra, 192(sp)\n"
        "  \\op gp, 200(sp)\n"
        ".endm\n"
        "run_entry:\n"
        "  addi sp, sp, -208\n"
        "  kept sd, fsd\n"
        "  la t1, run_entry_sp\n"
        "  sd sp, (t1)\n"
        "  mv t0, a0\n"
        "  mv a0, a1\n"
        "  mv a1, a2\n"
        "  li a2, 11\n"
        "  li a3, 13\n"
        "  li a4, 17\n"
        "  .irp n, 0,1,2,3,4,5,6,7,8,9,10,11\n"
        "  li s\\n, -1\n"
        "  fmv.d.x fs\\n, s\\n\n"
        "  .endr\n"
        "  li ra, 0x40000000\n"
        "  jr t0\n"
        ".pushsection .lane_exit, \"ax\"\n"
        "  la t1, run_entry_sp\n"
        "  sd sp, 8(t1)\n"
        "  ld sp, (t1)\n"
        "  la t1, run_entry_end\n"
        "  jr t1\n"
        ".popsection\n"
        "run_entry_end:\n"
        "  kept ld, fld\n"
        "  addi sp, sp, 208\n"
        "  ret\n");

static long system_call(long number, long a, long b, long c)
{
    register long a0 __asm__("a0") = a;
    register long a1 __asm__("a1") = b;
    register long a2 __asm__("a2") = c;
    register long a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return a0;
}

static void print(const char *text)
{
    size_t length = 0;
    while (text[length] != '\0') {
        length++;
    }
    (void)system_call(LINUX_WRITE, 1, (long)text, (long)length);
}

static bool is_right(entry_function *entry, uint64_t input, uint64_t expected)
{
    uint64_t out = ~expected;
    run_entry(entry, input, &out);
    return out == expected && run_entry_sp[0] == run_entry_sp[1];
}

static bool run_case(const struct entry_case *one)
{
    bool is_good = true;
    uint64_t input = 1;
    for (unsigned i = 0; i < INPUTS && is_good; i++) {
        const uint64_t expected = one->function(input);
        is_good = is_right(one->entry, input, expected) &&
                  (one->unchanged == NULL || is_right(one->unchanged, input, expected));
        input = i % 2 == 0 ? input * 6364136223846793005u + 1442695040888963407u : input >> 40;
    }
    if (!is_good) {
        print(one->name);
        print(" as an entry: another result or stack\n");
    }
    return is_good;
}

void _start(void);
void _start(void)
{
    void (*const variadic)(uint64_t, uint64_t *, ...) = entry_variadic;
    bool is_good = is_right((entry_function *)(uintptr_t)variadic, 3, 3 * (11 + 13 + 17) + 3);
    if (!is_good) {
        print("entry_variadic: another sum\n");
    }
    if (!is_right(entry_debugged, 12, 523)) {
        print("entry_debugged: another result\n");
        is_good = false;
    }
    for (unsigned i = 0; i < entry_case_count; i++) {
        is_good &= run_case(&entry_cases[i]);
    }
    (void)system_call(LINUX_EXIT, is_good ? 0 : 1, 0, 0);
}
