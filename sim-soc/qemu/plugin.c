/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The QEMU plugin: feeds the aggregator's instructions and accesses to the machine (soc/soc.h).
 *
 * QEMU runs with one CPU on one thread, and every callback comes on it. Instructions of firmware in
 * DRAM are decoded when QEMU translates them, from DRAM itself: a table with one entry per two
 * bytes holds them, so that retranslation allocates nothing. Code in flash (the boot code) runs
 * before any graph: its instructions are counted, and its stores, which may end the run, watched.
 *
 * Arguments: dram_fd=N, the file that is DRAM and holds the machine record; lifeline_fd=N, a socket
 * whose other end the host closes when this process is to end, and with its own end; profile_fd=N,
 * timeline_fd=N, report_fd=N, races_fd=N, sharing_fd=N, kernels_fd=N, trace_fd=N, sample_fd=N and
 * channels_fd=N, where a profile, a timeline, a report, races, who shares what, a profile of
 * kernels, a trace of instructions, samples and latencies by channel are wanted, the files for them
 * (hal/include/recordings/). */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "qemu/qemu_api.h"
#include "sluice/config.h"
#include "soc/firmware_hang.h"
#include "soc/soc.h"

/* How often the host's requests are looked at while firmware runs, in instructions. */
#define REQUEST_CHECK_INSTRUCTIONS (1u << 14)

/* An instruction that follows itself can do so for ever alone: no interrupt comes. The same once
 * more after so many instructions as often as this is no chance. */
#define REPEATS_MAX 100u

/* How long the wait for the host sleeps at the most: gdb, signals and quit are answered in between.
 */
#define WAIT_SLICE_NS 50000000

QEMU_EXPORT int qemu_plugin_version;

/* QEMU looks at the version of the interface when it has loaded the plugin, before it calls it. */
__attribute__((constructor)) static void choose_version(void)
{
    qemu_plugin_version = qemu_plugin_n_vcpus != NULL ? 1 : 2;
}

/* QEMU hands every callback a pointer of ours only where it was registered for an instruction; the
 * translation callback has none, so that the one object of the process hangs here. */
static struct plugin {
    struct sl_config config;
    struct soc *soc;
    struct sl_mailbox *mailbox;
    struct agg_insn *insns; /* one per two bytes of SL_FIRMWARE_BYTES */
    uint64_t code_bytes;    /* of SL_FIRMWARE_BYTES, up to the last instruction decoded */
    uint32_t until_look;
    const struct agg_insn *accesses;  /* the instruction of the last store; NULL: in flash */
    const struct agg_insn *looked_at; /* the instruction before this one; NULL: not looked at */
    uint32_t repeats;
    struct firmware_hang hang;
    qemu_plugin_id_t id;
    uint32_t dumps_answered;
    bool registers_shown;
} plugin;

static void end_process(void *owner, int status)
{
    const struct plugin *p = owner;
    exit(p->hang.record != NULL ? (int)p->hang.record->status : status);
}

/* The words by which the host asks for what is none of the firmware's business. */
static void check_requests(struct plugin *p)
{
    if (__atomic_load_n(&p->mailbox->quit, __ATOMIC_ACQUIRE) != 0) {
        end_process(p, SL_EXIT_QUIT);
    }
    uint32_t dump = __atomic_load_n(&p->mailbox->dump, __ATOMIC_ACQUIRE);
    if (dump != p->dumps_answered) {
        soc_dump(p->soc, p->mailbox->dump_registers != 0);
        p->dumps_answered = dump;
        __atomic_thread_fence(__ATOMIC_RELEASE);
        window_write(&p->soc->window, SL_REG_DUMP_ANSWERED, dump);
    }
}

static void wake(uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
}

/* Sleeps while a word has this value, for at most a slice. */
static void sleep_on(uint32_t *word, uint32_t value)
{
    const struct timespec slice = {.tv_nsec = WAIT_SLICE_NS};
    syscall(SYS_futex, word, FUTEX_WAIT, value, &slice, NULL, 0);
}

/* Firmware has read all that there is: who waits for space in the host's ring is woken, too. */
static void wait_for_host(void *owner, uint32_t seen)
{
    struct plugin *p = owner;
    if (p->hang.record != NULL) {
        end_process(p, 0);
    }
    uint32_t bell = __atomic_load_n(&p->mailbox->host_bell, __ATOMIC_ACQUIRE);

    check_requests(p);
    if (__atomic_load_n(&p->mailbox->host_tail, __ATOMIC_ACQUIRE) == seen) {
        wake(&p->mailbox->host_head);
        sleep_on(&p->mailbox->host_bell, bell);
        check_requests(p);
    }
}

