/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The buffer that a program's kernels print to (hal/wave/printf.h). */
#ifndef SLUICE_HOST_PRINT_BUFFER_H
#define SLUICE_HOST_PRINT_BUFFER_H

#include "host/sluice.h"

/* Gives a program a buffer, in the shared heap; `variable` is the address of its pointer to one, or
 * 0 where it does not print: then *buffer is NULL. SL_OK, or SL_ERROR_USAGE with a message. */
SL_MUST_USE enum sl_status sl_print_buffer_attach(struct sl_soc *soc, uint64_t variable,
                                                  struct sl_print_buffer **buffer);

#endif
