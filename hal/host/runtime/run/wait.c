/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Waiting for the firmware, and what its messages mean for the host program.
 *
 * A wait sleeps on the tail of the firmware's mailbox ring, in slices: QEMU's end wakes it too, but
 * a wake that comes just before the sleep is lost, and the next slice sees the end. What QEMU wrote
 * before its end is read before the end is reported, so that a trapped firmware still says why. */
#include "host/runtime/run/run.h"

#include <string.h>
#include <sys/wait.h>

#include "host/base/text.h"
#include "host/driver/graph/graph.h"
#include "host/driver/machine/futex.h"
#include "sluice/registers.h"

#define SLICE_MS 100

/* Of a deadlock, as many wavefronts are described. */
#define DEADLOCK_WAVES 8

/* The running graph, if there is one, ends otherwise than by completion. */
static void mark_broken(struct sl_soc *soc)
{
    struct sl_graph_builder *const graph = sl_graph_at(soc, soc->run->graph);
    if (soc->is_running && graph != NULL) {
        sl_graph_set_broken(graph);
    }
}

/* The firmware or QEMU is beyond use, and what runs ends with the message that is there. */
static enum sl_status give_up(struct sl_soc *soc)
{
    mark_broken(soc);
    soc->run->feed.is_open = false;
    soc->run->feed.is_asked = false;
    return sl_soc_end(soc);
}

/* What runs is to end at once; other threads that wait for it learn why. */
static void abandon(struct sl_soc *soc)
{
    struct sl_run_end *const end = &soc->run->end;
    end->sequence = soc->run->sequence;
    end->status = sl_soc_fail(soc, SL_ERROR_USAGE, "the graph was destroyed while it ran");
    memcpy(end->error, soc->error, sizeof end->error);
    (void)give_up(soc);
}

void sl_graph_destroy(struct sl_graph_builder *graph)
{
    if (graph == NULL) {
        return;
    }
    struct sl_soc *const soc = sl_graph_soc(graph);
    SL_HOLD(soc);
    if (soc->is_running && sl_graph_at(soc, soc->run->graph) == graph) {
        abandon(soc);
    }
    sl_graph_free(graph);
}

static enum sl_status handle_refused(struct sl_soc *soc, const struct sl_message_agg *message)
{
    const struct sl_graph_refusal refusal = {(enum sl_refusal)message->reason, message->node,
                                             message->argument[0], message->argument[1],
                                             (uint32_t)message->argument[6]};
    const struct sl_run *const run = soc->run;
    char text[1024] = "";
    sl_run_refusal_text(soc, run->kind->type, sl_graph_at(soc, run->graph), &refusal, text,
                        sizeof text);
    return sl_soc_fail(soc, SL_ERROR_USAGE, "the firmware refused the %s: %s", run->kind->name,
                       text);
}

/* The device's record of a fault, by its number; NULL where there is none. They stay in firmware's
 * memory until the next run. */
static const struct sl_fault *fault_record(const struct sl_soc *soc, uint64_t number)
{
    const uint64_t base = sl_soc_register(soc, SL_REG_FAULT_BASE);
    const uint64_t bytes = SL_FAULT_ENTRIES * sizeof(struct sl_fault);

    if (number >= SL_FAULT_ENTRIES || base % 8 != 0 || base < SL_FIRMWARE_BASE ||
        base > SL_MAILBOX_BASE - bytes) {
        return NULL;
    }
    return (const struct sl_fault *)(uintptr_t)base + number;
}

/* Describes wavefronts of a deadlock, of the second one on. Returns how many it has described. */
static uint64_t append_deadlock(const struct sl_soc *soc, const struct sl_message_context *context,
                                uint64_t count, char *out, size_t bytes)
{
    uint64_t number = 1;
    for (; number < count && number < DEADLOCK_WAVES; number++) {
        const struct sl_fault *const fault = fault_record(soc, number);
        char text[1024];
        if (fault == NULL || fault->code != SL_FAULT_DEADLOCK) {
            break;
        }
        sl_deadlock_text(context, fault, text, sizeof text);
        sl_text_append(out, bytes, "; %s", text);
    }
    return number - 1;
}

