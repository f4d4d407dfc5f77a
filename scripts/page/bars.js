/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kinds of plot: bars in groups, a bar for each series, with whiskers and the paper's value as a hollow
 * mark; and stacked bars, a layer for each series, with the paper's stack beside as outlines. */
"use strict";

const bars = (() => {
    const WIDEST = 46; // pixels of a bar
    const CAP = 3;

    function bandAxis(plot, facets) {
        return {...plot.x, scale: "band", domain: series.xs(facets)};
    }

    function key(svg, colour) {
        svg.append("rect").attr("x", 3).attr("y", 1).attr("width", 16).attr("height", 12)
            .attr("class", colour === null ? "paper-bar" : "bar-key");
    }

    function addBar(frame, one, className, x, width, from, to) {
        const ends = d3.extent([frame.y(from), frame.y(to)]);
        return frame.area.append("rect").attr("class", `${className} s${frame.colourOf(one.name)}`)
            .attr("data-series", one.name).attr("x", x).attr("width", width)
            .attr("y", ends[0]).attr("height", ends[1] - ends[0]);
    }

    function probe(frame, facet) {
        return series.probe(frame, facet, frame.x.domain(), (x) => frame.x(x) + frame.x.bandwidth() / 2,
            frame.x.bandwidth() / 2);
    }

    // ---- in groups ----

    function drawGroup(frame, facet, x, inner) {
        const base = frame.y.domain()[0];
        const width = Math.min(inner.bandwidth(), WIDEST);
        for (const name of inner.domain()) {
            const left = frame.x(x) + inner(name) + (inner.bandwidth() - width) / 2;
            const here = series.pointAt(facet.series, name, x);
            const there = series.pointAt(facet.paper, name, x);
            if (here !== undefined && series.isDrawn(here)) {
                addBar(frame, {name}, "mark bar", left, width, Math.max(base, 0), here.y);
                if (format.isNumber(here.low)) {
                    series.whisker(frame.area, left + width / 2, frame.y(here.low), frame.y(here.high), CAP);
                }
            }
            if (there !== undefined && series.isDrawn(there)) {
                frame.area.append("path").attr("class", "paper-mark").attr("data-series", name)
                    .attr("d", d3.symbol().type(d3.symbolDiamond).size(60)())
                    .attr("transform", `translate(${left + width / 2},${frame.y(there.y)})`);
            }
        }
    }

    const grouped = {
        describeAxes: (plot, facets) => ({x: bandAxis(plot, facets), y: series.yAxis(plot, series.ys(facets))}),
        order: (plot, names) => names,
        key: (svg, colour) => {
            if (colour === null) {
                svg.append("path").attr("class", "paper-mark").attr("transform", "translate(11,7)")
                    .attr("d", d3.symbol().type(d3.symbolDiamond).size(60)());
            } else {
                key(svg, colour);
            }
        },
        draw: (frame, facet) => {
            const inner = d3.scaleBand().domain(series.names([facet])).range([0, frame.x.bandwidth()])
                .padding(0.06);
            frame.x.domain().forEach((x) => drawGroup(frame, facet, x, inner));
            return probe(frame, facet);
        },
    };

    // ---- stacked ----

    function total(list, x) {
        return d3.sum(list || [], (s) => (series.pointAt([s], s.name, x) || {}).y || 0);
    }

    function drawStack(frame, list, x, className, left, width) {
        let from = 0;
        for (const one of list) {
            const point = series.pointAt([one], one.name, x);
            if (point !== undefined && series.isDrawn(point)) {
                addBar(frame, one, className, left, width, from, from + point.y);
                from += point.y;
            }
        }
    }

    const stacked = {
        describeAxes: (plot, facets) => {
            const x = bandAxis(plot, facets);
            const totals = d3.merge(facets.map((facet) =>
                d3.merge(x.domain.map((at) => [total(facet.series, at), total(facet.paper, at)]))));
            return {x, y: series.yAxis(plot, totals)};
        },
        order: (plot, names) => names.slice().reverse(),
        key,
        draw: (frame, facet) => {
            const hasPaper = (facet.paper || []).length > 0;
            const width = Math.min(frame.x.bandwidth(), WIDEST * (hasPaper ? 1.6 : 1));
            const own = hasPaper ? width * 0.62 : width;
            for (const x of frame.x.domain()) {
                const left = frame.x(x) + (frame.x.bandwidth() - width) / 2;
                drawStack(frame, facet.series, x, "mark bar", left, own);
                drawStack(frame, facet.paper || [], x, "paper-bar", left + own + 1, width - own - 1);
            }
            return probe(frame, facet);
        },
    };

    return {grouped, stacked};
})();
