/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The native engine beside QEMU: random sequences of instructions in machine mode (fuzz/native)
 * leave the same registers, CSRs, memory and traps on both. A thousand sequences a start of each.
 * What the native engine refuses by name is cut out, and the rest goes on.
 *
 * 1,000 sequences; with SLUICE_TEST_LONG 120,000. SLUICE_FUZZ_SEED=n begins with images of another
 * seed; SLUICE_FUZZ_SEQUENCE=kind:seed:number runs one sequence alone. */
#define _GNU_SOURCE 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "fuzz/native/engine.h"
#include "fuzz/native/layout.h"
#include "fuzz/native/sequence.h"
#include "isa/disassembly.h"
#include "sluice/codes.h"

#define SEQUENCES 1000u
#define STRIDE    (UINT64_C(1) << LAYOUT_STRIDE_SHIFT)
#define DRIVER    "fuzz/native_driver.bin"

static const char *const csr_name[] = {
    "mstatus",   "medeleg",   "mideleg",   "mie",       "mtvec",     "mscratch",
    "mepc",      "mcause",    "mtval",     "mip",       "pmpcfg0",   "pmpcfg2",
    "pmpaddr0",  "pmpaddr1",  "pmpaddr2",  "pmpaddr3",  "pmpaddr4",  "pmpaddr5",
    "pmpaddr6",  "pmpaddr7",  "pmpaddr8",  "pmpaddr9",  "pmpaddr10", "pmpaddr11",
    "pmpaddr12", "pmpaddr13", "pmpaddr14", "pmpaddr15", "misa",
};

static struct engine_memory memories[ENGINES];
static uint64_t refused;
static uint64_t stuck;
static uint64_t astray;
static uint64_t traps;

static uint64_t *record_of(enum engine engine, uint64_t number)
{
    return engine_at(&memories[engine], LAYOUT_RECORDS + number * STRIDE);
}

static uint64_t *result_of(enum engine engine, uint64_t number)
{
    return engine_at(&memories[engine], LAYOUT_RESULTS + number * STRIDE);
}

static uint64_t *header_of(enum engine engine)
{
    return engine_at(&memories[engine], LAYOUT_HEADER);
}

static void load_driver(struct engine_memory *memory)
{
    const char *const build = getenv("SLUICE_BUILD");
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/" DRIVER, build != NULL ? build : "build");
    FILE *const file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("%s is not there: make %s", path, path);
    }
    const size_t bytes = fread(memory->bytes, 1, LAYOUT_HEADER - LAYOUT_DRIVER, file);
    assert_true(bytes > LAYOUT_DONE - LAYOUT_DRIVER);
    (void)fclose(file);
}

static void write_record(uint8_t *record, const struct sequence *sequence)
{
    uint8_t *code = record + RECORD_CODE;
    const uint64_t landing = sequence->code_at + sequence->landing;
    memcpy(record + RECORD_X, sequence->x, sizeof sequence->x);
    memcpy(record + RECORD_PMPADDR, sequence->pmpaddr, sizeof sequence->pmpaddr);
    memcpy(record + RECORD_PMPCFG, sequence->pmpcfg, sizeof sequence->pmpcfg);
    memcpy(record + RECORD_MSTATUS, &sequence->mstatus, 8);
    memcpy(record + RECORD_MIE, &sequence->mie, 8);
    memcpy(record + RECORD_MSCRATCH, &sequence->mscratch, 8);
    memcpy(record + RECORD_FILL, &sequence->fill, 8);
    memcpy(record + RECORD_LANDING, &landing, 8);
    memcpy(record + RECORD_CODE_AT, &sequence->code_at, 8);
    for (unsigned i = 0; i < sequence->count; i++) {
        memcpy(code, &sequence->word[i], sequence_bytes(sequence->word[i]));
        code += sequence_bytes(sequence->word[i]);
    }
    assert_true(code <= record + RECORD_CODE + RECORD_CODE_SIZE);
}

/* `count` sequences from `first` on. */
static void write_image(enum engine engine, enum sequence_kind kind, uint64_t seed, uint64_t first,
                        uint64_t count)
{
    struct sequence sequence;
    engine_memory_open(&memories[engine]);
    load_driver(&memories[engine]);
    uint64_t *const header = header_of(engine);
    header[HEADER_CURRENT / 8] = 0;
    header[HEADER_COUNT / 8] = count;
    sequence_make_locks(header + HEADER_PMPADDR / 8, header + HEADER_PMPCFG / 8, kind, seed);
    sequence_make_kept(engine_at(&memories[engine], LAYOUT_KEPT), seed);
    for (uint64_t i = 0; i < count; i++) {
        sequence_make(&sequence, kind, seed, first + i);
        write_record((uint8_t *)record_of(engine, i), &sequence);
    }
}

