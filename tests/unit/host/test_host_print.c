/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What kernels print, as the host shows it: conversions, records that are not finished or lost. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "host/driver/code/module.h"
#include "host/observe/print/print.h"
#include "sluice/config.h"
#include "sluice/print.h"
#include "unit/common/host_fixture.h"

static char shared[512]; /* what formats and strings are in */
static char text[1024];

static struct sl_print_memory shared_memory(void)
{
    return (struct sl_print_memory){(uintptr_t)shared, (uintptr_t)shared + sizeof shared, NULL};
}

/* Formats with up to 3 arguments, `count` of which are there. */
static const char *shown(const char *format, uint64_t count, uint64_t a, uint64_t b, uint64_t c)
{
    const struct sl_print_memory memory = shared_memory();
    const uint64_t arguments[] = {a, b, c};
    memset(text, 0, sizeof text);
    FILE *const out = fmemopen(text, sizeof text - 1, "w");
    assert_non_null(out);
    (void)snprintf(shared, sizeof shared / 2, "%s", format);
    sl_print_format(out, &memory, (uintptr_t)shared, arguments, count, UINT64_MAX);
    (void)fclose(out);
    return text;
}

TEST(formats)
{
    const double real = -2.5;
    uint64_t word;
    memcpy(&word, &real, sizeof word);
    char *const name = shared + sizeof shared / 2;
    (void)snprintf(name, 16, "name");
    const uint64_t at = (uintptr_t)name;

    assert_string_equal(shown("plain %% text\n", 0, 0, 0, 0), "plain % text\n");
    assert_string_equal(shown("%d|%5d|%-5d|", 3, (uint64_t)-1, 42, 42), "-1|   42|42   |");
    assert_string_equal(shown("%u %x %#X", 3, (uint64_t)-1, (uint64_t)-1, 255),
                        "4294967295 ffffffff 0XFF");
    assert_string_equal(shown("%lu %lld %zd", 3, (uint64_t)-1, (uint64_t)-1, (uint64_t)-2),
                        "18446744073709551615 -1 -2");
    assert_string_equal(shown("%hd %hhu %hhd", 3, 65535, 511, 511), "-1 255 -1");
    assert_string_equal(shown("%.1f %g %e", 3, word, word, word), "-2.5 -2.5 -2.500000e+00");
    assert_string_equal(shown("%s|%.2s|%6s", 3, at, at, at), "name|na|  name");
    assert_string_equal(shown("%*d|%-*d", 3, 4, 7, 3), "   7|(no argument)");
    assert_string_equal(shown("%c%p", 2, 'x', 4096, 0), "x0x1000");
    assert_string_equal(shown("%9p|%-9p|%2p", 3, 4096, 0, 4096), "   0x1000|0x0      |0x1000");
    assert_string_equal(shown("%3c|%-3c|%*p", 3, 'x', 'y', 8), "  x|y  |(no argument)");
    assert_string_equal(shown("%+.3d|% 05d|%#-6o|", 3, 7, 7, 8), "+007| 0007|010   |");
    assert_string_equal(shown("%+8.2f|%-*s|", 3, word, 6, at), "   -2.50|name  |");
    assert_string_equal(shown("%*.*d|", 3, (uint64_t)-5, 3, 7), "007  |");
}

/* Numbers have a point, though the host program has set a locale that has another (tests/locale).
 */
TEST(formats_in_every_locale)
{
    static const char *const names[] = {"comma", "arabic"};
    const char *const build = getenv("SLUICE_BUILD");
    const double real = -2.5;
    uint64_t word;
    char path[4096];
    char own[16];

    memcpy(&word, &real, sizeof word);
    (void)snprintf(path, sizeof path, "%s/tests/locale", build != NULL ? build : "build");
    assert_int_equal(setenv("LOCPATH", path, 1), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_non_null(setlocale(LC_NUMERIC, names[i]));
        (void)snprintf(own, sizeof own, "%.1f", real);
        assert_string_not_equal(own, "-2.5");
        assert_string_equal(shown("%.1f %g %e", 3, word, word, word), "-2.5 -2.5 -2.500000e+00");
        (void)setlocale(LC_NUMERIC, "C");
    }
    assert_int_equal(unsetenv("LOCPATH"), 0);
}

