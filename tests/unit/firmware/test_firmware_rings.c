/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Dispatch, completion and fault rings: packets, doorbells, indices that wrap. */
#include "common/check.h"
#include "queues/completion.h"
#include "queues/dispatch.h"
#include "unit/firmware/firmware_mock.h"

static struct dispatch dispatch;
static struct completion completion;
static struct channel channel;

static const struct sl_dispatch *packet(uint64_t number)
{
    const struct sl_dispatch *ring =
        (const struct sl_dispatch *)(uintptr_t)*mock_register(SL_REG_DISPATCH_BASE);
    return &ring[number % SL_DISPATCH_ENTRIES];
}

TEST(test_packet)
{
    size_t at = 0;
    mock_reset();
    dispatch_init(&dispatch);
    assert_int_equal(*mock_register(SL_REG_DISPATCH_BASE) % 64, 0);
    at = mock.log_count;

    /* Control array of 128 entries; its index wraps inside the second packet. */
    channel =
        (struct channel){.view.control_head = 384 - 70, .control_mask = 127, .kernel = 0x1234};
    dispatch_put(&dispatch, &channel, 5, 64);
    dispatch_put(&dispatch, &channel, 5, 30);
    assert_int_equal(mock.log_count, at); /* no register before the doorbell */
    assert_int_equal(dispatch_outstanding(&dispatch), 2);
    dispatch_ring(&dispatch);
    MOCK_EXPECT(&at, MOCK_WRITE(DISPATCH_TAIL, 2));
    dispatch_ring(&dispatch); /* nothing new: no doorbell */
    assert_int_equal(mock.log_count, at);

    assert_int_equal(packet(0)->kernel, 0x1234);
    assert_int_equal(packet(0)->channel, 5);
    assert_int_equal(packet(0)->id, 0);
    assert_int_equal(packet(0)->first, 58); /* 314 mod 128 */
    assert_int_equal(packet(0)->count, 64);
    assert_int_equal(packet(0)->index_mask, 127);
    assert_int_equal(packet(1)->id, 1);
    assert_int_equal(packet(1)->first, 122);
    assert_int_equal(packet(1)->count, 30);
    assert_int_equal(channel.view.control_head, 384 + 24);
}

TEST(test_space)
{
    mock_reset();
    dispatch_init(&dispatch);
    channel = (struct channel){.control_mask = 127};
    for (uint32_t i = 0; i < SL_COMPLETION_ENTRIES; i++) {
        assert_int_equal(dispatch_space(&dispatch), SL_COMPLETION_ENTRIES - i);
        dispatch_put(&dispatch, &channel, 0, 1);
    }
    assert_int_equal(dispatch_space(&dispatch), 0);
    dispatch.completed = 3;
    assert_int_equal(dispatch_space(&dispatch), 3);
    /* The ring's index wraps; ids go on. */
    dispatch_put(&dispatch, &channel, 9, 7);
    assert_int_equal(packet(0)->channel, 9);
    assert_int_equal(packet(0)->id, SL_DISPATCH_ENTRIES);
}

TEST(test_completions)
{
    size_t at;
    mock_reset();
    completion_init(&completion);
    struct sl_completion *ring =
        (struct sl_completion *)(uintptr_t)*mock_register(SL_REG_COMPLETION_BASE);
    at = mock.log_count;

    assert_int_equal(completion_poll(&completion, NULL), 0);
    MOCK_EXPECT(&at, MOCK_READ(COMPLETION_TAIL, 0));
    assert_int_equal(mock.log_count, at); /* an idle poll is one read */

    uint64_t tail = 0;
    uint64_t elements = 0;
    for (unsigned round = 0; round < 5; round++) {
        const unsigned count = round == 1 ? SL_COMPLETION_ENTRIES : 100;
        for (unsigned i = 0; i < count; i++, tail++) {
            ring[tail % SL_COMPLETION_ENTRIES] = (struct sl_completion){
                .id = (uint32_t)tail, .elements = (uint32_t)tail, .wavefronts = 2};
            elements += tail;
        }
        *mock_register(SL_REG_COMPLETION_TAIL) = tail;
        assert_int_equal(completion_poll(&completion, NULL), count);
        MOCK_EXPECT(&at, MOCK_READ(COMPLETION_TAIL, tail), MOCK_WRITE(COMPLETION_HEAD, tail));
        assert_int_equal(completion.elements, elements);
        assert_int_equal(completion.wavefronts, 2 * tail);
    }
}

/* The device's counts of records have 64 bits, as the firmware's have. */
TEST(test_counts_of_64_bits)
{
    const uint64_t tail = (1ull << 32) + 20;
    size_t at;

    mock_reset();
    dispatch_init(&dispatch);
    completion_init(&completion);
    channel = (struct channel){.control_mask = 127};
    dispatch.tail = dispatch.rung = dispatch.completed = completion.head = tail - 52;
    at = mock.log_count;
    for (unsigned i = 0; i < 52; i++) {
        dispatch_put(&dispatch, &channel, 5, 1);
    }
    assert_int_equal(packet(tail - 1)->id, 19);
    dispatch_ring(&dispatch);
    *mock_register(SL_REG_COMPLETION_TAIL) = tail;
    assert_int_equal(completion_poll(&completion, NULL), 52);
    MOCK_EXPECT(&at, MOCK_WRITE(DISPATCH_TAIL, tail), MOCK_READ(COMPLETION_TAIL, tail),
                MOCK_WRITE(COMPLETION_HEAD, tail));
    assert_int_equal(completion_poll(&completion, NULL), 0);
}

TEST(test_faults)
{
    size_t at;
    struct sl_fault first = {0};
    mock_reset();
    completion_init(&completion);
    struct sl_fault *ring = (struct sl_fault *)(uintptr_t)*mock_register(SL_REG_FAULT_BASE);
    at = mock.log_count;
    assert_int_equal(completion_faults(&first), 0);
    MOCK_EXPECT(&at, MOCK_READ(FAULT_TAIL, 0));
    ring[0] = (struct sl_fault){.code = 4, .pc = 0x80400010};
    ring[1] = (struct sl_fault){.code = 1};
    *mock_register(SL_REG_FAULT_TAIL) = 2;
    *mock_register(SL_REG_FAULT_LOST) = 40;
    assert_int_equal(completion_faults(&first), 42);
    assert_int_equal(first.code, 4);
    assert_int_equal(first.pc, 0x80400010);
}
