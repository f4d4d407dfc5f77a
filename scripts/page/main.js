/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Draws the page by the view that its data name. A view is an object with a function
 * draw(page, data), and a line of the table below. */
"use strict";

(() => {
    const views = {panels, run};

    const {view, data} = JSON.parse(document.getElementById("data").textContent);
    document.title = data.title;
    views[view].draw(d3.select("#page"), data);
    /* What the address points to was not there yet when the browser looked for it. */
    if (location.hash !== "") {
        document.getElementById(location.hash.slice(1))?.scrollIntoView();
    }
})();