/* Strings are shown of what lanes may read, and of nothing beside it. */
TEST(protected_memory)
{
    static struct sl_protection table;
    const uint64_t second = (uintptr_t)shared + 256;
    const struct sl_print_memory memory = {(uintptr_t)shared, (uintptr_t)shared + sizeof shared,
                                           &table};
    const uint64_t arguments[] = {second, second + 128};

    table.count = 3;
    table.range[0] = (struct sl_range){(uintptr_t)shared, 64, SL_ACCESS_READ, 0, 0, {0}};
    table.range[1] = (struct sl_range){second, 64, SL_ACCESS_READ | SL_ACCESS_WRITE, 0, 0, {0}};
    table.range[2] = (struct sl_range){second + 128, 64, SL_ACCESS_WRITE, 0, 0, {0}};
    memset(text, 0, sizeof text);
    FILE *const out = fmemopen(text, sizeof text - 1, "w");
    assert_non_null(out);
    (void)snprintf(shared, 64, "%%s %%.4s");
    (void)snprintf(shared + 256, 64, "open");
    (void)snprintf(shared + 384, 64, "shut");
    sl_print_format(out, &memory, (uintptr_t)shared, arguments, 2, UINT64_MAX);
    (void)fclose(out);
    assert_non_null(strstr(text, "open (no string in shared memory"));
}

TEST(mistakes)
{
    assert_string_equal(shown("%s", 1, 4096, 0, 0), "(no string in shared memory: 0x1000)");
    assert_string_equal(shown("%d %d", 1, 7, 0, 0), "7 (no argument)");
    assert_string_equal(shown("%n", 1, 7, 0, 0), "(%n: not a conversion of sl_printf)");
    assert_string_equal(shown("half %", 0, 0, 0, 0), "half ");
    assert_string_equal(shown("half %08l", 0, 0, 0, 0), "half ");
    /* A string that the memory ends in. */
    memset(shared + 256, 'x', 256);
    assert_non_null(
        strstr(shown("%.3s", 1, (uintptr_t)shared + 500, 0, 0), "(no string in shared"));
    /* A width beyond reason does no harm. */
    char wide[200];
    memset(wide, '0', sizeof wide);
    wide[0] = '%';
    (void)snprintf(wide + 150, sizeof wide - 150, "d");
    assert_string_equal(shown(wide, 1, 7, 0, 0), "7");
    static char large[12000];
    const struct sl_print_memory memory = shared_memory();
    const uint64_t arguments[] = {1u << 30, 7};
    /* The last ones are no formats; what is wrong with them is shown, and no width is made. */
    static const char *const formats[] = {"%999999999d", "%*d",     "%.2000000000d", "%9999*9d",
                                          "%9*9*9*9d",   "%.9*99d", "%9.9.999999d"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        FILE *const out = fmemopen(large, sizeof large, "w");
        (void)snprintf(shared, sizeof shared, "%s", formats[i]);
        sl_print_format(out, &memory, (uintptr_t)shared, arguments, 2, UINT64_MAX);
        assert_true(ftell(out) <= 9999);
        (void)fclose(out);
    }
    assert_string_equal(shown("%.*d", 2, (uint64_t)-1, 5, 0), "5");
    assert_string_equal(shown("%9*9d", 2, 1, 5, 0), "(%*: not a conversion of sl_printf)9d");
}

TEST(counts_arguments)
{
    assert_int_equal(sl_print_arguments(""), 0);
    assert_int_equal(sl_print_arguments("100%"), 0);
    assert_int_equal(sl_print_arguments("%% %d%%%s"), 2);
    assert_int_equal(sl_print_arguments("%-*.*lf %hhx %zu"), 5);
    assert_int_equal(sl_print_arguments("%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d"), SL_PRINT_ARGUMENTS);
}

