/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where things are in DRAM while sequences run, for driver.S and the host alike: plain numbers,
 * because the assembler reads them. Offsets and sizes are bytes. */
#ifndef SLUICE_TESTS_FUZZ_NATIVE_LAYOUT_H
#define SLUICE_TESTS_FUZZ_NATIVE_LAYOUT_H

#define LAYOUT_DRAM_BYTES 0x4000000

#define LAYOUT_DRIVER 0x80000000
#define LAYOUT_DONE   0x80000800 /* where sequences jump at their end */
#define LAYOUT_HEADER 0x80008000
#define LAYOUT_SAVE   0x80009000 /* of the trap handler */

#define LAYOUT_CODE         0x80010000 /* the driver copies the sequence that runs to this area */
#define LAYOUT_CODE_BYTES   0x2000
#define LAYOUT_FILLED       0x80020000 /* data that each sequence finds the same way */
#define LAYOUT_FILLED_BYTES 0x2000
#define LAYOUT_KEPT         0x80030000 /* data, then code, which sequences leave to the next one */
#define LAYOUT_KEPT_BYTES   0x4000

#define LAYOUT_RECORDS      0x80100000
#define LAYOUT_RESULTS      0x80800000
#define LAYOUT_STRIDE_SHIFT 10 /* of records, and of results */

/* The header. */
#define HEADER_CURRENT 0 /* number of the sequence that runs */
#define HEADER_COUNT   8
#define HEADER_PMPADDR 16 /* 16 entries that are set once */
#define HEADER_PMPCFG  144
#define HEADER_SIZEOF  160

/* What a sequence starts with. */
#define RECORD_X         0 /* x0 to x31 */
#define RECORD_PMPADDR   256
#define RECORD_PMPCFG    384
#define RECORD_MSTATUS   400
#define RECORD_MIE       408
#define RECORD_MSCRATCH  416
#define RECORD_FILL      424 /* seed of the filled area */
#define RECORD_LANDING   432 /* where a trap outside of the code area goes on */
#define RECORD_CODE_AT   440
#define RECORD_IS_CUT    448 /* not to be executed */
#define RECORD_CODE      512
#define RECORD_CODE_SIZE 512

/* What it leaves. */
#define RESULT_X        0
#define RESULT_CSR      256 /* in the order of layout_csrs */
#define RESULT_CHECKSUM 512 /* of the filled area and the code */
#define RESULT_TRAPS    520 /* how many */
#define RESULT_HAS_RUN  528
#define RESULT_TRAP     544
#define TRAP_LIMIT      12 /* the next one ends the sequence */
#define TRAP_SHIFT      5  /* mcause, mepc, mtval, mstatus */

#endif
