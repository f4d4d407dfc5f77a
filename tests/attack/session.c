/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Machines under attack. */
#include "attack/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/driver/code/module.h"
#include "sluice/program.h"

/* What machines differ in. */
static const char *const settings[] = {
    "mem.system=moesi",  "mem.system=flat",       "mem.system=wt",   "mem.system=quickrelease",
    "mem.system=scoped", "mem.system=hybrid",     "mem.system=nol1", "mem.system=partition",
    "gpu.lanes=32",      "front.memory=coherent",
};
#define SETTINGS (sizeof settings / sizeof settings[0])

/* What they have in common: what does not end is ended soon. */
static const char *const common_settings[] = {
    "gpu.cycle_limit=2000000",
    "gpu.progress_limit=200000",
    "dram.size=64MiB",
    "pool.blocks=256",
};
#define COMMON_SETTINGS (sizeof common_settings / sizeof common_settings[0])

static enum sl_status configure(struct sl_config *config, uint64_t number, bool is_protected)
{
    const char *const chosen[] = {settings[number % SETTINGS],
                                  is_protected ? "debug.protection=on" : "debug.protection=off"};
    char error[512];
    sl_config_init(config);
    for (size_t i = 0; i < COMMON_SETTINGS + 2; i++) {
        const char *const setting =
            i < COMMON_SETTINGS ? common_settings[i] : chosen[i - COMMON_SETTINGS];
        if (sl_config_set(config, setting, error, sizeof error) != 0) {
            (void)fprintf(stderr, "attack: %s\n", error);
            return SL_ERROR_USAGE;
        }
    }
    return SL_OK;
}

/* The kernels' own variable says where the list is. */
static enum sl_status set_list(struct session *session)
{
    static const uint32_t one[3] = {1, 1, 1};
    const uint64_t arguments[] = {(uintptr_t)session->wild};
    const enum sl_status status =
        sl_launch(session->module, "attack_set", one, one, 0, arguments, 1);
    session->is_stale = false;
    return status == SL_OK ? sl_soc_wait(session->soc, WAIT_LIMIT_MS) : status;
}

/* The allocations end on a page, so that what is open ends where the program knows. */
static enum sl_status allocate(struct session *session)
{
    struct sl_soc *const soc = session->soc;
    session->wild = sl_alloc(soc, sizeof *session->wild, 0);
    session->result = sl_alloc(soc, sizeof *session->result, 0);
    session->word = sl_alloc(soc, sizeof *session->word, 0);
    session->out = sl_alloc(soc, ATTACK_ITEMS * sizeof *session->out, 0);
    session->closed = sl_alloc_private(soc, CLOSED_WORDS * sizeof *session->closed, 0);
    if (session->out == NULL || session->closed == NULL) {
        return SL_ERROR_USAGE;
    }
    for (uint64_t i = 0; i < CLOSED_WORDS; i++) {
        session->closed[i] = i * i;
    }
    session->open_limit = (uintptr_t)(session->out + ATTACK_ITEMS);
    return SL_OK;
}

enum sl_status session_make_good(struct session *session)
{
    struct relay_options small = relay_default;
    small.rounds = 5;
    return relay_build(&session->good, session->module, session->soc, &small);
}

enum sl_status session_open(struct session *session, uint64_t number, const char *kernels,
                            bool is_protected)
{
    struct sl_config config;
    *session = (struct session){.text = tmpfile()};
    enum sl_status status =
        session->text != NULL ? configure(&config, number, is_protected) : SL_ERROR_MACHINE;
    if (status == SL_OK) {
        status = sl_soc_open(&config, &session->soc);
    }
    if (status == SL_OK) {
        sl_soc_print_to(session->soc, session->text);
        status = sl_app_load(session->soc, kernels, &session->module);
    }
    if (status == SL_OK) {
        status = session_make_good(session);
    }
    if (status == SL_OK) {
        status = allocate(session);
    }
    return status == SL_OK ? set_list(session) : status;
}

void session_close(struct session *session)
{
    sl_soc_close(session->soc);
    session->soc = NULL;
    if (session->text != NULL) {
        (void)fclose(session->text);
    }
}

enum sl_status session_make(struct session *session, const struct victim *victim)
{
    session->victim = victim;
    session->told[0] = '\0';
    *session->result = (struct attack_result){0};
    *session->word = 0;
    memset(session->wild, 0, sizeof *session->wild);
    session->wild->action = WILD_NOTHING;
    memset(session->out, 0, ATTACK_ITEMS * sizeof *session->out);
    const enum sl_status status = session->is_stale ? set_list(session) : SL_OK;
    return status == SL_OK ? victim->make(session) : status;
}

enum sl_status session_run(struct session *session)
{
    const enum sl_status status = session->victim->start(session);
    return status == SL_OK ? sl_soc_wait(session->soc, WAIT_LIMIT_MS) : status;
}

void session_end(struct session *session)
{
    if (session->graph != NULL) {
        sl_graph_destroy(session->graph);
        session->graph = NULL;
    }
    if (session->trees != NULL) {
        sl_trees_destroy(session->trees);
        session->trees = NULL;
    }
}

