/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* docs/look-up/registers.md: memory map, device registers, structures in memory, enumerations. */
#include <stdio.h>
#include <string.h>

#include "docgen.h"
#include "sluice/limits.h"
#include "sluice/memory_map.h"
#include "sluice/registers.h"

#define LINE_CHARS 88 /* of a listing */

struct register_row {
    const char *name;
    unsigned offset;
    const char *access;
    const char *sentence;
};

static const struct register_row registers[] = {
#define SL_REGISTER(NAME, offset, access, text) {#NAME, offset, #access, text},
#include "contract/registers.def"
#undef SL_REGISTER
};

enum layout_kind { LAYOUT_BEGIN, LAYOUT_FIELD, LAYOUT_ARRAY, LAYOUT_GAP, LAYOUT_END };

struct layout_row {
    enum layout_kind kind;
    unsigned number; /* begin: size; others: offset */
    const char *type;
    const char *name;
    unsigned count; /* array: entries; gap: bytes */
    const char *sentence;
};

static const struct layout_row layouts[] = {
#define SL_LAYOUT_BEGIN(name, bytes, text) {LAYOUT_BEGIN, bytes, "", #name, 0, text},
#define SL_LAYOUT_FIELD(name, offset, type, field, text)                                           \
    {LAYOUT_FIELD, offset, #type, #field, 0, text},
#define SL_LAYOUT_ARRAY(name, offset, type, field, count, text)                                    \
    {LAYOUT_ARRAY, offset, #type, #field, count, text},
#define SL_LAYOUT_GAP(name, offset, bytes) {LAYOUT_GAP, offset, "", "", bytes, ""},
#define SL_LAYOUT_END(name)                {LAYOUT_END, 0, "", #name, 0, ""},
#include "contract/layouts.def"
#undef SL_LAYOUT_BEGIN
#undef SL_LAYOUT_FIELD
#undef SL_LAYOUT_ARRAY
#undef SL_LAYOUT_GAP
#undef SL_LAYOUT_END
};

struct fault_row {
    const char *code;
    const char *value[3]; /* address, value0, value1 */
};

static const struct fault_row faults[] = {
#define SL_ENUM_BEGIN(name, PREFIX, text)
#define SL_ENUM_VALUE(PREFIX, NAME, value, text)
#define SL_ENUM_END(name)
#define SL_FAULT(NAME, number, address, value0, value1, text)                                      \
    {"SL_FAULT_" #NAME, {address, value0, value1}},
#include "contract/codes.def"
#undef SL_ENUM_BEGIN
#undef SL_ENUM_VALUE
#undef SL_ENUM_END
};

/* Structures that host library, plugin or device make and read: no program, kernel or policy does.
 */
static const char *const internals[] = {
    "stack_entry", "wave_state", "limit",        "range",        "protection", "trees_epoch",
    "trees_log",   "trees",      "print_buffer", "print_record", "mailbox",    "image_header"};

static void print_range(unsigned long long base, unsigned long long bytes, const char *what)
{
    printf("| `0x%08llx` | ", base);
    if (bytes == 0) {
        printf("|");
    } else if (bytes % SL_MIB(1) == 0) {
        printf("%llu MiB |", bytes / SL_MIB(1));
    } else {
        printf("%llu KiB |", bytes / SL_KIB(1));
    }
    printf(" %s |\n", what);
}

static void print_memory_map(void)
{
    printf("## Memory map\n\n"
           "Addresses are physical and the same on host, aggregator and compute units "
           "(`sluice/memory_map.h`).\nRegisters report the configured sizes of DRAM and pool.\n\n"
           "| address | size | what |\n|---|---:|---|\n");
    print_range(SL_FINISHER_BASE, 0, "QEMU's test finisher");
    print_range(SL_UART_BASE, 0, "UART: the firmware's console");
    print_range(SL_FLASH_BASE, SL_FLASH_BYTES, "flash: the firmware image, executed from here");
    print_range(SL_PRIVATE_BASE, 0,
                "compute units only: private aperture, each lane's stack at the same address");
    print_range(SL_LDS_BASE, 0, "compute units only: LDS of the work-group or wavefront");
    print_range(SL_FIRMWARE_BASE, SL_FIRMWARE_BYTES,
                "firmware: code, data, heap, stack, rings of the device");
    print_range(SL_MAILBOX_BASE, SL_MAILBOX_BYTES, "`struct sl_mailbox`");
    print_range(SL_MACHINE_BASE, SL_MACHINE_BYTES,
                "the configuration, from host library to plugin");
    print_range(SL_KERNEL_BASE, SL_KERNEL_BYTES, "kernel code and data");
    print_range(SL_HEAP_BASE, 0, "shared heap, up to `HEAP_LIMIT`");
    printf("| `POOL_BASE` | | wavefront state pool: `POOL_BLOCKS` blocks of `POOL_BLOCK_BYTES` |\n"
           "| DRAM's end - %llu MiB | %llu KiB | device tree, written by QEMU |\n"
           "| DRAM's end - %llu KiB | %llu KiB | device window: registers, the statistics block at "
           "offset `0x%x`, and `struct sl_served` at `0x%x` |\n\n",
           SL_TOP_BYTES / SL_MIB(1), SL_WINDOW_OFFSET / SL_KIB(1), SL_WINDOW_BYTES / SL_KIB(1),
           SL_WINDOW_BYTES / SL_KIB(1), (unsigned)SL_REG_STATISTICS, (unsigned)SL_REG_SERVED);
}

static void print_registers(void)
{
    printf("## Device registers\n\n"
           "Registers are 64 bits wide and accessed as a whole; reads have no side effects. "
           "**RO**: written by the device. **WO**:\nthe device acts on each store; reads are "
           "meaningless. **RW**: written by the firmware, read by the device on demand.\n"
           "`fence iorw,iorw` brackets accesses (`aggregator/mmio.h`). In C: `SL_REG_` and the "
           "name, in `sluice/registers.h`.\nVersion of this map: %d.\n\n"
           "| offset | register | meaning |\n|---|---|---|\n",
           SL_DEVICE_VERSION);
    const size_t count = sizeof registers / sizeof registers[0];
    for (size_t i = 0; i < count; i++) {
        printf("| `0x%03x` | `%s` (%s) | ", registers[i].offset, registers[i].name,
               registers[i].access);
        docgen_cell(registers[i].sentence);
        printf(" |\n");
    }
    printf("\n");
    for (size_t i = 0; i < count; i++) {
        docgen_note(registers[i].name, registers[i].sentence);
    }
}

static void print_rings(void)
{
    printf("\n## Rings\n\n"
           "A ring is an array with one producer and one consumer; its length is a power of two. "
           "Tail and head count the entries\nwritten and read. They start at 0 and are not reset "
           "at the end of the array: the index is the counter modulo the\nlength. Register RESET "
           "clears those of the device's rings. Rings with a base register are in the firmware's "
           "region, the\nothers in the mailbox.\n\n"
           "| ring | entry | entries | producer | tail | consumer | head |\n"
           "|---|---|---:|---|---|---|---|\n"
           "| dispatch | `struct sl_dispatch` | %d | firmware | `DISPATCH_TAIL` | device | "
           "`DISPATCH_HEAD` |\n"
           "| completion | `struct sl_completion` | %d | device | `COMPLETION_TAIL` | firmware | "
           "`COMPLETION_HEAD` |\n"
           "| fault | `struct sl_fault` | %d | device | `FAULT_TAIL` | firmware | `FAULT_HEAD` |\n"
           "| yield | `struct sl_yield` | %d | device | `YIELD_TAIL` | firmware | `YIELD_HEAD` |\n"
           "| from the host | `struct sl_message_host` | %d | host | `host_tail` | firmware | "
           "`host_head` |\n"
           "| to the host | `struct sl_message_agg` | %d | firmware | `agg_tail` | host | "
           "`agg_head` |\n\n",
           SL_DISPATCH_ENTRIES, SL_COMPLETION_ENTRIES, SL_FAULT_ENTRIES, SL_YIELD_ENTRIES,
           SL_MAILBOX_ENTRIES, SL_MAILBOX_ENTRIES);
}

static bool is_internal(const char *name)
{
    for (size_t i = 0; i < sizeof internals / sizeof internals[0]; i++) {
        if (strcmp(internals[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* A field as C declares it. */
static const char *declaration(const struct layout_row *row)
{
    static char text[128];
    (void)snprintf(text, sizeof text, "%s %s", row->type, row->name);
    if (row->kind == LAYOUT_ARRAY) {
        const size_t length = strlen(text);
        (void)snprintf(text + length, sizeof text - length, "[%u]", row->count);
    }
    return text;
}

static bool is_field(const struct layout_row *row)
{
    return row->kind == LAYOUT_FIELD || row->kind == LAYOUT_ARRAY;
}

/* A text from a column on, in lines of LINE_CHARS. */
static void print_wrapped(const char *text, unsigned column)
{
    unsigned at = column;
    while (*text != '\0') {
        const unsigned length = (unsigned)strcspn(text, " ");
        if (at > column && at + 1 + length > LINE_CHARS) {
            printf("\n%*s", (int)column, "");
            at = column;
        }
        printf("%s%.*s", at > column ? " " : "", (int)length, text);
        at += length + (at > column);
        text += length;
        text += strspn(text, " ");
    }
    printf("\n");
}

/* The fields of a structure, as text: wide tables would be hard to read. */
static void print_listing(const struct layout_row *begin)
{
    unsigned width = 0;
    for (const struct layout_row *row = begin; row->kind != LAYOUT_END; row++) {
        const unsigned length = (unsigned)strlen(declaration(row));
        width = length > width ? length : width;
    }
    printf("```text\n");
    for (const struct layout_row *row = begin; row->kind != LAYOUT_END; row++) {
        if (is_field(row)) {
            printf("%4u  %-*s  ", row->number, (int)width, declaration(row));
            print_wrapped(row->sentence, 4 + 2 + width + 2);
        }
    }
    printf("```\n");
}

static void print_fault_values(void)
{
    printf("\nEmpty cells, and the fields for other codes, are 0:\n\n"
           "| code | `address` | `value0` | `value1` |\n|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        const char *const *const value = faults[i].value;
        if (value[0][0] != '\0' || value[1][0] != '\0') {
            printf("| `%s` |", faults[i].code);
            for (size_t k = 0; k < 3; k++) {
                printf(" ");
                docgen_text(value[k]);
                printf(" |");
            }
            printf("\n");
        }
    }
}

static void print_structures(bool wants_internal)
{
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        const struct layout_row *const row = &layouts[i];
        if (row->kind == LAYOUT_BEGIN && is_internal(row->name) == wants_internal) {
            printf("### struct sl_%s\n\n", row->name);
            docgen_text(row->sentence);
            printf(" %u bytes.\n\n", row->number);
            print_listing(row + 1);
            if (strcmp(row->name, "fault") == 0) {
                print_fault_values();
            }
            printf("\n");
        }
    }
}

static void print_enumeration(const char *name)
{
    if (!docgen_is_error_enumeration(name)) {
        printf("### enum sl_%s\n\n", name);
        docgen_enumeration(name);
    }
}

void docgen_registers(void)
{
    printf("Firmware, device, host and kernels share the memory map, device registers, structures "
           "and codes below. All are\nlittle-endian. Codes of errors are in "
           "[errors.md](errors.md), statistics in [statistics.md](statistics.md).\n\n");
    print_memory_map();
    print_registers();
    print_rings();
    printf("## Structures\n\n"
           "In `sluice/layouts.h`, which asserts offsets and sizes. Unnamed bytes are zero. Times "
           "are simulated. Wavefronts are\nnumbered from the graph's start.\n\n");
    print_structures(false);
    printf("## Internal structures\n\n"
           "For readers of dumps and of the sources; programs do not make them.\n\n");
    print_structures(true);
    printf("## Enumerations\n\nIn `sluice/codes.h`.\n\n");
    docgen_each_enumeration(print_enumeration);
}
