/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Executes kernels of an ELF file and compares what their lanes compute with what is expected
 * (expectation.h), each by one wavefront for every 64 words of input: on the model of the device,
 * or with --machine on the whole machine. A line for each says what it gave; a kernel that did not
 * end is `NAME fault`, with the reason.
 *
 * usage: run_kernels [--machine] KERNELS.elf KERNELS.expect [KERNEL...]
 * The exit status is 1 where a kernel was wrong or a fault, 2 where it could not be tried. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/convergence/expectation.h"
#include "fuzz/convergence/lane_model.h"
#include "fuzz/convergence/whole_machine.h"

#define ERROR_BYTES 1024

/* One of the two. */
struct device {
    struct lane_model *model;
    struct whole_machine *machine;
};

static const uint32_t *run(const struct device *device, const char *name, char *error)
{
    return device->model != NULL ? lane_model_run(device->model, name, error, ERROR_BYTES)
                                 : whole_machine_run(device->machine, name, error, ERROR_BYTES);
}

static bool is_wanted(const char *name, char **names)
{
    for (char **wanted = names; *wanted != NULL; wanted++) {
        if (strcmp(*wanted, name) == 0) {
            return true;
        }
    }
    return *names == NULL;
}

static bool run_all(const struct device *device, const struct expectations *all, char **names)
{
    char error[ERROR_BYTES];
    bool is_right = true;

    for (size_t i = 0; i < all->count; i++) {
        const struct expectation *kernel = &all->kernels[i];
        if (!is_wanted(kernel->name, names)) {
            continue;
        }
        const uint32_t *got = run(device, kernel->name, error);
        if (got == NULL) {
            printf("%s fault %s\n", kernel->name, error);
            is_right = false;
        } else if (!expectation_judge(kernel, got, all->items)) {
            is_right = false;
        }
    }
    return is_right;
}

/* Returns the exit status. */
static int try_file(bool is_whole, char **arguments)
{
    struct expectations all;
    struct device device = {0};
    char error[ERROR_BYTES] = "";

    if (expectations_read(&all, arguments[1], error, sizeof error) == 0) {
        if (is_whole) {
            device.machine = whole_machine_open(arguments[0], &all, error, sizeof error);
        } else {
            device.model = lane_model_open(arguments[0], &all, error, sizeof error);
        }
    }
    int status = 2;
    if (device.machine == NULL && device.model == NULL) {
        (void)fprintf(stderr, "run_kernels: %s\n", error);
    } else {
        status = run_all(&device, &all, &arguments[2]) ? 0 : 1;
    }
    if (device.machine != NULL) {
        whole_machine_close(device.machine);
    }
    if (device.model != NULL) {
        lane_model_close(device.model);
    }
    free(all.kernels);
    return status;
}

int main(int argc, char **argv)
{
    const bool is_whole = argc > 1 && strcmp(argv[1], "--machine") == 0;

    if (argc < 3 + is_whole) {
        (void)fprintf(stderr,
                      "usage: run_kernels [--machine] KERNELS.elf KERNELS.expect [KERNEL...]\n");
        return 2;
    }
    return try_file(is_whole, &argv[1 + is_whole]);
}
