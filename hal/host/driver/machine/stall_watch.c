/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Simulated time moves with each instruction of the firmware, so that a simulation that is merely
 * slow moves it many times in a second: what is looked for is a QEMU that is stopped, blocked, or
 * goes round in itself. The clock is that of the time in which the system was awake; what this
 * process was stopped for does not count either. */
#include "host/driver/machine/stall_watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/number.h"
#include "host/driver/machine/qemu.h"

#define FILE_BYTES 65536u
#define STAT_BYTES 1024u

/* Of the fields of /proc/PID/stat behind the name, which is in parentheses. */
enum { FIELD_STATE = 0, FIELD_UTIME = 11, FIELD_STIME = 12 };

void sl_stall_watch_begin(struct sl_stall_watch *stall)
{
    *stall = (struct sl_stall_watch){.seen_ms = 0};
}

int64_t sl_stall_watch_look(struct sl_stall_watch *stall, uint64_t time_ps, int64_t now_ms)
{
    const int64_t gap_ms = now_ms - stall->seen_ms;

    if (stall->seen_ms == 0 || stall->time_ps != time_ps) {
        stall->time_ps = time_ps;
        stall->still_ms = 0;
        stall->cpu_from_ms = -1;
    } else {
        stall->still_ms += gap_ms < SL_STALL_WATCH_GAP_MS ? gap_ms : SL_STALL_WATCH_GAP_MS;
    }
    stall->seen_ms = now_ms;
    return stall->still_ms;
}

bool sl_stall_watch_is_real(const struct sl_stall_watch *stall, const struct sl_process_look *look,
                            int64_t limit_ms)
{
    if (look->state == 0 || look->state == 'Z' || look->state == 'X' || look->is_traced) {
        return false;
    }
    return look->state != 'R' || look->cpu_ms - stall->cpu_from_ms >= limit_ms / 10;
}

void sl_stall_watch_text(const struct sl_stall_watch *stall, const struct sl_process_look *look,
                         char *out, size_t bytes)
{
    switch (look->state) {
    case 'T':
        (void)snprintf(out, bytes,
                       "it was stopped by a signal (state T); whoever stops it has to let it go "
                       "on sooner, or to set a larger host.stall_limit");
        break;
    case 'R':
        (void)sl_number_format(
            out, bytes,
            "it goes round in itself (state R, %.1f s of processor time since), which "
            "is a mistake of the firmware, the simulator or what executes them: run it "
            "again with debug.gdb to see where",
            (double)(look->cpu_ms - stall->cpu_from_ms) / 1e3);
        break;
    default:
        (void)snprintf(out, bytes,
                       "it sleeps (state %c), and not for this program: see what it waits for; a "
                       "machine that is short of memory or of a disk needs a larger "
                       "host.stall_limit",
                       look->state);
        break;
    }
}

/* ---- what the system says ---- */

/* A file of /proc as a string, to be freed; NULL where it cannot be read. */
static char *read_file(const char *path)
{
    FILE *const file = fopen(path, "re");
    char *text = NULL;
    size_t length = 0;
    size_t got = 0;

    if (file == NULL) {
        return NULL;
    }
    do {
        char *const more = realloc(text, length + FILE_BYTES + 1);
        if (more == NULL) {
            break;
        }
        text = more;
        got = fread(text + length, 1, FILE_BYTES, file);
        length += got;
        text[length] = '\0';
    } while (got == FILE_BYTES);
    (void)fclose(file);
    return text;
}

struct sl_process_look sl_process_look_parse(const char *stat)
{
    struct sl_process_look look = {.state = 0};
    char text[STAT_BYTES];
    const char *const name = strrchr(stat, ')');
    int64_t ticks = 0;
    int field = 0;
    char *rest = NULL;

    (void)snprintf(text, sizeof text, "%s", name != NULL ? name + 1 : "");
    for (const char *word = strtok_r(text, " \n", &rest); word != NULL;
         word = strtok_r(NULL, " \n", &rest), field++) {
        if (field == FIELD_STATE) {
            look.state = word[0];
        } else if (field == FIELD_UTIME || field == FIELD_STIME) {
            ticks += strtoll(word, NULL, 10);
        }
    }
    look.cpu_ms = ticks * 1000 / sysconf(_SC_CLK_TCK);
    look.is_traced = look.state == 't';
    return look;
}

/* Whether a debugger has attached to the process itself. */
static bool is_traced(pid_t pid)
{
    static const char field[] = "TracerPid:";
    char path[64];

    (void)snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    char *const text = read_file(path);
    const char *const at = text != NULL ? strstr(text, field) : NULL;
    const bool has_one = at != NULL && strtol(at + sizeof field - 1, NULL, 10) != 0;
    free(text);
    return has_one;
}

struct sl_process_look sl_process_look_at(pid_t pid)
{
    struct sl_process_look look = {.state = 0};
    char path[64];

    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    char *const text = read_file(path);
    if (text != NULL) {
        look = sl_process_look_parse(text);
        look.is_traced = look.is_traced || is_traced(pid);
    }
    free(text);
    return look;
}

/* ---- who is connected ---- */

#define UNIX_CONNECTED 3u
#define TCP_CONNECTED  1u

bool sl_debugger_in_unix(const char *table, const char *path)
{
    const size_t length = strlen(path);

    /* "address: references protocol flags type state inode path" */
    for (const char *line = table; line != NULL; line = strchr(line, '\n')) {
        unsigned state = 0;
        int at = 0;
        line += *line == '\n';
        if (sscanf(line, "%*s %*s %*s %*s %*s %x %*u%n", &state, &at) != 1 || at == 0 ||
            state != UNIX_CONNECTED || line[at] != ' ') {
            continue;
        }
        const char *const name = line + at + 1;
        if (strncmp(name, path, length) == 0 && (name[length] == '\n' || name[length] == '\0')) {
            return true;
        }
    }
    return false;
}

bool sl_debugger_in_tcp(const char *table, unsigned port)
{
    /* "number: address:port address:port state", in hexadecimal */
    for (const char *line = table; line != NULL; line = strchr(line, '\n')) {
        unsigned local = 0;
        unsigned state = 0;
        line += *line == '\n';
        if (sscanf(line, " %*u: %*[0-9A-Fa-f]:%x %*s %x", &local, &state) == 2 && local == port &&
            state == TCP_CONNECTED) {
            return true;
        }
    }
    return false;
}

/* A table of the network of a process. */
static char *read_table(pid_t pid, const char *name)
{
    char path[64];

    (void)snprintf(path, sizeof path, "/proc/%d/net/%s", (int)pid, name);
    return read_file(path);
}

static bool is_in_tcp(pid_t pid, const char *name, unsigned port, bool *is_known)
{
    char *const table = read_table(pid, name);
    const bool is_there = table != NULL && sl_debugger_in_tcp(table, port);

    *is_known = *is_known || table != NULL;
    free(table);
    return is_there;
}

bool sl_debugger_is_connected(const char *where, pid_t pid)
{
    bool is_known = false;

    if (where[0] == '\0') {
        return false;
    }
    if (sl_qemu_gdb_is_path(where)) {
        char *const table = read_table(pid, "unix");
        const bool is_there = table == NULL || sl_debugger_in_unix(table, where);
        free(table);
        return is_there;
    }
    const unsigned port = (unsigned)strtoul(strrchr(where, ':') + 1, NULL, 10);
    return is_in_tcp(pid, "tcp", port, &is_known) || is_in_tcp(pid, "tcp6", port, &is_known) ||
           !is_known;
}
