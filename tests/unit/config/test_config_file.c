/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Configuration files: lines, sections, presets, and bytes that are no file at all. Runs in the
 * root of the source tree. */
/* mkdtemp() */
#define _XOPEN_SOURCE 700

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/check.h"
#include "config/config_internal.h"
#include "sluice/config.h"

static struct sl_config config;
static char error[1024];
static char directory[] = "/tmp/sluice-config-XXXXXX";

static int enter_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) == NULL ? -1 : 0;
}

static int leave_directory(void **state)
{
    (void)state;
    return rmdir(directory);
}

static int fresh(void **state)
{
    (void)state;
    sl_config_init(&config);
    memset(error, 0, sizeof error);
    return 0;
}

static void write_file(const char *path, const void *content, size_t bytes)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    assert_int_equal(fwrite(content, 1, bytes, stream), bytes);
    assert_int_equal(fclose(stream), 0);
}

/* Reads content as machine.ini in the test's directory; *message is the error without that
 * directory. */
static int read_bytes(const void *content, size_t bytes, const char **message)
{
    char path[128];
    snprintf(path, sizeof path, "%s/machine.ini", directory);
    write_file(path, content, bytes);
    int status = sl_config_read(&config, path, error, sizeof error);
    unlink(path);
    size_t prefix = strlen(directory) + 1;
    *message = strncmp(error, path, prefix) == 0 ? error + prefix : error;
    return status;
}

static void good(const char *content)
{
    const char *message;
    if (read_bytes(content, strlen(content), &message) != 0) {
        fail_msg("%s", message);
    }
}

static void bad(const char *content, const char *expected)
{
    const char *message;
    struct sl_config before = config;
    assert_int_equal(read_bytes(content, strlen(content), &message), -1);
    assert_string_equal(message, expected);
    assert_memory_equal(&before, &config, sizeof config);
}

TEST_WITH(test_syntax, fresh, NULL)
{
    good("; a comment\n"
         "# another\n"
         "\n"
         "agg.device = 30 ns\n"
         "[gpu]\n"
         "cus = 4 ; of eight\n"
         "   stack=2 KiB\r\n" /* indented: still a key */
         "\tlanes : 32\n"
         "[dram]\n"
         "[gpu]\n"
         "contexts = 8\n"
         "[debug]\n"
         "gdb = /tmp/a;b"); /* no newline */
    assert_int_equal(config.number[SL_CFG_AGG_DEVICE], 30000);
    assert_int_equal(config.number[SL_CFG_GPU_CUS], 4);
    assert_int_equal(config.number[SL_CFG_GPU_STACK], 2048);
    assert_int_equal(config.number[SL_CFG_GPU_LANES], 32);
    assert_int_equal(config.number[SL_CFG_GPU_CONTEXTS], 8);
    assert_string_equal(config.text[SL_CFG_DEBUG_GDB], "/tmp/a;b");
    good("");
    good("\xef\xbb\xbf[gpu]\ncus = 5\n");
    assert_int_equal(config.number[SL_CFG_GPU_CUS], 5);
}

TEST_WITH(test_source, fresh, NULL)
{
    char expected[128];
    good("\n\n[gpu]\n; one\ncus = 4\n");
    snprintf(expected, sizeof expected, "%s/machine.ini:5", directory);
    assert_string_equal(config.source[SL_CFG_GPU_CUS], expected);
    assert_string_equal(config.source[SL_CFG_GPU_LANES], "");
    assert_int_equal(sl_config_set(&config, "gpu.cus=5", error, sizeof error), 0);
    assert_string_equal(config.source[SL_CFG_GPU_CUS], "--set");
}

