/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include "fuzz/lanes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/check.h"
#include "common/fixture.h"
#include "fuzz/dead.h"
#include "simt/gpu.h"
#include "sluice/codes.h"
#include "sluice/config.h"

/* The word at which x3 points on the model, then the program's description and its table. */
#define EXIT_WORD   SL_HEAP_BASE
#define DESCRIPTION (SL_HEAP_BASE + 64)
#define TABLE       (SL_HEAP_BASE + 4096)

/* Wavefronts that run together: no two lines of their lanes' scratch memory share a reservation
 * epoch (mem/reservation.h), so that an sc fails only where it must. The next ones wait until all
 * of them have ended. */
#define TOGETHER (RESERVATION_EPOCHS * SL_CACHE_LINE_BYTES / (8 * EXCHANGE_SCRATCH * FUZZ_LANES))

struct fuzz_machine {
    struct sl_config config;
    struct sl_layout layout;
    struct dram dram;
    struct gpu *gpu;

    const struct fuzz_batch *batch;
    struct exchange_lane *lanes;
    size_t ended;
    uint64_t overwritten;
};

unsigned fuzz_variants(void)
{
    unsigned count = 0;
    while (lanes_variant(count) != NULL) {
        count++;
    }
    return count;
}

const char *fuzz_variant_name(unsigned variant)
{
    return lanes_variant(variant)->name;
}

uint64_t fuzz_lane_instructions(const struct fuzz_machine *machine)
{
    const struct cu_counters counters = gpu_counters(machine->gpu);

    return cu_lane_instructions(&counters);
}

uint64_t fuzz_overwritten(const struct fuzz_machine *machine)
{
    return machine->overwritten;
}

/* Takes a wavefront's registers when it has ended; slot is its place in the batch. */
static void on_end(void *owner, const struct wave *wave)
{
    struct fuzz_machine *m = owner;
    struct exchange_lane *lanes = &m->lanes[wave->launch.slot * FUZZ_LANES];

    FOR_EACH_LANE(lane, m->batch->waves[wave->launch.slot].mask)
    {
        for (unsigned i = 0; i < 32; i++) {
            lanes[lane].x[i] = wave->x[i][lane];
            lanes[lane].f[i] = wave->x[SL_F_REGISTERS + i][lane];
        }
        lanes[lane].fcsr = 0;
        for (unsigned bit = 0; bit < 8; bit++) {
            uint64_t plane = bit < 5 ? wave->fcsr.flags[bit] : wave->fcsr.mode[bit - 5];
            lanes[lane].fcsr |= (plane >> lane & 1) << bit;
        }
    }
    m->ended++;
}

static void on_fault(void *owner, const struct wave *wave, const struct sl_fault *fault)
{
    (void)wave;
    (void)owner;
    fail_msg("fault %u at 0x%llx, instruction 0x%08x, address 0x%llx, lanes 0x%016llx", fault->code,
             (unsigned long long)fault->pc, fault->instruction, (unsigned long long)fault->address,
             (unsigned long long)fault->lanes);
}

struct fuzz_machine *fuzz_machine_create(const char *const *settings)
{
    struct fuzz_machine *m = calloc(1, sizeof *m);
    assert_non_null(m);
    fixture_configure(&m->config, NULL, settings);
    m->gpu = fixture_create(&m->config, &m->layout, &m->dram);
    assert_true(m->layout.heap_limit >= FUZZ_SCRATCH_BASE + FUZZ_SCRATCH_BYTES);
    m->gpu->env.listener =
        (struct cu_listener){.owner = m, .wave_ended = on_end, .faulted = on_fault};
    return m;
}

void fuzz_machine_destroy(struct fuzz_machine *machine)
{
    fixture_destroy(machine->gpu);
    free(machine);
}

/* ---- the model ---- */

static void load(struct fuzz_machine *m)
{
    const struct fuzz_batch *batch = m->batch;
    const struct fuzz_segment *code = &batch->segments[0];
    uint64_t exit_pc = SL_LANE_EXIT_PC;

    for (size_t i = 0; i < batch->segment_count; i++) {
        const struct fuzz_segment *segment = &batch->segments[i];
        if (!dram_holds(&m->dram, segment->address, segment->bytes)) {
            continue; /* the lanes' stacks, which the model has of its own */
        }
        char *to = dram_at(&m->dram, segment->address);
        memset(to, 0, segment->bytes);
        if (segment->data_bytes > 0) {
            memcpy(to, segment->data, segment->data_bytes);
        }
    }
    memcpy(dram_at(&m->dram, EXIT_WORD), &exit_pc, sizeof exit_pc);
    assert_true(TABLE + 6 * code->data_bytes <= FUZZ_SCRATCH_BASE);
    const struct fixture_code description = {
        .address = code->address,
        .bytes = code->data_bytes,
        .functions = batch->functions,
        .function_count = batch->function_count,
    };
    *(struct sl_program *)dram_at(&m->dram, DESCRIPTION) =
        fixture_analyse(&m->dram, &description, TABLE);
    assert_int_equal(gpu_load_program(m->gpu, DESCRIPTION), 0);
}

static struct wave *newest_wave(struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->cu_count * gpu->cus[0].shape.contexts; i++) {
        if (gpu->waves[i].state == WAVE_RUNNING &&
            gpu->waves[i].number == gpu->pool.wave_count - 1) {
            return &gpu->waves[i];
        }
    }
    return NULL;
}

/* Launches, then puts registers and mask of the lanes in the place of what kernels begin with;
 * nothing has been executed by then. */