/* ---- showing a difference ---- */

static void show_code(const struct sequence *sequence)
{
    uint64_t pc = sequence->code_at;
    for (unsigned i = 0; i < sequence->count; i++) {
        char text[128];
        (void)sl_disassemble(sequence->word[i], pc, text, sizeof text);
        printf("#   %08llx  %08x  %s%s\n", (unsigned long long)pc, sequence->word[i], text,
               pc == sequence->code_at + sequence->landing ? "  <- landing" : "");
        pc += sequence_bytes(sequence->word[i]);
    }
}

static void show_word(const char *name, const uint64_t *qemu, const uint64_t *native,
                      unsigned offset)
{
    if (qemu[offset / 8] != native[offset / 8]) {
        printf("#   %-10s qemu %016llx, native %016llx\n", name,
               (unsigned long long)qemu[offset / 8], (unsigned long long)native[offset / 8]);
    }
}

static void show_states(const uint64_t *qemu, const uint64_t *native)
{
    static const char *const parts[] = {"mcause", "mepc", "mtval", "mstatus"};
    char name[32];
    for (unsigned i = 0; i < 32; i++) {
        (void)snprintf(name, sizeof name, "x%u", i);
        show_word(name, qemu, native, RESULT_X + 8 * i);
    }
    for (unsigned i = 0; i < sizeof csr_name / sizeof csr_name[0]; i++) {
        show_word(csr_name[i], qemu, native, RESULT_CSR + 8 * i);
    }
    show_word("memory", qemu, native, RESULT_CHECKSUM);
    show_word("traps", qemu, native, RESULT_TRAPS);
    for (unsigned i = 0; i < TRAP_LIMIT; i++) {
        for (unsigned part = 0; part < 4; part++) {
            (void)snprintf(name, sizeof name, "%u.%s", i, parts[part]);
            show_word(name, qemu, native, RESULT_TRAP + (i << TRAP_SHIFT) + 8 * part);
        }
    }
}

static void show(enum sequence_kind kind, uint64_t seed, uint64_t number, const uint64_t *qemu,
                 const uint64_t *native)
{
    struct sequence sequence;
    sequence_make(&sequence, kind, seed, number);
    printf("# sequence %s %llu of seed %llu; alone: SLUICE_FUZZ_SEQUENCE=%s:%llu:%llu\n",
           sequence_kind_name[kind], (unsigned long long)number, (unsigned long long)seed,
           sequence_kind_name[kind], (unsigned long long)seed, (unsigned long long)number);
    for (unsigned i = 1; i < 32; i++) {
        printf("%s x%u=%llx%s", i % 8 == 1 ? "#  " : "", i, (unsigned long long)sequence.x[i],
               i % 8 == 0 || i == 31 ? "\n" : "");
    }
    show_code(&sequence);
    show_states(qemu, native);
}

/* ---- comparing ---- */

/* Which sequences of an image are not to be executed. */
static bool is_cut[SEQUENCES];

static void open_image(enum engine engine, enum sequence_kind kind, uint64_t seed, uint64_t first,
                       uint64_t count)
{
    write_image(engine, kind, seed, first, count);
    for (uint64_t i = 0; i < count; i++) {
        record_of(engine, i)[RECORD_IS_CUT / 8] = is_cut[i];
    }
}

/* Which sequence has written into the driver's data, though the image has come to its end: the one
 * that has left no result, or the one that ended it. `count` where none has. */
static uint64_t first_astray(uint64_t count)
{
    const uint64_t *const header = header_of(ENGINE_NATIVE);
    uint64_t number = 0;
    if (header[HEADER_COUNT / 8] != count) {
        return header[HEADER_CURRENT / 8] - 1;
    }
    while (number < count &&
           (is_cut[number] || result_of(ENGINE_NATIVE, number)[RESULT_HAS_RUN / 8] == 1)) {
        number++;
    }
    return number;
}

/* Runs the native engine. What it refuses, and what does not end, is cut out, and all begins anew:
 * it may have left something. */
