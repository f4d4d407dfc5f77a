/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Files that get their name when they are whole. */
#include "host/machine/output.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where there is something else than a regular file, a new one would take its place: of a link,
 * too, such as /dev/stdout. */
static bool is_replaced(const char *path)
{
    struct stat state;

    return lstat(path, &state) != 0 || S_ISREG(state.st_mode);
}

static FILE *open_beside(struct sl_output *output)
{
    const int length =
        snprintf(output->beside, sizeof output->beside, "%s.%ld", output->path, (long)getpid());
    if ((size_t)length >= sizeof output->beside) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    return fopen(output->beside, "we");
}

int sl_output_open(struct sl_output *output, const char *path)
{
    *output = (struct sl_output){.file = NULL};
    if ((size_t)snprintf(output->path, sizeof output->path, "%s", path) >= sizeof output->path) {
        return output->reason = ENAMETOOLONG;
    }
    bool is_direct = !is_replaced(path);
    if (!is_direct) {
        output->file = open_beside(output);
        is_direct = output->file == NULL && (errno == EACCES || errno == ENAMETOOLONG);
    }
    if (is_direct) {
        output->beside[0] = '\0';
        output->file = fopen(path, "we");
    }
    output->reason = output->file != NULL ? 0 : errno;
    return output->reason;
}

int sl_output_close(struct sl_output *output, int reason)
{
    if (output->file == NULL) {
        return output->reason;
    }
    /* What the stream does not keep of an earlier failure, errno has, for all that is known. */
    if (ferror(output->file) != 0 && reason == 0) {
        reason = errno != 0 ? errno : EIO;
    }
    /* A disk may be found full only here. */
    if (fclose(output->file) != 0 && reason == 0) {
        reason = errno;
    }
    output->file = NULL;
    if (output->beside[0] == '\0') {
        return reason;
    }
    if (reason == 0 && rename(output->beside, output->path) != 0) {
        reason = errno;
    }
    if (reason != 0) {
        (void)unlink(output->beside);
    }
    return reason;
}

int sl_output_json(const char *path, const json_t *value, size_t flags)
{
    struct sl_output output;
    int reason = sl_output_open(&output, path);

    if (reason == 0 &&
        (json_dumpf(value, output.file, flags) != 0 || fputc('\n', output.file) == EOF)) {
        reason = errno;
    }
    return sl_output_close(&output, reason);
}
