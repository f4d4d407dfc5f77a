/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* QEMU's command line, the paths that have to be there, and DRAM's mapping. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/check.h"
#include "host/driver/machine/guest_memory.h"
#include "host/driver/machine/qemu.h"
#include "sluice/config.h"
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
    (void)snprintf(paths.plugin, sizeof paths.plugin, "/p/a.so");
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
    assert_int_equal(sl_qemu_command_build(&command, &config, &paths, &memory, lifeline), 0);
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
    assert_string_equal(value_of("-device"),
                        "loader,addr=0x20000000,cpu-num=0,force-raw=on,file=/f,,1/flash");
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
    assert_int_equal(sl_qemu_paths_find(&config, &paths, error, sizeof error), SL_ERROR_USAGE);
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
    (void)snprintf(path, sizeof path, "%s/sluice-plugin.so", folder);
    const int file = creat(path, 0600);
    assert_true(file >= 0);
    (void)close(file);
    (void)snprintf(config.text[SL_CFG_HOST_PLUGIN], SL_CONFIG_TEXT_MAX, "%s", folder);
    (void)snprintf(config.text[SL_CFG_HOST_QEMU], SL_CONFIG_TEXT_MAX, "sh");
    (void)snprintf(config.text[SL_CFG_HOST_FLASH], SL_CONFIG_TEXT_MAX, "/dev/null");
    assert_int_equal(setenv("SLUICE_HOME", "build", 1), 0);
    assert_int_equal(sl_qemu_paths_find(&config, &paths, error, sizeof error), SL_ERROR_USAGE);
    assert_memory_equal(error, "host.flash: /dev/null is not a flash image", 42);
    assert_non_null(strstr(error, "a flash image has 1 to 33554432"));
    assert_non_null(strstr(paths.qemu, "/sh"));
    assert_int_equal(unsetenv("SLUICE_HOME"), 0);
    (void)unlink(path);
    (void)rmdir(folder);
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
