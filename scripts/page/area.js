/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kind of plot: areas stacked over a linear x, such as time. A series has a layer, in their order from
 * the bottom; a point that is missing counts as 0. */
"use strict";

const area = (() => {
    function layers(facet, stops) {
        const by = facet.series.map((s) => new Map(s.points.map((p) => [p.x, p.y || 0])));
        return d3.stack().keys(d3.range(by.length)).value((x, i) => by[i].get(x) || 0)(stops);
    }

    function sortedXs(facets) {
        return series.xs(facets).sort(d3.ascending);
    }

    function describeAxes(plot, facets) {
        const stops = sortedXs(facets);
        const tops = d3.merge(facets.map((facet) => d3.merge(layers(facet, stops)).map((span) => span[1])));
        const from = plot.x.from === undefined ? stops[0] : plot.x.from;
        const to = plot.x.to === undefined ? stops[stops.length - 1] : plot.x.to;
        return {x: {...plot.x, scale: "linear", domain: [from, to]}, y: series.yAxis(plot, tops)};
    }

    function key(svg) {
        svg.append("rect").attr("x", 3).attr("y", 1).attr("width", 16).attr("height", 12).attr("class", "bar-key");
    }

    function draw(frame, facet) {
        const stops = sortedXs([facet]);
        const shape = d3.area().x((_, i) => frame.x(stops[i])).y0((d) => frame.y(d[0])).y1((d) => frame.y(d[1]));
        frame.area.selectAll(".none").data(layers(facet, stops)).enter().append("path")
            .attr("class", (_, i) => `mark layer s${frame.colourOf(facet.series[i].name)}`)
            .attr("data-series", (_, i) => facet.series[i].name)
            .attr("d", shape);
        return series.probe(frame, facet, stops, (x) => frame.x(x), 0.5);
    }

    return {describeAxes, order: (plot, names) => names.slice().reverse(), key, draw};
})();
