/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Local data share: the memory of work-groups, and of wavefronts without one, in each compute unit.
 *
 * gpu.lds_banks banks of words of 4 bytes, a word a cycle each. As many lanes as there are banks
 * are served together; they take as many cycles as the busiest bank has words to give. Lanes that
 * load or store the same word share it (a broadcast); atomics to the same word come one after the
 * other. The instructions of a compute unit go through its LDS one at a time, and each takes effect
 * with its last bank cycle. Leaves out that GPUs can pair accesses of 8 bytes better. */
#include "engine/clock.h"
#include "simt/lsu/lsu.h"

#define WORD_BYTES 4u
#define WORDS_MAX  (2u * LANES) /* of 64 lanes with 8 bytes each */

/* Words that lanes served together want, by bank. */
struct bank_use {
    uint64_t used;             /* bit i: bank i */
    uint32_t last[LANES];      /* per bank: the entry added last */
    uint8_t degree[LANES];     /* per bank: its entries */
    uint32_t word[WORDS_MAX];  /* entries */
    uint8_t before[WORDS_MAX]; /* 1 + the bank's entry before, or 0 */
    uint32_t words;
    uint32_t worst;
};

static bool has_word(const struct bank_use *use, uint32_t bank, uint32_t word)
{
    uint32_t entry = use->last[bank] + 1;

    while (entry != 0) {
        if (use->word[entry - 1] == word) {
            return true;
        }
        entry = use->before[entry - 1];
    }
    return false;
}

static void use_word(struct bank_use *use, uint32_t bank, uint32_t word, bool is_shared)
{
    const bool is_first = (use->used >> bank & 1) == 0;

    if (!is_first && is_shared && has_word(use, bank, word)) {
        return;
    }
    use->before[use->words] = is_first ? 0 : (uint8_t)(use->last[bank] + 1);
    use->word[use->words] = word;
    use->last[bank] = use->words++;
    use->degree[bank] = is_first ? 1 : (uint8_t)(use->degree[bank] + 1);
    use->used |= 1ull << bank;
    if (use->degree[bank] > use->worst) {
        use->worst = use->degree[bank];
    }
}

/* Whether `count` lanes with these addresses, whose words of the given size (a power of two) lie on
 * `banks` banks, want no more than one word of any: each puts its word where its bank's is noted,
 * and finds it there afterwards. */
static bool is_free_of_conflicts(const uint64_t *address, uint32_t count, uint32_t bytes,
                                 uint32_t banks)
{
    const unsigned shift = (unsigned)__builtin_ctz(bytes);
    uint32_t noted[LANES];
    uint32_t differs = 0;

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t word = (uint32_t)address[i] >> shift;
        noted[word & (banks - 1)] = word;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t word = (uint32_t)address[i] >> shift;
        differs |= noted[word & (banks - 1)] ^ word;
    }
    return differs == 0;
}

/* Bank cycles of lanes served together, without a list of their words, where that is easy to say
 * and no conflict is among them; else 0. */
static uint32_t easy_cycles(const struct mem_instr *memory, uint64_t lanes, uint32_t first,
                            uint32_t banks, bool is_shared)
{
    const uint32_t bytes = memory->op->access_bytes;
    const uint32_t count = banks < LANES ? banks : LANES;
    const uint64_t all = ~0ull >> (LANES - count);
    const uint64_t together = lanes >> first & all;

    if (bytes <= WORD_BYTES) {
        if (memory->pattern == PATTERN_UNIT_STRIDE ||
            (memory->pattern == PATTERN_BROADCAST && is_shared)) {
            return 1;
        }
        return is_shared && together == all &&
               is_free_of_conflicts(memory->address + first, count, WORD_BYTES, banks);
    }
    if (banks == 1) {
        return 0;
    }
    if (memory->pattern == PATTERN_UNIT_STRIDE && together == all && count == banks) {
        return 2;
    }
    /* Words of 8 bytes on pairs of banks. */
    return is_shared && together == all &&
           is_free_of_conflicts(memory->address + first, count, 2 * WORD_BYTES, banks / 2);
}

/* Bank cycles of an instruction, and of them those that conflicts cost. */
static uint32_t bank_cycles(const struct cu *cu, const struct mem_instr *memory, uint64_t lanes,
                            uint32_t *conflict_cycles)
{
    const uint32_t banks = cu->shape.lds_banks;
    const uint64_t together = banks >= LANES ? ~0ull : (1ull << banks) - 1;
    const bool is_shared = memory->op->class != SL_CLASS_AMO;
    uint32_t cycles = 0;
    struct bank_use use;

    *conflict_cycles = 0;
    for (uint32_t first = 0; first < LANES; first += banks) {
        if ((lanes >> first & together) == 0) {
            continue;
        }
        const uint32_t easy = easy_cycles(memory, lanes, first, banks, is_shared);
        if (easy != 0) {
            cycles += easy;
            continue;
        }
        use.used = 0;
        use.words = 0;
        use.worst = 0;
        FOR_EACH_LANE(lane, lanes & together << first)
        {
            const uint32_t word = (uint32_t)memory->address[lane] / WORD_BYTES;
            use_word(&use, word & (banks - 1), word, is_shared);
            if (memory->op->access_bytes > WORD_BYTES) {
                use_word(&use, (word + 1) & (banks - 1), word + 1, is_shared);
            }
        }
        cycles += use.worst;
        *conflict_cycles += use.worst - (use.words + banks - 1) / banks;
    }
    return cycles;
}

uint64_t lds_send(struct mem_instr *memory, uint64_t cycle)
{
    const struct wave *wave = memory->wave;
    struct cu *cu = wave_cu(wave);
    const uint64_t base = wave->lds_base;
    uint32_t conflict_cycles;

    /* From the wavefront's part to the compute unit's whole: reservations need one address per
     * byte. */
    if (memory->lds_lanes == memory->lanes) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            memory->address[lane] += base; /* that of the other lanes is of no use */
        }
    } else {
        FOR_EACH_LANE(lane, memory->lds_lanes)
        {
            memory->address[lane] += base;
        }
    }
    const uint32_t cycles = bank_cycles(cu, memory, memory->lds_lanes, &conflict_cycles);
    const uint64_t start = later(cycle, cu->lds_free_cycle);
    cu->lds_free_cycle = start + cycles;
    cu->counters.lds_accesses++;
    cu->counters.lds_cycles += cycles;
    cu->counters.lds_conflict_cycles += conflict_cycles;
    memory->lines |= MEM_INSTR_LDS;
    return start + cycles - 1;
}
