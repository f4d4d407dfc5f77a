/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The firmware's version: in its banner and in the READY message. */
#ifndef SLUICE_FIRMWARE_RUNS_FIRMWARE_VERSION_H
#define SLUICE_FIRMWARE_RUNS_FIRMWARE_VERSION_H

#define FIRMWARE_VERSION_TEXT "0.1.0"
#define FIRMWARE_VERSION      0x000100 /* major, minor, patch: a byte each */

#endif
