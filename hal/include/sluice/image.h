/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Flash images: where the header is and the check, for the boot code and mkflash alike. Inline,
 * because the boot code in flash may call nothing in RAM. */
#ifndef SLUICE_IMAGE_H
#define SLUICE_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/codes.h"
#include "sluice/layouts.h"
#include "sluice/memory_map.h"

#define SL_IMAGE_HEADER_OFFSET 64u

/* The boot code's stack: at the end of the firmware's region, where no payload may reach. */
#define SL_IMAGE_STACK_BYTES 65536u

/* Behind the payload an image may have information, for people and the host library; the boot code
 * passes over it. It is lines of words with tabs between them: what it is about, its name, a value,
 * flags, a sentence. Zeros follow, one at least. "contract" names the contract id of the tables
 * that the firmware is made of, "build" a hash of what the image loads; the others are in
 * firmware/boot/information.c. */
#define SL_INFORMATION_BYTES_MAX 65536u
#define SL_INFORMATION_WORDS     5
#define SL_INFORMATION_SECTION   ".sluice.information" /* of the firmware's ELF file */

/* What is wrong with an image: what was expected and what was found. */
struct sl_image_defect {
    const char *what;
    uint64_t expected;
    uint64_t found;
};

/* The header of an image; not checked. */
static inline const struct sl_image_header *sl_image_header_of(const uint8_t *flash)
{
    return (const struct sl_image_header *)(const void *)(flash + SL_IMAGE_HEADER_OFFSET);
}

/* table[n][byte]: what a byte does to the sum when n more bytes have followed it. */
struct sl_image_crc_table {
    uint32_t of[4][256];
};

static inline void sl_image_crc_prepare(struct sl_image_crc_table *table)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (0xedb88320 & -(crc & 1));
        }
        table->of[0][byte] = crc;
    }
    for (uint32_t byte = 0; byte < 256; byte++) {
        for (int n = 1; n < 4; n++) {
            const uint32_t crc = table->of[n - 1][byte];
            table->of[n][byte] = crc >> 8 ^ table->of[0][crc & 255];
        }
    }
}

/* CRC-32 of IEEE 802.3, as zlib's crc32(0, ...), of a multiple of 4 bytes, aligned to 4: a word at
 * a time, since most of the instructions of a boot are these. */
static inline uint32_t sl_image_crc32(const struct sl_image_crc_table *table, const void *bytes,
                                      size_t count)
{
    const uint32_t *word = (const uint32_t *)bytes;
    const uint32_t *const end = word + count / sizeof(*word);
    uint32_t crc = 0xffffffff;

    for (; word < end; word++) {
        crc ^= *word;
        crc = table->of[3][crc & 255] ^ table->of[2][crc >> 8 & 255] ^
              table->of[1][crc >> 16 & 255] ^ table->of[0][crc >> 24];
    }
    return ~crc;
}

static inline int sl_image_defective(struct sl_image_defect *defect, enum sl_exit_status status,
                                     const char *what, uint64_t expected, uint64_t found)
{
    defect->what = what;
    defect->expected = expected;
    defect->found = found;
    return (int)status;
}

static inline int sl_image_check_addresses(const struct sl_image_header *header,
                                           struct sl_image_defect *defect)
{
    const uint64_t offset_least = SL_IMAGE_HEADER_OFFSET + sizeof(*header);
    const uint64_t room_flash = SL_FLASH_BYTES - header->payload_offset;
    const uint64_t room_ram = SL_FIRMWARE_BYTES - SL_IMAGE_STACK_BYTES;
    const uint64_t bytes = header->payload_bytes;

    if (header->payload_offset < offset_least || header->payload_offset >= SL_FLASH_BYTES ||
        header->payload_offset % 8 != 0) {
        return sl_image_defective(defect, SL_EXIT_IMAGE_LENGTH,
                                  "payload offset (multiple of 8, from the expected value up)",
                                  offset_least, header->payload_offset);
    }
    if (bytes == 0 || bytes % 8 != 0 || bytes > room_flash || bytes > room_ram) {
        return sl_image_defective(defect, SL_EXIT_IMAGE_LENGTH,
                                  "payload length (multiple of 8, up to the expected value)",
                                  room_flash < room_ram ? room_flash : room_ram, bytes);
    }
    if (header->load_address != SL_FIRMWARE_BASE) {
        return sl_image_defective(defect, SL_EXIT_IMAGE_LENGTH, "load address", SL_FIRMWARE_BASE,
                                  header->load_address);
    }
    if (header->entry < header->load_address || header->entry - header->load_address >= bytes ||
        header->entry % 2 != 0) {
        return sl_image_defective(defect, SL_EXIT_IMAGE_LENGTH,
                                  "entry (inside the payload that begins at the expected value)",
                                  header->load_address, header->entry);
    }
    return 0;
}

/* Checks an image of SL_FLASH_BYTES, aligned to 8: magic number, header, addresses and payload, in
 * this order, because each relies on the ones before. Returns 0 where it is good, else one of
 * SL_EXIT_IMAGE_* with *defect filled. */
static inline int sl_image_check(const uint8_t *flash, struct sl_image_defect *defect)
{
    const struct sl_image_header *header = sl_image_header_of(flash);
    struct sl_image_crc_table table; /* on the stack: the boot code has no data that is written */

    if (header->magic != SL_IMAGE_MAGIC) {
        return sl_image_defective(defect, SL_EXIT_IMAGE_MAGIC, "magic number", SL_IMAGE_MAGIC,
                                  header->magic);
    }
    sl_image_crc_prepare(&table);
    const uint32_t header_crc =
        sl_image_crc32(&table, header, offsetof(struct sl_image_header, header_crc));
    if (header->header_crc != header_crc) {
        return sl_image_defective(defect, SL_EXIT_IMAGE_HEADER, "CRC-32 of the header",
                                  header->header_crc, header_crc);
    }
    if (header->version != SL_IMAGE_VERSION) {
        return sl_image_defective(defect, SL_EXIT_IMAGE_HEADER, "version of the header",
                                  SL_IMAGE_VERSION, header->version);
    }
    const int status = sl_image_check_addresses(header, defect);
    if (status != 0) {
        return status;
    }
    const uint32_t payload_crc =
        sl_image_crc32(&table, flash + header->payload_offset, (size_t)header->payload_bytes);
    if (header->payload_crc != payload_crc) {
        return sl_image_defective(defect, SL_EXIT_IMAGE_CRC, "CRC-32 of the payload",
                                  header->payload_crc, payload_crc);
    }
    return 0;
}

#endif
