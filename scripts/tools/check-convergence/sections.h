/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sections of an ELF file by their names, for check-convergence. */
#ifndef SLUICE_CONVERGENCE_SECTIONS_H
#define SLUICE_CONVERGENCE_SECTIONS_H

#include <gelf.h>

/* What is in the section, with a buffer; NULL where there is none, or nothing is in it. */
const Elf_Data *section_data(Elf *elf, const char *name);

#endif
