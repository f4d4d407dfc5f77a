/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Names of the channel variants. */
#include "workloads/common/variant.h"

#include <limits.h>
#include <stdio.h>

#include "sluice/program.h"

/* In the order of the names that take() knows. */
static const uint32_t variants[] = {0, SL_CHANNEL_WORKITEM, SL_CHANNEL_PADDED, SL_CHANNEL_SOA,
                                    SL_CHANNEL_STAMPED};

bool variant_is_packed(uint32_t flags)
{
    return (flags & (SL_CHANNEL_SOA | SL_CHANNEL_PADDED)) == 0;
}

static void take(const char *what, const char *name, bool has_forms,
                 struct sl_channel_options *channel)
{
    const uint32_t flags =
        variants[sl_argument_choice(what, name, "wavefront|workitem|padded|soa|stamped")];

    if (!has_forms && !variant_is_packed(flags)) {
        sl_argument_fail(
            "%s: '%s': this program has kernels for wavefront, workitem and stamped only", what,
            name);
    }
    channel->flags |= flags;
}

void variant_take(const char *what, const char *text, void *field)
{
    take(what, text, true, field);
}

void variant_take_packed(const char *what, const char *text, void *field)
{
    take(what, text, false, field);
}

void variant_load(struct sl_soc *soc, const char *name, uint32_t flags, bool has_forms)
{
    struct sl_module *module;
    char file[NAME_MAX];

    (void)snprintf(file, sizeof file, "%s%s%s.elf", name,
                   has_forms && !variant_is_packed(flags) ? "_forms" : "",
                   (flags & SL_CHANNEL_STAMPED) != 0 ? "_stamped" : "");
    const enum sl_status status = sl_app_load(soc, file, &module);
    if (status != SL_OK) {
        sl_app_end(soc, status);
    }
}

int variant_kernel(struct sl_graph_builder *graph, const char *name, uint32_t flags)
{
    char kernel[NAME_MAX];

    (void)snprintf(kernel, sizeof kernel, "%s%s", name,
                   (flags & SL_CHANNEL_SOA) != 0      ? "_soa"
                   : (flags & SL_CHANNEL_PADDED) != 0 ? "_padded"
                                                      : "");
    return sl_graph_kernel(graph, kernel);
}
