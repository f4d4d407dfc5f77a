/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The keys of docs/look-up/configuration.md: a table for each group of sections, and a matrix for
 * keys whose names differ in one part alone. Every key is printed once: a section that no group
 * names gets a table of its own at the end. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "config/config_internal.h"
#include "configuration_keys.h"
#include "docgen.h"
#include "sluice/config.h"

/* A column for each part, a row for each pattern, whose * the part replaces. */
struct matrix_row {
    const char *pattern;
    const char *meaning;
};

struct matrix {
    const char *parts[8];
    struct matrix_row rows[6];
};

static const struct matrix instructions = {
    {"alu", "mul", "div", "fp32", "fp64", "fpdiv", "fpsqrt"},
    {{"gpu.*_passes",
      "Passes in which an instruction occupies its SIMD unit, which issues no other."},
     {"gpu.*_cycles", "Latency after issue."},
     {"gpu.*_interval", "Least cycles between two such instructions on a SIMD unit."}},
};

static const struct matrix l1_caches = {
    {"l1d", "l1i", "agg_l1d", "agg_l1i", "front_l1d"},
    {{"*.size", "Size (Table 2)."},
     {"*.ways", "Ways (Table 2)."},
     {"*.cycles", "Latency (Table 2), in cycles of `gpu.clock`; `agg_*`: of `agg.clock`."},
     {"*.ports", "Lines delivered per cycle (Table 2, `l1d`: one)."},
     {"*.mshrs", "Misses in flight; further ones wait and are replayed."}},
};

static const struct matrix write_caches = {
    {"wl1", "wl2", "wl3"},
    {{"*.size", "Size."},
     {"*.ways", "Ways."},
     {"*.tag_cycles", "Part of `*.cycles` until its bytes of a line are known; 0: all."},
     {"*.cycles", "Latency of tags plus data, in CU cycles."},
     {"*.fifo", "Entries of its synchronization FIFO."}},
};

struct group {
    const char *title;
    const char *sections[10];
    const struct matrix *matrix;
    const char *about;
};

static const struct group groups[] = {
    {"Compute units and dispatcher", {"gpu"}, NULL, ""},
    {"Issue and latency of instructions",
     {NULL},
     &instructions,
     "A pass takes lanes / simd_lanes cycles. While a longer operation executes, the SIMD unit "
     "issues other work. Sluice chose\nall values:\n\n"
     "| class | instructions | choice |\n|---|---|---|\n"
     "| `alu` | integer, cross-lane, jump, branch | after GCN: full rate, pipelined |\n"
     "| `mul` | integer multiplication | 64 bits from 32-bit multipliers in four passes that do "
     "not overlap |\n"
     "| `div` | integer division | GPUs expand it into a sequence of this length |\n"
     "| `fp32` | single precision, except division and square root | after GCN: full rate, "
     "pipelined |\n"
     "| `fp64` | double precision, with these exceptions; conversion between precisions | after "
     "GCN: quarter rate |\n"
     "| `fpdiv` | floating-point division | about ten multiply-adds with an estimate |\n"
     "| `fpsqrt` | floating-point square root | as `fpdiv` |\n"},
    {"Locks", {"lock"}, NULL, ""},
    {"Aggregator", {"agg", "simple", "core"}, NULL, ""},
    {"Memory system", {"mem", "front", "flat"}, NULL, ""},
    {"L1 caches",
     {"l1d", "l1i", "agg_l1d", "agg_l1i", "front_l1d"},
     &l1_caches,
     "The L1 caches are `l1d` and `l1i` of the compute units, `agg_l1d` and `agg_l1i` of the "
     "aggregator and, with\n`front.memory=coherent`, `front_l1d` of the dispatcher. `agg_l1d` has "
     "`core.mshrs`. Memory `flat` has none of these.\n"},
    {"L2, directory and L3", {"l2", "directory", "l3"}, NULL, ""},
    {"Memory `quickrelease`",
     {"wl1", "wl2", "wl3", "quickrelease"},
     &write_caches,
     "Each compute unit has a write cache `wl1`. All share `wl2`, beside the L2, and `wl3`, in "
     "front of the directory.\nSizes, cycles and FIFOs are those of "
     "[Hechtman14](../know/papers.md#hechtman14) Table 4.1.\n"},
    {"Memory `scoped`", {"scoped"}, NULL, ""},
    {"Memory `hybrid`", {"tracker"}, NULL, ""},
    {"Networks and memory `partition`", {"crossbar", "torus", "partition"}, NULL, ""},
    {"DRAM", {"dram"}, NULL, ""},
    {"Energy",
     {"energy"},
     NULL,
     "Distances of messages, for the energy of memory `hybrid` ([energy.md](energy.md)). They do "
     "not change the simulation.\n"},
    {"Wavefront state pool and task vectors", {"pool", "trees"}, NULL, ""},
    {"Debugging and races", {"debug", "races"}, NULL, ""},
    {"Profiles, reports, traces and samples",
     {"profile", "kernel_profile", "timeline", "report", "trace", "sample", "latency"},
     NULL,
     "These keys do not change the simulation.\n"},
    {"Host library", {"host"}, NULL, "These keys do not change the simulation.\n"},
};

