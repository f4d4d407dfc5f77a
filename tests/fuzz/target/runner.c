/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A Linux program for qemu-riscv64, without a C library: executes lanes one after the other, each
 * with the registers and the memory that it is given (tests/fuzz/exchange.h). */
#include "fuzz/exchange.h"

#define LINUX_READ  63
#define LINUX_WRITE 64
#define LINUX_EXIT  93
#define LINUX_MMAP  222

/* exit_to comes first: x3 points here while a lane executes. */
struct context {
    uint64_t exit_to;
    uint64_t saved[16];
    struct exchange_lane lane;
};

static struct context context;

/* Saves what the C code needs, loads all registers, and jumps to x31; leave() is the way back. */
void enter(struct context *context);
void leave(void);

__asm__(".macro each op, file, base, numbers:vararg\n"
        "  .irp n, \\numbers\n"
        "  \\op \\file\\n, \\base + 8 * \\n(gp)\n"
        "  .endr\n"
        ".endm\n"
        ".macro all_x op, base\n"
        "  each \\op, x, \\base, "
        "1,2,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
        ".endm\n"
        ".macro all_f op, base\n"
        "  each \\op, f, \\base, "
        "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
        ".endm\n"
        ".macro saved op\n"
        "  \\op ra, 8(gp)\n"
        "  \\op sp, 16(gp)\n"
        "  \\op tp, 24(gp)\n"
        "  \\op s0, 32(gp)\n"
        "  \\op s1, 40(gp)\n"
        "  \\op s2, 48(gp)\n"
        "  \\op s3, 56(gp)\n"
        "  \\op s4, 64(gp)\n"
        "  \\op s5, 72(gp)\n"
        "  \\op s6, 80(gp)\n"
        "  \\op s7, 88(gp)\n"
        "  \\op s8, 96(gp)\n"
        "  \\op s9, 104(gp)\n"
        "  \\op s10, 112(gp)\n"
        "  \\op s11, 120(gp)\n"
        ".endm\n"
        ".text\n"
        ".option norelax\n"
        ".globl enter\n"
        "enter:\n"
        "  mv gp, a0\n"
        "  saved sd\n"
        "  ld t0, 136 + 512(gp)\n"
        "  fscsr t0\n"
        "  all_f fld, 136 + 256\n"
        "  all_x ld, 136\n"
        "  jr x31\n"
        ".globl leave\n"
        "leave:\n"
        "  all_x sd, 136\n"
        "  all_f fsd, 136 + 256\n"
        "  frcsr t0\n"
        "  sd t0, 136 + 512(gp)\n"
        "  saved ld\n"
        "  ret\n"
        ".globl _start\n"
        "_start:\n"
        "  call run\n");

_Static_assert(__builtin_offsetof(struct context, lane) == 136, "enter() and leave() say 136");

static long syscall(long number, long a, long b, long c, long d, long e, long f)
{
    register long a0 __asm__("a0") = a;
    register long a1 __asm__("a1") = b;
    register long a2 __asm__("a2") = c;
    register long a3 __asm__("a3") = d;
    register long a4 __asm__("a4") = e;
    register long a5 __asm__("a5") = f;
    register long a7 __asm__("a7") = number;
    __asm__ volatile("ecall"
                     : "+r"(a0)
                     : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a7)
                     : "memory");
    return a0;
}

static _Noreturn void quit(int status)
{
    for (;;) {
        syscall(LINUX_EXIT, status, 0, 0, 0, 0, 0);
    }
}

/* All of it, or the end of the program. */
static void transfer(long number, int file, void *buffer, uint64_t bytes)
{
    char *at = buffer;
    while (bytes > 0) {
        long done = syscall(number, file, (long)at, (long)bytes, 0, 0, 0);
        if (done <= 0) {
            quit(2);
        }
        at += done;
        bytes -= (uint64_t)done;
    }
}

static void read_segment(void)
{
    struct exchange_segment segment;
    transfer(LINUX_READ, 0, &segment, sizeof segment);
    /* Readable, writable, executable; private, anonymous, at this address and over nothing else. */
    long got = syscall(LINUX_MMAP, (long)segment.address, (long)segment.bytes, 7, 0x100022, -1, 0);
    if ((uint64_t)got != segment.address) {
        quit(3);
    }
    transfer(LINUX_READ, 0, (void *)segment.address, segment.data_bytes);
}

static void copy(uint64_t *to, const uint64_t *from)
{
    for (int i = 0; i < EXCHANGE_SCRATCH; i++) {
        __asm__ volatile("" ::: "memory"); /* no call of memcpy: there is none */
        to[i] = from[i];
    }
}

_Noreturn void run(void);

_Noreturn void run(void)
{
    struct exchange_header header;
    transfer(LINUX_READ, 0, &header, sizeof header);
    for (uint64_t i = 0; i < header.segment_count; i++) {
        read_segment();
    }
    context.exit_to = (uint64_t)leave;
    for (uint64_t i = 0; i < header.lane_count; i++) {
        struct exchange_lane *lane = &context.lane;
        transfer(LINUX_READ, 0, lane, sizeof *lane);
        lane->x[1] = (uint64_t)leave;
        uint64_t *scratch = (uint64_t *)lane->scratch_address;
        if (scratch != 0) {
            copy(scratch, lane->scratch);
        }
        enter(&context);
        if (scratch != 0) {
            copy(lane->scratch, scratch);
        }
        transfer(LINUX_WRITE, 1, lane, sizeof *lane);
    }
    quit(0);
}
