/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * The host library: open the SoC, load kernels, build a channel-flow graph, run it, get the result.
 *
 * The interface is that of the core paper's Figure 6 in C. Every call that can fail returns an
 * sl_status and leaves a message, which names the thing and what would be right, in the SoC object
 * (sl_soc_error). The library itself never prints and never exits, but where libdw, which reads
 * source lines, is out of memory (SL_ERROR_MACHINE); what kernels print with sl_printf it shows.
 * One SoC at a time per process: DRAM is mapped at the device's own addresses.
 *
 * Threads. Calls may come from any thread, and take turns on the machine, but where they sleep: any
 * number of threads may be in sl_soc_wait(), and all of them return, with one status, when the run
 * ends, while others allocate, look, or ask for statistics. Two things are for one thread at a
 * time: building, that is, all calls on a module, and on graphs, task vectors and task queues that
 * do not execute; and what is open, that is, an open graph. sl_soc_open() and sl_soc_close() are
 * for a thread that has the machine alone. No call is async-signal-safe, and a child of fork() may
 * only exec. */
#ifndef SLUICE_SLUICE_H
#define SLUICE_SLUICE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sluice/codes.h"
#include "sluice/config.h"
#include "sluice/layouts.h"
#include "sluice/limits.h"
#include "sluice/lock.h"
#include "sluice/memory_map.h"
#include "sluice/served.h"
#include "sluice/statistics.h"
#include "sluice/tasks.h"
#include "sluice/value.h"
#include "sluice/view.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default) /* libsluice.so has what is declared here */

/** @defgroup host_machine The machine
 * @{ */

/** The compiler warns where what such a function returns is not looked at. @hideinitializer */
#define SL_MUST_USE __attribute__((warn_unused_result))

/** What a call returns. The values are the exit statuses of programs (sluice/program.h), but for
 * TIMEOUT. */
enum sl_status {
    SL_OK = 0,            /**< done */
    SL_ERROR_USAGE = 2,   /**< an argument, the configuration or the graph is wrong */
    SL_ERROR_MACHINE = 3, /**< QEMU, the firmware or a kernel failed */
    SL_ERROR_TIMEOUT = 4, /**< the limit of a wait passed; the machine still runs */
};

/** @struct sl_soc
 * A machine: QEMU, plugin, firmware, DRAM. */
struct sl_soc;

/** @struct sl_module
 * An ELF file of kernels, loaded. */
struct sl_module;

/** @struct sl_graph_builder
 * A graph: channels, kernels and the edges between them. */
struct sl_graph_builder;

struct sl_program; /* (layouts.h) kernel code as the device sees it */

/** Opens a machine: reserves DRAM, starts QEMU with plugin and flash image, waits until the
 * firmware is ready. On success *soc is the machine. On failure *soc is either NULL (out of memory)
 * or an object that only holds the message and has to be closed. SL_ERROR_USAGE too while this
 * process has another machine open; once that is closed, the next one can be opened.
 *
 * A machine outlives its QEMU and its firmware. Where the firmware has trapped or hung, or QEMU has
 * ended, does not go on or was killed, the run that was on ends with SL_ERROR_MACHINE; a graph that
 * ran can be destroyed, but not executed again. The next run starts QEMU anew on the same memory:
 * the heap, what is loaded, and all other graphs are as they were, and statistics are those of a
 * machine that was just opened. Where that fails, the machine is beyond use, and all later runs
 * fail with the same message. docs/learn/programming.md ("When the machine fails") says what is
 * lost. */
SL_MUST_USE enum sl_status sl_soc_open(const struct sl_config *config, struct sl_soc **soc);

/** Ends QEMU (SIGKILL after one second) and frees everything. NULL is allowed. */
void sl_soc_close(struct sl_soc *soc);

/** The message of the last call that failed, of whatever thread; never NULL. The string lives until
 * this thread asks again. */
const char *sl_soc_error(const struct sl_soc *soc);

/** The configuration of the machine. */
const struct sl_config *sl_soc_config(const struct sl_soc *soc);

/** The memory map of the machine. */
const struct sl_layout *sl_soc_layout(const struct sl_soc *soc);

/** What firmware wrote to its console so far: a string that lives until the next call of any
 * thread. */
const char *sl_soc_console(struct sl_soc *soc);

/** The first line of `qemu --version`, which it runs: a string that lives until the next call of
 * any thread; empty, with a message, where it is not that of a QEMU. */
