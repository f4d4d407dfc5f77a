/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* docs/look-up/configuration.md: files, values, presets, every key (configuration_keys.c), the
 * defaults of each core, and what is checked between keys. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "config/config_internal.h"
#include "config/units.h"
#include "configuration_keys.h"
#include "docgen.h"
#include "sluice/config.h"

/* The program that prints this is not the one that reads files: the text is by hand, and
 * tests/static/check_docs.sh asserts that each preset is in it. */
static const char introduction[] =
    "A configuration describes a machine by a value for each key below. It starts with the "
    "defaults (preset\n`isca14`). Option `--config FILE` of a program then sets a file's keys, "
    "`--set section.key=value` sets one key.\nAn error message names the place, the key, the value "
    "and what is valid; the program exits with status 2.\n\n"
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
    "A line is a section, `key = value`, a comment or empty. It has at most 198 characters. A file "
    "sets a key at most once.\nBefore the first section, keys have their full names (`gpu.cus = "
    "4`). A file with an error sets no key.\n\n"
    "FILE is a preset if its name has neither `/` nor `.ini` and no file has it. Presets are in "
    "`sim-soc/configs` of the source tree, or in\n`share/sluice/configs` of an installation:\n\n"
    "| preset | machine |\n|---|---|\n"
    "| `isca14` | the default: [Orr14](../know/papers.md#orr14) Table 2 |\n"
    "| `ideal` | memory `flat`, without caches and contention, and core `simple` |\n"
    "| `qr` | QuickRelease ([Hechtman14](../know/papers.md#hechtman14) Table 4.1): memory "
    "`quickrelease` |\n"
    "| `qr-wt` | write-through counterpart of `qr`: memory `wt` |\n"
    "| `qr-nol1` | like `qr-wt`, with L1 caches for stacks only: memory `nol1` |\n"
    "| `qr-rfo` | read for ownership ([Hechtman14](../know/papers.md#hechtman14) Table 4.1): "
    "memory `moesi` with an L3 |\n"
    "| `mttop` | throughput processor ([Hechtman14](../know/papers.md#hechtman14) Table 3.1), with "
    "coherent memory |\n"
    "| `hrf` | [Hower14](../know/papers.md#hower14) (Table 1): memory `scoped` |\n"
    "| `fermi-locks` | [Ramamurthy11](../know/papers.md#ramamurthy11) (Table 6.1): memory "
    "`partition` |\n"
    "| `hybrid` | [Anssari12](../know/papers.md#anssari12) (Table 4.1): memory `hybrid` with a "
    "sharing tracker and bypass |\n"
    "| `hybrid-base` | baseline of `hybrid`: no tracker, no bypass |\n"
    "| `small` | one compute unit and 64 MiB of DRAM, for quick tests |\n\n"
    "## Values\n\n"
    "Numbers are decimal or hexadecimal (`0x10`). A unit follows, with or without a space. "
    "Decimals are allowed with a unit\nif the value is an integer in the smallest unit (`1.25 "
    "GHz`).\n\n";

static void print_units(const char *what, enum sl_config_type type, const char *remark)
{
    char units[64];
    sl_units_format(type, units, sizeof units);
    printf("| %s | %s | %s |\n", what, units, remark);
}

/* What a choice of `chooser` makes of a key that is not set. */
static void format_preset(enum sl_config_key chooser, int64_t choice, enum sl_config_key key,
                          char *value, size_t bytes)
{
    struct sl_config config;
    sl_config_init(&config);
    config.number[chooser] = choice;
    sl_config_apply_presets(&config);
    sl_config_format(key, &config, value, bytes);
}

/* Whether the choice brings another value than the key has by default. */
static bool is_other(enum sl_config_key chooser, int64_t choice, enum sl_config_key key)
{
    struct sl_config defaults;
    char usual[SL_CONFIG_TEXT_MAX];
    char value[SL_CONFIG_TEXT_MAX];
    sl_config_init(&defaults);
    sl_config_format(key, &defaults, usual, sizeof usual);
    format_preset(chooser, choice, key, value, sizeof value);
    return key != chooser && strcmp(value, usual) != 0;
}

static bool is_any_other(enum sl_config_key chooser, enum sl_config_key key)
{
    char word[64];
    const char *const choices = sl_config_table[chooser].choices;
    for (int64_t choice = 0; sl_config_choice(choices, choice, word, sizeof word); choice++) {
        if (is_other(chooser, choice, key)) {
            return true;
        }
    }
    return false;
}

static void print_preset_row(enum sl_config_key chooser, enum sl_config_key key)
{
    const struct sl_config_entry *const entry = &sl_config_table[chooser];
    char word[64];
    char value[SL_CONFIG_TEXT_MAX];
    printf("| `%s` |", sl_config_table[key].key);
    for (int64_t choice = 0; sl_config_choice(entry->choices, choice, word, sizeof word);
         choice++) {
        if (is_other(chooser, choice, key)) {
            format_preset(chooser, choice, key, value, sizeof value);
            printf(" `%s`", value);
        }
        printf(choice == entry->initial ? "" : " |");
    }
    printf("\n");
}

