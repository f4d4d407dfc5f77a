/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* docs/look-up/configuration.md: files, values, presets, and every key. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "config/config_internal.h"
#include "config/units.h"
#include "docgen.h"
#include "sluice/config.h"

static const struct {
    const char *section;
    const char *title;
} sections[] = {
    {"gpu", "compute units and dispatcher"},
    {"agg", "the aggregator"},
    {"simple", "core model `simple`"},
    {"core", "core models `inorder` and `ooo`; defaults by `agg.core` below"},
    {"lock", "locks of lanes"},
    {"mem", "memory system"},
    {"flat", "memory system `flat`"},
    {"l1d",
     "L1 data caches of the compute units (not of memory system `flat`, as are those that follow)"},
    {"l1i", "instruction cache of the compute units"},
    {"agg_l1d", "L1 data cache of the aggregator"},
    {"agg_l1i", "L1 instruction cache of the aggregator"},
    {"l2", "L2 cache, with the directory in memory system `moesi`"},
    {"directory", "directory of memory system `moesi`"},
    {"wl1", "write caches of the compute units, memory system `quickrelease`"},
    {"wl2", "write cache beside the L2, memory system `quickrelease`"},
    {"wl3", "write cache in front of the directory, memory system `quickrelease`"},
    {"l3", "L3 cache in front of DRAM"},
    {"quickrelease", "memory system `quickrelease`"},
    {"scoped", "memory system `scoped`"},
    {"partition", "memory system `partition`"},
    {"tracker", "sharing trackers, memory system `hybrid`"},
    {"energy",
     "energy, memory system `hybrid` (docs/look-up/energy.md); does not change what is simulated"},
    {"crossbar", "network `crossbar`"},
    {"torus", "network `torus`"},
    {"dram", "DRAM"},
    {"trees", "task vectors (docs/know/trees.md)"},
    {"pool", "wavefront state pool"},
    {"report", "reports of runs; does not change what is simulated"},
    {"latency", "latency of channel elements; does not change what is simulated"},
    {"races", "races (docs/do/find-races.md); does not change what is simulated"},
    {"debug", "debugging; does not change what is simulated"},
    {"host", "what the host library starts; does not change what is simulated"},
};

/* The program that prints this is not the one that reads files: the text is by hand, and
 * tests/static/check_docs.sh asserts that each preset is in it. */
static const char introduction[] =
    "A configuration describes a machine: a value for each of the keys below. It begins with the "
    "defaults (preset\n`isca14`). `--config FILE` of a program reads a file over them, `--set "
    "section.key=value` changes one key. What is wrong is\nan error that names the place, the key, "
    "the value and what would be right; the program ends with status 2.\n\n"
    "| given | message |\n|---|---|\n"
    "| `--config machine.ini` | `machine.ini:7: gpu.cuss: no such key; did you mean gpu.cus?` |\n"
    "| `--set gpu.cus=900` | `--set gpu.cus=900: gpu.cus: 900 is out of range; 1 to 64` |\n"
    "| `--set flat.cu=20` | `--set flat.cu=20: flat.cu: 20 has no unit; ps, ns, us, ms or s` |\n"
    "| `--set gpu.lanes=8` | `--set: gpu.simd_lanes = 16 (default), gpu.lanes = 8: a SIMD unit has "
    "at most as many lanes as a wavefront` |\n\n"
    "## Files\n\n"
    "    ; a comment, to the end of the line; at the start of a line `#` does too\n"
    "    [gpu]\n"
    "    cus = 4            ; key gpu.cus\n"
    "    stack = 2 KiB\n"
    "    [flat]\n"
    "    cu = 25 ns\n\n"
    "A line is a section, `key = value`, a comment or empty, and has at most 198 characters. A "
    "file sets a key once; keys\nthat it does not set keep their values. Above the first section, "
    "keys are written in full (`gpu.cus = 4`). A file with an\nerror changes nothing.\n\n"
    "A name without `/` and `.ini` that is no file is a preset, a file of the source tree's "
    "`sim-soc/configs`, or of an\ninstallation's `share/sluice/configs`:\n\n"
    "| preset | machine |\n|---|---|\n"
    "| `isca14` | Table 2 of the core paper (papers/001), written out in full: the default |\n"
    "| `ideal` | memory without caches and contention, and an aggregator that executes one "
    "instruction at a time: to compare with |\n"
    "| `qr` | the QuickRelease machine of papers/000 (Table 4.1): memory system `quickrelease` |\n"
    "| `qr-wt` | the write-through machine beside it: memory system `wt` |\n"
    "| `qr-nol1` | the same without L1 caches but for stacks: memory system `nol1` |\n"
    "| `qr-rfo` | the read-for-ownership machine of papers/000 (Table 4.1): memory system `moesi` "
    "with an L3 |\n"
    "| `mttop` | the throughput processor of papers/000 (Table 3.1), whose memory is coherent |\n"
    "| `hrf` | the machine of papers/002 (Table 1): memory system `scoped` |\n"
    "| `fermi-locks` | the machine of papers/004 (Table 6.1): memory system `partition` |\n"
    "| `hybrid` | the design that papers/003 proposes (Table 4.1): memory system `hybrid` with a "
    "sharing tracker and bypass |\n"
    "| `hybrid-base` | the conventional one that it compares with: without these two |\n"
    "| `small` | one compute unit and 64 MiB of DRAM, for quick tests |\n\n"
    "## Values\n\n"
    "Numbers are decimal or hexadecimal (`0x10`). A unit follows, with or without a space; with "
    "one, decimals are allowed\nas long as the value comes out whole in the smallest unit (`1.25 "
    "GHz`).\n\n";

