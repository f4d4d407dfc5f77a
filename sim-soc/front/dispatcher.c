/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Packets become wavefronts, and wavefronts that end records. Addresses that firmware gives are
 * checked: a bad packet is a fault, never a crash of the simulator. */
#include "front/dispatcher.h"

#include <string.h>

#include "front/ndrange.h"
#include "front/restart.h"

#define RING_MASK (SL_COMPLETION_ENTRIES - 1u)

static void launch_event(struct event *event);
static void step_event(struct event *event);
static void wave_ended(void *owner, const struct wave *wave);
static void wave_faulted(void *owner, const struct wave *wave, const struct sl_fault *fault);
static void completion_seen(void *owner, void *tag);
static void fault_seen(void *owner, void *tag);

static int create_rings(struct dispatcher *dispatcher)
{
    const struct record_ring common = {
        .port = &dispatcher->port,
        .window = &dispatcher->window,
        .dram = &dispatcher->gpu->env.dram,
        .owner = dispatcher,
    };
    struct record_ring completions = common;
    struct record_ring faults = common;
    struct record_ring yields = common;

    completions.base_register = SL_REG_COMPLETION_BASE;
    completions.head_register = SL_REG_COMPLETION_HEAD;
    completions.entries = SL_COMPLETION_ENTRIES;
    completions.bytes = sizeof(struct sl_completion);
    completions.seen = completion_seen;
    faults.base_register = SL_REG_FAULT_BASE;
    faults.head_register = SL_REG_FAULT_HEAD;
    faults.entries = SL_FAULT_ENTRIES;
    faults.bytes = sizeof(struct sl_fault);
    faults.seen = fault_seen;
    yields.base_register = SL_REG_YIELD_BASE;
    yields.head_register = SL_REG_YIELD_HEAD;
    yields.entries = SL_YIELD_ENTRIES;
    yields.bytes = sizeof(struct sl_yield);
    yields.seen = restart_seen;
    return records_create(&dispatcher->completions, &completions) |
           records_create(&dispatcher->faults, &faults) |
           records_create(&dispatcher->yields, &yields);
}

int dispatcher_init(struct dispatcher *dispatcher, const struct sl_config *config, struct gpu *gpu,
                    const struct window *window)
{
    *dispatcher = (struct dispatcher){
        .launch = {.run = launch_event, .rank = EVENT_OTHER},
        .gpu = gpu,
        .window = *window,
        .packet_cycles = (uint32_t)config->number[SL_CFG_GPU_PACKET_CYCLES],
        .launch_cycles = (uint32_t)config->number[SL_CFG_GPU_LAUNCH_CYCLES],
        .port = {.mem = gpu->mem,
                 .wheel = gpu->wheel,
                 .stream = gpu->env.stream,
                 .is_free = config->number[SL_CFG_FRONT_MEMORY] == SL_FRONT_MEMORY_FREE},
        .intake = {.dispatcher = dispatcher},
    };
    gpu->env.listener = (struct cu_listener){
        .owner = dispatcher,
        .wave_ended = wave_ended,
        .faulted = wave_faulted,
        .wave_yielded = restart_yielded,
        .takes_yields = restart_takes_yields,
    };
    return create_rings(dispatcher);
}

void dispatcher_destroy(struct dispatcher *dispatcher)
{
    records_destroy(&dispatcher->completions);
    records_destroy(&dispatcher->faults);
    records_destroy(&dispatcher->yields);
}

/* What firmware has still to hear of though no wavefront is in flight for it: packets of which
 * memory is told that they have ended, records on their way, and packets where taking them takes
 * time. */
static uint32_t hidden(const struct dispatcher *dispatcher)
{
    const uint32_t packets =
        dispatcher->port.is_free ? 0 : dispatcher->ring_tail - dispatcher->ring_head;

    return packets + dispatcher->stepping + records_hidden(&dispatcher->completions) +
           records_hidden(&dispatcher->faults) + records_hidden(&dispatcher->yields);
}

