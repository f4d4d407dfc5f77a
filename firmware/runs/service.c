/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What each host message means (enum sl_message_host_type). */
#include "runs/service.h"

#include "runs/firmware_version.h"
#include "runs/runs.h"
#include "sluice/codes.h"

void service_announce(struct mailbox *mailbox)
{
    mailbox_send(mailbox, &(struct sl_message_agg){
                              .type = SL_AGG_READY,
                              .argument = {FIRMWARE_VERSION},
                          });
}

/* The host had written it when its open graph failed. */
static bool is_of_an_ended_run(uint32_t message_type)
{
    return message_type == SL_HOST_ENQ || message_type == SL_HOST_REPORT ||
           message_type == SL_HOST_CLOSE;
}

void service_next(struct mailbox *mailbox, const struct machine *machine)
{
    struct sl_message_host message;
    struct sl_message_agg answer = {0};

    mailbox_receive(mailbox, &message);
    if (is_of_an_ended_run(message.type)) {
        return;
    }
    answer.sequence = message.sequence;
    const struct run_kind *const kind = run_kind_of(message.type);
    if (kind != NULL) {
        run_execute(kind, machine, message.argument[0], message.argument[1], &answer);
    } else {
        answer.type = SL_AGG_FAILED;
        answer.reason = SL_FAILURE_MESSAGE;
        answer.argument[0] = message.type;
    }
    mailbox_send(mailbox, &answer);
}
