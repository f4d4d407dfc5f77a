/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The other side of QEMU's plugin interface (qemu/qemu_api.h): loads the plugin, and calls it. */
#ifndef SLUICE_NATIVE_PLUGIN_HOST_H
#define SLUICE_NATIVE_PLUGIN_HOST_H

#include <stdbool.h>
#include <stddef.h>

#include "native/translated_insn.h"

/* Loads a plugin for interface version 1 and has it install itself, with arguments NAME=VALUE.
 * Returns 0, or -1 with a message. */
int plugin_host_load(const char *path, int argc, char **argv, char *error, size_t error_bytes);

/* Whether the plugin has asked for a reset: once no block is left, it is to be called back. */
bool plugin_host_wants_reset(void);
void plugin_host_reset(void);

/* Tells the plugin of a block that has been translated and not executed yet. */
void plugin_host_translated(struct qemu_plugin_tb *block);

#endif
