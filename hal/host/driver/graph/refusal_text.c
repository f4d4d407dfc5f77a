/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fills in the explanations of refusals. A place of an explanation is a name in braces: a number of
 * the refusal, in hexadecimal with ":x" behind its name, the scheduling policy that such a number
 * is, the sentence of its code, or a configuration key, for the key and its value. */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "host/base/text.h"
#include "host/driver/graph/refusal_text.h"
#include "sluice/sluice.h"

struct row {
    enum sl_refusal_node node;
    const char *explanation;
    const char *sentence;
};

static const struct row rows[] = {
#define SL_ENUM_BEGIN(name, PREFIX, text)
#define SL_ENUM_VALUE(PREFIX, NAME, value, text)
#define SL_ENUM_END(name)
#define SL_REFUSAL(NAME, value, node, explanation, valid, text)                                    \
    [SL_REFUSE_##NAME] = {SL_REFUSAL_OF_##node, explanation, text},
#include "contract/codes.def"
#undef SL_ENUM_BEGIN
#undef SL_ENUM_VALUE
#undef SL_ENUM_END
};

static const struct row *row_of(enum sl_refusal reason)
{
    static const struct row unknown = {
        SL_REFUSAL_OF_CHANNEL, "{sentence}: {value} against {limit}",
        "an unknown reason; firmware and host library may not be of one build"};
    const bool is_known = reason < sizeof rows / sizeof rows[0] && rows[reason].sentence != NULL;
    return is_known ? &rows[reason] : &unknown;
}

enum sl_refusal_node sl_refusal_node(enum sl_refusal reason)
{
    return row_of(reason)->node;
}

/* Whether a place has this name. */
static bool is_named(const char *place, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(place, name, length) == 0;
}

static bool append_number(const struct sl_config *config, const struct sl_graph_refusal *refusal,
                          const char *place, size_t length, char *out, size_t bytes)
{
    const bool is_hex = length > 2 && memcmp(place + length - 2, ":x", 2) == 0;
    const struct {
        const char *name;
        uint64_t number;
    } numbers[] = {
        {"value", refusal->value},
        {"value.high", refusal->value >> 32},
        {"value.low", refusal->value & UINT32_MAX},
        {"limit", refusal->limit},
        {"node", refusal->node},
        {"lanes", config != NULL ? (uint64_t)config->number[SL_CFG_GPU_LANES] : SL_LANES_MAX},
        {"width_min", SL_CHANNEL_WIDTH_MIN},
        {"width_max", SL_CHANNEL_WIDTH_MAX},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (is_named(place, is_hex ? length - 2 : length, numbers[i].name)) {
            sl_text_append(out, bytes, is_hex ? "0x%" PRIx64 : "%" PRIu64, numbers[i].number);
            return true;
        }
    }
    return false;
}

static bool append_policy(const struct sl_graph_refusal *refusal, const char *place, size_t length,
                          char *out, size_t bytes)
{
    const struct {
        const char *name;
        uint64_t number;
    } policies[] = {
        {"value.policy", refusal->value},
        {"limit.policy", refusal->limit},
        {"node.policy", refusal->node},
    };
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        if (is_named(place, length, policies[i].name)) {
            const uint64_t number = policies[i].number;
            sl_text_append(out, bytes, "%s",
                           number < SL_SCHEDULER_COUNT ? sl_policy_name((unsigned)number) : "?");
            return true;
        }
    }
    return false;
}

/* What is no key either shows as it stands. */
static void append_key(const struct sl_config *config, const char *place, size_t length, char *out,
                       size_t bytes)
{
    for (int key = 0; key < SL_CFG_COUNT; key++) {
        if (is_named(place, length, sl_config_table[key].key)) {
            sl_text_append_setting(config, (enum sl_config_key)key, out, bytes);
            return;
        }
    }
    sl_text_append(out, bytes, "{%.*s}", (int)length, place);
}

void sl_refusal_explain(const struct sl_config *config, const struct sl_graph_refusal *refusal,
                        const char *explanation, char *out, size_t bytes)
{
    const struct row *const row = row_of(refusal->reason);
    const char *at = explanation != NULL ? explanation : row->explanation;
    while (*at != '\0') {
        const size_t plain = strcspn(at, "{");
        sl_text_append(out, bytes, "%.*s", (int)plain, at);
        at += plain;
        if (*at == '{') {
            const size_t length = strcspn(++at, "}");
            if (is_named(at, length, "sentence")) {
                sl_text_append(out, bytes, "%s", row->sentence);
            } else if (!append_number(config, refusal, at, length, out, bytes) &&
                       !append_policy(refusal, at, length, out, bytes)) {
                append_key(config, at, length, out, bytes);
            }
            at += length + 1;
        }
    }
}