const char *sl_soc_qemu_version(struct sl_soc *soc);

/** The process id of the QEMU that was started last. */
int sl_soc_qemu_pid(const struct sl_soc *soc);

/** @} */

/** @defgroup host_memory Shared memory
 * @{ */

/** Shared heap: memory that host, firmware and kernels see at one address. Zeroed, aligned to
 * `align` (a power of two, at most 4096; 0 is 64). NULL with a message where it is used up, and
 * while something runs. Kernels of all runs may read and write it, up to the highest address that
 * is allocated, what is free in between included (docs/know/trust.md). */
void *sl_alloc(struct sl_soc *soc, size_t bytes, size_t align);

/** sl_alloc() of memory closed to kernels: an access is a fault, but in runs to which it is
 * granted. The host may use it as any other. */
void *sl_alloc_private(struct sl_soc *soc, size_t bytes, size_t align);

/** Pieces of memory that may be granted at a time. */
#define SL_GRANTS_MAX 32

/** Grants memory of sl_alloc_private() to the kernels of all runs that begin from now on: `access`
 * is SL_ACCESS_READ, SL_ACCESS_WRITE or both, in place of what was granted before; 0 takes it back,
 * as sl_free() does. So a graph gets it by a grant before its run, and one more of 0 behind.
 * SL_ERROR_USAGE with a message for other memory, while something runs, and where SL_GRANTS_MAX
 * pieces are granted already. */
SL_MUST_USE enum sl_status sl_grant(struct sl_soc *soc, const void *memory, unsigned access);

/** Frees memory of either kind. NULL is allowed; what is no allocation leaves a message. */
void sl_free(struct sl_soc *soc, void *memory);

/** @} */

/** @defgroup host_modules Modules of kernels
 * @{ */

/** Loads an ELF file of kernels: checks it, copies it to its addresses, analyses its control flow.
 * One module at a time. Lives until the machine is closed. */
SL_MUST_USE enum sl_status sl_module_load(struct sl_soc *soc, const char *path,
                                          struct sl_module **module);

/** A kernel of a module by its C name, as a handle for sl_graph_kernel(). 0 or more; -1 with a
 * message where there is no such function. */
int sl_module_kernel(struct sl_module *module, const char *name);

/** @} */

/** @defgroup host_graphs Building a graph
 * @{ */

/** Begins a graph. Nodes are numbered from 0 in the order in which they are made, channels and
 * kernels apart. Errors in building a graph are remembered and reported by sl_graph_prepare(). */
SL_MUST_USE enum sl_status sl_graph_create(struct sl_module *module,
                                           struct sl_graph_builder **graph);

/** Frees a graph. One that runs, or is open, ends without a result: the machine stops, and the next
 * run starts it anew. NULL is allowed. */
void sl_graph_destroy(struct sl_graph_builder *graph);

/** Options of a channel node; zero is the default of each. */
struct sl_channel_options {
    const char *name;    /**< for messages; default "channel N" */
    uint32_t done_group; /**< elements that share a done count, a power of two; 0 is 64 (Table 2) */
    enum sl_predicate predicate; /**< default: full wavefronts */
    uint32_t predicate_argument; /**< of predicates that take one */
    uint32_t flags;              /**< enum sl_channel_flag */
    uint64_t first;              /**< value at which the monotonic counters start */
};

/** A channel of `width` elements (a power of two, SL_CHANNEL_WIDTH_MIN to _MAX) of `element_bytes`.
 * Options may be NULL. Returns the channel's id, which kernels use too, or -1. */
int sl_graph_channel(struct sl_graph_builder *graph, size_t element_bytes, uint32_t width,
                     const struct sl_channel_options *options);

/** A kernel node, by the name of its C function. Returns its index, or -1. */
int sl_graph_kernel(struct sl_graph_builder *graph, const char *function);

/** Constant arguments of a kernel node (Figure 6, setConstArg), by position in the C function's
 * list: 0 and 1 are the channel and the lane's index, the others are set here, all of them: one
 * that is missing, that the kernel does not have, or that is not of its type, is an error of
 * sl_graph_prepare(). A kernel without debug information is not checked.
 *
 * The value has its type, SL_VALUE(x) (sluice/value.h): so a float or double is given. After
 * sl_graph_prepare() this changes an argument for the next run. */
void sl_graph_value(struct sl_graph_builder *graph, int kernel, int position,
                    struct sl_value value);

