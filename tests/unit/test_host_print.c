/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What kernels print, as the host shows it: conversions, records that are not finished or lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/load/module.h"
#include "host/observation/print.h"
#include "sluice/print.h"
#include "unit/host_fixture.h"

static char shared[512]; /* what formats and strings are in */
static char text[1024];

/* Formats with up to 3 arguments, `count` of which are there. */
static const char *shown(const char *format, uint64_t count, uint64_t a, uint64_t b, uint64_t c)
{
    const struct sl_print_memory memory = {(uintptr_t)shared, (uintptr_t)shared + sizeof shared};
    const uint64_t arguments[] = {a, b, c};
    memset(text, 0, sizeof text);
    FILE *const out = fmemopen(text, sizeof text - 1, "w");
    assert_non_null(out);
    (void)snprintf(shared, sizeof shared / 2, "%s", format);
    sl_print_format(out, &memory, (uintptr_t)shared, arguments, count);
    (void)fclose(out);
    return text;
}

static void formats(void **state)
{
    (void)state;
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
}

static void mistakes(void **state)
{
    (void)state;
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
}

static void counts_arguments(void **state)
{
    (void)state;
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

static void shows_in_order(void **state)
{
    (void)state;
    struct sl_module *module;
    struct sl_soc *soc = fixture_open(&module);
    uint64_t variable = 0;
    soc->config.number[SL_CFG_HOST_PRINT_BUFFER] = 1024; /* 42 records of 24 bytes */
    soc->layout.dram_bytes = UINT64_MAX;
    soc->layout.dram_limit = UINT64_MAX;
    soc->layout.top_base = UINT64_MAX;
    struct sl_print_buffer *buffer;
    assert_int_equal(sl_print_buffer_attach(soc, (uintptr_t)&variable, &buffer), SL_OK);
    assert_ptr_equal(buffer, (void *)(uintptr_t)variable);
    struct sl_print print = {.config = &soc->config, .layout = &soc->layout};
    (void)snprintf(shared, sizeof shared, "%%d,");
    memset(text, 0, sizeof text);
    FILE *const out = fmemopen(text, sizeof text - 1, "w");
    print.stream = out;

    sl_print_begin(&print, buffer);
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
    sl_print_begin(&print, buffer);
    sl_print_show(&print, true);
    put(buffer, 51, true);
    sl_print_show(&print, true);
    assert_string_equal(text, "51,");
    (void)fclose(out);
    fixture_close(soc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(counts_arguments),
        cmocka_unit_test(shows_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
