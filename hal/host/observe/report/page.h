/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Pages to look at in a browser: one file with style, plotting library, scripts and data in it,
 * which asks nothing of a network. What a page is made of is scripts/page, which is share/page
 * among the parts of Sluice (hal/config/install_paths.h), and d3 of Debian's package node-d3.
 *
 * Two variables of the environment name other places: SLUICE_PAGE the folder of the page's sources,
 * SLUICE_D3 the file of the plotting library. */
#ifndef SLUICE_HOST_OBSERVE_REPORT_PAGE_H
#define SLUICE_HOST_OBSERVE_REPORT_PAGE_H

#include <jansson.h>
#include <stddef.h>

/* Writes a page. `view` names what draws it: "panels" or "run" (scripts/page/panels.js, run.js),
 * with `data` as is said there. A regular file is written beside it and renamed, so that there is
 * never half a page under the name; anything else (a device, a FIFO) is written to. Returns 0, or
 * -1 with a message that names the file, or what is missing. */
int sl_page_write(const char *path, const char *view, const json_t *data, char *error,
                  size_t bytes);

/* Whether all that a page is made of is there, for who does not want to learn that at the end of
 * long work. Returns 0, or -1 with a message that says what is missing and how to get it. */
int sl_page_check(char *error, size_t bytes);

#endif