static void wake_host(void *owner)
{
    struct plugin *p = owner;
    wake(&p->mailbox->agg_tail);
    wake(&p->mailbox->host_head);
}

static void wake_reader(void *owner, uint32_t *word)
{
    (void)owner;
    wake(word);
}

/* Simulated time stands still until the host has read some of what was observed. */
static void wait_for_reader(void *owner, uint32_t *word, uint32_t value)
{
    sleep_on(word, value);
    check_requests(owner);
}

static uint64_t pc_of_access(void *owner)
{
    const struct plugin *p = owner;
    return p->accesses != NULL ? p->accesses->pc : 0;
}

static double wall_clock(void *owner)
{
    struct timespec now;

    (void)owner;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void on_forgotten(qemu_plugin_id_t id);

static void begin_hang(void *owner, int status)
{
    struct plugin *p = owner;
    if (p->hang.record == NULL) {
        firmware_hang_begin(&p->hang, &p->soc->dram, status);
        qemu_plugin_reset(p->id, on_forgotten);
    }
}

/* An instruction of firmware that hangs; it is handed its pc. */
static void on_hung_instruction(unsigned int vcpu, void *userdata)
{
    (void)vcpu;
    switch (firmware_hang_instruction(&plugin.hang, (uintptr_t)userdata)) {
    case HANG_GOES_ON:
        break;
    case HANG_NEEDS_TRAP:
        qemu_plugin_reset(plugin.id, on_forgotten);
        break;
    case HANG_IS_OVER:
        end_process(&plugin, 0);
        break;
    }
}

static void on_hung_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_hung_instruction, QEMU_PLUGIN_CB_NO_REGS,
                                               (void *)(uintptr_t)qemu_plugin_insn_vaddr(insn));
    }
}

static void on_forgotten(qemu_plugin_id_t id)
{
    if (plugin.hang.record->last != 0) {
        firmware_hang_put_trap(&plugin.hang);
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_hung_translation);
}

/* From time to time, at two instructions that follow each other. */
static void look(struct plugin *p, const struct agg_insn *insn)
{
    if (p->looked_at == NULL) {
        check_requests(p);
        soc_watch_passes(p->soc, REQUEST_CHECK_INSTRUCTIONS);
        p->looked_at = insn;
        p->until_look = 1;
    } else {
        p->repeats = insn == p->looked_at ? p->repeats + 1 : 0;
        p->looked_at = NULL;
        p->until_look = REQUEST_CHECK_INSTRUCTIONS - 1;
        if (p->repeats == REPEATS_MAX) {
            soc_hang(p->soc, SL_EXIT_REPEATED);
        }
    }
}

static void instruction(const struct agg_insn *insn)
{
    if (!plugin.soc->running) {
        soc_untimed_instruction(plugin.soc);
        return;
    }
    soc_instruction(plugin.soc, insn);
}

/* What is rare is a function of its own, so that the other way saves no registers. */
__attribute__((noinline)) static void look_at_instruction(const struct agg_insn *insn)
{
    look(&plugin, insn);
    instruction(insn);
}

static void on_instruction(unsigned int vcpu, void *userdata)
{
    (void)vcpu;
    if (--plugin.until_look == 0) {
        look_at_instruction(userdata);
        return;
    }
    instruction(userdata);
}

/* The same of code in flash. */
static void on_boot_instruction(unsigned int vcpu, void *userdata)
{
    (void)vcpu;
    (void)userdata;
    soc_untimed_instruction(plugin.soc);
}

/* A store into the firmware's code: whether it has changed instructions that may execute again. */
static bool has_overwritten(const struct plugin *p, uint64_t offset, unsigned bytes)
{
    for (uint64_t at = offset / 2; at <= (offset + bytes - 1) / 2; at++) {
        if (p->insns[at].bytes != 0) {
            return true;
        }
    }
    return false;
}

static void check_store(struct plugin *p, const struct agg_insn *insn, uint64_t address,
                        unsigned bytes)
{
    if (p->hang.record == NULL && insn != NULL &&
        has_overwritten(p, address - SL_FIRMWARE_BASE, bytes)) {
        p->soc->running = false;
        firmware_hang_overwritten(&p->hang, &p->soc->dram, insn->pc, address);
        qemu_plugin_reset(p->id, on_forgotten);
    }
}

