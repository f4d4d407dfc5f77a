# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Looks at a page (hal/host/observe/report) in a headless Chromium, as wide as a desk's screen and as a phone's, in light and
# dark, and on paper. check_page() returns what is wrong, a line for each; a screenshot of each look is kept.
#
# Needs Debian's packages chromium, chromium-driver and python3-selenium. The browser has a profile of its own, in a
# folder that goes with it, and none of its processes outlives a Browser.
import base64
import dataclasses
import json
import math
import os
import pathlib
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

CHROMIUM = "/usr/bin/chromium"
DRIVER = "/usr/bin/chromedriver"
LOAD_S = 60
WIDTHS = {1280: 900, 390: 844}
SCHEMES = ("light", "dark")


@dataclasses.dataclass
class Hover:
    """Where the pointer goes: to a mark of an svg, by number; what the tooltip then says, among other things."""

    svg: str
    mark: int
    says: list


@dataclasses.dataclass
class Sort:
    """A click on the column's name puts the rows, by what their first cells say, into this order."""

    table: str
    column: int
    order: list


@dataclasses.dataclass
class Expectations:
    marks: dict  # from a section's id to the number of marks (class `mark`) that its plots have
    paper_marks: dict = dataclasses.field(default_factory=dict)  # likewise, of the paper's figures
    hovers: list = dataclasses.field(default_factory=list)
    sorts: list = dataclasses.field(default_factory=list)
    texts: dict = dataclasses.field(default_factory=dict)  # from a selector to what it shows
    lines: dict = dataclasses.field(default_factory=dict)  # from a section's id to its plots, by their data
    shots: pathlib.Path = None  # folder of screenshots
    name: str = "page"  # their names begin so


def is_mark(value):
    return isinstance(value, (int, float))


def marks_of_plot(plot):
    """How many marks a plot has by its data (scripts/page/panels.js): a layer of areas is one."""
    if plot["kind"] == "heat":
        return sum(is_mark(value) for row in plot["values"] for value in row)
    if plot["kind"] == "area":
        return sum(len(facet["series"]) for facet in plot["facets"])
    return sum(is_mark(point["y"]) for facet in plot["facets"] for one in facet["series"] for point in one["points"])


def paper_marks_of_plot(plot):
    if plot["kind"] in ("heat", "area"):
        return 0
    return sum(is_mark(p["y"]) for facet in plot["facets"] for one in facet.get("paper", []) for p in one["points"])


def expectations_of_panels(data, shots=None, name="page"):
    """What the data of a report (scripts/page/panels.js) say of its page."""
    plots = {panel["name"]: panel.get("plots", []) for panel in data["panels"]}
    empty = {f"#{name} .empty-plot": plot["empty"] for name, those in plots.items() for plot in those if "empty" in plot}
    if not any(panel.get("checks") for panel in data["panels"]):  # then there is no summary of them to be in
        empty |= {"main > .failure-line": panel["title"] for panel in data["panels"] if panel.get("failures")}
    return Expectations(
        marks={name: sum(map(marks_of_plot, those)) for name, those in plots.items()},
        paper_marks={name: sum(map(paper_marks_of_plot, those)) for name, those in plots.items()},
        texts={f"#{panel['name']} h2": panel["title"] for panel in data["panels"]} | empty, lines=plots,
        shots=shots, name=name)


