/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What racy.c and its kernels share. The array has the word that all work-groups store to, and
 * behind it what each has loaded there. */
#ifndef SLUICE_PROBES_RACES_RACY_H
#define SLUICE_PROBES_RACES_RACY_H

#define RACY_GROUPS 2u
#define RACY_ITEMS  64u
#define RACY_VALUE  7u

#endif
