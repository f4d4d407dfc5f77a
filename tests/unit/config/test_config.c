/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Settings, values with units, ranges, nearest names: hal/config without files. */
#include <stdio.h>
#include <string.h>

#include "common/check.h"
#include "config/nearest.h"
#include "sluice/config.h"

#define CORES        "simple 2-stage 5-stage 2way-light-ooo 2way-ooo 4way-ooo"
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct sl_config config;
static char error[512];

static int fresh(void **state)
{
    (void)state;
    sl_config_init(&config);
    memset(error, 0, sizeof error);
    return 0;
}

static void good(const char *setting, enum sl_config_key key, int64_t expected)
{
    if (sl_config_set(&config, setting, error, sizeof error) != 0) {
        fail_msg("%s: %s", setting, error);
    }
    if (config.number[key] != expected) {
        fail_msg("%s gave %lld", setting, (long long)config.number[key]);
    }
    assert_string_equal(config.source[key], "--set");
}

static void bad(const char *setting, const char *message)
{
    struct sl_config before = config;
    assert_int_equal(sl_config_set(&config, setting, error, sizeof error), -1);
    assert_string_equal(error, message);
    assert_memory_equal(&before, &config, sizeof config);
}

TEST_WITH(test_defaults, fresh, NULL)
{
    assert_int_equal(config.number[SL_CFG_GPU_CUS], 8);
    assert_int_equal(config.number[SL_CFG_AGG_CLOCK], 2000000000);
    assert_string_equal(config.text[SL_CFG_HOST_QEMU], "qemu-system-riscv64");
    for (int key = 0; key < SL_CFG_COUNT; key++) {
        assert_string_equal(config.source[key], "");
    }
}

/* What the table itself must hold: keys with a section, defaults that pass their own check. */
TEST_WITH(test_table, fresh, NULL)
{
    for (int key = 0; key < SL_CFG_COUNT; key++) {
        const struct sl_config_entry *entry = &sl_config_table[key];
        char value[SL_CONFIG_TEXT_MAX];
        char setting[SL_CONFIG_TEXT_MAX + 64];
        assert_non_null(strchr(entry->key, '.'));
        assert_non_null(entry->sentence);
        assert_true(entry->least <= entry->most);
        for (int other = 0; other < key; other++) {
            assert_string_not_equal(entry->key, sl_config_table[other].key);
        }

        /* The text that format writes is read back as the same value. */
        sl_config_format((enum sl_config_key)key, &config, value, sizeof value);
        snprintf(setting, sizeof setting, "%s=%s", entry->key, value);
        const struct sl_config_preset *preset =
            sl_config_preset_of(&config, (enum sl_config_key)key);
        good(setting, (enum sl_config_key)key, preset != NULL ? preset->number : entry->initial);
        assert_string_equal(config.text[key], entry->initial_text);
    }
    assert_int_equal(sl_config_check(&config, error, sizeof error), 0);
}

TEST_WITH(test_units, fresh, NULL)
{
    good("gpu.cus=16", SL_CFG_GPU_CUS, 16);
    good("gpu.cus=0x10", SL_CFG_GPU_CUS, 16);
    good("  gpu.cus =  007  ", SL_CFG_GPU_CUS, 7);
    good("gpu.stack=16 KiB", SL_CFG_GPU_STACK, 16384);
    good("gpu.stack=2KiB", SL_CFG_GPU_STACK, 2048);
    good("gpu.stack=512", SL_CFG_GPU_STACK, 512);
    good("gpu.stack=512 B", SL_CFG_GPU_STACK, 512);
    good("gpu.stack=0.5 KiB", SL_CFG_GPU_STACK, 512);
    good("dram.size=1 GiB", SL_CFG_DRAM_SIZE, 1 << 30);
    good("dram.size=0x40MiB", SL_CFG_DRAM_SIZE, 64 << 20);
    good("gpu.clock=1GHz", SL_CFG_GPU_CLOCK, 1000000000);
    good("gpu.clock=1.250 GHz", SL_CFG_GPU_CLOCK, 1250000000);
    good("gpu.clock=800 MHz", SL_CFG_GPU_CLOCK, 800000000);
    good("gpu.clock=2000 kHz", SL_CFG_GPU_CLOCK, 2000000);
    good("gpu.clock=5000000 Hz", SL_CFG_GPU_CLOCK, 5000000);
    good("flat.cu=30 ns", SL_CFG_FLAT_CU, 30000);
    good("flat.cu=0.1 ns", SL_CFG_FLAT_CU, 100);
    good("flat.cu=0", SL_CFG_FLAT_CU, 0);
    good("flat.cu=7ps", SL_CFG_FLAT_CU, 7);
    good("flat.cu=1.5us", SL_CFG_FLAT_CU, 1500000);
    good("host.boot_limit=2 s", SL_CFG_HOST_BOOT_LIMIT, 2000000000000);
    good("host.boot_limit=2.5000000000000000000000 ms", SL_CFG_HOST_BOOT_LIMIT, 2500000000);
    good("agg.core=simple", SL_CFG_AGG_CORE, 0);
}

