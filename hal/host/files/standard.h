/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The numbers of the three standard descriptors, which a caller may have closed: the next file that
 * is opened would get one, and be written to as standard output, or be replaced in a child. */
#ifndef SLUICE_HOST_STANDARD_H
#define SLUICE_HOST_STANDARD_H

/* Opens /dev/null under each of the three that is closed, the wrong way round: to read from
 * standard input and to write to the others fails with EBADF, as before. Allowed at any time, and
 * again; where the system cannot do it they stay closed. errno stays. */
void sl_standard_occupy(void);

#endif
