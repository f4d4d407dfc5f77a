/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Scales and axes. An axis is described by {scale, domain, label, unit, ticks}: scale is linear, log,
 * point (places along a line) or band (the same with a width); ticks, where a plot asks for some, are
 * the values to label. */
"use strict";

const axes = (() => {
    const FONT = 11; // pixels, as .axis in plots.css
    const LETTER = FONT * 0.65; // a wide one, on average
    const LABEL = 18; // an axis' label with its distance
    const MOST_TICKS = 18; // values that become ticks themselves

    function makeScale(axis, range) {
        switch (axis.scale) {
        case "band":
            return d3.scaleBand().domain(axis.domain).range(range).paddingInner(0.25).paddingOuter(0.12);
        case "cells":
            return d3.scaleBand().domain(axis.domain).range(range);
        case "point":
            return d3.scalePoint().domain(axis.domain).range(range).padding(0.3);
        case "log":
            return d3.scaleLog().domain(axis.domain).range(range).clamp(true); // 0 lies at the end
        default:
            return d3.scaleLinear().domain(axis.domain).range(range);
        }
    }

    function isContinuous(axis) {
        return axis.scale === "linear" || axis.scale === "log";
    }

    /* As d3 chooses them; on a logarithmic axis of few decades all that it has, of many the powers. */
    function tickValues(axis, scale, room) {
        if (axis.ticks) {
            return thin(axis.ticks, room);
        }
        const values = scale.ticks(room);
        if (axis.scale !== "log" || values.length <= room) {
            return values;
        }
        const powers = values.filter((v) => Math.abs(Math.log10(v) % 1) < 1e-9);
        return powers.length > 1 ? thin(powers, room) : thin(values, room);
    }

    /* Every so manieth of the values, so that at most `room` are left. */
    function thin(values, room) {
        const step = Math.max(1, Math.ceil(values.length / room));
        return values.filter((_, i) => i % step === 0);
    }

    function labels(axis, scale, room) {
        const values = isContinuous(axis) ? tickValues(axis, scale, room) : thin(axis.domain, room);
        const text = axis.ticks ? format.number : format.tick(d3.max(axis.domain, Math.abs));
        const times = axis.unit === "x" ? "x" : "";
        return {values, text: (v) => (format.isNumber(v) ? text(v) + times : String(v))};
    }

    function longest(labelled) {
        return d3.max(labelled.values, (v) => labelled.text(v).length) || 0;
    }

    /* The values that points have, where they are so few that ticks between them would mislead. */
    function ownTicks(values) {
        const distinct = Array.from(new Set(values)).sort(d3.ascending);
        return distinct.length <= MOST_TICKS ? distinct : undefined;
    }

    function shortened(words, room) {
        return words.length * LETTER > room ? `${words.slice(0, Math.floor(room / LETTER) - 1)}…` : words;
    }

    function drawY(area, axis, scale, labelled, width, left) {
        const group = area.append("g").attr("class", "axis y");
        const made = d3.axisLeft(scale).tickValues(labelled.values)
            .tickFormat((value) => shortened(labelled.text(value), left - 8));
        group.call(made.tickSize(isContinuous(axis) ? -width : 0).tickPadding(6));
        group.select(".domain").remove();
    }

    /* Names that would run into each other are written at a slant. */
    function drawX(area, axis, scale, labelled, height, isSlanted) {
        const group = area.append("g").attr("class", "axis x").attr("transform", `translate(0,${height})`);
        group.call(d3.axisBottom(scale).tickValues(labelled.values).tickFormat(labelled.text)
            .tickSizeOuter(0).tickSize(isContinuous(axis) ? 5 : 0).tickPadding(6));
        if (isSlanted) {
            group.selectAll(".tick text").attr("transform", "rotate(-35)").attr("text-anchor", "end")
                .attr("dx", "-0.3em").attr("dy", "0.4em");
        }
    }

    function write(area, className, words, x, y, anchor) {
        area.append("text").attr("class", `axis-label ${className}`).attr("text-anchor", anchor)
            .attr("x", x).attr("y", y).text(words);
    }

    /* As many labels of a continuous axis as there is room for; they are at most as long as its ends'. */
    function columnsOf(x, width) {
        const ends = labels(x, makeScale(x, [0, 1]), 2);
        const each = Math.max(longest(ends), String(ends.text(x.domain[1])).length) * LETTER + 24;
        return isContinuous(x) ? labels(x, makeScale(x, [0, 1]), Math.max(2, Math.floor(width / each)))
                               : labels(x, makeScale(x, [0, 1]), Infinity);
    }

    /* The pixels around the inner group. The last label of x may reach over its end by a half. */
    function margins(x, y, rows, columns, isSlanted, outerWidth) {
        const last = columns.text(columns.values[columns.values.length - 1] ?? "");
        const foot = isSlanted ? longest(columns) * LETTER * 0.6 + 16 : 22;
        return {
            left: Math.min(outerWidth * 0.35, Math.max(28, longest(rows) * LETTER + 10)),
            right: isContinuous(x) ? Math.max(10, last.length * LETTER / 2 + 2) : 6,
            top: y.label ? LABEL + 6 : 8,
            foot,
            bottom: foot + (x.label ? LABEL : 0),
        };
    }

    /* Draws both axes into the svg, and returns the inner group with what a plot draws by:
     * {area, x, y, width, height}. */
    function draw(svg, x, y, outerWidth, outerHeight) {
        const room = outerWidth - 50;
        const rows = labels(y, makeScale(y, [1, 0]), Math.max(2, outerHeight / (isContinuous(y) ? 55 : 14)));
        const columns = columnsOf(x, room);
        const isSlanted = !isContinuous(x) && (longest(columns) + 1) * LETTER > room / columns.values.length;
        const margin = margins(x, y, rows, columns, isSlanted, outerWidth);
        const width = Math.max(40, outerWidth - margin.left - margin.right);
        const height = Math.max(40, outerHeight - margin.top - margin.bottom);
        const scales = {x: makeScale(x, [0, width]), y: makeScale(y, [height, 0])};
        const area = svg.append("g").attr("transform", `translate(${margin.left},${margin.top})`);
        drawY(area, y, scales.y, rows, width, margin.left);
        drawX(area, x, scales.x, columns, height, isSlanted);
        write(area, "y", format.label(y), -margin.left + 2, -10, "start");
        write(area, "x", format.label(x), width, height + margin.foot + 12, "end");
        return {area, x: scales.x, y: scales.y, width, height};
    }

    return {draw, ownTicks};
})();
