/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include "host/driver/code/firmware_elf.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/driver/machine/qemu.h"
#include "sluice/image.h"

/* Beside the flash image: "sluice.flash" gives "sluice.elf". */
static enum sl_status find_path(const struct sl_config *config, char *out, size_t bytes,
                                char *error, size_t error_bytes)
{
    struct sl_qemu_paths paths;
    if (config->text[SL_CFG_PROFILE_FIRMWARE][0] != '\0') {
        (void)snprintf(out, bytes, "%s", config->text[SL_CFG_PROFILE_FIRMWARE]);
        return SL_OK;
    }
    const enum sl_status status = sl_qemu_paths_find(config, &paths, error, error_bytes);
    if (status != SL_OK) {
        return status;
    }
    const char *const tail = ".flash";
    const size_t length = strlen(paths.flash);
    const bool has_tail =
        length > strlen(tail) && strcmp(paths.flash + length - strlen(tail), tail) == 0;
    (void)snprintf(out, bytes, "%.*s.elf", (int)(has_tail ? length - strlen(tail) : length),
                   paths.flash);
    return SL_OK;
}

enum sl_status sl_firmware_elf_open(struct sl_elf *elf, const struct sl_config *config, char *error,
                                    size_t error_bytes)
{
    char path[PATH_MAX + 8];
    const enum sl_status status = find_path(config, path, sizeof path, error, error_bytes);
    return status == SL_OK ? sl_elf_open_firmware(elf, path, error, error_bytes) : status;
}

/* Whether a file has these bytes at an offset. */
static bool file_has(FILE *file, uint64_t offset, const uint8_t *bytes, uint64_t count)
{
    uint8_t piece[4096];
    bool is_equal = fseek(file, (long)offset, SEEK_SET) == 0;
    while (is_equal && count > 0) {
        const size_t length = count < sizeof piece ? (size_t)count : sizeof piece;
        is_equal = fread(piece, 1, length, file) == length && memcmp(piece, bytes, length) == 0;
        bytes += length;
        count -= length;
    }
    return is_equal;
}

static bool is_made_from(const char *flash, const struct sl_elf_segment *code)
{
    struct sl_image_header header;
    FILE *const file = fopen(flash, "rbe");
    const bool is_equal = file != NULL && fseek(file, SL_IMAGE_HEADER_OFFSET, SEEK_SET) == 0 &&
                          fread(&header, sizeof header, 1, file) == 1 &&
                          header.payload_bytes >= code->file_bytes &&
                          header.payload_offset < SL_FLASH_BYTES &&
                          file_has(file, header.payload_offset, code->data, code->file_bytes);
    if (file != NULL) {
        (void)fclose(file);
    }
    return is_equal;
}

bool sl_firmware_elf_fits(const struct sl_elf *elf, const struct sl_config *config, char *error,
                          size_t error_bytes)
{
    struct sl_qemu_paths paths;
    if (sl_qemu_paths_find(config, &paths, error, error_bytes) != SL_OK) {
        return false;
    }
    if (!is_made_from(paths.flash, &elf->segments[elf->code])) {
        (void)snprintf(error, error_bytes, "the flash image '%s' was not made from '%s'",
                       paths.flash, elf->path);
        return false;
    }
    return true;
}