static void run_native(enum sequence_kind kind, uint64_t seed, uint64_t first, uint64_t count)
{
    memset(is_cut, 0, sizeof is_cut);
    for (;;) {
        open_image(ENGINE_NATIVE, kind, seed, first, count);
        const int status = engine_run(ENGINE_NATIVE, &memories[ENGINE_NATIVE]);
        const uint64_t number =
            status == 0 ? first_astray(count) : header_of(ENGINE_NATIVE)[HEADER_CURRENT / 8];
        if (number == count && status == 0) {
            return;
        }
        assert_true(status == 0 || status == SL_EXIT_FOREIGN || status == ENGINE_STUCK);
        assert_true(number < count && !is_cut[number]);
        is_cut[number] = true;
        astray += status == 0;
        refused += status == SL_EXIT_FOREIGN;
        stuck += status == ENGINE_STUCK;
        engine_memory_close(&memories[ENGINE_NATIVE]);
    }
}

static bool is_equal(uint64_t number)
{
    const uint64_t *const qemu = result_of(ENGINE_QEMU, number);
    traps += qemu[RESULT_TRAPS / 8];
    return memcmp(qemu, result_of(ENGINE_NATIVE, number), STRIDE) == 0;
}

/* Returns how many differ. */
static unsigned compare(enum sequence_kind kind, uint64_t seed, uint64_t first, uint64_t count)
{
    unsigned different = 0;
    printf("# %s, seed %llu\n", sequence_kind_name[kind], (unsigned long long)seed);
    run_native(kind, seed, first, count);
    open_image(ENGINE_QEMU, kind, seed, first, count);
    assert_int_equal(engine_run(ENGINE_QEMU, &memories[ENGINE_QEMU]), 0);
    for (uint64_t i = 0; i < count; i++) {
        if (!is_equal(i)) {
            if (different++ < 3) {
                show(kind, seed, first + i, result_of(ENGINE_QEMU, i), result_of(ENGINE_NATIVE, i));
            }
        }
    }
    if (different == 0 &&
        memcmp(engine_at(&memories[ENGINE_QEMU], LAYOUT_KEPT),
               engine_at(&memories[ENGINE_NATIVE], LAYOUT_KEPT), LAYOUT_KEPT_BYTES) != 0) {
        printf("# %s, seed %llu: the kept areas differ\n", sequence_kind_name[kind],
               (unsigned long long)seed);
        different++;
    }
    for (int engine = 0; engine < ENGINES; engine++) {
        engine_memory_close(&memories[engine]);
    }
    return different;
}

/* The sequence that SLUICE_FUZZ_SEQUENCE names. */
static unsigned one_alone(const char *text)
{
    char name[16];
    unsigned long long seed = 0;
    unsigned long long number = 0;
    assert_int_equal(sscanf(text, "%15[a-z]:%llu:%llu", name, &seed, &number), 3);
    for (int kind = 0; kind < SEQUENCE_KINDS; kind++) {
        if (strcmp(name, sequence_kind_name[kind]) == 0) {
            struct sequence sequence;
            sequence_make(&sequence, (enum sequence_kind)kind, seed, number);
            show_code(&sequence);
            return compare((enum sequence_kind)kind, seed, number, 1);
        }
    }
    fail_msg("SLUICE_FUZZ_SEQUENCE: no kind '%s'", name);
    return 1;
}

TEST(test_sequences)
{
    const char *const alone = getenv("SLUICE_FUZZ_SEQUENCE");
    const char *const asked = getenv("SLUICE_FUZZ_SEED");
    const uint64_t first = asked != NULL ? strtoull(asked, NULL, 0) : 1;
    const uint64_t seeds = getenv("SLUICE_TEST_LONG") != NULL ? 30 : 1;
    const uint64_t count = getenv("SLUICE_TEST_LONG") != NULL ? SEQUENCES : SEQUENCES / 4;
    unsigned different = 0;
    if (!engine_has_qemu()) {
        printf("# no qemu-system-riscv64\n");
        skip();
    }
    if (alone != NULL) {
        assert_int_equal(one_alone(alone), 0);
        return;
    }
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        for (int kind = 0; kind < SEQUENCE_KINDS; kind++) {
            different += compare((enum sequence_kind)kind, seed, 0, count);
        }
    }
    printf("# %llu sequences from seed %llu, %llu traps; left out: %llu refused, %llu stuck, %llu "
           "astray; %u different\n",
           (unsigned long long)(seeds * SEQUENCE_KINDS * count), (unsigned long long)first,
           (unsigned long long)traps, (unsigned long long)refused, (unsigned long long)stuck,
           (unsigned long long)astray, different);
    assert_int_equal(different, 0);
    assert_true(traps > seeds * count);
    assert_true((refused + stuck + astray) * 10 < seeds * SEQUENCE_KINDS * count);
}
