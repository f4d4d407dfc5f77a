/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A program that takes QEMU's place in tests of the host library: it takes QEMU's arguments, speaks
 * the mailbox like firmware and plugin together, and misbehaves as the name says that it is called
 * by. "fake-qemu-boots" behaves well; "slow" ones answer when SIGUSR1 tells them to. */
#ifndef SLUICE_TESTS_HOST_FAKE_QEMU_H
#define SLUICE_TESTS_HOST_FAKE_QEMU_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/driver/machine/futex.h"
#include "sluice/codes.h"
#include "sluice/layouts.h"
#include "sluice/memory_map.h"

#define FAKE_QEMU "fake-qemu-"

static const char *fake_name;

static inline bool fake_is(const char *name)
{
    return strcmp(fake_name, name) == 0;
}

static inline struct sl_mailbox *fake_map(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        const char *const at = strstr(argv[i], ",dram_fd=");
        if (at != NULL) {
            void *const mailbox =
                mmap(NULL, SL_MAILBOX_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
                     atoi(at + strlen(",dram_fd=")), (off_t)(SL_MAILBOX_BASE - SL_DRAM_BASE));
            return mailbox != MAP_FAILED ? mailbox : NULL;
        }
    }
    return NULL;
}

static inline void fake_send(struct sl_mailbox *mailbox, const struct sl_message_agg *message)
{
    mailbox->agg[mailbox->agg_tail % SL_MAILBOX_ENTRIES] = *message;
    __atomic_store_n(&mailbox->agg_tail, mailbox->agg_tail + 1, __ATOMIC_RELEASE);
    sl_futex_wake(&mailbox->agg_tail);
}

static inline void fake_answer(struct sl_mailbox *mailbox, const struct sl_message_host *message)
{
    struct sl_message_agg answer = {
        .type = SL_AGG_COMPLETE, .sequence = message->sequence, .argument = {11, 22, 33}};
    if (fake_is("killed")) {
        (void)raise(SIGKILL);
    } else if (fake_is("busy")) {
        return;
    } else if (fake_is("slow") || fake_is("slow-faults")) {
        int number;
        sigset_t told;
        sigemptyset(&told);
        sigaddset(&told, SIGUSR1);
        (void)sigwait(&told, &number);
    } else if (fake_is("stops")) {
        (void)raise(SIGSTOP);
        return;
    } else if (fake_is("spins")) {
        for (volatile bool is_on = true; is_on;) {
        }
    } else if (fake_is("confused")) {
        answer.sequence += 5;
    } else if (fake_is("refuses")) {
        answer.type = SL_AGG_REFUSED;
        answer.reason = SL_REFUSE_GRAPH_ADDRESS;
        answer.argument[0] = message->argument[0];
    }
    if (fake_is("faults") || fake_is("slow-faults")) {
        answer.type = SL_AGG_FAULTED;
        answer.argument[0] = 4;
        answer.fault =
            (struct sl_fault){.code = SL_FAULT_ACCESS, .access_bytes = 4, .pc = 0x80400000};
    } else if (fake_is("traps")) {
        answer.type = SL_AGG_TRAPPED;
        answer.sequence = 0;
        answer.argument[0] = 2;
        fake_send(mailbox, &answer);
        _exit(SL_EXIT_TRAPPED);
    }
    fake_send(mailbox, &answer);
}

static inline void fake_serve(struct sl_mailbox *mailbox)
{
    uint32_t bell = 0;
    for (;;) {
        bell = __atomic_load_n(&mailbox->host_bell, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&mailbox->quit, __ATOMIC_ACQUIRE) != 0 && !fake_is("deaf")) {
            _exit(0);
        }
        while (mailbox->host_head != __atomic_load_n(&mailbox->host_tail, __ATOMIC_ACQUIRE)) {
            const struct sl_message_host message =
                mailbox->host[mailbox->host_head % SL_MAILBOX_ENTRIES];
            __atomic_store_n(&mailbox->host_head, mailbox->host_head + 1, __ATOMIC_RELEASE);
            sl_futex_wake(&mailbox->host_head);
            fake_answer(mailbox, &message);
        }
        sl_futex_wait(&mailbox->host_bell, bell, 10000);
    }
}

/* Runs the fake, if the program was called by such a name, and does not return then. */
static inline void fake_qemu_main(int argc, char **argv)
{
    const char *const slash = strrchr(argv[0], '/');
    const char *const base = slash != NULL ? slash + 1 : argv[0];
    if (strncmp(base, FAKE_QEMU, strlen(FAKE_QEMU)) != 0) {
        return;
    }
    fake_name = base + strlen(FAKE_QEMU);
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        if (fake_is("mute")) {
            (void)pause();
        }
        (void)printf(fake_is("other") ? "something else 1.2\n"
                                      : "QEMU emulator version 7.2.0 (fake)\nCopyright\n");
        if (fake_is("warns") || fake_is("other")) {
            (void)fprintf(stderr, "fake-qemu: a warning\n");
        }
        (void)fflush(stdout);
        _exit(0);
    }
    if (fake_is("other") || fake_is("mute")) {
        _exit(1);
    }
    if (fake_is("dies")) {
        (void)fprintf(stderr, "fake-qemu: a message of QEMU's\n");
        _exit(SL_EXIT_IMAGE_CRC);
    }
    sigset_t told; /* for "slow", before anybody can tell it */
    sigemptyset(&told);
    sigaddset(&told, SIGUSR1);
    (void)sigprocmask(SIG_BLOCK, &told, NULL);
    struct sl_mailbox *const mailbox = fake_map(argc, argv);
    if (mailbox == NULL) {
        _exit(SL_EXIT_PLUGIN);
    }
    if (!fake_is("silent")) {
        fake_send(mailbox, &(struct sl_message_agg){.type = SL_AGG_READY, .argument = {1}});
    }
    fake_serve(mailbox);
}

#endif
