/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Texts that need not be UTF-8, in JSON (host/base/utf8.h). */
#include <stdio.h>
#include <string.h>

#include "common/check.h"
#include "host/base/utf8.h"

static const struct {
    const char *text;
    const char *json; /* what becomes of it */
} cases[] = {
    {"", ""},
    {"plain", "plain"},
    {"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"},
    {"\xe4", "\\xe4"},                            /* Latin-1 */
    {"a\xff/b", "a\\xff/b"},                      /* no first byte */
    {"\x80", "\\x80"},                            /* no first byte either */
    {"\xc3", "\\xc3"},                            /* cut off */
    {"\xe2\x82", "\\xe2\\x82"},                   /* likewise */
    {"\xc0\xaf", "\\xc0\\xaf"},                   /* not the shortest form */
    {"\xe0\x80\xaf", "\\xe0\\x80\\xaf"},          /* likewise */
    {"\xed\xa0\x80", "\\xed\\xa0\\x80"},          /* a surrogate */
    {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, /* beyond U+10FFFF */
};

TEST(texts)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        json_t *const string = sl_json_text(cases[i].text);
        assert_string_equal(json_string_value(string), cases[i].json);
        assert_int_equal(sl_utf8_is(cases[i].text), strcmp(cases[i].text, cases[i].json) == 0);
        json_decref(string);
    }
    assert_null(sl_json_text(NULL));
}

TEST(plain_texts)
{
    static const struct {
        const char *text;
        const char *shown;
    } plain[] = {
        {"a\x1b[2J\n", "a\\x1b[2J\\x0a"},
        {"\xc2\x9b", "\\xc2\\x9b"}, /* a control of more than one byte */
        {"\x7f", "\\x7f"},
        {"\xff", "\\xff"},
        {"\xc2\xa0\xc3\xa4 b", "\xc2\xa0\xc3\xa4 b"},
        {"", ""},
    };
    char shown[64];

    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        sl_utf8_show(plain[i].text, shown, sizeof shown);
        assert_string_equal(shown, plain[i].shown);
        assert_int_equal(sl_utf8_is_plain(plain[i].text),
                         strcmp(plain[i].text, plain[i].shown) == 0);
    }
    sl_utf8_show("abcdef\xff", shown, 8);
    assert_string_equal(shown, "abcd"); /* cut off, with room for one more */
}

/* jansson and we agree on each text of up to three bytes of those at the limits. */
TEST(as_jansson)
{
    static const unsigned char bytes[] = {0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1,
                                          0xc2, 0xdf, 0xe0, 0xec, 0xed, 0xef, 0xf0, 0xf4, 0xf5};
    const size_t count = sizeof bytes;

    for (size_t i = 0; i < count * count * count * count; i++) {
        const char text[] = {(char)bytes[i % count], (char)bytes[i / count % count],
                             (char)bytes[i / count / count % count],
                             (char)bytes[i / count / count / count], '\0'};
        json_t *const string = json_string(text);
        assert_int_equal(sl_utf8_is(text), string != NULL);
        json_decref(string);
    }
}

/* Names that differ are different keys. */
TEST(names)
{
    json_t *const object = json_object();

    assert_int_equal(sl_json_set_new(object, "k\xff", json_integer(1)), 0);
    assert_int_equal(sl_json_set_new(object, "k\xfe", json_integer(2)), 0);
    assert_int_equal(json_integer_value(json_object_get(object, "k\\xff")), 1);
    assert_int_equal(json_integer_value(json_object_get(object, "k\\xfe")), 2);
    json_decref(object);
}
