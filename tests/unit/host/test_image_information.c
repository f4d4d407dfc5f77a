/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The information of flash images, and the comparison of the ids in it. This program has the note
 * of a plugin that was built with it. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "common/check.h"
#include "config/contract_id.h"
#include "host/base/image_information.h"
#include "host/driver/machine/contracts.h"

#define AT          512u
#define IMAGE_BYTES 4096u

static uint8_t *image;
static char path[] = "/tmp/sluice-test-XXXXXX";

static struct sl_image_header *header(void)
{
    return (struct sl_image_header *)(void *)(image + SL_IMAGE_HEADER_OFFSET);
}

/* An image with this information, which is padded with zeros. */
static void make(const char *text)
{
    const size_t bytes = (strlen(text) + 8) & ~(size_t)7;
    memset(image, 0, IMAGE_BYTES);
    memcpy(image + AT, text, strlen(text));
    *header() = (struct sl_image_header){
        .magic = SL_IMAGE_MAGIC,
        .version = SL_IMAGE_VERSION,
        .information_offset = AT,
        .information_bytes = (uint32_t)bytes,
        .information_crc = (uint32_t)crc32(0, image + AT, (uInt)bytes),
    };
}

static void expect_file(enum sl_information_state state)
{
    const int file = open(path, O_WRONLY | O_TRUNC);
    char *text;
    assert_true(file >= 0);
    assert_int_equal(write(file, image, IMAGE_BYTES), IMAGE_BYTES);
    assert_int_equal(close(file), 0);
    assert_int_equal(sl_information_read(path, &text), state);
    assert_true((text != NULL) == (state == SL_INFORMATION_GOOD));
    if (text != NULL) {
        assert_string_equal(text, (const char *)image + AT);
    }
    free(text);
}

static void expect(enum sl_information_state state)
{
    const char *text = NULL;
    assert_int_equal(sl_information_find(image, IMAGE_BYTES, &text), state);
    assert_true(state != SL_INFORMATION_GOOD || text == (const char *)image + AT);
    expect_file(state);
}

static int set_up(void **state)
{
    (void)state;
    image = aligned_alloc(8, IMAGE_BYTES);
    const int file = mkstemp(path);
    return image == NULL || file < 0 || close(file) != 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(image);
    (void)unlink(path);
    return 0;
}

TEST(information_is_found)
{
    make("contract\t0x12\n");
    expect(SL_INFORMATION_GOOD);
    make("1234567"); /* one zero behind it */
    expect(SL_INFORMATION_GOOD);
}

TEST(older_images_have_none)
{
    make("contract\t0x12\n");
    header()->information_offset = 0;
    header()->information_bytes = 0;
    header()->information_crc = 0;
    expect(SL_INFORMATION_NONE);
    make("contract\t0x12\n");
    header()->magic ^= 1;
    expect(SL_INFORMATION_NONE);
    make("contract\t0x12\n");
    header()->version++;
    expect(SL_INFORMATION_NONE);
    const char *text;
    make("contract\t0x12\n");
    assert_int_equal(sl_information_find(image, 127, &text), SL_INFORMATION_NONE);
    char *read;
    assert_int_equal(sl_information_read("/nonexistent", &read), SL_INFORMATION_NONE);
    assert_null(read);
}

TEST(damage_is_noticed)
{
    static const struct {
        uint32_t offset;
        uint32_t bytes;
    } places[] = {
        {0, 16},          {AT, 0},         {8, 16},       {AT + 4, 16},          {AT, 15},
        {AT, 0xfffffff8}, {0xfffffff8, 8}, {AT, 1 << 17}, {IMAGE_BYTES - 8, 16},
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        make("contract\t0x12\n");
        header()->information_offset = places[i].offset;
        header()->information_bytes = places[i].bytes;
        expect(SL_INFORMATION_DAMAGED);
    }
    for (unsigned bit = 0; bit < 128; bit++) {
        make("contract\t0x12\n");
        image[AT + bit / 8] ^= (uint8_t)(1 << bit % 8);
        expect(SL_INFORMATION_DAMAGED);
    }
    /* Text without an end, though its CRC is right. */
    make("12345678");
    header()->information_bytes = 8;
    header()->information_crc = (uint32_t)crc32(0, image + AT, 8);
    expect(SL_INFORMATION_DAMAGED);
}

