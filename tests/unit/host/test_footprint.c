/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory of channels, with and without yield, against figures worked out by hand. */
#include "common/check.h"
#include "host/driver/graph/graph.h"
#include "sluice/codes.h"

/* Elements of 24 bytes, two at once (one element of slack), 64 to a done count. */
static struct sl_channel channel_of(enum sl_channel_role role, uint32_t width)
{
    return (struct sl_channel){
        .width = width, .stride = 24, .slack = 1, .done_shift = 6, .role = role};
}

/* 257 x 24 bytes of data, 512 control entries of 4, 4 done counts of 4. */
TEST(test_arrays)
{
    const struct sl_channel channel = channel_of(SL_ROLE_PRE_SPAWN, 1024);
    const struct sl_channel_arrays arrays = sl_channel_arrays(&channel, 256);
    assert_int_equal(arrays.data, 6168);
    assert_int_equal(arrays.control, 2048);
    assert_int_equal(arrays.done, 16);
}

TEST(test_widths)
{
    struct sl_channel channel = channel_of(SL_ROLE_PRE_SPAWN, 1024);
    static const uint64_t cases[][2] = {{0, 64},    {1, 64},    {64, 64},       {65, 128},
                                        {128, 128}, {129, 256}, {65537, 131072}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(sl_help_first_width(&channel, cases[i][0]), cases[i][1]);
    }
    channel.done_shift = 9;
    assert_int_equal(sl_help_first_width(&channel, 65), 512); /* a group at least */
}

/* A binary tree of depth 3 whose levels hold 100, 200 and 400 tasks, in channels of 128, and a
 * plain channel of 256, which stays as it is.
 *
 * Each channel of 128: 129 x 24 + 256 x 4 + 2 x 4 = 4,128. The plain one: 8,232 (above). Without
 * yield 128, 256 and 512 elements: 4,128 + 8,232 + (513 x 24 + 1,024 x 4 + 8 x 4 = 16,440). */
TEST(test_stack)
{
    const struct sl_channel channels[] = {
        channel_of(SL_ROLE_PLAIN, 256), channel_of(SL_ROLE_PRE_SPAWN, 128),
        channel_of(SL_ROLE_PRE_SPAWN, 128), channel_of(SL_ROLE_POST_SYNC, 128)};
    const uint64_t elements[] = {100000, 100, 200, 400};
    const struct sl_footprint footprint = sl_footprint(channels, 4, elements);
    assert_int_equal(footprint.channel_bytes, 8232 + 3 * 4128);
    assert_int_equal(footprint.help_first_bytes, 8232 + 4128 + 8232 + 16440);
}

/* Without a stack nothing is scheduled help-first. */
TEST(test_plain)
{
    const struct sl_channel channel = channel_of(SL_ROLE_PLAIN, 256);
    const uint64_t elements = 100000;
    const struct sl_footprint footprint = sl_footprint(&channel, 1, &elements);
    assert_int_equal(footprint.channel_bytes, 8232);
    assert_int_equal(footprint.help_first_bytes, 0);
}
