/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The part of the page of statistics that lists the laws between them. */
#ifndef SLUICE_DOCGEN_STATISTICS_LAWS_H
#define SLUICE_DOCGEN_STATISTICS_LAWS_H

void docgen_laws(void);

#endif
