/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Prototypes through libdw: the function at an address, its parameters, and for each how the
 * calling convention passes its type (type_text.c says how C writes it). */
#include "host/driver/code/prototype.h"

#include <dwarf.h>
#include <string.h>

#include "host/base/text.h"
#include "host/driver/code/debug_lines.h"
#include "host/driver/code/type_text.h"

#define REGISTER_BYTES 8    /* what one argument register holds */
#define DEPTH_MAX      1000 /* of typedefs and qualifiers; no program has as many */

/* The type without names, const, volatile, restrict and _Atomic. False where there is none, or so
 * many of these that it may be made of itself. */
static bool bare_type(Dwarf_Die *type)
{
    for (unsigned depth = 0; depth < DEPTH_MAX; depth++) {
        switch (dwarf_tag(type)) {
        case DW_TAG_typedef:
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_restrict_type:
        case DW_TAG_atomic_type:
            if (!sl_type_of(type, type)) {
                return false;
            }
            break;
        default:
            return true;
        }
    }
    return false;
}

static void classify_number(Dwarf_Die *type, struct sl_parameter *parameter)
{
    Dwarf_Attribute attribute;
    Dwarf_Word encoding = 0;

    (void)dwarf_formudata(dwarf_attr_integrate(type, DW_AT_encoding, &attribute), &encoding);
    switch (encoding) {
    case DW_ATE_float:
        if (parameter->bytes == sizeof(float)) {
            parameter->kind = SL_PARAMETER_FLOAT;
        } else if (parameter->bytes == sizeof(double)) {
            parameter->kind = SL_PARAMETER_DOUBLE;
        }
        return;
    case DW_ATE_signed:
    case DW_ATE_signed_char:
        parameter->is_signed = true;
        break;
    case DW_ATE_boolean:
        parameter->is_bool = true;
        break;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF:
        break;
    default:
        return;
    }
    if (parameter->bytes >= 1 && parameter->bytes <= REGISTER_BYTES) {
        parameter->kind = SL_PARAMETER_INTEGER;
    }
}

/* An enumeration is passed as the integer that it is made of; where the compiler does not say
 * which, its size does, and its sign makes no difference to what is in it. */
static void classify_enumeration(Dwarf_Die *type, struct sl_parameter *parameter)
{
    Dwarf_Die made_of;

    if (sl_type_of(type, &made_of) && bare_type(&made_of)) {
        classify_number(&made_of, parameter);
    } else if (parameter->bytes >= 1 && parameter->bytes <= REGISTER_BYTES) {
        parameter->kind = SL_PARAMETER_INTEGER;
    }
}

static void classify(Dwarf_Die *type, struct sl_parameter *parameter)
{
    Dwarf_Word bytes = 0;

    parameter->kind = SL_PARAMETER_OTHER;
    if (!bare_type(type)) {
        return;
    }
    parameter->bytes = dwarf_aggregate_size(type, &bytes) == 0 ? bytes : 0;
    switch (dwarf_tag(type)) {
    case DW_TAG_base_type:
        classify_number(type, parameter);
        break;
    case DW_TAG_enumeration_type:
        classify_enumeration(type, parameter);
        break;
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        parameter->kind = SL_PARAMETER_POINTER;
        parameter->bytes = REGISTER_BYTES;
        break;
    default:
        break;
    }
}

static void note_parameter(Dwarf_Die *die, struct sl_parameter *parameter)
{
    Dwarf_Die type;

    parameter->name = sl_debug_name(die);
    parameter->kind = SL_PARAMETER_OTHER;
    if (sl_type_of(die, &type)) {
        sl_type_append(&type, parameter->type, sizeof parameter->type);
        classify(&type, parameter);
    }
}

static void note_parameters(Dwarf_Die *function, struct sl_prototype *prototype)
{
    Dwarf_Die child;
    int more = dwarf_child(function, &child);

    while (more == 0) {
        const int tag = dwarf_tag(&child);
        if (tag == DW_TAG_formal_parameter) {
            if (prototype->count < SL_PROTOTYPE_PARAMETERS) {
                note_parameter(&child, &prototype->parameter[prototype->count]);
            }
            prototype->count++;
        }
        prototype->is_variadic |= tag == DW_TAG_unspecified_parameters;
        more = dwarf_siblingof(&child, &child);
    }
}

/* In C, a definition without a prototype. One without parameters is none of these: it takes none.
 */
static bool is_old_style(Dwarf_Die *unit, Dwarf_Die *function, unsigned count)
{
    Dwarf_Attribute attribute;
    bool is_prototyped = false;

    switch (dwarf_srclang(unit)) {
    case DW_LANG_C89:
    case DW_LANG_C:
    case DW_LANG_C99:
    case DW_LANG_C11:
        (void)dwarf_formflag(dwarf_attr_integrate(function, DW_AT_prototyped, &attribute),
                             &is_prototyped);
        return count > 0 && !is_prototyped;
    default:
        return false;
    }
}

/* Whether a unit has types: with -g1 it has none, and its functions no parameters. */
static bool has_types(Dwarf_Die *unit)
{
    Dwarf_Die child;
    int more = dwarf_child(unit, &child);

    while (more == 0 && dwarf_tag(&child) != DW_TAG_base_type) {
        more = dwarf_siblingof(&child, &child);
    }
    return more == 0;
}

struct sl_prototype sl_prototype_at(Dwarf *lines, uint64_t entry)
{
    struct sl_prototype prototype = {0};
    Dwarf_Die unit, function;

    /* What an assembler writes of a routine has no parameters in it. */
    if (!sl_debug_unit_at(lines, entry, &unit) || dwarf_srclang(&unit) == DW_LANG_Mips_Assembler ||
        !sl_debug_function_at(lines, entry, &function)) {
        return prototype;
    }
    note_parameters(&function, &prototype);
    prototype.is_known = prototype.count > 0 ||
                         dwarf_hasattr_integrate(&function, DW_AT_prototyped) || has_types(&unit);
    if (!prototype.is_known) {
        return prototype;
    }
    const char *const path = dwarf_decl_file(&function);
    const char *const slash = path != NULL ? strrchr(path, '/') : NULL;
    prototype.file = slash != NULL ? slash + 1 : path;
    (void)dwarf_decl_line(&function, &prototype.line);
    prototype.is_old_style = is_old_style(&unit, &function, prototype.count);
    return prototype;
}

void sl_prototype_append(const struct sl_prototype *prototype, char *out, size_t bytes)
{
    unsigned noted = prototype->count;

    if (noted > SL_PROTOTYPE_PARAMETERS) {
        noted = SL_PROTOTYPE_PARAMETERS;
    }
    for (unsigned i = 0; i < noted; i++) {
        const struct sl_parameter *const parameter = &prototype->parameter[i];
        const size_t length = strlen(parameter->type);
        const bool is_joined = length > 0 && strchr("*&", parameter->type[length - 1]) != NULL;
        sl_text_append(out, bytes, "%s%s", i > 0 ? ", " : "", parameter->type);
        if (parameter->name != NULL) {
            sl_text_append(out, bytes, "%s%s", is_joined ? "" : " ", parameter->name);
        }
    }
    if (prototype->count == 0) {
        sl_text_append(out, bytes, "void");
    }
    if (prototype->is_variadic || noted < prototype->count) {
        sl_text_append(out, bytes, ", ...");
    }
}
