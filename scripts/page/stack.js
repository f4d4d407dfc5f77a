/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kind of plot: lying bars whose parts add up to all. Of {x: {label, unit}, rows, parts}: a row is
 * {name, whole, unit}, a part {name, group, values} with a value for each row. A group has a hue, and
 * its parts have shades of it, which the style mixes, so that they follow light and dark. */
"use strict";

const stack = (() => {
    const ROW = 44; // pixels of a bar, with what is between
    const LIGHTEST = 38; // % of the hue that a group's last part has at least
    const STEP = 22; // % between two parts of a group at most

    /* A part's class for its hue, and how much of it there is. */
    function look(plot, part) {
        const groups = Array.from(new Set(plot.parts.map((one) => one.group)));
        const group = plot.parts.filter((one) => one.group === part.group);
        const step = Math.min(STEP, (100 - LIGHTEST) / Math.max(1, group.length - 1));
        return {hue: groups.indexOf(part.group) % series.COLOURS, shade: `${100 - group.indexOf(part) * step}%`};
    }

    function describeAxes(plot) {
        return {
            x: {...plot.x, scale: "linear", domain: [0, 100]},
            y: {scale: "band", domain: plot.rows.map((row) => row.name).reverse()}, // from the bottom up
        };
    }

    function height(plot) {
        return 62 + plot.rows.length * ROW;
    }

    function dim(parent, part) {
        parent.selectAll("[data-part]").classed("dim", function () {
            return part !== null && this.dataset.part !== part.name;
        });
    }

    /* A list of each group's parts, with the group's name where it has several. */
    function legend(parent, plot) {
        const list = parent.append("ul").attr("class", "legend stack-legend");
        for (const [group, parts] of d3.nest().key((part) => part.group).entries(plot.parts).map((one) => [one.key, one.values])) {
            const item = list.append("li");
            if (parts.length > 1 || parts[0].name !== group) {
                item.append("span").attr("class", "stack-group").text(group);
            }
            for (const part of parts) {
                const {hue, shade} = look(plot, part);
                const entry = item.append("span").attr("class", "stack-part");
                entry.append("span").attr("class", `key shaded s${hue}`).style("--shade", shade);
                entry.append("span").text(part.name);
                entry.on("pointerenter", () => dim(parent, part)).on("pointerleave", () => dim(parent, null));
            }
        }
    }

    /* Stops of the probe are the parts that are drawn, in order. */
    function probe(frame, plot, drawn) {
        return {
            count: drawn.length,
            find: (x, y) => drawn.findIndex((one) => x >= one.x && x < one.x + one.width &&
                y >= one.y && y < one.y + one.height),
            tell: (stop) => {
                const {part, row, i} = drawn[stop];
                const named = part.name === part.group ? part.name : `${part.group}: ${part.name}`;
                return {
                    title: `${row.name}: ${named}`,
                    rows: [
                        {name: plot.x.label, value: format.withUnit(format.number(100 * part.values[i] / row.whole), "%")},
                        {name: row.unit, value: format.number(part.values[i])},
                    ],
                    guide: drawn[stop],
                };
            },
        };
    }

    function draw(frame, plot) {
        const drawn = [];
        plot.rows.forEach((row, i) => {
            let from = 0;
            for (const part of plot.parts.filter((one) => one.values[i] > 0)) {
                const to = from + 100 * part.values[i] / row.whole;
                const {hue, shade} = look(plot, part);
                const at = {x: frame.x(from), y: frame.y(row.name), width: frame.x(to) - frame.x(from),
                    height: frame.y.bandwidth()};
                const bar = frame.area.append("rect").attr("class", `mark bar shaded s${hue}`)
                    .attr("data-part", part.name).style("--shade", shade);
                Object.entries(at).forEach(([name, value]) => bar.attr(name, value));
                drawn.push({...at, part, row, i});
                from = to;
            }
        });
        return probe(frame, plot, drawn);
    }

    return {describeAxes, height, legend, draw};
})();
