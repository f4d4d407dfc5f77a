/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where something is, for host programs and kernels. */
#ifndef SLUICE_WORKLOADS_COMMON_PLACE_H
#define SLUICE_WORKLOADS_COMMON_PLACE_H

struct place {
    float latitude;
    float longitude;
};

#endif
