/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* QEMU as a process: start, messages, every way to end, with a fake that is this program under
 * another name (host_fake_qemu.h). DRAM is mapped anywhere, so that AddressSanitizer can be used.
 * After each test no child may be left. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "common/check.h"
#include "host/driver/machine/guest_memory.h"
#include "host/runtime/run/run.h"
#include "sluice/config.h"
#include "unit/common/host_fixture.h"
#include "unit/host/host_fake_qemu.h"

#define DRAM_BYTES SL_DRAM_BYTES_MIN

static char folder[] = "/tmp/sluice-process-XXXXXX";

static void path_in_folder(char *out, size_t bytes, const char *name)
{
    (void)snprintf(out, bytes, "%s/%s", folder, name);
}

static void set_text(struct sl_config *config, enum sl_config_key key, const char *name)
{
    path_in_folder(config->text[key], SL_CONFIG_TEXT_MAX, name);
}

/* Where there are to be so few from the start of QEMU on. */
static const struct rlimit *few_descriptors;

/* As sl_soc_open(), but for the place of DRAM, and with the fake called `name`. */
static enum sl_status open_machine(const char *name, int64_t limit_ms, struct sl_soc **out)
{
    char fake[64];
    (void)snprintf(fake, sizeof fake, FAKE_QEMU "%s", name);
    struct sl_config config;
    sl_config_init(&config);
    struct sl_soc *const soc = sl_soc_new(&config);
    *out = soc;
    assert_non_null(sl_run_create(soc));
    set_text(&soc->config, SL_CFG_HOST_QEMU, fake);
    set_text(&soc->config, SL_CFG_HOST_PLUGIN, "");
    set_text(&soc->config, SL_CFG_HOST_FLASH, "flash");
    soc->config.number[SL_CFG_HOST_BOOT_LIMIT] = limit_ms * 1000000000;
    soc->memory.dram_fd = sl_memory_file("dram");
    soc->memory.uart_fd = sl_memory_file("uart");
    soc->memory.log_fd = sl_memory_file("log");
    assert_int_equal(ftruncate(soc->memory.dram_fd, DRAM_BYTES), 0);
    soc->memory.dram_bytes = DRAM_BYTES;
    soc->memory.dram =
        mmap(NULL, DRAM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, soc->memory.dram_fd, 0);
    assert_ptr_not_equal(soc->memory.dram, MAP_FAILED);
    const uint64_t base = (uintptr_t)soc->memory.dram;
    soc->mailbox = (void *)(uintptr_t)(base + SL_MAILBOX_BASE - SL_DRAM_BASE);
    soc->layout.window_base = base + DRAM_BYTES - SL_WINDOW_BYTES;
    assert_int_equal(
        sl_heap_init(&soc->heap, base + SL_HEAP_BASE - SL_DRAM_BASE, soc->layout.window_base), 0);
    soc->layout.pool_base = base + DRAM_BYTES - 2 * SL_TOP_BYTES;

    if (few_descriptors != NULL) {
        assert_int_equal(setrlimit(RLIMIT_NOFILE, few_descriptors), 0);
    }
    const enum sl_status status = sl_soc_start(soc, limit_ms);
    return status == SL_OK ? sl_wait_boot(soc, limit_ms) : status;
}

static void assert_error(const struct sl_soc *soc, const char *part)
{
    if (strstr(sl_soc_error(soc), part) == NULL) {
        fail_msg("'%s' does not contain '%s'", sl_soc_error(soc), part);
    }
}

static void close_machine(struct sl_soc *soc)
{
    const int pid = sl_soc_qemu_pid(soc);
    sl_soc_close(soc);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    assert_true(pid == 0 || kill(pid, 0) != 0);
}

TEST(boots_and_quits)
{
    struct sl_soc *soc;
    assert_int_equal(open_machine("boots", 20000, &soc), SL_OK);
    assert_string_equal(sl_soc_qemu_version(soc), "QEMU emulator version 7.2.0 (fake)");
    assert_true(sl_soc_qemu_pid(soc) > 0);
    assert_int_equal(sl_soc_wait(soc, 0), SL_ERROR_USAGE);
    assert_error(soc, "no graph is running");
    assert_int_equal(sl_soc_execute_unchecked(soc, 64), SL_OK);
    assert_int_equal(sl_soc_execute_unchecked(soc, 64), SL_ERROR_USAGE);
    assert_error(soc, "a graph is running");
    assert_int_equal(sl_soc_wait(soc, -1), SL_OK);
    assert_int_equal(sl_soc_counts(soc).wavefronts, 22);
    /* More often than the rings are long. */
    for (int i = 0; i < 3 * SL_MAILBOX_ENTRIES; i++) {
        assert_int_equal(sl_soc_execute_unchecked(soc, 64), SL_OK);
        assert_int_equal(sl_soc_wait(soc, 20000), SL_OK);
    }
    close_machine(soc);
}