TEST_WITH(test_bad_lines, fresh, NULL)
{
    bad("[gpu]\n\n\n\n\n\ncuss = 4\n",
        "machine.ini:7: gpu.cuss: no such key; did you mean gpu.cus?");
    bad("[gpu]\ncus = 900\n", "machine.ini:2: gpu.cus: 900 is out of range; 1 to 64");
    bad("[gpu]\ncus =\n", "machine.ini:2: gpu.cus: no value; 1 to 64");
    bad("[flat]\ncu = 20\n", "machine.ini:2: flat.cu: 20 has no unit; ps, ns, us, ms or s");
    bad("[gpu]\ncus = 4\nlanes = 64\n cus = 4\n", "machine.ini:4: gpu.cus: already set in line 2");
    bad("[gpu]\ncus = 4\n[dram]\n[gpu]\ncus = 5\n",
        "machine.ini:5: gpu.cus: already set in line 2");
    bad("cus = 4\n", "machine.ini:1: cus: no such key; did you mean gpu.cus?");
    bad("[gpus]\n", "machine.ini:1: [gpus]: no such section; did you mean [gpu]?");
    bad("[dram]\nsize = 1 GiB\n[cache]\nsize = 1 KiB\n",
        "machine.ini:3: [cache]: no such section; docs/look-up/configuration.md lists them");
    bad("[]\n", "machine.ini:1: []: no such section; docs/look-up/configuration.md lists them");
    bad("[gpu] cus = 4\n",
        "machine.ini:1: a [section] has its line for itself; behind it stands cus = 4");
    bad("[gpu] ; here\n[dram] # there\n[gpus]\n",
        "machine.ini:3: [gpus]: no such section; did you mean [gpu]?");
    bad("[gpu\ncus = 4\n", "machine.ini:1: neither [section], key = value nor a comment");
    bad("[gpu]\ncus 4\n", "machine.ini:2: neither [section], key = value nor a comment");
    /* The first mistake is the one reported. */
    bad("[gpu]\ncus 4\nlanes = 7\n", "machine.ini:2: neither [section], key = value nor a comment");
    bad("[gpu]\nlanes = 7\ncus 4\n", "machine.ini:2: gpu.lanes: 7 is no power of two; 4 or 8");
}

TEST_WITH(test_long_line, fresh, NULL)
{
    char content[400] = "[debug]\ngdb = ";
    size_t length = strlen(content);
    memset(content + length, 'x', 184); /* 6 + 184 = 190 characters */
    content[length + 184] = '\0';
    good(content);
    assert_int_equal(strlen(config.text[SL_CFG_DEBUG_GDB]), 184);
    memset(content + length, 'x', 200);
    content[length + 200] = '\0';
    bad(content, "machine.ini:2: longer than 198 characters");
    /* A long comment too: its tail must not be taken for a line. */
    memset(content, ' ', 390);
    content[0] = ';';
    content[390] = '\0';
    bad(content, "machine.ini:1: longer than 198 characters");
}

TEST_WITH(test_nul, fresh, NULL)
{
    static const char content[] = "[gpu]\ncus = 4\0 2\n";
    const char *message;
    assert_int_equal(read_bytes(content, sizeof content - 1, &message), -1);
    assert_string_equal(message,
                        "machine.ini:2: holds a NUL character; is this a configuration file?");
}

TEST_WITH(test_no_file, fresh, NULL)
{
    assert_int_equal(sl_config_read(&config, "none/machine.ini", error, sizeof error), -1);
    assert_string_equal(error, "none/machine.ini: No such file or directory");
    assert_int_equal(sl_config_read(&config, "/tmp", error, sizeof error), -1);
    assert_string_equal(error, "/tmp: Is a directory");
    assert_int_equal(sl_config_read(&config, "/dev/zero", error, sizeof error), -1);
    assert_string_equal(error, "/dev/zero: not a regular file");
    assert_int_equal(sl_config_read(&config, "", error, sizeof error), -1);
}

/* A FIFO without a writer is told at once. */
TEST_WITH(test_fifo, fresh, NULL)
{
    char folder[] = "/tmp/sluice-config-XXXXXX";
    char path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/machine.ini", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(sl_config_read(&config, path, error, sizeof error), -1);
    assert_non_null(strstr(error, "machine.ini: not a regular file"));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* Keys of the host's side and of what is observed are none; core.* have their defaults from
 * agg.core. */
static bool is_of_machine(const char *name)
{
    static const char *const others[] = {"host.",     "debug.",  "core.",          "profile.",
                                         "timeline.", "report.", "races.",         "latency.",
                                         "trace.",    "sample.", "kernel_profile."};

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strncmp(name, others[i], strlen(others[i])) == 0) {
            return false;
        }
    }
    return true;
}

