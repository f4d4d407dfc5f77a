/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The sweep.json of a folder: what is looked at before runs are made, and results are written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/input/input.h"
#include "scripts/tools/sluice/sweep/sweep.h"

static const struct cli_command command = {.name = "sweep"};

static void look_at(const struct sweep *sweep)
{
    char line[256];
    char path[SWEEP_PATH_MAX];
    size_t bad;

    for (size_t run = 0; run < json_array_size(sweep->runs); run++) {
        sweep_path(sweep, run, "out", path);
        (void)sweep_build(sweep, run);
        (void)sweep_is_good(sweep, run);
        json_decref(sweep_status(sweep, run));
        json_decref(sweep_statistics(sweep, run));
        sweep_first_words(sweep, run, line, sizeof line);
        sweep_join(json_object_get(json_array_get(sweep->runs, run), "words"), line, sizeof line);
    }
    (void)sweep_write_results(sweep, &bad);
    sweep_print_failures(sweep);
}

static void write_file(const char *path, const uint8_t *data, size_t bytes)
{
    FILE *const file = fopen(path, "we");

    input_check(file != NULL && fwrite(data, 1, bytes, file) == bytes && fclose(file) == 0);
}

static void remove_folder(const char *folder)
{
    static const char *const files[] = {"sweep.json", "results.csv", "results.jsonl"};
    char path[128];

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        (void)unlink(path);
    }
    input_check(rmdir(folder) == 0);
}

int input_sweep(const uint8_t *data, size_t bytes)
{
    char folder[] = "/tmp/sluice-input-XXXXXX";
    char path[128];
    struct sweep sweep;
    FILE *const shown = stderr;
    FILE *const nowhere = fopen("/dev/null", "we");

    input_check(nowhere != NULL && mkdtemp(folder) != NULL);
    (void)snprintf(path, sizeof path, "%s/sweep.json", folder);
    write_file(path, data, bytes);
    stderr = nowhere;
    if (sweep_open(&sweep, &command, folder, NULL) == CLI_DONE) {
        look_at(&sweep);
    }
    sweep_close(&sweep);
    stderr = shown;
    (void)fclose(nowhere);
    remove_folder(folder);
    return 0;
}