/* Each start of QEMU is a line of SLUICE_STARTS, a question for its version is none; a file that
 * cannot be written is nobody's error. */
TEST(counts_starts)
{
    struct sl_soc *soc;
    char path[128];
    char text[64] = "";
    path_in_folder(path, sizeof path, "starts");
    assert_int_equal(setenv("SLUICE_STARTS", path, 1), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(open_machine("boots", 20000, &soc), SL_OK);
        close_machine(soc);
    }
    assert_int_equal(open_machine("missing", 20000, &soc), SL_ERROR_USAGE);
    close_machine(soc);
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    (void)fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    assert_string_equal(text, "start\nstart\n");
    assert_int_equal(remove(path), 0);
    assert_int_equal(setenv("SLUICE_STARTS", folder, 1), 0);
    assert_int_equal(open_machine("boots", 20000, &soc), SL_OK);
    close_machine(soc);
    assert_int_equal(unsetenv("SLUICE_STARTS"), 0);
}

TEST(reports_a_wait_that_passes)
{
    struct sl_soc *soc;
    assert_int_equal(open_machine("busy", 20000, &soc), SL_OK);
    assert_int_equal(sl_soc_execute_unchecked(soc, 64), SL_OK);
    assert_int_equal(sl_soc_wait(soc, 0), SL_ERROR_TIMEOUT);
    assert_int_equal(sl_soc_wait(soc, 150), SL_ERROR_TIMEOUT);
    close_machine(soc);
}

TEST(reports_death_at_once)
{
    struct sl_soc *soc;
    assert_int_equal(open_machine("dies", 20000, &soc), SL_ERROR_MACHINE);
    assert_error(soc, "the machine did not boot: QEMU ended with exit status 19: The payload");
    assert_error(soc, "QEMU says:\nfake-qemu: a message of QEMU's");
    close_machine(soc);
}

TEST(reports_death_in_a_run)
{
    struct sl_soc *soc;
    assert_int_equal(open_machine("killed", 20000, &soc), SL_OK);
    assert_int_equal(sl_soc_execute_unchecked(soc, 64), SL_OK);
    assert_int_equal(sl_soc_wait(soc, -1), SL_ERROR_MACHINE);
    assert_error(soc, "the machine ended: QEMU was ended by signal 9 (Killed)");
    assert_int_equal(sl_soc_wait(soc, -1), SL_ERROR_USAGE);
    assert_error(soc, "no graph is running");
    close_machine(soc);
}

/* A program that ignores SIGCHLD has its children's numbers used again as they end, and nobody
 * knows how they did: that is told, and is no status. */
TEST(works_where_children_are_ignored)
{
    static const struct {
        const char *name;
        enum sl_status open;
        enum sl_status wait;
        const char *message;
    } known[] = {
        {"boots", SL_OK, SL_OK, ""},
        {"deaf", SL_OK, SL_OK, ""},
        {"killed", SL_OK, SL_ERROR_MACHINE, "the machine ended: QEMU ended, and how is not known"},
        {"dies", SL_ERROR_MACHINE, SL_ERROR_MACHINE, "QEMU ended, and how is not known"},
        {"other", SL_ERROR_USAGE, SL_ERROR_MACHINE, "which is not a QEMU's version"},
    };
    struct sl_soc *soc;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        assert_ptr_not_equal(signal(SIGCHLD, SIG_IGN), SIG_ERR);
        assert_int_equal(open_machine(known[i].name, 20000, &soc), known[i].open);
        if (known[i].open == SL_OK) {
            assert_int_equal(sl_soc_execute_unchecked(soc, 64), SL_OK);
            assert_int_equal(sl_soc_wait(soc, -1), known[i].wait);
        }
        assert_error(soc, known[i].message);
        close_machine(soc);
        assert_ptr_not_equal(signal(SIGCHLD, SIG_DFL), SIG_ERR);
    }
}

