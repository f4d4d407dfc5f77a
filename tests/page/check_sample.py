# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Checks a page of the sample data in a browser (browser.py); prints what is wrong, status 1 then. Without a folder for
# screenshots it looks but once.
# usage: check_sample.py PAGE.html [FOLDER_OF_SCREENSHOTS]
import pathlib
import sys

import browser
from page_data import data_of_page


def expectations(page, shots):
    expected = browser.expectations_of_panels(data_of_page(page), shots, "sample")
    expected.hovers = [
        browser.Hover("#figure15 svg.plot", 3, ["compute units 8", "Strassen", "2.260", "±", "4.3x"]),
        browser.Hover("#figure16 svg.plot", 0, ["Fibonacci", "L2", "63", "66 %"]),
        browser.Hover("#figure17 svg.plot", 0, ["Fibonacci", "work-item", "1.5x"]),
        browser.Hover("#aggregator .of-heat svg.plot", 0, ["level 0, 0 to 3.768 us", "ready elements"]),
    ]
    expected.sorts = [
        browser.Sort("#table3 table", 1, ["Fibonacci", "Sort", "Queens", "Strassen", "Fibonacci, SoA"]),
    ]
    expected.texts |= {
        ".lead": "</script>",
        ".tiles .fails": "1",
        ".tiles .holds": "8",
        ".check-links a": "Strassen is faster on 8 CUs than on 1",
        "#figure15 .checks .fails": "DRAM is busy",
        "#figure17 .failure": "kernel multiply",
        "#table3 td.failed": "failed",
    }
    return expected


def main():
    page, *shots = map(pathlib.Path, sys.argv[1:])
    if shots:
        problems = browser.check_page(page, expectations(page, shots[0]))
    else:
        problems = browser.check_page(page, expectations(page, None), [(1280, "light")])
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
