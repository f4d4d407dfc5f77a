/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The native engine's CSRs and PMP entries: what is left of values that are written. All figures
 * are what QEMU 7.2.22 answered the same writes with (-machine virt, -cpu rv64). */
#include "common/check.h"
#include "native/csr.h"
#include "native_hart.h"

TEST(test_written_values)
{
    static const struct {
        unsigned number;
        uint64_t written;
        uint64_t left;
    } cases[] = {
        {0x300, 0xfffffffffffdffff, 0x800000cb007c7faa},
        {0x300, 0, 0xb00000000}, /* UXL cannot be made 0 */
        {0x300, 0x1807, 0xb00001802},
        {0x301, UINT64_MAX, 0x80000000001411ad},
        {0x302, UINT64_MAX, 0xf0bfff},
        {0x303, UINT64_MAX, 0x3666},
        {0x303, 0, 0x1444},
        {0x304, 0x5555555555555555, 0x1444},
        {0x305, 0x1800, 0x1800},
        {0x305, 0x1803, 0x1800}, /* reserved mode */
        {0x305, 0x5555, 0x5555},
        {0x306, UINT64_MAX, UINT64_MAX},
        {0x341, UINT64_MAX, UINT64_MAX},
        {0x342, UINT64_MAX, UINT64_MAX},
        {0x343, UINT64_MAX, UINT64_MAX},
        {0x3a0, 0x0202020202020202, 0x0202020202020202},
        {0x3a0, 0x6060606060606060, 0x6060606060606060},
        {0x3bf, UINT64_MAX, UINT64_MAX},
    };
    struct native_hart native;
    native_open(&native);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t value = 0;
        assert_int_equal(csr_write(&native.hart, cases[i].number, cases[i].written), CSR_DONE);
        assert_int_equal(csr_read(&native.hart, cases[i].number, &value), CSR_DONE);
        if (value != cases[i].left) {
            fail_msg("CSR 0x%x: 0x%llx", cases[i].number, (unsigned long long)value);
        }
    }
    native_close(&native);
}

TEST(test_refused)
{
    struct native_hart native;
    uint64_t value;
    native_open(&native);
    assert_int_equal(csr_read(&native.hart, 0x3a1, &value), CSR_ILLEGAL); /* odd pmpcfg */
    assert_int_equal(csr_read(&native.hart, 0x3c0, &value), CSR_ILLEGAL); /* pmpaddr16 */
    assert_int_equal(csr_read(&native.hart, 0x747, &value), CSR_ILLEGAL); /* mseccfg */
    assert_int_equal(csr_write(&native.hart, 0xf14, 0), CSR_ILLEGAL);
    assert_int_equal(csr_write(&native.hart, 0xc00, 0), CSR_ILLEGAL);
    assert_int_equal(csr_read(&native.hart, 0xc00, &value), CSR_FOREIGN);
    assert_int_equal(csr_read(&native.hart, 0x180, &value), CSR_FOREIGN);
    assert_int_equal(csr_write(&native.hart, 0x344, 2), CSR_FOREIGN);
    assert_int_equal(csr_write(&native.hart, 0x300, 1 << 17), CSR_FOREIGN); /* MPRV */
    native_close(&native);
}

/* fcsr is illegal while mstatus.FS is off. */
TEST(test_floating_point)
{
    struct native_hart native;
    uint64_t value;
    native_open(&native);
    assert_int_equal(csr_read(&native.hart, 3, &value), CSR_ILLEGAL);
    assert_int_equal(csr_write(&native.hart, 0x300, 1 << 13), CSR_DONE);
    assert_int_equal(csr_read(&native.hart, 3, &value), CSR_FOREIGN);
    native_close(&native);
}

static bool allows(const struct pmp *pmp, uint64_t address, unsigned bytes, enum pmp_access access)
{
    return (pmp_permissions(pmp, address, bytes) & access) != 0;
}

/* Entry 0: NA4, locked, read only; entries 2 and 3: TOR, locked, execute only. */
TEST(test_pmp)
{
    struct pmp pmp = {.used = 0};
    pmp_write_address(&pmp, 0, 0x80200000 >> 2);
    pmp_write_address(&pmp, 2, 0x80202000 >> 2);
    pmp_write_address(&pmp, 3, 0x80202100 >> 2);
    pmp_write_config(&pmp, 0, 0x91 | 0x8cull << 24);
    assert_true(allows(&pmp, 0x80200000, 4, PMP_READ));
    assert_false(allows(&pmp, 0x80200000, 4, PMP_WRITE));
    assert_false(allows(&pmp, 0x80200000, 8, PMP_READ)); /* in part */
    assert_false(allows(&pmp, 0x801ffffe, 4, PMP_READ));
    assert_true(allows(&pmp, 0x80200004, 8, PMP_WRITE));
    assert_false(allows(&pmp, 0x802020fc, 4, PMP_READ));
    assert_true(allows(&pmp, 0x802020fc, 4, PMP_EXECUTE));
    assert_true(allows(&pmp, 0x80202100, 4, PMP_READ));
    assert_true(pmp_is_uniform(&pmp, 0x80201000, 0x1000));
    assert_false(pmp_is_uniform(&pmp, 0x80202000, 0x1000));
    assert_true(pmp_is_uniform(&pmp, 0x80202000, 0x100));

    pmp_write_config(&pmp, 0, 0);
    assert_int_equal(pmp_read_config(&pmp, 0), 0x91 | 0x8cull << 24);
    pmp_write_address(&pmp, 0, 1);
    pmp_write_address(&pmp, 2, 1); /* the begin of a locked TOR */
    assert_int_equal(pmp.address[0], 0x80200000 >> 2);
    assert_int_equal(pmp.address[2], 0x80202000 >> 2);
}

/* What the firmware does to itself (firmware/boot/protect.c). */
TEST(test_napot)
{
    struct pmp pmp = {.used = 0};
    pmp_write_address(&pmp, 0, 0x40000000ull >> 2 | (0x40000000ull / 8 - 1));
    pmp_write_config(&pmp, 0, 0x98);
    assert_true(allows(&pmp, 0x3ffffff8, 8, PMP_READ));
    assert_false(allows(&pmp, 0x40000000, 1, PMP_READ));
    assert_false(allows(&pmp, 0x7fffffff, 1, PMP_EXECUTE));
    assert_true(allows(&pmp, 0x80000000, 8, PMP_WRITE));
}

/* The begin of a TOR entry is what the address before it was when the entry was written. */
TEST(test_tor_keeps_its_begin)
{
    struct pmp pmp = {.used = 0};
    pmp_write_address(&pmp, 0, 0x80001000 >> 2);
    pmp_write_address(&pmp, 1, 0x80002000 >> 2);
    pmp_write_config(&pmp, 0, 0x0f << 8);
    pmp_write_address(&pmp, 0, 0);
    assert_false(allows(&pmp, 0x80000ffe, 4, PMP_READ)); /* in part */
    pmp_write_config(&pmp, 0, 0x0f << 8);
    assert_true(allows(&pmp, 0x80000ffe, 4, PMP_READ));
}

/* A page on which no entry ends is asked about once. */
TEST(test_tlb)
{
    static struct tlb tlb;
    struct pmp pmp = {.used = 0};
    const uint64_t page = 0x80001000;
    pmp_write_address(&pmp, 0, page >> 2 | 511); /* this page, which all may use */
    pmp_write_config(&pmp, 0, 0x1f);
    assert_false(tlb_allows(&tlb, &pmp, page + 0xffe, 4, PMP_READ)); /* in part */
    assert_true(tlb_allows(&tlb, &pmp, page, 8, PMP_WRITE));
    assert_true(tlb_allows(&tlb, &pmp, page + 0xffe, 4, PMP_READ));
    pmp_write_address(&pmp, 0, (page + 0x100) >> 2);
    assert_true(tlb_allows(&tlb, &pmp, page + 0xffe, 4, PMP_READ));
    tlb_flush(&tlb);
    pmp_write_config(&pmp, 0, 0x10); /* NA4: a part of the page */
    assert_true(tlb_allows(&tlb, &pmp, page + 0x100, 4, PMP_READ));
    assert_false(tlb_allows(&tlb, &pmp, page + 0xfe, 4, PMP_READ));
}

/* More pages than there are slots. */
TEST(test_tlb_is_full)
{
    static struct tlb tlb;
    const struct pmp pmp = {.used = 0};
    for (uint64_t page = 0; page < 3 * TLB_SLOTS; page++) {
        assert_true(tlb_allows(&tlb, &pmp, page * PMP_PAGE_BYTES, 8, PMP_READ));
        assert_true(tlb.used > 0 && tlb.used <= TLB_SLOTS / 2);
    }
}
