/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A plot with its title, legend and facets. What varies between kinds of plot is an object of these
 * functions, in the table below:
 *
 *   describeAxes(plot, facets)   {x, y} as axes.js wants them, over all facets: they share their scales
 *   draw(frame, facet)           draws the marks (class `mark`), returns the tooltip's probe
 *   order(plot, names)           names of series as the legend lists them
 *   key(svg, colour)             draws a series' sign of the legend; null is the paper's
 *   legend(parent, plot)         a legend of the kind's own, in place of the last two
 *   height(plot)                 pixels, where the kind knows better
 *
 * frame is {area, x, y, width, height, plot, ordered, colourOf}: the inner group, the scales, names as
 * the legend has them, and from a name to its colour's number. */
"use strict";

const figure = (() => {
    const kinds = {lines, bars: bars.grouped, stacked: bars.stacked, area, heat, stack};
    const redraws = new Map(); // from an element to what draws in it, when its width has changed

    const watcher = new ResizeObserver((entries) => window.requestAnimationFrame(() => {
        for (const entry of entries) {
            redraws.get(entry.target)();
        }
    }));

    function whenResized(node, draw) {
        let width = -1;
        redraws.set(node, () => {
            if (node.clientWidth > 0 && node.clientWidth !== width) {
                width = node.clientWidth;
                draw(width);
            }
        });
        redraws.get(node)();
        watcher.observe(node);
    }

    function heightOf(kind, plot, facets, width) {
        if (kind.height) {
            return kind.height(plot);
        }
        return facets.length > 1 ? 230 : Math.max(250, Math.min(width * 0.5, 340));
    }

    /* What a reader who cannot see the plot is told. */
    function spoken(plot, facet) {
        const names = facet.series ? series.names([facet]).join(", ") : (facet.parts || facet.rows).map((one) => one.name || one).join(", ");
        return [plot.title, facet.name, `${plot.kind} of ${names}`].filter(Boolean).join(": ") +
            ". Arrow keys read the values.";
    }

    function drawFacet(node, kind, context, facet, width) {
        const {plot, facets} = context;
        tooltip.hide();
        node.selectAll("svg").remove();
        const height = heightOf(kind, plot, facets, width);
        const svg = node.append("svg").attr("class", "plot").attr("role", "img").attr("tabindex", 0)
            .attr("aria-label", spoken(plot, facet))
            .attr("width", width).attr("height", height).attr("viewBox", `0 0 ${width} ${height}`);
        const described = kind.describeAxes(plot, facets);
        const frame = axes.draw(svg, described.x, described.y, width, height);
        tooltip.attach(svg, frame.area, kind.draw({...frame, ...context}, facet));
    }

    function addLegend(parent, kind, plot, names, colourOf) {
        if (kind.legend) {
            kind.legend(parent, plot);
            return [];
        }
        const ordered = kind.order(plot, names);
        series.legend(parent, plot, ordered, colourOf, kind.key);
        return ordered;
    }

    /* Appends the plot; it draws itself anew when its width changes. */
    function add(parent, plot) {
        const kind = kinds[plot.kind];
        const facets = plot.facets || [plot];
        const node = parent.append("figure").attr("class", `of-${plot.kind}`);
        const names = plot.facets ? series.names(facets) : [];
        node.append("figcaption").text(plot.title);
        if (plot.facets && series.ys(facets).length === 0) {
            node.append("p").attr("class", "empty-plot").text(`There is nothing to draw${plot.empty ? `: ${plot.empty}` : ""}.`);
            return node;
        }
        const colourOf = (name) => names.indexOf(name) % series.COLOURS;
        const body = node.append("div").attr("class", "figure-body");
        const grid = body.append("div").attr("class", facets.length > 1 ? "facets many" : "facets");
        const ordered = addLegend(body, kind, plot, names, colourOf);
        const context = {plot, facets, ordered, colourOf};
        for (const facet of facets) {
            const place = grid.append("div").attr("class", "facet");
            if (plot.facets && facet.name) {
                place.append("h4").text(facet.name);
            }
            whenResized(place.node(), (width) => drawFacet(place, kind, context, facet, width));
        }
        return node;
    }

    return {add};
})();
