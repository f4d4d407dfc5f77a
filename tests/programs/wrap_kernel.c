/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels of wrap.c; attach.c and badgraph.c use them too. */
#include "programs/common/relay_kernel.h"
