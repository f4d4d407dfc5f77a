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

/* CRC-32 of IEEE 802.3, as zlib's crc32(0, ...). */
static inline uint32_t sl_image_crc32(const uint8_t *bytes, size_t count)
{
    /* By half bytes: 64 bytes of table instead of a kilobyte, fast enough for one pass at boot. */
    static const uint32_t table[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };
    uint32_t crc = 0xffffffff;

    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
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

    if (header->magic != SL_IMAGE_MAGIC) {
        return sl_image_defective(defect, SL_EXIT_IMAGE_MAGIC, "magic number", SL_IMAGE_MAGIC,
                                  header->magic);
    }
    const uint32_t header_crc =
        sl_image_crc32((const uint8_t *)header, offsetof(struct sl_image_header, header_crc));
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
        sl_image_crc32(flash + header->payload_offset, (size_t)header->payload_bytes);
    if (header->payload_crc != payload_crc) {
        return sl_image_defective(defect, SL_EXIT_IMAGE_CRC, "CRC-32 of the payload",
                                  header->payload_crc, payload_crc);
    }
    return 0;
}

#endif
