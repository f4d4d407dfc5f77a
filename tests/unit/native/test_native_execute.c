/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The native engine executes: traps, machine-mode instructions, code that changes itself, and what
 * the plugin is called with for atomics. Expected is what QEMU 7.2.22 does with the same words. */
#include "common/check.h"
#include "native/decode.h"
#include "native_hart.h"
#include "sluice/codes.h"

/* One word with a0 and a1; what the trap says. */
TEST(test_traps)
{
    static const struct {
        const char *text;
        uint32_t word;
        uint64_t a0;
        uint64_t cause;
        uint64_t value;
    } cases[] = {
        {"ecall", 0x00000073, 0, 11, 0},
        {"ebreak", 0x00100073, 0, 3, 0},
        {"c.ebreak", 0x00009002, 0, 3, 0},
        {"zero", 0, 0, 2, 0},
        {"ones", 0xffffffff, 0, 2, 0xffffffff},
        {"uret", 0x00200073, 0, 2, 0x00200073},
        {"fadd.s, FS off", 0x00000053, 0, 2, 0x00000053},
        {"c.fld, FS off", 0x00002108, 0, 2, 0x2108},
        {"custom-0", 0x0000000b, 0, 2, 0x0000000b},
        {"csrw mhartid", 0xf1451073, 0, 2, 0xf1451073},
        {"lw, nothing there", 0x00052503, 0x200, 5, 0x200},
        {"sw, nothing there", 0x00b52023, 0x200, 7, 0x200},
        {"amoadd.w, nothing there", 0x00b5252f, 0x200, 5, 0x200},
        {"amoadd.w, misaligned", 0x00b5252f, NATIVE_DATA + 2, 4, NATIVE_DATA + 2},
        {"lr.d, misaligned", 0x1005352f, NATIVE_DATA + 4, 4, NATIVE_DATA + 4},
        {"lb of the finisher", 0x00050503, 0x100000, 5, 0x100000},
        {"lw over the end of the ROM", 0x00052503, 0xfffe, 5, 0x10000},
        {"jump to nothing", 0x00050067, 0x200, 1, 0x200},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct native_hart native;
        native_open(&native);
        native.hart.x[10] = cases[i].a0;
        native.hart.csr.mstatus |= 8;
        native_run(&native, &cases[i].word, sizeof cases[i].word);
        const struct hart_csrs *const csr = &native.hart.csr;
        const uint64_t pc = cases[i].cause == 1 ? cases[i].a0 : NATIVE_CODE;
        if (native.hart.status != NATIVE_TRAPPED || csr->mcause != cases[i].cause ||
            csr->mtval != cases[i].value || csr->mepc != pc || csr->mstatus != 0xa00001880) {
            fail_msg("%s: status %d, cause %llu, value 0x%llx, pc 0x%llx, mstatus 0x%llx",
                     cases[i].text, native.hart.status, (unsigned long long)csr->mcause,
                     (unsigned long long)csr->mtval, (unsigned long long)csr->mepc,
                     (unsigned long long)csr->mstatus);
        }
        native_close(&native);
    }
}

