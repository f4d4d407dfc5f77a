/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* GCC's plugin for kernels, which `sluice cc` loads: keeps lanes together where the source has them
 * together (docs/isa.md, "Compiling kernels"). Made for one version of GCC, and refused by others.
 */
#include "passes.h"

/* GCC's headers need this order. */
/* clang-format off */
#include <diagnostic-core.h>
#include <plugin-version.h>
/* clang-format on */

/* What GCC asks of a plugin; the license of this one, BSD-2-Clause, is compatible. */
int plugin_is_GPL_compatible;

static void add(const char *plugin, opt_pass *pass, const char *reference,
                pass_positioning_ops place)
{
    register_pass_info info = {pass, reference, 1, place};
    register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
}

int plugin_init(plugin_name_args *plugin, plugin_gcc_version *version)
{
    if (!plugin_default_version_check(version, &gcc_version)) {
        error("%s was made for GCC %s and not for this one, %s: build Sluice with the compiler "
              "that compiles its kernels",
              plugin->full_name, gcc_version.basever, version->basever);
        return 1;
    }
    register_callback(plugin->base_name, PLUGIN_PRE_GENERICIZE, mark_source, nullptr);
    add(plugin->base_name, joins_pass(g), "visibility", PASS_POS_INSERT_AFTER);
    add(plugin->base_name, mark_pass(g), "adjust_alignment", PASS_POS_INSERT_AFTER);
    add(plugin->base_name, conditions_pass(g), "optimized", PASS_POS_INSERT_AFTER);
    add(plugin->base_name, spins_pass(g), "optimized", PASS_POS_INSERT_AFTER);
    add(plugin->base_name, verify_pass(g), "*free_cfg", PASS_POS_INSERT_BEFORE);
    return 0;
}