/** sl_graph_value() for an integer or an address. */
void sl_graph_argument(struct sl_graph_builder *graph, int kernel, int position, uint64_t value);

/** Each wavefront of the kernel gets LDS of its own: the program's SL_LDS variables, and so many
 * bytes behind them. It loses what is in it when it yields (docs/learn/programming.md, "LDS for the
 * kernels of a graph"). Without this call a graph's kernel has none. */
void sl_graph_lds(struct sl_graph_builder *graph, int kernel, uint32_t bytes);

/** Elements of the channel are processed by this kernel: exactly one per channel. */
void sl_graph_connect(struct sl_graph_builder *graph, int channel, int kernel);

/** The kernel puts elements into the channel, at most `fan_out` per lane at once. Allocating more,
 * and putting elements into a channel of which this was not said, is a fault of the kernel. */
void sl_graph_output(struct sl_graph_builder *graph, int kernel, int channel, uint32_t fan_out);

/** A channel stack (papers/001 sections 5.2 and 5.3): `levels` channels of one width and element,
 * numbered from the one returned up, level 0 being the shallowest of a recursion. `role` is
 * SL_ROLE_PRE_SPAWN for tasks without dependencies or SL_ROLE_POST_SYNC for continuations, which
 * run when nothing is outstanding at deeper levels of any stack. A graph with a stack is scheduled
 * by level; the predicate of its channels says what goes in place of full wavefronts. Returns the
 * first channel's id, or -1. */
int sl_graph_stack(struct sl_graph_builder *graph, enum sl_channel_role role, size_t element_bytes,
                   uint32_t width, uint32_t levels, const struct sl_channel_options *options);

/** sl_graph_connect() for all levels of a stack. */
void sl_graph_connect_stack(struct sl_graph_builder *graph, int stack, int kernel);

/** The kernel puts elements into the stack, at most `fan_out` per lane at once: into the level of
 * the lane's own element (level_offset 0), or into the one below it (1). */
void sl_graph_output_stack(struct sl_graph_builder *graph, int kernel, int stack, uint32_t fan_out,
                           uint32_t level_offset);

/** Elements of the channel, of whatever policy and predicate, go only as the other channel lets
 * them (docs/know/scheduling.md, "Guards"): SL_GUARD_SPACE, as many as it has space for if each
 * takes `argument` elements of it, which includes those that are under way; SL_GUARD_EMPTY, while
 * nothing is outstanding in it, with `argument` 0. Of several guards of a channel all have to let
 * them. `channel` may be a stack: each of its channels then has the guard. `other` must be of no
 * stack, and its kernel must not yield. */
void sl_graph_guard(struct sl_graph_builder *graph, int channel, enum sl_guard_kind kind, int other,
                    uint32_t argument);

/** Which scheduling policy runs the graph (docs/know/scheduling.md); without this,
 * SL_SCHEDULER_LEVELIZED where it has stacks, else SL_SCHEDULER_FLAT. One that cannot run the graph
 * is an error. */
void sl_graph_policy(struct sl_graph_builder *graph, enum sl_scheduler policy);

/** Flags of that policy, of enum sl_policy_flag; without this, none. One that the policy does not
 * know is an error. */
void sl_graph_policy_flags(struct sl_graph_builder *graph, uint32_t flags);

/** The flags that a policy knows; 0 from SL_SCHEDULER_COUNT on. */
uint32_t sl_policy_known_flags(unsigned policy);

/** The name of a policy; NULL from SL_SCHEDULER_COUNT on. */
const char *sl_policy_name(unsigned policy);

/** The name of the policy flag `1 << bit`; NULL from SL_POLICY_FLAG_COUNT on. */
const char *sl_policy_flag_name(unsigned bit);

/** The name of a predicate; NULL from SL_PREDICATE_COUNT on. */
const char *sl_predicate_name(unsigned predicate);

/** @} */

/** @defgroup host_runs Running a graph
 * @{ */

/** Checks the graph and lays it out in shared memory. Called by the following ones where it was
 * not. SL_ERROR_USAGE with a reason for a bad graph. */
SL_MUST_USE enum sl_status sl_graph_prepare(struct sl_graph_builder *graph);

/** The graph as host, firmware and kernels share it; valid after sl_graph_prepare(). */
struct sl_graph *sl_graph_shared(struct sl_graph_builder *graph);

