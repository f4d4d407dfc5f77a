/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* docs/look-up/errors.md: how programs and QEMU end, why graphs are refused, what ends wavefronts.
 */
#include <stdio.h>

#include "docgen.h"

static void print_section(const char *title, const char *introduction, const char *enumeration)
{
    printf("## %s\n\n%s\n\n", title, introduction);
    docgen_enumeration(enumeration);
}

void docgen_errors(void)
{
    docgen_title("Errors", "`hal/contract/codes.def`");
    printf(
        "Every error message names the thing, its value and what would be right. This page "
        "lists the codes behind the\nmessages, for scripts and for those who write firmware or "
        "kernels.\n\n"
        "## Exit statuses of programs\n\n"
        "The host library returns them as `enum sl_status` (`sluice/sluice.h`); the test programs "
        "end with them.\n\n"
        "| status | meaning |\n|---:|---|\n"
        "| 0 | The result was checked and is right. |\n"
        "| 1 | The result is wrong, or `--check-races` has found races "
        "([find-races.md](../do/find-races.md)). |\n"
        "| 2 | The usage, the configuration or the graph is wrong (`SL_ERROR_USAGE`): nothing "
        "ran. |\n"
        "| 3 | The machine failed (`SL_ERROR_MACHINE`): a kernel faulted, the firmware gave up "
        "or trapped, QEMU ended, a file could not be written, because the disk is full for one "
        "(the result is printed all the same, [trust.md](../know/trust.md#results)). |\n\n"
        "`SL_ERROR_TIMEOUT` (4) is returned by a wait whose limit passed while the machine "
        "still runs; it is no exit status.\n\n");
    print_section(
        "Exit statuses of QEMU",
        "How the process that the host library starts ends, when the firmware or the plugin ends "
        "it. Any other status, or a\nsignal, is QEMU's own or somebody else's doing.",
        "exit_status");
    print_section("Refusals",
                  "A graph that is described badly is not started. The host library checks it, and "
                  "the firmware checks it again.",
                  "refusal");
    print_section("Faults",
                  "A fault ends the wavefront and with it the graph. The message has kernel, "
                  "function, source line, lanes and address;\n`struct sl_fault` in "
                  "[registers.md](registers.md) is the record behind it.",
                  "fault_code");
    print_section("Kernel traps",
                  "The code of a fault `SL_FAULT_TRAP`, with two operands. Kernels raise their own "
                  "with `sl_trap()`.",
                  "trap_code");
    print_section("Failures", "When the firmware ends a graph for another reason than a fault.",
                  "failure");
}