void dispatcher_show(const struct dispatcher *dispatcher)
{
    const struct window *window = &dispatcher->window;
    const struct gpu *gpu = dispatcher->gpu;
    const uint32_t resident = gpu->env.activity->resident;
    const uint32_t queued = dispatcher->queue_tail - dispatcher->queue_head;

    window_write(window, SL_REG_DISPATCH_HEAD, dispatcher->ring_head);
    window_write(window, SL_REG_COMPLETION_TAIL, dispatcher->completions.visible);
    window_write(window, SL_REG_FAULT_TAIL, dispatcher->faults.visible);
    window_write(window, SL_REG_FAULT_LOST, dispatcher->faults_lost);
    window_write(window, SL_REG_RESIDENT, resident);
    window_write(window, SL_REG_QUEUED, queued);
    window_write(window, SL_REG_YIELD_TAIL, dispatcher->yields.visible);
    window_write(window, SL_REG_ACTIVE,
                 resident + dispatcher->to_launch + dispatcher->restarts + hidden(dispatcher));
    window_write(window, SL_REG_DUMP_FIRST, gpu->dump.first);
    window_write(window, SL_REG_DUMP_WAVEFRONTS, gpu->dump.wavefronts);
}

void dispatcher_reset(struct dispatcher *dispatcher)
{
    dispatcher->launch.queued = false;
    dispatcher->ring_tail = 0;
    dispatcher->ring_head = 0;
    dispatcher->faults_lost = 0;
    dispatcher->last_cu = dispatcher->gpu->cu_count - 1;
    dispatcher->is_blocked = false;
    dispatcher->queue_head = 0;
    dispatcher->queue_tail = 0;
    dispatcher->stepping = 0;
    dispatcher->finished_head = 0;
    dispatcher->finished_tail = 0;
    dispatcher->to_launch = 0;
    dispatcher->yielding_first = NULL;
    dispatcher->restart_first = POOL_NONE;
    dispatcher->restarts = 0;
    memset(dispatcher->packets, 0, sizeof(dispatcher->packets));
    intake_reset(&dispatcher->intake);
    records_reset(&dispatcher->completions);
    records_reset(&dispatcher->faults);
    records_reset(&dispatcher->yields);
    dispatcher_show(dispatcher);
}

void dispatcher_begin(struct dispatcher *dispatcher)
{
    dispatcher->counters = (struct front_counters){0};
    dispatcher_reset(dispatcher);
}

static void fault_seen(void *owner, void *tag)
{
    (void)tag;
    dispatcher_show(owner);
}

void dispatcher_fault(struct dispatcher *dispatcher, const struct sl_fault *fault)
{
    dispatcher->counters.faults++;
    if (records_have_space(&dispatcher->faults)) {
        records_put(&dispatcher->faults, fault, NULL);
    } else {
        dispatcher->faults_lost++;
    }
    dispatcher_show(dispatcher);
}

static void wave_faulted(void *owner, const struct wave *wave, const struct sl_fault *fault)
{
    struct dispatcher *dispatcher = owner;

    if (dispatcher->counters.faults == 0) {
        gpu_dump_fault(dispatcher->gpu, wave, (enum sl_fault_code)fault->code);
    }
    dispatcher_fault(dispatcher, fault);
}

void dispatcher_fault_cycle_limit(struct dispatcher *dispatcher, uint64_t limit_cycles)
{
    struct wave *wave = gpu_oldest_wave(dispatcher->gpu);

    if (wave != NULL) {
        wave_fault(wave, SL_FAULT_CYCLE_LIMIT, wave_mask(wave), NULL, limit_cycles);
        return;
    }
    const struct wheel *wheel = dispatcher->gpu->wheel;
    const struct sl_fault fault = {
        .code = SL_FAULT_CYCLE_LIMIT,
        .value0 = limit_cycles,
        .time_ps = wheel->now * wheel->cycle_ps,
    };
    dispatcher_fault(dispatcher, &fault);
}

void dispatcher_packet_fault(struct dispatcher *dispatcher, const struct sl_dispatch *packet,
                             uint64_t address, enum sl_refusal reason)
{
    struct sl_fault fault = {
        .code = SL_FAULT_PACKET,
        .channel = packet->channel,
        .dispatch = packet->id,
        .kernel = packet->kernel,
        .address = address,
        .value0 = reason,
        .time_ps = dispatcher->gpu->wheel->now * dispatcher->gpu->wheel->cycle_ps,
    };
    dispatcher_fault(dispatcher, &fault);
}

