/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The wavefront inspector by command. */
#ifndef SLUICE_HOST_INSPECT_H
#define SLUICE_HOST_INSPECT_H

#include "host/sluice.h"

/* A command of the control socket (host/machine/control.h); `soc` is the machine. */
void sl_inspect_command(void *soc, const char *command, sl_line_fn line, void *to);

#endif
