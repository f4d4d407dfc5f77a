/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a run is made of, as one hash, so that figures of another build are known as such. Files
 * and runs are hashed once in a process: whoever builds while a sweep runs spoils it. */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "common/programs.h"
#include "config/install_paths.h"
#include "host/base/image_information.h"
#include "host/driver/machine/paths.h"
#include "sluice/config.h"
#include "sweep/sweep.h"

void sweep_hash(const void *text, size_t bytes, char out[SWEEP_HASH_BYTES])
{
    const XXH128_hash_t hash = XXH3_128bits(text, bytes);

    (void)snprintf(out, SWEEP_HASH_BYTES, "%016llx%016llx", (unsigned long long)hash.high64,
                   (unsigned long long)hash.low64);
}

/* What a flash image says of itself changes no run: the commit that it names does not make it
 * another one. Takes it out, with what the header says of it, and returns how many bytes are left.
 */
static size_t take_information_out(uint8_t *image, size_t bytes)
{
    struct sl_image_header *const header = (void *)(image + SL_IMAGE_HEADER_OFFSET);
    const char *text;

    if (sl_information_find(image, bytes, &text) != SL_INFORMATION_GOOD) {
        return bytes;
    }
    const size_t length = header->information_bytes;
    uint8_t *const begin = image + header->information_offset;
    header->information_offset = 0;
    header->information_bytes = 0;
    header->information_crc = 0;
    memmove(begin, begin + length, bytes - length - (size_t)(begin - image));
    return bytes - length;
}

/* A file that is not there has the hash of nothing: the run itself will say so. */
static void hash_file(const char *path, char out[SWEEP_HASH_BYTES])
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat state;

    sweep_hash(NULL, 0, out);
    if (file >= 0 && fstat(file, &state) == 0 && S_ISREG(state.st_mode) && state.st_size > 0) {
        const size_t bytes = (size_t)state.st_size;
        void *const mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
        if (mapped != MAP_FAILED) {
            sweep_hash(mapped, take_information_out(mapped, bytes), out);
            (void)munmap(mapped, bytes);
        }
    }
    if (file >= 0) {
        (void)close(file);
    }
}

static void add_file(const struct sweep *sweep, FILE *parts, const char *path)
{
    char hash[SWEEP_HASH_BYTES];

    if (json_object_get(sweep->hashes, path) == NULL) {
        hash_file(path, hash);
        json_object_set_new(sweep->hashes, path, json_string(hash));
    }
    (void)fprintf(parts, "%s\n", json_string_value(json_object_get(sweep->hashes, path)));
}

