/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* SHA-1 (FIPS 180-4) of messages of any length, as the standard has it: what the host makes the
 * reference with. Lanes have their own (child.h). */
#ifndef SLUICE_WORKLOADS_UTS_SHA1_H
#define SLUICE_WORKLOADS_UTS_SHA1_H

#include <stddef.h>
#include <stdint.h>

#define SHA1_BYTES 20

void sha1(const void *message, size_t bytes, uint8_t digest[SHA1_BYTES]);

#endif
