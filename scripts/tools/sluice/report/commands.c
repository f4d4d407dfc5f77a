/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The command that a report shows, as a shell takes it: what made it, or a panel of it. */
#define _GNU_SOURCE 1
#include "host/base/text.h"
#include "host/base/utf8.h"
#include "report/report.h"

#define COMMAND_BYTES 8192

static void append_words(char *command, const char *option, const json_t *words)
{
    size_t i;
    const json_t *word;

    json_array_foreach(words, i, word)
    {
        sl_text_append(command, COMMAND_BYTES, "%s ", option);
        sl_text_append_quoted(command, COMMAND_BYTES, json_string_value(word));
    }
}

json_t *report_command(const struct report_request *request, const json_t *panels)
{
    char command[COMMAND_BYTES] = "sluice report";

    if (request->seeds != SWEEP_SEEDS_DEFAULT) {
        sl_text_append(command, sizeof command, " --seeds %u", request->seeds);
    }
    append_words(command, " --only", request->only);
    append_words(command, " --config", request->sweep.configs);
    append_words(command, " --set", request->sweep.settings);
    append_words(command, "", panels);
    return sl_json_text(command);
}