class Browser:
    """A context: a Chromium that ends, and whose profile goes, with it."""

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="sluice-page-", ignore_cleanup_errors=True)
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                         "--no-first-run", "--disable-background-networking", "--disable-component-update",
                         f"--user-data-dir={self.profile.name}"):
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")  # Chromium has none for root
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        try:
            self.driver = webdriver.Chrome(service=Service(DRIVER, log_path=os.devnull), options=options)
        except Exception:
            self.profile.cleanup()
            raise
        self.driver.set_page_load_timeout(LOAD_S)
        self.driver.get("about:blank")
        self.requests()  # what the browser's own first page asked for
        return self

    def __exit__(self, *exception):
        self.driver.quit()
        self.left = self.wait_for_end()
        self.profile.cleanup()

    def wait_for_end(self):
        """The processes that still use the profile after a while."""
        for _ in range(50):
            users = [pid for pid in filter(str.isdigit, os.listdir("/proc")) if self.profile.name in command_of(pid)]
            if not users:
                break
            time.sleep(0.1)
        return users

    def cdp(self, command, **arguments):
        return self.driver.execute_cdp_cmd(command, arguments)

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def look(self, width, scheme, media=""):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=WIDTHS[width], deviceScaleFactor=1,
                 mobile=width < 500)
        self.cdp("Emulation.setEmulatedMedia", media=media,
                 features=[{"name": "prefers-color-scheme", "value": scheme}])

    def load(self, path):
        self.driver.get(path.resolve().as_uri())

    def shoot(self, path, full=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        shot = self.cdp("Page.captureScreenshot", captureBeyondViewport=full)
        path.write_bytes(base64.b64decode(shot["data"]))

    def complaints(self):
        """What the console said since this was asked last."""
        return [f"console: {entry['level']}: {entry['message']}" for entry in self.driver.get_log("browser")
                if entry["level"] in ("WARNING", "SEVERE")]

    def requests(self):
        """What was asked for since this was asked last; data: is in the page."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        urls = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
        return [url for url in urls if not url.startswith("data:")]


def command_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""


# ---- what is looked at ----


def check_marks(browser, marks, kind):
    problems = []
    for section, expected in marks.items():
        there = browser.script("const s = document.getElementById(arguments[0]);"
                               "return s && s.querySelectorAll('svg.plot ' + arguments[1]).length", section, kind)
        if there != expected:
            problems.append(f"section {section}: {there} of {kind}, its data have {expected}")
    return problems


def check_texts(browser, texts):
    problems = []
    for selector, expected in texts.items():
        shown = [node.text for node in browser.driver.find_elements(By.CSS_SELECTOR, selector)]
        if not any(expected in text for text in shown):
            problems.append(f"'{selector}' shows {shown}, not '{expected}'")
    return problems


def check_width(browser, width):
    """Nothing is wider than the window, but for what scrolls in a box of its own."""
    wide = browser.script("""
        const room = arguments[0];
        const out = [];
        for (const node of document.querySelectorAll("body *")) {
            const at = node.getBoundingClientRect();
            if (at.right > room + 1 && at.width > 0 && !node.closest(".table-box") && !node.closest(".spoken")) {
                out.push(node.tagName + "." + node.getAttribute("class") + " to " + Math.round(at.right));
            }
        }
        if (document.documentElement.scrollWidth > room) {
            out.push("the page itself: " + document.documentElement.scrollWidth);
        }
        return out;""", width)
    return [f"wider than the window: {line}" for line in wide[:5]]


def check_axes(browser):
    """Labels of an axis of x do not run into each other, and no text is cut off at its plot's edge."""
    return browser.script("""
        const out = [];
        for (const text of document.querySelectorAll("svg.plot text")) {
            const at = text.getBoundingClientRect();
            const room = text.closest("svg").getBoundingClientRect();
            if (at.left < room.left - 1 || at.right > room.right + 1 || at.bottom > room.bottom + 1) {
                out.push("cut off at the plot's edge: " + text.textContent);
            }
        }
        for (const axis of document.querySelectorAll(".axis.x")) {
            const all = [...axis.querySelectorAll(".tick text")];
            const isSlanted = (t) => /rotate\\(-[1-8]/.test(t.getAttribute("transform") || "");
            const labels = all.filter((t) => !isSlanted(t));
            const places = all.filter(isSlanted).map((t) => t.parentElement.getBoundingClientRect().right).sort((a, b) => a - b);
            const FONT = 11;
            if (places.some((x, i) => i > 0 && x - places[i - 1] < FONT)) {
                out.push("slanted labels overlap: " + axis.textContent);
            }
            labels.map((t) => t.getBoundingClientRect()).sort((a, b) => a.left - b.left).forEach((at, i, all) => {
                if (i > 0 && all[i - 1].right > at.left && at.width > 0) {
                    out.push("labels overlap: " + labels.map((t) => t.textContent).join(" "));
                }
            });
        }
        return [...new Set(out)];""")


def places_of_plot(plot):
    """For each line of numbers on a plot, where its marks are between the first and the last one's place, by their data."""
    scale = math.log if plot["x"].get("scale") == "log" else float
    xs = [scale(p["x"]) for facet in plot["facets"] for one in facet["series"] + facet.get("paper", []) for p in one["points"]]
    least, length = min(xs), max(xs) - min(xs) or 1
    return [[(scale(x) - least) / length for x in sorted(p["x"] for p in one["points"] if is_mark(p["y"]))]
            for facet in plot["facets"] for one in facet["series"]]


def check_places(browser, plots):
    """Marks of lines over numbers stand by their values, from the left to the right."""
    problems = []
    for section, those in plots.items():
        for number, plot in enumerate(those):
            if plot["kind"] != "lines" or plot["x"].get("scale") == "ordinal" or marks_of_plot(plot) == 0:
                continue
            there = browser.script("""
                const figure = document.getElementById(arguments[0]).querySelectorAll("figure")[arguments[1]];
                return [...figure.querySelectorAll("g[data-series]")].filter((g) => g.querySelector(".of-paper") === null)
                    .map((g) => [...g.querySelectorAll(".mark")].map((mark) =>
                        (mark.getCTM().e - g.getCTM().e) / g.parentNode.querySelector(".axis.x .domain").getBBox().width));
                """, section, number)
            expected = places_of_plot(plot)
            if len(there) != len(expected) or any(
                    len(a) != len(b) or any(abs(x - y) > 0.01 for x, y in zip(a, b)) and max(b) > 0
                    for a, b in zip(there, expected)):
                problems.append(f"'{plot['title']}': marks at {there}, by their data at {expected}")
    return problems


def point_at(browser, svg, mark):
    """Moves the pointer to the mark's middle, as hands do: through the browser's input."""
    place = browser.script("""
        const node = document.querySelector(arguments[0]).querySelectorAll(".mark")[arguments[1]];
        node.scrollIntoView({block: "center", behavior: "instant"});
        const at = node.getBoundingClientRect();
        return [at.left + at.width / 2, at.top + at.height / 2];""", svg, mark)
    for x, y in (1, 1), place:
        browser.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)


