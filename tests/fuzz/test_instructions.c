/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Every instruction of RV64IMAFDC against qemu-riscv64: random sequences with operands near the
 * edges, in wavefronts of 64 lanes under random masks on the compute units' model, and lane by lane
 * in QEMU. All registers, fcsr and the lanes' memory must be the same to the last bit.
 *
 * A batch is made from its seed alone, and named by it where it fails: SLUICE_FUZZ_SEED=n runs that
 * one. SLUICE_TEST_LONG=1 goes on to LONG_LANE_INSTRUCTIONS. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "fuzz/generate.h"
#include "fuzz/lanes.h"
#include "sluice/memory_map.h"

#define BATCH                  128 /* wavefronts, each with a sequence of its own */
#define LENGTH                 40  /* instructions of a sequence, or a little more */
#define CODE_PARCELS           (BATCH * (LENGTH * 20 + 8))
#define SHORT_BATCHES          6
#define LONG_LANE_INSTRUCTIONS 20000000u

static uint16_t code[CODE_PARCELS];
static struct fuzz_wave waves[BATCH];
static struct sl_function functions[BATCH];
static struct exchange_lane model[BATCH * FUZZ_LANES];
static struct exchange_lane reference[BATCH * FUZZ_LANES];

static uint64_t random_mask(struct generator *g)
{
    uint64_t mask = generate_random(g);
    switch (generate_random(g) % 4) {
    case 0:
        return UINT64_MAX;
    case 1:
        mask &= generate_random(g);
        break;
    case 2:
        mask = 1ull << mask % 64;
        break;
    default:
        break;
    }
    return mask == 0 ? 1 : mask;
}

static void make_batch(uint64_t seed)
{
    struct generator g = {.state = seed, .code = code, .capacity = CODE_PARCELS};
    memset(model, 0, sizeof model);
    for (uint32_t w = 0; w < BATCH; w++) {
        uint64_t address = SL_KERNEL_BASE + 2 * g.parcels;
        waves[w].mask = random_mask(&g);
        waves[w].pc = address;
        generate_sequence(&g, LENGTH, (uint64_t)__builtin_popcountll(waves[w].mask));
        functions[w] = (struct sl_function){address, SL_KERNEL_BASE + 2 * g.parcels - address};
        bool is_nearest = generate_random(&g) % 2 == 0;
        for (uint64_t lane = 0; lane < FUZZ_LANES; lane++) {
            uint64_t slot = w * FUZZ_LANES + lane;
            if (waves[w].mask >> lane & 1) {
                generate_lane(&g, &model[slot], FUZZ_SCRATCH_BASE + slot * 8 * EXCHANGE_SCRATCH,
                              is_nearest);
            }
        }
    }
    memset(&code[g.parcels], 0, sizeof code - 2 * g.parcels);
    memcpy(reference, model, sizeof reference);
}

static void differs(uint64_t seed, unsigned variant, size_t slot, const char *what, unsigned number,
                    uint64_t is, uint64_t should)
{
    const struct fuzz_wave *wave = &waves[slot / FUZZ_LANES];
    const struct sl_function *function = &functions[slot / FUZZ_LANES];
    size_t first = (function->address - SL_KERNEL_BASE) / 2;
    for (size_t i = 0; i < function->bytes / 2; i++) {
        (void)fprintf(stderr, "%s.2byte 0x%04x%s", i % 8 == 0 ? "" : "; ", code[first + i],
                      i % 8 == 7 || i + 1 == function->bytes / 2 ? "\n" : "");
    }
    fail_msg("seed %" PRIu64 ", variant %s: sequence at 0x%" PRIx64 ", mask 0x%016" PRIx64
             ", lane %zu: %s%u is 0x%016" PRIx64 ", in QEMU 0x%016" PRIx64
             "; SLUICE_FUZZ_SEED=%" PRIu64 " runs it alone",
             seed, fuzz_variant_name(variant), wave->pc, wave->mask, slot % FUZZ_LANES, what,
             number, is, should, seed);
}

/* x1 and x3 belong to the frame. */
static void compare(uint64_t seed, unsigned variant)
{
    for (size_t slot = 0; slot < (size_t)BATCH * FUZZ_LANES; slot++) {
        const struct exchange_lane *is = &model[slot];
        const struct exchange_lane *should = &reference[slot];
        if (!(waves[slot / FUZZ_LANES].mask >> slot % FUZZ_LANES & 1)) {
            continue;
        }
        for (unsigned i = 2; i < 32; i++) {
            if (i != 3 && is->x[i] != should->x[i]) {
                differs(seed, variant, slot, "x", i, is->x[i], should->x[i]);
            }
        }
        for (unsigned i = 0; i < 32; i++) {
            if (is->f[i] != should->f[i]) {
                differs(seed, variant, slot, "f", i, is->f[i], should->f[i]);
            }
        }
        if (is->fcsr != should->fcsr) {
            differs(seed, variant, slot, "fcsr", 0, is->fcsr, should->fcsr);
        }
        for (unsigned i = 0; i < EXCHANGE_SCRATCH; i++) {
            if (is->scratch[i] != should->scratch[i]) {
                differs(seed, variant, slot, "scratch ", i, is->scratch[i], should->scratch[i]);
            }
        }
    }
}

static void run_batch(struct fuzz_machine *machine, uint64_t seed)
{
    make_batch(seed);
    unsigned variant = (unsigned)(seed % fuzz_variants());
    const struct fuzz_segment segments[] = {
        {SL_KERNEL_BASE, sizeof code, code, sizeof code},
        {FUZZ_SCRATCH_BASE, FUZZ_SCRATCH_BYTES, NULL, 0},
    };
    const struct fuzz_batch batch = {
        .segments = segments,
        .segment_count = 2,
        .functions = functions,
        .function_count = BATCH,
        .waves = waves,
        .wave_count = BATCH,
    };
    fuzz_run_on_model(machine, variant, &batch, model);
    fuzz_run_in_qemu(&batch, reference);
    compare(seed, variant);
}

static const char *const settings[] = {"dram.size=64MiB", "gpu.cus=2", NULL};

TEST(test_sequences)
{
    const char *only = getenv("SLUICE_FUZZ_SEED");
    bool is_long = getenv("SLUICE_TEST_LONG") != NULL;
    struct fuzz_machine *machine = fuzz_machine_create(settings);
    uint64_t seed = 1;

    if (only != NULL) {
        run_batch(machine, strtoull(only, NULL, 0));
    } else {
        do {
            run_batch(machine, seed++);
        } while (is_long ? fuzz_lane_instructions(machine) < LONG_LANE_INSTRUCTIONS
                         : seed <= SHORT_BATCHES);
    }
    print_message("# %" PRIu64 " lane instructions, seeds 1 to %" PRIu64 "\n",
                  fuzz_lane_instructions(machine), seed - 1);
    fuzz_machine_destroy(machine);
}

/* Each instruction of the tables was executed above. */
TEST(test_coverage)
{
    uint64_t lanes;
    const char *mnemonic;
    if (getenv("SLUICE_FUZZ_SEED") != NULL) {
        skip();
    }
    size_t count = 0;
    uint64_t fewest = UINT64_MAX;
    const char *rarest = NULL;
    while ((mnemonic = generate_coverage(count, &lanes)) != NULL) {
        if (lanes == 0) {
            fail_msg("%s was not executed", mnemonic);
        }
        if (lanes < fewest) {
            fewest = lanes;
            rarest = mnemonic;
        }
        count++;
    }
    print_message("# %zu instructions; the rarest, %s, in %" PRIu64 " lanes\n", count, rarest,
                  fewest);
}
