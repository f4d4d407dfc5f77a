/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Names of the channel variants. */
#include "workloads/common/variant.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "sluice/program.h"

static const struct {
    const char *name;
    uint32_t flags;
} variants[] = {
    {"wavefront", 0},        {"workitem", SL_CHANNEL_WORKITEM}, {"padded", SL_CHANNEL_PADDED},
    {"soa", SL_CHANNEL_SOA}, {"stamped", SL_CHANNEL_STAMPED},
};

bool variant_is_packed(uint32_t flags)
{
    return (flags & (SL_CHANNEL_SOA | SL_CHANNEL_PADDED)) == 0;
}

uint32_t variant_flags(const struct argp_state *state, const char *name, bool has_forms)
{
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        if (strcmp(name, variants[i].name) == 0) {
            if (!has_forms && !variant_is_packed(variants[i].flags)) {
                argp_failure(state, SL_APP_USAGE, 0,
                             "variant '%s' of the channels: this program has kernels for "
                             "wavefront, workitem and stamped only",
                             name);
            }
            return variants[i].flags;
        }
    }
    argp_failure(state, SL_APP_USAGE, 0, "'%s' is no variant of the channels; there are %s", name,
                 VARIANT_NAMES);
    return 0;
}

static void take(const char *what, const char *name, bool has_forms,
                 struct sl_channel_options *channel)
{
    const uint32_t flags =
        variants[sl_argument_choice(what, name, "wavefront|workitem|padded|soa|stamped")].flags;

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

const char *variant_file(const char *name, uint32_t flags, bool has_forms, char *out, size_t bytes)
{
    (void)snprintf(out, bytes, "%s%s%s.elf", name,
                   has_forms && !variant_is_packed(flags) ? "_forms" : "",
                   (flags & SL_CHANNEL_STAMPED) != 0 ? "_stamped" : "");
    return out;
}

const char *variant_kernel(const char *name, uint32_t flags, char *out, size_t bytes)
{
    const char *const suffix = (flags & SL_CHANNEL_SOA) != 0      ? "_soa"
                               : (flags & SL_CHANNEL_PADDED) != 0 ? "_padded"
                                                                  : "";
    (void)snprintf(out, bytes, "%s%s", name, suffix);
    return out;
}
