/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The hart at work. */
#ifndef SLUICE_NATIVE_HART_RUN_H
#define SLUICE_NATIVE_HART_RUN_H

#include <signal.h>

#include "native/hart.h"

/* Executes until the hart stops, or *signal_number is not 0. */
void run(struct hart *hart, const volatile sig_atomic_t *signal_number);

#endif
