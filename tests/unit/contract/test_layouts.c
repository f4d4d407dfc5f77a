/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The offsets that assembly uses (layout_offsets.h) are those of the C structures (layouts.h), and
 * the tables of registers and statistics keep inside the device window. Most of it fails to compile
 * rather than to run. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "common/check.h"
#include "sluice/codes.h"
#include "sluice/layout_offsets.h"
#include "sluice/layouts.h"
#include "sluice/limits.h"
#include "sluice/memory_map.h"
#include "sluice/registers.h"
#include "sluice/served.h"
#include "sluice/statistics.h"

/* Every constant of layout_offsets.h, but for the three sizes: its name, structure, field.
 * test_all_offsets_checked() sees to it that none is missing. */
#define OFFSETS(CHECK)                                                                             \
    CHECK(SL_CHANNEL_DATA, channel, data)                                                          \
    CHECK(SL_CHANNEL_CONTROL, channel, control)                                                    \
    CHECK(SL_CHANNEL_DONE, channel, done)                                                          \
    CHECK(SL_CHANNEL_WIDTH, channel, width)                                                        \
    CHECK(SL_CHANNEL_STRIDE, channel, stride)                                                      \
    CHECK(SL_CHANNEL_DONE_SHIFT, channel, done_shift)                                              \
    CHECK(SL_CHANNEL_RECIPROCAL, channel, stride_reciprocal)                                       \
    CHECK(SL_CHANNEL_DATA_TAIL, channel, data_tail)                                                \
    CHECK(SL_CHANNEL_DATA_HEAD, channel, data_head)                                                \
    CHECK(SL_CHANNEL_CONTROL_RESERVE, channel, control_reserve)                                    \
    CHECK(SL_CHANNEL_CONTROL_TAIL, channel, control_tail)                                          \
    CHECK(SL_CHANNEL_STAMPS, channel, stamps)                                                      \
    CHECK(SL_LIMIT_FAN_OUT, limit, fan_out)                                                        \
    CHECK(SL_LIMIT_RESERVATION, limit, reservation)

#define CHECK_OFFSET(NAME, structure, field)                                                       \
    static_assert((NAME) == offsetof(struct sl_##structure, field), #NAME);
OFFSETS(CHECK_OFFSET)

static_assert(SL_GRAPH_BYTES == sizeof(struct sl_graph), "SL_GRAPH_BYTES");
static_assert(1u << SL_CHANNEL_BYTES_LOG2 == sizeof(struct sl_channel), "SL_CHANNEL_BYTES_LOG2");
static_assert(1u << SL_LIMIT_BYTES_LOG2 == sizeof(struct sl_limit), "SL_LIMIT_BYTES_LOG2");

/* Channel ids index the array behind the graph, and each counter has a cache line of its own. */
static_assert(sizeof(struct sl_graph) % SL_CACHE_LINE_BYTES == 0, "channels begin on a cache line");
static_assert(sizeof(struct sl_mailbox) <= SL_MAILBOX_BYTES, "the mailbox fits into its region");

static const char *const checked[] = {
#define CHECK_NAME(NAME, structure, field) #NAME,
    OFFSETS(CHECK_NAME)
#undef CHECK_NAME
        "SL_GRAPH_BYTES",
    "SL_CHANNEL_BYTES_LOG2",
    "SL_LIMIT_BYTES_LOG2",
};

/* Reads the header, as only its text tells which constants there are. Runs in the root of the
 * source tree. */
TEST(test_all_offsets_checked)
{
    FILE *header = fopen("hal/include/sluice/layout_offsets.h", "r");
    char line[256];
    size_t found = 0;
    assert_non_null(header);
    while (fgets(line, sizeof line, header) != NULL) {
        char name[64];
        char value[64];
        if (sscanf(line, "#define %63s %63s", name, value) != 2) {
            continue; /* the include guard has no value */
        }
        size_t i = 0;
        while (i < sizeof checked / sizeof checked[0] && strcmp(checked[i], name) != 0) {
            i++;
        }
        if (i == sizeof checked / sizeof checked[0]) {
            fail_msg("%s is in layout_offsets.h, but not checked here", name);
        }
        found++;
    }
    fclose(header);
    assert_int_equal(found, sizeof checked / sizeof checked[0]);
}

TEST(test_counters_apart)
{
    static const size_t counters[] = {
        offsetof(struct sl_channel, data_tail),       offsetof(struct sl_channel, data_head),
        offsetof(struct sl_channel, control_reserve), offsetof(struct sl_channel, control_tail),
        offsetof(struct sl_channel, control_head),
    };
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        assert_int_equal(counters[i] % SL_CACHE_LINE_BYTES, 0);
        assert_true(counters[i] >= SL_CACHE_LINE_BYTES); /* not with what never changes */
        for (size_t j = 0; j < i; j++) {
            assert_int_not_equal(counters[i], counters[j]);
        }
    }
}

TEST(test_registers)
{
    static const unsigned offsets[] = {
#define SL_REGISTER(NAME, offset, access, text) offset,
#include "contract/registers.def"
#undef SL_REGISTER
    };
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        assert_int_equal(offsets[i] % 8, 0);
        assert_true(offsets[i] < SL_REG_BYTES);
        assert_true(i == 0 || offsets[i] > offsets[i - 1]);
    }
    assert_true(SL_REG_STATISTICS >= SL_REG_BYTES);
    assert_true(SL_REG_STATISTICS + 8 * SL_STAT_COUNT <= SL_REG_SERVED);
    assert_true(SL_REG_SERVED + sizeof(struct sl_served) <= SL_WINDOW_BYTES);
}

/* Values of an enumeration differ and rise, so that tables of them can be searched. */
TEST(test_codes)
{
    static const int begin = -1;
    static const int values[] = {
#define SL_ENUM_BEGIN(name, PREFIX, text)        -1,
#define SL_ENUM_VALUE(PREFIX, NAME, value, text) value,
#define SL_ENUM_END(name)
#include "contract/codes.def"
#undef SL_ENUM_BEGIN
#undef SL_ENUM_VALUE
#undef SL_ENUM_END
    };
    for (size_t i = 1; i < sizeof values / sizeof values[0]; i++) {
        assert_true(values[i] == begin || values[i] > values[i - 1]);
    }
    assert_int_equal(SL_PHASE_COUNT, SL_PHASE_MAILBOX + 1);
    /* The statistics of phases follow each other; firmware's numbers are mapped by name. */
    assert_int_equal(SL_STAT_AGG_PHASE_OTHER_CYCLES - SL_STAT_AGG_PHASE_POLL_CYCLES + 1,
                     SL_PHASE_COUNT);
}
