/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Each word of the mailbox has one writer, so that loads and stores suffice: QEMU's atomics are not
 * atomic against other processes (docs/know/design.md, fact 7). A message is written before the
 * tail that publishes it, and read before the head that frees its entry. */
#include "host/driver/machine/guest_memory.h"

#include "host/driver/machine/futex.h"

static uint32_t load(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static void store(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static void ring_bell(struct sl_mailbox *mailbox)
{
    store(&mailbox->host_bell, mailbox->host_bell + 1);
    sl_futex_wake(&mailbox->host_bell);
}

bool sl_mailbox_send(struct sl_mailbox *mailbox, const struct sl_message_host *message)
{
    const uint32_t tail = mailbox->host_tail;
    if (!sl_mailbox_has_space(mailbox)) {
        return false;
    }
    mailbox->host[tail % SL_MAILBOX_ENTRIES] = *message;
    store(&mailbox->host_tail, tail + 1);
    ring_bell(mailbox);
    return true;
}

void sl_mailbox_quit(struct sl_mailbox *mailbox)
{
    store(&mailbox->quit, 1);
    ring_bell(mailbox);
}

enum sl_mailbox_result sl_mailbox_peek(const struct sl_mailbox *mailbox,
                                       struct sl_message_agg *message)
{
    const uint32_t head = mailbox->agg_head;
    const uint32_t count = load(&mailbox->agg_tail) - head;
    if (count == 0) {
        return SL_MAILBOX_EMPTY;
    }
    if (count > SL_MAILBOX_ENTRIES) {
        return SL_MAILBOX_CORRUPT;
    }
    *message = mailbox->agg[head % SL_MAILBOX_ENTRIES];
    return SL_MAILBOX_MESSAGE;
}

void sl_mailbox_take(struct sl_mailbox *mailbox)
{
    store(&mailbox->agg_head, mailbox->agg_head + 1);
}

bool sl_mailbox_has_space(const struct sl_mailbox *mailbox)
{
    return mailbox->host_tail - load(&mailbox->host_head) < SL_MAILBOX_ENTRIES;
}

bool sl_mailbox_is_read(const struct sl_mailbox *mailbox)
{
    return mailbox->host_tail == load(&mailbox->host_head);
}

void sl_mailbox_sleep_unread(const struct sl_mailbox *mailbox, int limit_ms)
{
    const uint32_t head = load(&mailbox->host_head);
    if (mailbox->host_tail != head) {
        sl_futex_wait(&mailbox->host_head, head, limit_ms);
    }
}

void sl_mailbox_wake_host(const struct sl_mailbox *mailbox)
{
    sl_futex_wake(&mailbox->agg_tail);
    sl_futex_wake(&mailbox->host_head);
}

void sl_mailbox_sleep_full(const struct sl_mailbox *mailbox, int limit_ms)
{
    const uint32_t head = load(&mailbox->host_head);
    if (load(&mailbox->host_tail) - head >= SL_MAILBOX_ENTRIES &&
        load(&mailbox->agg_tail) == load(&mailbox->agg_head)) {
        sl_futex_wait(&mailbox->host_head, head, limit_ms);
    }
}

void sl_mailbox_sleep(const struct sl_mailbox *mailbox, int limit_ms)
{
    const uint32_t head = load(&mailbox->agg_head);
    if (load(&mailbox->agg_tail) == head) {
        sl_futex_wait(&mailbox->agg_tail, head, limit_ms);
    }
}
