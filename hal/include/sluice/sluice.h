/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * The host library: it opens the machine, loads kernels, builds and runs channel-flow graphs, and
 * returns results.
 *
 * The interface follows papers/001 Figure 6, in C. A call that can fail reports it by its result,
 * usually an sl_status. It leaves a message in the machine object (sl_soc_error()), which names the
 * error and the valid values. The library prints only what kernels print with sl_printf(). It exits
 * in one case: libdw, which reads source lines, ends the process with SL_ERROR_MACHINE if it runs
 * out of memory. A process can have one machine open, because DRAM is mapped at the device's own
 * addresses.
 *
 * Threads. Calls may come from any thread and take turns on the machine. A call that sleeps gives
 * its turn to others: any number of threads may be in sl_soc_wait() while others inspect the run or
 * read statistics. When the run ends, all these waits return the same status. Two kinds of calls
 * are for one thread at a time. The first is building: all calls on a module, and on graphs, task
 * vectors and task queues that do not execute. The second is calls on an open graph. sl_soc_open()
 * and sl_soc_close() require that no other thread uses the machine. No call is async-signal-safe. A
 * child of fork() may only exec. */
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

/** The compiler warns if the result of such a function is not used. @hideinitializer */
#define SL_MUST_USE __attribute__((warn_unused_result))

/** The result of a call. Except for SL_ERROR_TIMEOUT, the values are the exit statuses of programs
 * (sluice/program.h). */