/* The keys whose defaults the choices of a key change: a column for each choice, empty where the
 * usual default stays. The default choice, which changes nothing, has no column. */
static void print_presets(enum sl_config_key chooser)
{
    const struct sl_config_entry *const entry = &sl_config_table[chooser];
    char rule[64] = "|---|";
    char word[64];
    printf("| key |");
    for (int64_t choice = 0; sl_config_choice(entry->choices, choice, word, sizeof word);
         choice++) {
        if (choice != entry->initial) {
            printf(" `%s` |", word);
            strncat(rule, "---|", sizeof rule - strlen(rule) - 1);
        }
    }
    printf("\n%s\n", rule);
    for (int i = 0; i < SL_CFG_COUNT; i++) {
        if (is_any_other(chooser, (enum sl_config_key)i)) {
            print_preset_row(chooser, (enum sl_config_key)i);
        }
    }
}

void docgen_configuration(void)
{
    printf("%s", introduction);
    printf("| type | units | without a unit |\n|---|---|---|\n");
    print_units("size", SL_CONFIG_TYPE_BYTES, "bytes");
    print_units("time", SL_CONFIG_TYPE_TIME, "an error, except 0");
    print_units("frequency", SL_CONFIG_TYPE_FREQUENCY, "an error");
    printf(
        "\nOther numbers have no unit. A choice is one of the listed words. A text has at most %d "
        "characters; in a file, a `;`\nafter a space starts a comment. The period of a clock is "
        "rounded to whole picoseconds, the unit of simulated time:\n1300 MHz are 769 ps, so "
        "1300.390 MHz. Programs and `sluice config list` print the result.\n\n"
        "## Keys\n\n"
        "`sluice config explain KEY` prints an entry. A range `1..64` includes both ends; `(2^n)` "
        "means powers of two only. The papers\ndo not specify a default with \\*; Sluice chose it. "
        "A table or section named without a paper is in\n[Orr14](../know/papers.md#orr14). Words "
        "such as `moesi:` before a sentence limit the key to that memory system or core\n"
        "model. CU cycles are cycles of `gpu.clock`.\n",
        SL_CONFIG_TEXT_MAX - 1);
    docgen_configuration_keys();
    printf("\n## Defaults by `agg.core`\n\n"
           "Each core sets defaults of `core.*`. The table shows values other than the defaults "
           "above, which are those of core\n`2way-ooo`. A key that is set keeps its value: `--set "
           "agg.core=2way-ooo --set core.rob=96` is that core with a larger\nreorder buffer. "
           "[cores.md](../know/cores.md) describes the models; the values are in "
           "`hal/config/cores.def`.\n\n");
    print_presets(SL_CFG_AGG_CORE);
    printf("\n## Constraints between keys\n\n"
           "- `gpu.simd_lanes` <= `gpu.lanes`; `gpu.simds` <= `gpu.contexts`; `flat.cu_request` <= "
           "`flat.cu`.\n"
           "- With `core.model` `ooo`, `core.mshrs` >= 1.\n"
           "- `gpu.stack` is a multiple of 16 bytes, `dram.size` of 4 MiB; `dram.row` is a power "
           "of two.\n"
           "- `lock.queue` requires `mem.system` `partition` or `flat`.\n"
           "- `l1d.line` and `l2.line` are powers of two, `l1d.line` a multiple of `l2.line`. Both "
           "are 64 B, except with\n  `mem.system` `hybrid`.\n"
           "- With `mem.system` `hybrid` and trackers, `tracker.count` divides `gpu.cus`, "
           "`tracker.sets` and `tracker.banks`;\n  `tracker.sharers` <= compute units of a "
           "tracker; `tracker.banks` <= `tracker.sets`.\n"
           "- The size of a cache is a multiple of its ways x its line; the number of its sets is "
           "a power of two. Each L2 bank (`mem.system` `partition`:\n  slice) has a set.\n"
           "- `pool.blocks` may be less than `gpu.cus` x `gpu.contexts`; it limits resident "
           "wavefronts. A work-group needs\n  a block per wavefront; graphs whose wavefronts wait "
           "for each other can need more. A refusal states the number.\n"
           "- `debug.gdb` is a path, with a slash or without a colon, or ends with a port from 1 "
           "to 65535.\n"
           "- The wavefront state pool leaves at least 1 MiB of DRAM for the shared heap. A block "
           "has 4 KiB, 512 bytes for each\n  lane's registers, 16 for each entry of "
           "`gpu.divergence_spill`, and `gpu.stack` for each lane, rounded up to 4 KiB.\n");
}
