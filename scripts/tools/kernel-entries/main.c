/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* kernel-entries: compiles kernels whose entries save no registers (docs/look-up/isa.md,
 * "Entries"), and whose functions that take locks are whole. usage: gcc -dP -wrapper kernel-entries
 * ...
 *
 * GCC's driver then calls each of its programs through this one: kernel-entries PROGRAM ARGUMENT...
 * The assembly that the compiler proper makes is rewritten (entries.c); every other program, and a
 * compiler that makes none, takes this one's place. That of C++ is told that kernels have neither
 * exceptions nor types at run time, options which that of C does not take. Exit status: the
 * program's, 1 where it was ended by a signal or its assembly cannot be written. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "entries.h"

static char to_standard_output[] = "-";

static int fail(const char *what)
{
    (void)fprintf(stderr, "kernel-entries: %s: %s\n", what, strerror(errno));
    return 1;
}

/* Whether a command's program, in whatever folder, has this name. */
static bool is_program(char **argv, const char *name)
{
    const char *const slash = strrchr(argv[0], '/');
    return strcmp(slash == NULL ? argv[0] : slash + 1, name) == 0;
}

/* The argument that names the file of assembly that the program makes; NULL if it makes none. */
static char **assembly(char **argv)
{
    char **output = NULL;

    for (char **argument = argv + 1; *argument != NULL; argument++) {
        if (strcmp(*argument, "-E") == 0 || strcmp(*argument, "-fsyntax-only") == 0) {
            return NULL;
        }
        if (strcmp(*argument, "-o") == 0 && argument[1] != NULL) {
            output = argument + 1;
        }
    }
    return is_program(argv, "cc1") || is_program(argv, "cc1plus") ? output : NULL;
}

/* The command with two more options, to be freed; NULL where there is no memory. */
static char **with_options(char **argv, char *first, char *second)
{
    size_t count = 0;

    while (argv[count] != NULL) {
        count++;
    }
    char **const longer = calloc(count + 3, sizeof *longer);
    if (longer != NULL) {
        memcpy(longer, argv, count * sizeof *longer);
        longer[count] = first;
        longer[count + 1] = second;
    }
    return longer;
}

static char *read_all(int fd)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *const in = fdopen(fd, "r");

    if (in != NULL && getdelim(&text, &bytes, '\0', in) < 0 && !ferror(in)) {
        free(text);
        text = strdup("");
    }
    if (in != NULL) {
        (void)fclose(in);
    }
    return text;
}

/* Runs the program. Returns what it writes, and in *status how it ended; NULL where it cannot be
 * started or read from. */
static char *output_of(char **argv, int *status)
{
    int ends[2];
    char *text = NULL;

    if (pipe(ends) != 0) {
        return NULL;
    }
    const pid_t child = fork();
    if (child == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        (void)execvp(argv[0], argv);
        _exit(fail(argv[0]));
    }
    (void)close(ends[1]);
    if (child > 0) {
        text = read_all(ends[0]);
        if (waitpid(child, status, 0) != child) {
            *status = EXIT_FAILURE;
        }
    } else {
        (void)close(ends[0]);
    }
    return text;
}

/* Whether a function that takes locks may have been split in two, of which one is inlined: then the
 * lock may be in one part and the unlock in the other (docs/look-up/isa.md, "Locks"). */
static bool splits_locks(const char *text)
{
    return strstr(text, ".insn r 0x0b, 0, 9,") != NULL && strstr(text, ".part.") != NULL;
}

/* The same program once more, silently, with functions left whole. Only where it has to be, since
 * that changes other code, too. */
static char *output_of_whole(char **argv, int *status)
{
    static char whole[] = "-fno-partial-inlining";
    static char silent[] = "-w";
    char **const arguments = with_options(argv, whole, silent);
    char *const text = arguments == NULL ? NULL : output_of(arguments, status);

    free(arguments);
    return text;
}

static int write_to(const char *path, char *text)
{
    const bool is_standard = strcmp(path, to_standard_output) == 0;
    FILE *const out = is_standard ? stdout : fopen(path, "w");
    if (out == NULL) {
        return fail(path);
    }
    int status = entries_write(text, out);
    status |= ferror(out);
    status |= is_standard ? fflush(out) : fclose(out);
    return status == 0 ? 0 : fail(path);
}

/* Runs the program and writes its assembly where it would have. Returns the exit status. */
static int compile(char **argv, char **output)
{
    const char *const path = *output;
    int status = 0;
    *output = to_standard_output;
    char *text = output_of(argv, &status);
    if (text != NULL && status == 0 && splits_locks(text)) {
        free(text);
        text = output_of_whole(argv, &status);
    }
    if (text == NULL) {
        return fail(argv[0]);
    }
    if (status == 0) {
        status = write_to(path, text);
    } else {
        status = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    }
    free(text);
    return status;
}

int main(int argc, char **argv)
{
    static char no_exceptions[] = "-fno-exceptions";
    static char no_rtti[] = "-fno-rtti";

    if (argc < 2) {
        (void)fprintf(stderr, "usage: gcc -dP -wrapper kernel-entries ...\n");
        return 2;
    }
    char **command = argv + 1;
    if (is_program(command, "cc1plus")) {
        command = with_options(command, no_exceptions, no_rtti);
        if (command == NULL) {
            return fail(argv[1]);
        }
    }
    char **const output = assembly(command);
    if (output == NULL) {
        (void)execvp(command[0], command);
        return fail(command[0]);
    }
    const int status = compile(command, output);
    if (command != argv + 1) {
        free(command);
    }
    return status;
}
