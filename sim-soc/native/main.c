/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sluice-native: takes the place of QEMU where the configuration has host.engine = native
 * (hal/host/driver/machine). It is the core that the firmware runs on; all timing is the plugin's.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "native/address_map.h"
#include "native/blocks.h"
#include "native/hart.h"
#include "native/hart_run.h"
#include "native/plugin_host.h"
#include "sluice/codes.h"
#include "sluice/memory_map.h"

#define USAGE                                                                                      \
    "usage: sluice-native --dram-fd=N [--uart-fd=N] [--flash=FILE] [--plugin=FILE "                \
    "[NAME=VALUE]...]\n"

struct options {
    int dram_fd;
    int uart_fd;
    const char *flash;
    const char *plugin;
    int plugin_argc;
    char **plugin_argv;
};

static volatile sig_atomic_t signal_number;

static void on_signal(int number)
{
    signal_number = number;
}

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "sluice-native: %s: %s\n", what, why);
    return -1;
}

/* A file descriptor, or -1. */
static int parse_descriptor(const char *text)
{
    char *end;
    const long fd = strtol(text, &end, 10);
    return *text != '\0' && *end == '\0' && fd >= 0 && fd <= 1 << 20 ? (int)fd : -1;
}

/* Returns 0, or -1 with a message. */
static int parse(int argc, char **argv, struct options *options)
{
    static const struct option known[] = {
        {"dram-fd", required_argument, NULL, 'd'},
        {"uart-fd", required_argument, NULL, 'u'},
        {"flash", required_argument, NULL, 'f'},
        {"plugin", required_argument, NULL, 'p'},
        {NULL, 0, NULL, 0},
    };
    int option;
    *options = (struct options){.dram_fd = -1, .uart_fd = STDOUT_FILENO};
    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        switch (option) {
        case 'd':
            options->dram_fd = parse_descriptor(optarg);
            break;
        case 'u':
            options->uart_fd = parse_descriptor(optarg);
            break;
        case 'f':
            options->flash = optarg;
            break;
        case 'p':
            options->plugin = optarg;
            break;
        default:
            return -1;
        }
    }
    options->plugin_argc = argc - optind;
    options->plugin_argv = argv + optind;
    return options->dram_fd >= 0 ? 0 : fail("--dram-fd", "the file descriptor of DRAM is needed");
}

static int map_dram(struct bus *bus, int fd)
{
    struct stat status;
    if (fstat(fd, &status) != 0) {
        return fail("--dram-fd", strerror(errno));
    }
    bus->dram_bytes = (uint64_t)status.st_size;
    if (bus->dram_bytes < SL_DRAM_BYTES_MIN || bus->dram_bytes > SL_DRAM_BYTES_MAX) {
        return fail("--dram-fd", "the file is smaller or larger than DRAM can be");
    }
    bus->dram = mmap(NULL, bus->dram_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return bus->dram != MAP_FAILED ? 0 : fail("mapping DRAM", strerror(errno));
}

/* A whole bank, with the file at its beginning. */
static int map_flash(struct bus *bus, const char *path)
{
    struct stat status;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0) {
        return fail(path, strerror(errno));
    }
    if (status.st_size == 0 || (uint64_t)status.st_size > SL_FLASH_BYTES) {
        (void)close(fd);
        return fail(path, "empty, or larger than the flash");
    }
    void *const bank =
        mmap(NULL, SL_FLASH_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    const bool is_mapped = bank != MAP_FAILED && mmap(bank, (size_t)status.st_size, PROT_READ,
                                                      MAP_PRIVATE | MAP_FIXED, fd, 0) == bank;
    (void)close(fd);
    bus->flash = bank;
    bus->flash_bytes = SL_FLASH_BYTES;
    return is_mapped ? 0 : fail(path, strerror(errno));
}

/* What ends a QEMU: these signals do, with status 0. */
static void catch_signals(void)
{
    static const int caught[] = {SIGTERM, SIGINT, SIGHUP};
    const struct sigaction action = {.sa_handler = on_signal};
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++) {
        (void)sigaction(caught[i], &action, NULL);
    }
}

/* Returns 0, or -1 with a message. */
static int start(const struct options *options, struct bus *bus, struct blocks *blocks)
{
    char error[512];
    if (map_dram(bus, options->dram_fd) != 0 ||
        (options->flash != NULL && map_flash(bus, options->flash) != 0)) {
        return -1;
    }
    bus->uart_fd = options->uart_fd;
    if (bus_init(bus) != 0 || blocks_init(blocks, bus->dram_bytes) != 0) {
        return fail("start", "out of memory");
    }
    if (options->plugin != NULL &&
        plugin_host_load(options->plugin, options->plugin_argc, options->plugin_argv, error,
                         sizeof error) != 0) {
        return fail("--plugin", error);
    }
    catch_signals();
    return 0;
}

int main(int argc, char **argv)
{
    struct options options;
    struct bus bus = {.dram = NULL};
    struct blocks blocks;
    struct hart hart;
    if (parse(argc, argv, &options) != 0) {
        fputs(USAGE, stderr);
        return SL_EXIT_PLUGIN;
    }
    if (start(&options, &bus, &blocks) != 0) {
        return SL_EXIT_PLUGIN;
    }
    hart_reset(&hart, &bus, &blocks);
    run(&hart, &signal_number);
    if (hart.has_stopped) {
        if (hart.message[0] != '\0') {
            fprintf(stderr, "%s\n", hart.message);
        }
        return hart.status;
    }
    fprintf(stderr, "sluice-native: terminating on signal %d\n", (int)signal_number);
    return 0;
}
