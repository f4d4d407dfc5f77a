/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Functions of the C library that kernels do not have, since what is below them is an operating system's: a
 * message for each, which the linker tells of the source line that calls one (ld's .gnu.warning sections).
 * No code, and nothing of it is in a program. scripts/sluice-kernel-cc shows it where linking fails. */

.macro absent text, names:vararg
    .irp name, \names
    .pushsection .gnu.warning.\name, "", @progbits
    .ascii "sluice: \name(): \text"
    .popsection
    .endr
.endm

    absent "a kernel has no files; use sl_printf() of sluice/wave/printf.h", \
        printf, vprintf, fprintf, vfprintf, puts, putchar, putc, fputs, fputc, fwrite, perror
    absent "a kernel has no files; what it reads comes from the shared heap", \
        scanf, getchar, getc, fgets, fread, fopen, fclose, fflush
    absent "a kernel has no memory to format in; sl_printf() of sluice/wave/printf.h formats on the host", \
        sprintf, snprintf, vsprintf, vsnprintf, sscanf
    absent "a kernel has no heap; allocate in the host program by sl_alloc(), or elements by sl_talloc()", \
        malloc, calloc, realloc, free, aligned_alloc, strdup
    absent "a kernel has no heap (operator new, delete); allocate in the host program by sl_alloc()", \
        _Znwm, _Znam, _ZdlPv, _ZdlPvm, _ZdaPv, _ZdaPvm
    absent "a kernel has no process to end; use sl_trap() of sluice/wave/wave.h", exit, _Exit, abort, raise
    absent "which is what assert() calls, needs a process; use SL_ASSERT() of sluice/wave/wave.h", __assert_func
    absent "a kernel has no clock of its own", time, clock, gettimeofday
