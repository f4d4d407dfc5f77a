/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sentences for what the firmware gave up, traps of the firmware itself, and QEMU's end. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "config/number.h"
#include "host/base/text.h"
#include "host/driver/graph/graph.h"
#include "host/driver/machine/machine.h"
#include "host/driver/machine/qemu.h"
#include "host/observe/diagnose/diagnose.h"
#include "sluice/registers.h"

/* Why the firmware refused the host's message to an open graph. */
static void feed_text(const struct sl_message_context *context,
                      const struct sl_message_agg *message, char *out, size_t bytes)
{
    const uint64_t *const argument = message->argument;
    const struct sl_graph_refusal refusal = {(enum sl_refusal)argument[0], (uint32_t)argument[1],
                                             argument[2], argument[3], 0};
    char text[1024] = "";
    sl_graph_refusal_text(context->config, context->graph, &refusal, text, sizeof text);
    (void)snprintf(out, bytes, "the firmware refused what the host put into the open graph: %s",
                   text);
}

static void feed_full_text(const struct sl_message_context *context,
                           const struct sl_message_agg *message, char *out, size_t bytes)
{
    const uint64_t *const argument = message->argument;
    (void)snprintf(out, bytes,
                   "%s cannot take what the host puts in: %" PRIu64 " elements, %" PRIu64
                   " free, and nothing is left to do that could free more",
                   sl_graph_channel_label(context->graph, argument[0]).text, argument[1],
                   argument[2]);
    const uint64_t unfreed = sl_graph_find_shape(context->graph, argument[0]) != NULL
                                 ? sl_graph_unfreed(context->graph, (uint32_t)argument[0])
                                 : 0;
    if (unfreed > 0) {
        sl_text_append(out, bytes,
                       "; %" PRIu64 " elements were never freed: free each (sl_tfree())", unfreed);
    } else {
        sl_text_append(out, bytes, "; use a wider channel");
    }
}

static void stuck_text(const struct sl_message_context *context,
                       const struct sl_message_agg *message, char *out, size_t bytes)
{
    const struct sl_graph_builder *const graph = context->graph;
    const uint64_t *const argument = message->argument;
    (void)snprintf(out, bytes, "%s cannot take what a wavefront demands: ",
                   sl_graph_channel_label(graph, argument[0]).text);
    const struct sl_channel *const channel = sl_graph_find_shape(graph, argument[0]);
    if (channel != NULL) {
        if (channel->levels > 0) {
            sl_text_append(out, bytes, "level %u of %u, ", channel->level, channel->levels);
        }
        sl_text_append(out, bytes, "width %u, ", channel->width);
    }
    sl_text_append(out, bytes,
                   "%" PRIu64 " elements demanded, %" PRIu64
                   " free, and nothing can free more; wavefronts waiting: %" PRIu64,
                   argument[1], argument[2], argument[3]);
    sl_graph_append_space(graph, argument[0], out, bytes);
}

static void books_text(const struct sl_message_context *context,
                       const struct sl_message_agg *message, char *out, size_t bytes)
{
    const uint64_t *const argument = message->argument;
    const char *const sentence = sl_code_sentence(SL_CODE_AUDIT, argument[1]);
    (void)snprintf(out, bytes, "the channel accounting of the graph does not balance: %s: %s",
                   sl_graph_channel_label(context->graph, argument[0]).text,
                   sentence != NULL ? sentence : "a counter says what cannot be");
    if (argument[2] - argument[3] > INT64_MAX) {
        sl_text_append(out, bytes, ": the count has gone back from %" PRIu64 " to %" PRIu64,
                       argument[3], argument[2]);
    } else {
        sl_text_append(out, bytes, ": the count is %" PRIu64 ", where at most %" PRIu64 " can be",
                       argument[2], argument[3]);
    }
    sl_text_append(out, bytes, "; has a kernel overwritten the channel?");
    sl_graph_append_kernels(context->graph, argument[0], out, bytes);
}

