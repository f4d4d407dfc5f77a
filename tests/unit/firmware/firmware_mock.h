/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A device window for unit tests of the firmware: it logs every access, so that a test can assert
 * the exact sequence, and calls the test's own functions, so that a test can be the device. */
#ifndef SLUICE_TESTS_FIRMWARE_MOCK_H
#define SLUICE_TESTS_FIRMWARE_MOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/registers.h"

/* Where the mocked window is; never dereferenced. */
#define MOCK_WINDOW ((uintptr_t)0x10000)

struct mock_access {
    bool is_write;
    uint32_t reg; /* enum sl_register */
    uint64_t value;
};

#define MOCK_READ(NAME, found)    ((struct mock_access){false, SL_REG_##NAME, (found)})
#define MOCK_WRITE(NAME, written) ((struct mock_access){true, SL_REG_##NAME, (written)})

#define MOCK_LOG_MAX 4096

struct mock {
    uint64_t value[SL_REG_BYTES / 8]; /* what reads return */
    struct mock_access log[MOCK_LOG_MAX];
    size_t log_count;
    /* May be NULL. Before a read, to set its value; after a write. */
    void (*before_read)(uint32_t reg);
    void (*after_write)(uint32_t reg, uint64_t value);
};

extern struct mock mock;

/* All registers zero, empty log, no functions, agg_device_window set. */
void mock_reset(void);

static inline uint64_t *mock_register(enum sl_register reg)
{
    return &mock.value[reg / 8];
}

/* Asserts that the log, from the access *from on, continues with these, and moves *from behind
 * them. */
void mock_expect(size_t *from, const struct mock_access *accesses, size_t count);

#define MOCK_EXPECT(from, ...)                                                                     \
    mock_expect((from), (const struct mock_access[]){__VA_ARGS__},                                 \
                sizeof((const struct mock_access[]){__VA_ARGS__}) / sizeof(struct mock_access))

#endif
