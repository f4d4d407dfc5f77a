/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include "fuzz/convergence/expectation.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads words in hexadecimal; returns how many there are, or -1 where there are too many or
 * something else is. */
static int read_words(const char *at, uint32_t *words, int limit)
{
    int count = 0;

    for (;;) {
        char *end;
        const uint32_t word = (uint32_t)strtoul(at, &end, 16);
        if (end == at) {
            return *at == '\0' || *at == '\n' ? count : -1;
        }
        if (count == limit) {
            return -1;
        }
        words[count++] = word;
        at = end;
    }
}

static struct expectation *append(struct expectations *all)
{
    struct expectation *kernels = realloc(all->kernels, (all->count + 1) * sizeof *all->kernels);

    if (kernels == NULL) {
        return NULL;
    }
    all->kernels = kernels;
    kernels[all->count] = (struct expectation){0};
    return &kernels[all->count++];
}

/* A line is a name and words. */
static bool read_line(struct expectations *all, char *line)
{
    uint32_t words[2 * ITEMS_MAX];
    char *rest = strchr(line, ' ');

    if (rest == NULL) {
        return false;
    }
    *rest++ = '\0';
    const int count = read_words(rest, words, 2 * ITEMS_MAX);
    if (strcmp(line, "input") == 0) {
        if (all->items != 0 || count <= 0 || count > ITEMS_MAX || count % GROUP_ITEMS != 0) {
            return false;
        }
        all->items = (uint32_t)count;
        memcpy(all->input, words, (size_t)count * sizeof *words);
        return true;
    }
    const int items = (int)all->items;
    struct expectation *kernel = append(all);
    if (kernel == NULL || items == 0 || (count != items && count != 2 * items)) {
        return false;
    }
    (void)snprintf(kernel->name, sizeof kernel->name, "%s", line);
    kernel->is_disputed = count != items;
    memcpy(kernel->structure, words, (size_t)items * sizeof *words);
    memcpy(kernel->postdominator, &words[count - items], (size_t)items * sizeof *words);
    return true;
}

int expectations_read(struct expectations *all, const char *path, char *error, size_t bytes)
{
    char line[16 + 2 * ITEMS_MAX * 9];
    int number = 0;
    bool is_right = true;
    FILE *file = fopen(path, "r");

    *all = (struct expectations){0};
    if (file == NULL) {
        (void)snprintf(error, bytes, "'%s': %s", path, strerror(errno));
        return -1;
    }
    while (is_right && fgets(line, sizeof line, file) != NULL) {
        number++;
        is_right = read_line(all, line);
    }
    (void)fclose(file);
    if (!is_right) {
        (void)snprintf(error, bytes,
                       "%s:%d: not a name and a word for each work-item, once or by each rule",
                       path, number);
        return -1;
    }
    return 0;
}

/* Returns the number of work-items that differ. */
static uint32_t compare(const uint32_t *got, const uint32_t *expected, uint32_t items,
                        uint32_t *first)
{
    uint32_t differ = 0;

    for (uint32_t i = items; i-- > 0;) {
        if (got[i] != expected[i]) {
            differ++;
            *first = i;
        }
    }
    return differ;
}

bool expectation_judge(const struct expectation *expected, const uint32_t *got, uint32_t items)
{
    uint32_t first = 0;
    const uint32_t from_postdominator = compare(got, expected->postdominator, items, &first);
    const uint32_t from_structure = compare(got, expected->structure, items, &first);

    if (!expected->is_disputed && from_structure != 0) {
        printf("%s wrong lanes %" PRIu32 " first %" PRIu32 " got %" PRIx32 " expected %" PRIx32
               "\n",
               expected->name, from_structure, first, got[first], expected->structure[first]);
        return false;
    }
    if (from_structure != 0 && from_postdominator != 0) {
        printf("%s neither lanes %" PRIu32 " first %" PRIu32 " got %" PRIx32 " structure %" PRIx32
               " postdominator %" PRIx32 "\n",
               expected->name, from_structure, first, got[first], expected->structure[first],
               expected->postdominator[first]);
        return true;
    }
    const char *const followed = from_structure == 0 ? "structure" : "postdominator";
    printf("%s %s\n", expected->name, expected->is_disputed ? followed : "same");
    return true;
}