/* Writes the next record, as a lane does. Finished or not. */
static void put(struct sl_print_buffer *buffer, uint64_t value, bool is_finished)
{
    struct sl_print_record *const record =
        (struct sl_print_record *)(void *)((char *)(buffer + 1) + buffer->tail);
    buffer->tail += sizeof *record + 8;
    if (buffer->tail > buffer->bytes) {
        buffer->lost++;
        return;
    }
    record->format = (uintptr_t)shared;
    ((uint64_t *)(record + 1))[0] = value;
    record->ready = is_finished ? 2 : 0;
}

TEST(shows_in_order)
{
    struct sl_module *module;
    struct sl_soc *soc = fixture_open(&module);
    uint64_t variable = 0;
    soc->config.number[SL_CFG_HOST_PRINT_BUFFER] = 1024; /* 42 records of 24 bytes */
    const struct sl_print_memory memory = shared_memory();
    struct sl_print_buffer *buffer;
    assert_int_equal(sl_print_buffer_attach(soc, (uintptr_t)&variable, &buffer), SL_OK);
    assert_ptr_equal(buffer, (void *)(uintptr_t)variable);
    struct sl_print print = {.config = &soc->config};
    (void)snprintf(shared, sizeof shared, "%%d,");
    memset(text, 0, sizeof text);
    FILE *const out = fmemopen(text, sizeof text - 1, "w");
    print.stream = out;

    sl_print_begin(&print, buffer, &memory);
    put(buffer, 1, true);
    put(buffer, 2, false);
    put(buffer, 3, true);
    sl_print_show(&print, false);
    assert_string_equal(text, "1,");
    ((struct sl_print_record *)(void *)((char *)(buffer + 1) + 24))->ready = 2;
    sl_print_show(&print, false);
    assert_string_equal(text, "1,2,3,");
    for (uint64_t i = 4; i <= 50; i++) {
        put(buffer, i, true);
    }
    sl_print_show(&print, true);
    assert_non_null(strstr(text, ",41,42,(8 calls of sl_printf lost: host.print_buffer of 1 KiB is "
                                 "full)\n"));
    assert_int_equal(print.shown, 42 * 24);

    /* The next run begins with an empty buffer: nothing of the old one is shown again. */
    rewind(out);
    memset(text, 0, sizeof text);
    sl_print_begin(&print, buffer, &memory);
    sl_print_show(&print, true);
    put(buffer, 51, true);
    sl_print_show(&print, true);
    assert_string_equal(text, "51,");
    (void)fclose(out);
    fixture_close(soc);
}

/* What lanes may write in the buffer's head and records, and what the host makes of it. */
TEST(believes_nothing)
{
    struct sl_module *module;
    struct sl_soc *soc = fixture_open(&module);
    const struct sl_print_memory memory = shared_memory();
    uint64_t variable = 0;
    soc->config.number[SL_CFG_HOST_PRINT_BUFFER] = 1024;
    struct sl_print_buffer *buffer;
    uint8_t *const behind = sl_alloc_private(soc, 4096, 0); /* closed memory goes downwards */
    assert_int_equal(sl_print_buffer_attach(soc, (uintptr_t)&variable, &buffer), SL_OK);
    assert_true(behind > (uint8_t *)buffer);
    memset(behind, 0x5a, 4096);
    struct sl_print print = {.config = &soc->config};
    (void)snprintf(shared, sizeof shared, "%%d,");
    FILE *const out = fmemopen(text, sizeof text - 1, "w");
    print.stream = out;
    sl_print_begin(&print, buffer, &memory);
    put(buffer, 1, true);

    /* All of the heap, it says. */
    buffer->bytes = UINT64_MAX;
    buffer->tail = UINT64_MAX;
    buffer->lost = 0;
    sl_print_show(&print, false);
    assert_true(print.shown <= 1024);
    for (uint64_t ready = 0; ready < 40; ready++) {
        ((uint64_t *)(buffer + 1))[3] = ready * ready * ready;
        sl_print_show(&print, true);
        assert_true(print.shown <= 1024);
    }
    sl_print_begin(&print, buffer, &memory);
    assert_int_equal(buffer->bytes, 1024);
    for (int i = 0; i < 4096; i++) {
        assert_int_equal(behind[i], 0x5a);
    }

    /* A tail that goes back. */
    put(buffer, 1, true);
    put(buffer, 2, true);
    sl_print_show(&print, false);
    buffer->tail = 8;
    sl_print_show(&print, true);
    (void)fclose(out);
    fixture_close(soc);
}

