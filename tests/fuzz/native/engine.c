/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* QEMU is started as the host library starts it (hal/host/driver/machine/qemu_command.c), but for
 * the plugin, the flash and the console. */
#define _GNU_SOURCE 1
#include "fuzz/native/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/check.h"
#include "fuzz/native/layout.h"

#define QEMU        "qemu-system-riscv64"
#define PROCESSOR_S 1
#define LIMIT_S     60

void engine_memory_open(struct engine_memory *memory)
{
    memory->fd = memfd_create("engine", 0);
    assert_true(memory->fd >= 0 && ftruncate(memory->fd, LAYOUT_DRAM_BYTES) == 0);
    memory->bytes =
        mmap(NULL, LAYOUT_DRAM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, memory->fd, 0);
    assert_ptr_not_equal(memory->bytes, MAP_FAILED);
}

void engine_memory_close(struct engine_memory *memory)
{
    (void)munmap(memory->bytes, LAYOUT_DRAM_BYTES);
    (void)close(memory->fd);
}

bool engine_has_qemu(void)
{
    return system("command -v " QEMU " >/dev/null 2>&1") == 0;
}

static void exec_qemu(int fd)
{
    char backend[128];
    (void)snprintf(backend, sizeof backend,
                   "memory-backend-file,id=dram,size=%d,mem-path=/proc/self/fd/%d,share=on",
                   LAYOUT_DRAM_BYTES, fd);
    (void)execlp(QEMU, QEMU, "-machine", "virt,memory-backend=dram", "-object", backend, "-m",
                 "64M", "-smp", "1", "-icount", "shift=0,sleep=off", "-bios", "none", "-display",
                 "none", "-nodefaults", "-no-user-config", "-no-reboot", (char *)NULL);
}

static void exec_native(int fd)
{
    const char *const build = getenv("SLUICE_BUILD");
    char path[4096];
    char memory[32];
    (void)snprintf(path, sizeof path, "%s/lib/sluice-native", build != NULL ? build : "build");
    (void)snprintf(memory, sizeof memory, "--dram-fd=%d", fd);
    (void)execl(path, path, memory, (char *)NULL);
}

int engine_run(enum engine engine, const struct engine_memory *memory)
{
    int status = 0;
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const int null = open("/dev/null", O_RDWR);
        (void)dup2(null, STDIN_FILENO);
        (void)dup2(null, STDOUT_FILENO);
        (void)dup2(null, STDERR_FILENO);
        const struct rlimit limit = {PROCESSOR_S, PROCESSOR_S};
        (void)setrlimit(RLIMIT_CPU, &limit);
        (void)alarm(LIMIT_S); /* stays over exec */
        if (engine == ENGINE_QEMU) {
            exec_qemu(memory->fd);
        } else {
            exec_native(memory->fd);
        }
        _exit(127);
    }
    assert_true(child > 0);
    while (waitpid(child, &status, 0) < 0) {
        assert_int_equal(errno, EINTR);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : ENGINE_STUCK;
}