/** A channel of the graph as they share it; valid after sl_graph_prepare(). */
struct sl_channel *sl_graph_shared_channel(struct sl_graph_builder *graph, int channel);

/** Host-side talloc, before the graph is executed. Returns `count` contiguous elements
 * (their handle for a channel with SL_CHANNEL_SOA), or NULL with a message: more than a kernel's
 * lane may ask for, too, up to the whole width of a channel whose counters begin at 0. In one that
 * has been used, elements lie side by side up to the end of its array, and the fan-out always. */
void *sl_graph_talloc(struct sl_graph_builder *graph, int channel, uint32_t count);

/** Host-side enq, before the graph is executed. What is enqueued was allocated by
 * sl_graph_talloc(), and is enqueued once: anything else is SL_ERROR_USAGE. */
SL_MUST_USE enum sl_status sl_graph_enq(struct sl_graph_builder *graph, int channel, void *elements,
                                        uint32_t count);

/** The elements that sl_graph_talloc() returned for a channel, for SL_FIELD() (sluice/view.h): the
 * way to fill elements of channels with SL_CHANNEL_PADDED or SL_CHANNEL_SOA. */
struct sl_view sl_graph_view(struct sl_graph_builder *graph, int channel, const void *elements);

/** Starts a graph, and returns when the firmware has taken it on; a debugger that holds the
 * firmware holds the caller too. One runs at a time; a graph that has ended can be filled and
 * executed again. */
SL_MUST_USE enum sl_status sl_graph_execute(struct sl_graph_builder *graph);

/** @} */

/** @defgroup host_open_graphs Graphs that stay open
 * The host puts elements in while the graph runs, each at a simulated time that it names, counted
 * from the run's begin: in ps, or SL_WHEN_IDLE, which is when nothing is left to do. Times are in
 * ascending order. Simulated time never goes on unless the host has said what comes next, so that
 * the run is the same whenever the host says it; and the host may read and write shared memory
 * after sl_graph_wait_until(), until it says the next thing (docs/learn/programming.md, "A graph
 * that stays open").
 * @{ */

/** Starts a graph like sl_graph_execute(). It runs until it has been closed and nothing is left to
 * do; sl_soc_wait() waits for its end then. */
SL_MUST_USE enum sl_status sl_graph_open(struct sl_graph_builder *graph);

/** talloc and enq while the graph is open: copies `count` elements, a C array, and puts them into
 * the channel at this time. `when_full`: what happens if the channel then has no space for all of
 * them. More than the channel may ever have space for, or than SL_FEED_BYTES, and channels with
 * SL_CHANNEL_SOA are refused. Where the machine has not come far enough to take the message, the
 * call waits. SL_ERROR_USAGE: not done, the graph stays open. SL_ERROR_MACHINE: the run has
 * ended, by a fault or with the machine. */
SL_MUST_USE enum sl_status sl_graph_enq_at(struct sl_graph_builder *graph, int channel,
                                           const void *elements, uint32_t count, uint64_t time_ps,
                                           enum sl_when_full when_full);

/** What has become of an open graph. */
struct sl_graph_state {
    uint64_t time_ps; /**< where it is: not before what was waited for; behind it where elements had
                         to wait for space */
    uint64_t elements; /**< of the host's, put in so far */
    uint64_t dropped;  /**< and dropped */
};

/** Waits until the graph has come to this time, with all that was put in before. Simulated time
 * stands still then, until the host says the next thing. The state may be NULL. Otherwise as
 * sl_graph_enq_at(). */
SL_MUST_USE enum sl_status sl_graph_wait_until(struct sl_graph_builder *graph, uint64_t time_ps,
                                               struct sl_graph_state *state);

/** Nothing more comes, after what was put in last. */
SL_MUST_USE enum sl_status sl_graph_close(struct sl_graph_builder *graph);

/** @} */

/** @defgroup host_inspection Wavefront inspector, and runs that are not checked
 * @{ */

/** Gets a line of text, without newline. */
typedef void (*sl_line_fn)(void *user, const char *line);

/** The wavefront inspector: describes wavefronts, a line of text at a time (without newline), each
 * with kernel, source line, active lanes and reconvergence stack, and with the registers of its
 * lanes on request. While a graph runs, those that are resident now; the run is not disturbed, and
 * its statistics stay the same. After a fault, those that the device kept then: debug.dump says
 * which, debug.dump_registers whether with registers. SL_ERROR_USAGE where there is neither.
 * SL_ERROR_MACHINE where the machine does not answer within two seconds. */
