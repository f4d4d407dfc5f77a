/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Lock step of aggregator and accelerator: the accelerator is advanced to an instruction's time
 * before the instruction takes effect (docs/know/design.md, "Lock step"). On the way, limits are
 * checked; memory is told of stores that are not the accelerator's. */
#include "check/graph/host_input_check.h"
#include "dispatcher/fault_ring.h"
#include "soc/soc.h"

void soc_update_next(struct soc *soc)
{
    const uint64_t next = soc->event_queue.next;

    soc->next_ps = limits_next(&soc->limits);
    if (soc->progress.look_ps < soc->next_ps) {
        soc->next_ps = soc->progress.look_ps;
    }
    if (next < soc->next_ps / soc->event_queue.cycle_ps) {
        soc->next_ps = next * soc->event_queue.cycle_ps;
    }
}

/* Whether firmware holds a message of the host that names a time which is still to come: it may
 * have nothing to do until then (docs/know/design.md, "Open graphs"). */
static bool awaits_time(const struct soc *soc, uint64_t time_ps)
{
    const struct sl_mailbox *mailbox = dram_at(&soc->dram, SL_MAILBOX_BASE);
    const uint32_t head = mailbox->host_head;
    const struct sl_message_host *message = &mailbox->host[head % SL_MAILBOX_ENTRIES];

    if ((uint32_t)window_read(&soc->window, SL_REG_HOST_TAIL) == head ||
        (message->type != SL_HOST_ENQ && message->type != SL_HOST_REPORT &&
         message->type != SL_HOST_CLOSE)) {
        return false;
    }
    return message->argument[SL_FEED_TIME] != SL_WHEN_IDLE &&
           message->argument[SL_FEED_TIME] > time_ps;
}

/* A limit is reached: a wavefront faults, and firmware ends the graph. If it does not, it hangs
 * itself. */
static void tell(struct soc *soc, uint64_t time_ps,
                 void (*put)(struct dispatcher *dispatcher, uint64_t limit_cycles), uint64_t cycles)
{
    event_queue_run(&soc->event_queue, time_ps);
    limits_reached(&soc->limits, time_ps, soc->core->counters.instructions);
    progress_stop(&soc->progress);
    put(&soc->dispatcher, cycles);
}

static void look_for_progress(struct soc *soc, uint64_t time_ps)
{
    switch (progress_look(&soc->progress, soc->gpu, &soc->feed, soc->core->counters.instructions,
                          awaits_time(soc, time_ps), time_ps)) {
    case PROGRESS_MADE:
        break;
    case PROGRESS_NONE:
        tell(soc, time_ps, faults_put_no_progress, soc->progress.limit_cycles);
        break;
    case PROGRESS_COUNTS:
        tell(soc, time_ps, faults_put_counting,
             (time_ps - soc->progress.effect_ps) / soc->event_queue.cycle_ps);
        break;
    }
}

static void check_limits(struct soc *soc, uint64_t time_ps)
{
    if (time_ps >= soc->limits.limit_ps) {
        tell(soc, time_ps, faults_put_cycle_limit, soc->limits.cycles);
    } else if (time_ps >= soc->limits.hang_ps &&
               limits_hangs(&soc->limits, time_ps, soc->core->counters.instructions)) {
        soc_hang(soc, SL_EXIT_HUNG);
    } else if (time_ps >= soc->progress.look_ps) {
        look_for_progress(soc, time_ps);
    }
}

/* The event queue runs where an event is due or time itself is; for a look alone it stays. */
static void run_wheel(struct soc *soc, uint64_t time_ps)
{
    if (time_ps >= limits_next(&soc->limits) ||
        (soc->event_queue.next != EVENT_QUEUE_NEVER &&
         soc->event_queue.next * soc->event_queue.cycle_ps <= time_ps)) {
        event_queue_run(&soc->event_queue, time_ps);
    }
}

/* Tells who wants to look on the way to a time. Where the event queue is due it runs as far, which
 * is the same as in one go; where it is not, it stays, as it would without anybody who looks: an
 * access of the aggregator may be earlier than the last instruction. */
static void tick(struct soc *soc, uint64_t time_ps, bool is_due)
{
    while (soc->stream.tick_ps <= time_ps) {
        if (is_due) {
            event_queue_run(&soc->event_queue, soc->stream.tick_ps);
        }
        stream_tick(&soc->stream);
    }
}

void soc_advance(struct soc *soc, uint64_t time_ps)
{
    if (time_ps < soc->time_ps) {
        return;
    }
    soc->time_ps = time_ps;
    const bool is_due = time_ps >= soc->next_ps;
    if (time_ps >= soc->stream.tick_ps) {
        tick(soc, time_ps, is_due);
    }
    if (is_due) {
        run_wheel(soc, time_ps);
        check_limits(soc, time_ps);
        soc_update_next(soc);
    }
}

void soc_written(struct soc *soc, uint64_t address, unsigned bytes)
{
    reservation_write(&soc->mem->reservations, address);
    if (soc->mem->ops->notify_write != NULL) {
        soc->mem->ops->notify_write(soc->mem, address, bytes);
    }
}
