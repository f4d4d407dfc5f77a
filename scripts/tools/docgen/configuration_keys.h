/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The part of the page of the configuration that lists all keys. */
#ifndef SLUICE_DOCGEN_CONFIGURATION_KEYS_H
#define SLUICE_DOCGEN_CONFIGURATION_KEYS_H

void docgen_configuration_keys(void);

#endif