/* What a policy chose, and of what; the rules are enum sl_contract. */
static void append_choice(const struct sl_message_context *context, const uint64_t argument[4],
                          char *out, size_t bytes)
{
    const struct sl_graph_label label = sl_graph_channel_label(context->graph, argument[1]);
    const uint64_t said = argument[2];
    const uint64_t allowed = argument[3];

    switch (argument[0]) {
    case SL_CONTRACT_SPACE:
        sl_text_append(out, bytes,
                       "it chose %" PRIu64 " packets, where there is space for %" PRIu64, said,
                       allowed);
        break;
    case SL_CONTRACT_CHANNEL:
        sl_text_append(out, bytes,
                       "it chose elements of channel %" PRIu64 ", where the graph has %" PRIu64
                       " channels",
                       said, allowed);
        break;
    case SL_CONTRACT_COUNT:
        sl_text_append(out, bytes,
                       "it chose %" PRIu64 " elements of %s, of which %" PRIu64 " are ready", said,
                       label.text, allowed);
        break;
    case SL_CONTRACT_GUARD:
        sl_text_append(out, bytes,
                       "it chose %" PRIu64 " elements of %s, whose guards let %" PRIu64
                       " go (guard_ready(), then guard_chosen())",
                       said, label.text, allowed);
        break;
    case SL_CONTRACT_DRAINED:
        sl_text_append(out, bytes,
                       "it chose nothing, though nothing is in flight and %" PRIu64
                       " elements of %s are ready",
                       allowed, label.text);
        break;
    case SL_CONTRACT_POLL:
        sl_text_append(out, bytes,
                       "its poll() has not seen that %" PRIu64 " elements of %s are ready", allowed,
                       label.text);
        break;
    default:
        sl_text_append(out, bytes,
                       "it goes on, though nothing is in flight, ready or waiting (its poll() or "
                       "is_complete())");
        break;
    }
}

static void policy_text(const struct sl_message_context *context,
                        const struct sl_message_agg *message, char *out, size_t bytes)
{
    const char *const name = sl_graph_policy_name(context->graph);

    (void)snprintf(out, bytes, "policy %s broke its contract", name != NULL ? name : "?");
    if (context->soc != NULL) {
        sl_text_append(out, bytes, " in pass %" PRIu64,
                       sl_soc_register(context->soc, SL_REG_STATISTICS + 8 * SL_STAT_AGG_PASSES));
    }
    sl_text_append(out, bytes, ": ");
    append_choice(context, message->argument, out, bytes);
}

/* Of the two reasons the firmware looks at the stack first. */
static void epochs_text(const struct sl_message_agg *message, char *out, size_t bytes)
{
    const uint64_t *const argument = message->argument;
    if (argument[1] > argument[2]) {
        (void)snprintf(out, bytes,
                       "the stack of epochs has %" PRIu64 " entries, and epoch %" PRIu64
                       " needs one more; make it larger",
                       argument[2], argument[0]);
    } else {
        (void)snprintf(out, bytes,
                       "the entries of epoch %" PRIu64 " do not fit into 31 bits: %" PRIu64
                       " functions allow no more epochs one below the other",
                       argument[0], argument[3]);
    }
}

static void trees_text(const struct sl_message_agg *message, char *out, size_t bytes)
{
    const uint64_t *const argument = message->argument;
    const char *const sentence = sl_code_sentence(SL_CODE_TREES_WORD, argument[0]);
    (void)snprintf(out, bytes,
                   "%s of the task vector is %" PRIu64 ", where it can be from %" PRIu64
                   " to %" PRIu64 "; has a kernel overwritten the task vector?",
                   sentence != NULL ? sentence : "a word", argument[1], argument[2], argument[3]);
}

