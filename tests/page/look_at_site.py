# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Looks at the site in a browser (browser.py), from file://; prints what is wrong, status 1 then:
#   - a search for WORD from the first page finds pages, and one of them has the word;
#   - no page is wider than a phone's window, a page asks for nothing but files of the site, and the console stays empty.
# Screenshots are made of the first page, of the pages NAME, and of the search.
# usage: look_at_site.py FOLDER WORD FOLDER_OF_SCREENSHOTS NAME...
import sys
from pathlib import Path

import browser
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

FIRST = "docs/index.html"


def check_width(chromium, width):
    """The page does not scroll sideways; boxes in it may."""
    wide = chromium.script("return document.documentElement.scrollWidth")
    return [] if wide <= width else [f"is {wide} pixels wide in a window of {width}"]


def check_quiet(chromium, site):
    """Nothing of the network, and no complaint, since this was asked last."""
    others = [url for url in chromium.requests() if not url.startswith(site.as_uri() + "/")]
    return chromium.complaints() + [f"a request to {url}" for url in others]


def check_search(chromium, site, word, shots):
    chromium.look(1280, "light")
    chromium.load(site / FIRST)
    box = chromium.driver.find_element(By.CSS_SELECTOR, "input[name=q]")
    box.send_keys(word)
    box.submit()
    WebDriverWait(chromium.driver, browser.LOAD_S).until(
        lambda driver: driver.find_elements(By.CSS_SELECTOR, "#search-results p.search-summary")
        and "found" in driver.find_element(By.CSS_SELECTOR, "#search-results p.search-summary").text
        or "did not match" in driver.find_element(By.ID, "search-results").text)
    found = [link.get_attribute("href") for link in
             chromium.driver.find_elements(By.CSS_SELECTOR, "#search-results ul.search li a")]
    chromium.shoot(shots / "site-search.png")
    problems = check_quiet(chromium, site)
    texts = [Path(url.split("?")[0].split("#")[0].removeprefix("file://")).read_text(encoding="utf-8") for url in found]
    if not any(word in text for text in texts):
        problems.append(f"has no page with '{word}' among the {len(found)} that it finds")
    return [f"search: {problem}" for problem in problems]


def main():
    site, word, shots = Path(sys.argv[1]).resolve(), sys.argv[2], Path(sys.argv[3])
    problems = []
    with browser.Browser() as chromium:
        problems += check_search(chromium, site, word, shots)
        chromium.look(390, "light")
        for path in sorted(site.rglob("*.html")):
            chromium.load(path)
            found = check_width(chromium, 390) + check_quiet(chromium, site)
            problems += [f"{path.relative_to(site)}: {problem}" for problem in found]
        for name in (FIRST, *sys.argv[4:]):
            for width in browser.WIDTHS:
                for scheme in browser.SCHEMES:
                    chromium.look(width, scheme)
                    chromium.load(site / name)
                    chromium.shoot(shots / f"site-{Path(name).stem}-{width}-{scheme}.png", full=False)
                problems += [f"{name}: {problem}" for problem in check_width(chromium, width) + check_quiet(chromium, site)]
    problems += [f"process {pid} of the browser is left" for pid in chromium.left]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
