/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The section "Timeline" of a run's page: what is seen of it, and how wheel, pointer, keys and buttons change
 * that. The data are in timeline_data.js, the pictures in timeline_canvas.js. */
"use strict";

const timeline = (() => {
    const HIGHEST = 520; // pixels of the tracks' box
    const OVERVIEW = 52;
    const LEFT = [110, 200]; // for the tracks' names, at most a quarter
    const NEAR = 3; // pixels from a slice to a pointer that means it
    const EDGE = 7; // likewise, from an end of the brush
    const LEAST = 20; // units of time, the least that is seen
    const ALL = 0.999; // of the time
    const STEP = 1.5; // of a zoom
    const LISTED = 10; // longest slices of a kind
    const HELP = "Wheel: zoom. Drag: move. Keys: arrows choose a slice, Shift+arrows move, + and - zoom, 0 shows all.";

    /* What is seen, and the elements that show it. */
    let shown = null;

    function clamp(value, least, most) {
        return Math.max(least, Math.min(value, most));
    }

    // ---- drawing ----

    function right() {
        return shown.width - 2;
    }

    function xOf(ps) {
        return shown.left + (ps - shown.from) / (shown.to - shown.from) * (right() - shown.left);
    }

    function psAt(x) {
        return shown.from + (x - shown.left) / (right() - shown.left) * (shown.to - shown.from);
    }

    function paint() {
        const {own, from, to, left, width, chosen} = shown;
        const scroll = shown.scroller.node().scrollTop;
        timelineCanvas.draw(shown.tracks.node(), own, {from, to, left, width, chosen, scroll,
            height: shown.scroller.node().clientHeight});
        timelineCanvas.drawOverview(shown.overview.node(), own, {from, to, left, width, height: OVERVIEW});
        shown.range.text(`${timelineData.time(from)} to ${timelineData.time(to)} of ${timelineData.time(own.end_ps)}`);
    }

    /* At the next picture of the screen, however often it is asked for until then. */
    function repaint() {
        if (!shown.isAsked) {
            shown.isAsked = true;
            window.requestAnimationFrame(() => {
                shown.isAsked = false;
                paint();
            });
        }
    }

    function resize() {
        const width = shown.scroller.node().clientWidth;
        if (width > 0) {
            shown.width = width;
            shown.left = Math.min(shown.names, Math.round(width / 4));
            paint();
        }
    }

    // ---- what is seen ----

    /* Nearly all is all: less than a pixel would be left of it, which no brush could move in. */
    function see(from, to) {
        const {own} = shown;
        const wanted = to - from > ALL * own.end_ps ? own.end_ps : to - from;
        const length = clamp(wanted, Math.min(own.end_ps, LEAST * own.unit_ps), own.end_ps);
        shown.from = clamp(from, 0, own.end_ps - length);
        shown.to = shown.from + length;
        tooltip.hide();
        repaint();
    }

    function isWhole() {
        return shown.from === 0 && shown.to === shown.own.end_ps;
    }

    /* The time at `about` stays where it is. */
    function zoom(factor, about) {
        const ps = about === undefined ? (shown.from + shown.to) / 2 : about;
        const [from, to] = [ps - (ps - shown.from) * factor, ps + (shown.to - ps) * factor];
        see(from, to);
    }

    function move(ps) {
        see(shown.from + ps, shown.to + ps);
    }

    function whole() {
        see(0, shown.own.end_ps);
    }

    // ---- the slice under the pointer or chosen by keys ----

    function boxOf({row, i}) {
        const at = shown.tracks.node().getBoundingClientRect();
        const y = at.top + timelineCanvas.yOf(shown.own, row, shown.scroller.node().scrollTop);
        return {left: at.left + clamp(xOf(row.begin[i]), shown.left, right()),
            right: at.left + clamp(xOf(row.end[i]), shown.left, right()), top: y, bottom: y + row.height};
    }

    function choose(chosen, pointerX) {
        shown.chosen = chosen;
        tooltip.hide();
        paint();
        if (chosen !== null) {
            const box = boxOf(chosen);
            const at = pointerX === undefined ? {} : {left: pointerX, right: pointerX};
            tooltip.tell(timelineData.tell(shown.data, shown.own, chosen.row, chosen.i), {...box, ...at});
        }
    }

    function find(event) {
        const at = shown.tracks.node().getBoundingClientRect();
        const [x, y] = [event.clientX - at.left, event.clientY - at.top];
        const row = x < shown.left ? undefined : timelineCanvas.rowAt(shown.own, y, shown.scroller.node().scrollTop);
        const reach = psAt(NEAR) - psAt(0);
        const i = row === undefined ? -1 : timelineData.nearest(row, psAt(x), reach);
        return i < 0 ? null : {row, i};
    }

    /* Brings the slice into view: no zoom, but the least way along both axes. */
    function reveal({row, i}) {
        const length = shown.to - shown.from;
        const [begin, end] = [row.begin[i], row.end[i]];
        if (end < shown.from + length * 0.02 || begin > shown.to - length * 0.02) {
            const middle = Math.min((begin + end) / 2, begin + length / 2);
            see(middle - length / 2, middle + length / 2);
        }
        const node = shown.scroller.node();
        if (!row.of.isFixed) {
            const room = node.clientHeight - shown.own.top;
            node.scrollTop = clamp(node.scrollTop, row.y + row.height - room, row.y);
        }
    }

    function go(chosen) {
        reveal(chosen);
        choose(chosen);
    }

    function isChosenSeen() {
        return shown.chosen !== null && shown.chosen.row.end[shown.chosen.i] > shown.from &&
            shown.chosen.row.begin[shown.chosen.i] < shown.to;
    }

    /* The first in view, of the first row. */
    function first() {
        const {own, from} = shown;
        const row = own.rows[0];
        return {row, i: Math.min(row.count - 1, timelineData.firstAfter(row, from))};
    }

    function chooseBeside(step) {
        const {chosen} = shown;
        go(isChosenSeen() ? {row: chosen.row, i: clamp(chosen.i + step, 0, chosen.row.count - 1)} : first());
    }

    /* In the next row, what is there at the same time. */
    function chooseRow(step) {
        if (!isChosenSeen()) {
            go(first());
            return;
        }
        const {rows} = shown.own;
        const {row, i} = shown.chosen;
        const next = rows[clamp(rows.indexOf(row) + step, 0, rows.length - 1)];
        const ps = clamp(row.begin[i], shown.from, shown.to);
        go(next === row ? {row, i} : {row: next, i: timelineData.nearest(next, ps, Infinity)});
    }

    // ---- keys, wheel, pointers ----

    function aboutChosen() {
        if (!isChosenSeen()) {
            return undefined;
        }
        const {row, i} = shown.chosen;
        return clamp((row.begin[i] + row.end[i]) / 2, shown.from, shown.to);
    }

    function zoomChosen(factor) {
        zoom(factor, aboutChosen());
        if (isChosenSeen()) {
            choose(shown.chosen);
        }
    }

    const KEYS = {
        "ArrowRight": () => chooseBeside(1),
        "ArrowLeft": () => chooseBeside(-1),
        "ArrowDown": () => chooseRow(1),
        "ArrowUp": () => chooseRow(-1),
        "Shift+ArrowRight": () => move((shown.to - shown.from) / 4),
        "Shift+ArrowLeft": () => move((shown.from - shown.to) / 4),
        "Shift+ArrowDown": () => scrollTracks(80),
        "Shift+ArrowUp": () => scrollTracks(-80),
        "+": () => zoomChosen(1 / STEP),
        "=": () => zoomChosen(1 / STEP),
        "-": () => zoomChosen(STEP),
        "0": whole,
        "Home": whole,
        "Escape": () => choose(null),
    };

    function scrollTracks(pixels) {
        shown.scroller.node().scrollTop += pixels;
    }

    function onKey(event) {
        const arrows = event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "";
        const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : KEYS[arrows + event.key];
        if (act !== undefined) {
            event.preventDefault();
            act();
        }
    }

    /* With all in view, a wheel that would show more scrolls the page. Shift scrolls tracks. */
    function onWheel(event) {
        const along = Math.abs(event.deltaX) > Math.abs(event.deltaY) && !event.shiftKey;
        if (event.shiftKey) {
            event.preventDefault();
            scrollTracks(event.deltaY || event.deltaX);
        } else if (along) {
            event.preventDefault();
            move(psAt(event.deltaX) - psAt(0));
        } else if (event.deltaY < 0 || !isWhole()) {
            event.preventDefault();
            const at = shown.tracks.node().getBoundingClientRect();
            const x = clamp(event.clientX - at.left, shown.left, right());
            zoom(Math.exp(clamp(event.deltaY, -300, 300) / 400), psAt(x));
        }
    }

    /* Lets a canvas be dragged: begin(event) gives what follows each move, or nothing. */
    function drag(node, begin) {
        let follow = null;
        node.addEventListener("pointerdown", (event) => {
            if (event.button === 0) {
                follow = begin(event);
                node.setPointerCapture(event.pointerId);
            }
        });
        node.addEventListener("pointermove", (event) => follow && follow(event));
        for (const end of ["pointerup", "pointercancel"]) {
            node.addEventListener(end, () => {
                follow = null;
            });
        }
        return () => follow !== null;
    }

    /* The time and the track under the pointer stay there. */
    function dragTracks(event) {
        const begin = {x: event.clientX, y: event.clientY, from: shown.from, to: shown.to,
            top: shown.scroller.node().scrollTop};
        const perPixel = (shown.to - shown.from) / (right() - shown.left);
        return (now) => {
            const by = (begin.x - now.clientX) * perPixel;
            see(begin.from + by, begin.to + by);
            if (event.pointerType === "mouse") {
                shown.scroller.node().scrollTop = begin.top + begin.y - now.clientY;
            }
        };
    }

    /* An end of the brush, all of it, or a new one. */
    function dragBrush(event) {
        const left = shown.overview.node().getBoundingClientRect().left;
        const perPixel = shown.own.end_ps / (right() - shown.left);
        const at = (one) => clamp((one.clientX - left - shown.left) * perPixel, 0, shown.own.end_ps);
        const begin = {ps: at(event), from: shown.from, to: shown.to};
        const isNear = (ps) => Math.abs(begin.ps - ps) < EDGE * perPixel;
        const between = (one, other) => see(Math.min(one, other), Math.max(one, other));
        if (!isWhole() && (isNear(begin.from) || isNear(begin.to))) {
            const other = isNear(begin.from) ? begin.to : begin.from;
            return (now) => between(at(now), other);
        }
        if (!isWhole() && begin.ps > begin.from && begin.ps < begin.to) {
            return (now) => see(begin.from + at(now) - begin.ps, begin.to + at(now) - begin.ps);
        }
        return (now) => between(begin.ps, at(now));
    }

    function listen() {
        const tracks = shown.tracks.node();
        const isDragged = drag(tracks, dragTracks);
        drag(shown.overview.node(), dragBrush);
        tracks.addEventListener("pointermove", (event) => !isDragged() && choose(find(event), event.clientX));
        tracks.addEventListener("click", (event) => choose(find(event), event.clientX));
        tracks.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && choose(null));
        tracks.addEventListener("blur", () => choose(null));
        tracks.addEventListener("keydown", onKey);
        tracks.addEventListener("wheel", onWheel, {passive: false});
        shown.overview.node().addEventListener("dblclick", whole);
        shown.scroller.node().addEventListener("scroll", () => {
            tooltip.hide();
            repaint();
        });
        new ResizeObserver(resize).observe(shown.scroller.node());
        for (const query of ["(prefers-color-scheme: dark)", "print"]) {
            window.matchMedia(query).addEventListener("change", paint);
        }
    }

    // ---- the section ----

    function tools(parent) {
        const bar = parent.append("div").attr("class", "timeline-tools").attr("role", "toolbar")
            .attr("aria-label", "What is seen of the timeline");
        const buttons = [["+", "Zoom in", () => zoom(1 / STEP / STEP)], ["−", "Zoom out", () => zoom(STEP * STEP)],
            ["←", "Earlier", () => move((shown.from - shown.to) / 2)],
            ["→", "Later", () => move((shown.to - shown.from) / 2)],
            ["Whole run", null, whole]];
        for (const [words, name, act] of buttons) {
            bar.append("button").attr("type", "button").attr("title", name).attr("aria-label", name)
                .text(words).on("click", act);
        }
        shown.range = bar.append("span").attr("class", "timeline-range");
    }

    function legend(parent) {
        const {own} = shown;
        const list = parent.append("ul").attr("class", "legend");
        const item = (words, colour, kind) => {
            const line = list.append("li").attr("class", kind);
            line.append("span").attr("class", `key s${colour} ${kind}`);
            line.append("span").text(words);
        };
        const group = (words) => list.append("li").attr("class", "of").text(words);
        group("Phases:");
        own.phaseNames.forEach((name, i) => item(name, i, ""));
        group("Wavefronts of:");
        own.kernels.forEach((name, i) => item(name, own.kernelColour(i), ""));
        const flags = d3.merge(own.rows.map((row) => Array.from(row.flags))).reduce((all, one) => all | one, 0);
        if (flags !== 0) {
            item("yields", 0, "yielded");
            item("restarted", 0, "restarted");
        }
        if (own.rows.some((row) => row.track === "channel")) {
            group("Channels:");
            item("ready", 1, "");
            item("other elements held", 7, "");
        }
        if (own.step_ps > 0) {
            item("several drawn as one", 0, "several");
        }
    }

    /* What is not as it was: nothing is left out in silence. */
    function notes(own) {
        const said = [];
        if (own.step_ps > 0) {
            said.push(`${format.number(own.events)} events are drawn as ${format.number(own.slices)} slices: those of a ` +
                `row that lie within the same ${timelineData.time(own.step_ps)} are one slice, which says how many they ` +
                "are. The file of `--timeline` has each.");
        }
        if (own.lost > 0) {
            said.push(`${format.number(own.lost)} records from ${timelineData.time(own.first_lost_ps)} on were lost (hatched): ` +
                "`timeline.events` is too small.");
        }
        return said.join("\n\n");
    }

    function longestTable(data) {
        const {own} = shown;
        const most = d3.merge(["phases", "cu"].map((track) => timelineData.longest(own, track, LISTED)));
        return {
            title: "The longest phases and wavefronts",
            columns: [{name: "event"}, {name: "track"}, {name: "from", unit: "us", number: true},
                {name: "takes", unit: "ns", number: true}, {name: "takes", unit: "cycles of its clock", number: true}],
            rows: most.map(([row, i]) => [timelineData.tell(data, own, row, i).title, timelineData.placeOf(row),
                row.begin[i] / 1e6, (row.end[i] - row.begin[i]) / 1e3,
                Math.round((row.end[i] - row.begin[i]) / row.of.cycle.ps)]),
        };
    }

    function spoken(own) {
        return `Timeline with the tracks ${own.tracks.map((track) => track.name).join(", ")}. ${HELP} ` +
            "The longest events are in the table below.";
    }

    function add(parent, data) {
        const own = timelineData.decode(data);
        /* Phases have the colours of their plot, kernels those that are left first. */
        own.phaseNames = Object.keys(data.phases_ps).filter((name) => d3.sum(data.phases_ps[name]) > 0);
        own.phaseColour = (phase) => Math.max(0, own.phaseNames.indexOf(own.phases[phase])) % series.COLOURS;
        own.kernelColour = (kernel) => (own.phaseNames.length + kernel) % series.COLOURS;
        timelineCanvas.arrange(own);
        shown = {data, own, from: 0, to: own.end_ps, chosen: null, isAsked: false, width: 0, left: 0,
            names: clamp(timelineCanvas.widthOfNames(own), ...LEFT)};
        text.paragraphs(parent, notes(own), "timeline-note");
        const box = parent.append("figure").attr("class", "timeline");
        legend(box);
        tools(box);
        shown.overview = box.append("canvas").attr("class", "timeline-overview").attr("aria-hidden", true);
        const height = Math.min(HIGHEST, own.height);
        shown.scroller = box.append("div").attr("class", "timeline-scroll").style("height", `${height + 2}px`);
        shown.tracks = shown.scroller.append("canvas").attr("class", "timeline-tracks").attr("tabindex", 0)
            .attr("role", "application").attr("aria-label", spoken(own));
        shown.scroller.append("div").style("height", `${own.height - height}px`);
        box.append("p").attr("class", "plot-about").text(HELP + " In the strip above, drag a part to see it.");
        table.add(parent, longestTable(data));
        resize();
        listen();
    }

    function draw(parent, data) {
        if (data.timeline) {
            add(parent, data);
        } else {
            text.paragraphs(parent, "With `--timeline FILE`, too, the page shows each phase and wavefront.");
        }
    }

    /* The place of a slice's visible middle in the window, for what looks at the page from outside. */
    function locate(track, number, context, i) {
        const row = shown.own.rows.find((one) => one.track === track && (number === null || one.number === number) &&
            (context === null || one.context === context));
        reveal({row, i});
        paint();
        const box = boxOf({row, i});
        return [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    }

    return {draw, locate};
})();