void sl_failure_text(const struct sl_message_context *context, const struct sl_message_agg *message,
                     char *out, size_t bytes)
{
    const uint64_t *const argument = message->argument;
    switch (message->reason) {
    case SL_FAILURE_STUCK:
        stuck_text(context, message, out, bytes);
        break;
    case SL_FAILURE_FEED:
        feed_text(context, message, out, bytes);
        break;
    case SL_FAILURE_FEED_FULL:
        feed_full_text(context, message, out, bytes);
        break;
    case SL_FAILURE_FEED_ORDER:
        (void)snprintf(out, bytes,
                       "%s: %" PRIu64 " control entries before the host's elements were reserved, "
                       "and never published; has a kernel overwritten the channel?",
                       sl_graph_channel_label(context->graph, argument[0]).text, argument[1]);
        break;
    case SL_FAILURE_DEVICE_SILENT:
        (void)sl_number_format(
            out, bytes,
            "the firmware gave up the graph: no progress for %.3f us of simulated time, "
            "with %" PRIu64 " wavefronts resident and %" PRIu64 " packets outstanding",
            (double)argument[0] / 1e6, argument[1], argument[2]);
        break;
    case SL_FAILURE_MESSAGE:
        (void)snprintf(out, bytes,
                       "the firmware does not know host message %" PRIu64
                       "; firmware and host library may not be of one build",
                       argument[0]);
        break;
    case SL_FAILURE_GRID:
        (void)snprintf(out, bytes,
                       "the word at 0x%" PRIx64 " says a grid of %" PRIu64
                       " work-items in x, where the launch allows %" PRIu64 " at most",
                       argument[2], argument[0], argument[1]);
        break;
    case SL_FAILURE_EPOCHS:
        epochs_text(message, out, bytes);
        break;
    case SL_FAILURE_MAPS:
        (void)snprintf(out, bytes,
                       "%" PRIu64 " maps were scheduled, and the task vector has no kernel for "
                       "them: give one to sl_trees_create()",
                       argument[0]);
        break;
    case SL_FAILURE_TREES:
        trees_text(message, out, bytes);
        break;
    case SL_FAILURE_BOOKS:
        books_text(context, message, out, bytes);
        break;
    case SL_FAILURE_POLICY:
        policy_text(context, message, out, bytes);
        break;
    case SL_FAILURE_GUARDS:
        (void)snprintf(out, bytes,
                       "%s: its guards hold back %" PRIu64
                       " ready elements, and nothing is in flight that could let them go",
                       sl_graph_channel_label(context->graph, argument[0]).text, argument[1]);
        break;
    case SL_FAILURE_PROTECTION:
        (void)snprintf(out, bytes,
                       "the firmware found no table of protected memory at 0x%" PRIx64
                       "; firmware and host library may not be of one build",
                       argument[0]);
        break;
    default:
        (void)snprintf(
            out, bytes,
            "the firmware gave up the graph for reason %u, which this library does not know",
            message->reason);
        break;
    }
}

static const char *exception_name(uint64_t cause)
{
    static const char *const names[] = {
#define SL_EXCEPTION(cause, name) [cause] = (name),
#include "contract/exceptions.def"
#undef SL_EXCEPTION
    };
    if (cause < sizeof names / sizeof names[0] && names[cause] != NULL) {
        return names[cause];
    }
    return cause >> 63 ? "interrupt" : "exception";
}

void sl_trapped_text(const struct sl_message_agg *message, char *out, size_t bytes)
{
    const uint64_t *const argument = message->argument;
    (void)snprintf(out, bytes,
                   "the firmware trapped and has stopped: %s (cause %" PRIu64 ") at pc 0x%" PRIx64
                   ", address 0x%" PRIx64 ", ra 0x%" PRIx64 ", sp 0x%" PRIx64,
                   exception_name(argument[0]), argument[0] & ~(UINT64_C(1) << 63), argument[1],
                   argument[2], argument[3], argument[4]);
}

void sl_exit_text(const char *engine, int wait_status, char *out, size_t bytes)
{
    if (wait_status == SL_WAIT_LOST) {
        (void)snprintf(out, bytes,
                       "%s ended, and how is not known: this program ignores SIGCHLD, or waits for "
                       "children that it has not started",
                       engine);
        return;
    }
    if (WIFSIGNALED(wait_status)) {
        const int signal_number = WTERMSIG(wait_status);
        (void)snprintf(out, bytes, "%s was ended by signal %d (%s)", engine, signal_number,
                       strsignal(signal_number));
        return;
    }
    const int status = WEXITSTATUS(wait_status);
    (void)snprintf(out, bytes, "%s ended with exit status %d", engine, status);
    if (status == SL_EXIT_QUIT) {
        /* QEMU's answer to SIGTERM, SIGINT, SIGHUP and its monitor's quit as well. */
        sl_text_append(out, bytes, ", without the host having asked for it");
        return;
    }
    const char *const sentence = sl_code_sentence(SL_CODE_EXIT, (uint64_t)status);
    if (sentence != NULL) {
        sl_text_append(out, bytes, ": %s", sentence);
    }
}