SL_MUST_USE enum sl_status sl_soc_dump(struct sl_soc *soc, int with_registers, sl_line_fn line,
                                       void *user);

/** Starts what is at an address without any check by the library: the firmware's own check decides.
 */
SL_MUST_USE enum sl_status sl_soc_execute_unchecked(struct sl_soc *soc, uint64_t graph_address);

/** @} */

/** @defgroup host_launches Launches over an NDRange
 * @{ */

/** Launches a kernel over an NDRange of `grid` work-items in x, y and z (1 where a dimension is not
 * used), in work-groups of `group`, which need not divide the grid: at its edge there are smaller
 * ones. `lds_bytes` of LDS for each work-group come on top of the program's SL_LDS variables. The
 * kernel gets `count` constant arguments, at most SL_LAUNCH_ARGUMENTS, as if it were called with
 * them: SL_ERROR_USAGE where it has more or fewer parameters, or others. A kernel without debug
 * information is not checked. What no compute unit could ever hold is SL_ERROR_USAGE with the
 * reason, too. sl_soc_wait() waits for the end.
 *
 * Arguments are integers and addresses; sl_launch_values() takes others. */
SL_MUST_USE enum sl_status sl_launch(struct sl_module *module, const char *kernel,
                                     const uint32_t grid[3], const uint32_t group[3],
                                     uint32_t lds_bytes, const uint64_t *arguments, unsigned count);

/** sl_launch() with values that have their types, SL_VALUES(a, x, n) (sluice/value.h) for the last
 * two parameters: so a float or double is given. */
SL_MUST_USE enum sl_status sl_launch_values(struct sl_module *module, const char *kernel,
                                            const uint32_t grid[3], const uint32_t group[3],
                                            uint32_t lds_bytes, const struct sl_value *values,
                                            unsigned count);

/** sl_launch() of a kernel whose wavefronts wait for each other (sluice/wave/device_barrier.h). A
 * wavefront that has no context yet would be waited for in vain: SL_ERROR_USAGE, with what each
 * work-group needs and the machine has, where not all of the grid can be resident at once. */
SL_MUST_USE enum sl_status sl_launch_resident(struct sl_module *module, const char *kernel,
                                              const uint32_t grid[3], const uint32_t group[3],
                                              uint32_t lds_bytes, const uint64_t *arguments,
                                              unsigned count);

/** sl_launch_resident() with values that have their types. */
SL_MUST_USE enum sl_status sl_launch_resident_values(struct sl_module *module, const char *kernel,
                                                     const uint32_t grid[3],
                                                     const uint32_t group[3], uint32_t lds_bytes,
                                                     const struct sl_value *values, unsigned count);

/** Work-groups of a kernel, of `group` work-items (1 to SL_GROUP_ITEMS in all) and with `lds_bytes`
 * of LDS, that the machine holds at once. 0 also where there is no such kernel or work-group, with
 * a message. */
uint32_t sl_resident_groups(struct sl_module *module, const char *kernel, const uint32_t group[3],
                            uint32_t lds_bytes);

/** The last launch as host, firmware and kernels share it; NULL before the first. */
const struct sl_launch *sl_launch_shared(const struct sl_soc *soc);

/** Starts the struct sl_launch at an address without any check by the library. */
SL_MUST_USE enum sl_status sl_soc_launch_unchecked(struct sl_soc *soc, uint64_t launch_address);

/** @} */

/** @defgroup host_sequences Sequences of launches
 * @{ */

/** One launch of a sequence. */
struct sl_launch_step {
    const char *kernel; /**< its name; this and the next three as of sl_launch() */
    uint32_t grid[3];   /**< work-items */
    uint32_t group[3];  /**< work-items of a work-group */
    uint32_t lds_bytes; /**< of each work-group */
    /** NULL; or a word in the shared heap that says, when the step starts, how many work-items
     * there are in x: 0 for an empty launch, which is over at once, and grid[0] at most. */
    const uint32_t *grid_word;
    unsigned argument_count;                /**< at most SL_LAUNCH_ARGUMENTS */
    uint64_t argument[SL_LAUNCH_ARGUMENTS]; /**< bits of each */
    /** What each argument is: where nothing is said, SL_VALUE_WORD, an integer or an address. */
    enum sl_value_kind kind[SL_LAUNCH_ARGUMENTS];
};

