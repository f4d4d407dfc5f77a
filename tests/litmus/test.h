/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A litmus test as the program knows it, once it is read from a file
 * (docs/do/write-litmus-tests.md): threads of a few operations on a few variables, where the
 * threads are placed, a condition on how it ends, and what is expected of memory systems. */
#ifndef SLUICE_LITMUS_TEST_H
#define SLUICE_LITMUS_TEST_H

#include <stdbool.h>
#include <stdint.h>

#define LITMUS_THREADS_MAX      4
#define LITMUS_VARIABLES_MAX    4
#define LITMUS_REGISTERS        6 /* r1 to r6, here 0 to 5 */
#define LITMUS_OPS_MAX          12
#define LITMUS_TERMS_MAX        32
#define LITMUS_EXPECTATIONS_MAX 8
#define LITMUS_NAME_BYTES       48
#define LITMUS_VALUE_MAX        2047 /* of a value in a file, either sign */

enum litmus_scope { LITMUS_WAVEFRONT, LITMUS_WORKGROUP, LITMUS_DEVICE, LITMUS_SYSTEM };

enum litmus_kind {
    LITMUS_LOAD,
    LITMUS_STORE,
    LITMUS_SWAP,
    LITMUS_ADD,
    LITMUS_CAS,
    LITMUS_FENCE,
    LITMUS_BRANCH,
};

/* What is stored, added or compared with: a value, or a register's. */
struct litmus_operand {
    bool is_register;
    int64_t value; /* or the register's number */
};

struct litmus_op {
    enum litmus_kind kind;
    bool acquire;
    bool release;
    bool is_scoped; /* it names a scope; else it is a plain instruction */
    enum litmus_scope scope;
    unsigned variable;
    unsigned reg;                /* what it loads to, or what a branch tests */
    struct litmus_operand index; /* the address is computed with it, and does not depend on it */
    struct litmus_operand operand;
    struct litmus_operand expected; /* by CAS */
    bool if_zero;                   /* branch: beqz, else bnez */
    unsigned target; /* branch: number of an operation behind it; op_count: the end */
    unsigned line;
};

struct litmus_thread {
    struct litmus_op op[LITMUS_OPS_MAX];
    unsigned op_count;
    unsigned warm;      /* bit for each variable that is in its L1 cache before */
    unsigned registers; /* bit for each register that it loads */
    unsigned group;     /* its work-group */
    unsigned wave;      /* its wavefront in the work-group */
};

struct litmus_variable {
    char name[LITMUS_NAME_BYTES];
    int64_t initial;
};

/* How an execution ends. */
struct litmus_outcome {
    int64_t reg[LITMUS_THREADS_MAX][LITMUS_REGISTERS];
    int64_t memory[LITMUS_VARIABLES_MAX];
};

enum litmus_term_kind {
    LITMUS_TERM_REGISTER,
    LITMUS_TERM_VARIABLE,
    LITMUS_TERM_NOT,
    LITMUS_TERM_AND,
    LITMUS_TERM_OR,
};

struct litmus_term {
    enum litmus_term_kind kind;
    unsigned left; /* numbers of terms */
    unsigned right;
    unsigned thread;
    unsigned reg;
    unsigned variable;
    int64_t value;
};

enum litmus_quantifier { LITMUS_EXISTS, LITMUS_NOT_EXISTS, LITMUS_FORALL };

struct litmus_condition {
    enum litmus_quantifier quantifier;
    struct litmus_term term[LITMUS_TERMS_MAX];
    unsigned term_count;
    unsigned root;
};

/* Of a memory system: the condition's outcome is never observed, or is in so many runs. */
struct litmus_expectation {
    char system[LITMUS_NAME_BYTES];
    uint64_t runs; /* 0: never */
    unsigned line;
};

struct litmus_test {
    char name[LITMUS_NAME_BYTES];
    struct litmus_variable variable[LITMUS_VARIABLES_MAX];
    unsigned variable_count;
    struct litmus_thread thread[LITMUS_THREADS_MAX];
    unsigned thread_count;
    unsigned group_count;
    unsigned wave_count[LITMUS_THREADS_MAX]; /* by work-group */
    bool one_line;                           /* all variables are in one cache line */
    struct litmus_condition condition;
    struct litmus_expectation expectation[LITMUS_EXPECTATIONS_MAX];
    unsigned expectation_count;
};

static inline bool litmus_reads(const struct litmus_op *op)
{
    return op->kind == LITMUS_LOAD || op->kind == LITMUS_SWAP || op->kind == LITMUS_ADD ||
           op->kind == LITMUS_CAS;
}

static inline bool litmus_writes(const struct litmus_op *op)
{
    return op->kind == LITMUS_STORE || op->kind == LITMUS_SWAP || op->kind == LITMUS_ADD ||
           op->kind == LITMUS_CAS;
}

static inline bool litmus_accesses(const struct litmus_op *op)
{
    return op->kind != LITMUS_FENCE && op->kind != LITMUS_BRANCH;
}

/* Whether they access one variable, and one of them writes it. */
static inline bool litmus_conflict(const struct litmus_op *a, const struct litmus_op *b)
{
    return litmus_accesses(a) && litmus_accesses(b) && a->variable == b->variable &&
           (litmus_writes(a) || litmus_writes(b));
}

#endif
