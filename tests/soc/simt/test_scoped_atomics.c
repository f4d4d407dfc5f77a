/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Each function of hal/include/sluice/wave/atomics.h that has a scope, as GCC compiles it: what it
 * computes, in lanes on words of their own and on one word, against plain C, on a coherent memory
 * system and on the one that is as stale as it may be; and what a memory system is told, access by
 * access, of kind, scope and order. */
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"
#include "soc/common/bare_machine.h"
#include "soc/common/slow_memory.h"
#include "soc/common/stale.h"
#include "workloads/common/atomic_word.h"

enum operation { load, store, exchange, compare_exchange, add, sub, and, or, xor, min, max, fence };

static const struct function {
    enum operation operation;
    unsigned bytes;
    bool is_signed;
    enum sl_scope scope;
    bool acquires;
    bool releases;
} functions[] = {
#define IS_SIGNED(type) ((type)-1 < (type)1)
#define LOAD(type, width, scope, SCOPE, order, acquires)                                           \
    {load, sizeof(type), false, SL_SCOPE_##SCOPE, acquires, false},
#define STORE(type, width, scope, SCOPE, order, releases)                                          \
    {store, sizeof(type), false, SL_SCOPE_##SCOPE, false, releases},
#define ATOMIC(operation, type, width, scope, SCOPE, suffix, acquires, releases)                   \
    {operation, sizeof(type), IS_SIGNED(type), SL_SCOPE_##SCOPE, acquires, releases},
#define COMPARE_EXCHANGE(type, width, scope, SCOPE, suffix, acquires, releases)                    \
    {compare_exchange, sizeof(type), false, SL_SCOPE_##SCOPE, acquires, releases},
#define FENCE(scope, SCOPE, order, acquires, releases)                                             \
    {fence, 0, false, SL_SCOPE_##SCOPE, acquires, releases},
#include "workloads/common/atomics.def"
};

#define FUNCTIONS (sizeof functions / sizeof functions[0])
#define WORDS     (FUNCTIONS * sizeof(struct atomic_word))

/* ---- what they compute ---- */

/* A word's value as the function sees it, converted to 64 bits. */
static uint64_t seen(const struct function *function, uint64_t word)
{
    if (function->bytes == 8) {
        return word;
    }
    return function->is_signed ? (uint64_t)(int64_t)(int32_t)word : (uint32_t)word;
}

static bool is_less(const struct function *function, uint64_t a, uint64_t b)
{
    return function->is_signed ? (int64_t)a < (int64_t)b : a < b;
}

/* What is in a word afterwards; `old` and `value` as the function sees them. */
static uint64_t after(const struct function *function, uint64_t old, uint64_t value,
                      uint64_t expected)
{
    switch (function->operation) {
    case store:
    case exchange:
        return value;
    case compare_exchange:
        return old == expected ? value : old;
    case add:
        return old + value;
    case sub:
        return old - value;
    case and:
        return old & value;
    case or:
        return old | value;
    case xor:
        return old ^ value;
    case min:
        return is_less(function, value, old) ? value : old;
    case max:
        return is_less(function, old, value) ? value : old;
    default:
        return old;
    }
}

/* One function in one lane. */
static void apply(const struct function *function, struct atomic_word *at, unsigned lane,
                  uint64_t *word)
{
    const uint64_t upper = function->bytes == 8 ? 0 : ~(uint64_t)UINT32_MAX;
    const uint64_t old = seen(function, *word);
    const uint64_t is =
        after(function, old, seen(function, at->value[lane]), seen(function, at->expected[lane]));

    if (function->operation != store && function->operation != fence) {
        at->result[lane] = old;
    }
    *word = (*word & upper) | (is & ~upper);
}

static uint64_t random_edge(uint64_t *state)
{
    static const uint64_t edges[] = {
        0,         1,          UINT64_MAX, INT64_MAX,         (uint64_t)INT64_MIN,
        INT32_MAX, 0x80000000, UINT32_MAX, 0x123456789abcdef0};

    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return edges[(*state >> 33) % (sizeof edges / sizeof edges[0])] + (*state >> 40) % 3;
}

/* On words of their own, every second lane finds what it expects; on one word all expect what is
 * there at first. In 32 bits the upper halves differ. */
static void fill(struct atomic_word *words, bool is_shared)
{
    uint64_t state = 1;

    for (size_t i = 0; i < FUNCTIONS; i++) {
        const uint64_t upper = functions[i].bytes == 4 ? 1ull << 40 : 0;
        for (unsigned lane = 0; lane < ATOMIC_LANES; lane++) {
            words[i].word[lane] = random_edge(&state);
            words[i].value[lane] = random_edge(&state);
            words[i].expected[lane] = is_shared       ? words[i].word[0] ^ upper
                                      : lane % 2 == 0 ? words[i].word[lane] ^ upper
                                                      : random_edge(&state);
            words[i].result[lane] = 0x5555;
        }
    }
}

/* Under `ops`, or on the machine's own memory system where that is NULL. */
static struct bare_machine *create(const struct mem_ops *ops)
{
    fixture_memory(ops);
    struct bare_machine *m = bare_create(NULL);
    fixture_memory(NULL);
    bare_load_kernels(m, "scoped_atomics.elf");
    return m;
}

/* All lanes on words of their own, or on one word, where they take effect in ascending order. Of
 * those that exchange where they find what they expect, the first succeeds in the first round, and
 * the others find its value in the next, as if they had come behind it one by one. */
static void compute(const struct mem_ops *ops, bool is_shared)
{
    struct bare_machine *m = create(ops);
    const uint64_t words = bare_take(m, WORDS, 64);
    struct atomic_word *expected = test_malloc(WORDS);

    fill(expected, is_shared);
    memcpy(bare_at(m, words), expected, WORDS);
    for (size_t i = 0; i < FUNCTIONS; i++) {
        for (unsigned lane = 0; lane < ATOMIC_LANES; lane++) {
            apply(&functions[i], &expected[i], lane, &expected[i].word[is_shared ? 0 : lane]);
        }
    }
    bare_launch(m, 0, "scoped_atomics", ATOMIC_LANES, words, is_shared);
    bare_run(m, 10000000);
    assert_int_equal(m->faults, 0);
    for (size_t i = 0; i < FUNCTIONS; i++) {
        const struct atomic_word *is = (const struct atomic_word *)bare_at(m, words) + i;
        for (unsigned lane = 0; lane < ATOMIC_LANES; lane++) {
            if (is->word[lane] != expected[i].word[lane] ||
                is->result[lane] != expected[i].result[lane]) {
                fail_msg("function %zu, lane %u: 0x%llx, result 0x%llx; should be 0x%llx, 0x%llx",
                         i, lane, (unsigned long long)is->word[lane],
                         (unsigned long long)is->result[lane],
                         (unsigned long long)expected[i].word[lane],
                         (unsigned long long)expected[i].result[lane]);
            }
        }
    }
    test_free(expected);
    bare_destroy(m);
}

TEST(test_compute)
{
    compute(NULL, false);
    compute(NULL, true);
}

TEST(test_compute_stale)
{
    compute(&mem_stale, false);
    compute(&mem_stale, true);
}

/* ---- what memory is told ---- */

/* The requests of a run, of which those are looked at that are atomic or synchronize: the others
 * order nothing. */
struct told {
    const struct slow_memory *slow;
    uint32_t next;
};

static const struct mem_request *next_told(struct told *told)
{
    while (told->next < told->slow->count) {
        const struct slow_request *request = &told->slow->seen[told->next++];
        if (request->is_sync ? request->request.sync != MEM_SYNC_PACKET : request->request.atomic) {
            return &request->request;
        }
        assert_true(request->is_sync || (!request->request.acquire && !request->request.release));
    }
    fail_msg("memory was told too little");
    return NULL;
}

static void expect_sync(struct told *told, enum mem_sync sync, enum sl_scope scope, bool acquires,
                        bool releases)
{
    if (acquires || releases) {
        const struct mem_request *request = next_told(told);
        assert_int_equal(request->sync, sync);
        assert_false(request->atomic);
        assert_int_equal(request->scope, scope);
        assert_int_equal(request->acquire, acquires);
        assert_int_equal(request->release, releases);
    }
}

/* An access with what it orders: a release is told before it, an acquire behind it. */
static void expect_access(struct told *told, enum mem_kind kind, uint64_t address,
                          enum sl_scope scope, bool acquires, bool releases)
{
    expect_sync(told, MEM_SYNC_OPERATION, scope, false, releases);
    const struct mem_request *request = next_told(told);
    assert_true(request->atomic);
    assert_int_equal(request->kind, kind);
    assert_int_equal(request->address, address);
    assert_int_equal(request->scope, scope);
    assert_int_equal(request->acquire, acquires);
    assert_int_equal(request->release, releases);
    expect_sync(told, MEM_SYNC_OPERATION, scope, acquires, false);
}

static void expect_function(struct told *told, const struct function *function, uint64_t address)
{
    switch (function->operation) {
    case fence:
        expect_sync(told, MEM_SYNC_FENCE, function->scope, function->acquires, function->releases);
        break;
    case compare_exchange: /* lr, sc */
        expect_access(told, MEM_ATOMIC, address, function->scope, function->acquires, false);
        expect_access(told, MEM_ATOMIC, address, function->scope, false, function->releases);
        break;
    default:
        expect_access(told,
                      function->operation == load    ? MEM_LOAD
                      : function->operation == store ? MEM_STORE
                                                     : MEM_ATOMIC,
                      address, function->scope, function->acquires, function->releases);
        break;
    }
}

/* One lane, whose compare-exchanges all find what they expect. */
TEST(test_told)
{
    struct bare_machine *m = create(&mem_slow);
    const uint64_t words = bare_take(m, WORDS, 64);
    struct slow_memory *slow = slow_memory(m->gpu->mem);
    struct told told = {.slow = slow};

    slow->cycles = (struct slow_cycles){.access = {[MEM_CU] = 7},
                                        .sync = {[MEM_SYNC_OPERATION] = 5, [MEM_SYNC_FENCE] = 3}};
    fill(bare_at(m, words), false);
    bare_launch(m, 0, "scoped_atomics", 1, words, false);
    bare_run(m, 1000000);
    assert_int_equal(m->faults, 0);
    for (size_t i = 0; i < FUNCTIONS; i++) {
        expect_function(&told, &functions[i], words + i * sizeof(struct atomic_word));
    }
    for (uint32_t i = told.next; i < slow->count; i++) {
        assert_true(!slow->seen[i].request.atomic && slow->seen[i].request.sync != MEM_SYNC_FENCE);
    }
    bare_destroy(m);
}
