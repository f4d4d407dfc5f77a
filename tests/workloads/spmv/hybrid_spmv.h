/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of hybrid_spmv.c share. */
#ifndef SLUICE_WORKLOADS_SPMV_HYBRID_SPMV_H
#define SLUICE_WORKLOADS_SPMV_HYBRID_SPMV_H

#define SPMV_TEAM_LOG2 3 /* of lanes, where a wavefront has as many */

#endif
