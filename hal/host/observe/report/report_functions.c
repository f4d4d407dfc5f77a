/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The firmware's functions in a report, in two views of the same costs: by the function that
 * contains an instruction, and by the one whose source it is, which may be inlined. In both the
 * most expensive function is first. */
#include <stdlib.h>
#include <string.h>

#include "host/base/cycle_stack.h"
#include "host/base/utf8.h"
#include "host/observe/report/report.h"

#define UNKNOWN "???" /* as in a profile */

struct function_cost {
    struct sl_debug_function function;
    uint64_t cycles;
    uint64_t cost[SL_COST_COUNT];
};

/* Of the instruction at an address. */
typedef struct sl_debug_function view_function(struct sl_code_names *names, uint64_t pc);

/* The path in the source tree; of a library that was built elsewhere, the name without the folder.
 */
static const char *shown_file(const char *path)
{
    if (path == NULL) {
        return "";
    }
    return path[0] == '/' ? strrchr(path, '/') + 1 : path;
}

static int compare_names(const struct function_cost *x, const struct function_cost *y)
{
    const int order = strcmp(x->function.name, y->function.name);
    return order != 0 ? order : strcmp(x->function.path, y->function.path);
}

static int by_name(const void *left, const void *right)
{
    return compare_names(left, right);
}

static int by_cycles(const void *left, const void *right)
{
    const struct function_cost *const x = left;
    const struct function_cost *const y = right;
    if (x->cycles != y->cycles) {
        return x->cycles > y->cycles ? -1 : 1;
    }
    return compare_names(x, y);
}

/* An instruction's cost as that of its function. Returns whether there is any. */
static bool take_place(const struct sl_report_source *source, view_function *view, uint64_t place,
                       struct function_cost *out)
{
    const struct sl_profile_place *const at = &source->profile->places[place];
    const uint64_t cycles = sl_cost_cycles(at->cost);
    if (cycles == 0 && at->cost[SL_COST_INSTRUCTIONS] == 0) {
        return false;
    }
    const struct sl_debug_function function =
        view(&source->code->names, SL_FIRMWARE_BASE + 2 * place);
    *out =
        (struct function_cost){.function = {.name = function.name != NULL ? function.name : UNKNOWN,
                                            .path = shown_file(function.path)},
                               .cycles = cycles};
    memcpy(out->cost, at->cost, sizeof out->cost);
    return true;
}

/* Adds up what has the same name and file, in order of these. Returns how many functions there are.
 */
static size_t merge(struct function_cost *sums, size_t count)
{
    size_t merged = 0;
    for (size_t i = 1; i < count; i++) {
        if (compare_names(&sums[merged], &sums[i]) != 0) {
            sums[++merged] = sums[i];
            continue;
        }
        sums[merged].cycles += sums[i].cycles;
        for (unsigned cost = 0; cost < SL_COST_COUNT; cost++) {
            sums[merged].cost[cost] += sums[i].cost[cost];
        }
    }
    return count > 0 ? merged + 1 : 0;
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

static json_t *function_json(const struct function_cost *sum)
{
    const unsigned largest = largest_class(sum);
    return json_pack("{s:o,s:o,s:I,s:I,s:s,s:I}", "name", sl_json_text(sum->function.name), "file",
                     sl_json_text(sum->function.path), "cycles", (json_int_t)sum->cycles,
                     "instructions", (json_int_t)sum->cost[SL_COST_INSTRUCTIONS], "largest",
                     sl_stack_table[largest - SL_COST_STACK].name, "largest_cycles",
                     (json_int_t)sum->cost[largest]);
}

/* Those with any cost. */
static json_t *functions(const struct sl_report_source *source, view_function *view)
{
    const uint64_t places = sl_firmware_code_places(source->code);
    struct function_cost *const sums = calloc(places + 1, sizeof *sums);
    json_t *const array = json_array();
    size_t count = 0;
    int failed = sums == NULL;
    for (uint64_t place = 0; failed == 0 && place < places; place++) {
        count += take_place(source, view, place, &sums[count]);
    }
    if (failed == 0) {
        count += take_place(source, view, SL_PROFILE_PLACES, &sums[count]);
    }
    if (count > 0) {
        qsort(sums, count, sizeof *sums, by_name);
        count = merge(sums, count);
        qsort(sums, count, sizeof *sums, by_cycles);
    }
    for (size_t i = 0; failed == 0 && i < count; i++) {
        failed = json_array_append_new(array, function_json(&sums[i]));
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
    return json_object_set_new(data, "functions", functions(source, sl_code_function)) |
           json_object_set_new(data, "source_functions",
                               functions(source, sl_code_function_of_source));
}
