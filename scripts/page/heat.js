/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kind of plot: a heat map. Of {x: {label, unit, from, to}, rows, values, label, scale}: values[i] has
 * the bins of row i, of equal length from `from` to `to`, null where there is nothing to show. Rows are
 * drawn from the bottom up. `scale` of the colours is linear, or log where few bins are far above the
 * others. The colours themselves are mixed from the style's, so that they follow light and dark. */
"use strict";

const heat = (() => {
    const ROW = 18; // pixels of a row, where there is room

    function largest(plot) {
        return d3.max(plot.values, (row) => d3.max(row)) || 1;
    }

    /* From a value to 0..1. */
    function shade(plot) {
        const scale = plot.scale === "log" ? d3.scaleSymlog() : d3.scaleLinear();
        return scale.domain([0, largest(plot)]).range([0, 1]);
    }

    /* The style mixes two of three colours: where a shade is between its two. */
    function withinHalf(shade) {
        return `${(200 * (shade > 0.5 ? shade - 0.5 : shade)).toFixed(1)}%`;
    }

    function describeAxes(plot) {
        return {
            x: {...plot.x, scale: "linear", domain: [plot.x.from || 0, plot.x.to]},
            y: {...plot.y, scale: "cells", domain: plot.rows},
        };
    }

    function height(plot) {
        return 70 + Math.max(60, Math.min(plot.rows.length * ROW, 420));
    }

    function legend(parent, plot) {
        const line = parent.append("div").attr("class", "legend heat-legend");
        const bar = line.append("div");
        const ends = bar.append("div").attr("class", "heat-values");
        line.insert("span", "div").text(format.label({label: plot.label, unit: plot.unit}));
        bar.insert("div", "div").attr("class", "gradient");
        for (const place of [0, 0.5, 1]) {
            ends.append("span").text(format.number(Number(shade(plot).invert(place).toPrecision(3))));
        }
    }

    function probe(frame, plot, bins, step) {
        const rows = plot.rows.length;
        return {
            count: bins * rows,
            find: (x, y) => {
                const bin = Math.floor(x / step);
                const row = rows - 1 - Math.floor(y / frame.y.bandwidth());
                return bin < 0 || bin >= bins || row < 0 || row >= rows ? -1 : row * bins + bin;
            },
            tell: (stop) => {
                const row = Math.floor(stop / bins);
                const bin = stop % bins;
                const value = plot.values[row][bin];
                const ends = [bin, bin + 1].map((i) => format.number(frame.x.invert(i * step)));
                const where = [plot.y && plot.y.label, plot.rows[row]].filter(Boolean).join(" ");
                const shown = format.isNumber(value) ? format.withUnit(format.number(value), plot.unit) : "none";
                return {
                    title: `${where}, ${format.withUnit(ends.join(" to "), plot.x.unit)}`,
                    rows: [{name: plot.label, value: shown}],
                    guide: {x: bin * step, y: frame.y(plot.rows[row]), width: step, height: frame.y.bandwidth()},
                };
            },
        };
    }

    function draw(frame, plot) {
        const bins = d3.max(plot.values, (row) => row.length) || 1;
        const step = frame.width / bins;
        const toShade = shade(plot);
        frame.area.insert("rect", ":first-child").attr("class", "heat-ground")
            .attr("width", frame.width).attr("height", frame.height);
        plot.rows.forEach((name, i) => {
            const cells = plot.values[i].map((value, bin) => ({value, bin})).filter((c) => format.isNumber(c.value));
            frame.area.append("g").selectAll("rect").data(cells).enter().append("rect")
                .attr("class", (c) => (toShade(c.value) > 0.5 ? "mark cell upper" : "mark cell"))
                .attr("x", (c) => c.bin * step).attr("width", step + 0.3)
                .attr("y", frame.y(name)).attr("height", Math.max(1, frame.y.bandwidth() - 0.6))
                .style("--shade", (c) => withinHalf(toShade(c.value)));
        });
        return probe(frame, plot, bins, step);
    }

    return {describeAxes, height, legend, draw};
})();
