/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the readers of input share. */
#define _GNU_SOURCE 1
#include "fuzz/input/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* libdw and libjq do not free all that they have read of files and expressions with mistakes. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libdw\nleak:libjq\n";
}

const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}

void input_fail(const char *condition, const char *file, int line)
{
    (void)dprintf(STDERR_FILENO, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

struct input_file input_file_open(const uint8_t *data, size_t bytes)
{
    struct input_file file = {.fd = memfd_create("input", MFD_CLOEXEC)};

    input_check(file.fd >= 0);
    input_check(bytes == 0 || write(file.fd, data, bytes) == (ssize_t)bytes);
    (void)snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.fd);
    return file;
}

void input_file_close(struct input_file *file)
{
    (void)close(file->fd);
}
