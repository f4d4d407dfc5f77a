/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * The version: of this header, of the library, and of everything that is installed with it. The
 * build, the package and `sluice --version` have it from here. As long as the first number is 0,
 * each second number may change the interface, and the shared library's name says so. */
#ifndef SLUICE_VERSION_H
#define SLUICE_VERSION_H

/** @defgroup host_version Version
 * @{ */

/** The version as text. */
#define SL_VERSION "0.1.0"

/** @} */

#endif
