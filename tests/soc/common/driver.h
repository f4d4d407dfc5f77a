/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A whole machine whose firmware is the test: it stores to the device window through soc_access(),
 * as the QEMU plugin does for real firmware.
 *
 * With the default core (simple, 2 GHz) an idle instruction takes 3 aggregator cycles of 500 ps, a
 * store to a register 43 (21.5 ns). Outside a run (before driver_begin(), after driver_end())
 * nothing takes time. */
#ifndef SLUICE_TESTS_DRIVER_H
#define SLUICE_TESTS_DRIVER_H

#include <stdint.h>

#include "common/asm.h"
#include "sluice/statistics.h"
#include "soc/common/machine.h"
#include "soc/soc.h"

#define DRIVER_STORE_PS 21000u
#define DRIVER_IDLE_PS  1000u
#define DRIVER_PC       UINT64_C(0x80001234) /* of accesses */

struct driver {
    struct sl_config config;
    struct sl_layout layout;
    struct dram dram;
    struct soc *soc;
    uint64_t next; /* free memory in the heap */
    uint64_t program;
    struct sl_dispatch *packets; /* the rings */
    struct sl_completion *completions;
    struct sl_fault *faults;
    uint64_t packets_base;
    uint64_t completions_base;
    uint64_t faults_base;
    uint64_t yields_base; /* of driver_begin_yields() */
    uint64_t tail;        /* packets written */

    /* What the machine asked of the host. */
    unsigned waits;
    uint32_t wait_seen;
    uint32_t wait_answer; /* the mailbox tail that the host writes during a wait */
    unsigned wakes;
    unsigned exits;
    int exit_status;
    double wall; /* goes on by 1 s with each look at the clock */
};

struct driver *driver_create(const char *const *settings);
void driver_destroy(struct driver *d);

/* driver_create() of settings as arguments. */
#define DRIVER(...) driver_create((const char *const[]){__VA_ARGS__, NULL})

/* Zeroed memory in the heap, and where it is in this process. */
uint64_t driver_take(struct driver *d, uint64_t bytes);
void *driver_at(const struct driver *d, uint64_t address);
struct sl_mailbox *driver_mailbox(const struct driver *d);

/* Stores to a register; reads one (which takes no time). */
void driver_store(struct driver *d, enum sl_register reg, uint64_t value);
uint64_t driver_read(const struct driver *d, enum sl_register reg);

/* Stores a double word to memory. */
void driver_store_memory(struct driver *d, uint64_t address, uint64_t value);

/* Executes idle instructions: so many, until a time, or until a register has a value (the test
 * fails when it has not after 2 ms of simulated time). */
void driver_idle(struct driver *d, unsigned count);
void driver_idle_until(struct driver *d, uint64_t time_ps);
void driver_await(struct driver *d, enum sl_register reg, uint64_t value);

/* Places code, which driver_begin() loads. */
void driver_place(struct driver *d, struct asm_code *code);

/* Makes a kernel that starts at code offset `pc` with one argument. Returns its address. */
uint64_t driver_kernel(struct driver *d, uint32_t pc, uint64_t argument);

/* Begins a run, as firmware does: mark, reset, rings, program. */
void driver_begin(struct driver *d);

/* As if so many packets and records of each ring had been written and read since then. */
void driver_count_from(struct driver *d, uint64_t count);

/* driver_begin(), with a ring for restart contexts; its records by their number; writes the packet
 * that restarts the wavefront of a block, and rings. */
void driver_begin_yields(struct driver *d);
const struct sl_yield *driver_yield(const struct driver *d, uint64_t number);
void driver_restart(struct driver *d, uint64_t block);

/* Ends it; gives the statistics. */
const uint64_t *driver_end(struct driver *d);

/* Writes a packet into the ring, with an id that counts from 0; driver_bell() rings for all. */
struct sl_dispatch *driver_packet(struct driver *d, uint64_t kernel, uint32_t first,
                                  uint32_t count);
void driver_bell(struct driver *d);

/* The same for an NDRange of `groups` work-groups in a row, of `items` work-items each. */
struct sl_dispatch *driver_ndrange(struct driver *d, uint64_t kernel, uint32_t groups,
                                   uint32_t items, uint32_t lds_bytes);

/* Records in the rings by their number. */
const struct sl_completion *driver_completion(const struct driver *d, uint64_t number);
const struct sl_fault *driver_fault(const struct driver *d, uint64_t number);

#endif
