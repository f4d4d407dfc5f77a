/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The firmware's side of the host mailbox (docs/know/design.md, rules 1 and 2). */
#include "queues/mailbox.h"

#include "aggregator/device.h"
#include "aggregator/shared.h"

void mailbox_init(struct mailbox *mailbox, struct sl_mailbox *shared)
{
    *mailbox = (struct mailbox){.shared = shared};
}

/* Sleeps until the host does something, or for a while; returns the host's tail after that. */
static uint32_t wait_for_host(uint32_t tail_seen)
{
    agg_register_write(SL_REG_HOST_WAIT, tail_seen);
    return (uint32_t)agg_register_read(SL_REG_HOST_TAIL);
}

void mailbox_receive(struct mailbox *mailbox, struct sl_message_host *message)
{
    *message = *mailbox_next(mailbox);
    mailbox_release(mailbox);
}

const struct sl_message_host *mailbox_next(struct mailbox *mailbox)
{
    uint32_t tail = (uint32_t)agg_register_read(SL_REG_HOST_TAIL);
    while (tail == mailbox->host_head) {
        tail = wait_for_host(tail);
    }
    return &mailbox->shared->host[mailbox->host_head % SL_MAILBOX_ENTRIES];
}

void mailbox_release(struct mailbox *mailbox)
{
    mailbox->host_head++;
    shared_store32_release(&mailbox->shared->host_head, mailbox->host_head);
}

bool mailbox_try_send(struct mailbox *mailbox, const struct sl_message_agg *message)
{
    const uint32_t read_by_host = shared_load32_acquire(&mailbox->shared->agg_head);
    if (mailbox->agg_tail - read_by_host >= SL_MAILBOX_ENTRIES) {
        return false;
    }
    mailbox->shared->agg[mailbox->agg_tail % SL_MAILBOX_ENTRIES] = *message;
    mailbox->agg_tail++;
    shared_store32_release(&mailbox->shared->agg_tail, mailbox->agg_tail);
    agg_register_write(SL_REG_HOST_BELL, mailbox->agg_tail);
    return true;
}

void mailbox_send(struct mailbox *mailbox, const struct sl_message_agg *message)
{
    while (!mailbox_try_send(mailbox, message)) {
        (void)wait_for_host((uint32_t)agg_register_read(SL_REG_HOST_TAIL));
    }
}