/* The folder's files whose names begin and end like this, in the order of their names. */
static void add_files(const struct sweep *sweep, FILE *parts, const char *folder, const char *begin,
                      const char *end)
{
    char path[PATH_MAX + NAME_MAX + 2];
    struct dirent **entries;
    const int count = scandir(folder, &entries, NULL, alphasort);

    for (int i = 0; i < count; i++) {
        const char *const name = entries[i]->d_name;
        const size_t length = strlen(name);
        if (strncmp(name, begin, strlen(begin)) == 0 && length >= strlen(end) &&
            strcmp(name + length - strlen(end), end) == 0) {
            (void)snprintf(path, sizeof path, "%s/%s", folder, name);
            add_file(sweep, parts, path);
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
}

/* The value of an option in a run's words, "--set X" or "--set=X", or NULL. */
static const char *value_of(const json_t *words, size_t i, const char *name)
{
    const char *const word = json_string_value(json_array_get(words, i));
    const size_t length = strlen(name);

    if (strncmp(word, name, length) != 0) {
        return NULL;
    }
    return word[length] == '='    ? word + length + 1
           : word[length] == '\0' ? json_string_value(json_array_get(words, i + 1))
                                  : NULL;
}

typedef int read_value(struct sl_config *config, const char *value, char *error, size_t bytes);

/* Every value of an option, in order. */
static int read_all(const json_t *words, const char *option, read_value *read,
                    struct sl_config *config, char *error, size_t bytes)
{
    for (size_t i = 0; i < json_array_size(words); i++) {
        const char *const value = value_of(words, i, option);
        if (value != NULL && read(config, value, error, bytes) != 0) {
            return -1;
        }
    }
    return 0;
}

int sweep_read_machine(const json_t *words, struct sl_config *config, char *error, size_t bytes)
{
    sl_config_init(config);
    return read_all(words, "--config", sl_config_read, config, error, bytes) != 0
               ? -1
               : read_all(words, "--set", sl_config_set, config, error, bytes);
}

void sweep_machine(const json_t *words, struct sl_config *config)
{
    char error[256];

    (void)sweep_read_machine(words, config, error, sizeof error);
}

void sweep_print_machine(const struct sl_config *config, FILE *out)
{
    char value[SL_CONFIG_TEXT_MAX + 32];

    for (int key = 0; key < SL_CFG_COUNT; key++) {
        sl_config_format((enum sl_config_key)key, config, value, sizeof value);
        (void)fprintf(out, "%s\n", value);
    }
}

/* The host library, which programs share. */
static void add_library(const struct sweep *sweep, FILE *parts)
{
    char path[PATH_MAX];
    const char *const place =
        sl_home_kind() == SL_HOME_INSTALLED ? "../libsluice.so" : "lib/libsluice.so";

    if (sl_home_path(place, path, sizeof path) == 0) {
        add_file(sweep, parts, path);
    }
}

static void add_machine(const struct sweep *sweep, FILE *parts, const json_t *words)
{
    static struct sl_config config;
    char path[PATH_MAX];

    sweep_machine(words, &config);
    sweep_print_machine(&config, parts);
    add_library(sweep, parts);
    const char *const plugin = config.text[SL_CFG_HOST_PLUGIN];
    if (plugin[0] != '\0' || sl_home_path("lib", path, sizeof path) == 0) {
        add_files(sweep, parts, plugin[0] != '\0' ? plugin : path, "sluice-plugin", ".so");
        add_files(sweep, parts, plugin[0] != '\0' ? plugin : path, "sluice-native", "");
    }
    const char *const flash = config.text[SL_CFG_HOST_FLASH];
    if (flash[0] != '\0' || sl_home_path("firmware/sluice.flash", path, sizeof path) == 0) {
        add_file(sweep, parts, flash[0] != '\0' ? flash : path);
    }
}

/* A program's file, and the kernel files that it may load: of our own those that begin with its
 * name, of another one all that are where it looks for them (sluice/program.h). */
static void add_program(const struct sweep *sweep, FILE *parts, const char *program)
{
    char path[PATH_MAX];
    char kernels[PATH_MAX + 16];

    if (cli_find_program(program, path, sizeof path) != 0) {
        return; /* the run itself will say so */
    }
    add_file(sweep, parts, path);
    if (cli_is_path(program)) {
        *strrchr(path, '/') = '\0';
        add_files(sweep, parts, path, "", ".elf");
        (void)snprintf(kernels, sizeof kernels, "%s/../kernels", path);
        add_files(sweep, parts, kernels, "", ".elf");
    } else if (sl_path_beside_program("../kernels", path, sizeof path) == 0) {
        add_files(sweep, parts, path, program, ".elf");
    }
}

static void add_run(const struct sweep *sweep, FILE *parts, const json_t *words)
{
    const char *const program = json_string_value(json_array_get(words, 0));

    if (program != NULL) {
        add_program(sweep, parts, program);
        add_machine(sweep, parts, words);
    }
}

static void hash_run(const struct sweep *sweep, size_t run, char out[SWEEP_HASH_BYTES])
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *const parts = open_memstream(&text, &bytes);

    if (parts != NULL) {
        add_run(sweep, parts, json_object_get(json_array_get(sweep->runs, run), "words"));
        (void)fclose(parts);
    }
    sweep_hash(text, bytes, out);
    free(text);
}

const char *sweep_build(const struct sweep *sweep, size_t run)
{
    char number[32];
    char hash[SWEEP_HASH_BYTES];

    (void)snprintf(number, sizeof number, "%zu", run);
    if (json_object_get(sweep->builds, number) == NULL) {
        hash_run(sweep, run, hash);
        json_object_set_new(sweep->builds, number, json_string(hash));
    }
    return json_string_value(json_object_get(sweep->builds, number));
}
