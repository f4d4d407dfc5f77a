#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# A plot of a report's page as an SVG file that stands alone, for the pages of docs/: drawn by the page's own scripts in a
# headless Chromium, with the legend at its right and the colours of light and dark. Its description lists the values, so that
# the picture can be read aloud, and be compared without a browser.
# usage: picture.py [--values] PAGE.html PANEL PLOT >FILE.svg     PLOT counts the panel's plots from 0; --values: only the
#        lines of the description
import pathlib
import re
import sys
from xml.sax.saxutils import escape

import browser

WIDTH = 560  # of the plot, pixels
LEGEND = 190
MARGIN = 10

DRAW = """
const [panel, number, width, legend, margin] = arguments;
const node = document.getElementById(panel).querySelectorAll("figure")[number];
const drawn = node.querySelector("svg.plot");
const height = Number(drawn.getAttribute("height"));
const svg = d3.create("svg:svg").attr("xmlns", "http://www.w3.org/2000/svg").attr("role", "img")
    .attr("viewBox", `0 0 ${width + legend + 2 * margin} ${height + 2 * margin}`).attr("font-size", 13);
svg.append("rect").attr("class", "ground").attr("width", "100%").attr("height", "100%").attr("rx", 6);
const plot = svg.append("g").attr("transform", `translate(${margin},${margin})`);
for (const part of drawn.children) {
    plot.append(() => part.cloneNode(true));
}
plot.selectAll(".guide").remove();
node.querySelectorAll(".legend li").forEach((item, i) => {
    const key = svg.append("g").attr("class", item.getAttribute("class"))
        .attr("transform", `translate(${width + 2 * margin},${margin + 28 + 22 * i})`);
    for (const part of item.querySelector("svg").children) {
        key.append(() => part.cloneNode(true));
    }
    key.append("text").attr("class", "ink").attr("x", 30).attr("y", 11).text(item.textContent);
});
svg.selectAll("[data-series]").attr("data-series", null);

const parts = svg.selectAll("*").nodes();
const isUsed = (rule) => rule.selectorText === ":root" || parts.some((part) => part.matches(rule.selectorText));
const text = (rule) => rule.media === undefined ? (rule.selectorText && isUsed(rule) ? [rule.cssText] : [])
    : /dark/.test(rule.media.mediaText) ? [`@media ${rule.media.mediaText} { ${[...rule.cssRules].flatMap(text).join(" ")} }`] : [];
const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].flatMap(text));
rules.push(".ground { fill: var(--ground); }", ".ink { fill: var(--ink); }",
    "text { font-family: system-ui, 'Noto Sans', 'Liberation Sans', Arial, sans-serif; }");
svg.insert("style", ":first-child").text("\\n" + rules.join("\\n") + "\\n");
return new XMLSerializer().serializeToString(svg.node());
"""


def plot_of(page, panel, number):
    for one in browser.data_of_page(page)["panels"]:
        if one["name"] == panel:
            return one["plots"][number]
    raise SystemExit(f"{page} has no panel {panel}")


def value_of(point):
    low, high = point.get("low"), point.get("high")
    spread = "" if low is None else f" ±{(high - low) / 2:.2f}"
    x = point["x"]
    return f"{x if isinstance(x, str) else format(x, 'g')}: {point['y']:.2f}{spread}"


def describe(page, panel, number):
    """A line for each series of the plot, the paper's last."""
    facets = plot_of(page, panel, number)["facets"]
    lines = []
    for kind, suffix in ("series", ""), ("paper", ", the paper"):
        for facet in facets:
            for one in facet.get(kind) or []:
                values = ", ".join(value_of(point) for point in one["points"] if point["y"] is not None)
                lines.append(f"{' '.join(filter(None, [facet.get('name'), one['name']]))}{suffix}: {values}")
    return lines


def draw(page, panel, number):
    """The SVG file's text."""
    plot = plot_of(page, panel, number)
    with browser.Browser() as chromium:
        chromium.look(1280, "light")
        chromium.load(page)
        chromium.script("document.getElementById(arguments[0]).querySelectorAll('figure')[arguments[1]]"
                        ".querySelector('.facet').style.width = arguments[2] + 'px'", panel, number, WIDTH)
        wait = ("const done = arguments[arguments.length - 1];"
                "const figure = document.getElementById(arguments[0]).querySelectorAll('figure')[arguments[1]];"
                "const look = () => figure.querySelector('svg.plot').getAttribute('width') === String(arguments[2])"
                " ? done() : requestAnimationFrame(look); look();")
        chromium.driver.execute_async_script(wait, panel, number, WIDTH)
        svg = chromium.script(DRAW, panel, number, WIDTH, LEGEND, MARGIN)
    for name in set(re.findall(r"(--[\w-]+):", svg)) - set(re.findall(r"var\((--[\w-]+)", svg)):
        svg = re.sub(rf"{name}: [^;]*; ", "", svg)
    described = "\n".join(describe(page, panel, number))
    head = f"<title>{escape(plot['title'])}</title>\n<desc>\n{escape(described)}\n</desc>\n"
    start = svg.index(">") + 1
    return f"{svg[:start]}\n{head}{svg[start:]}".replace("><g", ">\n<g").replace("><path", ">\n<path") + "\n"


def main(options, page, panel, number):
    if options == ["--values"]:
        print(*describe(page, panel, number), sep="\n")
    else:
        sys.stdout.write(draw(page, panel, number))


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5) or len(sys.argv) == 5 and sys.argv[1] != "--values":
        sys.exit("usage: picture.py [--values] PAGE.html PANEL PLOT >FILE.svg")
    main(sys.argv[1:-3], pathlib.Path(sys.argv[-3]), sys.argv[-2], int(sys.argv[-1]))