/* Each run has a QEMU of its own, as each ends with its run: the heap stays, what is the firmware's
 * and the device's is cleared, and sequence numbers go on. */
TEST(starts_anew_for_the_next_run)
{
    struct sl_soc *soc;
    int pid = 0;
    assert_int_equal(open_machine("traps", 20000, &soc), SL_OK);
    uint8_t *const dram = soc->memory.dram;
    uint8_t *const heap = dram + (SL_HEAP_BASE - SL_DRAM_BASE);
    uint8_t *const kernel = dram + (SL_KERNEL_BASE - SL_DRAM_BASE);
    uint8_t *const pool = (uint8_t *)(uintptr_t)soc->layout.pool_base;
    for (int run = 1; run <= 3; run++) {
        *heap = *kernel = kernel[-1] = *dram = *pool = pool[-1] = dram[DRAM_BYTES - 1] = 7;
        assert_int_equal(sl_soc_execute_unchecked(soc, 64), SL_OK);
        assert_int_equal(soc->run->sequence, run);
        assert_int_not_equal(sl_soc_qemu_pid(soc), pid);
        pid = sl_soc_qemu_pid(soc);
        assert_true(*heap == 7 && *kernel == 7 && pool[-1] == 7);
        assert_int_equal(kernel[-1] | *dram | *pool | dram[DRAM_BYTES - 1], run == 1 ? 7 : 0);
        assert_int_equal(sl_soc_wait(soc, -1), SL_ERROR_MACHINE);
        assert_error(soc, "the firmware trapped and has stopped");
        assert_true(kill(pid, 0) != 0);
    }
    close_machine(soc);
}

/* Between two runs nobody has to see it. */
TEST(starts_anew_where_it_ended_idle)
{
    struct sl_soc *soc;
    assert_int_equal(open_machine("boots", 20000, &soc), SL_OK);
    const int pid = sl_soc_qemu_pid(soc);
    assert_int_equal(kill(pid, SIGKILL), 0);
    while (!sl_soc_has_ended(soc)) {
        (void)usleep(1000);
    }
    assert_int_equal(sl_soc_execute_unchecked(soc, 64), SL_OK);
    assert_int_equal(sl_soc_wait(soc, -1), SL_OK);
    assert_int_not_equal(sl_soc_qemu_pid(soc), pid);
    close_machine(soc);
}

/* Where it cannot be started again, that is the message of all later runs. */
TEST(is_lost_where_it_does_not_start_anew)
{
    struct sl_soc *soc;
    assert_int_equal(open_machine("killed", 20000, &soc), SL_OK);
    assert_int_equal(sl_soc_execute_unchecked(soc, 64), SL_OK);
    assert_int_equal(sl_soc_wait(soc, -1), SL_ERROR_MACHINE);
    set_text(&soc->config, SL_CFG_HOST_FLASH, "no-flash");
    assert_int_equal(sl_soc_execute_unchecked(soc, 64), SL_ERROR_MACHINE);
    assert_error(soc, "the machine cannot be started again: ");
    assert_error(soc, "host.flash: no firmware image");
    (void)sl_soc_fail(soc, SL_ERROR_USAGE, "another message");
    set_text(&soc->config, SL_CFG_HOST_FLASH, "flash");
    assert_int_equal(sl_soc_execute_unchecked(soc, 64), SL_ERROR_MACHINE);
    assert_error(soc, "the machine cannot be started again");
    assert_int_equal(sl_soc_wait(soc, -1), SL_ERROR_MACHINE);
    close_machine(soc);
}

TEST(reports_a_machine_that_does_not_boot)
{
    struct sl_soc *soc;
    assert_int_equal(open_machine("silent", 1500, &soc), SL_ERROR_MACHINE);
    assert_error(soc, "not ready within 1500 ms (host.boot_limit)");
    close_machine(soc);
}

TEST(kills_what_ignores_quit)
{
    struct sl_soc *soc;
    assert_int_equal(open_machine("deaf", 20000, &soc), SL_OK);
    close_machine(soc);
}

