/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What test_arguments.c and the kernels of target/arguments.awk agree on: values of arguments, and
 * where a kernel stores the registers that they come in, a0 to a7 and fa0 to fa7. */
#ifndef SLUICE_TESTS_FUZZ_ARGUMENTS_H
#define SLUICE_TESTS_FUZZ_ARGUMENTS_H

#include <stdint.h>

#define ARGUMENT_BITS(kernel, i) (((kernel)*8u + (i) + 1) * UINT64_C(0x9e3779b97f4a7c15))

/* Neither a float nor a double has it exactly. */
#define ARGUMENT_REAL(kernel, i) ((double)(int64_t)ARGUMENT_BITS(kernel, i) / 3)

#define ARGUMENTS_SEEN       UINT64_C(0x81000000)
#define ARGUMENTS_SEEN_BYTES 256 /* of each kernel */

/* Compiled code would say what it makes of a register, not what is in it. */
#define KERNEL(number, ...)                                                                        \
    __attribute__((naked, noipa)) void kernel_##number(__VA_ARGS__);                               \
    __attribute__((naked, noipa)) void kernel_##number(__VA_ARGS__)                                \
    {                                                                                              \
        __asm__("li t0, %0\n\t"                                                                    \
                ".irp n, 0,1,2,3,4,5,6,7\n\t"                                                      \
                "sd a\\n, 8 * \\n(t0)\n\t"                                                         \
                "fsd fa\\n, 8 * (8 + \\n)(t0)\n\t"                                                 \
                ".endr\n\t"                                                                        \
                "ret"                                                                              \
                :                                                                                  \
                : "i"(ARGUMENTS_SEEN + (number)*ARGUMENTS_SEEN_BYTES));                            \
    }

#define CALL(number, ...)                                                                          \
    void call_##number(void);                                                                      \
    void call_##number(void)                                                                       \
    {                                                                                              \
        kernel_##number(__VA_ARGS__);                                                              \
    }

#endif