/* The same for channel elements. */
static int channel_prepare(struct dispatcher_packet *slot)
{
    slot->units = slot->packet.count;
    slot->demand = (struct cu_demand){.waves = 1, .registers = slot->kernel.registers};
    return slot->units > 0 && slot->kernel.argument_count <= SL_KERNEL_ARGUMENTS ? 0 : -1;
}

/* Checks a packet and notes what its wavefronts need. Returns 0 or -1; *reason may say why. */
static int prepare(struct dispatcher *dispatcher, struct dispatcher_packet *slot,
                   const struct sl_dispatch *packet, const struct sl_kernel *kernel,
                   enum sl_refusal *reason)
{
    uint32_t entry = simt_program_offset(&dispatcher->gpu->env.program, kernel->entry);

    if (entry == PC_NONE || entry == PC_EXIT || kernel->argument_count > SL_LAUNCH_ARGUMENTS ||
        kernel->registers > dispatcher->gpu->cus[0].shape.registers) {
        return -1;
    }
    *slot = (struct dispatcher_packet){
        .packet = *packet,
        .kernel = *kernel,
        .entry = entry,
        .ready_cycle = dispatcher->gpu->wheel->now + dispatcher->packet_cycles,
        .dispatcher = dispatcher,
    };
    int result = -1;
    if (packet->kind == SL_DISPATCH_CHANNEL) {
        result = channel_prepare(slot);
    } else if (packet->kind == SL_DISPATCH_NDRANGE) {
        *reason = ndrange_prepare(dispatcher->gpu, slot);
        result = *reason == 0 ? 0 : -1;
    }
    slot->used = result == 0;
    return result;
}

static struct dispatcher_packet *free_slot(struct dispatcher *dispatcher)
{
    for (uint32_t i = 0; i < SL_COMPLETION_ENTRIES; i++) {
        if (!dispatcher->packets[i].used) {
            return &dispatcher->packets[i];
        }
    }
    return NULL;
}

bool dispatcher_has_slot(const struct dispatcher *dispatcher)
{
    for (uint32_t i = 0; i < SL_COMPLETION_ENTRIES; i++) {
        if (!dispatcher->packets[i].used) {
            return true;
        }
    }
    return false;
}

void dispatcher_wake(struct dispatcher *dispatcher, uint64_t cycle)
{
    if (!dispatcher->launch.queued && (dispatcher->queue_head != dispatcher->queue_tail ||
                                       dispatcher->restart_first != POOL_NONE)) {
        wheel_insert(dispatcher->gpu->wheel, &dispatcher->launch, cycle);
    }
}

/* How many launches so many units of a packet take: wavefronts, or work-groups. */
static uint64_t launches_of(const struct dispatcher *dispatcher,
                            const struct dispatcher_packet *slot, uint32_t units)
{
    const uint32_t lanes = dispatcher->gpu->cus[0].shape.lanes;

    return slot->packet.kind == SL_DISPATCH_NDRANGE ? units : ((uint64_t)units + lanes - 1) / lanes;
}

int dispatcher_accept(struct dispatcher *dispatcher, const struct sl_dispatch *packet,
                      const struct sl_kernel *kernel, enum sl_refusal *reason)
{
    struct dispatcher_packet *slot = free_slot(dispatcher);

    if (prepare(dispatcher, slot, packet, kernel, reason) != 0) {
        return -1;
    }
    dispatcher->queue[dispatcher->queue_tail++ & RING_MASK] =
        (uint32_t)(slot - dispatcher->packets);
    dispatcher->counters.dispatches++;
    dispatcher->to_launch += launches_of(dispatcher, slot, slot->units);
    if (packet->kind == SL_DISPATCH_CHANNEL) {
        dispatcher->counters.elements += packet->count;
    }
    return 0;
}

/* Attributes the time since the queue's head found no room. */
static void account_blocked(struct dispatcher *dispatcher)
{
    uint64_t now = dispatcher->gpu->wheel->now;

    if (dispatcher->is_blocked) {
        dispatcher->counters.limited_cycles[dispatcher->lacking] += now - dispatcher->blocked_cycle;
    }
    dispatcher->is_blocked = false;
}

