/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Firmware where no time is simulated: at boot, between runs, and in pauses (docs/know/trust.md,
 * "Watchdogs"). Instructions are counted there, of which it needs some hundreds for a message. More
 * than it can need at boot, without a look at what the host wants, or for one message end the
 * machine: firmware hangs. What it executes in waiting for the host is no matter. */
#ifndef SLUICE_SOC_FIRMWARE_WATCHDOG_H
#define SLUICE_SOC_FIRMWARE_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

#define WATCHDOG_BOOT                                                                              \
    300000000ull /* the largest image is checked and copied in a fourth of that                    \
                  */
#define WATCHDOG_ELSE 50000000ull

/* In a run, from one pass of firmware's loop to the next. */
#define WATCHDOG_PASS 50000000u

enum firmware_watchdog_state {
    WATCHDOG_BOOTS,
    WATCHDOG_IDLES,
    WATCHDOG_HAS_MESSAGE,
    WATCHDOG_STATES
};

struct firmware_watchdog {
    uint64_t left; /* instructions, until it is looked at */
    uint32_t state;
    uint32_t head; /* messages that firmware had read when they began to count */
};

void firmware_watchdog_init(struct firmware_watchdog *watchdog);

#define WATCHDOG_RUN 1000000ull /* for a run that no message has asked for */

/* A run begins; `is_again`: for a message that has had one. */
void firmware_watchdog_begin(struct firmware_watchdog *watchdog, bool is_again);

/* Firmware waits for the host, which has shown it `shown` messages, and it has read `head` of them;
 * and it goes on, having been shown more or not. */
void firmware_watchdog_wait(struct firmware_watchdog *watchdog, uint32_t shown, uint32_t head);
void firmware_watchdog_go_on(struct firmware_watchdog *watchdog, uint32_t shown, uint32_t head);

/* No instructions are left. Returns the exit status with which the machine ends, of enum
 * sl_exit_status; or 0, and they count anew: it has read messages meanwhile. */
int firmware_watchdog_judge(struct firmware_watchdog *watchdog, uint32_t head);

#endif
