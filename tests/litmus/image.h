/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel's file with the code of a test in it. */
#ifndef SLUICE_LITMUS_IMAGE_H
#define SLUICE_LITMUS_IMAGE_H

#include "litmus/test.h"
#include "sluice/sluice.h"

/* Loads litmus.elf with the test's code as its function litmus_code. */
SL_MUST_USE enum sl_status litmus_image_load(struct sl_soc *soc, const struct litmus_test *test,
                                             struct sl_module **module);

#endif
