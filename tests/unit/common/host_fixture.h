/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A machine object without a machine, and a module without an ELF file, for tests of the host
 * library's graph half: the heap lies anywhere in the test's own memory, so that AddressSanitizer
 * can be used. The functions of the module half take the place of the library's in the
 * whole program of tests/unit. */
#ifndef SLUICE_TESTS_HOST_FIXTURE_H
#define SLUICE_TESTS_HOST_FIXTURE_H

#include "host/driver/code/module.h"
#include "host/driver/machine/machine.h"
#include "host/runtime/run/run.h"

#define FIXTURE_HEAP_BYTES SL_MIB(8)

struct sl_module {
    struct sl_soc *soc;
    struct sl_prototype prototype; /* of the first kernel; the second one's is not known */
    struct sl_program *program;
    uint64_t lds_bytes;
    uint32_t kernel_flags;       /* of all kernels */
    struct sl_tasks_kernel work; /* of the second one */
    const struct sl_elf *elf;    /* NULL: it has none */
};

/* Closed by fixture_close(). */
struct sl_soc *fixture_open(struct sl_module **module);
void fixture_close(struct sl_soc *soc);

/* Gives the machine a mailbox, which is emptied, and one that takes messages there. */
void fixture_open_mailbox(struct sl_soc *soc, struct sl_mailbox *mailbox);

#endif