enum sl_status {
    SL_OK = 0,            /**< done */
    SL_ERROR_USAGE = 2,   /**< an argument, the configuration or the graph is wrong */
    SL_ERROR_MACHINE = 3, /**< QEMU, the firmware or a kernel failed */
    SL_ERROR_TIMEOUT = 4, /**< the time limit of a wait expired; the machine still runs */
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

/** Opens a machine: reserves DRAM, starts QEMU (or the native engine, docs/know/engines.md) with
 * plugin and flash image, and waits until the firmware is ready. On success *soc is the machine. On
 * failure *soc is NULL (out of memory) or an object that only holds the message and must be closed.
 * SL_ERROR_USAGE also if this process has a machine open; close that one first.
 *
 * A machine survives its QEMU and its firmware. If the firmware traps or hangs, or QEMU ends,
 * stalls or is killed, the current run ends with SL_ERROR_MACHINE. Its graph can be destroyed, but
 * not executed again. The next run restarts QEMU on the same memory: the heap, loaded kernels and
 * all other graphs are unchanged. Its statistics are those of a newly opened machine. If the
 * restart fails, that run and all later runs fail with the same message. docs/learn/programming.md,
 * "When the machine fails", lists what is lost. */
SL_MUST_USE enum sl_status sl_soc_open(const struct sl_config *config, struct sl_soc **soc);

/** Ends QEMU (by SIGKILL after one second) and frees everything. NULL is allowed. */
void sl_soc_close(struct sl_soc *soc);

/** The message of the last call that failed, in any thread; never NULL. The string is valid until
 * this thread calls the function again. */
const char *sl_soc_error(const struct sl_soc *soc);

/** The configuration of the machine. */
const struct sl_config *sl_soc_config(const struct sl_soc *soc);

/** The memory map of the machine. */
const struct sl_layout *sl_soc_layout(const struct sl_soc *soc);

/** The firmware's console output so far. The string is valid until the next library call of any
 * thread. */
const char *sl_soc_console(struct sl_soc *soc);

/** Runs `qemu --version` and returns its first line; for the native engine, returns its version.
 * The string is valid until the next library call of any thread. It is empty, with a message, if
 * host.qemu cannot be run or is not a QEMU. */
const char *sl_soc_qemu_version(struct sl_soc *soc);

/** The process id of the QEMU (or native engine) that was started last. */
int sl_soc_qemu_pid(const struct sl_soc *soc);

/** @} */

/** @defgroup host_memory Shared memory
 * @{ */

/** Allocates from the shared heap, which host, firmware and kernels see at the same addresses. The
 * memory is zeroed. `align` is a power of two up to 4096 bytes; 0 is 64. Returns NULL with a
 * message if the heap has no room, if `align` is invalid, and during a run. Kernels of all runs may
 * read and write it. They may also access free memory below the highest allocated address
 * (docs/know/trust.md). */
void *sl_alloc(struct sl_soc *soc, size_t bytes, size_t align);

/** sl_alloc() of memory that is closed to kernels: an access is a fault, except in runs to which it
 * is granted (sl_grant()). The host may use it like any other memory. */
void *sl_alloc_private(struct sl_soc *soc, size_t bytes, size_t align);

/** The maximum number of memory pieces that are granted at a time. */
#define SL_GRANTS_MAX 32

/** Grants memory of sl_alloc_private() to the kernels of all runs that begin after this call.
 * `access` is SL_ACCESS_READ, SL_ACCESS_WRITE or both, and replaces an earlier grant. 0 revokes the
 * grant, as sl_free() does. To grant memory to one run, grant it before the run and revoke it
 * afterwards. SL_ERROR_USAGE with a message for other memory or other bits of `access`, during a
 * run, and if SL_GRANTS_MAX other pieces are granted. */
SL_MUST_USE enum sl_status sl_grant(struct sl_soc *soc, const void *memory, unsigned access);

/** Frees memory of either kind. NULL is allowed; any other pointer that is not an allocation leaves
 * a message. */
void sl_free(struct sl_soc *soc, void *memory);

/** @} */

/** @defgroup host_modules Modules of kernels
 * @{ */

/** Loads an ELF file of kernels: checks it, copies it to its addresses and analyses its control
 * flow. A machine takes one module, which lives until the machine is closed. SL_ERROR_USAGE if a
 * module is already loaded. */
SL_MUST_USE enum sl_status sl_module_load(struct sl_soc *soc, const char *path,
                                          struct sl_module **module);

/** Looks up a kernel by the name of its C function. Returns its number in the module, 0 or more, or
 * -1 with a message if the module has no such function. Graphs and launches take the name instead.
 */
int sl_module_kernel(struct sl_module *module, const char *name);

/** @} */

/** @defgroup host_graphs Building a graph
 * @{ */

/** Begins a graph. Channels and kernels are numbered separately, each from 0 in order of creation.
 * sl_graph_prepare() reports the first error in building it. */
SL_MUST_USE enum sl_status sl_graph_create(struct sl_module *module,
                                           struct sl_graph_builder **graph);

/** Frees a graph. If it runs or is open, it ends without a result: the machine stops, and the next
 * run restarts it. NULL is allowed. */
void sl_graph_destroy(struct sl_graph_builder *graph);

/** Options of a channel; zero is the default of each. */
struct sl_channel_options {
    const char *name;    /**< for messages; the default is "channel N" */
    uint32_t done_group; /**< elements that share a done count, a power of two; 0 is 64 (papers/001
                            Table 2) */
    enum sl_predicate predicate; /**< default: full wavefronts */
    uint32_t predicate_argument; /**< the argument, if the predicate takes one */
    uint32_t flags;              /**< bits of enum sl_channel_flag */
    uint64_t first;              /**< initial value of the monotonic counters */
};

/** The least width of a channel that holds so many elements, up to SL_CHANNEL_WIDTH_MAX. */
uint32_t sl_channel_width(uint64_t elements);

/** Adds a channel of `width` elements of `element_bytes` each. `width` is a power of two,
 * SL_CHANNEL_WIDTH_MIN to SL_CHANNEL_WIDTH_MAX; `element_bytes` is 1 to SL_CHANNEL_STRIDE_MAX.
 * `options` may be NULL. Returns the channel's id, which kernels also use, or -1. */
int sl_graph_channel(struct sl_graph_builder *graph, size_t element_bytes, uint32_t width,
                     const struct sl_channel_options *options);

/** Adds a kernel node, by the name of its C function. Returns its index, or -1. */
int sl_graph_kernel(struct sl_graph_builder *graph, const char *function);

/** Sets a constant argument of a kernel node (papers/001 Figure 6, setConstArg). `position` is its
 * position in the C function's parameter list. Parameters 0 and 1 are the channel and the lane's
 * index. Set all others, at most SL_KERNEL_ARGUMENTS. sl_graph_prepare() reports an argument that
 * is missing, that the kernel does not have, or that has another type. A kernel without debug
 * information is not checked.
 *
 * The value carries its type, SL_VALUE(x) (sluice/value.h), so it can be a float or double. After
 * sl_graph_prepare() the call changes the argument for the next run; during a run it is an error.
 */
void sl_graph_value(struct sl_graph_builder *graph, int kernel, int position,
                    struct sl_value value);

/** sl_graph_value() for an integer or an address. */
void sl_graph_argument(struct sl_graph_builder *graph, int kernel, int position, uint64_t value);

/** Gives each wavefront of the kernel private LDS: the program's SL_LDS variables, followed by
 * `bytes` bytes. A wavefront that yields loses their contents (docs/learn/programming.md, "LDS for
 * the kernels of a graph"). By default, kernels of a graph have no LDS. */
void sl_graph_lds(struct sl_graph_builder *graph, int kernel, uint32_t bytes);

/** Selects the kernel that processes the channel's elements. Each channel has exactly one. */
void sl_graph_connect(struct sl_graph_builder *graph, int channel, int kernel);

/** A kernel node with its channel and all constant arguments: sl_graph_kernel(), sl_graph_connect()
 * and sl_graph_value() from position 2 on. SL_VALUES(a, b) for the last two parameters. Returns the
 * kernel's index, or -1. */
int sl_graph_consumer(struct sl_graph_builder *graph, int channel, const char *function,
                      const struct sl_value *values, unsigned count);

/** Declares an edge: the kernel puts elements into the channel, at most `fan_out` per lane at once,
 * 1 to the channel's width. A kernel faults if it allocates more, or puts elements into a channel
 * without a declared edge. */
void sl_graph_output(struct sl_graph_builder *graph, int kernel, int channel, uint32_t fan_out);

/** Adds a channel stack (papers/001 sections 5.2 and 5.3): `levels` channels, 1 to SL_STACK_LEVELS,
 * of one width and element size. Their ids are consecutive, starting with the returned one. Level 0
 * is the shallowest of a recursion. `role` is SL_ROLE_PRE_SPAWN for tasks without dependencies, or
 * SL_ROLE_POST_SYNC for continuations, which run when no deeper level of any stack has outstanding
 * elements. A graph with a stack is scheduled by level. The predicate of its channels decides what
 * is dispatched in place of full wavefronts. Returns the first channel's id, or -1. */
int sl_graph_stack(struct sl_graph_builder *graph, enum sl_channel_role role, size_t element_bytes,
                   uint32_t width, uint32_t levels, const struct sl_channel_options *options);

/** sl_graph_connect() for all levels of a stack. */
void sl_graph_connect_stack(struct sl_graph_builder *graph, int stack, int kernel);

/** Declares that the kernel puts elements into the stack, at most `fan_out` per lane at once.
 * `level_offset` is 0 for the level of the lane's own element, or 1 for the next deeper level. */
void sl_graph_output_stack(struct sl_graph_builder *graph, int kernel, int stack, uint32_t fan_out,
                           uint32_t level_offset);

/** Adds a guard: elements of the channel are dispatched only while `other` allows it, under any
 * policy and predicate (docs/know/scheduling.md, "Guards"). SL_GUARD_SPACE allows one element per
 * `argument` free elements of `other`, and elements in flight keep their share. SL_GUARD_EMPTY
 * allows elements while `other` has no outstanding elements; its `argument` is 0. If a channel has
 * several guards, all of them must allow an element. `channel` may be a stack: then each of its
 * channels has the guard. `other` must not belong to a stack, and its kernel must not yield. */
void sl_graph_guard(struct sl_graph_builder *graph, int channel, enum sl_guard_kind kind, int other,
                    uint32_t argument);

/** Selects the graph's scheduling policy (docs/know/scheduling.md). The default is
 * SL_SCHEDULER_LEVELIZED for a graph with stacks, else SL_SCHEDULER_FLAT. A policy that cannot run
 * the graph is an error. */
void sl_graph_policy(struct sl_graph_builder *graph, enum sl_scheduler policy);

/** Sets the policy's flags, bits of enum sl_policy_flag; the default is 0. A flag that the policy
 * does not know is an error. */
void sl_graph_policy_flags(struct sl_graph_builder *graph, uint32_t flags);

/** The flags that a policy knows; 0 for SL_SCHEDULER_COUNT and above. */
uint32_t sl_policy_known_flags(unsigned policy);

/** The name of a policy; NULL for SL_SCHEDULER_COUNT and above. */
const char *sl_policy_name(unsigned policy);

/** The name of the policy flag `1 << bit`; NULL for SL_POLICY_FLAG_COUNT and above. */
const char *sl_policy_flag_name(unsigned bit);

/** The name of a predicate; NULL for SL_PREDICATE_COUNT and above. */
const char *sl_predicate_name(unsigned predicate);

/** @} */

/** @defgroup host_runs Running a graph
 * @{ */

/** Checks the graph and lays it out in shared memory. Calls that fill or start a graph do this if
 * necessary. SL_ERROR_USAGE with the reason if the graph is invalid. */
SL_MUST_USE enum sl_status sl_graph_prepare(struct sl_graph_builder *graph);

/** The graph as host, firmware and kernels share it; valid after sl_graph_prepare(). */
struct sl_graph *sl_graph_shared(struct sl_graph_builder *graph);

/** A channel of the graph in its shared form; valid after sl_graph_prepare(). */
struct sl_channel *sl_graph_shared_channel(struct sl_graph_builder *graph, int channel);

/** Host-side talloc (papers/001 Table 1), before the graph is executed. Returns `count` contiguous
 * elements (for a channel with SL_CHANNEL_SOA, their handle), or NULL with a message. `count` may
 * exceed a kernel's fan-out, up to the whole width if the channel's counters begin at 0. In a used
 * channel, elements are contiguous up to the end of its array, and always up to the fan-out. */
void *sl_graph_talloc(struct sl_graph_builder *graph, int channel, uint32_t count);

/** Host-side enq, before the graph is executed. Each element must come from sl_graph_talloc() and
 * can be enqueued once; anything else is SL_ERROR_USAGE. */
SL_MUST_USE enum sl_status sl_graph_enq(struct sl_graph_builder *graph, int channel, void *elements,
                                        uint32_t count);

/** A view of elements that sl_graph_talloc() returned for a channel, for SL_FIELD()
 * (sluice/view.h). Use it to fill elements of channels with SL_CHANNEL_PADDED or SL_CHANNEL_SOA. */
struct sl_view sl_graph_view(struct sl_graph_builder *graph, int channel, const void *elements);

/** Starts a graph, and returns when the firmware has accepted it. A debugger that stops the
 * firmware also stops the caller. One graph runs at a time. A graph that has ended can be filled
 * and executed again. */
SL_MUST_USE enum sl_status sl_graph_execute(struct sl_graph_builder *graph);

/** @} */

/** @defgroup host_open_graphs Graphs that stay open
 * The host puts elements in while the graph runs. Each call names a simulated time in ps since the
 * run's begin, in ascending order. SL_WHEN_IDLE stands for the next quiescent point. Simulated time
 * stands still until the host sends its next message, so the host's speed never changes the run.
 * The host may read and write shared memory between the return of sl_graph_wait_until() and its
 * next message (docs/learn/programming.md, "A graph that stays open").
 * @{ */

/** Starts a graph like sl_graph_execute(). It runs until it is closed and no work is left; after
 * the close, sl_soc_wait() waits for its end. */
SL_MUST_USE enum sl_status sl_graph_open(struct sl_graph_builder *graph);

/** talloc and enq while the graph is open: copies `count` elements, a C array, and puts them into
 * the channel at `time_ps`. `when_full` says what happens if the channel then has no space for all
 * of them. Refused are 0 elements, more than width - (done group - 1), more than SL_FEED_BYTES, and
 * channels with SL_CHANNEL_SOA or SL_CHANNEL_STAMPED. The call waits while the mailbox ring is
 * full. SL_ERROR_USAGE: the call had no effect, and the graph stays open. SL_ERROR_MACHINE: the run
 * has ended, by a fault or with the machine. */
SL_MUST_USE enum sl_status sl_graph_enq_at(struct sl_graph_builder *graph, int channel,
                                           const void *elements, uint32_t count, uint64_t time_ps,
                                           enum sl_when_full when_full);

/** The state of an open graph. */
struct sl_graph_state {
    uint64_t time_ps;  /**< time reached: later than requested if elements waited for space */
    uint64_t elements; /**< the host's elements, put in so far */
    uint64_t dropped;  /**< the host's elements, dropped so far */
};

/** Waits until the graph has reached this time, with all elements put in before. Simulated time
 * then stands still until the host's next message. `state` may be NULL. Errors are those of
 * sl_graph_enq_at(). */
SL_MUST_USE enum sl_status sl_graph_wait_until(struct sl_graph_builder *graph, uint64_t time_ps,
                                               struct sl_graph_state *state);

/** Ends the host's input to an open graph. Errors are those of sl_graph_enq_at(). */
SL_MUST_USE enum sl_status sl_graph_close(struct sl_graph_builder *graph);

/** @} */

/** @defgroup host_inspection Wavefront inspector, and runs that are not checked
 * @{ */

/** Receives a line of text, without newline. */
typedef void (*sl_line_fn)(void *user, const char *line);

/** The wavefront inspector: describes wavefronts in lines of text. Each has its kernel, source
 * line, active lanes and reconvergence stack, and on request the registers of its lanes. During a
 * run, it shows the resident wavefronts and changes neither the run nor its statistics. After a
 * fault, it shows the wavefronts that debug.dump selected, with registers if debug.dump_registers
 * is set. SL_ERROR_USAGE outside a run if no wavefronts were kept. SL_ERROR_MACHINE if the machine
 * does not answer within two seconds. */
SL_MUST_USE enum sl_status sl_soc_dump(struct sl_soc *soc, int with_registers, sl_line_fn line,
                                       void *user);

/** Starts the struct sl_graph at an address without a check by the library; only the firmware
 * checks it. */
SL_MUST_USE enum sl_status sl_soc_execute_unchecked(struct sl_soc *soc, uint64_t graph_address);

/** @} */

/** @defgroup host_launches Launches over an NDRange
 * @{ */

/** Launches a kernel over an NDRange of `grid` work-items in x, y and z, in work-groups of `group`;
 * an unused dimension is 1. The grid need not be a multiple of the group: work-groups at its edge
 * are smaller. Each work-group gets `lds_bytes` of LDS besides the program's SL_LDS variables. The
 * kernel gets `count` constant arguments, at most SL_LAUNCH_ARGUMENTS, as if it were called with
 * them. sl_soc_wait() waits for the end.
 *
 * SL_ERROR_USAGE if number or types of the arguments differ from the kernel's parameters; a kernel
 * without debug information is not checked. SL_ERROR_USAGE with the reason also if no compute unit
 * can hold a work-group.
 *
 * Arguments are integers and addresses; sl_launch_values() takes others. */
SL_MUST_USE enum sl_status sl_launch(struct sl_module *module, const char *kernel,
                                     const uint32_t grid[3], const uint32_t group[3],
                                     uint32_t lds_bytes, const uint64_t *arguments, unsigned count);

/** sl_launch() with typed values, which can be float or double: SL_VALUES(a, x, n) (sluice/value.h)
 * for the last two parameters. */
SL_MUST_USE enum sl_status sl_launch_values(struct sl_module *module, const char *kernel,
                                            const uint32_t grid[3], const uint32_t group[3],
                                            uint32_t lds_bytes, const struct sl_value *values,
                                            unsigned count);

/** sl_launch() of a kernel whose wavefronts wait for each other (sluice/wave/device_barrier.h).
 * They would wait forever for a wavefront that never gets a context. SL_ERROR_USAGE if the whole
 * grid cannot be resident at once; the message says what each work-group needs and what the machine
 * has. */
SL_MUST_USE enum sl_status sl_launch_resident(struct sl_module *module, const char *kernel,
                                              const uint32_t grid[3], const uint32_t group[3],
                                              uint32_t lds_bytes, const uint64_t *arguments,
                                              unsigned count);

/** sl_launch_resident() with typed values, as sl_launch_values() takes them. */
SL_MUST_USE enum sl_status sl_launch_resident_values(struct sl_module *module, const char *kernel,
                                                     const uint32_t grid[3],
                                                     const uint32_t group[3], uint32_t lds_bytes,
                                                     const struct sl_value *values, unsigned count);

/** The number of work-groups of a kernel that the machine holds at once. A work-group has `group`
 * work-items (1 to SL_GROUP_ITEMS in all) and `lds_bytes` of LDS. Returns 0 with a message for an
 * unknown kernel or an invalid work-group. */
uint32_t sl_resident_groups(struct sl_module *module, const char *kernel, const uint32_t group[3],
                            uint32_t lds_bytes);

/** The last launch as host, firmware and kernels share it; NULL before the first. */
const struct sl_launch *sl_launch_shared(const struct sl_soc *soc);

/** Starts the struct sl_launch at an address without a check by the library; only the firmware
 * checks it. */
SL_MUST_USE enum sl_status sl_soc_launch_unchecked(struct sl_soc *soc, uint64_t launch_address);

/** @} */

/** @defgroup host_sequences Sequences of launches
 * @{ */

/** One launch of a sequence. */
struct sl_launch_step {
    const char *kernel; /**< its name; this and the next three as for sl_launch() */
    uint32_t grid[3];   /**< work-items */
    uint32_t group[3];  /**< work-items of a work-group */
    uint32_t lds_bytes; /**< of each work-group */
    /** NULL, or the address of a word in the shared heap: the number of work-items in x, 0 to
     * grid[0]. The firmware reads it when the step starts. At 0 the step ends at once; a larger
     * value than grid[0] ends the run with SL_ERROR_MACHINE. */
    const uint32_t *grid_word;
    unsigned argument_count;                /**< at most SL_LAUNCH_ARGUMENTS */
    uint64_t argument[SL_LAUNCH_ARGUMENTS]; /**< bits of each */
    /** The type of each argument. The default is SL_VALUE_WORD, an integer or an address. */
    enum sl_value_kind kind[SL_LAUNCH_ARGUMENTS];
};

/** Adds an argument to a step: SL_VALUE(x) (sluice/value.h). Arguments beyond SL_LAUNCH_ARGUMENTS
 * are counted, and the sequence is then refused. */
static inline void sl_step_value(struct sl_launch_step *step, struct sl_value value)
{
    const unsigned number = step->argument_count++;
    if (number < SL_LAUNCH_ARGUMENTS) {
        step->argument[number] = value.bits;
        step->kind[number] = value.kind;
    }
}

/** Launches `count` kernels, 1 to SL_SEQUENCE_LAUNCHES, in order and as one run. Caches are empty
 * only at its begin, statistics cover all steps, and sl_soc_wait() waits for the end of the last. A
 * step starts when the previous one is complete, and sees everything that it wrote. Steps are
 * numbered from 0.
 *
 * If `word` is not NULL, steps `first` to `last` repeat. It is a word in the shared heap, which the
 * firmware reads each time that step `last` completes. If it is not 0, step `first` is next.
 * gpu.cycle_limit ends a sequence that would repeat forever. Otherwise as sl_launch(); messages
 * name the step. */
SL_MUST_USE enum sl_status sl_launch_sequence(struct sl_module *module,
                                              const struct sl_launch_step *steps, unsigned count,
                                              unsigned first, unsigned last, const uint32_t *word);

/** The last sequence as host, firmware and kernels share it; NULL before the first. */
const struct sl_sequence *sl_sequence_shared(const struct sl_soc *soc);

/** Starts the struct sl_sequence at an address without a check by the library; only the firmware
 * checks it. */
SL_MUST_USE enum sl_status sl_soc_sequence_unchecked(struct sl_soc *soc, uint64_t sequence_address);

/** @} */

/** @defgroup host_task_vectors Task vectors
 * Fork/join programs without channels (docs/know/trees.md; papers/000 chapter 5). Tasks are in a
 * vector, and the firmware runs them one epoch at a time. sluice/wave/trees.h makes their kernels.
 * @{ */

/** @struct sl_task_vector
 * A vector of tasks. */
struct sl_task_vector;

/** Options of a task vector. Zero selects the default where the field names one. */
struct sl_trees_options {
    uint32_t capacity;  /**< slots, 1 to SL_TREES_SLOTS */
    uint32_t arguments; /**< arguments of a task, of 4 bytes each */
    uint32_t functions; /**< number of task functions, as in SL_TASKS() */
    uint32_t maps;      /**< number of map functions, as in SL_MAPS() */
    uint32_t group;     /**< work-items of an epoch's work-group; 0 is 256, as in papers/000 */
    uint32_t map_group; /**< work-items of each map; 0 is 256 */
    uint32_t lds;       /**< bytes of LDS of an epoch's work-group, besides the program's */
    uint32_t stack;     /**< epochs that the stack can hold; 0 is 4096 */
    uint32_t flags;     /**< bits: SL_TREES_SKIP_EMPTY, SL_TREES_APART */
    uint32_t log;       /**< epochs to log, which takes firmware time; 0 disables the log */
};

/** Makes a task vector for a kernel of SL_TASKS() and one of SL_MAPS() (NULL without maps). It
 * lives until it is destroyed or the machine is closed. SL_ERROR_USAGE with the reason for invalid
 * options. */
SL_MUST_USE enum sl_status sl_trees_create(struct sl_module *module, const char *kernel,
                                           const char *map_kernel,
                                           const struct sl_trees_options *options,
                                           struct sl_task_vector **trees);

/** Frees a task vector that does not run. NULL is allowed. */
void sl_trees_destroy(struct sl_task_vector *trees);

/** Starts with one task: a function, numbered from 1, and `count` arguments of 4 bytes each. All
 * epochs are one run; sl_soc_wait() waits for its end. The vector can then be executed again. */
SL_MUST_USE enum sl_status sl_trees_execute(struct sl_task_vector *trees, uint32_t function,
                                            const uint32_t *arguments, unsigned count);

/** The value that the first task, or the continuation that it joined, has emitted. It is in the
 * first two arguments of slot 0, the lower half first. */
uint64_t sl_trees_result(const struct sl_task_vector *trees);

/** The task vector as host, firmware and kernels share it. */
struct sl_trees *sl_trees_shared(const struct sl_task_vector *trees);

/** Writes the log of the last run to a file, one line per epoch. A line has the epoch's number and
 * range, the next free slot before and after it, whether a task joined, maps, and the epochs left
 * on the stack. A last line has the number of epochs that did not fit. SL_ERROR_USAGE without a log
 * or if the name cannot be written, SL_ERROR_MACHINE if writing fails. */
SL_MUST_USE enum sl_status sl_trees_write_log(const struct sl_task_vector *trees, const char *path);

/** Starts the struct sl_trees at an address without a check by the library; only the firmware
 * checks it. */
SL_MUST_USE enum sl_status sl_soc_trees_unchecked(struct sl_soc *soc, uint64_t trees_address);

/** @} */

/** @defgroup host_task_queues Work-sharing tasks
 * Persistent wavefronts share tasks through queues of wavefronts, work-groups and the device,
 * without the aggregator (docs/know/tasks.md; papers/002 section 7). sluice/wave/tasks.h makes
 * their kernels.
 * @{ */

/** @struct sl_task_queues
 * Queues of tasks. */
struct sl_task_queues;

/** Options of task queues. Zero selects the default where the field names one. */
struct sl_tasks_options {
    enum sl_tasks_version version; /**< scopes in which queues synchronize */
    uint32_t functions;            /**< number of functions, as in SL_WORK() */
    uint32_t task_bytes;           /**< bytes of each task, as in SL_WORK_TYPES() */
    /** Task fronts in the work-group's queue below which wavefronts donate some; 0 is 8. */
    uint32_t group_threshold;
    uint32_t device_threshold; /**< the same for the device's queue; 0 is 64 */
    uint32_t capacity;         /**< fronts in a wavefront's queue, a power of two; 0 is 64 */
    uint32_t group_capacity;   /**< fronts in a work-group's queue, a power of two; 0: derived from
                                  the threshold */
    uint32_t device_capacity;  /**< the same for the device's queue */
    uint32_t group_wavefronts; /**< wavefronts of a work-group, 1 to 8; 0 is 8, or fewer if a CU
                                  cannot hold 8 */
    uint32_t groups; /**< number of work-groups; 0 is all that the machine holds at once */
};

/** Makes queues for a kernel of SL_WORK(). Its functions get `program`, an address in the shared
 * heap or NULL. The queues live until they are destroyed or the machine is closed. SL_ERROR_USAGE
 * with the reason for invalid options. */
SL_MUST_USE enum sl_status sl_tasks_create(struct sl_module *module, const char *kernel,
                                           const struct sl_tasks_options *options,
                                           const void *program, struct sl_task_queues **tasks);

/** Frees queues that are not in use by a run. NULL is allowed. */
void sl_tasks_destroy(struct sl_task_queues *tasks);

/** Adds `count` initial tasks of a function, numbered from 0, to each execution. `first` is a C
 * array, which is copied. SL_ERROR_USAGE for an unknown function. */
SL_MUST_USE enum sl_status sl_tasks_add(struct sl_task_queues *tasks, uint32_t function,
                                        const void *first, uint32_t count);

/** Runs the initial tasks and all tasks that they create; sl_soc_wait() waits for the end. The
 * queues can then be executed again, with the same initial tasks. */
SL_MUST_USE enum sl_status sl_tasks_execute(struct sl_task_queues *tasks);

/** A count of the last execution, valid after its end: the sum over all wavefronts, or the largest
 * of their maxima. */
uint64_t sl_tasks_count(const struct sl_task_queues *tasks, enum sl_tasks_count count);

/** The queues as host and kernels share them. */
const struct sl_tasks *sl_tasks_shared(const struct sl_task_queues *tasks);

/** The number of wavefronts that share the tasks. */
uint32_t sl_tasks_wavefronts(const struct sl_task_queues *tasks);

/** @} */

/** @defgroup host_ends The end of a run
 * @{ */

/** Waits for the end of the run, for at most `limit_ms` of wall time (negative: without limit).
 * SL_OK: complete. SL_ERROR_USAGE: the firmware refused the run, no run is in progress, or the
 * graph is open and would never end. SL_ERROR_MACHINE: a fault, or the machine failed.
 * SL_ERROR_TIMEOUT: still running, or trace.file or sample.file has not been read to its end. */
SL_MUST_USE enum sl_status sl_soc_wait(struct sl_soc *soc, int limit_ms);

/** Selects the stream for text that kernels print (sl_printf(), hal/include/sluice/wave/printf.h).
 * NULL is standard error, the default. sl_soc_wait() shows it as it arrives, and the rest when the
 * run has ended. */
void sl_soc_print_to(struct sl_soc *soc, FILE *stream);

/** Counts of a complete run, from the firmware's completion message. */
struct sl_completion_counts {
    uint64_t elements;   /**< elements processed, or work-groups of a launch */
    uint64_t wavefronts; /**< wavefronts launched */
    uint64_t dispatches; /**< dispatch packets sent */
};

/** The counts of the last complete run. */
struct sl_completion_counts sl_soc_counts(const struct sl_soc *soc);

/** Simulated time of the running graph in ps, for progress displays. */
uint64_t sl_soc_time_ps(const struct sl_soc *soc);

/** Wavefronts of the running graph that are in flight or still to be launched. */
uint64_t sl_soc_active(const struct sl_soc *soc);

/** @} */

/** @defgroup host_statistics Statistics, reports and profiles
 * @{ */

/** A count among the statistics of the last run (docs/look-up/statistics.md). */
uint64_t sl_statistic_count(const struct sl_soc *soc, enum sl_statistic id);

/** A real number among the statistics of the last run. */
double sl_statistic_real(const struct sl_soc *soc, enum sl_statistic id);

/** Discards all earlier runs: statistics then cover all runs that end after this call. Counts are
 * sums, maxima are maxima, percentages and rates are weighted means. */
void sl_statistics_accumulate(struct sl_soc *soc);

/** Writes the requested files that do not cover all runs yet: report.file, profile.file,
 * kernel_profile.file, races.file, timeline.file and debug.uart (the firmware's console). The first
 * four are also written after each run, except to a FIFO or device. sl_soc_close() writes all of
 * them, but cannot report errors.
 *
 * A file that fails does not change a run's result. This function reports the first failure since
 * its last call. SL_ERROR_USAGE if the name cannot be written, else SL_ERROR_MACHINE; the latter
 * also if lack of memory left races or sharing partly unchecked. */
SL_MUST_USE enum sl_status sl_soc_write_report(struct sl_soc *soc);

/** A reason for which wavefronts spent part of their time. */
struct sl_kernel_reason {
    const char *name;  /**< name in statistics: memory_dram */
    const char *words; /**< name in tables: DRAM */
    uint64_t cycles;   /**< CU cycles */
};

/** How wavefronts spent their time in the runs that statistics cover, if a kernel profile is
 * requested (kernel_profile.file). Stores up to `most` reasons with their CU cycles, the largest
 * first. Returns the number of reasons, which can exceed `most`. Their cycles add up to all cycles
 * in which a wavefront held a context. */
unsigned sl_kernel_reasons(const struct sl_soc *soc, struct sl_kernel_reason *reasons,
                           unsigned most);

/** Calls that did not fit into the profile (profile.file). */
uint64_t sl_profile_lost(const struct sl_soc *soc);

/** Instructions and calls that did not fit into the kernel profile (kernel_profile.file). */
uint64_t sl_kernel_profile_lost(const struct sl_soc *soc);

/** Stores of the firmware, so far, to device registers that are read-only or unknown, or to less
 * than all 64 bits of one (`debug.registers`). Describes the first in `out`; empty without one. */
uint64_t sl_stray_stores(const struct sl_soc *soc, char *out, size_t bytes);

/** Events that did not fit into the timeline (timeline.events). */
uint64_t sl_timeline_lost(const struct sl_soc *soc);

/** The number of pairs of source lines between which debug.races found races, in all runs so far
 * (docs/do/find-races.md). */
uint64_t sl_soc_race_count(const struct sl_soc *soc);

/** Describes the races: up to debug.races_limit pairs, then the number of further ones. A
 * description may have a second line. The races of a run are included once sl_soc_wait() has
 * reported its end. */
void sl_soc_tell_races(const struct sl_soc *soc, sl_line_fn line, void *user);

/** A statistic: name, unit and meaning, as in docs/look-up/statistics.md. */
struct sl_statistic_entry {
    const char *name; /**< name in JSON */
    enum sl_statistic_kind
        kind;             /**< whether sl_statistic_count() or sl_statistic_real() reads it */
    const char *unit;     /**< "" for a plain count */
    const char *sentence; /**< its meaning */
};

/** All statistics, by number. */
extern const struct sl_statistic_entry sl_statistic_table[SL_STAT_COUNT];

/** Where data accesses were served, and latencies of loads, in the runs that statistics cover. All
 * values are 0 with mem.system = flat; those by structure are 0 unless mem.matrix is on. */
const struct sl_served *sl_statistic_served(const struct sl_soc *soc);

/** Writes all statistics, and where data accesses were served, as one flat JSON object. The file
 * gets its name when it is complete (docs/know/trust.md, "Results"). SL_ERROR_USAGE if the name
 * cannot be written, SL_ERROR_MACHINE if writing fails. */
SL_MUST_USE enum sl_status sl_soc_write_statistics(struct sl_soc *soc, const char *path);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
