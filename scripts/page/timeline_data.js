/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The timeline of a report's data (docs/do/profile.md, "The timeline"), ready to draw: tracks of rows of
 * slices, with times in ps. A track is {name, kind, rows, cycle}, where cycle is {ps, name} of the clock that
 * counts there; a row has `begin` and `end`, in ascending order, and the slices' other arrays. */
"use strict";

const timelineData = (() => {
    const MEMBERS = ["others", "idle", "name", "amount", "ready", "flags", "channel", "wanted"];
    const RESTARTED = 1;
    const YIELDED = 2;

    function decodeRow(raw, unitPs) {
        const count = raw.length.length;
        const row = {track: raw.track, number: raw.number, context: raw.context, count,
            begin: new Float64Array(count), end: new Float64Array(count)};
        let at = 0;
        for (let i = 0; i < count; i++) {
            at += raw.gap ? raw.gap[i] : 0;
            row.begin[i] = at * unitPs;
            at += raw.length[i];
            row.end[i] = at * unitPs;
        }
        for (const member of MEMBERS) {
            row[member] = raw[member] || new Uint8Array(count);
        }
        row.idle = Float64Array.from(row.idle, (idle) => idle * unitPs);
        return row;
    }

    /* Runs stand in the report beside it; where there is but one, it is all of the time. */
    function runTrack(data, cycle) {
        const named = data.runs.named;
        const end = Float64Array.from(named, (run) => run.end_ps);
        const row = {track: "run", count: named.length, begin: end.map((_, i) => (i > 0 ? end[i - 1] : 0)), end,
            names: named.map((run) => run.name)};
        MEMBERS.forEach((member) => {
            row[member] = new Uint8Array(named.length);
        });
        return named.length > 1 ? [{name: "runs", kind: "slices", rows: [row], cycle}] : [];
    }

    /* A counter's values, and the most of them. */
    function valuesOf(row) {
        row.values = Float64Array.from(row.amount, (amount, i) =>
            (row.track === "dram" ? 1e3 * amount / (row.end[i] - row.begin[i] - row.idle[i]) : amount));
        row.most = d3.max(row.values);
        return row;
    }

    /* All rows of a track, those of a compute unit by context. */
    function tracks(data, rows) {
        const own = data.timeline;
        const agg = {ps: own.agg_cycle_ps, name: "aggregator cycles"};
        const gpu = {ps: own.gpu_cycle_ps, name: "GPU cycles"};
        const of = (track) => rows.filter((row) => row.track === track);
        const units = d3.nest().key((row) => row.number).entries(of("cu"));
        return [
            ...runTrack(data, agg),
            ...of("phases").map((row) => ({name: "phases", kind: "slices", rows: [row], cycle: agg})),
            ...of("dram").map((row) => ({name: "DRAM", kind: "counter", unit: "GB/s", rows: [valuesOf(row)], cycle: gpu})),
            ...units.map((unit) => ({name: `CU ${unit.key}`, kind: "slices", rows: unit.values, cycle: gpu})),
            ...of("channel").map((row) => ({name: data.channels.names[row.number], kind: "counter",
                rows: [valuesOf(row)], cycle: gpu})),
        ];
    }

    function decode(data) {
        const rows = data.timeline.rows.map((raw) => decodeRow(raw, data.timeline.unit_ps));
        const made = tracks(data, rows);
        made.forEach((track) => track.rows.forEach((row) => {
            row.of = track;
        }));
        return {...data.timeline, tracks: made, rows: d3.merge(made.map((track) => track.rows))};
    }

    /* The first slice that ends after a time; `count` where there is none. */
    function firstAfter(row, ps) {
        return d3.bisectRight(row.end, ps);
    }

    /* The slice at a time, or the nearest within so many ps; else -1. */
    function nearest(row, ps, reachPs) {
        const after = firstAfter(row, ps);
        const distance = (i) => (i < 0 || i >= row.count ? Infinity : Math.max(0, row.begin[i] - ps, ps - row.end[i]));
        const found = distance(after - 1) < distance(after) ? after - 1 : after;
        return distance(found) <= reachPs ? found : -1;
    }

    function nameOf(own, row, i) {
        switch (row.track) {
        case "run":
            return row.names[i];
        case "phases":
            return own.phases[row.name[i]] || "?";
        case "cu":
            return own.kernels[row.name[i]];
        default:
            return row.of.name;
        }
    }

    function placeOf(row) {
        return row.track === "cu" ? `${row.of.name}, context ${row.context}` : row.of.name;
    }

    const NOUNS = {phases: "phases", cu: "wavefronts", dram: "intervals", channel: "states", run: "runs"};

    // ---- times ----

    const places = d3.format(",.4~f");

    function time(ps) {
        return `${places(ps / 1e6)} us`;
    }

    function cycles(row, ps) {
        return `${format.number(Math.round(ps / row.of.cycle.ps))} ${row.of.cycle.name}`;
    }

    /* What a slice of several has to say first. */
    function merged(own, row, i) {
        if (row.others[i] === 0) {
            return [];
        }
        const longest = row.track === "phases" || row.track === "cu" ? `, longest: ${nameOf(own, row, i)}` : "";
        return [["drawn as one", `${format.number(row.others[i] + 1)} ${NOUNS[row.track]}${longest}`],
            ["busy", `${format.number(100 * (1 - row.idle[i] / (row.end[i] - row.begin[i])))} % of it`]];
    }

    function yielding(data, row, i) {
        const lines = row.flags[i] & RESTARTED ? [["restarted", "yes"]] : [];
        if (row.flags[i] & YIELDED) {
            lines.push(["yields for", `${format.number(row.wanted[i])} of ${data.channels.names[row.channel[i]]}`]);
        }
        return lines;
    }

    const CONTENT = {
        dram: (data, row, i) => [["bandwidth", `${format.number(row.values[i])} GB/s`]],
        channel: (data, row, i) => [["ready", format.number(row.ready[i])],
            ["others held", format.number(row.amount[i] - row.ready[i])]],
        cu: (data, row, i) => [["elements", format.number(row.amount[i])], ...yielding(data, row, i)],
    };

    /* Title and lines about a slice: the tooltip's, and the words of a table. */
    function tell(data, own, row, i) {
        const length = row.end[i] - row.begin[i];
        const content = CONTENT[row.track] ? CONTENT[row.track](data, row, i) : [];
        const lines = [["track", placeOf(row)], ["from", time(row.begin[i])], ["at", cycles(row, row.begin[i])],
            ["takes", cycles(row, length)], ["", `${places(length / 1e3)} ns`], ...merged(own, row, i), ...content];
        return {title: row.others[i] > 0 ? `${format.number(row.others[i] + 1)} ${NOUNS[row.track]}`
            : nameOf(own, row, i), rows: lines.map(([name, value]) => ({name, value}))};
    }

    /* The longest slices of rows of a kind: [row, number], longest first. */
    function longest(own, track, most) {
        const all = d3.merge(own.rows.filter((row) => row.track === track)
            .map((row) => d3.range(row.count).map((i) => [row, i])));
        return all.sort(([a, i], [b, k]) => (b.end[k] - b.begin[k]) - (a.end[i] - a.begin[i])).slice(0, most);
    }

    /* Wavefronts resident in each of so many parts of the time. */
    function resident(own, parts) {
        const steps = new Float64Array(parts + 2);
        for (const row of own.rows.filter((one) => one.track === "cu")) {
            for (let i = 0; i < row.count; i++) {
                steps[Math.floor(row.begin[i] / own.end_ps * parts)] += 1;
                steps[Math.ceil(row.end[i] / own.end_ps * parts)] -= 1;
            }
        }
        let sum = 0;
        return Array.from(steps.subarray(0, parts), (step) => (sum += step));
    }

    return {RESTARTED, YIELDED, decode, firstAfter, nearest, nameOf, placeOf, time, tell, longest, resident};
})();
