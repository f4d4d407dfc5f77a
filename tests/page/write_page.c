/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Writes a page of data in a file, for the tests that look at pages in a browser.
 * usage: write_page VIEW DATA.json PAGE.html */
#include <jansson.h>
#include <stdio.h>

#include "host/observe/report/page.h"

int main(int argc, char **argv)
{
    char error[1024];
    json_error_t json_error;
    if (argc != 4) {
        (void)fprintf(stderr, "usage: write_page VIEW DATA.json PAGE.html\n");
        return 2;
    }
    json_t *const data = json_load_file(argv[2], 0, &json_error);
    if (data == NULL) {
        (void)fprintf(stderr, "write_page: %s:%d: %s\n", argv[2], json_error.line, json_error.text);
        return 2;
    }
    const int status = sl_page_write(argv[3], argv[1], data, error, sizeof error);
    json_decref(data);
    if (status != 0) {
        (void)fprintf(stderr, "write_page: %s\n", error);
    }
    return status == 0 ? 0 : 1;
}
