/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sluice new: a project to begin a program of one's own with. */
#define _GNU_SOURCE 1
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "new/project.h"

/* A folder of scripts/templates each; the first is the default. */
static const struct project_template templates[] = {
    {"graph", "a channel-flow graph of two kernels"},
    {"cilk", "a recursive function with spawn and sync, on channel stacks"},
    {"ndrange", "a kernel over an NDRange, whose work-groups share LDS"},
};

#define TEMPLATES (sizeof templates / sizeof templates[0])

/* Targets and folders of make and CMake. */
static const char *const taken[] = {
    "all",        "build",          "clean",      "depend",
    "edit_cache", "help",           "install",    "list_install_components",
    "package",    "package_source", "preinstall", "rebuild_cache",
    "run",        "test",
};

#define TAKEN (sizeof taken / sizeof taken[0])

struct request {
    const struct project_template *template;
    const char *path; /* or NULL */
    bool wants_list;
};

static const struct project_template *find_template(struct argp_state *state, const char *name)
{
    char names[256] = "";

    for (size_t i = 0; i < TEMPLATES; i++) {
        if (strcmp(templates[i].name, name) == 0) {
            return &templates[i];
        }
        (void)strcat(strcat(names, i == 0 ? "" : ", "), templates[i].name);
    }
    argp_failure(state, CLI_USAGE, 0, "--template: there is no template '%s'; one of %s", name,
                 names);
    return NULL;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *const request = state->input;

    switch (key) {
    case 't':
        request->template = find_template(state, argument);
        return 0;
    case 'l':
        request->wants_list = true;
        return 0;
    case ARGP_KEY_ARG:
        if (request->path != NULL) {
            argp_error(state, "one project at a time: '%s' or '%s'", request->path, argument);
        }
        request->path = argument;
        return 0;
    case ARGP_KEY_END:
        if (request->path == NULL && !request->wants_list) {
            argp_error(state, "what is the program called, or the folder to make for it?");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"template", 't', "TEMPLATE", 0, "What to begin with: graph (the default), cilk or ndrange", 0},
    {"list", 'l', NULL, 0, "List the templates", 0},
    {0},
};

static const struct argp new_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "PATH",
    .doc = "Make a project: a host program and its kernels, a Makefile and a CMakeLists.txt, and "
           "tests. It is complete: `make run` in it works at once. PATH is its folder, which is "
           "new or empty; the last part is the program's name.",
};

static void print_templates(void)
{
    for (size_t i = 0; i < TEMPLATES; i++) {
        printf("%-8s %s%s\n", templates[i].name, templates[i].sentence,
               i == 0 ? " (the default)" : "");
    }
}

/* ---- names ---- */

/* The last part of a path, without the slashes behind it; of the current folder and the one above,
 * what they are called. */
static void take_name(const char *path, char name[PATH_MAX])
{
    char whole[PATH_MAX];
    size_t end = strlen(path);

    while (end > 1 && path[end - 1] == '/') {
        end--;
    }
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/') {
        begin--;
    }
    (void)snprintf(name, PATH_MAX, "%.*s", (int)(end - begin), path + begin);
    if ((strcmp(name, ".") == 0 || strcmp(name, "..") == 0) && realpath(path, whole) != NULL) {
        (void)snprintf(name, PATH_MAX, "%s", strrchr(whole, '/') + 1);
    }
}

static bool begins_with(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* Names of files, of targets, and parts of C identifiers. */
static int check_name(const struct cli_command *command, const char *name)
{
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");

    if (length == 0 || name[length] != '\0' || !islower((unsigned char)name[0]) ||
        length > PROJECT_NAME_MAX) {
        return cli_fail(command, CLI_USAGE,
                        "'%s' cannot be the name of a program; it may have small letters, digits "
                        "and _, begins with a letter, and has at most %d characters",
                        name, PROJECT_NAME_MAX);
    }
    if (begins_with(name, "sl_") || begins_with(name, "sluice")) {
        return cli_fail(command, CLI_USAGE,
                        "'%s' cannot be the name of a program: what begins with sl_ and sluice is "
                        "Sluice's own",
                        name);
    }
    for (size_t i = 0; i < TAKEN; i++) {
        if (strcmp(name, taken[i]) == 0) {
            return cli_fail(command, CLI_USAGE,
                            "'%s' cannot be the name of a program: make and CMake have something "
                            "else of this name",
                            name);
        }
    }
    return CLI_DONE;
}

/* ---- what the user sees ---- */

/* A word for a shell, in quotes where it needs them. */
static void print_word(const char *text)
{
    if (text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-")] ==
        '\0') {
        (void)fputs(text, stdout);
        return;
    }
    (void)putchar('\'');
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            (void)fputs("'\\'", stdout);
        }
        (void)putchar(*text);
    }
    (void)putchar('\'');
}

static void print_made(const struct project *project)
{
    printf("made %s, %s:\n   ", project->name, project->template->sentence);
    for (size_t i = 0; i < project->count; i++) {
        printf(" %s", project->files[i]);
    }
    (void)fputs("\nnext:\n    cd ", stdout);
    print_word(project->path);
    (void)fputs("\n    make run\n    make test\n", stdout);
}

static int run(const struct cli_command *command, int argc, char **argv)
{
    struct request request = {.template = &templates[0]};
    char name[PATH_MAX];

    cli_parse(command, argc, argv, 0, &request);
    if (request.wants_list) {
        print_templates();
        return CLI_DONE;
    }
    take_name(request.path, name);
    if (check_name(command, name) != CLI_DONE) {
        return CLI_USAGE;
    }
    struct project project = {.template = request.template, .path = request.path, .name = name};
    const int status = project_make(&project);
    if (status == CLI_DONE) {
        print_made(&project);
    } else {
        (void)cli_fail(command, (enum cli_exit)status, "%s", project.error);
    }
    project_free(&project);
    return status;
}

const struct cli_command cli_new = {
    .name = "new",
    .sentence = "make a project for a program of one's own",
    .example = "sluice new collatz && cd collatz && make run",
    .argp = &new_argp,
    .run = run,
};
