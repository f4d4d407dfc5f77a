/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The check of a flash image that the boot code and mkflash share. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/check.h"
#include "sluice/image.h"

static uint8_t *flash;

static struct sl_image_header *header(void)
{
    return (struct sl_image_header *)(void *)(flash + SL_IMAGE_HEADER_OFFSET);
}

static void seal(void)
{
    header()->header_crc = (uint32_t)crc32(0, (const Bytef *)header(), 48);
}

/* A good image with 1,000 bytes of payload at 4096. */
static void make(void)
{
    memset(flash, 0, 8192);
    for (unsigned i = 0; i < 1000; i++) {
        flash[4096 + i] = (uint8_t)(i * 7);
    }
    *header() = (struct sl_image_header){
        .magic = SL_IMAGE_MAGIC,
        .version = SL_IMAGE_VERSION,
        .payload_crc = (uint32_t)crc32(0, flash + 4096, 1000),
        .payload_offset = 4096,
        .payload_bytes = 1000,
        .load_address = SL_FIRMWARE_BASE,
        .entry = SL_FIRMWARE_BASE + 8,
    };
    seal();
}

static void expect(int status, uint64_t expected, uint64_t found)
{
    struct sl_image_defect defect = {0};
    assert_int_equal(sl_image_check(flash, &defect), status);
    assert_int_equal(defect.expected, expected);
    assert_int_equal(defect.found, found);
    assert_true(status == 0 || defect.what != NULL);
}

TEST(test_crc)
{
    static struct sl_image_crc_table table;
    _Alignas(4) uint8_t bytes[300];
    sl_image_crc_prepare(&table);
    for (unsigned i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)(i * i + 3);
    }
    for (unsigned i = 0; i <= sizeof(bytes); i += 4) {
        assert_int_equal(sl_image_crc32(&table, bytes, i), crc32(0, bytes, i));
    }
}

TEST(test_good)
{
    make();
    expect(0, 0, 0);
}

TEST(test_corrupt)
{
    make();
    header()->magic ^= 1;
    expect(SL_EXIT_IMAGE_MAGIC, SL_IMAGE_MAGIC, SL_IMAGE_MAGIC ^ 1);
    make();
    const uint32_t written = header()->header_crc;
    header()->entry += 2;
    expect(SL_EXIT_IMAGE_HEADER, written, crc32(0, (const Bytef *)header(), 48));
    make();
    header()->version = 2;
    seal();
    expect(SL_EXIT_IMAGE_HEADER, SL_IMAGE_VERSION, 2);
    make();
    flash[4096 + 999] ^= 0x80;
    expect(SL_EXIT_IMAGE_CRC, header()->payload_crc, crc32(0, flash + 4096, 1000));
    /* Bits that nobody claims do not matter. */
    make();
    flash[4096 + 1000] = 1;
    expect(0, 0, 0);
}

TEST(test_addresses)
{
    const uint64_t room_ram = SL_FIRMWARE_BYTES - SL_IMAGE_STACK_BYTES;
    struct {
        size_t field;
        uint64_t value;
        uint64_t expected;
    } cases[] = {
#define CASE(field, value, expected) {offsetof(struct sl_image_header, field), value, expected}
        CASE(payload_offset, 64, 128),
        CASE(payload_offset, 4097, 128),
        CASE(payload_offset, SL_FLASH_BYTES, 128),
        CASE(payload_offset, UINT64_MAX - 7, 128),
        CASE(payload_offset, SL_FLASH_BYTES - 992, 992),
        CASE(payload_bytes, 0, room_ram),
        CASE(payload_bytes, 1001, room_ram),
        CASE(payload_bytes, room_ram + 8, room_ram),
        CASE(payload_bytes, UINT64_MAX - 7, room_ram),
        CASE(load_address, SL_FIRMWARE_BASE + 8, SL_FIRMWARE_BASE),
        CASE(entry, SL_FIRMWARE_BASE - 2, SL_FIRMWARE_BASE),
        CASE(entry, SL_FIRMWARE_BASE + 1000, SL_FIRMWARE_BASE),
        CASE(entry, SL_FIRMWARE_BASE + 1, SL_FIRMWARE_BASE),
#undef CASE
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        make();
        memcpy((uint8_t *)header() + cases[i].field, &cases[i].value, sizeof(uint64_t));
        seal();
        const bool is_room = cases[i].expected == 992; /* the length is what does not fit */
        expect(SL_EXIT_IMAGE_LENGTH, cases[i].expected, is_room ? 1000 : cases[i].value);
    }
}

static int set_up(void **state)
{
    (void)state;
    flash = calloc(1, SL_FLASH_BYTES);
    return flash == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    free(flash);
    return 0;
}

TEST_GROUP(set_up, tear_down);
