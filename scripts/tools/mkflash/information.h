/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The information of an image (sluice/image.h): made and shown. */
#ifndef SLUICE_MKFLASH_INFORMATION_H
#define SLUICE_MKFLASH_INFORMATION_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The content of an ELF file's section; NULL where there is none. It lasts as long as `elf`. */
const char *information_find(Elf *elf, size_t *bytes);

/* A first line for it: a hash of the image so far. Returns its length. */
size_t information_put_build(char *out, const uint8_t *image, size_t bytes);

/* Prints rows in columns. */
void information_print(const char *text);

#endif
