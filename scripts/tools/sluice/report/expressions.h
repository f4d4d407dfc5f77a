/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What panels make of statistics, as one program of all of a panel's expressions. */
#ifndef SLUICE_CLI_EXPRESSIONS_H
#define SLUICE_CLI_EXPRESSIONS_H

#include <jansson.h>
#include <stdbool.h>

#include "report/panel.h"

#define EXPRESSION_MESSAGE_BYTES 256

struct expressions {
    struct jq_state *jq;
    bool is_compiled;
    char message[EXPRESSION_MESSAGE_BYTES]; /* the first that jq has said, or "" */
};

/* Whether each of the panel's expressions is one. Returns an exit status, with a message. */
int expressions_check(const struct cli_command *command, const struct panel *panel);

/* expressions_close() in any case; where it is no program, `message` says why. */
void expressions_open(struct expressions *expressions, const struct panel *panel);
void expressions_close(struct expressions *expressions);

/* Of {"points": [...], "facts": {...}}: {"values": [{name: value}, by point], "checks": [value]},
 * where a value that failed is {"error": message}. null where there is no result. */
json_t *expressions_apply(struct expressions *expressions, const json_t *input);

#endif
