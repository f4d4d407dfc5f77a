/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What `qemu --version` says: whether what host.qemu names is a QEMU. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "host/driver/machine/child.h"
#include "host/driver/machine/paths.h"
#include "sluice/version.h"

#define TEXT_BYTES 4096
#define LIMIT_MS   2000

/* What `qemu --version` has written, and how it has ended. */
struct version_answer {
    bool is_late;
    int wait_status;
    char *output;
    char *messages;
};

static void judge_version(const char *qemu, const struct version_answer *answer, char *error,
                          size_t error_bytes)
{
    char end[64] = "";
    if (answer->wait_status == SL_WAIT_LOST) {
        /* the answer says enough */
    } else if (WIFSIGNALED(answer->wait_status)) {
        (void)snprintf(end, sizeof end, ", and was ended by signal %d",
                       WTERMSIG(answer->wait_status));
    } else if (answer->wait_status != 0) {
        (void)snprintf(end, sizeof end, ", and ended with exit status %d",
                       WEXITSTATUS(answer->wait_status));
    }
    const int length = (int)strcspn(answer->messages, "\r\n");
    (void)snprintf(error, error_bytes,
                   "host.qemu: '%s --version' says '%s'%s%.*s%s%s, which is not a QEMU's version; "
                   "set host.qemu to the path of a qemu-system-riscv64",
                   qemu, answer->output, length > 0 ? ", and on standard error '" : "",
                   length < 200 ? length : 200, answer->messages, length > 0 ? "'" : "", end);
}

/* Takes the answer. *line is its first line. */
static enum sl_status take_version(const char *qemu, struct version_answer *answer,
                                   char line[SL_QEMU_VERSION_BYTES], char *error,
                                   size_t error_bytes)
{
    if (answer->output == NULL || answer->messages == NULL) {
        (void)snprintf(error, error_bytes, "host.qemu: '%s --version': out of memory", qemu);
        return SL_ERROR_MACHINE;
    }
    answer->output[strcspn(answer->output, "\r\n")] = '\0';
    (void)snprintf(line, SL_QEMU_VERSION_BYTES, "%s", answer->output);
    if (answer->is_late) {
        (void)snprintf(error, error_bytes, "host.qemu: '%s --version' did not answer within %d ms",
                       qemu, LIMIT_MS);
        return SL_ERROR_MACHINE;
    }
    const bool is_good = answer->wait_status == 0 || answer->wait_status == SL_WAIT_LOST;
    if (is_good && strncmp(line, "QEMU", 4) == 0 && strstr(line, "version ") != NULL) {
        return SL_OK;
    }
    judge_version(qemu, answer, error, error_bytes);
    return SL_ERROR_USAGE;
}

/* Starts `qemu --version`, and waits for its end. Returns 0, or errno. */
static int run_version(struct sl_process *process, const char *qemu, struct sl_child *child,
                       struct version_answer *answer)
{
    char program[PATH_MAX];
    (void)snprintf(program, sizeof program, "%s", qemu);
    char option[] = "--version";
    char *const arguments[] = {program, option, NULL};
    child->arguments = arguments;
    int reason = sl_lifeline_open(process, &child->lifeline_fd);
    if (reason == 0) {
        reason = sl_child_start(process, child);
    }
    sl_descriptor_close(&child->lifeline_fd);
    if (process->child != 0) {
        answer->is_late = !sl_lifeline_wait(process, LIMIT_MS);
        if (answer->is_late) {
            sl_process_kill(process);
        }
        answer->wait_status = sl_child_reap(process);
    }
    sl_descriptor_close(&process->lifeline);
    return reason;
}

enum sl_status sl_qemu_version_take(struct sl_process *process, const char *qemu,
                                    char line[SL_QEMU_VERSION_BYTES], char *error,
                                    size_t error_bytes)
{
    struct version_answer answer = {.is_late = false};
    struct sl_child child = {.output_fd = sl_memory_file("sluice-qemu-version"),
                             .message_fd = sl_memory_file("sluice-qemu-messages"),
                             .lifeline_fd = -1};
    const bool is_open = child.output_fd >= 0 && child.message_fd >= 0;
    const int reason = is_open ? run_version(process, qemu, &child, &answer) : errno;
    enum sl_status status = SL_ERROR_MACHINE;
    if (reason != 0) {
        (void)snprintf(error, error_bytes, "host.qemu: cannot run '%s --version': %s", qemu,
                       strerror(reason));
    } else {
        answer.output = sl_memory_file_text(child.output_fd, 0, TEXT_BYTES);
        answer.messages = sl_memory_file_text(child.message_fd, 0, TEXT_BYTES);
        status = take_version(qemu, &answer, line, error, error_bytes);
        free(answer.output);
        free(answer.messages);
    }
    sl_descriptor_close(&child.output_fd);
    sl_descriptor_close(&child.message_fd);
    return status;
}

enum sl_status sl_qemu_version_ask(const struct sl_config *config, char line[SL_QEMU_VERSION_BYTES],
                                   char *error, size_t error_bytes)
{
    struct sl_process asker = {.config = config, .is_open = true, .lifeline = -1};
    char qemu[PATH_MAX];
    line[0] = '\0';
    if (sl_engine_is_native(config)) {
        (void)snprintf(line, SL_QEMU_VERSION_BYTES, "native engine of Sluice %s", SL_VERSION);
        return SL_OK;
    }
    const int reason = sl_path_find_program(config->text[SL_CFG_HOST_QEMU], qemu, sizeof qemu);
    if (reason != 0) {
        (void)snprintf(error, error_bytes, "host.qemu: cannot run '%s': %s",
                       config->text[SL_CFG_HOST_QEMU], strerror(reason));
        return sl_path_status(reason);
    }
    pthread_mutex_init(&asker.mutex, NULL);
    const enum sl_status status = sl_qemu_version_take(&asker, qemu, line, error, error_bytes);
    pthread_mutex_destroy(&asker.mutex);
    return status;
}
