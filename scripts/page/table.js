/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Tables that sort when a column's name is clicked: upwards, downwards, and as they came. Of {title,
 * columns, rows}: a column is {name, unit, number, words, bar}, where cells with words have sentences, and those
 * with bars are all of one unit and show their numbers beside the largest; a cell text, a number, null where the
 * run failed, or {value, low, high, paper}. */
"use strict";

const table = (() => {
    const BAR_REM = 6; // of the largest
    const NEXT = {none: "ascending", ascending: "descending", descending: "none"};

    function valueOf(cell) {
        return cell !== null && typeof cell === "object" ? cell.value : cell;
    }

    /* What failed comes last, whichever way. */
    function compare(a, b, column, direction) {
        const [left, right] = [valueOf(a[column]), valueOf(b[column])];
        if (left === null || right === null) {
            return (left === null) - (right === null);
        }
        const isNumeric = format.isNumber(left) && format.isNumber(right);
        const sign = isNumeric ? left - right : String(left).localeCompare(String(right));
        return direction === "descending" ? -sign : sign;
    }

    function fillCell(cell, value) {
        if (value === null || valueOf(value) === null) {
            cell.attr("class", "failed").text("failed");
        } else if (typeof value === "object") {
            const here = value.value;
            cell.append("span").text(format.isNumber(here) ? format.interval(here, value.low, value.high) : here);
            if (format.isNumber(value.paper)) {
                cell.append("span").attr("class", "paper-value").text(`paper ${format.number(value.paper)}`);
            }
        } else {
            cell.text(format.isNumber(value) ? format.number(value) : value);
        }
    }

    function addBar(cell, value, most) {
        cell.append("div").attr("class", "bar-of-number").style("width", `${BAR_REM * value / most}rem`);
    }

    function fillRows(body, columns, rows) {
        const most = d3.max(rows, (row) => d3.max(row, (value, i) => (columns[i].bar ? valueOf(value) : 0)));
        body.html("");
        for (const row of rows) {
            const line = body.append("tr");
            row.forEach((value, i) => {
                const cell = i === 0 ? line.append("th").attr("scope", "row") : line.append("td");
                fillCell(cell, value);
                if (columns[i].bar && most > 0) {
                    addBar(cell, valueOf(value), most);
                }
                cell.classed("number", Boolean(columns[i].number)).classed("words", Boolean(columns[i].words));
            });
        }
    }

    function sortBy(node, body, data, column) {
        const heads = node.selectAll("thead th");
        const head = heads.filter((_, i) => i === column);
        const direction = NEXT[head.attr("aria-sort")];
        heads.attr("aria-sort", "none");
        head.attr("aria-sort", direction);
        const rows = data.rows.slice();
        if (direction !== "none") {
            rows.sort((a, b) => compare(a, b, column, direction));
        }
        fillRows(body, data.columns, rows);
    }

    /* Appends the table in a box of its own, which scrolls where the table is wider than the page. */
    function add(parent, data) {
        const box = parent.append("div").attr("class", "table-box").attr("tabindex", 0)
            .attr("role", "region").attr("aria-label", data.title || "table");
        const node = box.append("table").attr("class", "data");
        if (data.title) {
            node.append("caption").text(data.title);
        }
        const head = node.append("thead").append("tr");
        const body = node.append("tbody");
        data.columns.forEach((column, i) => {
            const cell = head.append("th").attr("scope", "col").attr("aria-sort", "none")
                .classed("number", Boolean(column.number));
            const button = cell.append("button").attr("type", "button");
            button.append("span").attr("class", "name").text(column.name);
            if (column.unit) {
                button.append("span").attr("class", "unit").text(column.unit);
            }
            button.on("click", () => sortBy(node, body, data, i));
        });
        fillRows(body, data.columns, data.rows);
        return node;
    }

    return {add};
})();
