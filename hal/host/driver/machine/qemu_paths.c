/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where QEMU, the plugin and the firmware are. What is missing is found out here, before anything
 * starts, and told as a whole, so that the message can name the keys to set and what to install or
 * to build. */
#define _GNU_SOURCE 1
#include "host/driver/machine/qemu.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/install_paths.h"
#include "host/base/text.h"
#include "host/driver/machine/paths.h"
#include "sluice/memory_map.h"

#define LINE_BYTES (PATH_MAX + 512)

/* What is missing, one line for each. */
struct missing {
    char line[4][LINE_BYTES];
    unsigned count;
};

static void add_missing(struct missing *missing, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_missing(struct missing *missing, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(missing->line[missing->count], LINE_BYTES, format, arguments);
    va_end(arguments);
    missing->count++;
}

static void find_qemu(const struct sl_config *config, char *out, struct missing *missing)
{
    const char *const name = config->text[SL_CFG_HOST_QEMU];
    /* Here, since execvp() behind fork() is not async-signal-safe. */
    const int reason = sl_path_find_program(name, out, PATH_MAX);
    if (reason != 0) {
        add_missing(missing,
                    "host.qemu: cannot run '%s'%s: %s; install QEMU (Debian: qemu-system-misc), "
                    "or set host.qemu to the path of a qemu-system-riscv64",
                    name, strchr(name, '/') == NULL ? " from PATH" : "", strerror(reason));
    }
}

/* A path from the configuration, or that of a part; made absolute by nobody: QEMU runs in the host
 * program's directory. Returns whether there is one. */
static bool find_path(const struct sl_config *config, enum sl_config_key key, const char *part,
                      char *out, struct missing *missing)
{
    const char *const text = config->text[key];
    if (text[0] != '\0') {
        (void)snprintf(out, PATH_MAX, "%s", text);
        return true;
    }
    if (sl_home_path(part, out, PATH_MAX) == 0) {
        return true;
    }
    const char *const name = sl_config_table[key].key;
    add_missing(missing, "%s: cannot tell where the program is: %s; set %s", name, strerror(errno),
                name);
    return false;
}

/* The native engine and the plugin are in one folder, whose path is in paths->plugin at first. */
static void find_native(struct sl_qemu_paths *paths, struct missing *missing)
{
    char advice[LINE_BYTES];
    (void)snprintf(paths->qemu, sizeof paths->qemu, "%s/sluice-native", paths->plugin);
    if (access(paths->qemu, X_OK) != 0) {
        const int reason = errno;
        add_missing(missing, "host.engine: cannot run %s: %s; %s, or set host.engine = qemu",
                    paths->qemu, strerror(reason), sl_home_advice("all", advice, sizeof advice));
    }
}

static void find_plugin(struct sl_qemu_paths *paths, struct missing *missing)
{
    const int length = (int)strlen(paths->plugin);
    char advice[LINE_BYTES];
    sl_text_append(paths->plugin, sizeof paths->plugin, "/sluice-plugin.so");
    if (access(paths->plugin, R_OK) != 0) {
        const int reason = errno;
        add_missing(missing,
                    "host.plugin: no plugin in %.*s: %s; %s, or set host.plugin to the directory "
                    "that holds it",
                    length, paths->plugin, strerror(reason),
                    sl_home_advice("all", advice, sizeof advice));
    }
}

static void check_flash(const char *path, struct missing *missing)
{
    struct stat file;
    char advice[LINE_BYTES];
    if (stat(path, &file) != 0 || access(path, R_OK) != 0) {
        const int reason = errno;
        add_missing(missing, "host.flash: no firmware image %s: %s; %s, or set host.flash", path,
                    strerror(reason), sl_home_advice("flash", advice, sizeof advice));
    } else if (!S_ISREG(file.st_mode) || file.st_size == 0 ||
               (uint64_t)file.st_size > SL_FLASH_BYTES) {
        add_missing(missing,
                    "host.flash: %s is not a flash image: it has %lld bytes, a flash image has 1 "
                    "to %llu; 'sluice flash make' makes one",
                    path, (long long)file.st_size, (unsigned long long)SL_FLASH_BYTES);
    }
}

/* No machine needs presets to start; but where something else is missing they belong to the whole
 * that is to be mended. */
static void check_presets(struct missing *missing)
{
    char path[PATH_MAX];
    char error[LINE_BYTES];
    if (missing->count > 0 &&
        sl_home_find("share/configs", "all", path, sizeof path, error, sizeof error) != 0) {
        add_missing(missing, "presets: none in %s", error);
    }
}

/* Returns 0, or -1 with all that is missing. */
static enum sl_status tell(const struct missing *missing, char *error, size_t error_bytes)
{
    if (missing->count == 1) {
        (void)snprintf(error, error_bytes, "%s", missing->line[0]);
    } else if (missing->count > 1) {
        (void)snprintf(error, error_bytes, "%u things are missing:", missing->count);
        for (unsigned i = 0; i < missing->count; i++) {
            sl_text_append(error, error_bytes, "\n  %s", missing->line[i]);
        }
    }
    return missing->count > 0 ? SL_ERROR_USAGE : SL_OK;
}

static void find_all(const struct sl_config *config, struct sl_qemu_paths *paths,
                     struct missing *missing)
{
    const bool is_native = sl_engine_is_native(config);
    if (!is_native) {
        find_qemu(config, paths->qemu, missing);
    }
    if (find_path(config, SL_CFG_HOST_PLUGIN, "lib", paths->plugin, missing)) {
        if (is_native) {
            find_native(paths, missing);
        }
        find_plugin(paths, missing);
    }
    if (find_path(config, SL_CFG_HOST_FLASH, "firmware/sluice.flash", paths->flash, missing)) {
        check_flash(paths->flash, missing);
    }
    check_presets(missing);
}

enum sl_status sl_qemu_paths_find(const struct sl_config *config, struct sl_qemu_paths *paths,
                                  char *error, size_t error_bytes)
{
    struct missing *const missing = calloc(1, sizeof *missing); /* stacks may be small */
    if (missing == NULL) {
        (void)snprintf(error, error_bytes, "out of memory");
        return SL_ERROR_MACHINE;
    }
    find_all(config, paths, missing);
    const enum sl_status result = tell(missing, error, error_bytes);
    free(missing);
    return result;
}

bool sl_engine_is_native(const struct sl_config *config)
{
    return config->number[SL_CFG_HOST_ENGINE] == SL_HOST_ENGINE_NATIVE;
}

const char *sl_engine_name(const struct sl_config *config)
{
    return sl_engine_is_native(config) ? "the native engine" : "QEMU";
}