TEST(reports_a_qemu_that_is_none)
{
    struct sl_soc *soc;
    assert_int_equal(open_machine("other", 20000, &soc), SL_ERROR_USAGE);
    assert_error(soc, "--version' says 'something else 1.2', and on standard error 'fake-qemu: a "
                      "warning', which is not a QEMU's version");
    close_machine(soc);
    assert_int_equal(open_machine("missing", 20000, &soc), SL_ERROR_USAGE);
    assert_error(soc, "host.qemu: cannot run");
    close_machine(soc);
    /* This one does not say what it is. */
    assert_int_equal(open_machine("mute", 20000, &soc), SL_ERROR_MACHINE);
    assert_error(soc, "the machine did not boot: QEMU ended with exit status 1");
    close_machine(soc);
}

TEST(takes_a_qemu_with_a_warning)
{
    struct sl_soc *soc;
    assert_int_equal(open_machine("warns", 20000, &soc), SL_OK);
    assert_string_equal(sl_soc_qemu_version(soc), "QEMU emulator version 7.2.0 (fake)");
    close_machine(soc);
}

/* Out of descriptors at any place: that is the machine's status, not one of the configuration. */
TEST(tells_that_there_are_no_descriptors)
{
    struct rlimit before;
    struct sl_soc *soc;
    int fails = 0;
    enum sl_status status = SL_ERROR_MACHINE;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    const int first = fcntl(STDIN_FILENO, F_DUPFD, 0);
    (void)close(first);
    /* DRAM, console and messages have three; some are open already, above others that are not. */
    for (int limit = first + 4; status != SL_OK; limit++) {
        const struct rlimit few = {(rlim_t)limit, before.rlim_max};
        few_descriptors = &few;
        status = open_machine("boots", 20000, &soc);
        few_descriptors = NULL;
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
        if (status != SL_OK) {
            fails++;
            assert_int_equal(status, SL_ERROR_MACHINE);
        }
        close_machine(soc);
    }
    assert_true(fails >= 2);
}

/* A run in which simulated time does not move ends, and QEMU with it, whatever it does. */
TEST(ends_what_does_not_go_on)
{
    static const struct {
        const char *name;
        const char *message;
    } known[] = {
        {"busy", "was killed: it sleeps (state S)"},
        {"stops", "was killed: it was stopped by a signal (state T)"},
        {"spins", "was killed: it goes round in itself (state R, "},
    };
    struct sl_soc *soc;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        assert_int_equal(open_machine(known[i].name, 20000, &soc), SL_OK);
        soc->config.number[SL_CFG_HOST_STALL_LIMIT] = 300ll * 1000000000;
        for (int run = 0; run < 2; run++) {
            assert_int_equal(sl_soc_execute_unchecked(soc, 64), SL_OK);
            const int pid = sl_soc_qemu_pid(soc);
            /* One look counts for SL_STALL_WATCH_GAP_MS at most, so that this one is early. */
            assert_int_equal(sl_soc_wait(soc, 1), SL_ERROR_TIMEOUT);
            assert_int_equal(sl_soc_wait(soc, -1), SL_ERROR_MACHINE);
            assert_error(soc, "simulated time has stood still at 0.000 us for ");
            assert_error(soc, known[i].message);
            assert_true(kill(pid, 0) != 0);
        }
        close_machine(soc);
    }
}

#define THREADS 4

struct waiter {
    pthread_t thread;
    struct sl_soc *soc;
    enum sl_status status;
    char error[256];
};

static void *wait_for_the_end(void *argument)
{
    struct waiter *const waiter = argument;
    waiter->status = sl_soc_wait(waiter->soc, -1);
    (void)snprintf(waiter->error, sizeof waiter->error, "%s", sl_soc_error(waiter->soc));
    return NULL;
}

/* All that wait for a run learn how it has ended, and with what message, whoever sees it; meanwhile
 * the machine can be asked. */
