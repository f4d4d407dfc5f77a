/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Stores of a kernel to memory that is not its own (docs/know/trust.md): each ends the run, its
 * message says what lies there, nothing there has changed, and a good graph runs on the machine
 * after it.
 */
#include <string.h>

#include "workloads/common/cases.h"

#define WAIT_LIMIT_MS 20000
#define BYTES         256

/* A place, and memory of the case's own to it, which is freed behind it; 0 where it failed. */
struct place {
    uint64_t address;
    void *memory;
};

static struct place memory_place(void *memory)
{
    return (struct place){(uintptr_t)memory, memory};
}

static struct place own_private(struct sl_soc *soc, const struct relay *good)
{
    (void)good;
    return memory_place(sl_alloc_private(soc, BYTES, 0));
}

static struct place readable(struct sl_soc *soc, const struct relay *good)
{
    void *const memory = sl_alloc_private(soc, BYTES, 0);
    (void)good;
    return memory_place(sl_grant(soc, memory, SL_ACCESS_READ) == SL_OK ? memory : NULL);
}

static struct place freed(struct sl_soc *soc, const struct relay *good)
{
    void *const memory = sl_alloc_private(soc, BYTES, 0);
    (void)good;
    sl_free(soc, memory);
    return (struct place){(uintptr_t)memory, NULL};
}

static struct place above(struct sl_soc *soc, const struct relay *good)
{
    (void)good;
    const uint64_t middle = (SL_HEAP_BASE + sl_soc_layout(soc)->heap_limit) / 2;
    return (struct place){middle & ~63ull, NULL};
}

static struct place pool(struct sl_soc *soc, const struct relay *good)
{
    (void)good;
    return (struct place){sl_soc_layout(soc)->pool_base, NULL};
}

static struct place graph(struct sl_soc *soc, const struct relay *good)
{
    (void)soc;
    return (struct place){(uintptr_t)sl_graph_shared(good->graph), NULL};
}

static const struct sl_channel *channel_of(const struct relay *good)
{
    return sl_graph_shared_channel(good->graph, good->channel);
}

static struct place counters(struct sl_soc *soc, const struct relay *good)
{
    (void)soc;
    return (struct place){(uintptr_t)&channel_of(good)->data_tail, NULL};
}

static struct place data(struct sl_soc *soc, const struct relay *good)
{
    (void)soc;
    return (struct place){channel_of(good)->data, NULL};
}

static struct place control(struct sl_soc *soc, const struct relay *good)
{
    (void)soc;
    return (struct place){channel_of(good)->control, NULL};
}

static struct place done(struct sl_soc *soc, const struct relay *good)
{
    (void)soc;
    return (struct place){channel_of(good)->done, NULL};
}

static struct place program(struct sl_soc *soc, const struct relay *good)
{
    (void)soc;
    return (struct place){sl_graph_shared(good->graph)->program, NULL};
}

static enum sl_status launch(struct sl_soc *soc, const char *kernel, uint64_t address)
{
    const uint32_t one[3] = {1, 1, 1};
    const enum sl_status status = sl_launch(sl_app_kernels(soc), kernel, one, one, 0, &address, 1);
    return status == SL_OK ? sl_soc_wait(soc, WAIT_LIMIT_MS) : status;
}

static struct place rodata(struct sl_soc *soc, const struct relay *good)
{
    uint64_t *const at = sl_alloc(soc, sizeof *at, 0);
    struct place place = {0, at};
    (void)good;
    if (at != NULL && launch(soc, "wild_constant_at", (uintptr_t)at) == SL_OK) {
        place.address = *at;
    }
    return place;
}

static const struct wild_case {
    const char *name;
    const char *there; /* in the message */
    struct place (*place)(struct sl_soc *soc, const struct relay *good);
} all[] = {
    {"private", "byte 0 of 256 that sl_alloc_private() gave", own_private},
    {"granted", "byte 0 of 256 that sl_alloc_private() gave", readable},
    {"freed", "free memory of the shared heap", freed},
    {"above", "free memory of the shared heap", above},
    {"pool", "block 0 of the wavefront state pool", pool},
    {"graph", "the description of another graph", graph},
    {"counters", "the counters of channel 0 'relay' of another graph", counters},
    {"data", "the data array of channel 0 'relay' of another graph", data},
    {"control", "the control array of channel 0 'relay' of another graph", control},
    {"done", "the done counts of channel 0 'relay' of another graph", done},
    {"program", "a table of the kernels' code", program},
    {"rodata", "constant wild_constant of the kernel file", rodata},
};

/* Whether the store was found out: nothing changed, and the message has what lies there. */
static bool is_found(struct sl_soc *soc, const struct wild_case *wild, const struct place *place,
                     enum sl_status status, uint64_t before)
{
    const uint64_t now = *(const volatile uint64_t *)(uintptr_t)place->address;
    const char *const message = sl_soc_error(soc);
    return sl_app_check(status == SL_ERROR_MACHINE && strstr(message, wild->there) != NULL &&
                            strstr(message, "protected") != NULL && now == before,
                        "%s: status %d, message '%s', %s; right: '%s'", wild->name, (int)status,
                        message, now == before ? "nothing changed" : "memory changed", wild->there);
}

static enum sl_status run(struct sl_soc *soc, size_t number, struct relay *good, bool *is_right)
{
    const struct wild_case *const wild = &all[number];
    const struct place place = wild->place(soc, good);
    if (place.address == 0) {
        return SL_ERROR_MACHINE;
    }
    const uint64_t before = *(const volatile uint64_t *)(uintptr_t)place.address;
    const enum sl_status stored = launch(soc, "wild_store", place.address);
    *is_right = is_found(soc, wild, &place, stored, before);
    sl_free(soc, place.memory);
    return SL_OK;
}

int main(int argc, char **argv)
{
    static const struct cases program = {
        .program = "wild",
        .word = "store",
        .argument = "STORE",
        .doc = "Stores of a kernel to memory that is not its own.",
        .kernels = "wild.elf",
        CASES(all),
        .sentence = offsetof(struct wild_case, there),
        .run = run,
    };
    return cases_main(&program, argc, argv);
}