/* The next compute unit in turn that has room. Where none has, returns false: then the resource
 * that the unit with most of what is needed lacks is what limits. */
static bool choose_cu(struct dispatcher *dispatcher, const struct cu_demand *demand,
                      uint32_t *chosen)
{
    uint32_t cus = dispatcher->gpu->cu_count;
    uint32_t cu = dispatcher->last_cu;
    enum cu_resource lacking = CU_CONTEXTS;

    for (uint32_t i = 0; i < cus && gpu_has_context(dispatcher->gpu); i++) {
        cu = cu + 1 == cus ? 0 : cu + 1;
        enum cu_resource lacks = cu_lacks(&dispatcher->gpu->cus[cu], demand);
        if (lacks == CU_RESOURCE_COUNT) {
            dispatcher->last_cu = cu;
            *chosen = cu;
            return true;
        }
        lacking = lacks > lacking ? lacks : lacking;
    }
    dispatcher->is_blocked = true;
    dispatcher->lacking = lacking;
    dispatcher->blocked_cycle = dispatcher->gpu->wheel->now;
    return false;
}

/* Launches what the packet places at once. Returns how many wavefronts. */
static uint32_t launch_on(struct dispatcher *dispatcher, struct dispatcher_packet *slot,
                          uint32_t cu)
{
    uint32_t left = slot->units - slot->units_launched;
    uint32_t lanes = dispatcher->gpu->cus[0].shape.lanes;
    struct wave_launch launch = {
        .pc = slot->entry,
        .channel = slot->packet.channel,
        .argument_count = slot->kernel.argument_count,
        .kernel = slot->packet.kernel,
        .dispatch = slot->packet.id,
        .slot = (uint32_t)(slot - dispatcher->packets),
        .registers = slot->kernel.registers,
        .register_mask = slot->kernel.register_mask,
    };

    memcpy(launch.arguments, slot->kernel.argument, sizeof(launch.arguments));
    if (slot->packet.kind == SL_DISPATCH_NDRANGE) {
        return ndrange_place(dispatcher, slot, cu, &launch);
    }
    launch.limits = slot->kernel.limits;
    launch.limit_count = slot->kernel.limit_count;
    launch.first = slot->packet.first + slot->units_launched;
    launch.index_mask = slot->packet.index_mask;
    launch.count = left < lanes ? left : lanes;
    slot->units_launched += launch.count;
    (void)cu_launch(&dispatcher->gpu->cus[cu], &launch);
    return 1;
}

/* Launches what is next, if it is ready and there is room for it. */
static void launch_next(struct dispatcher *dispatcher, uint64_t cycle)
{
    uint32_t index = dispatcher->queue[dispatcher->queue_head & RING_MASK];
    struct dispatcher_packet *slot = &dispatcher->packets[index];
    uint32_t cu;

    if (slot->ready_cycle > cycle) {
        dispatcher_wake(dispatcher, slot->ready_cycle);
        return;
    }
    account_blocked(dispatcher);
    if (!choose_cu(dispatcher, &slot->demand, &cu)) {
        return; /* the end of a wavefront wakes us */
    }
    dispatcher->to_launch--;
    uint32_t waves = launch_on(dispatcher, slot, cu);
    slot->wavefronts_launched += waves;
    if (slot->units_launched == slot->units) {
        dispatcher->queue_head++;
    }
    dispatcher_show(dispatcher);
    dispatcher_wake(dispatcher, cycle + (uint64_t)waves * dispatcher->launch_cycles);
}

static void launch_event(struct event *event)
{
    struct dispatcher *dispatcher =
        (struct dispatcher *)((char *)event - offsetof(struct dispatcher, launch));

    if (dispatcher->restart_first != POOL_NONE && restart_next(dispatcher, event->cycle)) {
        dispatcher_show(dispatcher);
        dispatcher_wake(dispatcher, event->cycle + dispatcher->launch_cycles);
        return;
    }
    if (dispatcher->queue_head != dispatcher->queue_tail) {
        launch_next(dispatcher, event->cycle);
    }
    uint64_t ready = restart_ready_cycle(dispatcher, event->cycle);
    if (ready != WHEEL_NEVER) {
        dispatcher_wake(dispatcher, ready);
    }
}

