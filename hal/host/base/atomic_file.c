/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Files that get their name when they are whole. The stream writes through sl_write_all(), so
 * that a limit of sizes is an error, and keeps the first one: errno is long another when the file
 * is closed. */
#define _GNU_SOURCE 1
#include "host/base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "config/number.h"
#include "host/base/safe_write.h"
#include "host/base/temp_file.h"

#define BUFFER_BYTES (1u << 16)

/* ---- the stream ---- */

static ssize_t write_stream(void *cookie, const char *bytes, size_t count)
{
    struct sl_output *const output = cookie;
    const int reason = sl_write_all(output->fd, bytes, count);

    if (reason != 0 && output->reason == 0) {
        output->reason = reason;
    }
    errno = reason;
    return reason != 0 ? 0 : (ssize_t)count;
}

static int seek_stream(void *cookie, off64_t *offset, int whence)
{
    const struct sl_output *const output = cookie;
    const off64_t at = lseek64(output->fd, *offset, whence);

    *offset = at;
    return at < 0 ? -1 : 0;
}

static int close_stream(void *cookie)
{
    (void)cookie; /* the descriptor is still needed */
    return 0;
}

static FILE *stream_of(struct sl_output *output)
{
    static const cookie_io_functions_t calls = {
        .write = write_stream, .seek = seek_stream, .close = close_stream};
    FILE *const file = fopencookie(output, "w", calls);

    if (file != NULL && setvbuf(file, NULL, _IOFBF, BUFFER_BYTES) != 0) {
        (void)fclose(file);
        return NULL;
    }
    return file;
}

/* ---- where it is written ---- */

/* Reasons for which a name cannot be made or moved in a folder whose files may be written. */
static bool is_of_folder(int reason)
{
    return reason == EACCES || reason == EPERM || reason == EROFS || reason == EBUSY ||
           reason == EXDEV || reason == ENAMETOOLONG;
}

/* A file of its own, with a name, or where the folder takes none in memory. -1 with errno. */
static int open_new(struct sl_output *output)
{
    const bool is_there = output->place.kind == SL_TARGET_FILE;

    if (is_there && faccessat(AT_FDCWD, output->place.path, W_OK, AT_EACCESS) != 0) {
        return -1;
    }
    const mode_t mode = is_there ? output->place.state.st_mode & 0777 : 0666;
    const int fd = sl_temp_open(output->place.path, mode, output->beside);
    if (fd >= 0) {
        return fd;
    }
    output->beside[0] = '\0';
    return is_there && is_of_folder(errno) ? memfd_create("sluice-output", MFD_CLOEXEC) : -1;
}

int sl_output_open(struct sl_output *output, const char *path)
{
    *output = (struct sl_output){.fd = -1};
    (void)snprintf(output->path, sizeof output->path, "%s", path);
    output->reason = sl_target_resolve(&output->place, path);
    if (output->reason != 0) {
        return output->reason;
    }
    output->fd =
        sl_target_is_file(&output->place) ? open_new(output) : sl_target_open(&output->place);
    if (output->fd >= 0) {
        output->file = stream_of(output);
    }
    if (output->file == NULL) {
        output->reason = errno != 0 ? errno : EIO;
        (void)sl_output_close(output, 0);
    }
    return output->reason;
}

/* ---- what it becomes ---- */

int sl_output_sync(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP ? 0 : errno;
}

/* One that may be written but not read cannot be opened, and not be synced. */
int sl_output_sync_folder(const char *folder)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0) {
        return errno == EACCES ? 0 : errno;
    }
    const int reason = sl_output_sync(fd);
    (void)close(fd);
    return reason;
}

/* As the file that it replaces, as far as we may: what runs as another user or group does so no
 * more where it would not be theirs. */
static int keep_owner(const struct sl_output *output)
{
    const struct stat *const old = &output->place.state;
    mode_t mode = old->st_mode & 07777;

    if (output->place.kind == SL_TARGET_FREE) {
        return 0;
    }
    if (fchown(output->fd, old->st_uid, old->st_gid) != 0) {
        mode &= 0777;
    }
    return fchmod(output->fd, mode) == 0 || errno == EPERM ? 0 : errno;
}

