/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What reads input from outside, each in the shape of libFuzzer (LLVMFuzzerTestOneInput): takes any
 * bytes, reads them with the functions that users' files go through, and leaves nothing behind.
 * What a sanitizer finds, or input_check(), ends the process; whatever is printed on `stderr` is
 * not shown.
 *
 * tests/fuzz/test_input.c tries the inputs of tests/fuzz/corpus and changes them; libfuzzer/entry.c
 * makes a program of libFuzzer of each (mk/fuzz.mk). */
#ifndef SLUICE_TESTS_FUZZ_INPUT_H
#define SLUICE_TESTS_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>

/* Each is in a file of its name, and has a folder of its name in tests/fuzz/corpus. */
#define INPUT_TARGETS(TARGET)                                                                      \
    TARGET(                                                                                        \
        print) /* a call of sl_printf: arguments, then the memory that begins with the format */   \
    TARGET(config)  /* a configuration file */                                                     \
    TARGET(setting) /* section.key=value */                                                        \
    TARGET(elf)     /* a file of kernels, or the firmware's */                                     \
    TARGET(dwarf)   /* a file with debug information: prototypes, lines */                         \
    TARGET(code)  /* kernel code, then its functions: what is computed of it when it is loaded */  \
    TARGET(sweep) /* sweep.json */                                                                 \
    TARGET(panel) /* a panel of a report */

#define INPUT_DECLARE(name) int input_##name(const uint8_t *data, size_t bytes);
INPUT_TARGETS(INPUT_DECLARE)

/* Ends the process where something that holds of every input does not. */
#define input_check(condition) ((condition) ? (void)0 : input_fail(#condition, __FILE__, __LINE__))
_Noreturn void input_fail(const char *condition, const char *file, int line);

/* A regular file of these bytes in memory, and a path to it. */
struct input_file {
    int fd;
    char path[32];
};
struct input_file input_file_open(const uint8_t *data, size_t bytes);
void input_file_close(struct input_file *file);

#endif
