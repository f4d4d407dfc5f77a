/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random control-flow graphs. Each function is a row of blocks, each of which mixes its number into
 * a hash and ends in a branch, jump, switch, table, call, tail call or return to anywhere. What
 * goes backward, calls and recursion cost fuel, so that every lane ends; forward edges test the
 * hash alone, so that fuel adds no edges of its own to most graphs.
 *
 * s0 hash, s1 random state, s2 fuel, s3 depth of calls left, s4 address of the lane's result. */
#include <assert.h>
#include <string.h>

#include "fuzz/graphs.h"

enum { ZERO = 0, RA = 1, SP = 2, T1 = 6, T2 = 7, S0 = 8, S1 = 9, A1 = 11, A2 = 12, A3 = 13 };
enum { S2 = 18, S3 = 19, S4 = 20, T3 = 28 };

#define BLOCKS_MAX 16
#define LABELS     (GRAPH_FUNCTIONS * (BLOCKS_MAX + 2))
#define FIXUPS_MAX 2048

enum fixup_kind { FIXUP_BRANCH, FIXUP_JUMP, FIXUP_TABLE };

struct fixup {
    enum fixup_kind kind;
    uint32_t at; /* word; of tables: table * GRAPH_TABLE + entry */
    uint32_t label;
};

enum table_kind { TABLE_OFFSETS, TABLE_ADDRESSES };

struct maker {
    struct graph *graph;
    uint64_t random;
    uint32_t place[LABELS];
    struct fixup fixups[FIXUPS_MAX];
    uint32_t fixup_count;
    uint8_t table_kind[GRAPH_TABLES];
    uint32_t table_count;
    uint32_t function;
    uint32_t blocks;
};

static uint32_t below(struct maker *m, uint32_t limit)
{
    m->random = m->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(m->random >> 33) % limit;
}

/* ---- instructions ---- */

static uint32_t emit(struct maker *m, uint32_t word)
{
    uint32_t at = m->graph->count++;
    assert(at < GRAPH_WORDS);
    m->graph->code[at] = word;
    m->graph->words[at] = (struct graph_word){.flow = GRAPH_NEXT, .function = m->function};
    return at;
}

static uint32_t op_i(unsigned opcode, unsigned funct3, unsigned rd, unsigned rs1, int immediate)
{
    return opcode | rd << 7 | funct3 << 12 | rs1 << 15 | ((uint32_t)immediate & 0xfff) << 20;
}

static void addi(struct maker *m, unsigned rd, unsigned rs1, int immediate)
{
    emit(m, op_i(0x13, 0, rd, rs1, immediate));
}

static void andi(struct maker *m, unsigned rd, unsigned rs1, int immediate)
{
    emit(m, op_i(0x13, 7, rd, rs1, immediate));
}

static void slli(struct maker *m, unsigned rd, unsigned rs1, int by)
{
    emit(m, op_i(0x13, 1, rd, rs1, by));
}

static void srli(struct maker *m, unsigned rd, unsigned rs1, int by)
{
    emit(m, op_i(0x13, 5, rd, rs1, by));
}

static void lw(struct maker *m, unsigned rd, unsigned rs1, int offset)
{
    emit(m, op_i(0x03, 2, rd, rs1, offset));
}

static void ld(struct maker *m, unsigned rd, unsigned rs1, int offset)
{
    emit(m, op_i(0x03, 3, rd, rs1, offset));
}

static void sd(struct maker *m, unsigned rs2, unsigned rs1, int offset)
{
    uint32_t i = (uint32_t)offset & 0xfff;
    emit(m, 0x23 | (i & 31) << 7 | 3 << 12 | rs1 << 15 | rs2 << 20 | (i >> 5) << 25);
}

static void op_r(struct maker *m, unsigned funct3, unsigned funct7, unsigned rd, unsigned rs1,
                 unsigned rs2)
{
    emit(m, 0x33 | rd << 7 | funct3 << 12 | rs1 << 15 | rs2 << 20 | funct7 << 25);
}

static void add(struct maker *m, unsigned rd, unsigned rs1, unsigned rs2)
{
    op_r(m, 0, 0, rd, rs1, rs2);
}

static void xor_(struct maker *m, unsigned rd, unsigned rs1, unsigned rs2)
{
    op_r(m, 4, 0, rd, rs1, rs2);
}

/* ---- labels: blocks of functions; block 0 is the entry, block `blocks` the way out ---- */

static uint32_t label_of(uint32_t function, uint32_t block)
{
    return function * (BLOCKS_MAX + 2) + block;
}

