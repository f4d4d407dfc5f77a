/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Names, where there are any; else numbers. */
#include <inttypes.h>
#include <stdio.h>

#include "host/base/text.h"
#include "host/driver/code/module.h"
#include "host/driver/graph/graph.h"
#include "host/observe/diagnose/diagnose.h"

const char *sl_launched_kernel(const struct sl_launched *launched, uint64_t kernel)
{
    for (uint32_t i = 0; launched != NULL && i < launched->count; i++) {
        if ((uintptr_t)&launched->launches[i].kernel == kernel) {
            return launched->kernels[i];
        }
    }
    return NULL;
}

const char *sl_kernel_name(const struct sl_message_context *context, uint64_t kernel)
{
    const char *const name = sl_graph_kernel_name_at(context->graph, kernel);
    return name != NULL ? name : sl_launched_kernel(context->launched, kernel);
}

void sl_kernel_text(const struct sl_message_context *context, uint64_t kernel, char *out,
                    size_t bytes)
{
    const char *const name = sl_kernel_name(context, kernel);
    if (name != NULL) {
        (void)snprintf(out, bytes, "kernel %s", name);
    } else if (kernel != 0) {
        (void)snprintf(out, bytes, "the kernel at 0x%" PRIx64, kernel);
    } else {
        (void)snprintf(out, bytes, "a kernel");
    }
}

void sl_place_text(const struct sl_message_context *context, uint64_t pc, char *out, size_t bytes)
{
    if (context->module != NULL) {
        sl_module_describe(context->module, pc, out, bytes);
    } else {
        (void)snprintf(out, bytes, "0x%" PRIx64, pc);
    }
}

void sl_text_append_mask(const char *before, uint64_t lanes, char *out, size_t bytes)
{
    sl_text_append(out, bytes, "%s lane%s ", before, __builtin_popcountll(lanes) == 1 ? "" : "s");
    const char *separator = "";
    for (unsigned lane = 0; lane < SL_LANES_MAX; lane++) {
        if ((lanes >> lane & 1) == 0) {
            continue;
        }
        unsigned last = lane;
        while (last + 1 < SL_LANES_MAX && (lanes >> (last + 1) & 1) != 0) {
            last++;
        }
        sl_text_append(out, bytes, "%s%u", separator, lane);
        if (last > lane) {
            sl_text_append(out, bytes, "-%u", last);
        }
        separator = ",";
        lane = last;
    }
}

void sl_text_append_lanes(uint64_t lanes, const struct sl_config *config, char *out, size_t bytes)
{
    const int count = __builtin_popcountll(lanes);
    if (count == 0) {
        return;
    }
    sl_text_append_mask(",", lanes, out, bytes);
    if (config != NULL) {
        sl_text_append(out, bytes, " (%d of %" PRId64 ")", count, config->number[SL_CFG_GPU_LANES]);
    }
}
