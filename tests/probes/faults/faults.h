/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What faults.c and its kernels share. */
#ifndef SLUICE_PROBES_FAULTS_H
#define SLUICE_PROBES_FAULTS_H

/* Elements of the faulty graph, a lane each, and the lanes that fault. */
#define FAULTS_ELEMENTS   8
#define FAULTS_LANE_FIRST 3
#define FAULTS_LANE_LAST  5

#endif
