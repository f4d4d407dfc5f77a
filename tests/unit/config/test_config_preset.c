/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Defaults that a choice brings: the cores of hal/config/cores.def. */
#include <stdio.h>
#include <string.h>

#include "common/check.h"
#include "config/config_internal.h"
#include "sluice/config.h"

static struct sl_config config;
static char error[512];

static int fresh(void **state)
{
    (void)state;
    sl_config_init(&config);
    return 0;
}

static void set(const char *setting)
{
    if (sl_config_set(&config, setting, error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
}

/* Table 5 of the core paper; physical registers, issue queue, reorder buffer, load and store queue,
 * and the width in the name. */
TEST_WITH(test_table_5, fresh, NULL)
{
    static const struct {
        const char *setting;
        int64_t number[6];
    } cores[] = {
        {"agg.core=2way-light-ooo", {2, 64, 2, 8, 8, 8}},
        {"agg.core=2way-ooo", {2, 64, 32, 64, 32, 32}},
        {"agg.core=4way-ooo", {4, 128, 64, 128, 64, 64}},
    };
    static const enum sl_config_key keys[] = {
        SL_CFG_CORE_WIDTH, SL_CFG_CORE_PHYSICAL_REGISTERS, SL_CFG_CORE_ISSUE_QUEUE,
        SL_CFG_CORE_ROB,   SL_CFG_CORE_LOAD_QUEUE,         SL_CFG_CORE_STORE_QUEUE,
    };

    for (size_t c = 0; c < sizeof cores / sizeof cores[0]; c++) {
        set(cores[c].setting);
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            assert_int_equal(config.number[keys[k]], cores[c].number[k]);
            assert_string_equal(config.source[keys[k]], "");
        }
        assert_int_equal(sl_config_check(&config, error, sizeof error), 0);
    }
}

/* A key that was set keeps its value, whatever is chosen before or after. */
TEST_WITH(test_set_key_stays, fresh, NULL)
{
    set("core.rob=96");
    set("agg.core=2way-ooo");
    assert_int_equal(config.number[SL_CFG_CORE_ROB], 96);
    assert_int_equal(config.number[SL_CFG_CORE_MSHRS], 8);
    set("core.mshrs=3");
    set("agg.core=4way-ooo");
    assert_int_equal(config.number[SL_CFG_CORE_ROB], 96);
    assert_int_equal(config.number[SL_CFG_CORE_MSHRS], 3);
    assert_int_equal(config.number[SL_CFG_CORE_WIDTH], 4);
}

/* What a core's table leaves out goes back to the default of the key's own table. */
TEST_WITH(test_left_out, fresh, NULL)
{
    set("agg.core=4way-ooo");
    assert_int_equal(config.number[SL_CFG_CORE_ALUS], 4);
    assert_non_null(sl_config_preset_of(&config, SL_CFG_CORE_ALUS));
    set("agg.core=2way-ooo");
    assert_int_equal(config.number[SL_CFG_CORE_ALUS], 2);
    assert_null(sl_config_preset_of(&config, SL_CFG_CORE_ALUS));
}

/* The default choice too brings its table. */
TEST_WITH(test_default_is_applied, fresh, NULL)
{
    const struct sl_config_preset *preset = sl_config_preset_of(&config, SL_CFG_CORE_MODEL);
    assert_non_null(preset);
    assert_int_equal(config.number[SL_CFG_CORE_MODEL], preset->number);
}

/* The tables themselves: words that are choices, numbers in range, no key twice in one table. */
TEST_WITH(test_tables, fresh, NULL)
{
    for (size_t i = 0; i < sl_config_preset_count; i++) {
        const struct sl_config_preset *preset = &sl_config_presets[i];
        const char *key = sl_config_table[preset->key].key;
        char text[64];
        char word[64];
        int64_t number = -1;
        struct sl_config chosen;

        sl_config_init(&chosen);
        assert_true(sl_config_choice(sl_config_table[preset->chooser].choices, preset->choice, word,
                                     sizeof word));
        assert_int_equal(sl_config_parse(preset->chooser, word, &chosen.number[preset->chooser],
                                         error, sizeof error),
                         0);
        sl_config_apply_presets(&chosen);
        assert_ptr_equal(sl_config_preset_of(&chosen, preset->key), preset);
        sl_config_format(preset->key, &chosen, text, sizeof text);
        if (sl_config_parse(preset->key, text, &number, error, sizeof error) != 0 ||
            number != preset->number) {
            fail_msg("%s of %s: %s", key, word, text);
        }
    }
}