__attribute__((noinline)) static void store_to_code(qemu_plugin_meminfo_t info, uint64_t address,
                                                    const struct agg_insn *insn)
{
    const unsigned bytes = 1u << qemu_plugin_mem_size_shift(info);

    check_store(&plugin, insn, address, bytes);
    soc_access(plugin.soc, address, bytes, true);
}

static void on_access(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t address,
                      void *userdata)
{
    const bool is_store = qemu_plugin_mem_is_store(info);

    (void)vcpu;
    plugin.accesses = userdata;
    if (is_store && address - SL_FIRMWARE_BASE < plugin.code_bytes) {
        store_to_code(info, address, userdata);
        return;
    }
    soc_access(plugin.soc, address, 1u << qemu_plugin_mem_size_shift(info), is_store);
}

/* An access of an instruction that only loads. */
static void on_load(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *userdata)
{
    (void)vcpu;
    (void)userdata;
    soc_access(plugin.soc, address, 1u << qemu_plugin_mem_size_shift(info), false);
}

/* The decoded instruction at a firmware address, or NULL for code elsewhere. */
static struct agg_insn *decode(struct plugin *p, uint64_t pc)
{
    uint64_t offset = pc - SL_FIRMWARE_BASE;
    uint32_t word;

    if (offset >= SL_FIRMWARE_BYTES - sizeof(word)) {
        return NULL;
    }
    memcpy(&word, dram_at(&p->soc->dram, pc), sizeof(word));
    struct agg_insn *const insn = &p->insns[offset / 2];
    *insn = agg_insn_decode(pc, word);
    if (p->code_bytes < offset + insn->bytes) {
        p->code_bytes = offset + insn->bytes;
    }
    return insn;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    if (!plugin.registers_shown) {
        /* The first translation comes after reset, which writes the device tree nearby. */
        soc_show_registers(plugin.soc, &plugin.config);
        plugin.registers_shown = true;
    }
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        struct agg_insn *decoded = decode(&plugin, qemu_plugin_insn_vaddr(insn));
        const bool is_load = decoded != NULL && decoded->class == AGG_LOAD;
        qemu_plugin_register_vcpu_insn_exec_cb(
            insn, decoded != NULL ? on_instruction : on_boot_instruction, QEMU_PLUGIN_CB_NO_REGS,
            decoded);
        qemu_plugin_register_vcpu_mem_cb(
            insn, is_load ? on_load : on_access, QEMU_PLUGIN_CB_NO_REGS,
            decoded != NULL ? QEMU_PLUGIN_MEM_RW : QEMU_PLUGIN_MEM_W, decoded);
    }
}

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "sluice plugin: %s: %s\n", what, why);
    return -1;
}

/* The file descriptor that the argument `name` ("dram_fd=") gives, or -1. */
static int descriptor(int argc, char **argv, const char *name)
{
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], name, strlen(name)) == 0) {
            char *end;
            long fd = strtol(argv[i] + strlen(name), &end, 10);
            return *end == '\0' && fd >= 0 && fd <= 1 << 20 ? (int)fd : -1;
        }
    }
    return -1;
}

/* Maps DRAM and reads the machine record from it. */
static int map_dram(struct plugin *p, int fd, struct dram *dram, struct sl_layout *layout)
{
    struct stat status;

    if (fstat(fd, &status) != 0) {
        return fail("dram_fd", strerror(errno));
    }
    dram->size = (uint64_t)status.st_size;
    if (dram->size < SL_DRAM_BYTES_MIN || dram->size > SL_DRAM_BYTES_MAX) {
        return fail("dram_fd", "the file is smaller or larger than DRAM can be");
    }
    dram->bytes = mmap(NULL, dram->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (dram->bytes == MAP_FAILED) {
        return fail("mapping DRAM", strerror(errno));
    }
    if (sl_machine_record_read(dram_at(dram, SL_MACHINE_BASE), &p->config) != 0) {
        return fail("machine record", "not of this build; start Sluice through its host library");
    }
    if (sl_layout_compute(&p->config, layout) != 0 || layout->dram_bytes != dram->size) {
        return fail("machine record", "contradicts the size of DRAM");
    }
    p->mailbox = dram_at(dram, SL_MAILBOX_BASE);
    return 0;
}

/* Whether the host has it killed with its process group. Numbers of another namespace are 0. */
static bool is_held_with_group(int fd)
{
    struct f_owner_ex owner;

    return fcntl(fd, F_GETOWN_EX, &owner) == 0 && owner.type == F_OWNER_PGRP && owner.pid != 0 &&
           owner.pid == getpgrp() && (fcntl(fd, F_GETFL) & O_ASYNC) != 0;
}

/* This process is killed, even where it is stopped, when the host closes its end of the socket or
 * ends: whoever started it need not be the host itself. Returns 0; -1 where it has ended already,
 * or the system cannot do it. */
static int hold_lifeline(int fd)
{
    struct pollfd lifeline = {.fd = fd, .events = POLLIN};

    if (is_held_with_group(fd)) {
        return 0;
    }
    if (fcntl(fd, F_SETOWN, getpid()) != 0 || fcntl(fd, F_SETSIG, SIGKILL) != 0 ||
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC) != 0) {
        return fail("lifeline_fd", strerror(errno));
    }
    return poll(&lifeline, 1, 0) == 0 ? 0 : fail("lifeline_fd", "the host has gone");
}

