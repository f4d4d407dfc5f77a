/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* docgen: prints a page of documentation that is made of tables in the code.
 *
 *     docgen registers|statistics|configuration|errors
 *
 * `make docs` writes the pages to docs/, tests/static/check_docs.sh tells when that was forgotten.
 */
#include "docgen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    void (*print)(void);
} pages[] = {
    {"registers", docgen_registers},
    {"statistics", docgen_statistics},
    {"configuration", docgen_configuration},
    {"errors", docgen_errors},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof pages / sizeof pages[0]; i++) {
        if (strcmp(argv[1], pages[i].name) == 0) {
            pages[i].print();
            if (fflush(stdout) != 0 || ferror(stdout)) {
                perror("docgen: standard output");
                return EXIT_FAILURE;
            }
            return EXIT_SUCCESS;
        }
    }
    fprintf(stderr, "usage: docgen registers|statistics|configuration|errors\n");
    return 2;
}
