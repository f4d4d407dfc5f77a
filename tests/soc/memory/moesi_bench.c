/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `moesi` alone: requests, invariants, laws. */
#include "soc/memory/moesi_bench.h"

#include <stdlib.h>

#include "common/check.h"
#include "common/fixture.h"
#include "sluice/config.h"
#include "soc/common/machine.h"
#include "soc/systems.h"

struct moesi_bench *bench_create(const char *const *settings)
{
    struct moesi_bench *bench = calloc(1, sizeof *bench);
    char error[256];

    assert_non_null(bench);
    machine_configure(&bench->config, settings);
    assert_int_equal(sl_config_set(&bench->config, "mem.system=moesi", error, sizeof error), 0);
    if (sl_config_check(&bench->config, error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
    bench->dram = fixture_dram_create((uint64_t)bench->config.number[SL_CFG_DRAM_SIZE]);
    event_queue_init(&bench->event_queue, sl_config_period_ps(&bench->config, SL_CFG_GPU_CLOCK));
    bench->moesi =
        (struct moesi *)systems_create(&(struct mem_parts){.config = &bench->config,
                                                           .dram = &bench->dram,
                                                           .event_queue = &bench->event_queue,
                                                           .stream = &bench->stream});
    assert_non_null(bench->moesi);
    return bench;
}

void bench_destroy(struct moesi_bench *bench)
{
    bench->moesi->base.ops->destroy(&bench->moesi->base);
    fixture_dram_destroy(&bench->dram);
    free(bench);
}

uint32_t bench_aggregator(const struct moesi_bench *bench)
{
    return bench->moesi->cus;
}

static struct mem_requester from(const struct moesi_bench *bench, uint32_t requester,
                                 enum mem_kind kind)
{
    const bool is_code = kind == MEM_FETCH;

    if (requester == bench_aggregator(bench)) {
        return (struct mem_requester){.kind = is_code ? MEM_AGG_CODE : MEM_AGG};
    }
    return (struct mem_requester){is_code ? MEM_CU_CODE : MEM_CU, (uint16_t)requester};
}

struct l1 *bench_l1(const struct moesi_bench *bench, uint32_t requester, enum mem_kind kind)
{
    return moesi_l1(bench->moesi, from(bench, requester, kind));
}

struct mem_answer bench_access(struct moesi_bench *bench, uint32_t requester, enum mem_kind kind,
                               uint64_t address, uint64_t time_ps)
{
    struct mem_request request = {.time_ps = time_ps,
                                  .address = address,
                                  .from = from(bench, requester, kind),
                                  .kind = (uint8_t)kind};
    struct mem_answer answer = bench->moesi->base.ops->access(&bench->moesi->base, &request);

    assert_true(answer.perform_ps >= time_ps);
    assert_true(answer.done_ps >= answer.perform_ps);
    assert_ptr_equal(bench->moesi->base.backdoor + address, dram_at(&bench->dram, address));
    return answer;
}

static uint64_t latency(struct moesi_bench *bench, uint32_t requester, enum mem_kind kind,
                        uint32_t line, uint64_t time_ps)
{
    uint64_t address = BENCH_BASE + (uint64_t)line * SL_CACHE_LINE_BYTES;

    return bench_access(bench, requester, kind, address, time_ps).done_ps - time_ps;
}

uint64_t bench_load(struct moesi_bench *bench, uint32_t requester, uint32_t line, uint64_t time_ps)
{
    return latency(bench, requester, MEM_LOAD, line, time_ps);
}

uint64_t bench_store(struct moesi_bench *bench, uint32_t requester, uint32_t line, uint64_t time_ps)
{
    return latency(bench, requester, MEM_STORE, line, time_ps);
}

uint64_t bench_fetch(struct moesi_bench *bench, uint32_t requester, uint32_t line, uint64_t time_ps)
{
    return latency(bench, requester, MEM_FETCH, line, time_ps);
}

const struct l1_line *bench_l1_line(const struct moesi_bench *bench, uint32_t node,
                                    uint64_t address)
{
    const struct l1 *l1 = &bench->moesi->l1s[node];
    uint32_t index = cache_find(&l1->tags, (uint32_t)(address / SL_CACHE_LINE_BYTES));

    return index == CACHE_NONE ? NULL : &l1->lines[index];
}

const struct l2_line *bench_l2_line(const struct moesi_bench *bench, uint64_t address)
{
    uint32_t index = cache_find(&bench->moesi->l2_tags, (uint32_t)(address / SL_CACHE_LINE_BYTES));

    return index == CACHE_NONE ? NULL : &bench->moesi->l2_lines[index];
}

/* What the directory has to say of a line, by the states that L1 caches have it in. */
static enum directory_state expected_state(const uint32_t by_state[L1_STATES])
{
    if (by_state[L1_E] + by_state[L1_M] != 0) {
        return DIRECTORY_X;
    }
    if (by_state[L1_O] != 0) {
        return DIRECTORY_O;
    }
    return by_state[L1_S] != 0 ? DIRECTORY_S : DIRECTORY_U;
}

void bench_check_line(const struct moesi_bench *bench, uint64_t address)
{
    const struct l2_line *l2 = bench_l2_line(bench, address);
    uint32_t by_state[L1_STATES] = {0};
    uint32_t owner = MOESI_NO_OWNER;

    for (uint32_t node = 0; node < bench->moesi->l1_count; node++) {
        const struct l1_line *line = bench_l1_line(bench, node, address);
        enum l1_state state = line == NULL ? L1_I : line->state;
        by_state[state]++;
        owner = state >= L1_E ? node : owner;
        bool is_holder = l2 != NULL && l2->state != DIRECTORY_N &&
                         (l2->holders[node / 64] >> node % 64 & 1) != 0;
        assert_int_equal(is_holder, state != L1_I);
    }
    assert_true(by_state[L1_E] + by_state[L1_M] + by_state[L1_O] <= 1);
    if (by_state[L1_E] + by_state[L1_M] == 1) {
        assert_int_equal(by_state[L1_S], 0);
    }
    if (l2 != NULL) {
        assert_int_equal(l2->state, expected_state(by_state));
        assert_int_equal(l2->owner, owner);
    }
}

void bench_check_all(const struct moesi_bench *bench)
{
    const struct moesi *moesi = bench->moesi;

    for (uint32_t node = 0; node < moesi->l1_count; node++) {
        const struct l1 *l1 = &moesi->l1s[node];
        for (uint32_t index = 0; index < cache_size(&l1->tags); index++) {
            if (l1->tags.tag[index] != CACHE_NONE && l1->lines[index].state != L1_I) {
                uint64_t address = (uint64_t)l1->tags.tag[index] * SL_CACHE_LINE_BYTES;
                assert_non_null(bench_l2_line(bench, address));
            }
        }
    }
    for (uint32_t index = 0; index < cache_size(&moesi->l2_tags); index++) {
        if (moesi->l2_tags.tag[index] != CACHE_NONE) {
            bench_check_line(bench, (uint64_t)moesi->l2_tags.tag[index] * SL_CACHE_LINE_BYTES);
        }
    }
}

void bench_check_laws(const struct moesi_bench *bench)
{
    const struct mem_counters *counters = &bench->moesi->base.counters;
    const struct l2_counters *l2 = &counters->l2;
    struct l1_counters sum = {0};
    const uint64_t line = SL_CACHE_LINE_BYTES;

    for (unsigned kind = 0; kind < L1_KINDS; kind++) {
        const struct l1_counters *l1 = &counters->l1[kind];
        uint64_t served = 0;
        for (unsigned by = 0; by < HIT_LEVELS; by++) {
            served += l1->served[by];
            sum.served[by] += l1->served[by];
        }
        assert_int_equal(served, l1->accesses);
        assert_int_equal(l1->bytes_in, line * (l1->served[HIT_OTHER_L1] + l1->served[HIT_L2] +
                                               l1->served[HIT_DRAM]));
        assert_int_equal(l1->bytes_out, line * (l1->write_backs + l1->supplied));
        assert_int_equal(l1->bytes_in_data, l1->bytes_in);
        if (kind == AGG_L1D) {
            assert_int_equal(l1->bytes_in,
                             line * (l1->causes[MISS_COLD] + l1->causes[MISS_CAPACITY] +
                                     l1->causes[MISS_COHERENCE] + l1->causes[MISS_RECALL]));
        }
        /* What the directory sent: each line that was supplied or recalled was asked for, and each
         * loss to a writer was either such a line or an invalidation. */
        assert_int_equal(l1->bytes_in_probes % MEM_PROBE_BYTES, 0);
        assert_in_range(l1->bytes_in_probes / MEM_PROBE_BYTES, l1->recalls + l1->invalidations,
                        l1->recalls + l1->invalidations + l1->supplied);
        assert_true(l1->read_after_write_hits <= l1->read_hits);
        assert_true(l1->read_hits <= l1->served[HIT_L1]);
        sum.supplied += l1->supplied;
        sum.bytes_in += l1->bytes_in;
        sum.bytes_out += l1->bytes_out;
    }
    assert_int_equal(l2->hits + l2->misses, l2->accesses);
    assert_int_equal(l2->accesses, sum.served[HIT_UPGRADE] + sum.served[HIT_OTHER_L1] +
                                       sum.served[HIT_L2] + sum.served[HIT_DRAM]);
    assert_int_equal(l2->misses, sum.served[HIT_DRAM]);
    assert_int_equal(sum.supplied, sum.served[HIT_OTHER_L1]);
    assert_int_equal(sum.bytes_in, l2->l1_bytes_out + line * sum.supplied);
    assert_int_equal(sum.bytes_out, l2->l1_bytes_in + line * sum.supplied);
    assert_int_equal(l2->dram_bytes_in, line * l2->misses);
    assert_int_equal(l2->dram_bytes_out, line * l2->write_backs);
    assert_int_equal(counters->directory.bytes_out, l2->dram_bytes_in);
    assert_int_equal(counters->directory.bytes_in, l2->dram_bytes_out);
    const struct l3_counters *l3 = &counters->l3;
    const bool has_l3 = bench->config.number[SL_CFG_L3_SIZE] != 0;
    assert_int_equal(l3->accesses, has_l3 ? l2->misses : 0);
    assert_int_equal(l3->hits + l3->misses, l3->accesses);
    assert_int_equal(l3->bytes_out, has_l3 ? l2->dram_bytes_in : 0);
    assert_int_equal(l3->bytes_in, has_l3 ? l2->dram_bytes_out : 0);
    assert_int_equal(counters->dram_reads, has_l3 ? l3->misses : l2->misses);
    assert_int_equal(counters->dram_writes, has_l3 ? l3->write_backs : l2->write_backs);
}
