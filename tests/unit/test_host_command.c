/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* QEMU's version, its command line, the paths that have to be there, and DRAM's mapping. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/check.h"
#include "host/machine/memory.h"
#include "host/machine/qemu.h"
#include "sluice/memory_map.h"

static struct sl_config config;
static struct sl_memory memory;
static struct sl_qemu_paths paths;
static struct sl_qemu_command command;

static int setup(void **state)
{
    (void)state;
    sl_config_init(&config);
    sl_memory_init(&memory);
    memory.dram_bytes = SL_MIB(64);
    memory.dram_fd = 7;
    memory.uart_fd = 8;
    (void)snprintf(paths.qemu, sizeof paths.qemu, "/q/qemu");
    (void)snprintf(paths.flash, sizeof paths.flash, "/f,1/flash");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    sl_qemu_command_destroy(&command);
    return 0;
}

static int lifeline = -1;

static void build(void)
{
    assert_int_equal(sl_qemu_command_build(&command, &config, &paths, "/p/a.so", &memory, lifeline),
                     0);
}

/* The value of an option that is there several times: of the one with this number. */
static const char *nth_value_of(const char *option, int number)
{
    for (int i = 0; i + 1 < command.count; i++) {
        if (strcmp(command.argument[i], option) == 0 && number-- == 0) {
            return command.argument[i + 1];
        }
    }
    return "(none)";
}

static const char *value_of(const char *option)
{
    return nth_value_of(option, 0);
}

TEST_WITH(parses_versions, setup, teardown)
{
    static const struct {
        const char *text;
        int major;
        int minor;
        int plugin;
    } known[] = {
        {"QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7)\nCopyright\n", 7, 2, 1},
        {"QEMU emulator version 8.1.5\n", 8, 1, 1},
        {"QEMU emulator version 8.2.0", 8, 2, 2},
        {"QEMU emulator version 10.0.2 (Debian)", 10, 0, 2},
    };
    struct sl_qemu_version version;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        assert_int_equal(sl_qemu_version_parse(known[i].text, &version), 0);
        assert_int_equal(version.major, known[i].major);
        assert_int_equal(version.minor, known[i].minor);
        assert_int_equal(sl_qemu_plugin_number(&version), known[i].plugin);
        assert_null(strchr(version.line, '\n'));
    }
    assert_int_equal(sl_qemu_version_parse("", &version), -1);
    assert_int_equal(sl_qemu_version_parse("true (GNU coreutils) 9.1", &version), -1);
    assert_int_equal(sl_qemu_version_parse("QEMU emulator version x", &version), -1);
}

TEST_WITH(builds_the_command_line, setup, teardown)
{
    build();
    assert_string_equal(command.argument[0], "/q/qemu");
    assert_null(command.argument[command.count]);
    assert_string_equal(value_of("-object"), "memory-backend-file,id=dram,size=67108864,mem-path=/"
                                             "proc/self/fd/7,share=on");
    assert_string_equal(value_of("-m"), "64M");
    assert_string_equal(value_of("-icount"), "shift=0,sleep=off");
    assert_string_equal(value_of("-chardev"), "file,id=uart0,path=/proc/self/fd/8,append=on");
    assert_string_equal(nth_value_of("-chardev", 1), "(none)");
    assert_string_equal(value_of("-serial"), "chardev:uart0");
    assert_string_equal(value_of("-drive"),
                        "if=pflash,unit=0,format=raw,readonly=on,file=/f,,1/flash");
    assert_string_equal(value_of("-plugin"), "file=/p/a.so,dram_fd=7");
    assert_string_equal(value_of("-gdb"), "(none)");
}

TEST_WITH(passes_what_is_observed, setup, teardown)
{
    memory.block_fd[SL_MEMORY_TIMELINE] = 12;
    build();
    assert_string_equal(value_of("-plugin"), "file=/p/a.so,dram_fd=7,timeline_fd=12");
    sl_qemu_command_destroy(&command);
    memory.block_fd[SL_MEMORY_PROFILE] = 10;
    build();
    assert_string_equal(value_of("-plugin"), "file=/p/a.so,dram_fd=7,profile_fd=10,timeline_fd=12");
    sl_qemu_command_destroy(&command);
    memory.block_fd[SL_MEMORY_REPORT] = 11;
    build();
    assert_string_equal(value_of("-plugin"),
                        "file=/p/a.so,dram_fd=7,profile_fd=10,timeline_fd=12,report_fd=11");
    sl_qemu_command_destroy(&command);
    memory.block_fd[SL_MEMORY_KERNELS] = 13;
    build();
    assert_string_equal(
        value_of("-plugin"),
        "file=/p/a.so,dram_fd=7,profile_fd=10,timeline_fd=12,report_fd=11,kernels_fd=13");
}

