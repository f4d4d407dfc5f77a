/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The number under the pointer, a finger or the arrow keys. A plot hands over a probe:
 *
 *   count          of the stops that the arrow keys go through
 *   find(x, y)     the stop nearest to a place in the plot, or -1
 *   tell(stop)     {title, rows, guide}: rows of {name, series, value, paper}, where series is the
 *                  number of a colour, and what to mark: {x, y, width, height}
 *
 * There is one tooltip for the whole page. */
"use strict";

const tooltip = (() => {
    const GAP = 14; // pixels between the pointer and the box
    let box = null;

    function element() {
        if (box === null) {
            box = d3.select(document.body).append("div").attr("class", "tooltip")
                .attr("role", "status").attr("hidden", true);
        }
        return box;
    }

    function fill(told) {
        const hasPaper = told.rows.some((row) => row.paper !== undefined);
        const to = element().attr("hidden", null).html("");
        to.append("div").attr("class", "tooltip-title").text(told.title);
        const table = to.append("table");
        if (hasPaper) {
            const head = table.append("thead").append("tr");
            ["", "", "here", "paper"].forEach((name) => head.append("th").text(name));
        }
        for (const row of told.rows) {
            const line = table.append("tr");
            line.append("td").append("span")
                .attr("class", row.series === undefined ? null : `key s${row.series}`);
            line.append("td").text(row.name);
            line.append("td").attr("class", "number").text(row.value);
            if (hasPaper) {
                line.append("td").attr("class", "number").text(row.paper || "");
            }
        }
    }

    /* Beside the place, on the side where there is room, and never over the window's edge. */
    function place(left, top) {
        const node = element().node();
        const width = node.offsetWidth;
        const height = node.offsetHeight;
        const room = document.documentElement.clientWidth;
        const right = left + GAP + width < room ? left + GAP : left - GAP - width;
        const x = Math.max(4, Math.min(right, room - width - 4));
        const y = Math.max(4, Math.min(top - height / 2, window.innerHeight - height - 4));
        element().style("left", `${x + window.scrollX}px`).style("top", `${y + window.scrollY}px`);
    }

    function hide() {
        if (box !== null) {
            box.attr("hidden", true);
        }
        d3.selectAll(".guide").attr("hidden", true);
    }

    /* `area` is the plot's inner group, whose corner is where its scales begin. */
    function show(area, guide, probe, stop) {
        hide();
        const told = probe.tell(stop);
        for (const name of ["x", "y", "width", "height"]) {
            guide.attr(name, told.guide[name]);
        }
        guide.attr("hidden", null);
        fill(told);
        const at = guide.node().getBoundingClientRect();
        place((at.left + at.right) / 2, (at.top + at.bottom) / 2);
    }

    const STEPS = {ArrowRight: 1, ArrowLeft: -1, ArrowUp: 1, ArrowDown: -1};

    /* Lets pointer and keys ask the probe. */
    function attach(svg, area, probe) {
        const guide = area.append("rect").attr("class", "guide").attr("hidden", true);
        let stop = -1;
        const go = (to) => {
            stop = to;
            if (stop < 0) {
                hide();
            } else {
                show(area, guide, probe, stop);
            }
        };
        const follow = () => go(probe.find(...d3.mouse(area.node())));
        svg.on("pointermove", follow).on("pointerdown", follow);
        svg.on("pointerleave", () => d3.event.pointerType === "mouse" && go(-1));
        svg.on("blur", () => go(-1));
        svg.on("keydown", () => {
            const step = STEPS[d3.event.key];
            if (step !== undefined && probe.count > 0) {
                d3.event.preventDefault();
                go(stop < 0 ? 0 : (stop + step + probe.count) % probe.count);
            } else if (d3.event.key === "Escape") {
                go(-1);
            }
        });
    }

    /* A finger that touches something else ends what it began. */
    document.addEventListener("pointerdown", (event) => {
        if (!(event.target instanceof Element) || event.target.closest("svg.plot") === null) {
            hide();
        }
    });

    return {attach, hide};
})();
