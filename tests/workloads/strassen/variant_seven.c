/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Strassen's algorithm with seven products on five channel stacks: tasks, two of continuations, and
 * two of additions, which are split until there are enough for all lanes. Scratch memory for all
 * tasks comes from the host. */
#include "workloads/strassen/variant_seven.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/strassen/seven.h"

/* An edge, and the kernel's constant argument that names its stack; 0: it needs none. */
static void connect(struct sl_graph_builder *graph, int from, int to, uint32_t fan_out,
                    uint32_t level_offset, unsigned argument)
{
    sl_graph_output_stack(graph, from, to, fan_out, level_offset);
    if (argument != 0) {
        sl_graph_argument(graph, from, argument, (uint64_t)to);
    }
}

/* Returns the stack of tasks. */
static int build(struct sl_graph_builder *graph, const struct cilk_options *cilk, uint32_t levels)
{
    const size_t task_bytes = sizeof(struct seven_task);
    const size_t part_bytes = sizeof(struct seven_part);
    int begin, multiply, join, add_sums, add_products;

    const int tasks = cilk_tasks(graph, cilk, "tasks", task_bytes, levels, "seven_begin", &begin);
    const int multiplications =
        cilk_joins(graph, cilk, "multiplications", task_bytes, levels, "seven_multiply", &multiply);
    const int joins = cilk_joins(graph, cilk, "joins", task_bytes, levels, "seven_join", &join);
    const int sums =
        cilk_tasks(graph, cilk, "sums", part_bytes, levels + 1, "seven_add_sums", &add_sums);
    const int combinations = cilk_tasks(graph, cilk, "combinations", part_bytes, levels + 1,
                                        "seven_add_products", &add_products);

    connect(graph, begin, sums, 1, 1, 2);
    connect(graph, begin, multiplications, 1, 0, 3);
    connect(graph, add_sums, sums, SEVEN_SPLIT, 1, 0);
    connect(graph, multiply, tasks, SEVEN_PRODUCTS, 1, 2);
    connect(graph, multiply, joins, 1, 0, 3);
    connect(graph, join, combinations, 1, 1, 2);
    connect(graph, add_products, combinations, SEVEN_SPLIT, 1, 0);
    return tasks;
}

enum sl_status variant_seven_run(struct sl_soc *soc, const struct cilk_options *cilk, uint32_t n,
                                 const float *left, const float *right, float *product)
{
    const size_t scratch_bytes = seven_scratch(n) * sizeof(float);
    struct sl_graph_builder *const graph = cilk_begin(soc, cilk, "strassen_seven");
    float *const scratch = scratch_bytes > 0 ? sl_app_alloc(soc, scratch_bytes, 0) : NULL;
    const int tasks = build(graph, cilk, strassen_levels(n));

    *(struct seven_task *)sl_app_put(graph, tasks, 1) =
        (struct seven_task){left, right, product, scratch, n};
    return sl_app_execute(graph);
}

/* ---- the same in plain C ---- */

static void block_in_plain_c(const struct seven_task *task)
{
    for (uint32_t row = 0; row < STRASSEN_BLOCK; row++) {
        for (uint32_t column = 0; column < STRASSEN_BLOCK; column++) {
            float sum = 0;
            for (uint32_t k = 0; k < STRASSEN_BLOCK; k++) {
                sum = fmaf(task->left[row * STRASSEN_BLOCK + k],
                           task->right[k * STRASSEN_BLOCK + column], sum);
            }
            task->product[row * STRASSEN_BLOCK + column] = sum;
        }
    }
}

static void multiply_in_plain_c(const struct seven_task *task)
{
    if (task->n == STRASSEN_BLOCK) {
        block_in_plain_c(task);
        return;
    }
    for (uint32_t place = 0; place < seven_quarter(task->n); place++) {
        seven_sum(task, place);
    }
    for (uint32_t p = 0; p < SEVEN_PRODUCTS; p++) {
        const struct seven_task child = seven_child(task, p);
        multiply_in_plain_c(&child);
    }
    for (uint32_t place = 0; place < seven_quarter(task->n); place++) {
        seven_combine(task, place);
    }
}

bool variant_seven_is_right(uint32_t n, const float *left, const float *right, const float *product)
{
    const size_t count = (size_t)n * n;
    float *const wanted = sl_app_memory(count + seven_scratch(n), sizeof *wanted);
    size_t wrong = 0;

    multiply_in_plain_c(&(struct seven_task){left, right, wanted, wanted + count, n});
    for (size_t i = 0; i < count; i++) {
        if (product[i] != wanted[i] && wrong++ == 0) {
            (void)sl_app_check(false, "place %zu is %a, in plain C %a", i, (double)product[i],
                               (double)wanted[i]);
        }
    }
    free(wanted);
    return wrong == 0;
}

/* N. Higham, Accuracy and Stability of Numerical Algorithms, theorem 23.2: with blocks of side b,
 * the unit roundoff u and the largest magnitude of an element for a norm,
 *
 *     ||error|| <= ((n/b)^log2(12) (b^2 + 5 b) - 5 n) u ||left|| ||right|| + O(u^2)
 *
 * The last term is far less than a thousandth of the first here. */
double variant_seven_bound(uint32_t n)
{
    const double block = STRASSEN_BLOCK;
    const double growth = pow(12, strassen_levels(n) - 1.0);
    return (growth * (block * block + 5 * block) - 5.0 * n) * (FLT_EPSILON / 2) * 1.001;
}
