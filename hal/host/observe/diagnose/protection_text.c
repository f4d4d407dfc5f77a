/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What lies where a lane may not go (docs/know/trust.md). */
#include <inttypes.h>

#include "host/base/text.h"
#include "host/observe/diagnose/diagnose.h"

void sl_text_append_protected(const struct sl_message_context *context,
                              const struct sl_fault *fault, char *out, size_t bytes)
{
    sl_text_append(out, bytes, "; the run may not %s 0x%" PRIx64 " to 0x%" PRIx64,
                   fault->is_store ? "write" : "read", fault->value0, fault->value1 - 1);
    if (context->soc != NULL) {
        sl_text_append(out, bytes, ", and at 0x%" PRIx64 " is ", fault->address);
        sl_text_append_memory(context, fault->address, out, bytes);
    }
}