TEST_WITH(test_text, fresh, NULL)
{
    char setting[SL_CONFIG_TEXT_MAX + 64];
    assert_int_equal(sl_config_set(&config, "debug.gdb=/tmp/a=b c", error, sizeof error), 0);
    assert_string_equal(config.text[SL_CFG_DEBUG_GDB], "/tmp/a=b c");
    assert_int_equal(sl_config_set(&config, "debug.gdb=", error, sizeof error), 0);
    assert_string_equal(config.text[SL_CFG_DEBUG_GDB], "");

    snprintf(setting, sizeof setting, "debug.gdb=%*s", SL_CONFIG_TEXT_MAX - 1, "x");
    memset(strchr(setting, '=') + 1, 'x', SL_CONFIG_TEXT_MAX - 1);
    assert_int_equal(sl_config_set(&config, setting, error, sizeof error), 0);
    strcat(setting, "x");
    assert_int_equal(sl_config_set(&config, setting, error, sizeof error), -1);
    assert_non_null(strstr(error, "longer than 511 characters"));
}

TEST_WITH(test_bad_values, fresh, NULL)
{
    static const struct {
        const char *setting;
        const char *message; /* behind `--set SETTING: ` */
    } cases[] = {
        {"gpu.cus=900", "gpu.cus: 900 is out of range; 1 to 64"},
        {"gpu.cus=0", "gpu.cus: 0 is out of range; 1 to 64"},
        {"gpu.cus=-3", "gpu.cus: -3 is out of range; 1 to 64"},
        {"gpu.cus=99999999999999999999999", "gpu.cus: 99999999999999999999999 is out of range; "
                                            "1 to 64"},
        {"gpu.cus=18446744073709551617", "gpu.cus: 18446744073709551617 is out of range; 1 to 64"},
        {"gpu.cus=", "gpu.cus: no value; 1 to 64"},
        {"gpu.cus=eight", "gpu.cus: eight is no number; 1 to 64"},
        {"gpu.cus=0x", "gpu.cus: 0x is no number; 1 to 64"},
        {"gpu.cus=1.", "gpu.cus: 1. is no number; 1 to 64"},
        {"gpu.cus=1_0", "gpu.cus: 1_0 is no number; 1 to 64"},
        {"gpu.cus=1.5", "gpu.cus: 1.5 is no whole number; 1 to 64"},
        {"gpu.cus=4 KiB", "gpu.cus: 4 KiB has a unit where none fits; 1 to 64"},
        {"gpu.lanes=48", "gpu.lanes: 48 is no power of two; 32 or 64"},
        {"gpu.lanes=128", "gpu.lanes: 128 is out of range; 1 to 64"},
        {"dram.size=2 GiB", "dram.size: 2 GiB is out of range; 64 MiB to 1 GiB"},
        {"dram.size=17179869185 GiB",
         "dram.size: 17179869185 GiB is out of range; 64 MiB to 1 GiB"},
        {"dram.size=512 MB", "dram.size: 512 MB: MB is no unit of size; B, KiB, MiB or GiB"},
        {"dram.size=512 ns", "dram.size: 512 ns: ns is no unit of size; B, KiB, MiB or GiB"},
        {"flat.cu=20", "flat.cu: 20 has no unit; ps, ns, us, ms or s"},
        {"flat.cu=20 cycles", "flat.cu: 20 cycles: cycles is no unit of time; ps, ns, us, ms or s"},
        {"flat.cu=0.5 ps", "flat.cu: 0.5 ps is no whole number of ps; 0 ps to 10 us"},
        {"flat.cu=20 ns;", "flat.cu: 20 ns;: ns; is no unit of time; ps, ns, us, ms or s"},
        {"gpu.clock=1 ghz", "gpu.clock: 1 ghz: ghz is no unit of frequency; Hz, kHz, MHz or GHz"},
        {"gpu.clock=11 GHz", "gpu.clock: 11 GHz is out of range; 1 MHz to 10 GHz"},
        {"agg.core=", "agg.core: no value; choices: " CORES},
        {"agg.core=fancy", "agg.core: fancy is no choice; choices: " CORES},
        {"agg.core=simpel", "agg.core: simpel is no choice; did you mean simple? "
                            "(choices: " CORES ")"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char message[512];
        snprintf(message, sizeof message, "--set %s: %s", cases[i].setting, cases[i].message);
        bad(cases[i].setting, message);
    }
}

TEST_WITH(test_bad_keys, fresh, NULL)
{
    bad("gpu.cuss=9", "--set gpu.cuss=9: gpu.cuss: no such key; did you mean gpu.cus?");
    bad("GPU.CUS=9", "--set GPU.CUS=9: GPU.CUS: no such key; did you mean gpu.cus?");
    bad("gup.clock=1GHz", "--set gup.clock=1GHz: gup.clock: no such key; did you mean gpu.clock?");
    /* Right but for the section; and no section at all. */
    bad("gpu.core=simple", "--set gpu.core=simple: gpu.core: no such key; did you mean agg.core?");
    bad("cus=9", "--set cus=9: cus: no such key; did you mean gpu.cus?");
    bad("gpu.cu=9", "--set gpu.cu=9: gpu.cu: no such key; did you mean gpu.cus?");
    bad("whatever=9",
        "--set whatever=9: whatever: no such key; docs/look-up/configuration.md lists them");
    bad("gpu.cus", "--set gpu.cus: no setting; it must read section.key=value");
    bad("=4", "--set =4: no setting; it must read section.key=value");
    bad("", "--set : no setting; it must read section.key=value");
}

/* What reaches a terminal is short and has no control characters. */
TEST_WITH(test_quoting, fresh, NULL)
{
    char setting[4096];
    memset(setting, 'k', sizeof setting - 1);
    setting[sizeof setting - 1] = '\0';
    setting[3000] = '=';
    assert_int_equal(sl_config_set(&config, setting, error, sizeof error), -1);
    assert_true(strlen(error) < 256);
    assert_int_equal(sl_config_set(&config, "gpu.cus=\033[2J\n", error, sizeof error), -1);
    assert_null(strchr(error, '\033'));
    assert_null(strchr(error, '\n'));

    char tiny[8];
    assert_int_equal(sl_config_set(&config, "gpu.cus=900", tiny, sizeof tiny), -1);
    assert_string_equal(tiny, "--set g");
    assert_int_equal(sl_config_set(&config, "gpu.cus=900", NULL, 0), -1);
}

TEST_WITH(test_format, fresh, NULL)
{
    static const struct {
        enum sl_config_key key;
        int64_t number;
        const char *text;
    } cases[] = {
        {SL_CFG_GPU_STACK, 16384, "16 KiB"},
        {SL_CFG_GPU_STACK, 1000, "1000 B"},
        {SL_CFG_DRAM_SIZE, 1 << 30, "1 GiB"},
        {SL_CFG_DRAM_SIZE, 1536 << 20, "1536 MiB"},
        {SL_CFG_GPU_CLOCK, 1000000000, "1 GHz"},
        {SL_CFG_GPU_CLOCK, 1250000000, "1250 MHz"},
        {SL_CFG_FLAT_CU, 20000, "20 ns"},
        {SL_CFG_FLAT_CU, 1500, "1500 ps"},
        {SL_CFG_FLAT_CU, 0, "0 ps"},
        {SL_CFG_HOST_BOOT_LIMIT, 3000000000000, "3 s"},
        {SL_CFG_GPU_CUS, 8, "8"},
        {SL_CFG_GPU_LANES, 64, "64"},
        {SL_CFG_AGG_CORE, 0, "simple"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[64];
        config.number[cases[i].key] = cases[i].number;
        sl_config_format(cases[i].key, &config, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
    char text[64];
    sl_config_format(SL_CFG_HOST_QEMU, &config, text, sizeof text);
    assert_string_equal(text, "qemu-system-riscv64");
}

TEST(test_nearest)
{
    static const char *const names[] = {"fib", "fib_continue", NULL, "queens", "sort", "a"};
    assert_int_equal(sl_edit_distance("", ""), 0);
    assert_int_equal(sl_edit_distance("abc", ""), 3);
    assert_int_equal(sl_edit_distance("kitten", "sitting"), 3);
    assert_int_equal(sl_edit_distance("clokc", "clock"), 1); /* neighbours swapped */
    assert_int_equal(sl_edit_distance("FIB", "fib"), 0);

    assert_string_equal(sl_nearest("fibb", names, COUNT(names)), "fib");
    assert_string_equal(sl_nearest("quenes", names, COUNT(names)), "queens");
    assert_string_equal(sl_nearest("fib_contniue", names, COUNT(names)), "fib_continue");
    assert_null(sl_nearest("strassen", names, COUNT(names)));
    assert_null(sl_nearest("b", names, COUNT(names)));
    assert_null(sl_nearest("", names, COUNT(names)));
    assert_null(sl_nearest("fib", names, 0));

    char name[200];
    memset(name, 'q', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_null(sl_nearest(name, names, COUNT(names)));
}
