/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The machine on which cycles can be worked out by hand, as preset `ideal` has it: memory that
 * always answers in the same time, and an aggregator that does one thing at a time. */
#ifndef SLUICE_TESTS_IDEAL_H
#define SLUICE_TESTS_IDEAL_H

#include "sluice/config.h"

/* As sl_config_init(), for that machine. Ends the test where the keys are not there. */
static inline void ideal_config(struct sl_config *config)
{
    char error[512];

    sl_config_init(config);
    if (sl_config_set(config, "agg.core=simple", error, sizeof error) != 0 ||
        sl_config_set(config, "mem.system=flat", error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
}

#endif
