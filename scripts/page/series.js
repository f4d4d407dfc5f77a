/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What plots of named series share: whose colour is which, the values that an axis has to reach, the
 * legend, and what the tooltip says of a place along x.
 *
 * A facet is {name, series, paper}, the last two lists of {name, points}; a point {x, y, low, high}
 * whose y is null where the run failed. A name has one colour in all facets of a plot. */
"use strict";

const series = (() => {
    const COLOURS = 8; // --c0 to --c7 in page.css
    const BELOW = 0.8; // a logarithmic axis begins below its least value, which is seen then

    function unique(values) {
        return Array.from(new Set(values));
    }

    function all(facet) {
        return facet.series.concat(facet.paper || []);
    }

    function names(facets) {
        return unique(d3.merge(facets.map((facet) => all(facet).map((s) => s.name))));
    }

    function xs(facets) {
        return unique(d3.merge(facets.map((facet) => d3.merge(all(facet).map((s) => s.points.map((p) => p.x))))));
    }

    function isDrawn(point) {
        return format.isNumber(point.y);
    }

    /* Every y, with the ends of the intervals. */
    function ys(facets) {
        const points = d3.merge(facets.map((facet) => d3.merge(all(facet).map((s) => s.points))));
        return d3.merge(points.filter(isDrawn).map((p) => [p.y, p.low, p.high])).filter(format.isNumber);
    }

    function pointAt(list, name, x) {
        const found = (list || []).find((s) => s.name === name);
        return found === undefined ? undefined : found.points.find((p) => p.x === x);
    }

    /* The axis of y over these values: from `from` (0 unless it says otherwise) where it is linear. */
    function yAxis(plot, values) {
        const y = plot.y || {};
        const positive = values.filter((v) => v > 0);
        const most = y.to === undefined ? d3.max(values) || 1 : y.to;
        if (y.scale === "log" && positive.length > 0) {
            const domain = d3.scaleLog().domain([d3.min(positive) * BELOW, most]).nice().domain();
            return {...y, scale: "log", domain};
        }
        const from = y.from === undefined ? Math.min(0, d3.min(values) || 0) : y.from;
        const scale = d3.scaleLinear().domain([from, Number(most.toPrecision(6))]);
        return {...y, scale: "linear", domain: (y.to === undefined ? scale.nice(5) : scale).domain()};
    }

    /* Where there is but one series, the title says what it is. */
    function legend(parent, plot, ordered, colourOf, key) {
        const hasPaper = plot.facets.some((facet) => (facet.paper || []).length > 0);
        const list = parent.append("ul").attr("class", "legend");
        for (const name of ordered.length > 1 || hasPaper ? ordered : []) {
            const item = list.append("li").attr("class", `s${colourOf(name)}`);
            key(item.append("svg").attr("width", 22).attr("height", 14).attr("aria-hidden", true), colourOf(name));
            item.append("span").text(name);
            item.on("pointerenter", () => dim(parent, name)).on("pointerleave", () => dim(parent, null));
        }
        if (hasPaper) {
            const item = list.append("li").attr("class", "of-paper");
            key(item.append("svg").attr("width", 22).attr("height", 14).attr("aria-hidden", true), null);
            item.append("span").text("the paper's figures");
        }
    }

    function dim(parent, name) {
        parent.selectAll("[data-series]").classed("dim", function () {
            return name !== null && this.dataset.series !== name;
        });
    }

    /* A row of the tooltip for each series that has something to say at this x. */
    function rowsAt(facet, ordered, colourOf, x, unit) {
        const rows = [];
        for (const name of ordered) {
            const here = pointAt(facet.series, name, x);
            const there = pointAt(facet.paper, name, x);
            if (here !== undefined || there !== undefined) {
                rows.push({
                    name,
                    series: colourOf(name),
                    value: here === undefined ? "" : format.figure(here.y, here.low, here.high, unit),
                    paper: there === undefined || !isDrawn(there) ? undefined
                        : format.withUnit(format.number(there.y), unit),
                });
            }
        }
        return rows;
    }

    function titleAt(facet, plot, x) {
        return [facet.name, [plot.x.label, format.place(x, plot.x)].filter(Boolean).join(" ")].filter(Boolean).join(", ");
    }

    /* The probe (tooltip.js) of a plot whose stops are the values of x. `place` gives the pixels of
     * one, `reach` half the width of what is marked there. */
    function probe(frame, facet, stops, place, reach) {
        const at = stops.map(place);
        return {
            count: stops.length,
            find: (x) => d3.scan(at, (a, b) => Math.abs(a - x) - Math.abs(b - x)) ?? -1,
            tell: (stop) => ({
                title: titleAt(facet, frame.plot, stops[stop]),
                rows: rowsAt(facet, frame.ordered, frame.colourOf, stops[stop], (frame.plot.y || {}).unit),
                guide: {x: at[stop] - reach, y: 0, width: 2 * reach, height: frame.height},
            }),
        };
    }

    /* A whisker from the interval's low end to its high end. */
    function whisker(parent, x, low, high, cap) {
        parent.append("path").attr("class", "whisker")
            .attr("d", d3.line()([[x - cap, low], [x + cap, low]]) + d3.line()([[x, low], [x, high]]) +
                d3.line()([[x - cap, high], [x + cap, high]]));
    }

    return {COLOURS, names, xs, ys, isDrawn, yAxis, legend, probe, whisker, pointAt};
})();