/** Gives a step one more argument, SL_VALUE(x) (sluice/value.h). One too many is counted, and
 * refused with the sequence. */
static inline void sl_step_value(struct sl_launch_step *step, struct sl_value value)
{
    const unsigned number = step->argument_count++;
    if (number < SL_LAUNCH_ARGUMENTS) {
        step->argument[number] = value.bits;
        step->kind[number] = value.kind;
    }
}

/** Launches `count` kernels, 1 to SL_SEQUENCE_LAUNCHES, one after the other, as one run: caches
 * begin empty once, statistics are those of all, sl_soc_wait() waits for the end of the last. A
 * step starts when the one before it is complete, and sees all that it wrote. Steps are numbered
 * from 0. Where `word` is not NULL, steps `first` to `last` repeat: each time that step `last` is
 * complete, the word, in the shared heap, is read, and where it is not 0, step `first` is next.
 * What does not end ends by the machine's gpu.cycle_limit. Otherwise as sl_launch(); messages name
 * the step. */
SL_MUST_USE enum sl_status sl_launch_sequence(struct sl_module *module,
                                              const struct sl_launch_step *steps, unsigned count,
                                              unsigned first, unsigned last, const uint32_t *word);

/** The last sequence as host, firmware and kernels share it; NULL before the first. */
const struct sl_sequence *sl_sequence_shared(const struct sl_soc *soc);

/** Starts the struct sl_sequence at an address without any check by the library. */
SL_MUST_USE enum sl_status sl_soc_sequence_unchecked(struct sl_soc *soc, uint64_t sequence_address);

/** @} */

/** @defgroup host_task_vectors Task vectors
 * Fork/join programs without channels (docs/know/trees.md; papers/000 chapter 5): tasks are in a
 * vector, and the firmware runs them an epoch at a time. Kernels for that are made by
 * sluice/wave/trees.h.
 * @{ */

/** @struct sl_task_vector
 * A vector of tasks. */
struct sl_task_vector;

/** Options of a task vector. Zero is the default where one is named. */
struct sl_trees_options {
    uint32_t capacity;  /**< slots */
    uint32_t arguments; /**< of a task, of 4 bytes each */
    uint32_t functions; /**< of tasks: as many as SL_TASKS() has */
    uint32_t maps;      /**< of maps: as many as SL_MAPS() has */
    uint32_t group;     /**< work-items of a work-group of an epoch; 0 is 256, as in the paper */
    uint32_t map_group; /**< work-items of each map; 0 is 256 */
    uint32_t lds;   /**< bytes of each work-group of an epoch, beside what the program declares */
    uint32_t stack; /**< epochs that the stack has room for; 0 is 4096 */
    uint32_t flags; /**< SL_TREES_SKIP_EMPTY, SL_TREES_APART */
    uint32_t log;   /**< epochs that are written down; 0 is none. It takes the firmware time */
};

/** A task vector for the kernel that SL_TASKS() has made, and the one of SL_MAPS() (NULL for none).
 * It lives until it is destroyed, or the machine is closed. SL_ERROR_USAGE with a reason for bad
 * options. */
SL_MUST_USE enum sl_status sl_trees_create(struct sl_module *module, const char *kernel,
                                           const char *map_kernel,
                                           const struct sl_trees_options *options,
                                           struct sl_task_vector **trees);

/** Frees one that does not run. NULL is allowed. */
void sl_trees_destroy(struct sl_task_vector *trees);

/** Starts with one task: a function, numbered from 1, and `count` arguments of 4 bytes each. All
 * epochs are one run; sl_soc_wait() waits for its end. It can be executed again after that. */
SL_MUST_USE enum sl_status sl_trees_execute(struct sl_task_vector *trees, uint32_t function,
                                            const uint32_t *arguments, unsigned count);

/** What the first task has emitted, or the continuation that it joined: the first two arguments of
 * slot 0, the lower half first. */
uint64_t sl_trees_result(const struct sl_task_vector *trees);

/** The task vector as host, firmware and kernels share it. */
struct sl_trees *sl_trees_shared(const struct sl_task_vector *trees);

/** Writes the log of the last run, an epoch a line, to a file: its number, its range, the next free
 * slot before and behind it, whether a task has joined, maps, and epochs on the stack behind it. A
 * last line says for how many the log had no room. SL_ERROR_USAGE where there is no log, or the
 * file cannot be written. */
