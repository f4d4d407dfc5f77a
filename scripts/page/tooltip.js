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
    const GAP = 10; // pixels between what is marked and the box
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

    function clamp(value, least, most) {
        return Math.max(least, Math.min(value, most));
    }

    /* Beside what is marked, on the side where there is room; else below it, or above. Never over the
     * window's edge. */
    function place(marked) {
        const {offsetWidth: width, offsetHeight: height} = element().node();
        const room = document.documentElement.clientWidth;
        let x = marked.right + GAP;
        let y = (marked.top + marked.bottom - height) / 2;
        if (x + width > room) {
            x = marked.left - GAP - width;
        }
        if (x < 0) {
            const below = marked.bottom + GAP;
            x = (marked.left + marked.right - width) / 2;
            y = below + height < window.innerHeight ? below : marked.top - GAP - height;
        }
        element().style("left", `${clamp(x, 4, room - width - 4) + window.scrollX}px`)
            .style("top", `${clamp(y, 4, window.innerHeight - height - 4) + window.scrollY}px`);
    }

    function hide() {
        if (box !== null) {
            box.attr("hidden", true);
        }
        d3.selectAll(".guide").attr("hidden", true);
    }

    function show(guide, probe, stop) {
        hide();
        const told = probe.tell(stop);
        for (const name of ["x", "y", "width", "height"]) {
            guide.attr(name, told.guide[name]);
        }
        guide.attr("hidden", null);
        fill(told);
        place(guide.node().getBoundingClientRect());
    }

    /* Where a plot has a guide of its own: what to say, and the place in the window that it is about. */
    function tell(told, marked) {
        fill(told);
        place(marked);
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
                show(guide, probe, stop);
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
        if (!(event.target instanceof Element) || event.target.closest("svg.plot, canvas") === null) {
            hide();
        }
    });

    return {attach, tell, hide};
})();