static void launch(struct fuzz_machine *m, uint32_t slot)
{
    const struct fuzz_wave *from = &m->batch->waves[slot];
    struct wave_launch launch = {
        .pc = (uint32_t)(from->pc - m->batch->segments[0].address),
        .count = FUZZ_LANES,
        .slot = slot,
    };
    uint32_t cu = 0;
    while (m->gpu->cus[cu].resident == m->gpu->cus[cu].shape.contexts) {
        cu++;
    }
    cu_launch(&m->gpu->cus[cu], &launch);
    struct wave *wave = newest_wave(m->gpu);
    assert_non_null(wave);
    simt_stack_top(&wave->stack)->mask = from->mask;
    FOR_EACH_LANE(lane, from->mask)
    {
        struct exchange_lane *in = &m->lanes[slot * FUZZ_LANES + lane];
        in->x[1] = SL_LANE_EXIT_PC;
        in->x[3] = EXIT_WORD;
        in->x[31] = from->pc;
        for (unsigned i = 1; i < 32; i++) {
            wave->x[i][lane] = in->x[i];
        }
        for (unsigned i = 0; i < 32; i++) {
            wave->x[SL_F_REGISTERS + i][lane] = in->f[i];
        }
        for (unsigned bit = 0; bit < 8; bit++) {
            uint64_t *plane = bit < 5 ? &wave->fcsr.flags[bit] : &wave->fcsr.mode[bit - 5];
            *plane |= (in->fcsr >> bit & 1) << lane;
        }
        if (in->scratch_address != 0) {
            memcpy(dram_at(&m->dram, in->scratch_address), in->scratch, sizeof in->scratch);
        }
    }
}

void fuzz_run_on_model(struct fuzz_machine *machine, unsigned variant,
                       const struct fuzz_batch *batch, struct exchange_lane *lanes)
{
    struct gpu *gpu = machine->gpu;
    size_t launched = 0;

    machine->batch = batch;
    machine->lanes = lanes;
    machine->ended = 0;
    fixture_set_lanes(gpu, lanes_variant(variant));
    fixture_begin(gpu);
    load(machine);
    const uint64_t step = batch->overwrite_cycles != 0 ? batch->overwrite_cycles : 200;
    for (uint64_t cycle = 0; machine->ended < batch->wave_count; cycle += step) {
        assert_true(cycle < 1000000000);
        while (launched < batch->wave_count &&
               launched < (machine->ended / TOGETHER + 1) * TOGETHER && gpu_has_context(gpu)) {
            launch(machine, (uint32_t)launched++);
        }
        fixture_run(gpu, cycle);
        if (batch->overwrite_cycles != 0) {
            machine->overwritten += dead_overwrite(gpu, batch->kept);
        }
    }
    for (size_t i = 0; i < batch->wave_count * FUZZ_LANES; i++) {
        if (lanes[i].scratch_address != 0) {
            memcpy(lanes[i].scratch, dram_at(&machine->dram, lanes[i].scratch_address),
                   sizeof lanes[i].scratch);
        }
    }
}

/* ---- QEMU ---- */

static void put(FILE *out, const void *data, size_t bytes)
{
    assert_int_equal(bytes == 0 ? 1 : fwrite(data, bytes, 1, out), 1);
}

static void write_input(const char *path, const struct fuzz_batch *batch,
                        const struct exchange_lane *lanes)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    struct exchange_header header = {.segment_count = batch->segment_count};
    for (size_t w = 0; w < batch->wave_count; w++) {
        header.lane_count += (uint64_t)__builtin_popcountll(batch->waves[w].mask);
    }
    put(out, &header, sizeof header);
    for (size_t i = 0; i < batch->segment_count; i++) {
        const struct fuzz_segment *segment = &batch->segments[i];
        struct exchange_segment sent = {segment->address, (segment->bytes + 4095) / 4096 * 4096,
                                        segment->data_bytes};
        put(out, &sent, sizeof sent);
        put(out, segment->data, segment->data_bytes);
    }
    for (size_t w = 0; w < batch->wave_count; w++) {
        FOR_EACH_LANE(lane, batch->waves[w].mask)
        {
            struct exchange_lane sent = lanes[w * FUZZ_LANES + lane];
            sent.x[31] = batch->waves[w].pc;
            put(out, &sent, sizeof sent);
        }
    }
    assert_int_equal(fclose(out), 0);
}

static void read_output(const char *path, const struct fuzz_batch *batch,
                        struct exchange_lane *lanes)
{
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    for (size_t w = 0; w < batch->wave_count; w++) {
        FOR_EACH_LANE(lane, batch->waves[w].mask)
        {
            assert_int_equal(fread(&lanes[w * FUZZ_LANES + lane], sizeof *lanes, 1, in), 1);
        }
    }
    assert_int_equal(fclose(in), 0);
}

void fuzz_run_in_qemu(const struct fuzz_batch *batch, struct exchange_lane *lanes)
{
    const char *build = getenv("SLUICE_BUILD");
    char folder[] = "/tmp/sluice-test-fuzz-XXXXXX";
    char path[64];
    char command[512];

    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/in", folder);
    write_input(path, batch, lanes);
    (void)snprintf(command, sizeof command, "qemu-riscv64 '%s/fuzz/runner' <%s/in >%s/out",
                   build == NULL ? "build" : build, folder, folder);
    int status = system(command);
    if (status != 0) {
        fail_msg("'%s' ended with status 0x%x", command, status);
    }
    (void)snprintf(path, sizeof path, "%s/out", folder);
    read_output(path, batch, lanes);
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}