static void print_units(const char *what, enum sl_config_type type, const char *remark)
{
    char units[64];
    sl_units_format(type, units, sizeof units);
    printf("| %s | %s | %s |\n", what, units, remark);
}

static const char *type_name(enum sl_config_type type)
{
    switch (type) {
    case SL_CONFIG_TYPE_COUNT:
        return "number";
    case SL_CONFIG_TYPE_POWER:
        return "power of two";
    case SL_CONFIG_TYPE_BYTES:
        return "size";
    case SL_CONFIG_TYPE_TIME:
        return "time";
    case SL_CONFIG_TYPE_FREQUENCY:
        return "frequency";
    case SL_CONFIG_TYPE_CHOICE:
        return "choice";
    case SL_CONFIG_TYPE_TEXT:
        return "text";
    }
    return "";
}

static void print_range(enum sl_config_key key)
{
    const struct sl_config_entry *entry = &sl_config_table[key];
    char least[32];
    char most[32];
    switch (entry->type) {
    case SL_CONFIG_TYPE_TEXT:
        break;
    case SL_CONFIG_TYPE_CHOICE:
        for (const char *word = entry->choices; *word != '\0';) {
            size_t length = strcspn(word, " ");
            printf("%s`%.*s`", word == entry->choices ? "" : ", ", (int)length, word);
            word += length + (word[length] == ' ');
        }
        break;
    default:
        sl_config_format_number(key, entry->least, least, sizeof least);
        sl_config_format_number(key, entry->most, most, sizeof most);
        printf("%s to %s", least, most);
        break;
    }
}

static void print_section_title(const char *key)
{
    const char *title = "";
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        if (sl_config_is_in_section(key, sections[i].section)) {
            title = sections[i].title;
        }
    }
    printf(
        "\n### [%.*s]%s%s\n\n| key | type | default | range | meaning |\n|---|---|---|---|---|\n",
        sl_config_section_length(key), key, title[0] == '\0' ? "" : ": ", title);
}

static void print_keys(void)
{
    struct sl_config defaults;
    sl_config_init(&defaults);
    const char *last = "";
    for (int i = 0; i < SL_CFG_COUNT; i++) {
        enum sl_config_key key = (enum sl_config_key)i;
        const struct sl_config_entry *entry = &sl_config_table[key];
        size_t length = (size_t)sl_config_section_length(entry->key);
        if (strncmp(last, entry->key, length + 1) != 0) { /* up to the dot */
            print_section_title(entry->key);
        }
        last = entry->key;

        char value[SL_CONFIG_TEXT_MAX];
        sl_config_format(key, &defaults, value, sizeof value);
        printf("| `%s` | %s | %s%s%s | ", entry->key, type_name(entry->type),
               value[0] == '\0' ? "" : "`", value, value[0] == '\0' ? "" : "`");
        print_range(key);
        printf(" | ");
        docgen_text(entry->sentence);
        printf(" |\n");
    }
}

/* Whether some choice of the key brings a default of `other`. */
static bool has_preset(enum sl_config_key chooser, enum sl_config_key other)
{
    for (size_t i = 0; i < sl_config_preset_count; i++) {
        if (sl_config_presets[i].chooser == chooser && sl_config_presets[i].key == other) {
            return true;
        }
    }
    return false;
}

