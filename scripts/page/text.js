/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Text of the data as elements: paragraphs, code in backquotes, commands that can be copied. All of it
 * becomes text nodes, so that nothing in the data is taken for markup. */
"use strict";

const text = (() => {
    const COPIED_MS = 1500;

    /* Appends a text in which what stands in backquotes is code. */
    function inline(parent, words) {
        (words || "").split("`").forEach((piece, i) => {
            if (i % 2 === 1) {
                parent.append("code").text(piece);
            } else {
                parent.append(() => document.createTextNode(piece));
            }
        });
        return parent;
    }

    /* Appends a paragraph for each that empty lines divide. */
    function paragraphs(parent, words, className) {
        for (const piece of (words || "").split(/\n\s*\n/).filter((p) => p.trim() !== "")) {
            inline(parent.append("p").attr("class", className || null), piece.trim());
        }
    }

    function select(node) {
        const range = document.createRange();
        range.selectNodeContents(node);
        const selection = window.getSelection();
        selection.removeAllRanges();
        selection.addRange(range);
    }

    /* Where the clipboard is refused, as it is to pages in some frames, the command stays selected. */
    function copy(code, button) {
        select(code);
        navigator.clipboard.writeText(code.textContent).then(() => {
            button.text("copied");
            window.setTimeout(() => button.text("copy"), COPIED_MS);
        }, () => button.text("selected"));
    }

    function command(parent, words) {
        const line = parent.append("div").attr("class", "command");
        const code = line.append("code").text(words);
        const button = line.append("button").attr("type", "button").text("copy")
            .attr("aria-label", `copy the command ${words}`);
        button.on("click", () => copy(code.node(), button));
        return line;
    }

    /* A name that can stand behind the # of an address. */
    function anchor(...words) {
        return words.join("-").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
    }

    return {inline, paragraphs, command, anchor};
})();
