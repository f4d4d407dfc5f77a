/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * Capacities and magic numbers of the shared layouts. Usable from assembly. */
#ifndef SLUICE_LIMITS_H
#define SLUICE_LIMITS_H

/** @defgroup host_limits Limits
 * @{ */

#define SL_KERNEL_ARGUMENTS 6 /**< most constant arguments of a graph's kernels: a2 to a7 */
#define SL_LAUNCH_ARGUMENTS 8 /**< most arguments of NDRange kernels: a0 to a7 */

#define SL_MAILBOX_ENTRIES 32
#define SL_HANG_SAMPLES    256

/** Most bytes of elements in one message to an open graph. */
#define SL_FEED_BYTES SL_CHANNEL_STRIDE_MAX
/** A time for an open graph: its next quiescent point. */
#define SL_WHEN_IDLE 0xffffffffffffffffu

#define SL_GRAPH_CHANNELS 1024 /**< most channels of a graph */
#define SL_GRAPH_KERNELS  64   /**< most kernels of a graph */
#define SL_GRAPH_EDGES    4096 /**< most edges of a graph */
#define SL_GRAPH_GUARDS   64   /**< most guards of a graph */

#define SL_POOL_BLOCKS_MAX     65536              /**< largest pool.blocks */
#define SL_KERNEL_RESIDENT_MAX SL_POOL_BLOCKS_MAX /**< largest SL_KERNEL_RESIDENT() */

#define SL_THROTTLE_TRIES 0x1000000000000 /* in register THROTTLE: a trial limit */
#define SL_STACK_LEVELS   512             /**< most levels of a channel stack */

#define SL_CHANNEL_WIDTH_MIN 64u        /**< least elements of a channel; a power of two */
#define SL_CHANNEL_WIDTH_MAX (1u << 24) /**< most elements of a channel */

#define SL_CHANNEL_STRIDE_MIN 4u     /**< least bytes from one element to the next */
#define SL_CHANNEL_STRIDE_MAX 65536u /**< most bytes from one element to the next */

/* For a channel with elements of `stride` bytes (4 and up); exact for arrays below 4 GiB. */
#define SL_STRIDE_RECIPROCAL(stride) ((uint32_t)(((UINT64_C(1) << 32) + (stride)-1) / (stride)))

/* How a channel reserves (reservation in struct sl_channel and struct sl_limit). Values other than
 * the usual one are negative. So a kernel's check of the fan-out catches them, at no cost to
 * channels that reserve for whole wavefronts. They are far enough from the most negative number
 * that the check's difference cannot wrap. */
#define SL_RESERVE_WAVEFRONT 0u
#define SL_RESERVE_WORKITEM  0xc0000000u
#define SL_RESERVE_NONE      0xe0000000u /* the kernel has no edge to the channel */

/* Shift of publications in control_reserve of a stamped channel and in its stamps; the lower bits
 * are entries. */
#define SL_PUBLICATION_SHIFT 32

/* Entries of the rings in firmware memory; powers of two. Firmware never has more packets
 * outstanding than the completion ring has entries, so the device never waits for space in it. */
#define SL_DISPATCH_ENTRIES   256
#define SL_COMPLETION_ENTRIES 256
#define SL_FAULT_ENTRIES      64
#define SL_YIELD_ENTRIES      256

#define SL_LANES_MAX 64 /**< most lanes of a wavefront (gpu.lanes) */

#define SL_SEQUENCE_LAUNCHES 256 /**< most launches of a sequence */

#define SL_TREES_SLOTS     (1u << 26) /**< most slots of a task vector */
#define SL_TREES_ARGUMENTS 16u        /**< most arguments of a task in a task vector */
#define SL_TREES_FUNCTIONS 64u        /**< most functions of a task vector */
#define SL_TREES_EPOCHS    (1u << 20) /**< most epochs on a task vector's stack */
#define SL_TREES_LOG       (1u << 24) /**< most entries of a task vector's log */
#define SL_TREES_DELAY_PS  1000000000 /**< largest trees.host_delay, in ps */

#define SL_RANGES_MAX  64  /**< most memory ranges that a run opens to lanes */
#define SL_RANGE_GRAIN 64u /**< alignment of ranges' addresses and sizes, in bytes */

#define SL_GROUP_ITEMS 1024 /**< most work-items of a work-group */

#define SL_LDS_BYTES_MAX 262144 /**< largest gpu.lds */
#define SL_LDS_GRANULE   256    /**< LDS is allocated to work-groups in multiples of it */

/* Entries of a reconvergence stack that fit into a page with the rest of struct sl_wave_state. */
#define SL_DUMP_STACK_ENTRIES 238

#define SL_DEVICE_ID        0x3130454349554c53 /* "SLUICE01", first character in the lowest byte */
#define SL_DEVICE_VERSION   1
#define SL_GRAPH_MAGIC      0x50524753         /* "SGRP" */
#define SL_LAUNCH_MAGIC     0x434e4c53         /* "SLNC" */
#define SL_SEQUENCE_MAGIC   0x51455353         /* "SSEQ" */
#define SL_TREES_MAGIC      0x45525453         /* "STRE" */
#define SL_PROTECTION_MAGIC 0x544f5250         /* "PROT" */
#define SL_IMAGE_MAGIC      0x47414d4945434c53 /* "SLCEIMAG" */
#define SL_IMAGE_VERSION    1

#define SL_RECONVERGE_NONE 0xffffffff

/** @} */

#define SL_STACK_ENTRY_BYTES 16u /* entry of a reconvergence stack in the save area */

#endif
