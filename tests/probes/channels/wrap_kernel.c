/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels of wrap.c; probes/processes/attach.c and probes/refusals/badgraph.c use them too. */
#include "workloads/common/relay_kernel.h"