/* The run was ended by what went wrong in it. */
static enum sl_status handle_failure(struct sl_soc *soc, const struct sl_message_agg *message)
{
    const struct sl_run *const run = soc->run;
    const struct sl_message_context context = sl_run_context(soc);
    char text[4096] = "";
    if (message->type == SL_AGG_FAULTED) {
        unsigned long long count = message->argument[0];
        sl_fault_text(&context, &message->fault, text, sizeof text);
        if (message->fault.code == SL_FAULT_DEADLOCK) {
            count -= append_deadlock(soc, &context, count, text, sizeof text);
        }
        if (count > 1) {
            sl_text_append(text, sizeof text, "; %llu more wavefront%s faulted", count - 1,
                           count == 2 ? "" : "s");
        }
    } else {
        sl_failure_text(&context, message, text, sizeof text);
    }
    if (run->kind->append_position != NULL && message->reason != SL_FAILURE_MESSAGE) {
        run->kind->append_position(&run->launched, message, text, sizeof text);
    }
    return sl_soc_fail(soc, SL_ERROR_MACHINE, "%s", text);
}

static enum sl_status handle_trapped(struct sl_soc *soc, const struct sl_message_agg *message)
{
    char text[4096];
    sl_trapped_text(message, text, sizeof text);
    sl_text_append_trap(&soc->config, message->argument[1], text, sizeof text);
    (void)sl_soc_fail(soc, SL_ERROR_MACHINE, "%s", text);
    sl_soc_append_console(soc);
    return give_up(soc);
}

static void take_report(struct sl_run *run, const struct sl_message_agg *message)
{
    run->feed.is_asked = false;
    run->feed.state = (struct sl_graph_state){
        .time_ps = message->argument[0],
        .elements = message->argument[1],
        .dropped = message->argument[2],
    };
}

/* The run is complete, says the firmware: whether its graph's accounting says so too. */
static enum sl_status handle_complete(struct sl_soc *soc, const struct sl_message_agg *message)
{
    struct sl_run *const run = soc->run;
    struct sl_graph_builder *const graph = sl_graph_at(soc, run->graph);
    run->counts = (struct sl_completion_counts){message->argument[0], message->argument[1],
                                                message->argument[2]};
    if (soc->config.number[SL_CFG_DEBUG_REGISTERS] == SL_DEBUG_REGISTERS_FAIL) {
        char stray[1024] = "";
        sl_text_append_stray(soc, "", stray, sizeof stray);
        if (stray[0] != '\0') {
            return sl_soc_fail(soc, SL_ERROR_MACHINE, "%s", stray);
        }
    }
    if (graph == NULL) {
        return SL_OK;
    }
    const enum sl_status status = sl_graph_check_end(graph, run->counts.elements);
    return status == SL_OK && soc->config.number[SL_CFG_DEBUG_AUDIT] != SL_DEBUG_AUDIT_OFF
               ? sl_graph_audit(graph, run->counts.elements)
               : status;
}

/* A message that ends the graph. */
static enum sl_status handle_end(struct sl_soc *soc, const struct sl_message_agg *message)
{
    struct sl_run *const run = soc->run;
    if (message->type == SL_AGG_FAULTED || message->type == SL_AGG_FAILED) {
        mark_broken(soc);
    }
    if (message->type != SL_AGG_REFUSED) {
        sl_run_take_results(soc, message->type == SL_AGG_COMPLETE);
    }
    soc->is_running = false;
    run->feed.is_open = false;
    run->feed.is_asked = false;
    sl_print_show(&run->print, true);
    switch (message->type) {
    case SL_AGG_COMPLETE:
        return handle_complete(soc, message);
    case SL_AGG_REFUSED:
        return handle_refused(soc, message);
    default:
        return handle_failure(soc, message);
    }
}

/* Handles one message. *is_over says whether what the host waits for has come; the result is its.
 */
