/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Speed of the aggregator's core models in QEMU: instructions per second of wall time on a polling
 * loop (tests/soc/aggregator/target/core_kernels.S), the best of some runs for each core.
 * usage: agg_speed [RUNS [CORE...]]     default 3, all */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/driver/machine/paths.h"
#include "sluice/config.h"
#include "soc/aggregator/core_machine.h"

#define ITERATIONS 200000u

/* The best speed of some runs in instructions per second, or 0 with a message printed. */
static double best_speed(const char *core, const char *build, int runs, double *ipc)
{
    static struct sl_config config;
    static struct core_measurements results;
    const struct core_request request = {.iterations = ITERATIONS, .kernel = CORE_KERNEL_polling};
    const struct core_measurement *result = &results.kernel[CORE_KERNEL_polling][0];
    char setting[128];
    char error[PATH_MAX + 1024];
    double best = 0;

    sl_config_init(&config);
    (void)snprintf(setting, sizeof setting, "agg.core=%s", core);
    if (sl_config_set(&config, setting, error, sizeof error) != 0) {
        fprintf(stderr, "agg_speed: %s\n", error);
        return 0;
    }
    for (int run = 0; run < runs; run++) {
        double wall_s;
        if (core_machine_run(&config, build, &request, &results, error, sizeof error) != 0) {
            fprintf(stderr, "agg_speed: %s\n", error);
            return 0;
        }
        memcpy(&wall_s, &results.wall_s, sizeof wall_s);
        double speed = (double)result->instructions / wall_s;
        best = speed > best ? speed : best;
        *ipc = (double)result->instructions / (double)result->cycles;
    }
    return best;
}

static int measure(const char *core, const char *build, int runs)
{
    double ipc = 0;
    double speed = best_speed(core, build, runs, &ipc);

    if (speed == 0) {
        return 1;
    }
    printf("%-16s %8.2f %12.2f\n", core, ipc, speed / 1e6);
    return 0;
}

int main(int argc, char **argv)
{
    const int runs = argc > 1 ? atoi(argv[1]) : 3;
    int status = 0;
    char build[PATH_MAX];

    if (runs < 1 || sl_path_beside_program("..", build, sizeof build) != 0) {
        fprintf(stderr, "usage: agg_speed [RUNS [CORE...]]\n");
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        status |= measure(argv[i], build, runs);
    }
    if (argc > 2) {
        return status;
    }
    for (const char *word = sl_config_table[SL_CFG_AGG_CORE].choices; *word != '\0';) {
        char core[64];
        size_t length = strcspn(word, " ");
        (void)snprintf(core, sizeof core, "%.*s", (int)length, word);
        status |= measure(core, build, runs);
        word += length + (word[length] == ' ');
    }
    return status;
}
