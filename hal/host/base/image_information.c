/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The information of flash images: read with suspicion, since neither the boot code nor the CRC of
 * the header has checked where it is. */
#include "host/base/image_information.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEADER_END (SL_IMAGE_HEADER_OFFSET + sizeof(struct sl_image_header))

/* What the header says, of a file or a memory of `bytes` bytes. */
static enum sl_information_state check_place(const struct sl_image_header *header, uint64_t bytes)
{
    const uint64_t offset = header->information_offset;
    const uint64_t length = header->information_bytes;
    if (header->magic != SL_IMAGE_MAGIC || header->version != SL_IMAGE_VERSION ||
        (offset == 0 && length == 0)) {
        return SL_INFORMATION_NONE;
    }
    const bool is_inside = offset >= HEADER_END && offset <= bytes && length <= bytes - offset;
    const bool is_sized = length >= 8 && length <= SL_INFORMATION_BYTES_MAX;
    return is_inside && is_sized && offset % 8 == 0 && length % 8 == 0 ? SL_INFORMATION_GOOD
                                                                       : SL_INFORMATION_DAMAGED;
}

static enum sl_information_state check_text(const struct sl_image_header *header, const char *text)
{
    struct sl_image_crc_table table;
    sl_image_crc_prepare(&table);
    const bool is_good =
        sl_image_crc32(&table, text, header->information_bytes) == header->information_crc &&
        text[header->information_bytes - 1] == '\0';
    return is_good ? SL_INFORMATION_GOOD : SL_INFORMATION_DAMAGED;
}

enum sl_information_state sl_information_find(const uint8_t *image, size_t bytes, const char **text)
{
    const struct sl_image_header *const header = sl_image_header_of(image);
    enum sl_information_state state =
        bytes < HEADER_END ? SL_INFORMATION_NONE : check_place(header, bytes);
    if (state == SL_INFORMATION_GOOD) {
        *text = (const char *)image + header->information_offset;
        state = check_text(header, *text);
    }
    return state;
}

static bool read_at(int file, uint64_t offset, void *out, size_t bytes)
{
    return pread(file, out, bytes, (off_t)offset) == (ssize_t)bytes;
}

static enum sl_information_state read_open(int file, char **text)
{
    struct sl_image_header header;
    if (!read_at(file, SL_IMAGE_HEADER_OFFSET, &header, sizeof header)) {
        return SL_INFORMATION_NONE;
    }
    const enum sl_information_state state = check_place(&header, SL_FLASH_BYTES);
    if (state != SL_INFORMATION_GOOD) {
        return state;
    }
    *text = malloc(header.information_bytes);
    if (*text == NULL) {
        return SL_INFORMATION_NONE;
    }
    return read_at(file, header.information_offset, *text, header.information_bytes)
               ? check_text(&header, *text)
               : SL_INFORMATION_DAMAGED;
}

enum sl_information_state sl_information_read(const char *path, char **text)
{
    *text = NULL;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return SL_INFORMATION_NONE;
    }
    const enum sl_information_state state = read_open(file, text);
    (void)close(file);
    if (state != SL_INFORMATION_GOOD) {
        free(*text);
        *text = NULL;
    }
    return state;
}

bool sl_information_next(const char **text, struct sl_information_row *row)
{
    const char *at = *text;
    if (*at == '\0') {
        return false;
    }
    for (size_t i = 0; i < SL_INFORMATION_WORDS; i++) {
        const bool is_last = i + 1 == SL_INFORMATION_WORDS;
        row->word[i].text = at;
        row->word[i].length = (int)strcspn(at, is_last ? "\n" : "\t\n");
        at += row->word[i].length;
        at += *at == '\t';
    }
    *text = at + (*at == '\n');
    return true;
}

bool sl_information_is(const struct sl_information_word *word, const char *text)
{
    return strlen(text) == (size_t)word->length &&
           memcmp(word->text, text, (size_t)word->length) == 0;
}

uint64_t sl_information_contract(const char *text)
{
    struct sl_information_row row;
    while (sl_information_next(&text, &row)) {
        if (sl_information_is(&row.word[0], "contract")) {
            return strtoull(row.word[1].text, NULL, 16);
        }
    }
    return 0;
}
