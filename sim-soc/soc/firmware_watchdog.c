/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include "soc/firmware_watchdog.h"

#include "sluice/codes.h"

static void count_anew(struct strays *strays, enum strays_state state, uint32_t head)
{
    strays->state = state;
    strays->left = STRAYS_ELSE;
    strays->head = head;
}

void strays_init(struct strays *strays)
{
    *strays = (struct strays){.left = STRAYS_BOOT, .state = STRAYS_BOOTS};
}

void strays_begin(struct strays *strays, bool is_again)
{
    if (is_again) {
        strays->left = strays->left > STRAYS_RUN ? strays->left - STRAYS_RUN : 1;
    }
    if (strays->state == STRAYS_BOOTS) {
        count_anew(strays, STRAYS_HAS_MESSAGE, 0);
    }
}

void strays_wait(struct strays *strays, uint32_t shown, uint32_t head)
{
    if (shown == head) {
        count_anew(strays, STRAYS_IDLES, head);
    }
}

void strays_go_on(struct strays *strays, uint32_t shown, uint32_t head)
{
    if (strays->state == STRAYS_IDLES && shown != head) {
        count_anew(strays, STRAYS_HAS_MESSAGE, head);
    }
}

int strays_judge(struct strays *strays, uint32_t head)
{
    static const int statuses[STRAYS_STATES] = {
        [STRAYS_BOOTS] = SL_EXIT_STRAYED_BOOT,
        [STRAYS_IDLES] = SL_EXIT_STRAYED_IDLE,
        [STRAYS_HAS_MESSAGE] = SL_EXIT_STRAYED_MESSAGE,
    };
    const bool has_read = strays->state != STRAYS_BOOTS && head != strays->head;
    const int status = has_read ? 0 : statuses[strays->state];

    count_anew(strays, (enum strays_state)strays->state, head);
    return status;
}
