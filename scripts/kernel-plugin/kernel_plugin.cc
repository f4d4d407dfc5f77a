/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* GCC's plugin for kernels, which `sluice cc` loads: keeps lanes together where the source has them
 * together (docs/look-up/isa.md, "Compiling kernels"). Made for one version of GCC, and refused by
 * others.
 */
#include "passes.h"

/* GCC's headers need this order. */
/* clang-format off */
#include <tree-pass.h>
#include <context.h>
#include <diagnostic-core.h>
#include <plugin-version.h>
/* clang-format on */

/* What GCC asks of a plugin; the license of this one, BSD-2-Clause, is compatible. */
int plugin_is_GPL_compatible;

/* One of GCC's kinds of passes that calls a function of passes.h. */
template <typename kind> class pass : public kind
{
  public:
    pass(opt_pass_type type, const char *name, unsigned run())
        : kind({type, name, OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0}, g), run(run)
    {
    }
    unsigned execute(function *) override
    {
        return run();
    }

  private:
    unsigned (*run)();
};

static void add(const char *plugin, opt_pass *pass, const char *reference,
                pass_positioning_ops place)
{
    register_pass_info info = {pass, reference, 1, place};
    register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
}

static gimple_opt_pass *gimple_pass(const char *name, unsigned run())
{
    return new pass<gimple_opt_pass>(GIMPLE_PASS, name, run);
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
    add(plugin->base_name,
        new pass<simple_ipa_opt_pass>(SIMPLE_IPA_PASS, "sluice_joins", join_functions),
        "visibility", PASS_POS_INSERT_AFTER);
    add(plugin->base_name, gimple_pass("sluice_numbers", number_function), "adjust_alignment",
        PASS_POS_INSERT_AFTER);
    add(plugin->base_name, gimple_pass("sluice_conditions", hide_conditions), "optimized",
        PASS_POS_INSERT_AFTER);
    add(plugin->base_name, gimple_pass("sluice_spins", find_spins), "optimized",
        PASS_POS_INSERT_AFTER);
    add(plugin->base_name, new pass<rtl_opt_pass>(RTL_PASS, "sluice_verify", verify_function),
        "*free_cfg", PASS_POS_INSERT_BEFORE);
    return 0;
}