/* The preset that the defaults come from says the same as they do, of every key that is of the
 * machine; the keys core.* come with agg.core. */
TEST_WITH(test_isca14, fresh, NULL)
{
    struct sl_config defaults = config;
    if (sl_config_read(&config, "sim-soc/configs/isca14.ini", error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
    for (int key = 0; key < SL_CFG_COUNT; key++) {
        const char *name = sl_config_table[key].key;
        bool of_machine = is_of_machine(name);
        if (config.number[key] != defaults.number[key]) {
            fail_msg("%s: isca14.ini and the default differ", name);
        }
        if (of_machine != (config.source[key][0] != '\0')) {
            fail_msg("%s: %s isca14.ini", name, of_machine ? "missing in" : "does not belong in");
        }
    }
    assert_memory_equal(config.text, defaults.text, sizeof config.text);
}

TEST_WITH(test_small, fresh, NULL)
{
    assert_int_equal(sl_config_read(&config, "sim-soc/configs/small.ini", error, sizeof error), 0);
    assert_int_equal(sl_config_check(&config, error, sizeof error), 0);
    assert_int_equal(config.number[SL_CFG_GPU_CUS], 1);
}

/* Of a machine in papers/000 Table 4.1: 1 + 4 and 4 + 16 cycles, 4 x 6.4 GB/s. */
static void check_table_4_1(void)
{
    assert_int_equal(sl_config_check(&config, error, sizeof error), 0);
    assert_int_equal(config.number[SL_CFG_L1D_TAG_CYCLES], 1);
    assert_int_equal(config.number[SL_CFG_L1D_CYCLES], 1 + 4);
    assert_int_equal(config.number[SL_CFG_L2_TAG_CYCLES], 4);
    assert_int_equal(config.number[SL_CFG_L2_CYCLES], 4 + 16);
    assert_int_equal(config.number[SL_CFG_L2_SIZE], 256 * 1024);
    assert_int_equal(config.number[SL_CFG_L3_SIZE], 4 * 1024 * 1024);
    assert_int_equal(config.number[SL_CFG_DRAM_BANDWIDTH], 4 * 400 * 2 * 8);
}

TEST_WITH(test_read_for_ownership, fresh, NULL)
{
    assert_int_equal(sl_config_read(&config, "sim-soc/configs/qr-rfo.ini", error, sizeof error), 0);
    check_table_4_1();
    assert_int_equal(config.number[SL_CFG_MEM_SYSTEM], SL_MEM_SYSTEM_MOESI);
    assert_int_equal(config.number[SL_CFG_DIRECTORY_MSHRS], 1024);
}

/* The others are the same machine but for what each is about: the memory system, which brings keys
 * that only it has, and where the limit of 1024 misses is. */
TEST_WITH(test_quick_release, fresh, NULL)
{
    static const char *const files[] = {"sim-soc/configs/qr-nol1.ini", "sim-soc/configs/qr-wt.ini",
                                        "sim-soc/configs/qr.ini"};
    struct sl_config rfo = config;

    assert_int_equal(sl_config_read(&rfo, "sim-soc/configs/qr-rfo.ini", error, sizeof error), 0);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        sl_config_init(&config);
        if (sl_config_read(&config, files[i], error, sizeof error) != 0) {
            fail_msg("%s", error);
        }
        check_table_4_1();
        assert_int_equal(config.number[SL_CFG_L2_MSHRS] * config.number[SL_CFG_L2_BANKS],
                         rfo.number[SL_CFG_DIRECTORY_MSHRS]);
        for (int key = 0; key < SL_CFG_COUNT; key++) {
            const bool is_apart =
                key == SL_CFG_MEM_SYSTEM || key == SL_CFG_L2_MSHRS || key == SL_CFG_DIRECTORY_MSHRS;
            if (is_apart == (config.number[key] == rfo.number[key])) {
                fail_msg("%s: %s: %s qr-rfo", files[i], sl_config_table[key].key,
                         is_apart ? "as in" : "not as in");
            }
        }
    }
}

TEST_WITH(test_heterogeneous_race_free, fresh, NULL)
{
    if (sl_config_read(&config, "sim-soc/configs/hrf.ini", error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
    assert_int_equal(sl_config_check(&config, error, sizeof error), 0);
    assert_int_equal(config.number[SL_CFG_L1D_SIZE], 32 * 1024);
    assert_int_equal(config.number[SL_CFG_L2_SIZE], 2 * 1024 * 1024);
}

TEST_WITH(test_throughput_processor, fresh, NULL)
{
    if (sl_config_read(&config, "sim-soc/configs/mttop.ini", error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
    assert_int_equal(sl_config_check(&config, error, sizeof error), 0);
    assert_int_equal(config.number[SL_CFG_GPU_REGISTERS], config.number[SL_CFG_GPU_CONTEXTS] * 32);
    assert_int_equal(config.number[SL_CFG_L1D_MSHRS],
                     config.number[SL_CFG_GPU_CONTEXTS] * config.number[SL_CFG_GPU_LANES]);
    assert_int_equal(config.number[SL_CFG_L2_SIZE], config.number[SL_CFG_L2_BANKS] * 32 * 1024);
    assert_int_equal(config.number[SL_CFG_L1I_SHARED], SL_L1I_SHARED_OFF);
}

/* Papers/004 Table 6.1, in our units. */
TEST_WITH(test_fermi_locks, fresh, NULL)
{
    static const struct {
        enum sl_config_key key;
        int64_t number;
    } table[] = {
        {SL_CFG_MEM_SYSTEM, SL_MEM_SYSTEM_PARTITION},
        {SL_CFG_GPU_CUS, 30},
        {SL_CFG_GPU_LANES, 32},
        {SL_CFG_GPU_SIMDS, 1},
        {SL_CFG_GPU_SIMD_LANES, 8},
        {SL_CFG_GPU_CONTEXTS, 1024 / 32},
        {SL_CFG_GPU_REGISTERS, 16384 / 32},
        {SL_CFG_GPU_LDS, 16 * 1024},
        {SL_CFG_GPU_SCHEDULER, SL_GPU_SCHEDULER_ROUND_ROBIN},
        {SL_CFG_GPU_CLOCK, 1300000000},
        {SL_CFG_PARTITION_NETWORK_CLOCK, 650000000},
        {SL_CFG_DRAM_CLOCK, 800000000},
        {SL_CFG_DRAM_CHANNELS, 8},
        {SL_CFG_DRAM_WIDTH, 8},
        {SL_CFG_DRAM_QUEUE, 32},
        {SL_CFG_L2_SIZE, 8 * 1024 * 1024},
        {SL_CFG_L2_WAYS, 64},
        {SL_CFG_L1D_LINE, 64},
        {SL_CFG_L2_LINE, 64},
        {SL_CFG_DRAM_CL_CYCLES, 10},
        {SL_CFG_DRAM_RP_CYCLES, 10},
        {SL_CFG_DRAM_RC_CYCLES, 35},
        {SL_CFG_DRAM_RAS_CYCLES, 25},
        {SL_CFG_DRAM_RCD_CYCLES, 12},
        {SL_CFG_DRAM_RRD_CYCLES, 8},
    };

    if (sl_config_read(&config, "sim-soc/configs/fermi-locks.ini", error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
    assert_int_equal(sl_config_check(&config, error, sizeof error), 0);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (config.number[table[i].key] != table[i].number) {
            fail_msg("%s is not that of the table", sl_config_table[table[i].key].key);
        }
    }
    assert_int_equal(sl_config_period_ps(&config, SL_CFG_GPU_CLOCK), 769);
    assert_int_equal(sl_config_period_ps(&config, SL_CFG_PARTITION_NETWORK_CLOCK), 1538);
    assert_int_equal(sl_config_period_ps(&config, SL_CFG_DRAM_CLOCK), 1250);
}

TEST_WITH(test_presets, fresh, NULL)
{
    static const char *const made[] = {"/share", "/share/configs"};
    char path[256];
    char found[256];
    assert_int_equal(setenv("SLUICE_HOME", directory, 1), 0);
    assert_int_equal(sl_preset_find("one", found, sizeof found, error, sizeof error), -1);
    snprintf(path, sizeof path, "one: no such file, and no presets: %s/share/configs: No such file",
             directory);
    assert_memory_equal(error, path, strlen(path));
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s%s", directory, made[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    assert_int_equal(sl_preset_find("one", found, sizeof found, error, sizeof error), -1);
    assert_string_equal(error, "one: no such file, and no presets: no preset is there");

    snprintf(path, sizeof path, "%s/share/configs/two.ini", directory);
    write_file(path, "", 0);
    snprintf(path, sizeof path, "%s/share/configs/isca14.ini", directory);
    write_file(path, "", 0);
    assert_int_equal(sl_preset_find("isca14", found, sizeof found, error, sizeof error), 0);
    assert_string_equal(found, path);
    assert_int_equal(sl_preset_find("isca15", found, sizeof found, error, sizeof error), -1);
    assert_string_equal(error, "isca15: no such file or preset; did you mean isca14?; presets: "
                               "isca14, two");
    assert_int_equal(sl_preset_find("hrf", found, sizeof found, error, sizeof error), -1);
    assert_string_equal(error, "hrf: no such file or preset; presets: isca14, two");

    unlink(path);
    snprintf(path, sizeof path, "%s/share/configs/two.ini", directory);
    unlink(path);
    for (size_t i = 2; i > 0; i--) {
        snprintf(path, sizeof path, "%s%s", directory, made[i - 1]);
        assert_int_equal(rmdir(path), 0);
    }
    assert_int_equal(unsetenv("SLUICE_HOME"), 0);
}

static uint32_t random_next(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Bytes at random, and pieces of a good file at random: an error or not, but nothing worse. */
TEST_WITH(test_random_bytes, fresh, NULL)
{
    static const char *const pieces[] = {
        "[gpu]",
        "[",
        "]",
        "\n",
        "cus",
        "lanes",
        "=",
        ":",
        " ",
        "64",
        "0x",
        "-",
        ".",
        "1 GHz",
        "clock",
        "[flat]",
        "cu",
        "ns",
        "KiB",
        ";",
        "#",
        "\r\n",
        "99999999999999999999",
        "\t",
        "debug.gdb",
        "\xff",
        "core",
        "simple",
    };
    uint32_t random = 20140614;
    for (int round = 0; round < 4000; round++) {
        char content[512];
        const char *message;
        size_t bytes = 0;
        size_t wanted = random_next(&random) % (sizeof content - 32);
        while (bytes < wanted) {
            if (round % 2 == 0) {
                content[bytes++] = (char)random_next(&random);
            } else {
                const char *piece = pieces[random_next(&random) % (sizeof pieces / sizeof *pieces)];
                memcpy(content + bytes, piece, strlen(piece));
                bytes += strlen(piece);
            }
        }
        memset(error, 0, sizeof error);
        int status = read_bytes(content, bytes, &message);
        assert_true(status == 0 || (status == -1 && message[0] != '\0'));

        content[bytes] = '\0';
        for (size_t i = 0; i < bytes; i++) {
            content[i] = content[i] == '\0' ? 'n' : content[i];
        }
        char setting[600];
        snprintf(setting, sizeof setting, "%s=%s",
                 sl_config_table[random_next(&random) % SL_CFG_COUNT].key, content);
        status = sl_config_set(&config, setting, error, sizeof error);
        assert_true(status == 0 || status == -1);
    }
}

TEST_GROUP(enter_directory, leave_directory);
