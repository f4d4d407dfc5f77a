/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* docs/look-up/registers.md: memory map, device registers, structures in memory, enumerations. */
#include <stdio.h>

#include "docgen.h"
#include "sluice/limits.h"
#include "sluice/memory_map.h"
#include "sluice/registers.h"

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
           "Addresses are physical and mean the same on host, aggregator and compute units "
           "(`sluice/memory_map.h`).\nThe end of DRAM and what is below it depend on the "
           "configuration: registers tell them.\n\n"
           "| address | size | what |\n|---|---:|---|\n");
    print_range(SL_FINISHER_BASE, 0, "QEMU's test finisher");
    print_range(SL_UART_BASE, 0, "UART: the firmware's console");
    print_range(SL_FLASH_BASE, SL_FLASH_BYTES, "flash: the firmware image, executed from here");
    print_range(
        SL_PRIVATE_BASE, 0,
        "compute units only: private aperture, a lane's stack at the same address in every lane");
    print_range(SL_LDS_BASE, 0,
                "compute units only: LDS aperture of the work-group, or of the wavefront");
    print_range(SL_FIRMWARE_BASE, SL_FIRMWARE_BYTES,
                "the firmware's own region: code, data, heap, stack, rings of the device");
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
    printf(
        "## Device registers\n\n"
        "Each is 64 bits wide and accessed as a whole. **RO**: the device writes it, the firmware "
        "reads it. **WO**: the device\nacts on each store; what is read back means nothing. "
        "**RW**: the firmware writes it, the device reads it when it needs\nit. No register has a "
        "side effect on a read. Accesses are bracketed by `fence iorw,iorw` (`aggregator/mmio.h`). "
        "In "
        "C:\n`SL_REG_` and the name, in `sluice/registers.h`. Version of this map: %d.\n\n"
        "| offset | name | access | meaning |\n|---|---|---|---|\n",
        SL_DEVICE_VERSION);
    for (size_t i = 0; i < sizeof registers / sizeof registers[0]; i++) {
        printf("| `0x%03x` | `%s` | %s | ", registers[i].offset, registers[i].name,
               registers[i].access);
        docgen_text(registers[i].sentence);
        printf(" |\n");
    }
    printf("\n## Rings\n\n"
           "A ring is an array in memory whose length is a power of two, with one producer and one "
           "consumer. Tail and head\ncount what was written and what was read, and never wrap "
           "back: an index is the counter modulo the length. What has\na base register is in the "
           "firmware's region, the others in the mailbox.\n\n"
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

static void print_layout_row(const struct layout_row *row)
{
    switch (row->kind) {
    case LAYOUT_BEGIN:
        printf("### struct sl_%s\n\n", row->name);
        docgen_text(row->sentence);
        printf(" %u bytes.\n\n| offset | type | field | meaning |\n|---:|---|---|---|\n",
               row->number);
        break;
    case LAYOUT_FIELD:
        printf("| %u | `%s` | `%s` | ", row->number, row->type, row->name);
        docgen_text(row->sentence);
        printf(" |\n");
        break;
    case LAYOUT_ARRAY:
        printf("| %u | `%s[%u]` | `%s` | ", row->number, row->type, row->count, row->name);
        docgen_text(row->sentence);
        printf(" |\n");
        break;
    case LAYOUT_GAP:
        printf("| %u | | | %u unused bytes, zero |\n", row->number, row->count);
        break;
    case LAYOUT_END:
        printf("\n");
        break;
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
    docgen_title("Registers and structures in memory",
                 "`hal/contract/registers.def`, `layouts.def` and `codes.def`");
    printf("What firmware, device, host and kernels share: where things are in memory, the "
           "registers of the device, the\nstructures that packets, records, messages and graphs "
           "have, and the numbers in them. All is little-endian.\n"
           "Codes of errors are in [errors.md](errors.md), statistics in "
           "[statistics.md](statistics.md).\n\n");
    print_memory_map();
    print_registers();
    printf("## Structures\n\nIn `sluice/layouts.h`, with offsets and sizes asserted. Bytes that no "
           "field names are zero.\n\n");
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        print_layout_row(&layouts[i]);
    }
    printf("## Enumerations\n\n");
    docgen_each_enumeration(print_enumeration);
}
