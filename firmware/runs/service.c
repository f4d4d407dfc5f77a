/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What each host message means (enum sl_message_host_type). */
#include "runs/service.h"

#include "core/version.h"
#include "runs/kinds.h"
#include "sluice/codes.h"

void service_announce(struct mailbox *mailbox)
{
    mailbox_send(mailbox, &(struct sl_message_agg){
                              .type = SL_AGG_READY,
                              .argument = {FIRMWARE_VERSION},
                          });
}

void service_next(struct mailbox *mailbox, const struct machine *machine)
{
    struct sl_message_host message;
    struct sl_message_agg answer = {0};

    mailbox_receive(mailbox, &message);
    answer.sequence = message.sequence;
    const struct run_kind *const kind = run_kind_of(message.type);
    if (kind != NULL) {
        run_execute(kind, machine, message.argument[0], &answer);
    } else {
        answer.type = SL_AGG_FAILED;
        answer.reason = SL_FAILURE_MESSAGE;
        answer.argument[0] = message.type;
    }
    mailbox_send(mailbox, &answer);
}