static const char *escaped(const char *from, uint64_t most)
{
    size_t done;
    memset(text, 0, sizeof text);
    FILE *const out = fmemopen(text, sizeof text - 1, "w");
    (void)sl_print_escape(out, from, strlen(from), most, &done);
    (void)fclose(out);
    return text;
}

TEST(escapes_controls)
{
    assert_string_equal(escaped("a\tb\n", 100), "a\tb\n");
    assert_string_equal(escaped("\x1b[2J\r\b\x7f", 100), "\\x1b[2J\\x0d\\x08\\x7f");
    assert_string_equal(escaped("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8c\x8a", 100),
                        "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8c\x8a");
    /* A control in UTF-8, lonely and missing continuations, overlong, a surrogate, beyond Unicode.
     */
    assert_string_equal(escaped("\xc2\x9b", 100), "\\xc2\\x9b");
    assert_string_equal(escaped("\x80\xc3", 100), "\\x80\\xc3");
    assert_string_equal(escaped("\xc0\xaf", 100), "\\xc0\\xaf");
    assert_string_equal(escaped("\xe0\x80\x80", 100), "\\xe0\\x80\\x80");
    assert_string_equal(escaped("\xed\xa0\x80", 100), "\\xed\\xa0\\x80");
    assert_string_equal(escaped("\xf4\x90\x80\x80", 100), "\\xf4\\x90\\x80\\x80");
    /* Nothing in part. */
    assert_string_equal(escaped("ab\xe2\x82\xac", 4), "ab");
    assert_string_equal(escaped("ab\x1b", 5), "ab");
}

/* What nobody will see is not made: behind the limit, no further conversion is shown. */
TEST(makes_no_more_than_is_shown)
{
    const struct sl_print_memory memory = shared_memory();
    const uint64_t arguments[] = {1, 2, 3};
    char *made = NULL;
    size_t bytes = 0;
    FILE *const out = open_memstream(&made, &bytes);

    (void)snprintf(shared, sizeof shared, "%%100d%%100d%%100d");
    sl_print_format(out, &memory, (uintptr_t)shared, arguments, 3, 150);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(bytes, 200);
    free(made);
}

/* Of a run no more than host.print_limit is shown, and that is told once. */
TEST(shows_up_to_a_limit)
{
    struct sl_module *module;
    struct sl_soc *soc = fixture_open(&module);
    const struct sl_print_memory memory = shared_memory();
    uint64_t variable = 0;
    soc->config.number[SL_CFG_HOST_PRINT_LIMIT] = 1024;
    struct sl_print_buffer *buffer;
    assert_int_equal(sl_print_buffer_attach(soc, (uintptr_t)&variable, &buffer), SL_OK);
    static char much[4096];
    struct sl_print print = {.config = &soc->config};
    (void)snprintf(shared, sizeof shared, "%%99d,");
    FILE *const out = fmemopen(much, sizeof much - 1, "w");
    print.stream = out;
    for (int run = 0; run < 2; run++) {
        rewind(out);
        memset(much, 0, sizeof much);
        sl_print_begin(&print, buffer, &memory);
        for (uint64_t i = 0; i < 30; i++) {
            put(buffer, i, true);
            sl_print_show(&print, false);
        }
        sl_print_show(&print, true);
        assert_int_equal(print.written, 1024);
        assert_non_null(strstr(much, "\n(kernels have printed 1 KiB: host.print_limit; the rest is "
                                     "left out)\n"));
        assert_int_equal(strlen(much), 1024 + strlen("\n(kernels have printed 1 KiB: "
                                                     "host.print_limit; the rest is left out)\n"));
    }
    (void)fclose(out);
    fixture_close(soc);
}
