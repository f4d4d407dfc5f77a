/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Preloaded (LD_PRELOAD), it numbers what a program allocates, from 1: all that the program and its
 * libraries do, libc's own (strdup(), fopen(), ...) included, but not other programs that this one
 * starts. With SLUICE_REFUSE=N the Nth is refused, and the file `refused` of the working
 * folder gets the name of the library that asks. Without, the file `places` gets the numbers of
 * those that are the first of their place: most of some hundred thousand are of a few loops. A
 * place is the innermost FRAMES calls. */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FRAMES 12
#define PLACES 4096 /* a power of two, and some times as many as there are */

/* glibc's functions behind the names that are defined here. */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);

static atomic_bool counts;
static atomic_long count;
static long refused; /* the number; 0: none */
static int places = -1;
static atomic_flag is_busy = ATOMIC_FLAG_INIT;
static _Thread_local bool is_inside;

__attribute__((constructor)) static void begin(void)
{
    void *frames[FRAMES];
    const char *const number = getenv("SLUICE_REFUSE");
    (void)unsetenv("LD_PRELOAD");
    if (number != NULL) {
        refused = atol(number);
    } else {
        (void)backtrace(frames, FRAMES); /* which allocates, the first time */
        places = open("places", O_CREAT | O_TRUNC | O_WRONLY | O_APPEND | O_CLOEXEC, 0666);
    }
    atomic_store(&counts, true);
}

/* Whether nothing was allocated in this place before. */
static bool is_new(void *const *frames, int depth)
{
    static uint64_t seen[PLACES]; /* hash table of hashes; 0: free */
    uint64_t hash = 1;
    for (int i = 0; i < depth; i++) {
        hash = (hash ^ (uint64_t)(uintptr_t)frames[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    size_t at = hash % PLACES;
    while (seen[at] != 0 && seen[at] != hash) {
        at = (at + 1) % PLACES;
    }
    const bool is_free = seen[at] == 0;
    seen[at] = hash;
    return is_free;
}

/* The innermost that is neither this nor libc. */
static const char *asks(void *const *frames, int depth)
{
    const char *name = "";
    Dl_info own = {.dli_fname = ""};
    Dl_info of = {.dli_fname = ""};

    (void)dladdr(frames[0], &own);
    for (int i = 1; i < depth && name[0] == '\0'; i++) {
        if (dladdr(frames[i], &of) != 0 && of.dli_fbase != own.dli_fbase &&
            strstr(of.dli_fname, "/libc.so") == NULL) {
            name = of.dli_fname;
        }
    }
    return strrchr(name, '/') != NULL ? strrchr(name, '/') + 1 : name;
}

static void note_place(long number)
{
    void *frames[FRAMES];

    is_inside = true; /* what the unwinder allocates */
    const int depth = backtrace(frames, FRAMES);
    while (atomic_flag_test_and_set(&is_busy)) {
    }
    if (is_new(frames, depth)) {
        (void)dprintf(places, "%ld\n", number);
    }
    atomic_flag_clear(&is_busy);
    is_inside = false;
}

static void note_refused(void)
{
    void *frames[FRAMES];

    is_inside = true;
    const int file = open("refused", O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
    (void)dprintf(file, "%s\n", asks(frames, backtrace(frames, FRAMES)));
    (void)close(file);
    is_inside = false;
}

static bool is_refused(void)
{
    if (!atomic_load(&counts) || is_inside) {
        return false;
    }
    const long number = atomic_fetch_add(&count, 1) + 1;
    if (places >= 0) {
        note_place(number);
    }
    if (number != refused) {
        return false;
    }
    note_refused();
    errno = ENOMEM;
    return true;
}

void *malloc(size_t bytes)
{
    return is_refused() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t items, size_t bytes)
{
    return is_refused() ? NULL : __libc_calloc(items, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return is_refused() ? NULL : __libc_realloc(old, bytes);
}
