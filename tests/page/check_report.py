# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Checks the page of a report in a browser (browser.py) against the data that it holds; prints what is wrong, status 1
# then. The screenshots' names begin with NAME.
# usage: check_report.py PAGE.html FOLDER_OF_SCREENSHOTS NAME
import pathlib
import sys

import browser
from page_data import data_of_page


def main():
    page, shots, name = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    problems = browser.check_page(page, browser.expectations_of_panels(data_of_page(page), shots, name))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
