/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Firmware image, plugin and host library have to be built from the same tables (hal/contract):
 * each carries an id of them (scripts/contract-id.sh), which are compared before anything is
 * started. Otherwise the kernels or the host would be blamed for what a ring of another size does.
 * Parts without an id, which are older, are not compared. */
#include "host/driver/machine/contracts.h"

#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/contract_id.h"
#include "host/base/image_information.h"
#include "host/base/text.h"

/* ---- a file's note ---- */

static bool find_note(Elf_Data *notes, uint64_t *id)
{
    GElf_Nhdr note;
    size_t name;
    size_t content;
    size_t next;
    for (size_t at = 0; (next = gelf_getnote(notes, at, &note, &name, &content)) > 0; at = next) {
        const char *const bytes = notes->d_buf;
        if (note.n_type == SL_CONTRACT_NOTE_TYPE && note.n_descsz == sizeof *id &&
            note.n_namesz == sizeof SL_CONTRACT_NOTE_NAME &&
            memcmp(bytes + name, SL_CONTRACT_NOTE_NAME, sizeof SL_CONTRACT_NOTE_NAME) == 0) {
            memcpy(id, bytes + content, sizeof *id);
            return true;
        }
    }
    return false;
}

static uint64_t find_id(Elf *elf)
{
    uint64_t id = 0;
    size_t count = 0;
    (void)elf_getphdrnum(elf, &count);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        if (gelf_getphdr(elf, (int)i, &segment) == NULL || segment.p_type != PT_NOTE) {
            continue;
        }
        Elf_Data *const notes =
            elf_getdata_rawchunk(elf, (int64_t)segment.p_offset, segment.p_filesz,
                                 segment.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
        if (notes != NULL && find_note(notes, &id)) {
            break;
        }
    }
    return id;
}

uint64_t sl_contract_of_plugin(const char *path)
{
    uint64_t id = 0;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && elf_version(EV_CURRENT) != EV_NONE) {
        Elf *const elf = elf_begin(file, ELF_C_READ, NULL);
        id = elf != NULL ? find_id(elf) : 0;
        (void)elf_end(elf);
    }
    if (file >= 0) {
        (void)close(file);
    }
    return id;
}

/* ---- the comparison ---- */

/* 0 for an id: unknown. */
struct contracts {
    uint64_t image;
    uint64_t plugin;
    uint64_t library;
};

static bool differ(uint64_t one, uint64_t other)
{
    return one != 0 && other != 0 && one != other;
}

/* Which part is the odd one, and what would be right. */
static const char *find_advice(const struct contracts *id)
{
    if (!differ(id->plugin, id->library)) {
        return "build the image again, from the sources of the plugin and the host library (make "
               "flash)";
    }
    if (id->image == id->library) {
        return "build the plugin again, from the sources of the image and the host library, or set "
               "host.plugin to the folder of theirs";
    }
    if (id->image == id->plugin) {
        return "run the program with the host library that was built with the image and the plugin";
    }
    return "build them from the same sources (make all)";
}

static void add_part(char *error, size_t bytes, uint64_t id, const char *what, const char *path)
{
    if (id != 0) {
        sl_text_append(error, bytes, "\n  0x%016" PRIx64 "  %s%s", id, what, path);
    } else {
        sl_text_append(error, bytes, "\n  %-18s  %s%s", "no id", what, path);
    }
}

static enum sl_status compare(const struct contracts *id, const struct sl_qemu_paths *paths,
                              char *error, size_t error_bytes)
{
    if (!differ(id->image, id->plugin) && !differ(id->image, id->library) &&
        !differ(id->plugin, id->library)) {
        return SL_OK;
    }
    (void)snprintf(error, error_bytes,
                   "%s: the parts of the machine are built from different tables (hal/contract); "
                   "their contract ids:",
                   differ(id->plugin, id->library) ? "host.plugin" : "host.flash");
    add_part(error, error_bytes, id->image, "firmware image ", paths->flash);
    add_part(error, error_bytes, id->plugin, "plugin ", paths->plugin);
    add_part(error, error_bytes, id->library, "host library", "");
    sl_text_append(error, error_bytes, "\n%s", find_advice(id));
    return SL_ERROR_USAGE;
}

enum sl_status sl_contracts_check(const struct sl_qemu_paths *paths, char *error,
                                  size_t error_bytes)
{
    char *information;
    if (sl_information_read(paths->flash, &information) == SL_INFORMATION_DAMAGED) {
        (void)snprintf(error, error_bytes,
                       "host.flash: the information of %s is damaged (sluice flash verify); "
                       "'sluice flash make' makes the image again",
                       paths->flash);
        return SL_ERROR_USAGE;
    }
    const struct contracts id = {
        .image = information != NULL ? sl_information_contract(information) : 0,
        .plugin = sl_contract_of_plugin(paths->plugin),
        .library = sl_contract_id(),
    };
    free(information);
    return compare(&id, paths, error, error_bytes);
}
