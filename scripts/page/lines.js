/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kind of plot: a line for each series, with a mark at each point and a whisker over its interval. The
 * paper's lines are dashed, their marks hollow. Each series has a form of mark of its own, too, for
 * those whom colours do not tell enough. */
"use strict";

const lines = (() => {
    const FORMS = [d3.symbolCircle, d3.symbolSquare, d3.symbolTriangle, d3.symbolDiamond, d3.symbolWye,
        d3.symbolStar, d3.symbolCross];
    const MANY = 40; // points of a series from which marks are small
    const CAP = 3; // half the width of a whisker's ends, pixels

    function symbol(colour, size) {
        return d3.symbol().type(FORMS[colour % FORMS.length]).size(size)();
    }

    function describeAxes(plot, facets) {
        const values = series.xs(facets);
        const x = plot.x.scale === "ordinal" ? {...plot.x, scale: "point", domain: values}
            : {...plot.x, scale: plot.x.scale || "linear", domain: d3.extent(values), ticks: axes.ownTicks(values)};
        return {x, y: series.yAxis(plot, series.ys(facets))};
    }

    /* From left to right: words in the order of the data. */
    function sorted(plot, points) {
        return plot.x.scale === "ordinal" ? points : points.slice().sort((a, b) => a.x - b.x);
    }

    /* By the height at which the lines end at the right, the highest first; over several facets by the
     * mean of that. */
    function order(plot, names) {
        const end = (name) => d3.mean(plot.facets, (facet) => {
            const line = facet.series.find((s) => s.name === name) ||
                (facet.paper || []).find((s) => s.name === name);
            const drawn = line === undefined ? [] : sorted(plot, line.points).filter(series.isDrawn);
            return drawn.length === 0 ? undefined : drawn[drawn.length - 1].y;
        });
        return names.slice().sort((a, b) => d3.descending(end(a) || 0, end(b) || 0));
    }

    function key(svg, colour) {
        const line = svg.append("path").attr("d", d3.line()([[0, 7], [22, 7]]));
        line.attr("class", colour === null ? "line of-paper" : "line");
        svg.append("path").attr("d", symbol(colour || 0, 45)).attr("transform", "translate(11,7)")
            .attr("class", colour === null ? "paper-mark" : "mark-key");
    }

    function drawLine(frame, one, isPaper) {
        const colour = frame.colourOf(one.name);
        const group = frame.area.append("g").attr("class", `s${colour}`).attr("data-series", one.name);
        const points = sorted(frame.plot, one.points);
        const drawn = points.filter(series.isDrawn);
        const path = d3.line().defined(series.isDrawn).x((p) => frame.x(p.x)).y((p) => frame.y(p.y));
        group.append("path").attr("class", isPaper ? "line of-paper" : "line").attr("d", path(points));
        for (const p of drawn.filter((point) => format.isNumber(point.low))) {
            series.whisker(group, frame.x(p.x), frame.y(p.low), frame.y(p.high), CAP);
        }
        group.selectAll(".none").data(drawn).enter().append("path")
            .attr("class", isPaper ? "paper-mark" : drawn.length > MANY ? "mark small" : "mark")
            .attr("d", symbol(colour, drawn.length > MANY ? 8 : 45))
            .attr("transform", (p) => `translate(${frame.x(p.x)},${frame.y(p.y)})`);
    }

    function draw(frame, facet) {
        (facet.paper || []).forEach((one) => drawLine(frame, one, true));
        facet.series.forEach((one) => drawLine(frame, one, false));
        const stops = series.xs([facet]);
        if (frame.plot.x.scale !== "ordinal") {
            stops.sort(d3.ascending);
        }
        return series.probe(frame, facet, stops, (x) => frame.x(x), 0.5);
    }

    return {describeAxes, order, key, draw, symbol};
})();