SL_MUST_USE enum sl_status sl_trees_write_log(const struct sl_task_vector *trees, const char *path);

/** Starts the struct sl_trees at an address without any check by the library. */
SL_MUST_USE enum sl_status sl_soc_trees_unchecked(struct sl_soc *soc, uint64_t trees_address);

/** @} */

/** @defgroup host_task_queues Work-sharing tasks
 * Persistent wavefronts that share tasks by queues of their own, of their work-groups and of the
 * device, without the aggregator (docs/know/tasks.md; papers/002 section 7). Kernels for that are
 * made by sluice/wave/tasks.h.
 * @{ */

/** @struct sl_task_queues
 * Queues of tasks. */
struct sl_task_queues;

/** Options of task queues. Zero is the default where one is named. */
struct sl_tasks_options {
    enum sl_tasks_version version; /**< in which scopes queues synchronize */
    uint32_t functions;            /**< as many as SL_WORK() has */
    uint32_t task_bytes;           /**< bytes of each task, as SL_WORK_TYPES() has them */
    /** Fronts in the work-group's queue below which wavefronts give some of theirs to it; 0 is 8.
     */
    uint32_t group_threshold;
    uint32_t device_threshold; /**< the same of the device's queue; 0 is 64 */
    uint32_t capacity;         /**< fronts of a wavefront's own queue, a power of two; 0 is 64 */
    uint32_t group_capacity;   /**< fronts of a work-group's queue; 0 is what the threshold takes */
    uint32_t device_capacity;  /**< fronts of the device's queue; 0 likewise */
    uint32_t group_wavefronts; /**< of a work-group, 1 to 8; 0 is 8, or what a CU holds */
    uint32_t groups;           /**< work-groups; 0 is as many as the machine holds at once */
};

/** Queues for the kernel that SL_WORK() has made, and what its functions get as `program`: an
 * address in the shared heap, or NULL. They live until they are destroyed, or the machine is
 * closed. SL_ERROR_USAGE with a reason for bad options. */
SL_MUST_USE enum sl_status sl_tasks_create(struct sl_module *module, const char *kernel,
                                           const struct sl_tasks_options *options,
                                           const void *program, struct sl_task_queues **tasks);

/** Frees those of which nothing runs. NULL is allowed. */
void sl_tasks_destroy(struct sl_task_queues *tasks);

/** `count` more tasks of a function, numbered from 0, for each execution to begin with; a C array,
 * which is copied. */
SL_MUST_USE enum sl_status sl_tasks_add(struct sl_task_queues *tasks, uint32_t function,
                                        const void *first, uint32_t count);

/** Runs all tasks, and what they create; sl_soc_wait() waits for the end. It can be executed again
 * after that, with the same tasks to begin with. */
SL_MUST_USE enum sl_status sl_tasks_execute(struct sl_task_queues *tasks);

/** Of the last execution, behind its end: what all wavefronts have counted together, or the largest
 * of their maxima. */
uint64_t sl_tasks_count(const struct sl_task_queues *tasks, enum sl_tasks_count count);

/** The queues as host and kernels share them. */
const struct sl_tasks *sl_tasks_shared(const struct sl_task_queues *tasks);

/** The number of wavefronts that share the tasks. */
uint32_t sl_tasks_wavefronts(const struct sl_task_queues *tasks);

/** @} */

/** @defgroup host_ends The end of a run
 * @{ */

/** Waits for the end of the graph, or of the launch, for at most `limit_ms` of wall time (negative:
 * without limit). SL_OK: complete. SL_ERROR_USAGE: refused by the firmware. SL_ERROR_MACHINE: a
 * fault, or the machine died. SL_ERROR_TIMEOUT: still running, or trace.file or sample.file is
 * not read to its end yet. SL_ERROR_USAGE too where the graph is open: it would never end. */
SL_MUST_USE enum sl_status sl_soc_wait(struct sl_soc *soc, int limit_ms);

/** Where what kernels print (sl_printf, in hal/include/sluice/wave/printf.h) goes; NULL is standard
 * error, as at the beginning. It is shown in sl_soc_wait(), as far as it is there, and in whole
 * when the run has ended. */
void sl_soc_print_to(struct sl_soc *soc, FILE *stream);

/** What the firmware's completion message said of the last complete graph. */
struct sl_completion_counts {
    uint64_t elements;   /**< elements processed; work-groups of a launch */
    uint64_t wavefronts; /**< wavefronts that were launched */
    uint64_t dispatches; /**< dispatch packets that were sent */
};