/* The defaults that the choices of a key bring with them: a column for each choice. */
static void print_presets(enum sl_config_key chooser)
{
    const char *choices = sl_config_table[chooser].choices;
    char word[64];

    printf("| key |");
    for (int64_t choice = 0; sl_config_choice(choices, choice, word, sizeof word); choice++) {
        printf(" `%s` |", word);
    }
    printf("\n|---|");
    for (int64_t choice = 0; sl_config_choice(choices, choice, word, sizeof word); choice++) {
        printf("---|");
    }
    printf("\n");
    for (int i = 0; i < SL_CFG_COUNT; i++) {
        enum sl_config_key key = (enum sl_config_key)i;
        if (!has_preset(chooser, key)) {
            continue;
        }
        printf("| `%s` |", sl_config_table[key].key);
        for (int64_t choice = 0; sl_config_choice(choices, choice, word, sizeof word); choice++) {
            struct sl_config config;
            char value[SL_CONFIG_TEXT_MAX];
            sl_config_init(&config);
            config.number[chooser] = choice;
            sl_config_apply_presets(&config);
            sl_config_format(key, &config, value, sizeof value);
            printf(sl_config_preset_of(&config, key) != NULL ? " `%s` |" : " %s |", value);
        }
        printf("\n");
    }
}

void docgen_configuration(void)
{
    docgen_title("Configuration", "`hal/include/sluice/config.def`");
    printf("%s", introduction);
    printf("| type | units | without a unit |\n|---|---|---|\n");
    printf("| number, power of two | none | |\n");
    print_units("size", SL_CONFIG_TYPE_BYTES, "bytes");
    print_units("time", SL_CONFIG_TYPE_TIME, "an error, but for 0");
    print_units("frequency", SL_CONFIG_TYPE_FREQUENCY, "an error");
    printf(
        "\nA choice is one of the words listed. A text is taken as it stands, up to %d "
        "characters; in a file, a `;` after a space\nbegins a comment. The period of a clock is "
        "rounded to "
        "whole picoseconds, in which simulated\ntime is counted: 1300 MHz are 769 ps, so 1300.390 "
        "MHz. Programs and `sluice config list` print what comes of it.\n\n"
        "## Keys\n\n"
        "Tables and sections that a sentence names without a paper are those of the core paper "
        "([papers.md](../know/papers.md#orr14)).\n",
        SL_CONFIG_TEXT_MAX - 1);
    print_keys();
    printf("\n## Defaults that `agg.core` brings\n\n"
           "`--set agg.core=2way-ooo` gives the keys below the values in its column; those that "
           "are not marked as code are the\ndefaults above. A key that is set itself keeps its "
           "value, whether it is set before or after: `--set agg.core=2way-ooo\n--set core.rob=96` "
           "is that core with a larger reorder buffer. The tables are in `hal/config/cores.def`; "
           "the models are\ndescribed in [cores.md](../know/cores.md).\n\n");
    print_presets(SL_CFG_AGG_CORE);
    printf("\n## What must hold between keys\n\n"
           "- `gpu.simd_lanes` is at most `gpu.lanes`; `gpu.simds` at most `gpu.contexts`.\n"
           "- `flat.cu_request` is at most `flat.cu`.\n"
           "- With `core.model` `ooo`, `core.mshrs` is at least 1.\n"
           "- `gpu.stack` is a multiple of 16 bytes, `dram.size` of 4 MiB; `dram.row` is a power "
           "of two.\n"
           "- `lock.queue` is on with `mem.system` `partition` and `flat` only.\n"
           "- `l1d.line` and `l2.line` are powers of two, the first a multiple of the second, and "
           "64 B but with `mem.system` `hybrid`.\n"
           "- With `mem.system` `hybrid` and trackers, `tracker.count` divides `gpu.cus`, "
           "`tracker.sets` and `tracker.banks`;\n  `tracker.sharers` is at most the compute units "
           "of a tracker; `tracker.banks` is at most `tracker.sets`.\n"
           "- The size of each cache is a multiple of its ways x its line, and its sets are a "
           "power of two; each L2 bank has a set,\n  with `mem.system` `partition` each slice.\n"
           "- `pool.blocks` may be less than `gpu.cus` x `gpu.contexts`: so many wavefronts are "
           "resident at most. A graph whose\n  wavefronts wait for each other, and a work-group "
           "with more wavefronts, need more, and are refused with the number.\n"
           "- `debug.gdb` is a path, with a slash or without a colon, or ends with a port from 1 "
           "to 65535.\n"
           "- The wavefront state pool leaves at least 1 MiB of DRAM for the shared heap. A block "
           "of it is 4 KiB, 512 bytes for\n  each lane's registers, 16 for each entry of "
           "`gpu.divergence_spill`, and `gpu.stack` for each lane, rounded up to 4 KiB.\n");
}