#define GROUP_COUNT (sizeof groups / sizeof groups[0])

/* A sentence of the table as the page has it: a default of our choice is marked at the value. */
struct page_sentence {
    char text[1024];
    bool is_our_choice;
};

static struct page_sentence page_sentence(const char *sentence)
{
    static const char mark[] = "Our choice";
    struct page_sentence page = {.is_our_choice = false};
    const char *choice = strstr(sentence, mark);
    if (choice == NULL) {
        snprintf(page.text, sizeof page.text, "%s", sentence);
        return page;
    }

    page.is_our_choice = true;
    const char *behind = choice + strlen(mark);
    int head = (int)(choice - sentence);
    if (behind[0] == ':') {
        snprintf(page.text, sizeof page.text, "%.*s%s", head, sentence, behind + 2);
        char *const first = &page.text[head];
        if (*first >= 'a' && *first <= 'z' && strncmp(first, "papers/", 7) != 0) {
            *first = (char)(*first - 'a' + 'A');
        }
    } else {
        head -= head > 0; /* the space */
        snprintf(page.text, sizeof page.text, "%.*s%s", head, sentence, behind + 1);
    }
    return page;
}

struct text {
    char text[SL_CONFIG_TEXT_MAX];
};

static struct docgen_name matrix_key(const char *pattern, const char *part)
{
    return docgen_fill(pattern, part, strlen(part));
}

