/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Information of images. The build's hash is of what an image loads, not of the ELF file, whose
 * debug information names the folder that it was built in: the same sources give the same image. */
#include "information.h"

#include <ctype.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "host/base/image_information.h"

#define FLAGS_BYTES 256
#define COLUMNS     (SL_INFORMATION_WORDS - 1) /* but for the sentence, which ends the line */

const char *information_find(Elf *elf, size_t *bytes)
{
    size_t names;
    Elf_Scn *section = NULL;
    if (elf_getshdrstrndx(elf, &names) != 0) {
        return NULL;
    }
    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr header;
        const char *const name =
            gelf_getshdr(section, &header) != NULL ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (name != NULL && strcmp(name, SL_INFORMATION_SECTION) == 0) {
            const Elf_Data *const data = elf_rawdata(section, NULL);
            if (data == NULL || data->d_buf == NULL) {
                return NULL;
            }
            *bytes = strnlen(data->d_buf, data->d_size);
            return data->d_buf;
        }
    }
    return NULL;
}

size_t information_put_build(char *out, const uint8_t *image, size_t bytes)
{
    const XXH128_hash_t hash = XXH3_128bits(image, bytes);
    return (size_t)sprintf(out, "build\t%016llx%016llx\n", (unsigned long long)hash.high64,
                           (unsigned long long)hash.low64);
}

/* "SL_POLICY_DRAINED | SL_POLICY_THROTTLE" as users write them: "drained,throttle". 0: none. */
static int put_flags(char *out, const struct sl_information_word *flags)
{
    static const char prefix[] = "SL_POLICY_";
    const size_t prefix_bytes = sizeof prefix - 1;
    int length = 0;

    if (sl_information_is(flags, "0")) {
        return 0;
    }
    for (int i = 0; i < flags->length && length < FLAGS_BYTES - 1; i++) {
        if ((size_t)(flags->length - i) > prefix_bytes &&
            memcmp(flags->text + i, prefix, prefix_bytes) == 0) {
            i += (int)prefix_bytes - 1;
        } else if (flags->text[i] == '|') {
            out[length++] = ',';
        } else if (flags->text[i] != ' ') {
            out[length++] = (char)tolower((unsigned char)flags->text[i]);
        }
    }
    return length;
}

/* Rows without flags have no column for them. */
static void print_row(const struct sl_information_row *row, const int width[COLUMNS])
{
    char flags[FLAGS_BYTES];
    const struct sl_information_word *const word = row->word;
    if (word[2].length == 0) {
        int length = word[1].length;
        while (length > 0 && word[1].text[length - 1] == ' ') {
            length--;
        }
        printf("%-*.*s  %.*s\n", width[0], word[0].length, word[0].text, length, word[1].text);
        return;
    }
    printf("%-*.*s  %-*.*s  %*.*s", width[0], word[0].length, word[0].text, width[1],
           word[1].length, word[1].text, width[2], word[2].length, word[2].text);
    if (word[4].length > 0) {
        printf("  %-*.*s  %.*s", width[3], put_flags(flags, &word[3]), flags, word[4].length,
               word[4].text);
    }
    putchar('\n');
}

static int longer(int width, int length)
{
    return length > width ? length : width;
}

void information_print(const char *text)
{
    struct sl_information_row row;
    char flags[FLAGS_BYTES];
    int width[COLUMNS] = {0};

    for (const char *at = text; sl_information_next(&at, &row);) {
        const bool is_alone = row.word[2].length == 0;
        width[0] = longer(width[0], row.word[0].length);
        width[1] = longer(width[1], is_alone ? 0 : row.word[1].length);
        width[2] = longer(width[2], row.word[2].length);
        width[3] = longer(width[3], put_flags(flags, &row.word[3]));
    }
    while (sl_information_next(&text, &row)) {
        print_row(&row, width);
    }
}
