/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels that fault (docs/know/design.md, "Faults"), one graph for each, and after each a good
 * graph on the same machine. The value is the number of good graphs that were right. The machine's
 * message for a fault goes to standard error; where everything came as it should, the exit status
 * is that of a machine that failed, 3. */
#include <stdio.h>
#include <string.h>

#include "probes/faults/faults.h"
#include "sluice/program.h"
#include "workloads/common/cases.h"

#define POLL_MS 10

#define NONE UINT64_MAX /* the kernel has no argument */

struct fault_kind {
    const char *name;
    const char *kernel;
    uint64_t argument; /* a2 */
    const char *sentence;
};

static const struct fault_kind kinds[] = {
    {"illegal", "fault_illegal", NONE, "an illegal instruction"},
    {"null", "fault_load", 0, "a load from address 0"},
    {"store", "fault_store", 0x40, "a store to address 0x40"},
    {"firmware", "fault_store", SL_FIRMWARE_BASE, "a store to the firmware's memory"},
    {"code", "fault_store", SL_KERNEL_BASE + 8, "a store into the kernel's code"},
    {"mailbox", "fault_store", SL_MAILBOX_BASE, "a store to the mailbox"},
    {"aperture", "fault_load", 0x60000000, "a load from where there is no memory"},
    {"end", "fault_load", SL_DRAM_BASE + SL_DRAM_BYTES_MAX, "a load from behind DRAM"},
    {"misaligned", "fault_load", SL_HEAP_BASE + 2, "a misaligned load"},
    {"jump", "fault_jump", 0x1000, "a call to where there is no code"},
    {"return", "fault_return", 0x1000, "a return to where it did not come from"},
    {"call", "fault_call", NONE, "a call of a kernel, through a pointer"},
    {"loop", "fault_loop", NONE, "a loop without end, up to gpu.cycle_limit"},
    {"stack", "fault_stack", SL_HEAP_BASE, "recursion without end"},
    {"trap", "fault_trap", NONE, "a trap of the kernel's own"},
    {"assert", "fault_assert", NONE, "an assertion that does not hold"},
    {"channel", "fault_channel", NONE, "talloc on a channel that is none"},
    {"fan-out", "fault_fan_out", NONE, "talloc of more elements than the declared fan-out"},
    {"edge-fan-out", "fault_edge_fan_out", NONE,
     "the same where another kernel may allocate as many"},
    {"edge", "fault_edge", NONE, "talloc on a channel to which the kernel has no edge"},
    {"edge-enq", "fault_edge_enq", NONE, "enq on a channel to which the kernel has no edge"},
    {"element", "fault_element", NONE, "enq of what is not an element"},
    {"overflow", "fault_overflow", NONE, "more elements than the channel holds"},
    {"never-freed", "fault_never_freed", NONE, "the same where none is given back"},
};

/* Channels 1 and 2, of a kernel that may put 4 elements per lane into each, and the faulty one 2
 * into the first of them. */
static void add_other(struct sl_graph_builder *graph, int kernel)
{
    static const char *const names[] = {"shared", "foreign"};
    const int other = sl_graph_kernel(graph, "fault_other");
    for (int i = 0; i < 2; i++) {
        const struct sl_channel_options options = {.name = names[i]};
        const int channel = sl_graph_channel(graph, sizeof(struct relay_element), 512, &options);
        sl_graph_connect(graph, channel, other);
        sl_graph_output(graph, other, channel, 4);
        if (i == 0) {
            sl_graph_output(graph, kernel, channel, 2);
        }
    }
}

/* A graph of one wavefront whose kernel faults. */
static struct sl_graph_builder *build_faulty(struct sl_soc *soc, const struct fault_kind *kind)
{
    struct sl_graph_builder *const graph = sl_app_graph(soc);
    const struct sl_channel_options options = {.name = kind->name, .done_group = 1};
    const int channel = sl_graph_channel(graph, sizeof(struct relay_element), 64, &options);
    const int kernel = sl_graph_kernel(graph, kind->kernel);
    if (kind->argument != NONE) {
        sl_graph_argument(graph, kernel, 2, kind->argument);
    }
    sl_graph_connect(graph, channel, kernel);
    sl_graph_output(graph, kernel, channel, 1);
    if (strncmp(kind->name, "edge", 4) == 0) {
        add_other(graph, kernel);
    }
    for (int i = 0; i < FAULTS_ELEMENTS; i++) {
        (void)sl_app_put(graph, channel, 1);
    }
    return graph;
}

/* Says that the graph runs once simulated time is seen to pass: from then on a test may kill. */
static enum sl_status wait_for_end(struct sl_soc *soc)
{
    enum sl_status status = sl_soc_wait(soc, POLL_MS);
    for (int is_said = 0; status == SL_ERROR_TIMEOUT; status = sl_soc_wait(soc, POLL_MS)) {
        if (!is_said && sl_soc_time_ps(soc) > 0) {
            (void)printf("# running, QEMU is process %d\n", sl_soc_qemu_pid(soc));
            (void)fflush(stdout);
            is_said = 1;
        }
    }
    return status;
}

static enum sl_status run_fault(struct sl_soc *soc, size_t number, struct relay *good,
                                bool *is_right)
{
    struct sl_graph_builder *const graph = build_faulty(soc, &kinds[number]);
    enum sl_status status = sl_graph_execute(graph);

    (void)good;
    if (status != SL_OK) {
        return status;
    }
    status = wait_for_end(soc);
    if (!sl_app_check(status != SL_OK, "%s did not fault", kinds[number].name)) {
        return SL_OK;
    }
    (void)sl_app_error(soc, status);
    sl_graph_destroy(graph);
    *is_right = status == SL_ERROR_MACHINE;
    return *is_right ? SL_OK : status;
}

int main(int argc, char **argv)
{
    static const struct cases program = {
        .program = "faults",
        .word = "fault",
        .argument = "FAULT",
        .doc = "Run kernels that fault, and after each a good graph on the same machine.\v"
               "Each run ends with the machine's error: where all are right the exit status is 3.",
        .kernels = "faults.elf",
        CASES(kinds),
        .sentence = offsetof(struct fault_kind, sentence),
        .run = run_fault,
        .exit_status = SL_APP_MACHINE,
    };
    return cases_main(&program, argc, argv);
}
