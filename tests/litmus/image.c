/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A copy of the file in memory, which has no name and leaves nothing behind. The library analyses
 * what is in it, as it does with any kernel. */
#define _GNU_SOURCE 1
#include "litmus/image.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/driver/code/elf.h"
#include "host/driver/machine/machine.h"
#include "litmus/code.h"
#include "sluice/program.h"

/* Where the function is in the file; NULL where it is not. */
static char *find_code(const struct sl_elf *elf)
{
    const struct sl_elf_segment *const segment = &elf->segments[elf->code];

    for (size_t i = 0; i < elf->function_count; i++) {
        const struct sl_elf_function *const function = &elf->functions[i];
        if (strcmp(function->name, "litmus_code") == 0 &&
            function->bytes == LITMUS_CODE_WORDS * sizeof(uint32_t)) {
            const char *const data = segment->data;
            return elf->image + (data - elf->image) + (function->address - segment->address);
        }
    }
    return NULL;
}

static enum sl_status load_copy(struct sl_soc *soc, const struct sl_elf *elf,
                                struct sl_module **module)
{
    char path[64];
    const int file = memfd_create("litmus", MFD_CLOEXEC);

    if (file < 0 || write(file, elf->image, elf->image_bytes) != (ssize_t)elf->image_bytes) {
        const enum sl_status status = sl_soc_fail(
            soc, SL_ERROR_USAGE, "no memory for a copy of '%s': %s", elf->path, strerror(errno));
        (void)close(file);
        return status;
    }
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const enum sl_status status = sl_module_load(soc, path, module);
    (void)close(file);
    return status;
}

enum sl_status litmus_image_load(struct sl_soc *soc, const struct litmus_test *test,
                                 struct sl_module **module)
{
    uint32_t word[LITMUS_CODE_WORDS];
    char path[PATH_MAX];
    char error[1024];
    struct sl_elf elf;
    const unsigned words = litmus_code_make(test, word);

    *module = NULL;
    if (sl_app_find_kernels("litmus.elf", path, sizeof path, error, sizeof error) != 0 ||
        sl_elf_open(&elf, path, error, sizeof error) != 0) {
        return sl_soc_fail(soc, SL_ERROR_USAGE, "%s", error);
    }
    char *const code = find_code(&elf);
    enum sl_status status;
    if (code == NULL) {
        status = sl_soc_fail(soc, SL_ERROR_USAGE,
                             "kernel file '%s' has no function litmus_code of %d words; build it "
                             "again (make all)",
                             path, LITMUS_CODE_WORDS);
    } else {
        memcpy(code, word, words * sizeof word[0]);
        status = load_copy(soc, &elf, module);
    }
    sl_elf_close(&elf);
    return status;
}
