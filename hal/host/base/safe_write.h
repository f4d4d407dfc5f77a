/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Writing that ends in an error and not in a signal: where a file would pass the limit of sizes
 * (RLIMIT_FSIZE), and where nobody reads a FIFO any more, the kernel sends SIGXFSZ and SIGPIPE,
 * which end a process without a word. A library leaves the dispositions of its user's signals
 * alone: these two are held off the calling thread for the time of a call. */
#ifndef SLUICE_HOST_BASE_SAFE_WRITE_H
#define SLUICE_HOST_BASE_SAFE_WRITE_H

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

struct sl_write_guard {
    sigset_t before;  /* the thread's mask */
    sigset_t pending; /* of the two, what came for others */
};

/* From here to sl_write_release() what the calling thread writes fails with EFBIG or EPIPE. errno
 * stays. */
void sl_write_hold(struct sl_write_guard *guard);
void sl_write_release(const struct sl_write_guard *guard);

/* For those who have the process to themselves, a main() or the parser of a program's command line:
 * from here on no write is ended by SIGXFSZ, standard output's neither; where the signal is handled
 * or ignored already it stays so, and what is executed has it as it was. */
void sl_write_catch_limit(void);

/* write() of all bytes, ftruncate(), so guarded. They return 0, or the errno. */
int sl_write_all(int fd, const void *bytes, size_t count);
int sl_write_truncate(int fd, off_t bytes);

#endif
