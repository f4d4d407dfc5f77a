/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What reads input from outside (tests/fuzz/input), without libFuzzer: the inputs of
 * tests/fuzz/corpus, the seeds that the build makes, and each of them with random changes, the same
 * in every run. Each reader is a process of its own; where that does not end well, its last input
 * stays in the build folder. SLUICE_FUZZ_INPUT=NAME:FILE tries one file on the reader of that
 * name. */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <sanitizer/lsan_interface.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attack/random.h"
#include "common/check.h"
#include "fuzz/input/input.h"

#define INPUT_BYTES  32768u
#define CHANGES_MOST 8 /* of one input */

struct reader {
    const char *name;
    int (*read)(const uint8_t *data, size_t bytes);
    unsigned variants; /* of each input */
};

/* What a reader is given: in shared memory, as its process may end. */
struct given {
    unsigned count;
    unsigned variant; /* 0: the file as it is */
    char file[512];
    size_t bytes;
    uint8_t data[INPUT_BYTES];
};

static const char *build_folder(void)
{
    const char *const build = getenv("SLUICE_BUILD");
    return build != NULL ? build : "build";
}

/* One change: a bit, a byte of those that are often special, a piece taken out, or copied over
 * another. */
static void change(struct given *given, struct rng *rng)
{
    static const uint8_t special[] = {0, 1, 0x7f, 0x80, 0xff, '%', '*', '=', '[', '"', '\n', '9'};
    const size_t bytes = given->bytes;
    if (bytes == 0) {
        return;
    }
    const size_t at = rng_below(rng, bytes);
    const size_t other = rng_below(rng, bytes);
    const size_t room = bytes - (at > other ? at : other);
    const size_t length = 1 + rng_below(rng, room < 16 ? room : 16);
    switch (rng_below(rng, 4)) {
    case 0:
        given->data[at] ^= (uint8_t)(1u << rng_below(rng, 8));
        break;
    case 1:
        given->data[at] = special[rng_below(rng, sizeof special)];
        break;
    case 2:
        memmove(given->data + at, given->data + at + length, bytes - at - length);
        given->bytes -= length;
        break;
    default:
        memmove(given->data + at, given->data + other, length);
        break;
    }
}

static void try_file(const struct reader *reader, const char *path, struct given *given)
{
    struct rng rng = rng_of_run(1, 0, 0);
    uint8_t original[INPUT_BYTES];
    FILE *const file = fopen(path, "re");

    input_check(file != NULL);
    const size_t bytes = fread(original, 1, sizeof original, file);
    input_check(fgetc(file) == EOF); /* all of it */
    (void)fclose(file);
    (void)snprintf(given->file, sizeof given->file, "%s", path);
    for (unsigned variant = 0; variant <= reader->variants; variant++) {
        const uint64_t changes = variant == 0 ? 0 : 1 + rng_below(&rng, CHANGES_MOST);
        memcpy(given->data, original, bytes);
        given->bytes = bytes;
        given->variant = variant;
        for (uint64_t i = 0; i < changes; i++) {
            change(given, &rng);
        }
        /* As large as it is, so that a sanitizer sees what is read behind it. */
        uint8_t *const copy = malloc(given->bytes > 0 ? given->bytes : 1);
        input_check(copy != NULL);
        memcpy(copy, given->data, given->bytes);
        (void)reader->read(copy, given->bytes);
        free(copy);
        given->count++;
    }
}

static void try_folder(const struct reader *reader, const char *folder, struct given *given)
{
    char path[512];
    struct dirent **entries;
    const int count = scandir(folder, &entries, NULL, alphasort);

    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.') {
            (void)snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
            try_file(reader, path, given);
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
}

static void try_all(const struct reader *reader, struct given *given)
{
    const char *const one = getenv("SLUICE_FUZZ_INPUT");
    const size_t length = strlen(reader->name);
    char folder[256];

    if (one != NULL) {
        if (strncmp(one, reader->name, length) == 0 && one[length] == ':') {
            const struct reader plain = {reader->name, reader->read, 0};
            try_file(&plain, one + length + 1, given);
        }
        return;
    }
    (void)snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", reader->name);
    try_folder(reader, folder, given);
    (void)snprintf(folder, sizeof folder, "%s/fuzz/seeds/%s", build_folder(), reader->name);
    try_folder(reader, folder, given);
    input_check(given->count > 0);
}

static void keep_input(const struct reader *reader, const struct given *given, int status)
{
    char path[256];

    (void)snprintf(path, sizeof path, "%s/fuzz/%s.input", build_folder(), reader->name);
    FILE *const out = fopen(path, "we");
    assert_non_null(out);
    assert_int_equal(fwrite(given->data, 1, given->bytes, out), given->bytes);
    assert_int_equal(fclose(out), 0);
    fail_msg("%s, variant %u, ends the reader (status 0x%x); it is kept: "
             "SLUICE_FUZZ_INPUT=%s:%s %s/tests/fuzz/test_input",
             given->file, given->variant, (unsigned)status, reader->name, path, build_folder());
}

/* cmocka would go on with the next test. */
static void end_by_signals(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS};

    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        (void)signal(signals[i], SIG_DFL);
    }
}

static void reads_anything(void **state)
{
    const struct reader *const reader = *state;
    struct given *const given =
        mmap(NULL, sizeof *given, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = 0;

    assert_ptr_not_equal(given, MAP_FAILED);
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        end_by_signals();
        try_all(reader, given);
        __lsan_do_leak_check();
        _exit(0);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    if (status != 0) {
        keep_input(reader, given, status);
    }
    (void)munmap(given, sizeof *given);
}

/* As many variants as take a small part of a second. */
static const struct reader readers[] = {
    {"print", input_print, 200}, {"config", input_config, 20}, {"setting", input_setting, 20},
    {"elf", input_elf, 500},     {"dwarf", input_dwarf, 100},  {"code", input_code, 200},
    {"sweep", input_sweep, 20},  {"panel", input_panel, 3},
};

TEST_CASE(reads_anything, "print", &readers[0]);
TEST_CASE(reads_anything, "config", &readers[1]);
TEST_CASE(reads_anything, "setting", &readers[2]);
TEST_CASE(reads_anything, "elf", &readers[3]);
TEST_CASE(reads_anything, "dwarf", &readers[4]);
TEST_CASE(reads_anything, "code", &readers[5]);
TEST_CASE(reads_anything, "sweep", &readers[6]);
TEST_CASE(reads_anything, "panel", &readers[7]);