static enum sl_status handle(struct sl_soc *soc, const struct sl_message_agg *message,
                             bool *is_over)
{
    *is_over = true;
    switch (message->type) {
    case SL_AGG_READY:
        if (!soc->is_ready) {
            soc->is_ready = true;
            return SL_OK;
        }
        break;
    case SL_AGG_COMPLETE:
    case SL_AGG_REFUSED:
    case SL_AGG_FAULTED:
    case SL_AGG_FAILED:
        if (soc->is_running && message->sequence == soc->run->sequence) {
            return handle_end(soc, message);
        }
        break;
    case SL_AGG_REPORT:
        if (soc->run->feed.is_asked && message->sequence == soc->run->sequence) {
            take_report(soc->run, message);
            return SL_OK;
        }
        break;
    case SL_AGG_TRAPPED:
        return handle_trapped(soc, message);
    default:
        break;
    }
    (void)sl_soc_fail(soc, SL_ERROR_MACHINE,
                      "the firmware sent message %u with sequence %u, which answers nothing that "
                      "the host asked; firmware and host library may not be of one build",
                      message->type, message->sequence);
    return give_up(soc);
}

static enum sl_status handle_death(struct sl_soc *soc, int wait_status)
{
    char text[4096];
    soc->run->deaths++;
    sl_print_show(&soc->run->print, true);
    if (soc->process.is_other) {
        (void)sl_soc_fail(soc, SL_ERROR_USAGE, "%s", soc->process.error);
        (void)give_up(soc);
        return SL_ERROR_USAGE;
    }
    sl_exit_text(sl_engine_name(&soc->config), wait_status, text, sizeof text);
    if (WIFEXITED(wait_status)) {
        sl_text_append_hang(soc, WEXITSTATUS(wait_status), text, sizeof text);
    }
    sl_text_append_stray(soc, "; ", text, sizeof text);
    (void)sl_soc_fail(soc, SL_ERROR_MACHINE, "%s: %s",
                      soc->is_ready ? "the machine ended" : "the machine did not boot", text);
    sl_soc_append_log(soc);
    sl_soc_append_console(soc);
    return give_up(soc);
}

/* Where simulated time has stood still for host.stall_limit, and nobody else is to blame. */
static bool has_stalled(struct sl_soc *soc, struct sl_process_look *look)
{
    struct sl_stall_watch *const stall = &soc->run->stall;
    const int64_t limit_ms = soc->config.number[SL_CFG_HOST_STALL_LIMIT] / 1000000000;
    const int64_t still_ms = sl_stall_watch_look(stall, sl_soc_time_ps(soc), sl_wall_ms());
    const pid_t qemu = sl_soc_simulator(soc);
    if (still_ms > 0 && stall->cpu_from_ms < 0) {
        stall->cpu_from_ms = sl_process_look_at(qemu).cpu_ms;
    }
    if (still_ms < limit_ms) {
        return false;
    }
    *look = sl_process_look_at(qemu);
    if (look->state == 0) {
        *look = sl_process_look_at(sl_soc_qemu_pid(soc)); /* its own id is of another namespace */
    }
    if (sl_observe_is_awaited(&soc->run->observation) ||
        sl_debugger_is_connected(soc->config.text[SL_CFG_DEBUG_GDB], qemu)) {
        sl_stall_watch_begin(stall);
        return false;
    }
    return sl_stall_watch_is_real(stall, look, limit_ms);
}

/* The run ends, and QEMU with it: it does not answer, so that it is not asked. */
static enum sl_status handle_stall(struct sl_soc *soc, const struct sl_process_look *look)
{
    const struct sl_stall_watch *const stall = &soc->run->stall;
    char text[512];
    sl_stall_watch_text(stall, look, text, sizeof text);
    (void)sl_soc_fail(
        soc, SL_ERROR_MACHINE,
        "simulated time has stood still at %.3f us for %.1f s (host.stall_limit), and "
        "%s, process %d, was killed: %s",
        (double)stall->time_ps / 1e6, (double)stall->still_ms / 1e3, sl_engine_name(&soc->config),
        (int)sl_soc_simulator(soc), text);
    sl_soc_append_log(soc);
    sl_soc_append_console(soc);
    sl_process_kill(&soc->process);
    return give_up(soc);
}

