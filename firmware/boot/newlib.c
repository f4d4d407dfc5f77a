/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What newlib needs of the system: standard output on the console, a heap between the firmware's
 * data and its stack, and an end. There are no files and no processes. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "aggregator/device.h"
#include "aggregator/exit.h"
#include "aggregator/uart.h"

extern char firmware_heap_begin[]; /* linker/firmware.ld */
extern char firmware_heap_end[];

ssize_t _read(int file, void *buffer, size_t bytes);
ssize_t _write(int file, const void *buffer, size_t bytes);
int _close(int file);
int _fstat(int file, struct stat *status);
int _isatty(int file);
off_t _lseek(int file, off_t offset, int from);
void *_sbrk(ptrdiff_t bytes);
int _kill(pid_t process, int signal);
pid_t _getpid(void);
_Noreturn void __assert_func(const char *file, int line, const char *function,
                             const char *expression);

ssize_t _read(int file, void *buffer, size_t bytes)
{
    (void)file;
    (void)buffer;
    (void)bytes;
    return 0; /* end of file */
}

ssize_t _write(int file, const void *buffer, size_t bytes)
{
    const char *text = buffer;
    if (file != STDOUT_FILENO && file != STDERR_FILENO) {
        errno = EBADF;
        return -1;
    }
    for (size_t i = 0; i < bytes; i++) {
        uart_put_char(text[i]);
    }
    return (ssize_t)bytes;
}

int _close(int file)
{
    (void)file;
    errno = EBADF;
    return -1;
}

int _fstat(int file, struct stat *status)
{
    (void)file;
    *status = (struct stat){.st_mode = S_IFCHR};
    return 0;
}

int _isatty(int file)
{
    (void)file;
    return 1;
}

off_t _lseek(int file, off_t offset, int from)
{
    (void)file;
    (void)offset;
    (void)from;
    errno = ESPIPE;
    return -1;
}

void *_sbrk(ptrdiff_t bytes)
{
    static char *end = firmware_heap_begin;
    if (bytes > firmware_heap_end - end || bytes < firmware_heap_begin - end) {
        errno = ENOMEM;
        return (void *)-1;
    }
    char *old = end;
    end += bytes;
    return old;
}

int _kill(pid_t process, int signal)
{
    (void)process;
    _exit(128 + signal); /* raise() and abort() come here */
}

pid_t _getpid(void)
{
    return 1;
}

void _exit(int status)
{
    uart_put_text("sluice firmware: its C library called exit with status ");
    uart_put_decimal((unsigned)status);
    uart_put_text("\n");
    agg_exit(agg_device_window, SL_EXIT_ABORTED);
}

void __assert_func(const char *file, int line, const char *function, const char *expression)
{
    uart_put_text("sluice firmware: assertion failed: ");
    uart_put_text(expression);
    uart_put_text(", in ");
    uart_put_text(function != NULL ? function : "?");
    uart_put_text(" (");
    uart_put_text(file);
    uart_put_text(":");
    uart_put_decimal((unsigned)line);
    uart_put_text(")\n");
    agg_exit(agg_device_window, SL_EXIT_ABORTED);
}
