/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Names of types. A qualifier stands in front of what it qualifies, and behind a pointer. */
#include "host/driver/code/type_text.h"

#include <dwarf.h>
#include <string.h>

#include "host/base/text.h"
#include "host/driver/code/debug_lines.h"

#define DEPTH_MAX 16 /* a type that is made of more than so many is cut off */

/* What C writes for a type that is made of another one, and what C writes it of. */
static const struct {
    int tag;
    const char *word;
    enum { QUALIFIER, MARK } form;
} made_types[] = {
    {DW_TAG_const_type, "const", QUALIFIER},
    {DW_TAG_volatile_type, "volatile", QUALIFIER},
    {DW_TAG_restrict_type, "restrict", QUALIFIER},
    {DW_TAG_atomic_type, "_Atomic", QUALIFIER},
    {DW_TAG_pointer_type, "*", MARK},
    {DW_TAG_reference_type, "&", MARK},
    {DW_TAG_rvalue_reference_type, "&&", MARK},
};

bool sl_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type) != NULL;
}

static const char *name_of(Dwarf_Die *type)
{
    const char *const name = sl_debug_name(type);
    return name != NULL ? name : "(unnamed)";
}

/* The word in front of a tag's name. */
static const char *word_of(Dwarf_Die *type)
{
    switch (dwarf_tag(type)) {
    case DW_TAG_structure_type:
        return "struct ";
    case DW_TAG_union_type:
        return "union ";
    case DW_TAG_enumeration_type:
        return "enum ";
    default:
        return "";
    }
}

static void append(Dwarf_Die *type, char *out, size_t bytes, int depth);

/* Appends what a type is made of, void where there is none. */
static void append_inner(Dwarf_Die *type, char *out, size_t bytes, int depth)
{
    Dwarf_Die inner;

    if (depth < DEPTH_MAX && sl_type_of(type, &inner)) {
        append(&inner, out, bytes, depth + 1);
    } else {
        sl_text_append(out, bytes, "void");
    }
}

static bool is_pointer(Dwarf_Die *type)
{
    Dwarf_Die inner;
    return sl_type_of(type, &inner) && dwarf_tag(&inner) == DW_TAG_pointer_type;
}

/* Whether the text so far ends with a pointer's mark, which takes no space behind it. */
static bool ends_with_mark(const char *text)
{
    const size_t length = strlen(text);
    return length > 0 && strchr("*&", text[length - 1]) != NULL;
}

static void append(Dwarf_Die *type, char *out, size_t bytes, int depth)
{
    Dwarf_Die inner;

    if (dwarf_tag(type) == DW_TAG_pointer_type && sl_type_of(type, &inner) &&
        dwarf_tag(&inner) == DW_TAG_subroutine_type) {
        append_inner(&inner, out, bytes, depth);
        sl_text_append(out, bytes, " (*)()");
        return;
    }
    for (size_t i = 0; i < sizeof made_types / sizeof made_types[0]; i++) {
        if (dwarf_tag(type) != made_types[i].tag) {
            continue;
        }
        if (made_types[i].form == QUALIFIER && !is_pointer(type)) {
            sl_text_append(out, bytes, "%s ", made_types[i].word);
            append_inner(type, out, bytes, depth);
        } else {
            append_inner(type, out, bytes, depth);
            sl_text_append(out, bytes, "%s%s", ends_with_mark(out) ? "" : " ", made_types[i].word);
        }
        return;
    }
    sl_text_append(out, bytes, "%s%s", word_of(type), name_of(type));
}

void sl_type_append(Dwarf_Die *type, char *out, size_t bytes)
{
    append(type, out, bytes, 0);
}
