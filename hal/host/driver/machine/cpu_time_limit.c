/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#define _GNU_SOURCE 1
#include "host/driver/machine/cpu_time_limit.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_BYTES 96
#define LINE_BYTES 512
/* Generations below a process, each of which is a call within a call. */
#define DEPTH_MAX 16

bool sl_effort_add_line(struct sl_effort *effort, const char *line)
{
    int64_t ran_ns = 0;
    int64_t waited_ns = 0;

    if (sscanf(line, "%" SCNd64 " %" SCNd64, &ran_ns, &waited_ns) != 2) {
        return false;
    }
    effort->ran_ns += ran_ns;
    effort->waited_ns += waited_ns;
    return true;
}

static bool read_line(const char *path, char line[LINE_BYTES])
{
    FILE *const file = fopen(path, "re");
    const bool is_read = file != NULL && fgets(line, LINE_BYTES, file) != NULL;

    if (file != NULL) {
        (void)fclose(file);
    }
    return is_read;
}

/* `folder` is /proc/PID/task/TID. */
static void add_thread(struct sl_effort *effort, const char *folder)
{
    char path[PATH_BYTES + 16];
    char line[LINE_BYTES];

    (void)snprintf(path, sizeof path, "%s/schedstat", folder);
    if (!read_line(path, line) || !sl_effort_add_line(effort, line)) {
        return;
    }
    (void)snprintf(path, sizeof path, "%s/stat", folder);
    if (read_line(path, line)) {
        const char *const name = strrchr(line, ')');
        effort->is_ready = effort->is_ready || (name != NULL && strncmp(name, ") R", 3) == 0);
    }
}

static void add_tree(struct sl_effort *effort, pid_t pid, int depth);

static void add_children(struct sl_effort *effort, const char *folder, int depth)
{
    char path[PATH_BYTES + 16];
    long child = 0;

    (void)snprintf(path, sizeof path, "%s/children", folder);
    FILE *const file = depth < DEPTH_MAX ? fopen(path, "re") : NULL;
    while (file != NULL && fscanf(file, "%ld", &child) == 1) {
        add_tree(effort, (pid_t)child, depth + 1);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
}

static void add_tree(struct sl_effort *effort, pid_t pid, int depth)
{
    char path[PATH_BYTES];
    const struct dirent *thread;

    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *const threads = opendir(path);
    while (threads != NULL && (thread = readdir(threads)) != NULL) {
        if (isdigit((unsigned char)thread->d_name[0])) {
            (void)snprintf(path, sizeof path, "/proc/%d/task/%.20s", (int)pid, thread->d_name);
            add_thread(effort, path);
            add_children(effort, path, depth);
        }
    }
    if (threads != NULL) {
        (void)closedir(threads);
    }
}

void sl_effort_add_tree(struct sl_effort *effort, pid_t pid)
{
    add_tree(effort, pid, 0);
}

void sl_effort_add_thread(struct sl_effort *effort, pid_t thread)
{
    char path[PATH_BYTES];

    (void)snprintf(path, sizeof path, "/proc/self/task/%d", (int)thread);
    add_thread(effort, path);
}

void sl_cpu_limit_begin(struct sl_cpu_limit *patience, int64_t now_ms,
                        const struct sl_effort *effort)
{
    *patience = (struct sl_cpu_limit){.begin_ms = now_ms, .begin = *effort, .seen_ns = -1};
}

/* A thread that has ended is no more in what is read: no difference is taken below zero. */
static int64_t since_ms(int64_t begin_ns, int64_t end_ns)
{
    return end_ns > begin_ns ? (end_ns - begin_ns) / 1000000 : 0;
}

int64_t sl_cpu_limit_left_ms(struct sl_cpu_limit *patience, int64_t now_ms,
                             const struct sl_effort *effort, int64_t limit_ms)
{
    const int64_t ran_ms = since_ms(patience->begin.ran_ns, effort->ran_ns);
    const int64_t wall_ms =
        now_ms - patience->begin_ms - since_ms(patience->begin.waited_ns, effort->waited_ns);
    const int64_t left_ms = limit_ms - (ran_ms > wall_ms ? ran_ms : wall_ms);
    const int64_t seen_ns = effort->ran_ns + effort->waited_ns;
    const bool is_same = patience->seen_ns < 0 || patience->seen_ns == seen_ns;

    if (left_ms > 0) {
        patience->seen_ns = -1;
        return left_ms;
    }
    patience->seen_ns = seen_ns;
    return effort->is_ready && ran_ms < limit_ms && is_same ? SL_CPU_LIMIT_LOOK_MS : left_ms;
}
