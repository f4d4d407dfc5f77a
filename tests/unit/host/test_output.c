/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Files that get their name when they are whole (hal/host/base/atomic_file.h): what is under the
 * name meanwhile and where something goes wrong, what is written to instead, and that nothing is
 * left beside it. Calls of the system fail here where a test says so. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/check.h"
#include "host/base/atomic_file.h"

#define NOBODY 65534 /* for root, whom no mode keeps from a folder */

/* ---- calls that fail ---- */

enum call { CALL_WRITE, CALL_FSYNC, CALL_RENAME, CALL_FALLOCATE, CALLS };

/* From the call of this number on, counted from 1, a call fails with `reason`; 0: it does not. */
static struct {
    unsigned from;
    unsigned calls;
    int reason;
} failures[CALLS];

static bool fails(enum call call)
{
    failures[call].calls++;
    errno = failures[call].reason;
    return failures[call].from > 0 && failures[call].calls >= failures[call].from;
}

static void let_fail(enum call call, unsigned from, int reason)
{
    memset(failures, 0, sizeof failures);
    failures[call].from = from;
    failures[call].reason = reason;
}

static void let_work(void)
{
    memset(failures, 0, sizeof failures);
}

ssize_t write(int fd, const void *bytes, size_t count)
{
    return fd > STDERR_FILENO && fails(CALL_WRITE) ? -1 : syscall(SYS_write, fd, bytes, count);
}