static void place(struct maker *m, uint32_t block)
{
    m->place[label_of(m->function, block)] = m->graph->count;
}

static void add_fixup(struct maker *m, enum fixup_kind kind, uint32_t at, uint32_t label)
{
    assert(m->fixup_count < FIXUPS_MAX);
    m->fixups[m->fixup_count++] = (struct fixup){kind, at, label};
}

enum { BEQ = 0, BNE = 1, BLT = 4, BGE = 5, BLTU = 6 };

static void set_branch(uint32_t *word, int32_t offset)
{
    uint32_t i = (uint32_t)offset;
    *word |= (i >> 12 & 1) << 31 | (i >> 5 & 63) << 25 | (i >> 1 & 15) << 8 | (i >> 11 & 1) << 7;
}

static void set_jump(uint32_t *word, int32_t offset)
{
    uint32_t i = (uint32_t)offset;
    *word |=
        (i >> 20 & 1) << 31 | (i >> 1 & 1023) << 21 | (i >> 11 & 1) << 20 | (i >> 12 & 255) << 12;
}

static void branch(struct maker *m, unsigned funct3, unsigned rs1, unsigned rs2, uint32_t label)
{
    uint32_t at = emit(m, 0x63 | funct3 << 12 | rs1 << 15 | rs2 << 20);
    m->graph->words[at].flow = GRAPH_BRANCH;
    add_fixup(m, FIXUP_BRANCH, at, label);
}

/* A branch over the next `words` words, whose number the caller knows. */
static uint32_t skip_begin(struct maker *m, unsigned funct3, unsigned rs1, unsigned rs2)
{
    uint32_t at = emit(m, 0x63 | funct3 << 12 | rs1 << 15 | rs2 << 20);
    m->graph->words[at].flow = GRAPH_BRANCH;
    return at;
}

static void skip_end(struct maker *m, uint32_t at)
{
    m->graph->words[at].target = m->graph->count;
    set_branch(&m->graph->code[at], (int32_t)(m->graph->count - at) * 4);
}

static void jump(struct maker *m, unsigned rd, uint32_t label, enum graph_flow flow)
{
    uint32_t at = emit(m, 0x6f | rd << 7);
    m->graph->words[at].flow = flow;
    add_fixup(m, FIXUP_JUMP, at, label);
}

static uint32_t jalr(struct maker *m, unsigned rd, unsigned rs1, enum graph_flow flow)
{
    uint32_t at = emit(m, op_i(0x67, 0, rd, rs1, 0));
    m->graph->words[at].flow = flow;
    return at;
}

/* rd = address */
static void load_address(struct maker *m, unsigned rd, uint64_t address)
{
    uint64_t pc = GRAPH_CODE_BASE + 4ull * m->graph->count;
    uint32_t offset = (uint32_t)(address - pc);
    emit(m, 0x17 | rd << 7 | ((offset + 0x800) & 0xfffff000u));
    addi(m, rd, rd, (int)(offset << 20) >> 20);
}

/* ---- blocks ---- */

static void mix(struct maker *m)
{
    slli(m, T1, S0, 5);
    op_r(m, 0, 0x20, S0, T1, S0); /* sub */
    addi(m, S0, S0, (int)below(m, 2048));
    if (below(m, 2)) {
        xor_(m, S0, S0, S1);
    }
    slli(m, T1, S1, 13);
    xor_(m, S1, S1, T1);
    srli(m, T1, S1, 7);
    xor_(m, S1, S1, T1);
    slli(m, T1, S1, 17);
    xor_(m, S1, S1, T1);
}

/* T1 = some bits of the random state: how often it is zero varies. */
static void draw(struct maker *m, int mask)
{
    srli(m, T1, S1, (int)(8 + below(m, 40)));
    andi(m, T1, T1, mask);
}

static uint32_t forward(struct maker *m, uint32_t block)
{
    return label_of(m->function, block + 1 + below(m, m->blocks - block));
}

/* A table of labels; T1 is the entry that index T1 chooses. */
static uint32_t table_begin(struct maker *m, enum table_kind kind)
{
    uint32_t table = m->table_count++;
    assert(table < GRAPH_TABLES);
    m->table_kind[table] = (uint8_t)kind;
    return table;
}

static void table_set(struct maker *m, uint32_t table, uint32_t entry, uint32_t label)
{
    add_fixup(m, FIXUP_TABLE, table * GRAPH_TABLE + entry, label);
}

