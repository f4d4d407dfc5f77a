/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The view "panels": a report. Its data, in which a text may have `code` in backquotes and paragraphs
 * divided by empty lines, and all but names and titles may be left out:
 *
 *   {title, about, made, panels}
 *
 *   made    {command, seeds, jitter, machine: [[key, value], ...], changed: [option, ...]}
 *   panels  [{name, title, source, about, differs, command, csv, failures, failed, checks, plots, tables}, ...]
 *           where name is the panel's id in the page, csv the address of its data
 *
 *   failures  [{command, message}, ...]: runs that failed; without a command, mistakes of the panel
 *   failed    how many there are, where only the first are told
 *   checks    [{says, paper, value, low, high, unit, asked, state, why}, ...]: paper and asked are texts;
 *             state is holds, fails, undecided (the interval has both in it) or unknown (a run failed)
 *   plots     [{title, kind, about, x, y, facets, empty}, ...]: kind is lines, bars, stacked or area; or,
 *             with rows and values in place of facets, heat (heat.js); empty says why it has no values
 *     x         {label, unit, units, scale}: scale is linear, log or ordinal (texts, or numbers as
 *               texts); units, [[name, size in `unit`], ...], where values are written with several;
 *               area: from and to, too
 *     y         {label, unit, scale, from, to}: scale is linear or log
 *     facets    [{name, series, paper}, ...]: small plots that share their scales; series and paper, the
 *               paper's figures, are [{name, points: [{x, y, low, high}, ...]}, ...]
 *   tables    [{title, columns, rows}, ...] (table.js)
 *
 * low and high bound the 95 % interval, and are left out where there was one run. A value of null is a
 * run that failed. */
"use strict";

const panels = (() => {
    function failures(parent, panel) {
        const told = panel.failures || [];
        for (const failure of told) {
            const box = parent.append("div").attr("class", "failure").attr("role", "note");
            box.append("strong").text(failure.command
                ? "A run failed; what it would have shown is missing here."
                : "This panel has a mistake; what it would have shown is missing here.");
            box.append("pre").text(failure.message);
            if (failure.command) {
                text.command(box, failure.command);
            }
        }
        if (panel.failed > told.length) {
            parent.append("p").attr("class", "failure-line").text(`${panel.failed - told.length} more failed.`);
        }
    }

    /* Words and figures: [["here", "2.3x"], ["asked", "at least 2.6x"], ["paper", "4.3x"]]. */
    function checkFigures(check) {
        const here = format.isNumber(check.value)
            ? format.figure(check.value, check.low, check.high, check.unit) : "no figure";
        return [["here", here], ["asked", check.asked], ["paper", check.paper]].filter(([, figure]) => figure);
    }

    function checks(parent, panel) {
        const list = parent.append("ul").attr("class", "checks");
        (panel.checks || []).forEach((check, i) => {
            const item = list.append("li").attr("id", summary.checkAnchor(panel, i)).attr("class", check.state);
            summary.sign(item, check.state);
            const said = item.append("div");
            text.inline(said.append("div").attr("class", "says"), check.says);
            const line = said.append("div").attr("class", "check-figures");
            for (const [word, figures] of checkFigures(check)) {
                line.append("span").text(`${word} `).append("b").text(figures);
            }
            text.paragraphs(said, check.why, "why");
        });
    }

    // ---- the plots' data as a table ----

    /* A value with the paper's beside it; where a series has no point there is none. */
    function plotCell(facet, name, x) {
        const here = series.pointAt(facet.series, name, x);
        const there = series.pointAt(facet.paper, name, x) || {};
        if (here === undefined) {
            return format.isNumber(there.y) ? {value: "", paper: there.y} : "";
        }
        return format.isNumber(here.y) ? {value: here.y, low: here.low, high: here.high, paper: there.y} : null;
    }

    /* A row for each x of each facet, a column for each series. */
    function plotTable(plot) {
        const names = series.names(plot.facets);
        const isNamed = plot.facets.some((facet) => facet.name);
        const columns = names.map((name) => ({name, unit: plot.y.unit, number: true}));
        columns.unshift({name: plot.x.label || "", unit: plot.x.unit, number: plot.x.scale !== "ordinal"});
        const rows = d3.merge(plot.facets.map((facet) => series.xs([facet]).map((x) =>
            [...(isNamed ? [facet.name] : []), x, ...names.map((name) => plotCell(facet, name, x))])));
        return {title: `${plot.title}: ${format.label(plot.y)}`,
            columns: isNamed ? [{name: "plot"}, ...columns] : columns, rows};
    }

    /* Closed at first; the rows are made when somebody opens it. */
    function folded(parent, title, tables) {
        if (tables.length === 0) {
            return;
        }
        const details = parent.append("details").attr("class", "data-of-plots");
        details.append("summary").text(title);
        details.on("toggle", () => {
            if (details.select("table").empty()) {
                tables.forEach((data) => table.add(details, data));
            }
        });
    }

    function isPlotted(panel) {
        return (panel.plots || []).length > 0;
    }

    /* A panel's tables stand open where there is nothing else to look at. */
    function openTables(parent, panel) {
        (isPlotted(panel) ? [] : panel.tables || []).forEach((data) => table.add(parent, data));
    }

    function foldedTables(parent, panel) {
        if (isPlotted(panel)) {
            const plotted = panel.plots.filter((plot) => plot.facets);
            folded(parent, "Data as tables", (panel.tables || []).concat(plotted.map(plotTable)));
        }
    }

    // ---- a panel ----

    function source(parent, panel) {
        const line = parent.append("p").attr("class", "source");
        line.append("span").text(panel.source || "");
        if (panel.csv) {
            line.append("a").attr("href", panel.csv).text(panel.csv);
        }
    }

    function plots(parent, panel) {
        const grid = parent.append("div").attr("class", "plots");
        for (const plot of panel.plots || []) {
            const node = figure.add(grid, plot);
            text.paragraphs(node, plot.about, "plot-about");
        }
    }

    function differs(parent, panel) {
        if (panel.differs) {
            const box = parent.append("div").attr("class", "differs");
            box.append("h3").text("What differs from the paper, and why");
            text.paragraphs(box, panel.differs);
        }
    }

    function add(parent, panel) {
        const box = parent.append("section").attr("class", "panel").attr("id", panel.name)
            .attr("aria-labelledby", `${panel.name}-title`);
        box.append("h2").attr("id", `${panel.name}-title`).text(panel.title);
        source(box, panel);
        failures(box, panel);
        text.paragraphs(box, panel.about);
        plots(box, panel);
        openTables(box, panel);
        checks(box, panel);
        differs(box, panel);
        foldedTables(box, panel);
        if (panel.command) {
            text.command(box, panel.command);
        }
    }

    function draw(page, data) {
        const {nav, main, head} = summary.frame(page, data.title, data.about);
        summary.provenance(head, data.made || {});
        summary.checks(main, data.panels);
        data.panels.forEach((panel) => add(main, panel));
        summary.contents(nav, data.panels);
    }

    return {draw};
})();
