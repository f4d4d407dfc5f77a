/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Control and status registers: those of machine mode that software can see change, by a table. */
#ifndef SLUICE_NATIVE_CSR_H
#define SLUICE_NATIVE_CSR_H

#include <stdint.h>

#include "native/hart.h"

enum csr_result {
    CSR_DONE,
    CSR_ILLEGAL, /* there is none of this number, or it is read-only */
    CSR_FOREIGN, /* QEMU has it, or this value of it */
};

/* `number` is below 4096. */
enum csr_result csr_read(const struct hart *hart, unsigned number, uint64_t *value);
enum csr_result csr_write(struct hart *hart, unsigned number, uint64_t value);

#endif
