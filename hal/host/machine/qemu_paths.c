/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where QEMU, the plugins and the firmware are. What is missing is found out here, before anything
 * starts, so that the message can name the key to set and what to build. */
#define _GNU_SOURCE 1
#include "host/machine/qemu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/machine/path.h"
#include "sluice/memory_map.h"

/* As execvp() would, but before fork(): execvp() is not async-signal-safe. Returns 0 or errno. */
static int find_program(const char *name, char *out, size_t bytes)
{
    if (strchr(name, '/') != NULL) {
        (void)snprintf(out, bytes, "%s", name);
        return access(out, X_OK) == 0 ? 0 : errno;
    }
    const char *directory = getenv("PATH");
    if (directory == NULL) {
        directory = "/usr/local/bin:/usr/bin:/bin";
    }
    int reason = ENOENT;
    while (*directory != '\0') {
        const size_t length = strcspn(directory, ":");
        const int written =
            snprintf(out, bytes, "%.*s/%s", (int)length, length > 0 ? directory : ".", name);
        struct stat file;
        if (written > 0 && (size_t)written < bytes && stat(out, &file) == 0 &&
            S_ISREG(file.st_mode)) {
            if (access(out, X_OK) == 0) {
                return 0;
            }
            reason = errno;
        }
        directory += length;
        directory += *directory == ':' ? 1 : 0;
    }
    return reason;
}

static int find_qemu(const struct sl_config *config, char *out, char *error, size_t error_bytes)
{
    const char *const name = config->text[SL_CFG_HOST_QEMU];
    const int reason = find_program(name, out, PATH_MAX);
    if (reason == 0) {
        return 0;
    }
    (void)snprintf(error, error_bytes,
                   "host.qemu: cannot run '%s'%s: %s; install QEMU (Debian: qemu-system-misc), or "
                   "set host.qemu to the path of a qemu-system-riscv64",
                   name, strchr(name, '/') == NULL ? " from PATH" : "", strerror(reason));
    return -1;
}

/* A path from the configuration, or its default beside the program, made absolute by nobody: QEMU
 * runs in the host program's directory. */
static int configured_path(const struct sl_config *config, enum sl_config_key key,
                           const char *beside, char *out, char *error, size_t error_bytes)
{
    const char *const text = config->text[key];
    if (text[0] != '\0') {
        (void)snprintf(out, PATH_MAX, "%s", text);
        return 0;
    }
    if (sl_path_beside_program(beside, out, PATH_MAX) == 0) {
        return 0;
    }
    (void)snprintf(error, error_bytes, "%s: cannot tell where the program is: %s; set %s",
                   sl_config_table[key].key, strerror(errno), sl_config_table[key].key);
    return -1;
}

static int check_flash(const char *path, char *error, size_t error_bytes)
{
    struct stat file;
    if (stat(path, &file) != 0 || access(path, R_OK) != 0) {
        (void)snprintf(
            error, error_bytes,
            "host.flash: no firmware image %s: %s; build it with 'make flash', or set host.flash",
            path, strerror(errno));
        return -1;
    }
    if (!S_ISREG(file.st_mode) || (uint64_t)file.st_size != SL_FLASH_BYTES) {
        (void)snprintf(error, error_bytes,
                       "host.flash: %s is not a flash image: it has %lld bytes, a flash image has "
                       "%llu; build one with 'make flash'",
                       path, (long long)file.st_size, (unsigned long long)SL_FLASH_BYTES);
        return -1;
    }
    return 0;
}

int sl_qemu_paths_find(const struct sl_config *config, struct sl_qemu_paths *paths, char *error,
                       size_t error_bytes)
{
    if (find_qemu(config, paths->qemu, error, error_bytes) != 0 ||
        configured_path(config, SL_CFG_HOST_PLUGIN, "../lib", paths->plugin_directory, error,
                        error_bytes) != 0 ||
        configured_path(config, SL_CFG_HOST_FLASH, "../firmware/sluice.flash", paths->flash, error,
                        error_bytes) != 0) {
        return -1;
    }
    return check_flash(paths->flash, error, error_bytes);
}

int sl_qemu_version_parse(const char *text, struct sl_qemu_version *version)
{
    *version = (struct sl_qemu_version){.major = 0};
    const size_t length = strcspn(text, "\r\n");
    (void)snprintf(version->line, sizeof version->line, "%.*s", (int)length, text);
    if (strncmp(text, "QEMU", 4) != 0) {
        return -1;
    }
    const char *const at = strstr(version->line, "version ");
    if (at == NULL || sscanf(at, "version %d.%d", &version->major, &version->minor) != 2) {
        return -1;
    }
    return 0;
}

int sl_qemu_plugin_number(const struct sl_qemu_version *version)
{
    /* API 2 came with QEMU 8.2 and is the least that 9.0 and later accept. */
    const int at_least_8_2 = version->major > 8 || (version->major == 8 && version->minor >= 2);
    return at_least_8_2 ? 2 : 1;
}

int sl_qemu_plugin_path(const struct sl_qemu_paths *paths, const struct sl_qemu_version *version,
                        char *out, size_t out_bytes, char *error, size_t error_bytes)
{
    const int number = sl_qemu_plugin_number(version);
    (void)snprintf(out, out_bytes, "%s/sluice-api%d.so", paths->plugin_directory, number);
    if (access(out, R_OK) == 0) {
        return 0;
    }
    (void)snprintf(error, error_bytes,
                   "host.plugin: no plugin %s for %s: %s; build it with 'make all', or set "
                   "host.plugin to the directory that holds it",
                   out, version->line, strerror(errno));
    return -1;
}