int fsync(int fd)
{
    return fails(CALL_FSYNC) ? -1 : (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
    return fails(CALL_RENAME) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int fallocate(int fd, int mode, off_t offset, off_t bytes)
{
    return fails(CALL_FALLOCATE) ? -1 : (int)syscall(SYS_fallocate, fd, mode, offset, bytes);
}

struct fixture {
    char folder[64];
    char path[PATH_MAX];
};

static void check_is(const struct fixture *f, const char *text)
{
    char is[64] = "";
    FILE *const file = fopen(f->path, "r");
    assert_non_null(file);
    is[fread(is, 1, sizeof is - 1, file)] = '\0';
    (void)fclose(file);
    assert_string_equal(is, text);
}

/* How many files the folder has. */
static size_t files(const struct fixture *f)
{
    char pattern[96];
    glob_t found;
    (void)snprintf(pattern, sizeof pattern, "%s/*", f->folder);
    const int status = glob(pattern, GLOB_PERIOD, NULL, &found);
    size_t count = 0;
    for (size_t i = 0; status == 0 && i < found.gl_pathc; i++) {
        const char *const name = strrchr(found.gl_pathv[i], '/') + 1;
        count += strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
    }
    globfree(&found);
    return count;
}

static int setup(void **state)
{
    let_work();
    struct fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    (void)snprintf(f->folder, sizeof f->folder, "/tmp/sluice-output-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    (void)snprintf(f->path, sizeof f->path, "%s/file", f->folder);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *const f = *state;
    let_work();
    (void)unlink(f->path);
    assert_int_equal(rmdir(f->folder), 0); /* nothing else is left */
    free(f);
    return 0;
}

/* Writes a text, as far as it can be, and ends with this reason. */
static int write_text(const char *path, const char *text, int reason)
{
    struct sl_output output;
    assert_int_equal(sl_output_open(&output, path), 0);
    (void)fputs(text, output.file);
    return sl_output_close(&output, reason);
}

/* Until it is whole, there is what was there before. */
TEST_WITH(test_whole, setup, teardown)
{
    const struct fixture *const f = *state;
    struct sl_output output;

    assert_int_equal(sl_output_open(&output, f->path), 0);
    assert_int_equal(fflush(output.file), 0);
    assert_int_not_equal(access(f->path, F_OK), 0);
    assert_true(fputs("one", output.file) >= 0);
    assert_int_equal(sl_output_close(&output, 0), 0);
    check_is(f, "one");

    assert_int_equal(sl_output_open(&output, f->path), 0);
    assert_true(fputs("two", output.file) >= 0);
    assert_int_equal(fflush(output.file), 0);
    check_is(f, "one");
    assert_int_equal(files(f), 2);
    assert_int_equal(sl_output_close(&output, 0), 0);
    check_is(f, "two");
    assert_int_equal(files(f), 1);
}

TEST_WITH(test_failed, setup, teardown)
{
    const struct fixture *const f = *state;

    assert_int_equal(write_text(f->path, "half", ENOMEM), ENOMEM);
    assert_int_equal(files(f), 0);
    assert_int_equal(write_text(f->path, "whole", 0), 0);
    assert_int_equal(write_text(f->path, "half", ENOMEM), ENOMEM);
    check_is(f, "whole");
    assert_int_equal(files(f), 1);
}

/* Each call that fails leaves what was there, and nothing beside it. */
TEST_WITH(test_calls_fail, setup, teardown)
{
    static const struct {
        enum call call;
        int reason;
        unsigned from;
        bool is_replaced; /* only that it lasts is not known */
    } cases[] = {{CALL_WRITE, ENOSPC, 1, false},  {CALL_WRITE, EDQUOT, 1, false},
                 {CALL_WRITE, EIO, 2, false},     {CALL_FSYNC, EIO, 1, false},
                 {CALL_FSYNC, ENOSPC, 1, false},  {CALL_RENAME, EIO, 1, false},
                 {CALL_RENAME, ENOSPC, 1, false}, {CALL_FSYNC, EIO, 2, true}};
    const struct fixture *const f = *state;
    static char text[200000];

    memset(text, 'x', sizeof text - 1); /* several buffers */
    assert_int_equal(write_text(f->path, "old", 0), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        let_fail(cases[i].call, cases[i].from, cases[i].reason);
        assert_int_equal(write_text(f->path, text, 0), cases[i].reason);
        let_work();
        assert_int_equal(files(f), 1);
        if (!cases[i].is_replaced) {
            check_is(f, "old");
        }
    }
}

/* The reason is that of the first write that failed, whatever came behind it. */
TEST_WITH(test_first_reason, setup, teardown)
{
    const struct fixture *const f = *state;
    struct sl_output output;

    assert_int_equal(sl_output_open(&output, f->path), 0);
    let_fail(CALL_WRITE, 1, ENOSPC);
    assert_true(fputs("x", output.file) >= 0);
    assert_int_not_equal(fflush(output.file), 0);
    let_work();
    errno = 0;
    assert_true(fputs("y", output.file) >= 0);
    assert_int_equal(sl_output_close(&output, 0), ENOSPC);
    assert_int_equal(files(f), 0);
}

/* A file system that cannot sync a file has what it has. */
TEST_WITH(test_no_sync, setup, teardown)
{
    const struct fixture *const f = *state;

    let_fail(CALL_FSYNC, 1, EINVAL);
    assert_int_equal(write_text(f->path, "text", 0), 0);
    let_work();
    check_is(f, "text");
}

/* A name that cannot be moved, a mount for one: the file is copied over what is there, once the
 * disk has the room. */
TEST_WITH(test_copied, setup, teardown)
{
    const struct fixture *const f = *state;
    struct stat before;
    struct stat after;

    assert_int_equal(write_text(f->path, "a long old text", 0), 0);
    assert_int_equal(stat(f->path, &before), 0);
    let_fail(CALL_RENAME, 1, EBUSY);
    assert_int_equal(write_text(f->path, "new", 0), 0);
    assert_int_equal(stat(f->path, &after), 0);
    assert_true(before.st_ino == after.st_ino);
    check_is(f, "new");
    assert_int_equal(files(f), 1);
    failures[CALL_FALLOCATE].from = 1;
    failures[CALL_FALLOCATE].reason = ENOSPC;
    assert_int_equal(write_text(f->path, "newer", 0), ENOSPC);
    check_is(f, "new");
    failures[CALL_FALLOCATE].reason = EOPNOTSUPP;
    assert_int_equal(write_text(f->path, "newest", 0), 0);
    let_work();
    check_is(f, "newest");
    assert_int_equal(files(f), 1);
}

TEST_WITH(test_permissions, setup, teardown)
{
    const struct fixture *const f = *state;
    struct stat now;
    const mode_t before = umask(027);

    assert_int_equal(write_text(f->path, "new", 0), 0);
    assert_int_equal(stat(f->path, &now), 0);
    assert_int_equal(now.st_mode & 07777, 0640);
    assert_int_equal(chmod(f->path, 0606), 0);
    if (geteuid() == 0) {
        assert_int_equal(chown(f->path, NOBODY, NOBODY), 0);
    }
    assert_int_equal(write_text(f->path, "newer", 0), 0);
    (void)umask(before);
    assert_int_equal(stat(f->path, &now), 0);
    assert_int_equal(now.st_mode & 07777, 0606);
    assert_int_equal(now.st_uid, geteuid() == 0 ? NOBODY : geteuid());
    assert_int_equal(now.st_gid, geteuid() == 0 ? NOBODY : getegid());
}

/* A file that is not to be written is not replaced either, though its folder would let us. */
TEST_WITH(test_protected_file, setup, teardown)
{
    const struct fixture *const f = *state;
    struct sl_output output;
    const bool is_root = geteuid() == 0;

    assert_int_equal(write_text(f->path, "keep", 0), 0);
    assert_int_equal(chmod(f->path, 0444), 0);
    assert_int_equal(chmod(f->folder, 0777), 0);
    assert_true(!is_root || seteuid(NOBODY) == 0);
    const int opened = sl_output_open(&output, f->path);
    const int closed = sl_output_close(&output, 0);
    assert_true(!is_root || seteuid(0) == 0);
    assert_int_equal(opened, EACCES);
    assert_int_equal(closed, EACCES);
    check_is(f, "keep");
}

/* What comes under the name meanwhile, and is no file, stays; a file is replaced. */
TEST_WITH(test_meanwhile, setup, teardown)
{
    const struct fixture *const f = *state;
    struct sl_output output;
    struct stat now;

    for (int is_folder = 0; is_folder < 2; is_folder++) {
        assert_int_equal(sl_output_open(&output, f->path), 0);
        assert_int_equal(is_folder ? mkdir(f->path, 0777) : mkfifo(f->path, 0600), 0);
        assert_int_equal(sl_output_close(&output, 0), is_folder ? EISDIR : EEXIST);
        assert_int_equal(lstat(f->path, &now), 0);
        assert_true(is_folder ? S_ISDIR(now.st_mode) : S_ISFIFO(now.st_mode));
        assert_int_equal(files(f), 1);
        assert_int_equal(is_folder ? rmdir(f->path) : unlink(f->path), 0);
    }
}

/* What a killed process left is removed by the next one, what another one is at stays. */
TEST_WITH(test_left, setup, teardown)
{
    const struct fixture *const f = *state;
    struct sl_output output;
    char name[128];

    const pid_t child = fork();
    if (child == 0) {
        (void)sl_output_open(&output, f->path);
        (void)fputs("half", output.file);
        (void)fflush(output.file);
        (void)raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(files(f), 1);
    struct sl_output other;
    assert_int_equal(sl_output_open(&other, f->path), 0);
    assert_int_equal(files(f), 1);
    assert_int_equal(sl_output_open(&output, f->path), 0);
    assert_int_equal(files(f), 2);
    (void)snprintf(name, sizeof name, "%s/.file.sluice-mine", f->folder); /* of another form */
    const int fd = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
    assert_int_equal(close(fd), 0);
    assert_true(fputs("first", other.file) >= 0);
    assert_true(fputs("second", output.file) >= 0);
    assert_int_equal(sl_output_close(&other, 0), 0);
    check_is(f, "first");
    assert_int_equal(sl_output_close(&output, 0), 0);
    check_is(f, "second");
    assert_int_equal(files(f), 2);
    assert_int_equal(unlink(name), 0);
}

/* A limit of sizes is an error of the file, and no signal: neither here nor later, and one that
 * waited before still does. */
TEST_WITH(test_limit, setup, teardown)
{
    const struct fixture *const f = *state;
    static char text[100000];
    const struct rlimit small = {4096, RLIM_INFINITY};
    const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    sigset_t set;
    sigset_t pending;

    memset(text, 'x', sizeof text - 1);
    assert_int_equal(write_text(f->path, "old", 0), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const int ended = write_text(f->path, text, 0);
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGXFSZ);
    (void)sigprocmask(SIG_BLOCK, &set, NULL);
    (void)raise(SIGXFSZ);
    const int ended_again = write_text(f->path, text, 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    assert_int_equal(ended, EFBIG);
    assert_int_equal(ended_again, EFBIG);
    check_is(f, "old");
    assert_int_equal(files(f), 1);
    assert_int_equal(sigpending(&pending), 0);
    assert_int_equal(sigismember(&pending, SIGXFSZ), 1);
    assert_int_equal(sigwaitinfo(&set, NULL), SIGXFSZ);
    (void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* A reader who has gone is an error, too. */
TEST(test_no_reader)
{
    int ends[2];
    char path[32];

    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    (void)snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(write_text(path, "text", 0), EPIPE);
    assert_int_equal(close(ends[1]), 0);
}

/* What this process has open is written to where it stands, also where that is a file; so by any
 * link to it. */
TEST_WITH(test_descriptor, setup, teardown)
{
    const struct fixture *const f = *state;
    char path[64];
    char link[96];
    const int fd = open(f->path, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);

    assert_true(fd >= 0);
    assert_int_equal(dprintf(fd, "one "), 4);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    assert_int_equal(write_text(path, "two ", 0), 0);
    (void)snprintf(link, sizeof link, "%s/link", f->folder);
    assert_int_equal(symlink(path, link), 0);
    assert_int_equal(write_text(link, "three ", 0), 0);
    assert_int_equal(dprintf(fd, "four"), 4);
    assert_int_equal(close(fd), 0);
    check_is(f, "one two three four");
    struct sl_output output;
    assert_int_equal(sl_output_open(&output, path), EBADF);
    assert_int_equal(sl_output_close(&output, 0), EBADF);
    assert_int_equal(unlink(link), 0);
}

/* Links that go round, to nothing, to a folder. */
TEST_WITH(test_bad_links, setup, teardown)
{
    const struct fixture *const f = *state;
    struct sl_output output;
    static const struct {
        const char *target;
        int reason;
    } cases[] = {{"file", ELOOP}, {"no/such", ENOENT}, {".", EISDIR}, {"/proc/self", EISDIR}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(symlink(cases[i].target, f->path), 0);
        assert_int_not_equal(sl_output_open(&output, f->path), 0);
        assert_int_equal(sl_output_close(&output, 0), cases[i].reason);
        assert_int_equal(files(f), 1);
        assert_int_equal(unlink(f->path), 0);
    }
}

/* More than a buffer of text, so that writing fails before the end, too. */
TEST(test_full)
{
    static char text[100000];
    memset(text, 'x', sizeof text - 1);
    for (unsigned i = 0; i < 2; i++) {
        struct sl_output output;
        assert_int_equal(sl_output_open(&output, "/dev/full"), 0);
        (void)fputs(i == 0 ? "x" : text, output.file);
        assert_int_equal(sl_output_close(&output, 0), ENOSPC);
    }
    struct stat device;
    assert_int_equal(stat("/dev/full", &device), 0);
    assert_true(S_ISCHR(device.st_mode));
}

TEST_WITH(test_fifo, setup, teardown)
{
    const struct fixture *const f = *state;
    char got[8] = "";

    assert_int_equal(mkfifo(f->path, 0600), 0);
    const int reader = open(f->path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(write_text(f->path, "text", 0), 0);
    assert_int_equal(read(reader, got, sizeof got), 4);
    assert_string_equal(got, "text");
    assert_int_equal(close(reader), 0);
    struct stat fifo;
    assert_int_equal(stat(f->path, &fifo), 0);
    assert_true(S_ISFIFO(fifo.st_mode));
}

/* A link stays one, and what it names is written. */
TEST_WITH(test_link, setup, teardown)
{
    const struct fixture *const f = *state;
    struct stat link_state;
    char target[96];
    (void)snprintf(target, sizeof target, "%s/target", f->folder);
    assert_int_equal(symlink(target, f->path), 0);
    for (int i = 0; i < 2; i++) { /* where it is not there yet, and where it is */
        assert_int_equal(write_text(f->path, i == 0 ? "first" : "second", 0), 0);
        check_is(f, i == 0 ? "first" : "second");
        assert_int_equal(lstat(f->path, &link_state), 0);
        assert_true(S_ISLNK(link_state.st_mode));
        assert_int_equal(files(f), 2);
    }
    assert_int_equal(unlink(target), 0);
}

/* A name of the greatest length has one beside it as others do. */
TEST_WITH(test_long_name, setup, teardown)
{
    struct fixture *const f = *state;

    (void)snprintf(f->path, sizeof f->path, "%s/%0255d", f->folder, 0);
    assert_int_equal(write_text(f->path, "long", 0), 0);
    check_is(f, "long");
    assert_int_equal(write_text(f->path, "longer", 0), 0);
    check_is(f, "longer");
    assert_int_equal(files(f), 1);
}

TEST_WITH(test_closed_folder, setup, teardown)
{
    struct fixture *const f = *state;
    const bool is_root = geteuid() == 0;

    assert_int_equal(write_text(f->path, "before", 0), 0);
    assert_int_equal(chmod(f->path, 0666), 0);
    assert_int_equal(chmod(f->folder, 0555), 0);
    assert_true(!is_root || seteuid(NOBODY) == 0);
    const int status = write_text(f->path, "direct", 0);
    char folder[PATH_MAX] = "";
    const bool is_copied = sl_output_is_copied(f->path, folder);
    struct sl_output output;
    char other[96];
    (void)snprintf(other, sizeof other, "%s/other", f->folder);
    const int opened = sl_output_open(&output, other);
    const int closed = sl_output_close(&output, 0);
    assert_true(!is_root || seteuid(0) == 0);
    assert_int_equal(chmod(f->folder, 0755), 0);
    assert_int_equal(status, 0);
    check_is(f, "direct");
    assert_true(is_copied);
    assert_int_equal(strncmp(folder, f->folder, strlen(f->folder)), 0);
    assert_false(sl_output_is_copied(f->path, folder));
    assert_int_equal(opened, EACCES);
    assert_int_equal(closed, EACCES);
}

TEST(test_no_folder)
{
    struct sl_output output;
    char path[PATH_MAX + 8];

    assert_int_equal(sl_output_open(&output, "/no/such/folder/file"), ENOENT);
    assert_null(output.file);
    assert_int_equal(sl_output_close(&output, EIO), ENOENT);
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    assert_int_equal(sl_output_open(&output, path), ENAMETOOLONG);
    assert_int_equal(sl_output_close(&output, 0), ENAMETOOLONG);
}
