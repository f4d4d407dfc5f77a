/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * sl_printf: text from a kernel's lanes to the host's standard error.
 *
 * A lane appends the format's address and the arguments to a buffer in shared memory. The host
 * formats them while it waits for the end of the run, and at the end. Lanes never wait for the
 * host: when the buffer (host.print_buffer) is full, further calls of the run are counted, and the
 * host reports how many were lost. A run therefore does not depend on when the host reads. Lines
 * appear in the order in which lanes reserve space. Control characters except newline and tab are
 * shown as escapes. The host shows at most host.print_limit of a run's output.
 *
 * One or more files of a program may include this header. A program without it has no buffer. */
#ifndef SLUICE_WAVE_PRINTF_H
#define SLUICE_WAVE_PRINTF_H

#include <stdarg.h>
#include <stdint.h>

#include "sluice/layouts.h"
#include "sluice/print.h"
#include "sluice/wave/atomics.h"

/** Address of the buffer; the host sets it when it loads the program. */
__attribute__((weak, used)) struct sl_print_buffer *sl_wave_print_buffer;

static __attribute__((unused, noinline)) void sl_printf_append_(const char *format, ...)
{
    struct sl_print_buffer *const buffer = sl_wave_print_buffer;
    const uint32_t count = sl_print_arguments(format);
    const uint64_t bytes = sizeof(struct sl_print_record) + count * sizeof(uint64_t);
    if (buffer == NULL) {
        return;
    }
    const uint64_t at = sl_atomic_add_u64(&buffer->tail, bytes);
    if (at + bytes > buffer->bytes) {
        sl_atomic_add_u64(&buffer->lost, 1);
        return;
    }
    struct sl_print_record *const record = (struct sl_print_record *)((char *)(buffer + 1) + at);
    uint64_t *const arguments = (uint64_t *)(record + 1);
    va_list list;
    va_start(list, format);
    record->format = (uintptr_t)format;
    for (uint32_t i = 0; i < count; i++) {
        arguments[i] = va_arg(list, uint64_t);
    }
    va_end(list);
    sl_store_release_u64_system(&record->ready, count + 1);
}

void sl_printf_has_too_many_arguments_(void)
    __attribute__((error("sl_printf() takes at most 16 arguments behind its format")));

/** @defgroup kernel_printf Printing
 * @{ */

/** Prints as printf, with these limits. Conversions `n`, long double and wide characters are not
 * shown. At most 16 arguments may follow the format, including those of `*`; more are a compile
 * error. The format and the strings of `s` conversions must be in shared memory, not on the stack
 * or in LDS, and unchanged until the end of the run. */
static inline __attribute__((always_inline, artificial, format(printf, 1, 2))) void
sl_printf(const char *format, ...)
{
    if (__builtin_va_arg_pack_len() > (int)SL_PRINT_ARGUMENTS) {
        sl_printf_has_too_many_arguments_();
    }
    sl_printf_append_(format, __builtin_va_arg_pack());
}

/** @} */

#endif