enum outcome session_told(struct session *session, enum sl_status status)
{
    static const struct {
        const char *part;
        enum outcome outcome;
    } says[] = {
        {"the firmware trapped", OUTCOME_FIRMWARE},
        {"the firmware did not", OUTCOME_FIRMWARE},
        {"the firmware hangs", OUTCOME_FIRMWARE},
        {"the machine ended", OUTCOME_FIRMWARE},
        {"QEMU", OUTCOME_FIRMWARE},
        {"mailbox", OUTCOME_FIRMWARE},
        {"reason", OUTCOME_FIRMWARE},
        {"faulted", OUTCOME_FAULT},
    };
    (void)snprintf(session->told, sizeof session->told, "%s", sl_soc_error(session->soc));
    if (status == SL_ERROR_USAGE) {
        return OUTCOME_REFUSED;
    }
    if (status != SL_ERROR_MACHINE) {
        return OUTCOME_HANG;
    }
    for (size_t i = 0; i < sizeof says / sizeof says[0]; i++) {
        if (strstr(session->told, says[i].part) != NULL) {
            return says[i].outcome;
        }
    }
    return OUTCOME_BOOKS;
}

/* Whether what kernels have printed is text, of some length; and forgets it. */
static bool is_text(struct session *session)
{
    bool is_good = true;
    uint64_t bytes = 0;
    (void)fflush(session->text);
    rewind(session->text);
    for (int c = getc(session->text); c != EOF && is_good; c = getc(session->text)) {
        bytes++;
        is_good = bytes <= TEXT_BYTES && (c >= ' ' || c == '\n' || c == '\t') && c != 0x7f;
        if (!is_good) {
            (void)snprintf(session->told, sizeof session->told,
                           "byte %" PRIu64 " of the text is %d", bytes, c);
        }
    }
    rewind(session->text);
    if (ftruncate(fileno(session->text), 0) != 0) {
        return false;
    }
    return is_good;
}

enum outcome session_judge(struct session *session, enum sl_status status, bool is_own)
{
    enum outcome outcome;
    if (status != SL_OK) {
        outcome = session_told(session, status);
    } else if (session->victim->is_right(session)) {
        outcome = OUTCOME_RIGHT;
    } else {
        outcome = is_own ? OUTCOME_OWN : OUTCOME_WRONG;
    }
    if (outcome < OUTCOME_WRONG && !is_text(session)) {
        return OUTCOME_TEXT;
    }
    return outcome < OUTCOME_WRONG && !session_is_fit(session) ? OUTCOME_UNFIT : outcome;
}

const struct sl_program *session_program(const struct session *session)
{
    return (const struct sl_program *)(uintptr_t)sl_module_program(session->module);
}

bool session_is_fit(struct session *session)
{
    int is_right = 0;
    const enum sl_status status = relay_run(&session->good, &is_right);
    if (status != SL_OK) {
        (void)snprintf(session->told, sizeof session->told, "the good graph: %s",
                       sl_soc_error(session->soc));
        return false;
    }
    for (uint64_t i = 0; i < CLOSED_WORDS; i++) {
        if (session->closed[i] != i * i) {
            (void)snprintf(session->told, sizeof session->told,
                           "private word %" PRIu64 " is changed", i);
            return false;
        }
    }
    return is_right;
}

static bool is_in(uint64_t address, uint64_t base, uint64_t bytes)
{
    return address - base < bytes;
}

/* The data arrays of the victim's channels. */
static bool is_element(const struct session *session, uint64_t address)
{
    if (session->graph == NULL || sl_graph_shared(session->graph) == NULL) {
        return false;
    }
    const struct sl_graph *const graph = sl_graph_shared(session->graph);
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        const struct sl_channel *const channel = sl_graph_shared_channel(session->graph, (int)i);
        if (is_in(address, channel->data,
                  (uint64_t)(channel->width + channel->slack) * channel->stride)) {
            return true;
        }
    }
    return false;
}

/* A task vector's slots, and the words that its tasks count in. */
static bool is_task(const struct session *session, uint64_t address)
{
    if (session->trees == NULL) {
        return false;
    }
    const struct sl_trees *const trees = sl_trees_shared(session->trees);
    const uint64_t slots = (uint64_t)trees->capacity * (1 + trees->arguments) * sizeof(uint32_t);
    return is_in(address, (uintptr_t)trees + 64, 192) || is_in(address, trees->vector, slots);
}

static bool is_print_buffer(const struct session *session, uint64_t address)
{
    const struct sl_print_buffer *const buffer = sl_module_print_buffer(session->module);
    const int64_t bytes = sl_soc_config(session->soc)->number[SL_CFG_HOST_PRINT_BUFFER];
    return buffer != NULL &&
           is_in(address, (uintptr_t)buffer, sizeof *buffer + (uint64_t)bytes + SL_RANGE_GRAIN);
}

/* The code, which lies in the kernels' memory. */
static bool is_code(const struct session *session, uint64_t address)
{
    const struct sl_program *const program = session_program(session);
    return is_in(address, program->code, program->code_bytes);
}

bool session_is_open(const struct session *session, uint64_t address)
{
    return is_in(address, SL_PRIVATE_BASE, SL_LDS_BASE + SL_LDS_APERTURE - SL_PRIVATE_BASE) ||
           (is_in(address, SL_KERNEL_BASE, SL_KERNEL_BYTES) && !is_code(session, address)) ||
           is_in(address, SL_HEAP_BASE, session->open_limit - SL_HEAP_BASE) ||
           is_print_buffer(session, address) || is_element(session, address) ||
           is_task(session, address);
}