/** What the last complete graph or launch was. */
struct sl_completion_counts sl_soc_counts(const struct sl_soc *soc);

/** Simulated time of the running graph in ps, for progress displays. */
uint64_t sl_soc_time_ps(const struct sl_soc *soc);

/** Wavefronts of the running graph in flight, those that are still to be launched among them. */
uint64_t sl_soc_active(const struct sl_soc *soc);

/** @} */

/** @defgroup host_statistics Statistics, reports and profiles
 * @{ */

/** A count among the statistics of the last graph or launch (docs/look-up/statistics.md). */
uint64_t sl_statistic_count(const struct sl_soc *soc, enum sl_statistic id);

/** A real number among them. */
double sl_statistic_real(const struct sl_soc *soc, enum sl_statistic id);

/** From here on, statistics are those of all graphs and launches together that end after this call:
 * counts are added up, maxima are maxima, percentages and rates are weighted means. What ran before
 * is forgotten, with another call too. */
void sl_statistics_accumulate(struct sl_soc *soc);

/** Writes what is wanted of all runs so far and lacks one: the report, the profiles and races
 * (report.file, profile.file, kernel_profile.file, races.file), which are written after runs, too,
 * where they are no FIFO or device, the timeline and the firmware's console (timeline.file,
 * debug.uart). All are written when the machine is closed, too, which cannot tell of errors. A file
 * that fails costs no run its result: what has failed first since the last call, behind a run or
 * now, is told here, as SL_ERROR_MACHINE, or SL_ERROR_USAGE where the name cannot be written; that
 * races or sharing were not all looked at, for lack of memory, too. */
SL_MUST_USE enum sl_status sl_soc_write_report(struct sl_soc *soc);

/** What wavefronts have done with a part of their time. */
struct sl_kernel_reason {
    const char *name;  /**< as in statistics: memory_dram */
    const char *words; /**< as in tables: DRAM */
    uint64_t cycles;   /**< CU cycles */
};

/** What the wavefronts of those runs have done with their time, where a profile of kernels is
 * wanted (kernel_profile.file): CU cycles by reason, the largest first, up to `most`. Returns how
 * many reasons there are; their cycles add up to all in which a wavefront held a context. */
unsigned sl_kernel_reasons(const struct sl_soc *soc, struct sl_kernel_reason *reasons,
                           unsigned most);

/** Calls that found no room in the profile (profile.file). */
uint64_t sl_profile_lost(const struct sl_soc *soc);

/** Instructions and calls that found no room in the profile of kernels (kernel_profile.file). */
uint64_t sl_kernel_profile_lost(const struct sl_soc *soc);

/** Events that found no room in the timeline (timeline.events). */
uint64_t sl_timeline_lost(const struct sl_soc *soc);

/** Pairs of source lines between which debug.races has found races, in all runs so far
 * (docs/do/find-races.md). */
uint64_t sl_soc_race_count(const struct sl_soc *soc);

/** Tells of the races, up to debug.races_limit pairs, and how many further ones there are; a text
 * may have a second line. What a run has left is there when its end is (sl_soc_wait). */
void sl_soc_tell_races(const struct sl_soc *soc, sl_line_fn line, void *user);

/** A statistic: name, unit and meaning, as in docs/look-up/statistics.md. */
struct sl_statistic_entry {
    const char *name; /**< as in JSON */
    enum sl_statistic_kind
        kind;             /**< whether sl_statistic_count() or sl_statistic_real() reads it */
    const char *unit;     /**< "" for a plain count */
    const char *sentence; /**< what it is */
};

/** The statistics by their numbers. */
extern const struct sl_statistic_entry sl_statistic_table[SL_STAT_COUNT];

/** Where data accesses were served, and latencies of loads: of the last graph or launch, or, after
 * sl_statistics_accumulate(), of all since. Zero on memory system flat, and what is by structure
 * without mem.matrix. */
const struct sl_served *sl_statistic_served(const struct sl_soc *soc);

/** Writes all statistics, and where data accesses were served, as one flat JSON object: a file that
 * takes its name when it is whole (docs/know/trust.md, "Results"). SL_ERROR_USAGE where the name
 * cannot be written, SL_ERROR_MACHINE where writing fails. */
SL_MUST_USE enum sl_status sl_soc_write_statistics(struct sl_soc *soc, const char *path);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