/* Whether another thread has seen the end of this run, or of a later one. */
static bool has_been_ended(const struct sl_soc *soc, uint32_t sequence)
{
    return (int32_t)(soc->run->end.sequence - sequence) >= 0;
}

static enum sl_status end_again(struct sl_soc *soc)
{
    const struct sl_run_end *const end = &soc->run->end;
    return end->status == SL_OK ? SL_OK : sl_soc_fail(soc, end->status, "%s", end->error);
}

/* Whether a message has to wait: the run's end has come, and trace or samples lack a part of it.
 * They may be read as slowly as their readers like. */
static bool is_early(struct sl_soc *soc, const struct sl_message_agg *message)
{
    const bool has_results = message->type == SL_AGG_COMPLETE || message->type == SL_AGG_FAULTED ||
                             message->type == SL_AGG_FAILED;
    return has_results && soc->is_running && message->sequence == soc->run->sequence &&
           !sl_observe_has_records(&soc->run->observation);
}

enum what { A_MESSAGE, SPACE, RECORDS };

/* Sleeps for so long, or until there is something to look at. Other threads may have the machine
 * meanwhile; not where it boots for a run that is to begin. */
static void rest(struct sl_soc *soc, enum what what, int limit_ms)
{
    const struct sl_mailbox *const mailbox = soc->mailbox;
    const unsigned held = soc->is_running ? sl_soc_step_aside(soc) : 0;
    if (what == RECORDS) {
        sl_observe_sleep(&soc->run->observation, limit_ms);
    } else if (what == SPACE) {
        sl_mailbox_sleep_full(mailbox, limit_ms);
    } else {
        sl_mailbox_sleep(mailbox, limit_ms);
    }
    sl_soc_come_back(soc, held);
}

/* Waits for a message that ends the current wait; or for space, or such a message.
 * deadline_ms: as sl_wall_ms(), negative for none. */
static enum sl_status wait_once(struct sl_soc *soc, enum what what, int64_t deadline_ms)
{
    struct sl_mailbox *const mailbox = soc->mailbox;
    const uint32_t sequence = soc->run->sequence;
    const bool is_run = soc->is_running;
    for (;;) {
        if (is_run && has_been_ended(soc, sequence)) {
            return end_again(soc);
        }
        int wait_status = 0;
        sl_print_show(&soc->run->print, false);
        const bool has_ended = sl_process_has_ended(&soc->process, &wait_status);
        struct sl_message_agg message;
        const enum sl_mailbox_result result = sl_mailbox_peek(mailbox, &message);
        if (result == SL_MAILBOX_CORRUPT) {
            (void)sl_soc_fail(
                soc, SL_ERROR_MACHINE,
                "the firmware's mailbox ring is corrupt: tail %u, head %u, %d entries",
                mailbox->agg_tail, mailbox->agg_head, SL_MAILBOX_ENTRIES);
            return give_up(soc);
        }
        const bool has_to_wait = result == SL_MAILBOX_MESSAGE && is_early(soc, &message);
        if (result == SL_MAILBOX_MESSAGE && !has_to_wait) {
            bool is_over = false;
            sl_mailbox_take(mailbox);
            const enum sl_status status = handle(soc, &message, &is_over);
            if (is_over) {
                return status;
            }
            continue;
        }
        if (has_ended && !has_to_wait) {
            return handle_death(soc, wait_status);
        }
        if (what == SPACE && !has_to_wait && sl_mailbox_has_space(mailbox)) {
            return SL_OK;
        }
        struct sl_process_look look;
        if (soc->is_running && !has_to_wait && has_stalled(soc, &look)) {
            return handle_stall(soc, &look);
        }
        int slice_ms = SLICE_MS;
        if (deadline_ms >= 0) {
            const int64_t left = deadline_ms - sl_wall_ms();
            if (left <= 0) {
                return SL_ERROR_TIMEOUT;
            }
            slice_ms = left < SLICE_MS ? (int)left : SLICE_MS;
        }
        sl_control_serve(&soc->control, sl_inspect_command, soc);
        rest(soc, has_to_wait ? RECORDS : what, slice_ms);
    }
}