static int copy_all(int from, int to, off_t bytes)
{
    char piece[BUFFER_BYTES];
    off_t at = 0;

    while (at < bytes) {
        const ssize_t got = pread(from, piece, sizeof piece, at);
        if (got <= 0) {
            return got < 0 ? errno : EIO;
        }
        const int reason = sl_write_all(to, piece, (size_t)got);
        if (reason != 0) {
            return reason;
        }
        at += got;
    }
    return 0;
}

/* Room for all of it before the first byte is written over. Where a file system does not tell,
 * there is none to be asked for. */
static int reserve(int fd, off_t bytes)
{
    struct sl_write_guard guard;

    sl_write_hold(&guard);
    const bool has_room = bytes == 0 || fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, bytes) == 0 ||
                          errno == EOPNOTSUPP || errno == ENOSYS;
    const int reason = has_room ? 0 : errno;
    sl_write_release(&guard);
    return reason;
}

static int copy_open(int from, int to)
{
    struct stat whole;
    struct stat old;

    if (fstat(from, &whole) != 0 || fstat(to, &old) != 0) {
        return errno;
    }
    if (!S_ISREG(old.st_mode)) {
        return EEXIST;
    }
    int reason = reserve(to, whole.st_size);
    if (reason == 0) {
        reason = copy_all(from, to, whole.st_size);
    }
    if (reason == 0) {
        reason = sl_write_truncate(to, whole.st_size);
    }
    return reason == 0 ? sl_output_sync(to) : reason;
}

/* Over what is there. */
static int copy_over(const struct sl_output *output)
{
    const int to = open(output->place.path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

    if (to < 0) {
        return errno;
    }
    int reason = copy_open(output->fd, to);
    if (close(to) != 0 && reason == 0) {
        reason = errno;
    }
    return reason;
}

/* What has come under the name meanwhile, and is no regular file, stays. */
static int take_name(struct sl_output *output)
{
    char folder[PATH_MAX];
    struct stat state;

    if (lstat(output->place.path, &state) == 0 && !S_ISREG(state.st_mode)) {
        return S_ISDIR(state.st_mode) ? EISDIR : EEXIST;
    }
    if (rename(output->beside, output->place.path) != 0) {
        const int reason = errno;
        return is_of_folder(reason) && output->place.kind == SL_TARGET_FILE ? copy_over(output)
                                                                            : reason;
    }
    output->beside[0] = '\0';
    sl_target_folder(output->place.path, folder);
    return sl_output_sync_folder(folder);
}

static int finish(struct sl_output *output)
{
    if (!sl_target_is_file(&output->place)) {
        return 0;
    }
    if (output->beside[0] == '\0') {
        return copy_over(output);
    }
    int reason = keep_owner(output);
    if (reason == 0) {
        reason = sl_output_sync(output->fd);
    }
    return reason == 0 ? take_name(output) : reason;
}

int sl_output_close(struct sl_output *output, int reason)
{
    if (output->file != NULL) {
        const bool is_bad = fflush(output->file) != 0 || ferror(output->file) != 0;
        const int failed = output->reason != 0 ? output->reason : is_bad ? EIO : 0;
        reason = reason != 0 ? reason : failed;
        (void)fclose(output->file);
        output->file = NULL;
        output->reason = reason != 0 ? reason : finish(output);
    }
    if (output->beside[0] != '\0') {
        (void)unlink(output->beside);
        output->beside[0] = '\0';
    }
    if (output->fd >= 0 && close(output->fd) != 0 && output->reason == 0) {
        output->reason = errno; /* of a stream: a file is on the disk */
    }
    output->fd = -1;
    return output->reason;
}

int sl_output_json(const char *path, const json_t *value, size_t flags)
{
    struct sl_output output;
    int reason = sl_output_open(&output, path);
    const locale_t before = sl_number_begin(); /* the library knows points of one byte alone */

    if (reason == 0 &&
        (json_dumpf(value, output.file, flags) != 0 || fputc('\n', output.file) == EOF)) {
        reason = output.reason != 0 ? output.reason : ENOMEM;
    }
    sl_number_end(before);
    return sl_output_close(&output, reason);
}

bool sl_output_is_copied(const char *path, char *folder)
{
    struct sl_target place;

    if (sl_target_resolve(&place, path) != 0 || place.kind != SL_TARGET_FILE) {
        return false;
    }
    sl_target_folder(place.path, folder);
    return faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) != 0;
}
