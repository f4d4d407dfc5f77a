/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a page says of the whole report before its panels: how it was made, how many checks hold, which
 * fail, which runs failed; and the table of contents with each panel's state. */
"use strict";

const summary = (() => {
    const STATES = {
        holds: {sign: "✓", word: "holds", words: "hold"},
        fails: {sign: "✗", word: "fails", words: "fail"},
        undecided: {sign: "~", word: "undecided", words: "undecided"},
        unknown: {sign: "?", word: "unknown", words: "unknown"},
    };

    function checkAnchor(panel, i) {
        return text.anchor(panel.name, "check", String(i + 1));
    }

    function count(panel, state) {
        return (panel.checks || []).filter((check) => check.state === state).length;
    }

    /* The sign of a state, with the word for who hears the page. */
    function sign(parent, state, word) {
        const mark = parent.append("span").attr("class", `sign ${state}`);
        mark.append("span").attr("aria-hidden", true).text(STATES[state].sign);
        mark.append("span").attr("class", "spoken").text(word || STATES[state].word);
        return mark;
    }

    // ---- how it was made ----

    function machine(parent, made) {
        const keys = made.machine || [];
        if (keys.length === 0) {
            return;
        }
        const details = parent.append("details").attr("class", "machine");
        details.append("summary").text(`The machine: ${keys.length} keys`);
        const list = details.append("dl");
        for (const [key, value] of keys) {
            const pair = list.append("div");
            pair.append("dt").text(key);
            pair.append("dd").text(value);
        }
    }

    function facts(made) {
        return [
            ["runs per point", made.seeds === undefined ? undefined : `${made.seeds} seeds`],
            ["delay on DRAM accesses", made.jitter ? `0 to ${made.jitter.replace(/^0 to /, "")}` : undefined],
        ].filter(([, value]) => value);
    }

    function provenance(parent, made) {
        const box = parent.append("div").attr("class", "made");
        if ((made.changed || []).length > 0) {
            const changed = box.append("p").attr("class", "changed");
            changed.append("strong").text("Not the papers' machine: ");
            text.inline(changed, `all runs had ${made.changed.map((c) => `\`${c}\``).join(" ")}. `);
        }
        if (made.command) {
            text.command(box, made.command);
        }
        const line = box.append("p").attr("class", "facts");
        for (const [name, value] of facts(made)) {
            const fact = line.append("span");
            fact.append("span").attr("class", "fact-name").text(`${name} `);
            fact.append("span").text(value);
        }
        machine(box, made);
    }

    // ---- the checks ----

    function tiles(parent, panels) {
        const list = parent.append("ul").attr("class", "tiles");
        for (const state of Object.keys(STATES)) {
            const n = d3.sum(panels, (panel) => count(panel, state));
            if (n > 0 || state === "holds" || state === "fails") {
                const tile = list.append("li").attr("class", n > 0 ? state : "none");
                tile.append("span").attr("class", "tile-count").text(n);
                tile.append("span").text(n === 1 ? STATES[state].word : STATES[state].words);
            }
        }
    }

    function failedRuns(parent, panels) {
        const failed = panels.filter((panel) => (panel.failures || []).length > 0);
        if (failed.length === 0) {
            return;
        }
        const line = parent.append("p").attr("class", "failure-line");
        line.append("strong").text("Runs that failed: ");
        failed.forEach((panel, i) => {
            line.append(() => document.createTextNode(i === 0 ? "" : ", "));
            line.append("a").attr("href", `#${panel.name}`).text(panel.title);
            line.append(() => document.createTextNode(` (${panel.failed || panel.failures.length})`));
        });
    }

    /* Links to the checks of one state. */
    function links(parent, panels, state) {
        const list = parent.append("ul").attr("class", "check-links");
        for (const panel of panels) {
            (panel.checks || []).forEach((check, i) => {
                if (check.state === state) {
                    const item = list.append("li");
                    sign(item, state);
                    item.append("a").attr("href", `#${checkAnchor(panel, i)}`).text(check.says);
                    item.append("span").attr("class", "where").text(panel.title.replace(/:.*/, ""));
                }
            });
        }
    }

    function checks(parent, panels) {
        if (!panels.some((panel) => (panel.checks || []).length > 0)) {
            failedRuns(parent, panels);
            return;
        }
        const box = parent.append("section").attr("class", "summary").attr("aria-labelledby", "summary-title");
        box.append("h2").attr("id", "summary-title").text("The papers' shapes, as checks");
        tiles(box, panels);
        failedRuns(box, panels);
        for (const state of ["fails", "undecided", "unknown"]) {
            links(box, panels, state);
        }
    }

    // ---- the table of contents ----

    function badges(parent, those) {
        const box = parent.append("span").attr("class", "badges");
        for (const state of Object.keys(STATES)) {
            const n = d3.sum(those, (panel) => count(panel, state));
            if (n > 0) {
                const word = n === 1 ? STATES[state].word : STATES[state].words;
                sign(box, state, `${n} ${word}`).select("[aria-hidden]").text(`${STATES[state].sign}${n}`);
            }
        }
        if (those.some((panel) => (panel.failures || []).length > 0)) {
            box.append("span").attr("class", "sign fails").text("run failed");
        }
    }

    /* Open beside the page, closed above it where there is no room beside. */
    function followWidth(details) {
        const wide = window.matchMedia("(min-width: 1100px)");
        const follow = () => details.attr("open", wide.matches ? "" : null);
        wide.addEventListener("change", follow);
        follow();
    }

    /* The panel that is read, the last one that began above the window's middle. */
    function followReading(links, panels) {
        const seen = new Set();
        const watcher = new IntersectionObserver((entries) => {
            entries.forEach((e) => (e.isIntersecting ? seen.add(e.target.id) : seen.delete(e.target.id)));
            const current = panels.map((p) => p.name).filter((name) => seen.has(name)).pop();
            links.attr("aria-current", (d) => (d.name === current ? "true" : null));
        }, {rootMargin: "0px 0px -60% 0px"});
        panels.forEach((panel) => watcher.observe(document.getElementById(panel.name)));
    }

    /* Panels have to be in the document already. */
    function contents(nav, panels) {
        const details = nav.attr("aria-label", "contents").append("details");
        badges(details.append("summary").text("Contents"), panels);
        const items = details.append("ol").selectAll("li").data(panels).enter().append("li");
        const links = items.append("a").attr("href", (d) => `#${d.name}`);
        links.append("span").text((d) => d.title);
        links.each(function (d) {
            badges(d3.select(this), [d]);
        });
        links.on("click", () => {
            if (!window.matchMedia("(min-width: 1100px)").matches) {
                details.attr("open", null);
            }
        });
        followWidth(details);
        followReading(links, panels);
    }

    /* What every page begins with: contents beside it, and a head with title and lead. */
    function frame(page, title, lead) {
        page.attr("class", "with-contents");
        const nav = page.append("nav");
        const main = page.append("main");
        const head = main.append("header");
        head.append("h1").text(title);
        text.paragraphs(head, lead, "lead");
        return {nav, main, head};
    }

    return {frame, provenance, checks, contents, sign, checkAnchor};
})();
