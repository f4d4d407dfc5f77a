/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What firmware that goes wrong does right. Each source beside this takes the place of
 * firmware/runs/service.c in an image of its own, of which it is the only one that includes this;
 * tests/suite/strayed.sh runs them. */
#ifndef SLUICE_TESTS_ATTACK_RIGHT_H
#define SLUICE_TESTS_ATTACK_RIGHT_H

#include "attack/firmware/hang.h"
#include "runs/firmware_version.h"
#include "runs/runs.h"
#include "runs/service.h"
#include "sluice/codes.h"

void service_announce(struct mailbox *mailbox)
{
    mailbox_send(mailbox, &(struct sl_message_agg){
                              .type = SL_AGG_READY,
                              .argument = {FIRMWARE_VERSION},
                          });
}

/* Takes the next message and runs what it says; the answer is the caller's to send. */
static inline struct sl_message_agg right_run(struct mailbox *mailbox,
                                              const struct machine *machine)
{
    struct sl_message_host message;
    struct sl_message_agg answer = {.type = SL_AGG_FAILED, .reason = SL_FAILURE_MESSAGE};

    mailbox_receive(mailbox, &message);
    answer.sequence = message.sequence;
    const struct run_kind *const kind = run_kind_of(message.type);
    if (kind != NULL) {
        run_execute(kind, machine, message.argument[0], message.argument[1], &answer);
    }
    return answer;
}

/* Takes the next message and forgets it. */
static inline void right_take(struct mailbox *mailbox)
{
    struct sl_message_host message;

    mailbox_receive(mailbox, &message);
}

#endif
