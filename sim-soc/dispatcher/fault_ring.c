/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include "dispatcher/fault_ring.h"

void faults_seen(void *owner, void *tag)
{
    (void)tag;
    dispatcher_show(owner);
}

void faults_put(struct dispatcher *dispatcher, const struct sl_fault *fault)
{
    dispatcher->counters.faults++;
    if (records_have_space(&dispatcher->faults)) {
        records_put(&dispatcher->faults, fault, NULL);
    } else {
        dispatcher->faults_lost++;
    }
    dispatcher_show(dispatcher);
}

void faults_of_wave(void *owner, const struct wave *wave, const struct sl_fault *fault)
{
    struct dispatcher *dispatcher = owner;

    if (dispatcher->counters.faults == 0) {
        gpu_dump_fault(dispatcher->gpu, wave, (enum sl_fault_code)fault->code);
    }
    faults_put(dispatcher, fault);
}

/* A limit of the run is reached, and no wavefront is there that it could end. */
static void put_without_wave(struct dispatcher *dispatcher, enum sl_fault_code code,
                             uint64_t limit_cycles)
{
    const struct sl_fault fault = {
        .code = code,
        .value0 = limit_cycles,
        .time_ps = dispatcher_now_ps(dispatcher),
    };
    faults_put(dispatcher, &fault);
}

void faults_put_cycle_limit(struct dispatcher *dispatcher, uint64_t limit_cycles)
{
    struct wave *wave = gpu_oldest_wave(dispatcher->gpu);

    if (wave != NULL) {
        wave_fault(wave, SL_FAULT_CYCLE_LIMIT, wave_mask(wave), NULL, limit_cycles);
    } else {
        put_without_wave(dispatcher, SL_FAULT_CYCLE_LIMIT, limit_cycles);
    }
}

void faults_put_no_progress(struct dispatcher *dispatcher, uint64_t limit_cycles)
{
    struct wave *wave = gpu_oldest_wave(dispatcher->gpu);

    if (wave != NULL) {
        detector_report_no_progress(&dispatcher->gpu->detector, wave, limit_cycles);
    } else {
        put_without_wave(dispatcher, SL_FAULT_PROGRESS, limit_cycles);
    }
}

void faults_put_counting(struct dispatcher *dispatcher, uint64_t cycles)
{
    detector_report_counting(&dispatcher->gpu->detector, cycles);
}

void faults_put_packet(struct dispatcher *dispatcher, const struct sl_dispatch *packet,
                       uint64_t address, enum sl_refusal reason)
{
    struct sl_fault fault = {
        .code = SL_FAULT_PACKET,
        .channel = packet->channel,
        .dispatch = packet->id,
        .kernel = packet->kernel,
        .address = address,
        .value0 = reason,
        .time_ps = dispatcher_now_ps(dispatcher),
    };
    faults_put(dispatcher, &fault);
}

void faults_put_audit(struct dispatcher *dispatcher, const struct sl_dispatch *packet,
                      const struct sl_audit_finding *finding)
{
    const struct sl_fault fault = {
        .code = SL_FAULT_AUDIT,
        .channel = packet->channel,
        .dispatch = packet->id,
        .kernel = packet->kernel,
        .address = finding->element,
        .value0 = finding->value0,
        .value1 = finding->value1,
        .trap = finding->what,
        .time_ps = dispatcher_now_ps(dispatcher),
    };
    faults_put(dispatcher, &fault);
}