static void table_load(struct maker *m, uint32_t table)
{
    bool is_offset = m->table_kind[table] == TABLE_OFFSETS;
    int shift = is_offset ? 2 : 3;

    load_address(m, T3, GRAPH_TABLE_BASE + (uint64_t)table * GRAPH_TABLE * 8);
    if (below(m, 2)) {
        slli(m, T1, T1, 32);
        srli(m, T1, T1, 32 - shift);
    } else {
        slli(m, T1, T1, shift);
    }
    add(m, T1, T1, T3);
    if (is_offset) {
        lw(m, T1, T1, 0);
        add(m, T1, T1, T3);
    } else {
        ld(m, T1, T1, 0);
    }
}

/* A switch over up to eight cases, as comparisons; the default is the next block. */
static void end_switch(struct maker *m, uint32_t block)
{
    uint32_t count = 2 + below(m, 6);

    draw(m, 7);
    for (uint32_t i = 0; i < count; i++) {
        addi(m, T2, ZERO, (int)i);
        branch(m, BEQ, T1, T2, forward(m, block));
    }
}

/* A jump through a table of up to eight entries, with a default or a mask that needs none. */
static void end_table(struct maker *m, uint32_t block)
{
    uint32_t count = 2 + below(m, 6);
    uint32_t table = 0;

    if (below(m, 2)) {
        count = 4;
        draw(m, 3);
    } else {
        draw(m, 7);
        if (below(m, 2)) { /* cases that do not begin at zero */
            addi(m, T1, T1, -1);
        }
        addi(m, T2, ZERO, (int)count - 1);
        branch(m, BLTU, T2, T1, forward(m, block));
    }
    table = table_begin(m, below(m, 2) ? TABLE_OFFSETS : TABLE_ADDRESSES);
    for (uint32_t i = 0; i < count; i++) {
        table_set(m, table, i, forward(m, block));
    }
    table_load(m, table);
    (void)jalr(m, ZERO, T1, GRAPH_AWAY);
}

static uint32_t any_function(struct maker *m)
{
    return label_of(1 + below(m, m->graph->function_count - 1), 0);
}

static void load_function(struct maker *m, uint32_t count)
{
    uint32_t table = table_begin(m, TABLE_ADDRESSES);

    draw(m, (int)count - 1);
    for (uint32_t i = 0; i < count; i++) {
        table_set(m, table, i, any_function(m));
    }
    table_load(m, table);
}

static void end_call(struct maker *m, bool is_indirect)
{
    uint32_t depth = skip_begin(m, BGE, ZERO, S3);
    uint32_t fuel = skip_begin(m, BGE, ZERO, S2);

    addi(m, S3, S3, -1);
    addi(m, S2, S2, -1);
    if (is_indirect) {
        load_function(m, 1u << below(m, 3));
        (void)jalr(m, RA, T1, GRAPH_CALL);
    } else {
        jump(m, RA, any_function(m), GRAPH_CALL);
    }
    addi(m, S3, S3, 1);
    skip_end(m, fuel);
    skip_end(m, depth);
}

static void leave_frame(struct maker *m)
{
    ld(m, RA, SP, 0);
    addi(m, SP, SP, 16);
}

static void end_tail_call(struct maker *m, bool is_indirect)
{
    uint32_t fuel = skip_begin(m, BGE, ZERO, S2);

    addi(m, S2, S2, -1);
    if (is_indirect) {
        load_function(m, 1u << below(m, 3));
        leave_frame(m);
        (void)jalr(m, ZERO, T1, GRAPH_AWAY);
    } else {
        leave_frame(m);
        jump(m, ZERO, any_function(m), GRAPH_JUMP);
    }
    skip_end(m, fuel);
}

static void end_loop(struct maker *m, uint32_t block)
{
    addi(m, S2, S2, -1);
    draw(m, below(m, 2) ? 1 : 3);
    op_r(m, 2, 0, T2, ZERO, S2); /* slt */
    op_r(m, 3, 0, T1, ZERO, T1); /* snez */
    op_r(m, 7, 0, T1, T1, T2);   /* and */
    branch(m, BNE, T1, ZERO, label_of(m->function, 1 + below(m, block)));
}

