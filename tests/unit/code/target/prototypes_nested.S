/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A function whose debug information says that it has a block in a block in a block ... in it. */
        .text
        .globl  nested
        .type   nested, @function
nested: nop
        ret
        .size   nested, . - nested

        /* Number, tag, children or none; attributes and forms: DW_AT_low_pc, DW_AT_high_pc. */
        .section .debug_abbrev, "", @progbits
abbreviations:
        .byte   1, 0x11, 1, 0x11, 0x01, 0x12, 0x0b, 0, 0 /* DW_TAG_compile_unit */
        .byte   2, 0x2e, 1, 0x11, 0x01, 0x12, 0x0b, 0, 0 /* DW_TAG_subprogram */
        .byte   3, 0x0b, 1, 0x11, 0x01, 0x12, 0x0b, 0, 0 /* DW_TAG_lexical_block */
        .byte   0

        .macro  scope number
        .byte   \number
        .8byte  nested
        .byte   8
        .endm

        .section .debug_info, "", @progbits
        .4byte  2f - 1f
1:      .2byte  4 /* DWARF's version */
        .4byte  abbreviations
        .byte   8 /* bytes of an address */
        scope   1
        scope   2
        .rept   100000
        scope   3
        .endr
        .zero   100000 + 2
2:
