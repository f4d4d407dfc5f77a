/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The host's side of the wavefront inspector, without a machine: what the device writes is made up
 * here, in memory of the test's own; and the control socket, both ends in this process. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/check.h"
#include "host/driver/machine/machine.h"
#include "host/runtime/run/run.h"
#include "sluice/config.h"
#include "sluice/registers.h"
#include "sluice/stack_entry.h"

#define LANES       4
#define BLOCKS      3
#define BLOCK_BYTES 8192

struct fixture {
    struct sl_soc *soc;
    struct sl_mailbox mailbox;
    uint64_t window[SL_WINDOW_BYTES / 8];
    _Alignas(4096) uint8_t pool[BLOCKS][BLOCK_BYTES];
    char text[16384];
    char error[1024]; /* of the control socket */
};

static struct fixture *create(void)
{
    struct fixture *f = aligned_alloc(4096, (sizeof *f + 4095) / 4096 * 4096);
    struct sl_config config;
    char error[256];
    assert_non_null(f);
    memset(f, 0, sizeof *f);
    sl_config_init(&config);
    assert_int_equal(sl_config_set(&config, "gpu.lanes=4", error, sizeof error), 0);
    f->soc = sl_soc_new(&config);
    assert_non_null(f->soc);
    assert_non_null(sl_run_create(f->soc));
    f->soc->layout.window_base = (uintptr_t)f->window;
    f->soc->layout.pool_base = (uintptr_t)f->pool;
    f->soc->layout.pool_block_bytes = BLOCK_BYTES;
    f->soc->layout.pool_blocks = BLOCKS;
    f->soc->mailbox = &f->mailbox;
    f->soc->is_ready = true;
    return f;
}

static void destroy(struct fixture *f)
{
    sl_soc_close(f->soc);
    free(f);
}

static struct sl_wave_state *state_of(struct fixture *f, unsigned block)
{
    return (struct sl_wave_state *)f->pool[block];
}

/* A faulted wavefront in a branch of a function that its kernel called, and one that waits. */
static void make_dump(struct fixture *f)
{
    struct sl_wave_state *first = state_of(f, 1);
    *first = (struct sl_wave_state){
        .next = (uintptr_t)f->pool[0],
        .wavefront = 7,
        .kernel = 0x80800100,
        .code = SL_KERNEL_BASE,
        .time_ps = 1500000,
        .cu = 2,
        .context = 11,
        .fault = SL_FAULT_ACCESS,
        .registers = 32,
        .lanes = LANES,
        .stack_depth = 4,
        .stack_stored = 4,
        .stack = {{0x3, sl_stack_pack(0x20, 0x30, SL_STACK_PLAIN, 3)},
                  {0xb, sl_stack_pack(0x30, SL_RECONVERGE_NONE, SL_STACK_CALL, 2)},
                  {0xf, sl_stack_pack(0x10, SL_RECONVERGE_NONE, SL_STACK_PLAIN, 1)},
                  {0xf, sl_stack_pack(0x0, SL_RECONVERGE_NONE, SL_STACK_CALL, 0)}},
    };
    uint64_t *values = (uint64_t *)(first + 1);
    for (unsigned r = 0; r < 32; r++) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            values[r * LANES + lane] = r == 10 ? 0x100 + lane : r;
        }
    }
    *state_of(f, 0) = (struct sl_wave_state){
        .wavefront = 9,
        .code = SL_KERNEL_BASE,
        .time_ps = 1500000,
        .ready_ps = 1520000,
        .memory_ops = 1,
        .lanes = LANES,
        .stack_depth = 1,
        .stack_stored = 1,
        .stack = {{0xf, sl_stack_pack(0x8, SL_RECONVERGE_NONE, SL_STACK_CALL, 0)}},
    };
    f->window[SL_REG_DUMP_FIRST / 8] = (uintptr_t)first;
    f->window[SL_REG_DUMP_WAVEFRONTS / 8] = 2;
}

static void append(void *user, const char *line)
{
    struct fixture *f = user;
    assert_true(strlen(f->text) + strlen(line) + 2 < sizeof f->text);
    strcat(strcat(f->text, line), "\n");
}

static void expect(const struct fixture *f, const char *part)
{
    if (strstr(f->text, part) == NULL) {
        fail_msg("'%s' is not in:\n%s", part, f->text);
    }
}

TEST(test_text)
{
    struct fixture *f = create();
    make_dump(f);
    assert_int_equal(sl_soc_dump(f->soc, 0, append, f), SL_OK);
    expect(f, "2 wavefronts at 1.500 us:\nwavefront 7: the kernel at 0x80800100, channel 0, CU 2, "
              "context 11, faulted: access outside memory, 0 memory instructions under way\n");
    expect(f, "    >  0  0x80400020, lanes 0-1 (2 of 4), until 0x80400030\n"
              "       1  call: 0x80400030, lanes 0-1,3 (3 of 4)\n");
    /* Below a call: the call itself, not what it returns to. */
    expect(f, "       2  0x8040000f, lanes 0-3 (4 of 4), until it returns\n"
              "       3  call: 0x80400000, lanes 0-3 (4 of 4)\n");
    expect(f, "    sp   all lanes 0x0000000000000002\n");
    expect(f, "    a0   lane  0   0x0000000000000100 0x0000000000000101 0x0000000000000102 "
              "0x0000000000000103\n");
    expect(f, "wavefront 9: a kernel, channel 0, CU 0, context 0, waits until 1.520 us, 1 memory "
              "instruction under way\n    >  0  call: 0x80400008, lanes 0-3 (4 of 4)\n");
    destroy(f);
}

/* Of an NDRange, with f registers; one wavefront is at a barrier. */
TEST(test_group_text)
{
    struct fixture *f = create();
    make_dump(f);
    struct sl_wave_state *first = state_of(f, 1);
    struct sl_wave_state *second = state_of(f, 0);
    first->registers = 64;
    first->group[0] = 3;
    first->group[2] = 1;
    first->group_wave = second->group_wave = 2;
    first->group_waves = second->group_waves = 4;
    second->group_arrived = 3;
    second->is_at_barrier = 1;
    uint64_t *values = (uint64_t *)(first + 1);
    for (unsigned lane = 0; lane < LANES; lane++) {
        values[42 * LANES + lane] = 0x3ff0000000000000;
        values[63 * LANES + lane] = 5;
    }
    assert_int_equal(sl_soc_dump(f->soc, 0, append, f), SL_OK);
    expect(f, "wavefront 7: the kernel at 0x80800100, work-group 3,0,1 (wavefront 2 of 0-3), CU 2");
    expect(f, "    fa0  all lanes 0x3ff0000000000000\n");
    expect(f, "    ft11 all lanes 0x0000000000000005\n");
    expect(f,
           "wavefront 9: a kernel, work-group 0,0,0 (wavefront 2 of 0-3), CU 0, context 0, waits "
           "at a barrier (3 of the work-group's 4 wavefronts are there), 1 memory");
    destroy(f);
}

/* What a consistency model has it wait for, and the write buffer. */
TEST(test_order_text)
{
    struct fixture *f = create();
    make_dump(f);
    struct sl_wave_state *first = state_of(f, 1);
    struct sl_wave_state *second = state_of(f, 0);
    first->fault = 0;
    first->order_wait = SL_ORDER_WAIT_MATCH;
    first->stores = 3;
    first->store_address = 0x80a00040;
    first->store_pc = SL_KERNEL_BASE + 0x18;
    second->order_wait = SL_ORDER_WAIT_ACCESS;
    assert_int_equal(sl_soc_dump(f->soc, 0, append, f), SL_OK);
    expect(f, "context 11, waits for a store in its write buffer to bytes that it accesses, 0 ");
    expect(f, "    3 stores in the write buffer, under way the one to 0x80a00040: 0x80400018\n");
    expect(f, "waits until 1.520 us for the end of its memory instruction, 1 memory");
    first->is_ended = 1;
    first->order_wait = SL_ORDER_WAIT_NONE;
    first->stores = 1;
    second->order_wait = 77; /* of another version */
    f->text[0] = '\0';
    assert_int_equal(sl_soc_dump(f->soc, 0, append, f), SL_OK);
    expect(f, "context 11, has ended, 0 ");
    expect(f, "    1 store in the write buffer, under way the one to 0x80a00040: 0x80400018\n");
    expect(f, "waits until 1.520 us, 1 memory");
    destroy(f);
}

TEST(test_deep_stack)
{
    struct fixture *f = create();
    make_dump(f);
    state_of(f, 1)->stack_depth = 900;
    state_of(f, 1)->stack_stored = UINT32_MAX; /* not to be believed */
    assert_int_equal(sl_soc_dump(f->soc, 0, append, f), SL_OK);
    expect(f, "     237  ");
    expect(f, "        662 more below\n");
    destroy(f);
}

TEST(test_corrupt)
{
    struct fixture *f = create();
    assert_int_equal(sl_soc_dump(f->soc, 0, append, f), SL_ERROR_USAGE);
    assert_non_null(strstr(f->soc->error, "debug.dump"));
    make_dump(f);
    state_of(f, 1)->next = 0x1234;
    assert_int_equal(sl_soc_dump(f->soc, 0, append, f), SL_ERROR_MACHINE);
    assert_non_null(strstr(f->soc->error, "0x1234"));
    make_dump(f);
    state_of(f, 0)->lanes = 1000;
    assert_int_equal(sl_soc_dump(f->soc, 0, append, f), SL_ERROR_MACHINE);
    make_dump(f);
    f->window[SL_REG_DUMP_WAVEFRONTS / 8] = 3; /* more than are linked */
    assert_int_equal(sl_soc_dump(f->soc, 0, append, f), SL_ERROR_MACHINE);
    destroy(f);
}

static int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static int open_control(struct fixture *f)
{
    return sl_control_open(&f->soc->control, f->soc->config.text[SL_CFG_DEBUG_CONTROL], f->error,
                           sizeof f->error);
}

/* Sends a command, serves it, and takes the answer. */
static void ask(struct fixture *f, const char *path, const char *command)
{
    const int fd = connect_to(path);
    size_t length = 0;
    ssize_t got;
    assert_int_equal(send(fd, command, strlen(command), MSG_NOSIGNAL), strlen(command));
    sl_control_serve(&f->soc->control, sl_inspect_command, f->soc);
    while ((got = recv(fd, f->text + length, sizeof f->text - 1 - length, 0)) > 0) {
        length += (size_t)got;
    }
    f->text[length] = '\0';
    (void)close(fd);
}

/* A long answer: more than a socket holds. */
#define ANSWER_LINES 100000
#define ANSWER_BYTES (ANSWER_LINES * strlen("0123456789\n"))

static void answer_at_length(void *user, const char *command, sl_line_fn line, void *to)
{
    (void)user;
    assert_string_equal(command, "dump");
    for (int i = 0; i < ANSWER_LINES; i++) {
        line(to, "0123456789");
    }
}

/* Reads what is there. Returns false where there will be no more. */
static bool read_some(int fd, size_t *bytes)
{
    char text[4096];
    ssize_t got;
    while ((got = recv(fd, text, sizeof text, MSG_DONTWAIT)) > 0) {
        *bytes += (size_t)got;
    }
    return got < 0 && errno == EAGAIN;
}

static void *read_to_the_end(void *argument)
{
    const int *const fd = argument;
    static size_t bytes;
    char text[4096];
    ssize_t got;
    bytes = 0;
    while ((got = recv(*fd, text, sizeof text, 0)) > 0) {
        bytes += (size_t)got;
    }
    return &bytes;
}

/* No client holds the program up: what one has not sent or taken is looked at when it is served
 * next, and the one behind it has its turn. */
TEST(test_control_waits_for_nobody)
{
    char path[] = "/tmp/sluice-control-XXXXXX";
    char error[256];
    struct sl_control control;
    size_t bytes = 0;
    pthread_t reader;
    void *read;
    assert_int_equal(close(mkstemp(path)), 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(sl_control_open(&control, path, error, sizeof error), 0);
    const int slow = connect_to(path);
    const int next = connect_to(path);
    assert_int_equal(send(next, "dump\n", 5, MSG_NOSIGNAL), 5);
    sl_control_serve(&control, answer_at_length, NULL);
    assert_int_equal(send(slow, "du", 2, MSG_NOSIGNAL), 2);
    sl_control_serve(&control, answer_at_length, NULL);
    assert_int_equal(send(slow, "mp\n", 3, MSG_NOSIGNAL), 3);
    do {
        sl_control_serve(&control, answer_at_length, NULL);
    } while (read_some(slow, &bytes));
    assert_int_equal(bytes, ANSWER_BYTES);
    /* At the end of the program, its client gets the rest. */
    sl_control_serve(&control, answer_at_length, NULL);
    assert_int_equal(pthread_create(&reader, NULL, read_to_the_end, (void *)(uintptr_t)&next), 0);
    sl_control_close(&control);
    assert_int_equal(pthread_join(reader, &read), 0);
    assert_int_equal(*(size_t *)read, ANSWER_BYTES);
    (void)close(slow);
    (void)close(next);
}

TEST(test_control)
{
    char folder[] = "/tmp/sluice-control-XXXXXX";
    char *path;
    struct fixture *f = create();
    assert_non_null(mkdtemp(folder));
    path = f->soc->config.text[SL_CFG_DEBUG_CONTROL];
    (void)snprintf(path, SL_CONFIG_TEXT_MAX, "%s/socket", folder);
    assert_int_equal(open_control(f), 0);
    sl_control_serve(&f->soc->control, sl_inspect_command, f->soc); /* nobody is there */
    make_dump(f);
    (void)snprintf(f->soc->error, sizeof f->soc->error, "earlier");
    ask(f, path, "dump\n");
    expect(f, "wavefront 9: ");
    ask(f, path, "jump\r\n");
    assert_string_equal(f->text, "error: unknown command; there are: dump, dump registers\n");
    f->window[SL_REG_DUMP_WAVEFRONTS / 8] = 0;
    ask(f, path, "dump registers\n");
    expect(f, "error:\nthere is no wavefront to describe");
    assert_string_equal(f->soc->error, "earlier");

    /* A second machine does not take the socket from one that lives, but from one that died. */
    struct fixture *other = create();
    (void)snprintf(other->soc->config.text[SL_CFG_DEBUG_CONTROL], SL_CONFIG_TEXT_MAX, "%s", path);
    assert_int_equal(open_control(other), -1);
    assert_non_null(strstr(other->error, "debug.control: cannot make socket"));
    (void)close(f->soc->control.fd);
    f->soc->control.fd = -1;
    assert_int_equal(open_control(other), 0);
    sl_control_close(&other->soc->control);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(rmdir(folder), 0);
    memset(other->soc->config.text[SL_CFG_DEBUG_CONTROL], 'x', 200);
    assert_int_equal(open_control(other), -1);
    assert_non_null(strstr(other->error, "at most 107"));
    destroy(other);
    destroy(f);
}

/* A client that says nothing is left after half a second. */
TEST(test_silent_client)
{
    char folder[] = "/tmp/sluice-control-XXXXXX";
    struct fixture *f = create();
    assert_non_null(mkdtemp(folder));
    char *path = f->soc->config.text[SL_CFG_DEBUG_CONTROL];
    (void)snprintf(path, SL_CONFIG_TEXT_MAX, "%s/socket", folder);
    assert_int_equal(open_control(f), 0);
    const int fd = connect_to(path);
    size_t bytes = 0;
    do {
        sl_control_serve(&f->soc->control, sl_inspect_command, f->soc);
        (void)usleep(1000);
    } while (read_some(fd, &bytes));
    assert_int_equal(bytes, 0);
    (void)close(fd);
    sl_control_close(&f->soc->control);
    assert_int_equal(rmdir(folder), 0);
    destroy(f);
}
