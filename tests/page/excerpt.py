#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What pages of docs/ show of a report's page:
#   picture PAGE.html PANEL N   a plot of the panel, counted from 0, as an SVG file that stands alone: drawn by the page's own
#                               scripts in a headless Chromium, in the colours of light and dark, with its values as description
#   values PAGE.html PANEL N    these values, a line for each series, which needs no browser
#   checks PAGE.html PANEL      a table of the panel's checks, in Markdown
# Prints on standard output.
import math
import pathlib
import re
import sys
from xml.sax.saxutils import escape

from page_data import data_of_page

WIDTH = 770  # of a picture, pixels
MARGIN = 10

# Sets the figure's width and waits until its plots have been drawn for it.
SETTLE = """
const [panel, number, width] = arguments;
const done = arguments[arguments.length - 1];
const node = document.getElementById(panel).querySelectorAll("figure")[number];
node.style.width = width + "px";
requestAnimationFrame(() => requestAnimationFrame(function look() {
    const isDrawn = [...node.querySelectorAll(".facet")].every((facet) =>
        facet.querySelector("svg.plot").getAttribute("width") === String(facet.clientWidth));
    isDrawn ? done() : requestAnimationFrame(look);
}));
"""

# The parts of the figure where they stand in the page, in one svg, with the rules of style that they need.
DRAW = """
const [panel, number, width, margin] = arguments;
const node = document.getElementById(panel).querySelectorAll("figure")[number];
const ground = node.querySelector(".figure-body").getBoundingClientRect();
const height = Math.ceil(ground.height);
const svg = d3.create("svg:svg").attr("xmlns", "http://www.w3.org/2000/svg").attr("role", "img")
    .attr("viewBox", `0 0 ${width + 2 * margin} ${height + 2 * margin}`).attr("font-size", 13);
svg.append("rect").attr("class", "ground").attr("width", "100%").attr("height", "100%").attr("rx", 6);
const place = (at) => [Math.round(at.left - ground.left) + margin, Math.round(at.top - ground.top) + margin];
const copy = (drawn, className) => {
    const [x, y] = place(drawn.getBoundingClientRect());
    const group = svg.append("g").attr("class", className).attr("transform", `translate(${x},${y})`);
    for (const part of drawn.children) {
        group.append(() => part.cloneNode(true));
    }
};
const write = (className, element) => {
    const [x, y] = place(element.getBoundingClientRect());
    svg.append("text").attr("class", className).attr("x", x).attr("y", y + 14).text(element.textContent);
};
node.querySelectorAll("svg.plot").forEach((plot) => copy(plot, "plot"));
node.querySelectorAll(".facet h4").forEach((title) => write("facet-title", title));
node.querySelectorAll(".legend li").forEach((item) => {
    const key = item.querySelector("svg");
    copy(key, item.getAttribute("class"));
    const words = document.createRange();
    words.setStartAfter(key);
    words.setEndAfter(item.lastChild);
    const [x, y] = place(words.getBoundingClientRect());
    svg.append("text").attr("class", "ink").attr("x", x).attr("y", y + 14).text(item.textContent);
});
svg.selectAll(".guide").remove();
svg.selectAll("[data-series]").attr("data-series", null);

const parts = svg.selectAll("*").nodes();
const isUsed = (rule) => rule.selectorText === ":root" || parts.some((part) => part.matches(rule.selectorText));
const text = (rule) => rule.media === undefined ? (rule.selectorText && isUsed(rule) ? [rule.cssText] : [])
    : /dark/.test(rule.media.mediaText) ? [`@media ${rule.media.mediaText} { ${[...rule.cssRules].flatMap(text).join(" ")} }`] : [];
const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].flatMap(text));
rules.push(".ground { fill: var(--ground); }", ".ink { fill: var(--ink); }", ".facet-title { fill: var(--faint); font-weight: 600; }",
    "text { font-family: system-ui, 'Noto Sans', 'Liberation Sans', Arial, sans-serif; }");
svg.insert("style", ":first-child").text("\\n" + rules.join("\\n") + "\\n");
return new XMLSerializer().serializeToString(svg.node());
"""


