/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Scales and axes. An axis is described by {scale, domain, label, unit, units, ticks}: scale is linear,
 * log, point (places along a line) or band (the same with a width); ticks, where a plot asks for some,
 * are the values to label. Words are measured, and get the room that they need: names at the left a
 * margin, those at the bottom are written level, at a slant or upright, and the plot becomes higher. */
"use strict";

const axes = (() => {
    const FONT = 11; // pixels, as .axis in plots.css
    const LINE = 14; // from a line of an axis' label to the next
    const GAP = 6; // between two labels
    const LEAST = 110; // pixels that a plot has between its axes at least
    const MOST_LEFT = 0.6; // of the width: what names at the left may take
    const MOST_TICKS = 18; // values that become ticks themselves

    /* How names stand below an axis: by the angle, in degrees. */
    const WAYS = [0, -35, -90].map((angle) => ({
        angle,
        across: Math.cos(angle * Math.PI / 180),
        down: -Math.sin(angle * Math.PI / 180),
    }));

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

    /* From words to pixels, in the font of a class of plots.css. */
    function ruler(svg, className) {
        const probe = svg.append("text").attr("class", className);
        const context = document.createElement("canvas").getContext("2d");
        const {fontWeight, fontSize, fontFamily} = getComputedStyle(probe.node());
        context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
        probe.remove();
        return (words) => Math.ceil(context.measureText(words).width);
    }

    /* The words in lines of at most `room` pixels; a word that is longer is divided. */
    function lines(words, room, measure) {
        const made = [];
        let line = "";
        for (const word of words.split(" ")) {
            if (line !== "" && measure(`${line} ${word}`) > room) {
                made.push(line);
                line = "";
            }
            line = line === "" ? word : `${line} ${word}`;
            while (line.length > 1 && measure(line) > room) {
                let count = line.length - 1;
                while (count > 1 && measure(line.slice(0, count)) > room) {
                    count -= 1;
                }
                made.push(line.slice(0, count));
                line = line.slice(count);
            }
        }
        return line === "" ? made : [...made, line];
    }

    /* As d3 chooses them; on a logarithmic axis of few decades all that it has, of many the powers. */
    function tickValues(axis, scale, room) {
        if (axis.ticks) {
            return axis.ticks;
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

    /* From a value of the axis to what is written at it. */
    function writer(axis) {
        if (!isContinuous(axis)) {
            return String;
        }
        if (axis.units) {
            return (value) => format.place(value, axis);
        }
        const number = axis.ticks ? format.number : format.tick(d3.max(axis.domain, Math.abs));
        return (value) => number(value) + (axis.unit === "x" ? "x" : "");
    }

    /* The values that points have, where they are so few that ticks between them would mislead. */
    function ownTicks(values) {
        const distinct = Array.from(new Set(values)).sort(d3.ascending);
        return distinct.length <= MOST_TICKS ? distinct : undefined;
    }

    // ---- room ----

    /* The labels at the left, {values, text, width}: as many as there is height for. */
    function rowsOf(y, height, measure) {
        const text = writer(y);
        const room = Math.max(2, height / (isContinuous(y) ? 55 : 14));
        const values = isContinuous(y) ? tickValues(y, makeScale(y, [1, 0]), room) : thin(y.domain, room);
        return {values, text, width: d3.max(values, (value) => measure(text(value))) || 0};
    }

    /* The first and the last label, and of the others those with room between. */
    function apart(labels) {
        const last = labels[labels.length - 1];
        const kept = labels.slice(0, 1);
        const areApart = (a, b) => b.at - a.at >= (a.width + b.width) / 2 + GAP;
        for (const label of labels.slice(1, -1)) {
            if (areApart(kept[kept.length - 1], label) && areApart(label, last)) {
                kept.push(label);
            }
        }
        return labels.length > 1 && areApart(kept[kept.length - 1], last) ? [...kept, last] : kept;
    }

    function place(x, width, values, text, measure) {
        const scale = makeScale(x, [0, width]);
        const half = scale.bandwidth ? scale.bandwidth() / 2 : 0;
        return values.map((value) => ({value, at: scale(value) + half, width: measure(text(value))}))
            .sort((a, b) => a.at - b.at);
    }

    /* Numbers below, between margins that the first and the last reach into. */
    function numbersOf(x, left, outerWidth, measure) {
        const text = writer(x);
        const ends = x.domain.map((value) => measure(text(value)));
        const margin = {left: Math.max(left, ends[0] / 2 + 2), right: Math.max(10, ends[1] / 2 + 2)};
        const width = Math.max(40, outerWidth - margin.left - margin.right);
        const room = Math.max(2, Math.floor(width / (Math.max(...ends) + 24)));
        const labels = place(x, width, tickValues(x, makeScale(x, [0, 1]), room), text, measure);
        return {...margin, width, foot: 22, way: WAYS[0], text, values: apart(labels).map((label) => label.value)};
    }

    /* Names below that stand in one way: where they would run into each other, `fits` is false. */
    function namesOf(x, left, outerWidth, measure, way) {
        const margin = {left, right: 6};
        const isLevel = way.angle === 0;
        let labels = [];
        let width = 0;
        for (let pass = 0; pass < 4; pass += 1) { // wider margins move the names, but less each time
            width = Math.max(40, outerWidth - margin.left - margin.right);
            labels = place(x, width, x.domain, String, measure);
            for (const {at, width: wide} of labels) {
                const before = isLevel ? wide / 2 : wide * way.across + FONT / 2;
                const behind = isLevel ? wide / 2 : FONT / 2;
                margin.left = Math.max(margin.left, Math.ceil(before - at) + 1);
                margin.right = Math.max(margin.right, Math.ceil(at + behind - width) + 1);
            }
        }
        const step = labels.length > 1 ? labels[1].at - labels[0].at : width;
        const fits = margin.left <= Math.max(left, outerWidth * 0.35) && (isLevel
            ? labels.every((label, i) => i === 0 ||
                label.at - labels[i - 1].at >= (label.width + labels[i - 1].width) / 2 + GAP)
            : step * way.down >= FONT * 1.15);
        const longest = d3.max(labels, (label) => label.width) || 0;
        const room = Math.max(1, Math.floor(width / (FONT * 1.15)));
        return {...margin, width, way, fits, text: String, values: thin(x.domain, room),
            foot: isLevel ? 22 : Math.ceil(longest * way.down + FONT * way.across) + 12};
    }

    function columnsOf(x, left, outerWidth, measure) {
        if (isContinuous(x)) {
            return numbersOf(x, left, outerWidth, measure);
        }
        const ways = WAYS.map((way) => namesOf(x, left, outerWidth, measure, way));
        return ways.find((way) => way.fits) || ways[ways.length - 1];
    }

    // ---- drawing ----

    /* A name that is longer than all of its room is drawn narrower, not cut. */
    function drawY(area, axis, scale, rows, width, left) {
        const group = area.append("g").attr("class", "axis y");
        const made = d3.axisLeft(scale).tickValues(rows.values).tickFormat(rows.text);
        group.call(made.tickSize(isContinuous(axis) ? -width : 0).tickPadding(6));
        group.select(".domain").remove();
        group.selectAll(".tick text").filter(function () {
            return this.getComputedTextLength() > left - 8;
        }).attr("textLength", left - 8).attr("lengthAdjust", "spacingAndGlyphs");
    }

    function drawX(area, axis, scale, columns, height) {
        const group = area.append("g").attr("class", "axis x").attr("transform", `translate(0,${height})`);
        group.call(d3.axisBottom(scale).tickValues(columns.values).tickFormat(columns.text)
            .tickSizeOuter(0).tickSize(isContinuous(axis) ? 5 : 0).tickPadding(6));
        if (columns.way.angle !== 0) {
            group.selectAll(".tick text").attr("text-anchor", "end").attr("x", 0).attr("y", 0).attr("dy", "0.35em")
                .attr("transform", `translate(0,10) rotate(${columns.way.angle})`);
        }
    }

    /* The first of the lines stands at y. */
    function write(area, className, words, x, y, anchor) {
        words.forEach((line, i) => area.append("text").attr("class", `axis-label ${className}`)
            .attr("text-anchor", anchor).attr("x", x).attr("y", y + i * LINE).text(line));
    }

    /* Draws both axes into the svg, which becomes higher where its labels need that, and returns the
     * inner group with what a plot draws by: {area, x, y, width, height}. */
    function draw(svg, x, y, outerWidth, outerHeight) {
        const measure = ruler(svg, "axis");
        const measureLabel = ruler(svg, "axis-label");
        const rows = rowsOf(y, outerHeight, measure);
        const left = Math.min(outerWidth * MOST_LEFT, Math.max(28, rows.width + 10));
        const columns = columnsOf(x, left, outerWidth, measure);
        const above = lines(format.label(y), outerWidth - 4, measureLabel);
        const below = lines(format.label(x), columns.left + columns.width - 2, measureLabel);
        const top = above.length > 0 ? above.length * LINE + 10 : 8;
        const bottom = columns.foot + (below.length > 0 ? below.length * LINE + 4 : 0);
        const height = Math.max(LEAST, outerHeight - top - bottom);
        const scales = {x: makeScale(x, [0, columns.width]), y: makeScale(y, [height, 0])};
        const whole = top + height + bottom;
        svg.attr("height", whole).attr("viewBox", `0 0 ${outerWidth} ${whole}`);
        const area = svg.append("g").attr("transform", `translate(${columns.left},${top})`);
        drawY(area, y, scales.y, rows, columns.width, columns.left);
        drawX(area, x, scales.x, columns, height);
        write(area, "y", above, -columns.left + 2, -10 - (above.length - 1) * LINE, "start");
        write(area, "x", below, columns.width, height + columns.foot + 12, "end");
        return {area, x: scales.x, y: scales.y, width: columns.width, height};
    }

    return {draw, ownTicks};
})();
