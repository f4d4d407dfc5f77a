/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The accesses that agents make: which bytes of which lines. */
#include "soc/memory_fuzz/memory_agents.h"

#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "isa/isa.h"

struct agents_access *agents_make(struct agent *agent, enum mem_kind kind, uint64_t address,
                                  uint64_t mask)
{
    struct agents *agents = agent->agents;
    struct agents_access *access = agents->free;

    if (access == NULL) {
        access = calloc(1, sizeof *access);
        assert_non_null(access);
        access->made = agents->made;
        agents->made = access;
    } else {
        agents->free = access->next;
    }
    *access = (struct agents_access){
        .made = access->made,
        .request = {.address = address,
                    .from = {MEM_CU, agent->cu},
                    .kind = (uint8_t)kind,
                    .scope = SL_SCOPE_WAVEFRONT,
                    .lines = 1,
                    .operations = 1,
                    .wave = agent->wave,
                    .lanes = agents->random | 1,
                    .mask = {mask},
                    .client = &agents_data_client},
        .agent = agent,
        .over = {.run = agents_access_over, .rank = EVENT_OTHER},
        .word = AGENTS_NONE,
        .reads = kind != MEM_STORE,
    };
    return access;
}

void agents_send(struct agents_access *access)
{
    struct agent *agent = access->agent;

    agent->pending++;
    agent->pending_reads += access->reads;
    agent->pending_releases += access->request.release;
    agents_hand_in(access);
}

/* Bytes of a line, from which those of an owner can be taken: one word, some, most, all. */
uint64_t agents_random_mask(struct agents *agents)
{
    const uint64_t some = (uint64_t)agents_random(agents, 1u << 31) << 33 ^
                          (uint64_t)agents_random(agents, 1u << 31) << 11 ^ agents->random >> 40;

    switch (agents_random(agents, 4)) {
    case 0:
        return UINT64_C(0xf) << 4 * agents_random(agents, 16);
    case 1:
        return some & some << 7;
    case 2:
        return some | UINT64_C(1) << agents_random(agents, 64);
    default:
        return UINT64_MAX;
    }
}

uint64_t agents_owned_by(const struct agents *agents, uint32_t line, uint32_t owner)
{
    uint64_t mask = 0;

    for (uint32_t i = 0; i < SL_CACHE_LINE_BYTES; i++) {
        mask |= (uint64_t)(agents->owner[line * SL_CACHE_LINE_BYTES + i] == owner) << i;
    }
    return mask;
}

/* A load of whatever bytes, or a store to bytes of an owner. */
void agents_access_shared(struct agent *agent, uint32_t owner)
{
    struct agents *agents = agent->agents;
    const uint32_t line = agents_random(agents, AGENTS_LINES);
    const uint64_t address = AGENTS_BASE + (uint64_t)line * SL_CACHE_LINE_BYTES;
    const uint64_t owned = agents_owned_by(agents, line, owner);
    const bool is_store = agents_random(agents, 5) < 2;
    const bool is_locked = owner != AGENTS_OWNER_ANY;
    uint64_t mask = agents_random_mask(agents);

    mask = is_store || is_locked ? mask & owned : mask;
    if (mask != 0) {
        struct agents_access *access =
            agents_make(agent, is_store ? MEM_STORE : MEM_LOAD, address, mask);
        access->is_locked = is_locked;
        agents_send(access);
    }
}

/* Some instructions touch stacks and shared memory at once. */
void agents_access_private(struct agent *agent)
{
    struct agents *agents = agent->agents;
    const uint64_t address = AGENTS_STACK + (uint64_t)agent->stack * STACK_BYTES +
                             (uint64_t)agents_random(agents, STACK_LINES) * SL_CACHE_LINE_BYTES;
    const uint32_t what = agents_random(agents, 16);
    const enum mem_kind kind = what < 7 ? MEM_LOAD : what < 15 ? MEM_STORE : MEM_ATOMIC;
    const uint64_t mask = agents_random_mask(agents) | 1;
    struct agents_access *access = agents_make(agent, kind, address, mask);

    access->request.space = agents_random(agents, 8) == 0 ? MEM_SHARED : MEM_PRIVATE;
    access->request.atomic = kind == MEM_ATOMIC;
    agents_send(access);
}

/* What the hardware keeps of a wavefront: its bytes are in DRAM at once. */
void agents_access_saved(struct agent *agent, bool is_store)
{
    struct agents *agents = agent->agents;
    const uint64_t address = AGENTS_SAVE + (uint64_t)agent->slot * SL_CACHE_LINE_BYTES;
    struct agents_access *access =
        agents_make(agent, is_store ? MEM_STORE : MEM_LOAD, address, UINT64_MAX);

    if (is_store) {
        memset(agents->saved[agent->slot], (int)agents_random(agents, 256), SL_CACHE_LINE_BYTES);
        memcpy(dram_at(&agents->dram, address), agents->saved[agent->slot], SL_CACHE_LINE_BYTES);
    }
    access->request.space = MEM_SAVE;
    access->request.client = &agents_plain_client;
    agents_send(access);
}

void agents_fetch(struct agent *agent)
{
    const uint64_t line = agents_random(agent->agents, 16);
    struct agents_access *access =
        agents_make(agent, MEM_FETCH, AGENTS_CODE + line * SL_CACHE_LINE_BYTES, 0);

    access->request.from.kind = MEM_CU_CODE;
    access->request.client = &agents_plain_client;
    agents_send(access);
}