static void end_block(struct maker *m, uint32_t block)
{
    bool may_call = m->graph->function_count > 1;

    switch (below(m, 16)) {
    case 0:
    case 1:
    case 2:
    case 3:
        draw(m, below(m, 3) ? 1 : 7);
        branch(m, below(m, 2) ? BEQ : BNE, T1, ZERO, forward(m, block));
        break;
    case 4:
    case 5:
    case 6:
        end_loop(m, block);
        break;
    case 7:
        jump(m, ZERO, forward(m, block), GRAPH_JUMP);
        break;
    case 8:
    case 9:
        end_switch(m, block);
        break;
    case 10:
        end_table(m, block);
        break;
    case 11:
    case 12:
        if (may_call) {
            end_call(m, below(m, 2));
        }
        break;
    case 13:
        if (may_call && m->function != 0) { /* the kernel has a frame of its own */
            end_tail_call(m, below(m, 2));
        }
        break;
    case 14:
        draw(m, 3);
        branch(m, BEQ, T1, ZERO, label_of(m->function, m->blocks));
        break;
    default:
        break; /* goes on with the next */
    }
}

/* ---- functions; number 0 is the kernel ---- */

static void begin_kernel(struct maker *m, uint32_t fuel, uint32_t depth)
{
    slli(m, T1, A1, 4);
    add(m, S4, A3, T1);
    slli(m, S1, A1, 20);
    xor_(m, S1, S1, A2);
    addi(m, S1, S1, 1);
    addi(m, S0, ZERO, 0);
    addi(m, S2, ZERO, (int)fuel);
    addi(m, S3, ZERO, (int)depth);
    addi(m, SP, SP, -16);
    sd(m, RA, SP, 0);
    for (int i = 0; i < 3; i++) {
        mix(m);
    }
}

static void make_function(struct maker *m, uint32_t fuel, uint32_t depth)
{
    m->graph->function_first[m->function] = m->graph->count;
    m->blocks = 2 + below(m, BLOCKS_MAX - 1);
    place(m, 0);
    if (m->function == 0) {
        begin_kernel(m, fuel, depth);
    } else {
        addi(m, SP, SP, -16);
        sd(m, RA, SP, 0);
    }
    for (uint32_t block = 1; block < m->blocks; block++) {
        place(m, block);
        mix(m);
        end_block(m, block);
    }
    place(m, m->blocks);
    if (m->function == 0) {
        sd(m, S0, S4, 0);
        sd(m, S1, S4, 8);
    }
    leave_frame(m);
    (void)jalr(m, ZERO, RA, GRAPH_RETURN);
}

static void fix_table(struct maker *m, uint32_t at, uint32_t word)
{
    uint32_t table = at / GRAPH_TABLE;
    uint64_t address = GRAPH_CODE_BASE + 4ull * word;

    if (m->table_kind[table] == TABLE_ADDRESSES) {
        m->graph->tables[at] = address;
        return;
    }
    uint32_t offset = (uint32_t)(address - GRAPH_TABLE_BASE - (uint64_t)table * GRAPH_TABLE * 8);
    memcpy((char *)&m->graph->tables[(size_t)table * GRAPH_TABLE] + (size_t)(at % GRAPH_TABLE) * 4,
           &offset, sizeof offset);
}

static void fix(struct maker *m, const struct fixup *fixup)
{
    uint32_t to = m->place[fixup->label];

    if (fixup->kind == FIXUP_TABLE) {
        fix_table(m, fixup->at, to);
        return;
    }
    int32_t offset = (int32_t)(to - fixup->at) * 4;
    m->graph->words[fixup->at].target = to;
    if (fixup->kind == FIXUP_BRANCH) {
        set_branch(&m->graph->code[fixup->at], offset);
    } else {
        set_jump(&m->graph->code[fixup->at], offset);
    }
}

void graph_make(struct graph *graph, uint64_t seed)
{
    struct maker m = {.graph = graph, .random = seed * 0x9e3779b97f4a7c15u + 1};

    memset(graph, 0, sizeof *graph);
    graph->function_count = 1 + below(&m, GRAPH_FUNCTIONS);
    uint32_t fuel = 5 + below(&m, 60);
    uint32_t depth = below(&m, 25);
    for (m.function = 0; m.function < graph->function_count; m.function++) {
        make_function(&m, fuel, depth);
    }
    graph->function_first[graph->function_count] = graph->count;
    for (uint32_t i = 0; i < m.fixup_count; i++) {
        fix(&m, &m.fixups[i]);
    }
    for (uint32_t f = 0; f < graph->function_count; f++) {
        graph->functions[f] =
            (struct sl_function){GRAPH_CODE_BASE + 4ull * graph->function_first[f],
                                 4ull * (graph->function_first[f + 1] - graph->function_first[f])};
    }
}
