/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Radix sort of N keys of 32 bits, byte by byte from the lowest (papers/000 section 4.4.2;
 * docs/know/quickrelease-programs.md, "qr_sort"). For each byte, launches count how often each
 * value is there, find for each place the key that belongs there, and move the keys; then input and
 * output are swapped. All launches are one run. The kernels are qr_sort_kernel.c. */
#include "workloads/sort/qr_sort.h"

#include "sluice/program.h"
#include "workloads/common/keys.h"
#include "workloads/common/launches.h"

#define KEY_BYTES 4

struct arguments {
    struct keys keys;
    const uint32_t *sorted; /* the machine's keys */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 1048576, SL_INTO(struct arguments, keys.n)},
    KEYS_INPUT_ROW(struct arguments, keys),
    {0},
};

struct buffers {
    uint32_t n;
    uint32_t blocks;
    uint32_t *keys;   /* the input, and after all bytes the output */
    uint32_t *other;  /* the output of every other byte */
    uint32_t *found;  /* where the key is that belongs here */
    uint32_t *counts; /* of each block */
    uint32_t *totals; /* of all blocks */
};

static struct buffers allocate(struct sl_soc *soc, uint32_t n)
{
    const uint32_t blocks = (n - 1) / SORT_BLOCK + 1;
    uint32_t *const keys = sl_app_alloc(soc, 3 * (size_t)n * sizeof *keys, 0);
    uint32_t *const counts =
        sl_app_alloc(soc, (blocks + 1) * (size_t)SORT_BINS * sizeof *counts, 0);

    return (struct buffers){.n = n,
                            .blocks = blocks,
                            .keys = keys,
                            .other = keys + n,
                            .found = keys + 2 * (size_t)n,
                            .counts = counts + SORT_BINS,
                            .totals = counts};
}

/* The launches that sort by one byte. */
static void note_byte(struct launches *launches, const struct buffers *buffers, uint32_t shift,
                      const uint32_t *from, uint32_t *to)
{
    const uint32_t n = buffers->n;
    const uint32_t whole = ((n - 1) / SORT_BINS + 1) * SORT_BINS;
    const uint64_t to_count[] = {(uintptr_t)from, shift, (uintptr_t)buffers->counts};
    const uint64_t to_scan[] = {(uintptr_t)buffers->counts, buffers->blocks,
                                (uintptr_t)buffers->totals};
    const uint64_t to_find[] = {
        (uintptr_t)from,          n, shift, (uintptr_t)buffers->counts, (uintptr_t)buffers->totals,
        (uintptr_t)buffers->found};
    const uint64_t to_move[] = {(uintptr_t)from, (uintptr_t)buffers->found, (uintptr_t)to};

    launches_add(launches, "sort_count", n, SORT_BLOCK, 0, to_count, 3);
    launches_add(launches, "sort_scan", SORT_BINS * SORT_SCAN_SEGMENTS, SORT_SCAN_GROUP, 0, to_scan,
                 3);
    launches_add(launches, "sort_find", whole, SORT_BINS, 0, to_find, 6);
    launches_add(launches, "sort_move", n, SORT_BINS, 0, to_move, 3);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->keys.n;
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};
    const struct buffers buffers = allocate(soc, n);

    for (uint32_t i = 0; i < n; i++) {
        buffers.keys[i] = keys_at(&arguments->keys, i);
    }
    for (uint32_t byte = 0; byte < KEY_BYTES; byte++) {
        uint32_t *const from = byte % 2 == 0 ? buffers.keys : buffers.other;
        uint32_t *const to = byte % 2 == 0 ? buffers.other : buffers.keys;
        note_byte(&launches, &buffers, 8 * byte, from, to);
    }
    const enum sl_status status = launches_run(&launches);
    if (status == SL_OK) {
        arguments->sorted = buffers.keys;
        sl_app_result("qr_sort(%" PRIu32 ") = %" PRIu32, n, buffers.keys[n / 2]);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return keys_are_right(&arguments->keys, arguments->sorted);
}

static const struct sl_app app = {
    .doc = "Sort N keys on the simulated accelerator, and check their order; the result is the key "
           "in the middle, number N / 2 from 0.",
    .table = table,
    .arguments = &(struct arguments){.keys.n = 16384},
    .kernels = "qr_sort.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
