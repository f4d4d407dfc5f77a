/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* How many subsets of the numbers 1 to N have half of their sum: a graph of one channel, whose
 * kernel, cxx_subsets_kernel.cc, decides for one number at a time whether it is in the subset. A
 * program in C++ on the interface in C: objects own what the library makes, and a status other than
 * SL_OK is an exception up to run(), which returns it. */
#include <algorithm>
#include <cinttypes>
#include <cstddef>
#include <memory>
#include <vector>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/subsets/cxx_subsets.h"

namespace
{

constexpr uint32_t fan_out = 2;
constexpr uint32_t width_min = 1024;

struct arguments {
    uint32_t n;
    struct sl_app_policy policy;
    uint64_t found; /* the result */
};

/* ---- what a program in C++ makes of the library ---- */

void check(enum sl_status status)
{
    if (status != SL_OK) {
        throw status;
    }
}

/* A graph, which ends with its scope. */
class graph
{
  public:
    explicit graph(struct sl_soc *soc) : builder(sl_app_graph(soc))
    {
    }

    template <typename Element> int channel(const char *name, uint32_t width)
    {
        struct sl_channel_options options = {};
        options.name = name;
        return sl_graph_channel(builder.get(), sizeof(Element), width, &options);
    }

    template <typename Element> void put(int channel, const Element &element)
    {
        *static_cast<Element *>(sl_app_put(builder.get(), channel, 1)) = element;
    }

    struct sl_graph_builder *get() const
    {
        return builder.get();
    }

  private:
    struct destroy {
        void operator()(struct sl_graph_builder *made) const
        {
            sl_graph_destroy(made);
        }
    };
    std::unique_ptr<struct sl_graph_builder, destroy> builder;
};

/* An object of C in shared memory, which is freed with its scope. */
template <typename Object> class shared
{
  public:
    explicit shared(struct sl_soc *soc)
        : object(static_cast<Object *>(sl_app_alloc(soc, sizeof(Object), alignof(Object))), {soc})
    {
    }

    Object *operator->() const
    {
        return object.get();
    }
    Object *get() const
    {
        return object.get();
    }

  private:
    struct free {
        struct sl_soc *soc;
        void operator()(Object *memory) const
        {
            sl_free(soc, memory);
        }
    };
    std::unique_ptr<Object, free> object;
};

/* ---- the program ---- */

std::vector<uint32_t> numbers_up_to(uint32_t n)
{
    std::vector<uint32_t> numbers;
    for (uint32_t number = 1; number <= n; number++) {
        numbers.push_back(number);
    }
    return numbers;
}

uint32_t half_of_sum(uint32_t n)
{
    return n * (n + 1) / 4;
}

void execute(struct sl_soc *soc, arguments &arguments)
{
    const std::vector<uint32_t> numbers = numbers_up_to(arguments.n);
    const shared<subsets::problem> problem(soc);
    problem->count = static_cast<uint32_t>(numbers.size());
    std::copy(numbers.begin(), numbers.end(), problem->values);

    /* Parts that are under way at once have no part in common: there are fewer than subsets, and as
     * much again is space that waits to be deallocated in order. */
    const uint32_t width = std::max(width_min, 2u << arguments.n);
    graph graph(soc);
    const int parts = graph.channel<subsets::part>("parts", width);
    const int kernel = sl_graph_kernel(graph.get(), "subsets_kernel");
    sl_graph_value(graph.get(), kernel, 2, SL_VALUE(parts));
    sl_graph_value(graph.get(), kernel, 3, SL_VALUE(problem.get()));
    sl_graph_connect(graph.get(), parts, kernel);
    sl_graph_output(graph.get(), kernel, parts, fan_out);

    sl_app_use_policy(graph.get(), &arguments.policy);

    graph.put(parts, subsets::part{0, half_of_sum(arguments.n)});
    check(sl_app_execute(graph.get()));
    arguments.found = problem->found;
}

enum sl_status run(struct sl_soc *soc, void *input)
{
    auto *const arguments = static_cast<struct arguments *>(input);

    try {
        execute(soc, *arguments);
    } catch (enum sl_status status) {
        return status;
    }
    sl_app_result("cxx_subsets(%" PRIu32 ") = %" PRIu64, arguments->n, arguments->found);
    return SL_OK;
}

/* Subsets by their sums, number after number. */
bool is_right(const void *input)
{
    const auto *const arguments = static_cast<const struct arguments *>(input);
    std::vector<uint64_t> subsets(half_of_sum(arguments->n) + 1, 0);

    subsets[0] = 1;
    for (const uint32_t number : numbers_up_to(arguments->n)) {
        for (size_t sum = subsets.size() - 1; sum >= number; sum--) {
            subsets[sum] += subsets[sum - number];
        }
    }
    return sl_app_check(arguments->found == subsets.back(), "should be %" PRIu64, subsets.back());
}

const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, subsets::numbers_max, SL_INTO(struct arguments, n), nullptr, nullptr,
     nullptr, nullptr},
    SL_POLICY_ROW(struct arguments, policy),
    {},
};

} // namespace

int main(int argc, char **argv)
{
    struct arguments arguments = {};
    struct sl_app app = {};
    app.doc = "Count the subsets of the numbers 1 to N that have half of their sum, rounded down, "
              "on the simulated accelerator, and check it.";
    app.table = table;
    app.arguments = &arguments;
    app.kernels = "cxx_subsets.elf";
    app.run = run;
    app.is_right = is_right;
    return sl_app_main(&app, argc, argv);
}
