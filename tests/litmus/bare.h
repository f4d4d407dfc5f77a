/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The accelerator by itself, in this process: compute units on a memory system, with the code of a
 * litmus test, and no front end, aggregator or firmware. Wavefronts are put where the caller wants
 * them. */
#ifndef SLUICE_LITMUS_BARE_H
#define SLUICE_LITMUS_BARE_H

#include <stdbool.h>
#include <stdint.h>

#include "litmus/test.h"
#include "simt/gpu.h"
#include "sluice/config.h"
#include "sluice/sluice.h"

#define LITMUS_BARE_ERROR_BYTES 256

/* Functions of the code; what their arguments are is said with litmus_bare_launch(). */
enum litmus_bare_code { LITMUS_BARE_WARM, LITMUS_BARE_TEST, LITMUS_BARE_CODES };

struct litmus_bare {
    struct sl_layout layout;
    struct dram dram;
    struct event_queue event_queue;
    struct activity activity;
    struct stream stream;
    struct mem_system *mem;
    struct gpu *gpu;
    uint32_t pc[LITMUS_BARE_CODES];
    uint64_t next; /* free memory in the heap */
    uint32_t faults;
    struct sl_fault fault; /* the first */
    char error[LITMUS_BARE_ERROR_BYTES];
};

/* What wavefronts do. Of a warm one, lane i is for instance i; of one of the test, lane i is the
 * thread number i % threads of instance i / threads. */
struct litmus_bare_wave {
    enum litmus_bare_code code;
    uint32_t cu;
    uint32_t lanes;
    uint64_t variables;      /* address of variable 0 of instance 0 */
    uint64_t variable_bytes; /* from one variable of an instance to the next */
    uint32_t loads;          /* warm: a bit for each variable that is loaded */
    uint32_t owns;           /* warm: likewise, loaded and stored again */
    uint64_t results;        /* test: address of the line of thread 0 of instance 0 */
    uint16_t delay_cycles;   /* test */
    uint16_t busy;           /* test: stores to the line of the results, right before it */
    uint32_t threads;        /* test: of an instance, in this wavefront */
    uint64_t codes;          /* test: number of each one's code (code.h), 4 bits each */
};

/* Bytes from one instance's variable to the next instance's. */
#define LITMUS_BARE_INSTANCE_BYTES SL_CACHE_LINE_BYTES

/* Bytes of an instance's results: a line for each thread, so that nobody waits for another's. */
#define LITMUS_BARE_RESULT_BYTES (LITMUS_THREADS_MAX * SL_CACHE_LINE_BYTES)

/* Makes a machine at cycle 0. Whatever is returned, litmus_bare_destroy() has to follow; where it
 * is not SL_OK, `error` says what is wrong. */
SL_MUST_USE enum sl_status litmus_bare_create(struct litmus_bare *bare,
                                              const struct sl_config *config,
                                              const struct litmus_test *test);
void litmus_bare_destroy(struct litmus_bare *bare);

/* Zeroed memory in the heap, in whole cache lines; 0 where there is no more of it. */
uint64_t litmus_bare_take(struct litmus_bare *bare, uint64_t bytes);
void *litmus_bare_at(const struct litmus_bare *bare, uint64_t address);

/* Launches a wavefront now, on a compute unit that has room for it. */
void litmus_bare_launch(struct litmus_bare *bare, const struct litmus_bare_wave *wave);

/* Runs until all wavefronts have ended. */
SL_MUST_USE enum sl_status litmus_bare_run(struct litmus_bare *bare);

/* Brings all bytes to memory; nothing can be launched any more. */
void litmus_bare_settle(struct litmus_bare *bare);

#endif