TEST(wakes_all_that_wait)
{
    static const struct {
        const char *name;
        enum sl_status status;
        const char *message;
    } known[] = {
        {"slow", SL_OK, ""},
        {"slow-faults", SL_ERROR_MACHINE, "load of 4 bytes at 0x0"},
        {"stops", SL_ERROR_MACHINE, "it was stopped by a signal"},
    };
    struct waiter waiters[THREADS];
    struct sl_soc *soc;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        assert_int_equal(open_machine(known[i].name, 20000, &soc), SL_OK);
        const bool stands = strcmp(known[i].name, "stops") == 0;
        soc->config.number[SL_CFG_HOST_STALL_LIMIT] = (stands ? 2000ll : 1000000ll) * 1000000000;
        assert_int_equal(sl_soc_execute_unchecked(soc, 64), SL_OK);
        for (int t = 0; t < THREADS; t++) {
            waiters[t].soc = soc;
            assert_int_equal(
                pthread_create(&waiters[t].thread, NULL, wait_for_the_end, &waiters[t]), 0);
        }
        (void)usleep(50000); /* most wait by then; right if none does */
        assert_true(stands || sl_soc_execute_unchecked(soc, 64) == SL_ERROR_USAGE);
        assert_true(stands || kill(sl_soc_qemu_pid(soc), SIGUSR1) == 0);
        for (int t = 0; t < THREADS; t++) {
            assert_int_equal(pthread_join(waiters[t].thread, NULL), 0);
            assert_int_equal(waiters[t].status, known[i].status);
            assert_non_null(strstr(waiters[t].error, known[i].message));
        }
        close_machine(soc);
    }
}

/* ---- a trace that nobody reads ---- */

#define TRACE_LINES 1000

static int fifo;

/* A machine with a trace, which goes to a FIFO with room for a part of it. */
static struct sl_soc *open_traced(const char *name)
{
    struct sl_soc *soc;
    assert_int_equal(open_machine(name, 20000, &soc), SL_OK);
    struct sl_observation *const observation = &soc->run->observation;
    void *const shared = mmap(NULL, sizeof(struct sl_instructions), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(shared, MAP_FAILED);
    set_text(&soc->config, SL_CFG_TRACE_FILE, "fifo");
    assert_int_equal(mkfifo(soc->config.text[SL_CFG_TRACE_FILE], 0600), 0);
    fifo = open(soc->config.text[SL_CFG_TRACE_FILE], O_RDWR | O_CLOEXEC);
    assert_true(fifo >= 0);
    assert_true(fcntl(fifo, F_SETPIPE_SZ, 4096) > 0);
    assert_int_equal(sl_record_trace_open(&observation->instructions, shared, &soc->config,
                                          soc->error, sizeof soc->error),
                     0);
    return soc;
}

/* As the simulator does. */
static void write_trace(struct sl_soc *soc)
{
    struct sl_ring *const ring = &soc->run->observation.instructions.shared->ring;
    for (unsigned i = 0; i < TRACE_LINES; i++) {
        const struct sl_traced_record record = {.words = SL_TRACED_WORDS,
                                                .kind = SL_TRACED_FIRMWARE};
        memcpy(sl_ring_at(ring, ring->tail), &record, sizeof record);
        __atomic_store_n(&ring->tail, ring->tail + SL_TRACED_WORDS, __ATOMIC_RELEASE);
    }
}

/* All but the end of the last line, for which there is room. */
static void read_trace(void)
{
    char piece[4096];
    for (unsigned lines = 0; lines < TRACE_LINES;) {
        const ssize_t got = read(fifo, piece, sizeof piece);
        assert_true(got > 0);
        for (ssize_t i = 0; i < got; i++) {
            lines += piece[i] == '\n';
        }
    }
}

static void close_traced(struct sl_soc *soc)
{
    char path[SL_CONFIG_TEXT_MAX];
    path_in_folder(path, sizeof path, "fifo");
    close_machine(soc);
    assert_int_equal(close(fifo) | unlink(path), 0);
}

/* The end of a run waits until its trace is read, as long as callers like, and others have the
 * machine meanwhile. */
TEST(waits_for_the_reader_of_a_trace)
{
    struct sl_soc *const soc = open_traced("boots");
    struct waiter waiter = {.soc = soc};
    write_trace(soc);
    assert_int_equal(sl_soc_execute_unchecked(soc, 64), SL_OK);
    assert_int_equal(pthread_create(&waiter.thread, NULL, wait_for_the_end, &waiter), 0);
    do {
        assert_int_equal(sl_soc_wait(soc, 1), SL_ERROR_TIMEOUT);
        assert_error(soc, "the graph has not ended within 1 ms");
    } while (strstr(sl_soc_error(soc), ": trace.file '") == NULL);
    assert_error(soc, "/fifo' takes no more for now; nobody reads it, or too slowly");
    assert_int_equal(sl_soc_execute_unchecked(soc, 64), SL_ERROR_USAGE);
    read_trace();
    assert_int_equal(pthread_join(waiter.thread, NULL), 0);
    assert_int_equal(waiter.status, SL_OK);
    close_traced(soc);
}

/* QEMU's end does not wait for it, and neither does another QEMU. */
TEST(starts_anew_while_nobody_reads_a_trace)
{
    struct sl_soc *const soc = open_traced("killed");
    write_trace(soc);
    for (int run = 0; run < 2; run++) {
        assert_int_equal(sl_soc_execute_unchecked(soc, 64), SL_OK);
        assert_int_equal(sl_soc_wait(soc, -1), SL_ERROR_MACHINE);
        assert_error(soc, "the machine ended: QEMU was ended by signal 9");
    }
    read_trace();
    close_traced(soc);
}

TEST(reports_what_the_firmware_says)
{
    static const struct {
        const char *name;
        enum sl_status status;
        const char *message;
    } known[] = {
        {"refuses", SL_ERROR_USAGE,
         "the firmware refused the graph: the graph: the graph is not inside"},
        {"faults", SL_ERROR_MACHINE, "load of 4 bytes at 0x0, in 0x80400000"},
        {"faults", SL_ERROR_MACHINE, "; 3 more wavefronts faulted"},
        {"traps", SL_ERROR_MACHINE, "the firmware trapped and has stopped: illegal instruction"},
        {"confused", SL_ERROR_MACHINE, "answers nothing that the host asked"},
    };
    struct sl_soc *soc;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        assert_int_equal(open_machine(known[i].name, 20000, &soc), SL_OK);
        assert_int_equal(sl_soc_execute_unchecked(soc, 64), SL_OK);
        assert_int_equal(sl_soc_wait(soc, -1), known[i].status);
        assert_error(soc, known[i].message);
        close_machine(soc);
    }
}

