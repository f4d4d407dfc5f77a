/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The host mailbox: exact register sequences, wrapping rings, a full ring; and what each message
 * does. */
#include <string.h>

#include "common/check.h"
#include "runs/firmware_version.h"
#include "runs/service.h"
#include "sluice/codes.h"
#include "unit/firmware/firmware_mock.h"

static struct sl_mailbox shared;
static struct mailbox mailbox;

static void make(void)
{
    mock_reset();
    memset(&shared, 0, sizeof(shared));
    mailbox_init(&mailbox, &shared);
}

/* The host writes a message; the plugin latches the tail. */
static void host_writes(uint32_t type, uint32_t sequence, uint64_t argument)
{
    struct sl_message_host *message = &shared.host[shared.host_tail % SL_MAILBOX_ENTRIES];
    *message = (struct sl_message_host){.type = type, .sequence = sequence, .argument = {argument}};
    shared.host_tail++;
    *mock_register(SL_REG_HOST_TAIL) = shared.host_tail;
}

static unsigned waits;

/* The second wait is ended by a message, the first by the time limit of a wait. */
static void host_answers_second_wait(uint32_t reg, uint64_t value)
{
    (void)value;
    if (reg == SL_REG_HOST_WAIT && ++waits == 2) {
        host_writes(SL_HOST_EXECUTE, 77, 0x1000);
    }
}

TEST(test_receive)
{
    struct sl_message_host message;
    size_t at = 0;
    make();
    waits = 0;
    mock.after_write = host_answers_second_wait;
    mailbox_receive(&mailbox, &message);
    MOCK_EXPECT(&at, MOCK_READ(HOST_TAIL, 0), MOCK_WRITE(HOST_WAIT, 0), MOCK_READ(HOST_TAIL, 0),
                MOCK_WRITE(HOST_WAIT, 0), MOCK_READ(HOST_TAIL, 1));
    assert_int_equal(mock.log_count, at);
    assert_int_equal(message.type, SL_HOST_EXECUTE);
    assert_int_equal(message.sequence, 77);
    assert_int_equal(message.argument[0], 0x1000);
    assert_int_equal(shared.host_head, 1);
}

/* The tail in shared memory is ahead of the latched one: it must not count. */
TEST(test_receive_latched_only)
{
    struct sl_message_host message;
    make();
    host_writes(1, 1, 0);
    host_writes(1, 2, 0);
    *mock_register(SL_REG_HOST_TAIL) = 1;
    waits = 0;
    mock.after_write = host_answers_second_wait;
    mailbox_receive(&mailbox, &message);
    assert_int_equal(message.sequence, 1);
    assert_int_equal(waits, 0);
    mailbox_receive(&mailbox, &message);
    assert_int_equal(waits, 2);
    assert_int_equal(message.sequence, 2);
}

TEST(test_receive_wraps)
{
    struct sl_message_host message;
    make();
    shared.host_tail = shared.host_head = 0u - 3;
    mailbox.host_head = 0u - 3;
    for (uint32_t i = 0; i < 100; i++) {
        host_writes(1, i, i);
        mailbox_receive(&mailbox, &message);
        assert_int_equal(message.sequence, i);
    }
    assert_int_equal(shared.host_head, 97);
}

TEST(test_send)
{
    size_t at = 0;
    make();
    for (uint32_t i = 0; i < SL_MAILBOX_ENTRIES; i++) {
        mailbox_send(&mailbox, &(struct sl_message_agg){.type = SL_AGG_COMPLETE, .sequence = i});
        MOCK_EXPECT(&at, MOCK_WRITE(HOST_BELL, i + 1));
        assert_int_equal(shared.agg_tail, i + 1);
        assert_int_equal(shared.agg[i].sequence, i);
    }
    assert_int_equal(mock.log_count, at);
    assert_false(mailbox_try_send(&mailbox, &(struct sl_message_agg){.sequence = 99}));
    assert_int_equal(shared.agg_tail, SL_MAILBOX_ENTRIES);
    assert_int_equal(shared.agg[0].sequence, 0);
}

static void host_reads_one(uint32_t reg, uint64_t value)
{
    (void)value;
    if (reg == SL_REG_HOST_WAIT) {
        shared.agg_head++;
    }
}

TEST(test_send_full)
{
    size_t at = 0;
    make();
    shared.agg_tail = mailbox.agg_tail = SL_MAILBOX_ENTRIES;
    *mock_register(SL_REG_HOST_TAIL) = 4;
    mock.after_write = host_reads_one;
    mailbox_send(&mailbox, &(struct sl_message_agg){.sequence = 5});
    MOCK_EXPECT(&at, MOCK_READ(HOST_TAIL, 4), MOCK_WRITE(HOST_WAIT, 4), MOCK_READ(HOST_TAIL, 4),
                MOCK_WRITE(HOST_BELL, SL_MAILBOX_ENTRIES + 1));
    assert_int_equal(mock.log_count, at);
    assert_int_equal(shared.agg[0].sequence, 5);
}

TEST(test_service)
{
    static const struct machine machine = {.limits = {0x1000, 0x2000, 64, 64, 65536}};
    make();
    service_announce(&mailbox);
    assert_int_equal(shared.agg[0].type, SL_AGG_READY);
    assert_int_equal(shared.agg[0].argument[0], FIRMWARE_VERSION);
    assert_int_equal(shared.agg[0].sequence, 0);

    host_writes(1234, 8, 0);
    service_next(&mailbox, &machine);
    assert_int_equal(shared.agg[1].type, SL_AGG_FAILED);
    assert_int_equal(shared.agg[1].sequence, 8);
    assert_int_equal(shared.agg[1].reason, SL_FAILURE_MESSAGE);
    assert_int_equal(shared.agg[1].argument[0], 1234);

    host_writes(SL_HOST_EXECUTE, 9, 0x2000);
    service_next(&mailbox, &machine);
    assert_int_equal(shared.agg[2].type, SL_AGG_REFUSED);
    assert_int_equal(shared.agg[2].sequence, 9);
    assert_int_equal(shared.agg[2].reason, SL_REFUSE_GRAPH_ADDRESS);
    assert_int_equal(shared.agg[2].argument[0], 0x2000);
    assert_int_equal(shared.agg[2].argument[1], 0x2000);
}