/* Maps the whole of a file that an argument names, which is at least as large as `least`. NULL
 * where it names none, or, with *has_failed, where that cannot be. */
static void *map_block(int argc, char **argv, const char *argument, size_t least, bool *has_failed)
{
    const int fd = descriptor(argc, argv, argument);
    struct stat status;

    if (fd < 0) {
        return NULL;
    }
    if (fstat(fd, &status) == 0 && (uint64_t)status.st_size >= least) {
        void *block = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (block != MAP_FAILED) {
            return block;
        }
    }
    *has_failed = true;
    return NULL;
}

/* What the host asked to see of the runs. */
static int observe(struct plugin *p, int argc, char **argv)
{
    bool has_failed = false;
    const struct soc_blocks blocks = {
        .profile = map_block(argc, argv, "profile_fd=", sizeof(struct sl_profile), &has_failed),
        .timeline = map_block(argc, argv, "timeline_fd=", sizeof(struct sl_timeline), &has_failed),
        .report = map_block(argc, argv, "report_fd=", sizeof(struct sl_report), &has_failed),
        .races = map_block(argc, argv, "races_fd=", sizeof(struct sl_races), &has_failed),
        .sharing = map_block(argc, argv, "sharing_fd=", sizeof(struct sl_sharing), &has_failed),
        .kernels =
            map_block(argc, argv, "kernels_fd=", sizeof(struct sl_kernel_profile), &has_failed),
        .instructions =
            map_block(argc, argv, "trace_fd=", sizeof(struct sl_instructions), &has_failed),
        .samples = map_block(argc, argv, "sample_fd=", sizeof(struct sl_samples), &has_failed),
        .channels =
            map_block(argc, argv, "channels_fd=", sizeof(struct sl_channel_latency), &has_failed),
    };

    if (has_failed) {
        return fail("profile_fd, timeline_fd, report_fd, races_fd, sharing_fd, kernels_fd, "
                    "trace_fd, sample_fd, channels_fd",
                    "the file cannot be mapped, or is too small");
    }
    return soc_observe(p->soc, &p->config, &blocks) != 0 ? fail("start", "out of memory") : 0;
}

QEMU_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                    char **argv)
{
    struct soc_host host = {
        .owner = &plugin,
        .wait = wait_for_host,
        .wake = wake_host,
        .exit = end_process,
        .hang = begin_hang,
        .pc = pc_of_access,
        .clock = wall_clock,
        .rings = {&plugin, wake_reader, wait_for_reader},
    };
    struct dram dram;
    struct sl_layout layout;
    int fd = descriptor(argc, argv, "dram_fd=");
    int lifeline = descriptor(argc, argv, "lifeline_fd=");

    if (strcmp(info->target_name, "riscv64") != 0 || !info->system_emulation) {
        return fail("target", "qemu-system-riscv64 is needed");
    }
    if (fd < 0) {
        return fail("arguments", "dram_fd=N is needed, the file descriptor of DRAM");
    }
    if ((lifeline >= 0 && hold_lifeline(lifeline) != 0) ||
        map_dram(&plugin, fd, &dram, &layout) != 0) {
        return -1;
    }
    plugin.mailbox->qemu = (uint32_t)getpid();
    plugin.soc = soc_create(&plugin.config, &layout, &dram, &host);
    plugin.insns = calloc(SL_FIRMWARE_BYTES / 2, sizeof(struct agg_insn));
    if (plugin.soc == NULL || plugin.insns == NULL) {
        return fail("start", "out of memory");
    }
    if (observe(&plugin, argc, argv) != 0) {
        return -1;
    }
    plugin.until_look = REQUEST_CHECK_INSTRUCTIONS;
    plugin.id = id;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    return 0;
}