def panel_of(page, name):
    for panel in data_of_page(page)["panels"]:
        if panel["name"] == name:
            return panel
    sys.exit(f"{page} has no panel {name}")


def plain(value):
    return format(value, "g") if isinstance(value, (int, float)) else value


def place(value, axis):
    """As the page writes it (scripts/page/format.js): 1 MiB of 1024 KiB."""
    if not isinstance(value, (int, float)) or "unit" not in axis:
        return plain(value)
    units = axis.get("units") or [[axis["unit"], 1]]
    hundredths = [(unit, value / unit[1] * 100) for unit in units[1:]]
    short = [unit for unit, count in hundredths if count >= 100 and abs(count - round(count)) < 1e-9]
    name, size = (units[:1] + short)[-1]
    return f"{plain(value / size)} {name}"


def value_of(point, axis):
    low, high = point.get("low"), point.get("high")
    spread = "" if low is None else f" ±{(high - low) / 2:.2f}"
    return f"{place(point['x'], axis)}: {point['y']:.2f}{spread}"


def values(plot):
    """A line for each series of the plot, the papers' last."""
    lines = []
    for kind, suffix in ("series", ""), ("paper", ", the paper"):
        for facet in plot["facets"]:
            for one in facet.get(kind) or []:
                points = [value_of(point, plot["x"]) for point in one["points"] if point["y"] is not None]
                name = " ".join(filter(None, [facet.get("name"), one["name"]]))
                lines.append(" | ".join([name + suffix, *points]))
    return lines


def picture(page, panel, number):
    import browser  # needs selenium

    plot = panel_of(page, panel)["plots"][number]
    with browser.Browser() as chromium:
        chromium.look(1280, "light")
        chromium.load(page)
        chromium.driver.execute_async_script(SETTLE, panel, number, WIDTH)
        svg = chromium.script(DRAW, panel, number, WIDTH, MARGIN)
    for name in set(re.findall(r"(--[\w-]+):", svg)) - set(re.findall(r"var\((--[\w-]+)", svg)):
        svg = re.sub(rf"{name}: [^;]*; ", "", svg)
    described = "\n".join(values(plot))
    head = f"<title>{escape(plot['title'])}</title>\n<desc>\n{escape(described)}\n</desc>\n"
    start = svg.index(">") + 1
    return f"{svg[:start]}\n{head}{svg[start:]}".replace("><g", ">\n<g").replace("><path", ">\n<path")


def measured(check):
    """Three significant digits, the interval with as many decimals, as in the page."""
    value, unit = check.get("value"), check.get("unit") or ""
    if value is None:
        return ""
    decimals = 2 if value == 0 else max(0, 2 - math.floor(math.log10(abs(value))))
    spread = "" if check.get("low") is None else f" ±{(check['high'] - check['low']) / 2:.{decimals}f}"
    return f"{value:.{decimals}f}{spread} {unit}".strip()


def checks(page, panel):
    lines = ["| claim | measured | required | paper | result |", "|---|---:|---|---|---|"]
    for check in panel_of(page, panel)["checks"]:
        cells = [check["says"], measured(check), check.get("asked", ""), check.get("paper", ""), check["state"]]
        lines.append("| " + " | ".join(cell.replace("|", r"\|").replace("\n", " ") for cell in cells) + " |")
    return "\n".join(lines)


def main(what, page, panel, *number):
    page = pathlib.Path(page)
    if what == "checks":
        print(checks(page, panel))
    elif what == "values":
        print(*values(panel_of(page, panel)["plots"][int(number[0])]), sep="\n")
    elif what == "picture":
        print(picture(page, panel, int(number[0])))


if len(sys.argv) not in (4, 5) or sys.argv[1] not in ("picture", "values", "checks") or len(sys.argv) == 4 and sys.argv[1] != "checks":
    sys.exit("usage: excerpt.py picture|values PAGE.html PANEL N\n       excerpt.py checks PAGE.html PANEL")
main(*sys.argv[1:])