TEST_WITH(serves_gdb, setup, teardown)
{
    (void)snprintf(config.text[SL_CFG_DEBUG_GDB], SL_CONFIG_TEXT_MAX, "localhost:1234");
    build();
    assert_string_equal(nth_value_of("-chardev", 1),
                        "socket,id=gdb0,host=localhost,port=1234,nodelay=on,server=on,wait=off");
    assert_string_equal(value_of("-gdb"), "chardev:gdb0");
    sl_qemu_command_destroy(&command);
    (void)snprintf(config.text[SL_CFG_DEBUG_GDB], SL_CONFIG_TEXT_MAX, "/tmp/a:b,c");
    build();
    assert_string_equal(nth_value_of("-chardev", 1),
                        "socket,id=gdb0,path=/tmp/a:b,,c,server=on,wait=off");
}

TEST_WITH(names_what_is_missing, setup, teardown)
{
    char error[4096];
    (void)snprintf(config.text[SL_CFG_HOST_QEMU], SL_CONFIG_TEXT_MAX, "/nonexistent/qemu");
    (void)snprintf(config.text[SL_CFG_HOST_PLUGIN], SL_CONFIG_TEXT_MAX, "/nonexistent/lib");
    (void)snprintf(config.text[SL_CFG_HOST_FLASH], SL_CONFIG_TEXT_MAX, "/nonexistent/flash");
    assert_int_equal(setenv("SLUICE_HOME", "/nonexistent/home", 1), 0);
    assert_int_equal(sl_qemu_paths_find(&config, &paths, error, sizeof error), -1);
    assert_non_null(
        strstr(error, "4 things are missing:\n  host.qemu: cannot run '/nonexistent/qemu'"));
    assert_non_null(strstr(error, "\n  host.plugin: no plugin in /nonexistent/lib: No such file"));
    assert_non_null(strstr(error, "\n  host.flash: no firmware image /nonexistent/flash: "));
    assert_non_null(strstr(error, "\n  presets: none in /nonexistent/home/share/configs: "));
    assert_non_null(strstr(error, "SLUICE_HOME is /nonexistent/home, which is neither"));
    assert_int_equal(unsetenv("SLUICE_HOME"), 0);
}

/* One that is missing is the whole message. */
TEST_WITH(names_the_one_that_is_missing, setup, teardown)
{
    char error[4096];
    char folder[] = "/tmp/sluice-test-XXXXXX";
    char path[128];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/sluice-api1.so", folder);
    const int file = creat(path, 0600);
    assert_true(file >= 0);
    (void)close(file);
    (void)snprintf(config.text[SL_CFG_HOST_PLUGIN], SL_CONFIG_TEXT_MAX, "%s", folder);
    (void)snprintf(config.text[SL_CFG_HOST_QEMU], SL_CONFIG_TEXT_MAX, "sh");
    (void)snprintf(config.text[SL_CFG_HOST_FLASH], SL_CONFIG_TEXT_MAX, "/proc/self/exe");
    assert_int_equal(setenv("SLUICE_HOME", "build", 1), 0);
    assert_int_equal(sl_qemu_paths_find(&config, &paths, error, sizeof error), -1);
    assert_memory_equal(error, "host.flash: /proc/self/exe is not a flash image", 47);
    assert_non_null(strstr(error, "a flash image has 33554432"));
    assert_non_null(strstr(paths.qemu, "/sh"));
    assert_int_equal(unsetenv("SLUICE_HOME"), 0);
    (void)unlink(path);
    (void)rmdir(folder);
}

/* QEMU's version decides which plugin is needed. */
TEST_WITH(names_the_plugin_that_is_missing, setup, teardown)
{
    char error[1024];

    const struct sl_qemu_version version = {.line = "QEMU 9", .major = 9};
    char plugin[128];
    (void)snprintf(paths.plugin_directory, sizeof paths.plugin_directory, "/nonexistent");
    assert_int_equal(
        sl_qemu_plugin_path(&paths, &version, plugin, sizeof plugin, error, sizeof error), -1);
    assert_non_null(strstr(error, "/nonexistent/sluice-api2.so for QEMU 9"));
}

/* AddressSanitizer's shadow is there already in a sanitized test; a page is put there otherwise. */
TEST_WITH(reports_a_taken_address, setup, teardown)
{
    const size_t page = 4096;
    void *const obstacle =
        mmap((void *)(uintptr_t)(SL_DRAM_BASE + SL_MIB(1)), page, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
    char error[1024];
    sl_memory_init(&memory);
    assert_int_equal(sl_memory_open(&memory, SL_MIB(64), error, sizeof error), SL_ERROR_MACHINE);
    assert_non_null(strstr(error, "cannot map DRAM at 0x80000000-0x84000000: this process has"));
    assert_null(memory.dram);
    sl_memory_close(&memory);
    assert_int_equal(memory.dram_fd, -1);
    if (obstacle != MAP_FAILED) {
        (void)munmap(obstacle, page);
    }
}