/* These QEMU executes. */
TEST(test_foreign)
{
    static const struct {
        const char *text;
        uint32_t word;
        uint64_t a0;
    } cases[] = {
        {"sret", 0x10200073, 0},
        {"sfence.vma", 0x12000073, 0},
        {"hlv.w", 0x68054573, 0},
        {"sh1add", 0x20a52533, 0},
        {"andn", 0x40b57533, 0},
        {"clmul", 0x0ab51533, 0},
        {"bset", 0x28b51533, 0},
        {"zext.h", 0x0805453b, 0},
        {"csrr cycle", 0xc0002573, 0},
        {"lw of the CLINT", 0x00052503, 0x2000000},
        {"lw of PCIe", 0x00052503, 0x40000000},
        {"sw to flash", 0x00b52023, 0x20000000},
        {"mret to user mode", 0x30200073, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct native_hart native;
        native_open(&native);
        native.hart.x[10] = cases[i].a0;
        native_run(&native, &cases[i].word, sizeof cases[i].word);
        if (native.hart.status != SL_EXIT_FOREIGN ||
            strstr(native.hart.message, "host.engine = qemu") == NULL) {
            fail_msg("%s: status %d, message '%s'", cases[i].text, native.hart.status,
                     native.hart.message);
        }
        native_close(&native);
    }
}

/* mret goes on at mepc with MIE out of MPIE; both it and a trap clear the reservation. */
TEST(test_return)
{
    static const uint32_t words[] = {
        0x1005252f, /* lr.w a0, (a0) */
        0x30200073, /* mret, to the next */
        0x18b5262f, /* sc.w a2, a1, (a0) */
    };
    struct native_hart native;
    native_open(&native);
    native.hart.x[10] = NATIVE_DATA;
    native.hart.csr.mepc = NATIVE_CODE + 8;
    native.hart.csr.mstatus |= 3 << 11 | 1 << 7;
    native_run(&native, words, sizeof words);
    assert_int_equal(native.hart.x[12], 1);
    assert_int_equal(native.hart.csr.mepc, NATIVE_CODE + 12);
    assert_int_equal(native.hart.csr.mstatus, 0xa00001880); /* MIE was set at the trap */
    native_close(&native);
}

/* A store to the block that executes: its end is still the old one. */
TEST(test_changed_code)
{
    static const uint32_t words[] = {
        0x00b6a623, /* sw a1, 12(a3) */
        0x00000013, /* nop */
        0x00150513, /* addi a0, a0, 1 */
        0x00160613, /* addi a2, a2, 1: becomes addi a2, a2, 16 */
        0xfff70713, /* addi a4, a4, -1 */
        0xfe0716e3, /* bnez a4, -20 */
    };
    struct native_hart native;
    native_open(&native);
    native.hart.x[11] = 0x01060613;
    native.hart.x[13] = NATIVE_CODE;
    native.hart.x[14] = 2;
    native_run(&native, words, sizeof words);
    assert_int_equal(native.hart.x[10], 2);
    assert_int_equal(native.hart.x[12], 17);
    native_close(&native);
}

/* A store to the block that executes, then a load of what is no memory: QEMU looks at that
 * instruction again, and at what is behind it. */
TEST(test_changed_code_at_device)
{
    static const uint32_t words[] = {
        0x00b6a423, /* sw a1, 8(a3) */
        0x00000013, /* nop */
        0x00052803, /* lw a6, 0(a0), of nothing: becomes addi a2, zero, 16 */
        0x00000073, /* ecall */
    };
    struct native_hart native;
    native_open(&native);
    native.hart.x[10] = 0x200;
    native.hart.x[11] = 0x01000613;
    native.hart.x[13] = NATIVE_CODE;
    native_run(&native, words, sizeof words);
    assert_int_equal(native.hart.csr.mcause, 11);
    assert_int_equal(native.hart.csr.mepc, NATIVE_CODE + 12);
    assert_int_equal(native.hart.x[12], 16);
    native_close(&native);
}

static char calls[64];

static void on_access(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    char *const end = calls + strlen(calls);
    (void)vcpu;
    (void)data;
    assert_int_equal(address, NATIVE_DATA);
    *end = (info & INSN_MEM_STORE) != 0 ? 'W' : 'R';
    end[1] = (char)('0' + (1 << (info & 15)));
    end[2] = '\0';
}

static bool execute(struct native_hart *native, uint32_t word)
{
    static const struct qemu_plugin_tb block = {.pc = NATIVE_CODE};
    struct qemu_plugin_insn insn = decode(NATIVE_CODE, word);
    insn.on_access = on_access;
    insn.accesses = 3; /* reads and writes */
    calls[0] = '\0';
    native->hart.pc = NATIVE_CODE;
    native->hart.block = &block;
    return insn.execute(&native->hart, &insn);
}

TEST(test_calls_of_atomics)
{
    struct native_hart native;
    const uint32_t amoadd_w = 0x00b5262f; /* a2, a1, (a0) */
    const uint32_t lr_d = 0x1005362f;     /* a2, (a0) */
    const uint32_t sc_d = 0x18b536af;     /* a3, a1, (a0) */
    native_open(&native);
    native.hart.x[10] = NATIVE_DATA;
    native.hart.x[11] = 5;
    assert_true(execute(&native, amoadd_w));
    assert_string_equal(calls, "R4W4");
    assert_true(execute(&native, lr_d));
    assert_string_equal(calls, "R8");
    assert_int_equal(native.hart.x[12], 5);
    assert_true(execute(&native, sc_d));
    assert_string_equal(calls, "R8W8");
    assert_int_equal(native.hart.x[13], 0);
    assert_true(execute(&native, sc_d)); /* without a reservation */
    assert_string_equal(calls, "");
    assert_int_equal(native.hart.x[13], 1);
    assert_true(execute(&native, lr_d));
    *native_at(&native, NATIVE_DATA) = 9; /* by another process */
    assert_true(execute(&native, sc_d));
    assert_string_equal(calls, "R8W8");
    assert_int_equal(native.hart.x[13], 1);
    assert_int_equal(*native_at(&native, NATIVE_DATA), 9);
    native_close(&native);
}

/* An AMO to what is read-only: its read is told, then the store faults. */
TEST(test_denied_atomic)
{
    struct native_hart native;
    native_open(&native);
    pmp_write_address(&native.hart.pmp, 0, NATIVE_DATA >> 2);
    pmp_write_config(&native.hart.pmp, 0, 0x91);
    hart_protect(&native.hart);
    native.hart.x[10] = NATIVE_DATA;
    assert_false(execute(&native, 0x00b5262f));
    assert_string_equal(calls, "R4");
    assert_int_equal(native.hart.csr.mcause, 7);
    native_close(&native);
}
