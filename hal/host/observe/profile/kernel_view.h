/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A profile of kernels, read back from its file (kernel_profile.h): costs by kernel, function and
 * source line. Of Callgrind's format it takes what our writer writes: absolute lines, names in
 * full. */
#ifndef SLUICE_HOST_OBSERVE_PROFILE_KERNEL_VIEW_H
#define SLUICE_HOST_OBSERVE_PROFILE_KERNEL_VIEW_H

#include <stdio.h>

#include "host/observe/profile/kernel_profile.h"

/* Names are indices into struct sl_kernel_view, functions and kernels likewise. */
struct sl_view_kernel {
    uint32_t name;
    uint64_t cost[SL_KERNEL_EVENTS];
};

struct sl_view_function {
    uint32_t kernel;
    uint32_t name;
    uint32_t file;
    uint64_t cost[SL_KERNEL_EVENTS];   /* its own */
    uint64_t called[SL_KERNEL_EVENTS]; /* of what it calls, but for itself */
};

/* Several rows of a line are one. */
struct sl_view_line {
    uint32_t function;
    uint32_t file; /* another one than the function's, where code is inlined */
    uint32_t line; /* 0: not known */
    uint64_t cost[SL_KERNEL_EVENTS];
};

struct sl_kernel_view {
    char *command;
    char *lost; /* what the file says that it lacks, or NULL */
    char **names;
    size_t name_count;
    struct sl_view_kernel *kernels; /* in the file's order */
    size_t kernel_count;
    struct sl_view_function *functions; /* likewise */
    size_t function_count;
    struct sl_view_line *lines; /* by function, file and line */
    size_t line_count;
    uint64_t total[SL_KERNEL_EVENTS];
};

/* Reads a file; `path` is its name in messages. Returns 0, or -1 with a message: that it is none,
 * or the line in which it is damaged. sl_kernel_view_clear() in any case. */
int sl_kernel_view_read(struct sl_kernel_view *view, FILE *stream, const char *path, char *error,
                        size_t error_bytes);
void sl_kernel_view_clear(struct sl_kernel_view *view);

#endif
