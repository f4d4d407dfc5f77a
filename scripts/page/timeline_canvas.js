/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Draws a timeline (timeline_data.js) on canvases, since its slices are too many for elements. What is
 * narrower than a pixel takes one, and what would fall on a pixel of its row that is taken already is not
 * drawn again: a picture costs what its pixels do. */
"use strict";

const timelineCanvas = (() => {
    const AXIS = 24; // pixels, as what follows
    const FIXED = 20; // a row that does not scroll
    const COUNTER = 24;
    const UNIT = 120; // a compute unit's rows, where there are many
    const BETWEEN = 6;
    const NAME = 26; // the narrowest slice with a name
    const FONT = '11px system-ui, -apple-system, "Segoe UI", "Noto Sans", "Liberation Sans", Arial, sans-serif';
    const SEVERAL = 0.55; // opacity of slices that stand for several

    // ---- where things are ----

    function rowHeight(track) {
        return track.kind === "counter" ? COUNTER : Math.max(3, Math.min(14, Math.floor(UNIT / track.rows.length)));
    }

    function isFixed(track) {
        return track.name === "runs" || track.name === "phases";
    }

    /* Gives each row its place: in the part that stays, or below it in the part that scrolls. */
    function arrange(own) {
        let [fixed, scrolled] = [AXIS, 0];
        for (const track of own.tracks) {
            track.isFixed = isFixed(track);
            const height = track.isFixed ? FIXED : rowHeight(track);
            track.y = track.isFixed ? fixed : scrolled;
            track.rows.forEach((row, i) => Object.assign(row, {y: track.y + i * height, height}));
            track.height = track.rows.length * height;
            fixed += track.isFixed ? track.height + 2 : 0;
            scrolled += track.isFixed ? 0 : track.height + BETWEEN;
        }
        own.top = fixed + BETWEEN;
        own.height = own.top + scrolled;
    }

    /* The place of a row on the canvas. */
    function yOf(own, row, scroll) {
        return row.of.isFixed ? row.y : own.top + row.y - scroll;
    }

    function rowAt(own, y, scroll) {
        const isIn = (row) => y >= yOf(own, row, scroll) && y < yOf(own, row, scroll) + row.height;
        return own.rows.find((row) => row.of.isFixed === (y < own.top) && isIn(row));
    }

    // ---- colours ----

    function isDark(hex) {
        const [r, g, b] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
        return 0.299 * r + 0.587 * g + 0.114 * b < 140;
    }

    /* As the page has them now. */
    function palette() {
        const style = getComputedStyle(document.documentElement);
        const of = (name) => style.getPropertyValue(`--${name}`).trim();
        const series = d3.range(8).map((i) => of(`c${i}`));
        return {series, on: series.map((colour) => (isDark(colour) ? "#ffffff" : "#14181d")), ink: of("ink"),
            faint: of("faint"), line: of("line"), ground: of("ground"), raised: of("raised"), bad: of("bad"), good: of("good"),
            link: of("link")};
    }

    function colourOf(own, row, i) {
        switch (row.track) {
        case "run":
            return i % 2 === 0 ? 7 : 6;
        case "phases":
            return own.phaseColour(row.name[i]);
        default:
            return own.kernelColour(row.name[i]);
        }
    }

    // ---- slices ----

    /* Calls f(i, x, end) for the slices of a row that can be seen, none of them on a pixel that the one before took. */
    function eachSeen(frame, row, f) {
        const {x, from, to, left, right} = frame;
        let taken = -1;
        for (let i = timelineData.firstAfter(row, from); i < row.count && row.begin[i] < to; i++) {
            const begin = Math.max(left, x(row.begin[i]));
            const end = Math.min(right, x(row.end[i]));
            const last = Math.floor(Math.max(end - 0.01, begin));
            if (last > taken || end - begin >= 1) {
                f(i, begin, Math.max(end, begin + 1));
                taken = last;
            }
        }
    }

    function drawName(frame, words, x, end, y, height, colour) {
        const {context} = frame;
        context.save();
        context.beginPath();
        context.rect(x, y, end - x - 2, height);
        context.clip();
        context.fillStyle = colour;
        context.fillText(words, x + 3, y + height / 2 + 0.5);
        context.restore();
    }

    function drawMarks(frame, row, i, x, end, y) {
        const {context, colours} = frame;
        if (row.flags[i] & timelineData.RESTARTED) {
            context.fillStyle = colours.good;
            context.fillRect(x, y, 2, row.height);
        }
        if (row.flags[i] & timelineData.YIELDED) {
            context.fillStyle = colours.bad;
            context.fillRect(end - 2, y, 2, row.height);
        }
    }

    function drawSlices(frame, row, y) {
        const {context, own, colours} = frame;
        const gap = row.height > 4 ? 1 : 0.5;
        eachSeen(frame, row, (i, x, end) => {
            const colour = colourOf(own, row, i);
            context.globalAlpha = row.others[i] > 0 ? SEVERAL : 1;
            context.fillStyle = colours.series[colour];
            context.fillRect(x, y, end - x > 3 ? end - x - 0.5 : end - x, row.height - gap);
            context.globalAlpha = 1;
            if (end - x > 6 && row.flags[i] !== 0) {
                drawMarks(frame, row, i, x, end, y);
            }
            if (end - x > NAME && row.height >= 12) {
                const words = row.others[i] > 0 ? `${row.others[i] + 1}` : timelineData.nameOf(own, row, i);
                drawName(frame, words, x, end, y, row.height - gap, row.others[i] > 0 ? colours.ink : colours.on[colour]);
            }
        });
    }

    /* An area: its height is the row's for the most that the row has. */
    function drawCounter(frame, row, y) {
        const {context, colours} = frame;
        const room = row.height - 3;
        const bottom = y + row.height - 1;
        const isChannel = row.track === "channel";
        eachSeen(frame, row, (i, x, end) => {
            const height = Math.max(1, room * row.values[i] / row.most);
            const ready = isChannel ? room * row.ready[i] / row.most : 0;
            context.fillStyle = colours.series[isChannel ? 7 : 0];
            context.fillRect(x, bottom - height, end - x, height);
            context.fillStyle = colours.series[1];
            context.fillRect(x, bottom - ready, end - x, ready);
        });
        context.fillStyle = colours.line;
        context.fillRect(frame.left, bottom, frame.right - frame.left, 1);
    }

    /* Its end, which tells levels of a stack apart. */
    function shortened(context, words, room) {
        let from = 0;
        while (from < words.length && context.measureText(from > 0 ? `…${words.slice(from)}` : words).width > room) {
            from++;
        }
        return from > 0 ? `…${words.slice(from)}` : words;
    }

    /* The room that the tracks' names want. */
    function widthOfNames(own) {
        const context = document.createElement("canvas").getContext("2d");
        context.font = FONT;
        return d3.max(own.tracks, (track) => context.measureText(`${track.name} 1,000 ${track.unit || ""}`).width) + 14;
    }

    /* With what a counter's full height is. */
    function drawTrackName(frame, track, y) {
        const {context, colours, left} = frame;
        const number = track.kind === "counter" ? format.number(track.rows[0].most) : "";
        const isNarrow = context.measureText(`${track.name} ${number} ${track.unit || ""}`).width > left - 12;
        const most = isNarrow ? number : format.withUnit(number, track.unit);
        const room = left - (most ? context.measureText(most).width + 6 : 4);
        drawName(frame, shortened(context, track.name, room - 6), 0, room, y, Math.min(track.height, 20), colours.ink);
        if (most) {
            context.fillStyle = colours.faint;
            context.textAlign = "right";
            context.fillText(most, left - 4, y + 10.5);
            context.textAlign = "left";
        }
    }

    function drawTrack(frame, track) {
        const {own, scroll, height, context, colours} = frame;
        const y = yOf(own, track.rows[0], scroll);
        if (y > height || y + track.height < (track.isFixed ? 0 : own.top)) {
            return;
        }
        context.fillStyle = colours.raised;
        context.fillRect(frame.left, y, frame.right - frame.left, track.height);
        for (const row of track.rows) {
            const at = yOf(own, row, scroll);
            if (at < height && at + row.height > 0) {
                (track.kind === "counter" ? drawCounter : drawSlices)(frame, row, at);
            }
        }
        drawTrackName(frame, track, y);
    }

    // ---- the rest of the picture ----

    function drawAxis(frame) {
        const {context, colours, from, to, left, right, height} = frame;
        const scale = d3.scaleLinear().domain([from / 1e6, to / 1e6]).range([left, right]);
        const count = Math.max(2, Math.floor((right - left) / 110));
        const words = scale.tickFormat(count);
        for (const tick of scale.ticks(count)) {
            const x = Math.round(scale(tick));
            context.fillStyle = colours.line;
            context.fillRect(x, AXIS - 5, 1, height);
            context.fillStyle = colours.faint;
            const text = `${words(tick)} us`;
            const width = context.measureText(text).width;
            context.fillText(text, Math.min(right - width, Math.max(left, x - width / 2)), 10);
        }
    }

    /* What the simulator had no room for is shown as such. */
    function drawLost(frame, top, bottom) {
        const {context, own, colours, x, right, left} = frame;
        const begin = Math.max(left, x(own.first_lost_ps));
        if (own.lost === 0 || begin >= right) {
            return;
        }
        context.save();
        context.beginPath();
        context.rect(begin, top, right - begin, bottom - top);
        context.clip();
        context.strokeStyle = colours.bad;
        context.globalAlpha = 0.35;
        context.beginPath();
        for (let at = begin - (bottom - top); at < right; at += 10) {
            context.moveTo(at, bottom);
            context.lineTo(at + bottom - top, top);
        }
        context.stroke();
        context.restore();
    }

    function outline(frame, chosen) {
        const {context, own, colours, x, left, right, scroll} = frame;
        const {row, i} = chosen;
        const begin = Math.max(left, x(row.begin[i])) - 1;
        const end = Math.min(right, x(row.end[i])) + 1;
        if (end >= left && begin <= right) {
            context.strokeStyle = colours.ink;
            context.lineWidth = 1.5;
            context.strokeRect(begin, yOf(own, row, scroll) - 1, Math.max(3, end - begin), row.height + 1);
        }
    }

    /* Takes the canvas' size and the screen's pixels, and clears it. */
    function prepare(canvas, width, height) {
        const ratio = window.devicePixelRatio || 1;
        const context = canvas.getContext("2d");
        if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
            canvas.width = Math.round(width * ratio);
            canvas.height = Math.round(height * ratio);
            canvas.style.width = `${width}px`;
            canvas.style.height = `${height}px`;
        }
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, width, height);
        context.font = FONT;
        context.textBaseline = "middle";
        return context;
    }

    /* view is {from, to, left, width, height, scroll, chosen}: what is seen, and where. */
    function draw(canvas, own, view) {
        const right = view.width - 2;
        const frame = {...view, own, right, context: prepare(canvas, view.width, view.height), colours: palette(),
            x: d3.scaleLinear().domain([view.from, view.to]).range([view.left, right])};
        const {context} = frame;
        context.save();
        context.beginPath();
        context.rect(0, own.top, view.width, view.height - own.top);
        context.clip();
        own.tracks.filter((track) => !track.isFixed).forEach((track) => drawTrack(frame, track));
        if (view.chosen && !view.chosen.row.of.isFixed) {
            outline(frame, view.chosen);
        }
        context.restore();
        own.tracks.filter((track) => track.isFixed).forEach((track) => drawTrack(frame, track));
        context.globalCompositeOperation = "destination-over";
        drawAxis(frame);
        context.globalCompositeOperation = "source-over";
        drawLost(frame, AXIS, view.height);
        if (view.chosen && view.chosen.row.of.isFixed) {
            outline(frame, view.chosen);
        }
    }

    // ---- the whole of the time ----

    function drawResident(frame) {
        const {context, own, colours, left, right, height} = frame;
        const parts = Math.max(1, Math.floor(right - left));
        const values = own.resident && own.resident.length === parts ? own.resident : timelineData.resident(own, parts);
        own.resident = values;
        const highest = Math.max(1, d3.max(values));
        context.fillStyle = colours.series[7];
        values.forEach((value, i) => context.fillRect(left + i, height - (height - 12) * value / highest, 1,
            (height - 12) * value / highest));
    }

    /* Phases as a strip, below them how many wavefronts are resident, and the part that is seen. */
    function drawOverview(canvas, own, view) {
        const right = view.width - 2;
        const x = d3.scaleLinear().domain([0, own.end_ps]).range([view.left, right]);
        const frame = {...view, from: 0, to: own.end_ps, own, right, x, colours: palette(),
            context: prepare(canvas, view.width, view.height)};
        const {context, colours} = frame;
        drawName(frame, "whole run", 0, view.left, 0, view.height, colours.ink);
        drawResident(frame);
        own.rows.filter((row) => row.track === "phases").forEach((row) => eachSeen(frame, row, (i, begin, end) => {
            context.fillStyle = colours.series[colourOf(own, row, i)];
            context.fillRect(begin, 0, end - begin, 8);
        }));
        drawLost(frame, 0, view.height);
        context.fillStyle = colours.ground;
        context.globalAlpha = 0.72;
        context.fillRect(view.left, 0, x(view.from) - view.left, view.height);
        context.fillRect(x(view.to), 0, right - x(view.to), view.height);
        context.globalAlpha = 1;
        context.strokeStyle = colours.link;
        context.lineWidth = 2;
        context.strokeRect(x(view.from), 1, Math.max(2, x(view.to) - x(view.from)), view.height - 2);
    }

    return {arrange, widthOfNames, rowAt, yOf, draw, drawOverview, palette};
})();
