/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The calls that a plugin makes, and its installation. */
#include "native/plugin_host.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define PLUGIN_ID 1

/* The interface hands the plugin no object of ours when it installs itself, so that what it
 * registers hangs here, for the process. */
static qemu_plugin_vcpu_tb_trans_cb_t on_translation;
static qemu_plugin_simple_cb_t on_reset; /* NULL: none is asked for */

QEMU_EXPORT void qemu_plugin_reset(qemu_plugin_id_t id, qemu_plugin_simple_cb_t callback)
{
    (void)id;
    on_reset = callback;
}

bool plugin_host_wants_reset(void)
{
    return on_reset != NULL;
}

void plugin_host_reset(void)
{
    const qemu_plugin_simple_cb_t callback = on_reset;

    on_translation = NULL;
    on_reset = NULL;
    callback(PLUGIN_ID);
}

QEMU_EXPORT void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                                       qemu_plugin_vcpu_tb_trans_cb_t callback)
{
    (void)id;
    on_translation = callback;
}

QEMU_EXPORT void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
                                                        qemu_plugin_vcpu_udata_cb_t callback,
                                                        enum qemu_plugin_cb_flags flags,
                                                        void *userdata)
{
    (void)flags;
    insn->on_execute = callback;
    insn->execute_data = userdata;
}

QEMU_EXPORT void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
                                                  qemu_plugin_vcpu_mem_cb_t callback,
                                                  enum qemu_plugin_cb_flags flags,
                                                  enum qemu_plugin_mem_rw rw, void *userdata)
{
    (void)flags;
    insn->on_access = callback;
    insn->accesses = (uint8_t)rw;
    insn->access_data = userdata;
}

QEMU_EXPORT size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb)
{
    return tb->count;
}

QEMU_EXPORT struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb,
                                                             size_t index)
{
    return (struct qemu_plugin_insn *)(uintptr_t)&tb->insn[index];
}

QEMU_EXPORT uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn)
{
    return insn->pc;
}

QEMU_EXPORT bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info)
{
    return (info & INSN_MEM_STORE) != 0;
}

QEMU_EXPORT unsigned int qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info)
{
    return info & (INSN_MEM_STORE - 1);
}

typedef int (*install_t)(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv);

int plugin_host_load(const char *path, int argc, char **argv, char *error, size_t error_bytes)
{
    const qemu_info_t info = {.target_name = "riscv64",
                              .version = {.min = 2, .cur = 2},
                              .system_emulation = true,
                              .system = {.smp_vcpus = 1, .max_vcpus = 1}};
    install_t install;
    void *const plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *const symbol = plugin != NULL ? dlsym(plugin, "qemu_plugin_install") : NULL;
    if (symbol == NULL) {
        (void)snprintf(error, error_bytes, "cannot load the plugin: %s", dlerror());
        return -1;
    }
    memcpy(&install, &symbol, sizeof install);
    if (install(PLUGIN_ID, &info, argc, argv) != 0) {
        (void)snprintf(error, error_bytes, "the plugin %s did not start", path);
        return -1;
    }
    return 0;
}

void plugin_host_translated(struct qemu_plugin_tb *block)
{
    if (on_translation != NULL) {
        on_translation(PLUGIN_ID, block);
    }
}
