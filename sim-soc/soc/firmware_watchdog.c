/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include "soc/firmware_watchdog.h"

#include "sluice/codes.h"

static void count_anew(struct firmware_watchdog *watchdog, enum firmware_watchdog_state state,
                       uint32_t head)
{
    watchdog->state = state;
    watchdog->left = WATCHDOG_ELSE;
    watchdog->head = head;
}

void firmware_watchdog_init(struct firmware_watchdog *watchdog)
{
    *watchdog = (struct firmware_watchdog){.left = WATCHDOG_BOOT, .state = WATCHDOG_BOOTS};
}

void firmware_watchdog_begin(struct firmware_watchdog *watchdog, bool is_again)
{
    if (is_again) {
        watchdog->left = watchdog->left > WATCHDOG_RUN ? watchdog->left - WATCHDOG_RUN : 1;
    }
    if (watchdog->state == WATCHDOG_BOOTS) {
        count_anew(watchdog, WATCHDOG_HAS_MESSAGE, 0);
    }
}

void firmware_watchdog_wait(struct firmware_watchdog *watchdog, uint32_t shown, uint32_t head)
{
    if (shown == head) {
        count_anew(watchdog, WATCHDOG_IDLES, head);
    }
}

void firmware_watchdog_go_on(struct firmware_watchdog *watchdog, uint32_t shown, uint32_t head)
{
    if (watchdog->state == WATCHDOG_IDLES && shown != head) {
        count_anew(watchdog, WATCHDOG_HAS_MESSAGE, head);
    }
}

int firmware_watchdog_judge(struct firmware_watchdog *watchdog, uint32_t head)
{
    static const int statuses[WATCHDOG_STATES] = {
        [WATCHDOG_BOOTS] = SL_EXIT_STRAYED_BOOT,
        [WATCHDOG_IDLES] = SL_EXIT_STRAYED_IDLE,
        [WATCHDOG_HAS_MESSAGE] = SL_EXIT_STRAYED_MESSAGE,
    };
    const bool has_read = watchdog->state != WATCHDOG_BOOTS && head != watchdog->head;
    const int status = has_read ? 0 : statuses[watchdog->state];

    count_anew(watchdog, (enum firmware_watchdog_state)watchdog->state, head);
    return status;
}