static bool is_in_matrix(const struct matrix *matrix, const char *key)
{
    for (const struct matrix_row *row = matrix->rows; row->pattern != NULL; row++) {
        for (const char *const *part = matrix->parts; *part != NULL; part++) {
            if (strcmp(matrix_key(row->pattern, *part).text, key) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool is_in_some_matrix(const char *key)
{
    for (size_t i = 0; i < GROUP_COUNT; i++) {
        if (groups[i].matrix != NULL && is_in_matrix(groups[i].matrix, key)) {
            return true;
        }
    }
    return false;
}

static struct text range_of(enum sl_config_key key)
{
    const struct sl_config_entry *entry = &sl_config_table[key];
    struct text range = {"text"};
    char word[64];
    char most[32];
    size_t length = 0;
    switch (entry->type) {
    case SL_CONFIG_TYPE_TEXT:
        break;
    case SL_CONFIG_TYPE_CHOICE:
        for (int64_t i = 0; sl_config_choice(entry->choices, i, word, sizeof word); i++) {
            length += (size_t)snprintf(range.text + length, sizeof range.text - length, "%s`%s`",
                                       i == 0 ? "" : ", ", word);
        }
        break;
    default:
        sl_config_format_number(key, entry->least, word, sizeof word);
        sl_config_format_number(key, entry->most, most, sizeof most);
        snprintf(range.text, sizeof range.text, "%s..%s%s", word, most,
                 entry->type == SL_CONFIG_TYPE_POWER ? " (2^n)" : "");
        break;
    }
    return range;
}

#define DEFAULT_MAX 60 /* a longer default goes below the table */

static struct text default_of(enum sl_config_key key)
{
    struct sl_config defaults;
    struct text value;
    sl_config_init(&defaults);
    sl_config_format(key, &defaults, value.text, sizeof value.text);
    return value;
}

static void print_default(enum sl_config_key key)
{
    const struct text value = default_of(key);
    if (value.text[0] == '\0') {
        printf(" |");
    } else if (strlen(value.text) > DEFAULT_MAX) {
        printf(" below |");
    } else {
        printf(" `%s`%s |", value.text,
               page_sentence(sl_config_table[key].sentence).is_our_choice ? "\\*" : "");
    }
}

/* The range of the last column, and those of columns that differ from it. */
static void print_matrix_range(const struct matrix *matrix, const char *pattern)
{
    struct text common = {""};
    for (const char *const *part = matrix->parts; *part != NULL; part++) {
        const int key = sl_config_find(matrix_key(pattern, *part).text);
        if (key >= 0) {
            common = range_of((enum sl_config_key)key);
        }
    }
    printf(" %s", common.text);
    for (const char *const *part = matrix->parts; *part != NULL; part++) {
        const int key = sl_config_find(matrix_key(pattern, *part).text);
        if (key >= 0 && strcmp(range_of((enum sl_config_key)key).text, common.text) != 0) {
            printf(", `%s` %s", *part, range_of((enum sl_config_key)key).text);
        }
    }
    printf(" |");
}

static void print_matrix(const struct matrix *matrix)
{
    printf("\nA column's title replaces `*` in a key: `%s` is `%s` of `%s`.\n\n| key |",
           matrix_key(matrix->rows[0].pattern, matrix->parts[0]).text, matrix->rows[0].pattern,
           matrix->parts[0]);
    for (const char *const *part = matrix->parts; *part != NULL; part++) {
        printf(" `%s` |", *part);
    }
    printf(" range | meaning |\n|---|");
    for (const char *const *part = matrix->parts; *part != NULL; part++) {
        printf("---|");
    }
    printf("---|---|\n");
    for (const struct matrix_row *row = matrix->rows; row->pattern != NULL; row++) {
        printf("| `%s` |", row->pattern);
        for (const char *const *part = matrix->parts; *part != NULL; part++) {
            const int key = sl_config_find(matrix_key(row->pattern, *part).text);
            if (key >= 0) {
                print_default((enum sl_config_key)key);
            } else {
                printf(" |");
            }
        }
        print_matrix_range(matrix, row->pattern);
        printf(" %s |\n", row->meaning);
    }
}

/* Whether a table of a group has the key. */
static bool is_in_group(const struct group *group, const char *key)
{
    for (const char *const *section = group->sections; *section != NULL; section++) {
        if (sl_config_is_in_section(key, *section)) {
            return !is_in_some_matrix(key);
        }
    }
    return false;
}

static bool is_in_some_group(const char *key)
{
    for (size_t i = 0; i < GROUP_COUNT; i++) {
        if (is_in_group(&groups[i], key)) {
            return true;
        }
    }
    return is_in_some_matrix(key);
}

static void print_row(enum sl_config_key key)
{
    const struct sl_config_entry *const entry = &sl_config_table[key];
    const struct page_sentence sentence = page_sentence(entry->sentence);
    printf("| `%s` |", entry->key);
    print_default(key);
    printf(" %s | ", range_of(key).text);
    docgen_cell(sentence.text);
    printf(" |\n");
}

/* What has no room in the cells of a row. */
static bool print_note(enum sl_config_key key, bool is_first)
{
    const struct sl_config_entry *const entry = &sl_config_table[key];
    const struct page_sentence sentence = page_sentence(entry->sentence);
    const struct text value = default_of(key);
    const char *const rest = docgen_rest(sentence.text);
    const bool is_long = strlen(value.text) > DEFAULT_MAX;
    if (rest[0] == '\0' && !is_long) {
        return false;
    }
    printf("%s- `%s`:", is_first ? "\n" : "", entry->key);
    if (is_long) {
        printf(" The default is `%s`.", value.text);
    }
    if (rest[0] != '\0') {
        printf(" ");
        docgen_text(rest);
    }
    printf("\n");
    return true;
}

static void print_table(const struct group *group)
{
    bool is_first = true;
    for (int i = 0; i < SL_CFG_COUNT; i++) {
        if (is_in_group(group, sl_config_table[i].key)) {
            if (is_first) {
                printf("\n| key | default | range | meaning |\n|---|---|---|---|\n");
            }
            is_first = false;
            print_row((enum sl_config_key)i);
        }
    }
    is_first = true;
    for (int i = 0; i < SL_CFG_COUNT; i++) {
        if (is_in_group(group, sl_config_table[i].key)) {
            is_first = !print_note((enum sl_config_key)i, is_first) && is_first;
        }
    }
}

void docgen_configuration_keys(void)
{
    for (size_t i = 0; i < GROUP_COUNT; i++) {
        const struct group *const group = &groups[i];
        printf("\n### %s\n", group->title);
        if (group->about[0] != '\0') {
            printf("\n%s", group->about);
        }
        if (group->matrix != NULL) {
            print_matrix(group->matrix);
        }
        print_table(group);
    }
    for (int i = 0; i < SL_CFG_COUNT; i++) {
        if (!is_in_some_group(sl_config_table[i].key)) {
            printf("\n### Key `%s`\n\n| key | default | range | meaning |\n|---|---|---|---|\n",
                   sl_config_table[i].key);
            print_row((enum sl_config_key)i);
            print_note((enum sl_config_key)i, true);
        }
    }
}
