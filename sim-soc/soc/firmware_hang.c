/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include "soc/firmware_hang.h"

#include <string.h>

#include "sluice/codes.h"
#include "sluice/memory_map.h"

/* A prime: no loop has a period that hides a part of it. */
#define SAMPLE_INSTRUCTIONS 4099u

/* A loop comes back to the ebreak within that many, and the trap entry has then saved its
 * registers, and reported nothing yet. */
#define TRAP_INSTRUCTIONS (1u << 22)
#define SAVE_INSTRUCTIONS 40u

#define C_EBREAK 0x9002u

void firmware_hang_begin(struct firmware_hang *hang, const struct dram *dram, int status)
{
    *hang = (struct firmware_hang){
        .dram = *dram,
        .record = dram_at(dram, SL_HANG_BASE),
        .left = status == SL_EXIT_REPEATED ? 1 : SAMPLE_INSTRUCTIONS,
    };
    *hang->record = (struct sl_hang){.status = (uint32_t)status};
}

static bool holds_firmware(uint64_t pc)
{
    return pc - SL_FIRMWARE_BASE < SL_FIRMWARE_BYTES - sizeof(uint16_t);
}

static enum hang_step ask_for_trap(struct firmware_hang *hang, uint64_t pc)
{
    hang->record->last = pc;
    hang->left = TRAP_INSTRUCTIONS;
    return holds_firmware(pc) ? HANG_NEEDS_TRAP : HANG_IS_OVER;
}

void firmware_hang_overwritten(struct firmware_hang *hang, const struct dram *dram, uint64_t pc,
                               uint64_t address)
{
    firmware_hang_begin(hang, dram, SL_EXIT_OVERWRITTEN);
    hang->record->address = address;
    (void)ask_for_trap(hang, pc);
}

void firmware_hang_put_trap(struct firmware_hang *hang)
{
    const uint16_t trap = C_EBREAK;
    uint8_t *const code = dram_at(&hang->dram, hang->record->last);

    memcpy(&hang->replaced, code, sizeof trap);
    memcpy(code, &trap, sizeof trap);
    hang->has_put = true;
}

/* The code is again what it was, for those who compare it. */
static void take_trap_away(struct firmware_hang *hang)
{
    if (hang->has_put) {
        memcpy(dram_at(&hang->dram, hang->record->last), &hang->replaced, sizeof hang->replaced);
        hang->has_put = false;
    }
}

enum hang_step firmware_hang_instruction(struct firmware_hang *hang, uint64_t pc)
{
    struct sl_hang *const record = hang->record;

    record->instructions += record->last == 0;
    if (hang->has_put && pc == record->last) {
        take_trap_away(hang);
        record->has_trapped = 1;
        hang->left = SAVE_INSTRUCTIONS;
    }
    if (--hang->left > 0) {
        return HANG_GOES_ON;
    }
    if (record->last != 0) {
        take_trap_away(hang);
        return HANG_IS_OVER;
    }
    record->pc[record->samples++] = pc;
    hang->left = SAMPLE_INSTRUCTIONS;
    return record->samples < SL_HANG_SAMPLES && record->status != SL_EXIT_REPEATED
               ? HANG_GOES_ON
               : ask_for_trap(hang, pc);
}
