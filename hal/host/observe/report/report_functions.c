/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The firmware's functions in a report: what they have cost, the most expensive first. */
#include <stdlib.h>
#include <string.h>

#include "host/base/cycle_stack.h"
#include "host/base/utf8.h"
#include "host/observe/report/report.h"

struct function_cost {
    const struct sl_elf_function *function;
    uint64_t cycles;
    uint64_t cost[SL_COST_COUNT];
};

static struct function_cost cost_of(const struct sl_report_source *source,
                                    const struct sl_elf_function *function)
{
    struct function_cost sum = {.function = function};
    const uint64_t first = (function->address - SL_FIRMWARE_BASE) / 2;
    for (uint64_t place = first; place < first + function->bytes / 2; place++) {
        const struct sl_profile_place *const at = &source->profile->places[place];
        for (unsigned i = 0; at->function == first + 1 && i < SL_COST_COUNT; i++) {
            sum.cost[i] += at->cost[i];
        }
    }
    sum.cycles = sl_cost_cycles(sum.cost);
    return sum;
}

static int compare_costs(const void *left, const void *right)
{
    const struct function_cost *const x = left;
    const struct function_cost *const y = right;
    if (x->cycles != y->cycles) {
        return x->cycles > y->cycles ? -1 : 1;
    }
    return x->function->address < y->function->address ? -1 : 1;
}

/* The path in the source tree; of a library that was built elsewhere, the name without the folder.
 */
static const char *file_of(const struct sl_report_source *source, uint64_t pc)
{
    const char *const path = sl_code_source(&source->code->names, pc).function_file;
    if (path == NULL) {
        return "";
    }
    return path[0] == '/' ? strrchr(path, '/') + 1 : path;
}

/* The class of the cycle stack that has most of the cycles; of equal ones the first. */
static unsigned largest_class(const struct function_cost *sum)
{
    unsigned largest = SL_COST_STACK;
    for (unsigned i = SL_COST_STACK; i < SL_COST_COUNT; i++) {
        largest = sum->cost[i] > sum->cost[largest] ? i : largest;
    }
    return largest;
}

static json_t *function_json(const struct sl_report_source *source, const struct function_cost *sum)
{
    const unsigned largest = largest_class(sum);
    return json_pack("{s:o,s:o,s:I,s:I,s:s,s:I}", "name", sl_json_text(sum->function->name), "file",
                     sl_json_text(file_of(source, sum->function->address)), "cycles",
                     (json_int_t)sum->cycles, "instructions",
                     (json_int_t)sum->cost[SL_COST_INSTRUCTIONS], "largest",
                     sl_stack_table[largest - SL_COST_STACK].name, "largest_cycles",
                     (json_int_t)sum->cost[largest]);
}

/* Those with any cost, the most expensive first. */
static json_t *functions(const struct sl_report_source *source)
{
    const struct sl_elf *const elf = &source->code->elf;
    struct function_cost *const sums = calloc(elf->function_count + 1, sizeof *sums);
    json_t *const array = json_array();
    size_t count = 0;
    int failed = sums == NULL;
    for (size_t i = 0; failed == 0 && i < elf->function_count; i++) {
        sums[count] = cost_of(source, &elf->functions[i]);
        count += sums[count].cost[SL_COST_INSTRUCTIONS] > 0;
    }
    if (count > 0) {
        qsort(sums, count, sizeof *sums, compare_costs);
    }
    for (size_t i = 0; failed == 0 && i < count; i++) {
        failed = json_array_append_new(array, function_json(source, &sums[i]));
    }
    free(sums);
    if (failed != 0) {
        json_decref(array);
        return NULL;
    }
    return array;
}

int sl_report_put_functions(json_t *data, const struct sl_report_source *source)
{
    return json_object_set_new(data, "functions", functions(source));
}
