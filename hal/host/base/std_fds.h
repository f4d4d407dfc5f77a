/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a program has from its caller, and cannot do without.
 *
 * The numbers of the three standard descriptors, which a caller may have closed: the next file that
 * is opened would get one, and be written to as standard output, or be replaced in a child. */
#ifndef SLUICE_HOST_BASE_STD_FDS_H
#define SLUICE_HOST_BASE_STD_FDS_H

/* Opens /dev/null under each of the three that is closed, the wrong way round: to read from
 * standard input and to write to the others fails with EBADF, as before. Allowed at any time, and
 * again; where the system cannot do it they stay closed. errno stays. */
void sl_standard_occupy(void);

/* Where SIGCHLD is ignored, which execve() keeps, the system does not tell how children end: it is
 * as by default then. For programs; the library leaves signals to them. */
void sl_standard_children(void);

#endif