/* The same; where a run ends with it, other threads that wait for it learn how. */
static enum sl_status wait_for(struct sl_soc *soc, enum what what, int64_t deadline_ms)
{
    struct sl_run *const run = soc->run;
    const uint32_t sequence = run->sequence;
    const bool is_run = soc->is_running;
    const enum sl_status status = wait_once(soc, what, deadline_ms);
    if (is_run && !soc->is_running && !has_been_ended(soc, sequence)) {
        run->end.sequence = sequence;
        run->end.status = status;
        memcpy(run->end.error, soc->error, sizeof run->end.error);
    }
    return status;
}

enum sl_status sl_wait_boot(struct sl_soc *soc, int64_t limit_ms)
{
    int64_t left_ms = sl_process_boot_left_ms(&soc->process, limit_ms);
    do {
        const enum sl_status status = wait_for(soc, A_MESSAGE, sl_wall_ms() + left_ms);
        if (status != SL_ERROR_TIMEOUT) {
            return status;
        }
        left_ms = sl_process_boot_left_ms(&soc->process, limit_ms);
    } while (left_ms > 0);
    char limit[64];
    sl_config_format(SL_CFG_HOST_BOOT_LIMIT, &soc->config, limit, sizeof limit);
    (void)sl_soc_fail(
        soc, SL_ERROR_MACHINE,
        "the machine did not boot: the firmware was not ready within %s (host.boot_limit)", limit);
    sl_soc_append_log(soc);
    sl_soc_append_console(soc);
    return SL_ERROR_MACHINE;
}

enum sl_status sl_wait_read(struct sl_soc *soc)
{
    for (;;) {
        int wait_status = 0;
        struct sl_process_look look;
        const bool has_ended = sl_process_has_ended(&soc->process, &wait_status);
        if (sl_mailbox_is_read(soc->mailbox)) {
            return SL_OK;
        }
        if (has_ended) {
            return handle_death(soc, wait_status);
        }
        if (has_stalled(soc, &look)) {
            return handle_stall(soc, &look);
        }
        sl_control_serve(&soc->control, sl_inspect_command, soc);
        sl_mailbox_sleep_unread(soc->mailbox, SLICE_MS);
    }
}

/* The machine has waited for what the host says next: its time begins to count now. */
enum sl_status sl_wait_space(struct sl_soc *soc)
{
    sl_stall_watch_begin(&soc->run->stall);
    return wait_for(soc, SPACE, -1);
}

enum sl_status sl_wait_report(struct sl_soc *soc)
{
    sl_stall_watch_begin(&soc->run->stall);
    return wait_for(soc, A_MESSAGE, -1);
}

static enum sl_status fail_timeout(struct sl_soc *soc, int limit_ms)
{
    enum sl_config_key key;
    (void)sl_soc_fail(soc, SL_ERROR_TIMEOUT, "the graph has not ended within %d ms", limit_ms);
    if (sl_observe_unread(&soc->run->observation, &key)) {
        sl_text_append(soc->error, sizeof soc->error,
                       ": %s '%s' takes no more for now; nobody reads it, or too slowly",
                       sl_config_table[key].key, soc->config.text[key]);
    }
    return SL_ERROR_TIMEOUT;
}

enum sl_status sl_soc_wait(struct sl_soc *soc, int limit_ms)
{
    SL_HOLD(soc);
    enum sl_status status = sl_soc_check_usable(soc);
    if (status != SL_OK) {
        return status;
    }
    if (!soc->is_running) {
        return sl_soc_fail(soc, SL_ERROR_USAGE, "no graph is running: execute one before waiting");
    }
    if (soc->run->feed.is_open) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "the graph is open and would never end: close it before waiting for its "
                           "end");
    }
    status = wait_for(soc, A_MESSAGE, limit_ms < 0 ? -1 : sl_wall_ms() + limit_ms);
    return status == SL_ERROR_TIMEOUT ? fail_timeout(soc, limit_ms) : status;
}