/* The host program is killed while the machine runs: the machine follows. As a subreaper, this
 * process gets the orphan and sees how it ended. */
TEST(dies_with_the_host)
{
    int pipes[2];
    int pid = 0;
    int status = 0;
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    assert_int_equal(pipe(pipes), 0);
    const pid_t host = fork();
    if (host == 0) {
        struct sl_soc *soc;
        if (open_machine("deaf", 20000, &soc) == SL_OK) {
            pid = sl_soc_qemu_pid(soc);
            (void)!write(pipes[1], &pid, sizeof pid);
        }
        (void)raise(SIGKILL);
    }
    assert_int_equal(waitpid(host, &status, 0), host);
    assert_int_equal(read(pipes[0], &pid, sizeof pid), sizeof pid);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    (void)close(pipes[0]);
    (void)close(pipes[1]);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
}

/* The folder with the fakes: links to this program, an empty plugin, a sparse flash image. */
static const char *const fakes[] = {"boots", "busy",  "dies",    "killed", "silent",     "deaf",
                                    "other", "mute",  "refuses", "faults", "traps",      "confused",
                                    "warns", "stops", "spins",   "slow",   "slow-faults"};

static void for_each_fake(const char *program)
{
    char path[256];
    for (size_t i = 0; i < sizeof fakes / sizeof fakes[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/" FAKE_QEMU "%s", folder, fakes[i]);
        if (program != NULL) {
            assert_int_equal(symlink(program, path), 0);
        } else {
            (void)unlink(path);
        }
    }
}

static int make_folder(void **state)
{
    char path[256];
    char program[PATH_MAX];
    (void)state;
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0 || mkdtemp(folder) == NULL) {
        return -1;
    }
    program[length] = '\0';
    for_each_fake(program);
    path_in_folder(path, sizeof path, "sluice-plugin.so");
    (void)close(open(path, O_CREAT | O_WRONLY, 0600));
    path_in_folder(path, sizeof path, "flash");
    (void)close(open(path, O_CREAT | O_WRONLY, 0600));
    return truncate(path, 1);
}

static int remove_folder(void **state)
{
    char path[256];
    (void)state;
    for_each_fake(NULL);
    path_in_folder(path, sizeof path, "sluice-plugin.so");
    (void)unlink(path);
    path_in_folder(path, sizeof path, "flash");
    (void)unlink(path);
    return rmdir(folder);
}

TEST_GROUP(make_folder, remove_folder);
TEST_START(fake_qemu_main);
