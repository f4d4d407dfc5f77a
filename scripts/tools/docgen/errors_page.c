/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* docs/look-up/errors.md: how programs and QEMU end, why graphs are refused, what ends wavefronts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "docgen.h"

struct refusal_row {
    unsigned value;
    const char *name;
    const char *valid; /* "": no call of the library can cause it */
    const char *sentence;
};

static const struct refusal_row refusals[] = {
#define SL_ENUM_BEGIN(name, PREFIX, text)
#define SL_ENUM_VALUE(PREFIX, NAME, value, text)
#define SL_ENUM_END(name)
#define SL_REFUSAL(NAME, value, node, explanation, valid, text)                                    \
    {value, "SL_REFUSE_" #NAME, valid, text},
#include "contract/codes.def"
#undef SL_ENUM_BEGIN
#undef SL_ENUM_VALUE
#undef SL_ENUM_END
};

#define REFUSALS (sizeof refusals / sizeof refusals[0])

static void print_section(const char *title, const char *introduction, const char *enumeration)
{
    printf("## %s\n\n%s `enum sl_%s`:\n\n", title, introduction, enumeration);
    docgen_enumerators(enumeration);
}

/* A sentence with "misplaced" for what many of them say. */
static void print_cause(const char *sentence)
{
    static const char place[] = " is not inside the shared heap, or not aligned to ";
    const char *const at = strstr(sentence, place);
    if (at == NULL) {
        docgen_text(sentence);
    } else {
        printf("%.*s is misplaced (%d)", (int)(at - sentence), sentence,
               atoi(at + sizeof place - 1));
    }
}

static void print_refusals(void)
{
    printf(
        "## Refusals\n\n"
        "A graph, launch, sequence or task vector with an invalid description is not started. The "
        "host library checks a description, and\nthe firmware checks it again (`enum sl_refusal`). "
        "\"Misplaced (N)\" below: not inside the shared heap, or not aligned to\nN bytes.\n\n"
        "### You can cause these\n\n"
        "The table has what is valid; the message has the invalid value.\n\n"
        "| code | valid |\n|---|---|\n");
    for (size_t i = 0; i < REFUSALS; i++) {
        const struct refusal_row *const row = &refusals[i];
        if (row->valid[0] != '\0') {
            printf("| %u `%s` | ", row->value, row->name);
            docgen_text(row->valid);
            printf(" |\n");
        }
    }
    printf("\n### Only without the library's check\n\n"
           "Only `sl_soc_execute_unchecked()` and similar calls, or your own host, can start such "
           "descriptions.\n\n"
           "| code | cause |\n|---|---|\n");
    for (size_t i = 0; i < REFUSALS; i++) {
        if (refusals[i].valid[0] == '\0') {
            printf("| %u `%s` | ", refusals[i].value, refusals[i].name);
            print_cause(refusals[i].sentence);
            printf(" |\n");
        }
    }
    printf("\n");
}

void docgen_errors(void)
{
    printf("An error message names the object, its value and what is valid. This page lists the "
           "codes of the messages, for\nscripts and for authors of firmware and kernels. "
           "`sluice/codes.h` declares them.\n\n"
           "## Exit statuses of programs\n\n"
           "Programs exit with these statuses; the library returns 0, 2 and 3 in `enum sl_status` "
           "(`sluice/sluice.h`).\n\n"
           "| status | meaning |\n|---:|---|\n"
           "| 0 | The result was checked and is correct. |\n"
           "| 1 | The result is wrong, or `--check-races` found races "
           "([find-races.md](../do/find-races.md)). |\n"
           "| 2 | Usage, configuration or graph is wrong (`SL_ERROR_USAGE`); the run did not "
           "start. |\n"
           "| 3 | The machine failed (`SL_ERROR_MACHINE`): a kernel faulted, the firmware gave up "
           "or trapped, or QEMU ended. |\n\n"
           "Status 3 also means that a file could not be written; the result is still "
           "printed\n([trust.md](../know/trust.md#results)). `SL_ERROR_TIMEOUT` (4) is not an exit "
           "status: a wait returns it after its time limit;\nthe machine still runs.\n\n");
    print_section(
        "Exit statuses of QEMU",
        "Firmware or plugin give these statuses to the QEMU process that the host library starts; "
        "others are not Sluice's. No status proves success; the completion message does.",
        "exit_status");
    print_refusals();
    print_section(
        "Faults",
        "A fault ends the wavefront and its run. The message has kernel, function, source line, "
        "lanes and address, from\n`struct sl_fault` in [registers.md](registers.md).",
        "fault_code");
    print_section(
        "Kernel traps",
        "Codes of `SL_FAULT_TRAP`, with two operands. Kernels raise their own with `sl_trap()`.",
        "trap_code");
    print_section("Failures", "The firmware ended a run without a fault.", "failure");
}