def check_hover(browser, hover):
    point_at(browser, hover.svg, hover.mark)
    boxes = browser.driver.find_elements(By.CSS_SELECTOR, ".tooltip:not([hidden])")
    text = boxes[0].text if boxes else ""
    return [f"hover over mark {hover.mark} of '{hover.svg}' says '{text}', not '{words}'"
            for words in hover.says if words not in text]


def check_keys(browser, hover):
    """The arrow keys reach the values, too."""
    browser.script("document.querySelector(arguments[0]).focus()", hover.svg)
    for kind in "rawKeyDown", "keyUp":
        browser.cdp("Input.dispatchKeyEvent", type=kind, key="ArrowRight", code="ArrowRight", windowsVirtualKeyCode=39)
    shown = browser.script("return document.querySelector('.tooltip:not([hidden]) .tooltip-title') !== null")
    browser.script("document.activeElement.blur()")
    return [] if shown else [f"the arrow keys show nothing of '{hover.svg}'"]


def check_sort(browser, sort):
    button = browser.driver.find_elements(By.CSS_SELECTOR, f"{sort.table} thead th button")[sort.column]
    browser.script("arguments[0].click()", button)
    order = browser.script("return [...document.querySelectorAll(arguments[0] + ' tbody tr')]"
                           ".map((row) => row.cells[0].textContent)", sort.table)
    state = browser.script("return arguments[0].parentElement.getAttribute('aria-sort')", button)
    problems = [] if order == sort.order else [f"'{sort.table}' sorts to {order}, not {sort.order}"]
    return problems + ([] if state == "ascending" else [f"'{sort.table}': aria-sort is {state}"])


def check_print(browser, path, expected):
    """On paper: light though the screen is dark, with all marks, and a PDF comes out."""
    browser.look(1280, "dark", media="print")
    ground = browser.script("return getComputedStyle(document.body).backgroundColor")
    problems = [] if ground == "rgb(255, 255, 255)" else [f"on paper the ground is {ground}"]
    problems += check_marks(browser, expected.marks, ".mark")
    pdf = base64.b64decode(browser.cdp("Page.printToPDF", printBackground=True)["data"])
    if not pdf.startswith(b"%PDF"):
        problems.append("printing gives no PDF")
    if expected.shots:
        (expected.shots / f"{expected.name}-print.pdf").write_bytes(pdf)
    return problems


def check_look(browser, path, expected, width, scheme):
    browser.look(width, scheme)
    browser.load(path)
    problems = check_marks(browser, expected.marks, ".mark")
    problems += check_marks(browser, expected.paper_marks, ":is(.paper-mark, .paper-bar)")
    problems += check_width(browser, width) + check_axes(browser) + check_texts(browser, expected.texts)
    problems += check_places(browser, expected.lines)
    if expected.shots:
        browser.shoot(expected.shots / f"{expected.name}-{width}-{scheme}.png")
    for hover in expected.hovers:
        problems += check_hover(browser, hover) + check_width(browser, width) + check_keys(browser, hover)
    for sort in expected.sorts:
        problems += check_sort(browser, sort)
    others = [url for url in browser.requests() if url != path.resolve().as_uri()]
    problems += browser.complaints() + [f"a request to {url}" for url in others]
    return [f"{width} {scheme}: {problem}" for problem in dict.fromkeys(problems)]


def check_page(path, expected, looks=tuple((width, scheme) for width in WIDTHS for scheme in SCHEMES)):
    """All looks of the page in the file; the problems found, none where it is as expected."""
    problems = []
    path = pathlib.Path(path)
    with Browser() as browser:
        for width, scheme in looks:
            problems += check_look(browser, path, expected, width, scheme)
        problems += [f"print: {problem}" for problem in check_print(browser, path, expected)]
    return problems + [f"process {pid} of the browser is left" for pid in browser.left]