/* A completion record is where firmware sees it: the packet's slot is free. */
static void completion_seen(void *owner, void *tag)
{
    struct dispatcher *dispatcher = owner;
    struct dispatcher_packet *slot = tag;

    slot->used = false;
    if (!dispatcher->port.is_free) {
        dispatcher_flush(dispatcher);
    }
}

void dispatcher_flush(struct dispatcher *dispatcher)
{
    while (dispatcher->finished_head != dispatcher->finished_tail &&
           records_have_space(&dispatcher->completions)) {
        uint32_t index = dispatcher->finished[dispatcher->finished_head++ & RING_MASK];
        struct dispatcher_packet *slot = &dispatcher->packets[index];
        const struct sl_completion record = {
            .id = slot->packet.id,
            .channel = slot->packet.channel,
            .elements = slot->units,
            .wavefronts = slot->wavefronts_launched,
            .time_ps = slot->complete_ps,
        };
        records_put(&dispatcher->completions, &record, slot);
    }
    if (dispatcher->ring_head != dispatcher->ring_tail) {
        intake_take(dispatcher);
        /* The first packet of the queue may be ready: the launch looks at when. */
        dispatcher_wake(dispatcher, dispatcher->gpu->wheel->now + 1);
    }
    dispatcher_show(dispatcher);
}

/* ---- ends ---- */

static void complete(struct dispatcher *dispatcher, struct dispatcher_packet *slot)
{
    const struct wheel *wheel = dispatcher->gpu->wheel;

    slot->complete_ps = wheel->now * wheel->cycle_ps;
    dispatcher->finished[dispatcher->finished_tail++ & RING_MASK] =
        (uint32_t)(slot - dispatcher->packets);
    dispatcher_flush(dispatcher);
}

static void step_event(struct event *event)
{
    struct dispatcher_packet *slot =
        (struct dispatcher_packet *)((char *)event - offsetof(struct dispatcher_packet, stepped));

    slot->dispatcher->stepping--;
    complete(slot->dispatcher, slot);
}

static void step_done(struct mem_request *request, uint64_t time_ps)
{
    struct dispatcher_packet *slot =
        (struct dispatcher_packet *)((char *)request - offsetof(struct dispatcher_packet, step));
    struct wheel *wheel = slot->dispatcher->gpu->wheel;

    wheel_insert(wheel, &slot->stepped, wheel_cycle_at(wheel, time_ps));
}

/* All wavefronts of a packet have ended. Memory is told, and the packet is complete when that is
 * over. */
static void end_packet(struct dispatcher *dispatcher, struct dispatcher_packet *slot)
{
    static const struct mem_client client = {.done = step_done};
    struct mem_system *mem = dispatcher->gpu->mem;
    struct wheel *wheel = dispatcher->gpu->wheel;

    if (mem->ops->sync == NULL) {
        complete(dispatcher, slot);
        return;
    }
    dispatcher->stepping++;
    slot->stepped = (struct event){.run = step_event, .rank = EVENT_OTHER};
    slot->step = (struct mem_request){
        .time_ps = wheel_now_ps(wheel),
        .from = {.kind = MEM_FRONT},
        .scope = SL_SCOPE_DEVICE,
        .sync = MEM_SYNC_STEP,
        .dispatch = slot->packet.id,
        .client = &client,
    };
    const uint64_t over_ps = mem->ops->sync(mem, &slot->step);
    if (over_ps != MEM_PENDING) {
        wheel_insert(wheel, &slot->stepped, wheel_cycle_at(wheel, over_ps));
    }
}

static void wave_ended(void *owner, const struct wave *wave)
{
    struct dispatcher *dispatcher = owner;
    struct dispatcher_packet *slot = &dispatcher->packets[wave->launch.slot];

    slot->wavefronts_ended++;
    if (slot->units_launched == slot->units &&
        slot->wavefronts_ended == slot->wavefronts_launched) {
        end_packet(dispatcher, slot);
    }
    dispatcher_show(dispatcher);
    dispatcher_wake(dispatcher, dispatcher->gpu->wheel->now + 1);
}
