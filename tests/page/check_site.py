# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Checks the site (scripts/site.sh) as files; prints what is wrong, status 1 then:
#   - each link inside it leads to a file that is there, and to a place on that page;
#   - what pages and styles load (scripts, styles, fonts, images) is a file of the site;
#   - every page is at most two clicks from the first one, by links of the text, without the sidebar.
# usage: check_site.py FOLDER
import html.parser
import re
import sys
import urllib.parse
from pathlib import Path

FIRST = "docs/index.html"
NO_TEXT = {"index.html", "search.html", "genindex.html"}  # leads to the first page; of Sphinx itself
CLICKS = 2


class Page(html.parser.HTMLParser):
    """Of a page: its places, what it links to, the links of its text, and what it loads."""

    def __init__(self, path):
        super().__init__()
        self.places, self.links, self.text_links, self.loads = set(), [], [], []
        self.is_text = False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attributes = {name: value or "" for name, value in attrs}
        self.places |= {attributes[name] for name in ("id", "name") if name in attributes}
        self.is_text |= tag == "article"
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
            if self.is_text:
                self.text_links.append(attributes["href"])
        elif tag == "link" and attributes.get("rel") in ("index", "search", "next", "prev"):
            self.links.append(attributes["href"])
        elif "href" in attributes:
            self.loads.append(attributes["href"])
        if "src" in attributes:
            self.loads.append(attributes["src"])
        self.loads += [part.split()[0] for part in attributes.get("srcset", "").split(",") if part.strip()]
        self.loads += loads_of_style(attributes.get("style", ""))

    def handle_endtag(self, tag):
        self.is_text &= tag != "article"


def loads_of_style(text):
    return re.findall(r"""(?:url\(|@import\s+(?!url))\s*["']?([^"')]+)""", text)


def target_of(link, path):
    """The file that a link of the file at path leads to, and the place there; None where it leads outside."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme or parts.netloc:
        return None, ""
    place = urllib.parse.unquote(parts.fragment)
    return (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path, place


def check_link(link, path, pages):
    target, place = target_of(link, path)
    if target is None:
        return []
    if not target.is_file():
        return [f"links to {link}, which is not there"]
    if place and target in pages and place not in pages[target].places:
        return [f"links to {link}, but the page has no such place"]
    return []


def check_load(load, path):
    if load.startswith(("data:", "#")):
        return []
    target, _ = target_of(load, path)
    if target is None:
        return [f"loads {load} from a network"]
    return [] if target.is_file() else [f"loads {load}, which is not there"]


def clicks(pages, first):
    """The pages that are reached, with the least number of clicks."""
    reached, front = {first: 0}, [first]
    while front:
        page = front.pop(0)
        for link in pages[page].text_links:
            target, _ = target_of(link, page)
            if target in pages and target not in reached:
                reached[target] = reached[page] + 1
                front.append(target)
    return reached


def main():
    site = Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    problems = []
    for path, page in pages.items():
        found = [problem for link in page.links for problem in check_link(link, path, pages)]
        found += [problem for load in page.loads for problem in check_load(load, path)]
        problems += [f"{path.relative_to(site)}: {problem}" for problem in dict.fromkeys(found)]
    for path in sorted(site.rglob("*.css")):
        found = [problem for load in loads_of_style(path.read_text(encoding="utf-8")) for problem in check_load(load, path)]
        problems += [f"{path.relative_to(site)}: {problem}" for problem in found]
    reached = clicks(pages, site / FIRST)
    for path in pages:
        name = str(path.relative_to(site))
        if name not in NO_TEXT and reached.get(path, CLICKS + 1) > CLICKS:
            problems.append(f"{name}: is {reached.get(path, 'no number of')} clicks from {FIRST}, at most {CLICKS} are right")
    for problem in problems:
        print(problem)
    print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
