/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Messages about a file. */
#include "host/driver/code/elf_read.h"

#include <stdarg.h>
#include <stdio.h>

enum sl_status sl_elf_fail(const struct sl_elf_report *report, const char *format, ...)
{
    int length =
        snprintf(report->error, report->error_bytes, "%s '%s' ", report->what, report->path);
    if (length >= 0 && (size_t)length < report->error_bytes) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(report->error + length, report->error_bytes - (size_t)length, format,
                        arguments);
        va_end(arguments);
    }
    return SL_ERROR_USAGE;
}

enum sl_status sl_elf_short(const struct sl_elf_report *report)
{
    (void)sl_elf_fail(report, "cannot be read: the host is out of memory");
    return SL_ERROR_MACHINE;
}