TEST(rows_have_words)
{
    const char *text = "policy\tflat\t0\tA | B\tA sentence\twith a tab.\nring\tfault\t64\n\nend";
    struct sl_information_row row;
    assert_true(sl_information_next(&text, &row));
    assert_true(sl_information_is(&row.word[0], "policy"));
    assert_false(sl_information_is(&row.word[0], "polic"));
    assert_true(sl_information_is(&row.word[3], "A | B"));
    assert_true(sl_information_is(&row.word[4], "A sentence\twith a tab."));
    assert_true(sl_information_next(&text, &row));
    assert_true(sl_information_is(&row.word[2], "64"));
    assert_true(sl_information_is(&row.word[3], ""));
    assert_true(sl_information_is(&row.word[4], ""));
    assert_true(sl_information_next(&text, &row));
    assert_true(sl_information_is(&row.word[0], ""));
    assert_true(sl_information_next(&text, &row));
    assert_true(sl_information_is(&row.word[0], "end"));
    assert_false(sl_information_next(&text, &row));
    assert_int_equal(sl_information_contract("build\tff\ncontract\t0xfedcba9876543210\n"),
                     0xfedcba9876543210u);
    assert_int_equal(sl_information_contract("build\tff\n"), 0);
}

/* ---- the comparison ---- */

static enum sl_status compare(uint64_t id, const char *plugin, char *error, size_t error_bytes)
{
    struct sl_qemu_paths paths;
    char text[64] = "version\t1\n";
    if (id != 0) {
        (void)snprintf(text, sizeof text, "contract\t0x%016" PRIx64 "\n", id);
    }
    make(text);
    expect(SL_INFORMATION_GOOD);
    (void)snprintf(paths.flash, sizeof paths.flash, "%s", path);
    (void)snprintf(paths.plugin, sizeof paths.plugin, "%s", plugin);
    return sl_contracts_check(&paths, error, error_bytes);
}

TEST(ids_are_compared)
{
    static const char self[] = "/proc/self/exe";
    char error[1024];
    char expected[1024];
    const uint64_t id = sl_contract_id();
    assert_int_not_equal(id, 0);
    assert_int_equal(sl_contract_of_plugin(self), id);
    assert_int_equal(sl_contract_of_plugin("/dev/null"), 0);
    assert_int_equal(sl_contract_of_plugin("/nonexistent"), 0);
    assert_int_equal(compare(id, self, error, sizeof error), SL_OK);
    assert_int_equal(compare(0, self, error, sizeof error), SL_OK);
    assert_int_equal(compare(id, "/dev/null", error, sizeof error), SL_OK);
    assert_int_equal(compare(id ^ 1, self, error, sizeof error), SL_ERROR_USAGE);
    (void)snprintf(expected, sizeof expected,
                   "host.flash: the parts of the machine are built from different tables "
                   "(hal/contract); their contract ids:\n"
                   "  0x%016" PRIx64 "  firmware image %s\n"
                   "  0x%016" PRIx64 "  plugin %s\n"
                   "  0x%016" PRIx64 "  host library\n"
                   "build the image again, from the sources of the plugin and the host library "
                   "(make flash)",
                   id ^ 1, path, id, self, id);
    assert_string_equal(error, expected);
    assert_int_equal(compare(id ^ 1, "/dev/null", error, sizeof error), SL_ERROR_USAGE);
    assert_non_null(strstr(error, "\n  no id               plugin /dev/null\n"));
}

TEST(damaged_information_starts_nothing)
{
    struct sl_qemu_paths paths = {.plugin = "/dev/null"};
    char error[1024];
    make("contract\t0x12\n");
    image[AT] ^= 1;
    expect(SL_INFORMATION_DAMAGED);
    (void)snprintf(paths.flash, sizeof paths.flash, "%s", path);
    assert_int_equal(sl_contracts_check(&paths, error, sizeof error), SL_ERROR_USAGE);
    assert_non_null(strstr(error, "host.flash: the information of /tmp/sluice-test-"));
}

TEST_GROUP(set_up, tear_down);
