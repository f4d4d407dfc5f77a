/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The view "run": a report of the runs of a program. Its data are those of a report
 * (docs/do/profile.md, "The report of a run"): sums in bins of time, drawn here as shares, rates and
 * means. Sections are {name, title, about, top, plots, draw}, top and draw for what is above and below the plots.
 * Plots and tables are those of the other view (panels.js). */
"use strict";

const run = (() => {
    const PS_PER_US = 1e6;
    const LINE_BINS = 128; // of lines, which are hard to follow where they have more
    const LINE_BYTES = 64;
    const TOP_FUNCTIONS = 12;
    const NAMED_RUNS = 6;
    const STATES = {
        waiting: "reserved, and not published yet",
        ready: "published, and not in a wavefront yet, as continuations that the policy holds back",
        dispatched: "in a wavefront, which is resident or has yielded",
        finished: "finished and not deallocated",
    };

    // ---- bins ----

    /* Bins of a report: how long each is, in ps; the last one ends with the runs. */
    function lengths(data, count, binPs) {
        return d3.range(count).map((i) => Math.min(binPs, data.time.end_ps - i * binPs));
    }

    /* Each `factor` values added up to one. */
    function fold(values, factor) {
        return d3.range(Math.ceil(values.length / factor))
            .map((i) => d3.sum(values.slice(i * factor, (i + 1) * factor)));
    }

    function timeAxis(data) {
        return {label: "time", unit: "us", from: 0, to: data.time.end_ps / PS_PER_US};
    }

    /* A series of values at the middles of their bins. */
    function overTime(name, values, binLengths) {
        let begin = 0;
        const points = values.map((y, i) => {
            const x = (begin + binLengths[i] / 2) / PS_PER_US;
            begin += binLengths[i];
            return {x, y};
        });
        return {name, points};
    }

    /* Sums of ps as shares of their bins. */
    function shares(data, members) {
        const of = lengths(data, data.time.bins, data.time.bin_ps);
        return Object.entries(members).filter(([, values]) => d3.sum(values) > 0)
            .map(([name, values]) => overTime(name, values.map((v, i) => 100 * v / of[i]), of));
    }

    function areaPlot(data, title, y, layers) {
        return {title, kind: "area", x: timeAxis(data), y, facets: [{name: "", series: layers}]};
    }

    function percent(label) {
        return {label, unit: "%", from: 0, to: 100};
    }

    // ---- figures ----

    function stat(data, name) {
        return data.statistics[name];
    }

    function us(ps) {
        return ps / PS_PER_US;
    }

    function share(part, whole) {
        return whole > 0 ? 100 * part / whole : null;
    }

    function tiles(parent, data) {
        const shown = [
            [format.number(us(data.time.end_ps)), "us of simulated time"],
            [`${format.number(Math.round(stat(data, "gpu.active_pct")))} %`, "GPU active"],
            [`${format.number(Math.round(stat(data, "gpu.stalled_pct")))} %`, "stalled"],
            [`${format.number(Math.round(stat(data, "gpu.blocked_on_agg_pct")))} %`, "blocked"],
            [`${format.number(Math.round(stat(data, "gpu.simd_utilization_pct")))} %`, "lanes active"],
            [`${format.number(Math.round(stat(data, "dram.utilization_pct")))} %`, "DRAM busy"],
        ];
        const items = parent.append("ul").attr("class", "tiles").selectAll("li").data(shown).enter().append("li");
        items.append("span").attr("class", "tile-count").text((d) => d[0]);
        items.append("span").text((d) => d[1]);
    }

    function lead(data) {
        const names = data.runs.named.map((one) => one.name);
        const first = names.slice(0, NAMED_RUNS).map((name) => `\`${name}\``).join(", ");
        const ran = data.runs.count === 1 ? `A run, ${first}`
            : `${data.runs.count} runs, one behind the other: ${first}` + (data.runs.count > NAMED_RUNS ? " and more" : "");
        return `${ran}. ${format.number(stat(data, "gpu.wavefronts"))} wavefronts on ` +
            `${data.resident_ps.length} compute units. Figures are those of ` +
            (data.runs.count === 1 ? "the whole run; " : "all runs together; ") +
            `a bin of the plots over time is ${format.number(us(data.time.bin_ps))} us.`;
    }

    // ---- what to look at first ----

    function findings(parent, data) {
        const list = parent.append("ol").attr("class", "findings");
        if (data.findings.length === 0) {
            parent.append("p").attr("class", "none").text("Nothing stands out.");
        }
        for (const finding of data.findings) {
            const item = list.append("li");
            const head = item.append("div").attr("class", "finding-head");
            head.append("strong").text(finding.title);
            head.append("span").attr("class", "finding-share").text(`up to ${finding.share_pct} % of the time`);
            item.append("div").attr("class", "bar-of-share").append("div").style("width", `${finding.share_pct}%`);
            text.inline(item.append("p"), finding.text);
            text.inline(item.append("p").attr("class", "read-on"), `Read on: \`${finding.page}\``);
        }
    }

    // ---- blocked time ----

    /* Before, between and after wavefronts; that between by the firmware's phases, the longest first. */
    function blockedTable(data) {
        const PHASE = /^gpu\.blocked\.between\.(.*)_cycles$/;
        const phases = Object.entries(data.statistics).filter(([name, cycles]) => PHASE.test(name) && cycles > 0)
            .sort(([, a], [, b]) => b - a)
            .map(([name, cycles]) => [`between wavefronts: ${PHASE.exec(name)[1]}`, cycles]);
        return {
            title: "Blocked on the aggregator",
            columns: [{name: "when"}, {name: "time", unit: "%", number: true}, {name: "CU cycles", number: true}],
            rows: [["before the first wavefront", stat(data, "gpu.blocked.start_cycles")], ...phases,
                ["after the last wavefront", stat(data, "gpu.blocked.end_cycles")]]
                .map(([when, cycles]) => [when, share(cycles, stat(data, "gpu.cycles")), cycles]),
        };
    }

    // ---- wavefronts and lanes ----

    function residentPlot(data) {
        const of = lengths(data, data.time.bins, data.time.bin_ps);
        return {
            title: "Wavefronts resident on each compute unit", kind: "heat", x: timeAxis(data),
            rows: data.resident_ps.map((_, cu) => `CU ${cu}`), label: "wavefronts", unit: "",
            values: data.resident_ps.map((row) => row.map((v, i) => (v > 0 ? Number((v / of[i]).toPrecision(4)) : null))),
        };
    }

    function lanesPlot(data) {
        const points = Object.entries(data.statistics).filter(([name]) => /^simt\.lanes\./.test(name))
            .map(([name, n]) => ({
                x: name.replace("simt.lanes.", "").replace("_", "-"),
                y: share(n, stat(data, "simt.wave_instructions")),
            }));
        return {
            title: "Wavefront instructions by active lanes", kind: "bars",
            x: {label: "active lanes", scale: "ordinal"}, y: {label: "instructions", unit: "%"},
            facets: [{name: "", series: [{name: "instructions", points}]}],
        };
    }

    function kernelTable(data) {
        const lanes = Number(data.machine.find((key) => key.key === "gpu.lanes").value);
        return {
            title: "Kernels",
            columns: [{name: "kernel"}].concat([
                ["wavefronts"], ["elements"], ["instructions"], ["lanes active", "%"], ["resident", "us"],
                ["per wavefront", "us"], ["yields"],
            ].map(([name, unit]) => ({name, unit, number: true}))),
            rows: data.kernels.map((k) => [
                k.name, k.wavefronts, k.elements, k.wave_instructions,
                share(k.lane_instructions, k.wave_instructions * lanes), us(k.resident_ps),
                us(k.resident_ps) / Math.max(1, k.wavefronts), k.yields,
            ]),
        };
    }

    // ---- channels ----

    function channelValues(data, row) {
        const values = new Array(data.channels.bins).fill(null);
        row.values.forEach((v, i) => {
            values[row.first + i] = v > 0 ? v / data.channels.scale : null;
        });
        return values;
    }

    function statePlot(data, state) {
        const rows = data.channels.rows.filter((row) => row.state === state).reverse();
        return {
            title: `Elements ${state}`, kind: "heat", x: timeAxis(data), label: "elements", scale: "log",
            about: `${STATES[state]}.`.replace(/^./, (c) => c.toUpperCase()),
            rows: rows.map((row) => data.channels.names[row.channel]),
            values: rows.map((row) => channelValues(data, row)),
        };
    }

    function statesPlot(data) {
        const of = lengths(data, data.channels.bins, data.channels.bin_ps);
        const layers = Object.keys(STATES).map((state) => {
            const rows = data.channels.rows.filter((row) => row.state === state);
            const sums = new Array(data.channels.bins).fill(0);
            rows.forEach((row) => row.values.forEach((v, i) => {
                sums[row.first + i] += v / data.channels.scale;
            }));
            return overTime(state, sums, of);
        });
        return areaPlot(data, "Elements in all channels", {label: "elements"}, layers);
    }

    /* How long their elements take: until a wavefront is launched for them, and from then until it ends. */
    function latencyTable(data) {
        const NS_PER_US = 1e3;
        const columns = [["ready", "median", "p50_ns"], ["ready", "99 %", "p99_ns"],
            ["dispatched", "median", "p50_ns"], ["dispatched", "99 %", "p99_ns"]];
        return {
            title: "How long elements are ready and dispatched",
            columns: [{name: "channel"}, {name: "elements", number: true}].concat(columns.map(([state, words]) =>
                ({name: `${state}, ${words}`, unit: "us", number: true, bar: true}))),
            rows: data.latencies.map((one) => [one.name, one.ready_elements].concat(columns.map(([state, , figure]) =>
                Number((one[`${state}_${figure}`] / NS_PER_US).toPrecision(3))))),
        };
    }

    function channelPlots(data) {
        const states = Object.keys(STATES).filter((state) => data.channels.rows.some((row) => row.state === state));
        return states.length === 0 ? [] : [statesPlot(data)].concat(states.map((state) => statePlot(data, state)));
    }

    // ---- memory ----

    function dramPlot(data) {
        const of = lengths(data, data.time.bins, data.time.bin_ps);
        const rate = (lines) => lines.map((n, i) => 1e3 * LINE_BYTES * n / of[i]);
        return areaPlot(data, "DRAM", {label: "bandwidth", unit: "GB/s"},
            [overTime("read", rate(data.dram.reads), of), overTime("written", rate(data.dram.writes), of)]);
    }

    /* A bin without an access has no ratio. What hits may be counted a bin after its access. */
    function cachePlot(data) {
        const factor = Math.max(1, Math.ceil(data.time.bins / LINE_BINS));
        const of = fold(lengths(data, data.time.bins, data.time.bin_ps), factor);
        const caches = {l1d: "L1 data caches", l2: "L2", agg_l1d: "aggregator's L1 data cache"};
        const rates = Object.entries(caches).map(([cache, name]) => {
            const accesses = fold(data.caches[`${cache}.accesses`], factor);
            const hits = fold(data.caches[`${cache}.hits`], factor);
            return overTime(name, hits.map((n, i) => share(Math.min(n, accesses[i]), accesses[i])), of);
        });
        return {
            title: "Accesses that hit", kind: "lines", x: {...timeAxis(data), scale: "linear"}, y: percent("hits"),
            facets: [{name: "", series: rates.filter((one) => one.points.some((p) => p.y !== null))}],
        };
    }

    // ---- tables ----

    function largestClass(f) {
        return f.cycles > 0 ? `${f.largest} ${Math.round(share(f.largest_cycles, f.cycles))} %` : "";
    }

    /* Two views of the same cycles. */
    const VIEWS = [
        {member: "functions", name: "by function", inlined: "the function that contains it"},
        {member: "source_functions", name: "by source function", inlined: "its own function"},
    ];

    function functionTable(data, view, functions) {
        const cycles = stat(data, "agg.cycles");
        return {
            title: `The firmware ${view.name}: inlined code counts for ${view.inlined}`,
            columns: [{name: "function"}, {name: "file"}, {name: "time", unit: "%", number: true},
                {name: "cycles", number: true}, {name: "instructions", number: true}, {name: "largest class"}],
            rows: functions.map((f) => [f.name, f.file, share(f.cycles, cycles), f.cycles, f.instructions,
                largestClass(f)]),
        };
    }

    function machineTable(keys) {
        return {
            columns: [{name: "key"}, {name: "value"}, {name: "default"}, {name: "set by"}],
            rows: keys.map((key) => [key.key, key.value, key.default || "", key.source || ""]),
        };
    }

    function statisticTable(data) {
        return {
            columns: [{name: "statistic"}, {name: "value", number: true}, {name: "unit"}, {name: "meaning"}],
            rows: Object.entries(data.statistics).filter(([, value]) => format.isNumber(value)).map(([name, value]) => {
                const [unit, sentence] = data.statistic_texts[name] || ["", ""];
                return [name, value, unit, sentence];
            }),
        };
    }

    function folded(parent, title, made) {
        const details = parent.append("details").attr("class", "data-of-plots");
        details.append("summary").text(title);
        details.on("toggle", () => {
            if (details.select("table").empty()) {
                table.add(details, made());
            }
        });
    }

    function functions(box, data) {
        for (const view of VIEWS) {
            const all = data[view.member];
            if (all.length > 0) {
                table.add(box, functionTable(data, view, all.slice(0, TOP_FUNCTIONS)));
            }
            if (all.length > TOP_FUNCTIONS) {
                folded(box, `All ${all.length}, ${view.name}`, () => functionTable(data, view, all));
            }
        }
    }

    function machine(box, data) {
        const changed = data.machine.filter((key) => key.default !== undefined);
        if (changed.length > 0) {
            table.add(box, machineTable(changed));
        } else {
            box.append("p").text("All keys have their defaults.");
        }
        folded(box, `All ${data.machine.length} keys`, () => machineTable(data.machine));
    }

    // ---- the aggregator's core ----

    /* The cycle stack's classes that have any cycles, with those while the GPU is blocked. */
    function stackClasses(data) {
        return data.stack.map((one) => ({...one, cycles: stat(data, one.statistic)})).filter((one) => one.cycles > 0);
    }

    function blockedCycles(data) {
        return d3.sum(data.stack, (one) => one.blocked_cycles);
    }

    function tenths(value) {
        return Number((value || 0).toFixed(1));
    }

    /* Rows have `of`: their cycles of a class. */
    function stackOf(data, title, label, rows) {
        return {
            title, kind: "stack", x: {label, unit: "%"},
            rows: rows.map((row) => ({name: row.name, whole: row.whole, unit: "aggregator cycles"})),
            parts: stackClasses(data).map((one) => ({name: one.words, group: one.group, values: rows.map((row) => row.of(one))})),
        };
    }

    function stackPlot(data) {
        return stackOf(data, "What the core's cycles go to", "cycles", [
            {name: "all", whole: stat(data, "agg.cycles"), of: (one) => one.cycles},
            {name: "GPU blocked", whole: blockedCycles(data), of: (one) => one.blocked_cycles},
        ].filter((row) => row.whole > 0));
    }

    /* A row for each phase that has cycles, as long as its part of them all. */
    function phasePlot(data, title, member) {
        const phases = Object.keys(data.stack[0][member]);
        const cycles = (phase) => d3.sum(data.stack, (one) => one[member][phase]);
        const whole = d3.sum(phases, cycles);
        return stackOf(data, title, "cycles of all phases",
            phases.filter((phase) => cycles(phase) > 0).map((phase) => ({name: phase, whole, of: (one) => one[member][phase]})));
    }

    function corePlots(data) {
        const plots = [stackPlot(data), phasePlot(data, "By phase of the firmware", "phases")];
        return blockedCycles(data) === 0 ? plots
            : [...plots, phasePlot(data, "By phase, while the GPU is blocked, start and end of the run included", "blocked_phases")];
    }

    function stackTable(data) {
        return {
            title: "The cycle stack",
            columns: [{name: "class"}, {name: "cycles", number: true}, {name: "share", unit: "%", number: true},
                {name: "GPU blocked", unit: "%", number: true}, {name: "meaning", words: true}],
            rows: stackClasses(data).map((one) => [
                one.words === one.group ? one.words : `${one.group}: ${one.words}`, one.cycles,
                tenths(share(one.cycles, stat(data, "agg.cycles"))), tenths(share(one.blocked_cycles, blockedCycles(data))),
                data.statistic_texts[one.statistic][1],
            ]),
        };
    }

    /* What the aggregator costs, by phase: "other" has mostly what a run has once. */
    function costTable(data) {
        const PHASE = /^agg\.phase\.(.*)_cycles$/;
        const things = [["dispatch", "gpu.dispatches"], ["wavefront", "gpu.wavefronts"], ["element", "gpu.elements"]]
            .filter(([, name]) => stat(data, name) > 0);
        const row = (name, cycles) => [name, cycles, ...things.map(([, thing]) => costNumber(cycles / stat(data, thing)))];
        const phases = Object.keys(data.statistics).filter((name) => PHASE.test(name) && stat(data, name) > 0);
        return {
            title: "What the aggregator costs, in cycles of its core",
            columns: [{name: "phase"}, {name: "cycles", number: true},
                ...things.map(([name]) => ({name: `per ${name}`, number: true}))],
            rows: [...phases.map((name) => row(name.match(PHASE)[1].replace("other", "start, end and all other work"), stat(data, name))),
                row("all", stat(data, "agg.cycles"))],
        };
    }

    function costNumber(value) {
        return value < 1000 ? Number(value.toPrecision(3)) : Math.round(value);
    }

    function gainsTable(data) {
        return {
            title: "What another core would gain",
            columns: [{name: "change", words: true}, {name: "by"}, {name: "gain", unit: "% of the run's time", number: true}],
            rows: data.gains.map((one) => [one.change, one.set.join(", "), tenths(one.gain_pct)]),
        };
    }

    function core(box, data) {
        table.add(box, costTable(data));
        table.add(box, stackTable(data));
        if (data.gains.length > 0) {
            box.append("p").text("Estimates from the cycles in which the GPU is blocked. Cycles saved while wavefronts " +
                "execute, and faster caches of compute units, are not in them: a faster L2 gains more where wavefronts " +
                "wait for it. sluice profile --cores all,mine.ini measures it.");
            table.add(box, gainsTable(data));
        }
    }

    // ---- the page ----

    const sections = [
        {name: "findings", title: "What to look at first", draw: findings},
        {name: "split", title: "Where the time goes",
            about: "Active: some SIMD unit executes an instruction. Stalled: wavefronts are resident, and none " +
                "executes. Blocked: no compute unit holds a wavefront, and the GPU waits for the aggregator, in the " +
                "phase that it is in.",
            plots: (data) => [areaPlot(data, "The GPU's time", percent("time"), shares(data, data.split_ps))],
            draw: (box, data) => table.add(box, blockedTable(data))},
        {name: "timeline", title: "Timeline", draw: timeline.draw},
        {name: "wavefronts", title: "Wavefronts",
            about: "A wavefront is resident while it holds a context of a compute unit. Of a kernel: elements or " +
                "work-items, instructions of wavefronts, lanes active in one on average, and the time that all its " +
                "wavefronts together were resident.",
            plots: (data) => [residentPlot(data)],
            draw: (box, data) => table.add(box, kernelTable(data))},
        {name: "lanes", title: "Active lanes", plots: (data) => [lanesPlot(data)]},
        {name: "channels", title: "Channels", plots: channelPlots, hasContent: (data) => data.channels.rows.length > 0,
            top: (box, data) => data.latencies.length > 0 && table.add(box, latencyTable(data)),
            about: "Elements that channels hold, from their reservation to their deallocation. An element is ready " +
                "from its publication to the launch of its wavefront, then dispatched until the wavefront ends, which " +
                "may yield in between. The table has the levels of a stack as one channel; the plots have means of " +
                "each bin."},
        {name: "aggregator", title: "The aggregator", draw: functions,
            plots: (data) => [areaPlot(data, "What the firmware does", percent("time"), shares(data, data.phases_ps))]},
        {name: "core", title: "The aggregator's core", draw: core, plots: corePlots,
            hasContent: (data) => stat(data, "agg.cycles") > 0,
            about: "A cycle in which instructions commit is retiring; every other one goes to what the oldest " +
                "instruction waits for. While wavefronts execute, the core's waits cost the GPU nothing: the lower bar " +
                "has only the cycles in which the GPU is blocked."},
        {name: "memory", title: "Memory", hasContent: (data) => d3.sum(data.caches["l1d.accesses"]) > 0,
            plots: (data) => [dramPlot(data), cachePlot(data)]},
        {name: "machine", title: "The machine", draw: machine},
        {name: "statistics", title: "Statistics",
            draw: (box, data) => folded(box, "All statistics", () => statisticTable(data))},
    ];

    function add(parent, section, data) {
        const box = parent.append("section").attr("class", "panel").attr("id", section.name)
            .attr("aria-labelledby", `${section.name}-title`);
        box.append("h2").attr("id", `${section.name}-title`).text(section.title);
        text.paragraphs(box, section.about);
        if (section.top) {
            section.top(box, data);
        }
        if (section.plots) {
            const grid = box.append("div").attr("class", "plots");
            for (const plot of section.plots(data)) {
                text.paragraphs(figure.add(grid, plot), plot.about, "plot-about");
            }
        }
        if (section.draw) {
            section.draw(box, data);
        }
    }

    function draw(page, data) {
        const {nav, main, head} = summary.frame(page, data.title, lead(data));
        text.command(head, data.command);
        tiles(head, data);
        const shown = sections.filter((section) => !section.hasContent || section.hasContent(data));
        shown.forEach((section) => add(main, section, data));
        summary.contents(nav, shown);
    }

    return {draw};
})();
