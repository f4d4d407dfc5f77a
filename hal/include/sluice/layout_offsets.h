/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Offsets that assembly needs (hal/kernel/channel_routines.S, firmware/boot/start.S). Assembly
 * cannot expand the tables, so the numbers stand here once more and
 * tests/unit/contract/test_layouts.c asserts each. */
#ifndef SLUICE_LAYOUT_OFFSETS_H
#define SLUICE_LAYOUT_OFFSETS_H

#define SL_GRAPH_BYTES 128

#define SL_CHANNEL_BYTES_LOG2      9
#define SL_CHANNEL_DATA            0
#define SL_CHANNEL_CONTROL         8
#define SL_CHANNEL_DONE            16
#define SL_CHANNEL_WIDTH           24
#define SL_CHANNEL_STRIDE          28
#define SL_CHANNEL_DONE_SHIFT      36
#define SL_CHANNEL_RECIPROCAL      60
#define SL_CHANNEL_DATA_TAIL       64
#define SL_CHANNEL_DATA_HEAD       128
#define SL_CHANNEL_CONTROL_RESERVE 192
#define SL_CHANNEL_CONTROL_TAIL    256
#define SL_CHANNEL_STAMPS          408

#define SL_LIMIT_BYTES_LOG2  3
#define SL_LIMIT_FAN_OUT     0
#define SL_LIMIT_RESERVATION 4

#endif
