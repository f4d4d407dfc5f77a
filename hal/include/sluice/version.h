/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * The version of this header, the library and everything installed with it. The build, the package
 * and `sluice --version` read it here. While the first number is 0, a new second number may change
 * the interface, so the shared library's name contains both. */
#ifndef SLUICE_VERSION_H
#define SLUICE_VERSION_H

/** @defgroup host_version Version
 * @{ */

/** The version as a string. */
#define SL_VERSION "0.1.0"

/** @} */

#endif
