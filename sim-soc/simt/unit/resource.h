/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a wavefront or a work-group needs of a compute unit, in the order in which it is looked at.
 */
#ifndef SLUICE_SIMT_UNIT_RESOURCE_H
#define SLUICE_SIMT_UNIT_RESOURCE_H

enum cu_resource { CU_CONTEXTS, CU_REGISTERS, CU_LDS, CU_RESOURCE_COUNT };

#endif
