/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Numbers as people read them: thousands apart, no more digits than a reader can use, an interval
 * with the digits that it leaves to its value. A figure, here and in the other scripts, is an object
 * {value, low, high, paper} or {y, low, high}; low and high bound the 95 % interval, and are not there
 * where there was one run. */
"use strict";

const format = (() => {
    const whole = d3.format(",.0f");
    const fourDigits = d3.format(",.4~r");
    const SHORT_FROM = 10000; // an axis' labels are shortened from here on: 20k

    function number(value) {
        return Number.isInteger(value) || Math.abs(value) >= 1000 ? whole(value) : fourDigits(value);
    }

    /* 2.26x, 31.5 %, 400 ns: only the times sign stands at its number. */
    function withUnit(text, unit) {
        if (!unit) {
            return text;
        }
        return unit === "x" ? `${text}x` : `${text} ${unit}`;
    }

    /* Half the interval with two significant digits, the value to the same place. */
    function plusMinus(value, half) {
        const decimals = Math.min(8, Math.max(0, 1 - Math.floor(Math.log10(half))));
        const fixed = d3.format(`,.${decimals}f`);
        return `${fixed(value)} ± ${fixed(half)}`;
    }

    function isNumber(value) {
        return typeof value === "number";
    }

    /* A value with its interval: `± half` where the two halves are alike, else from what to what. */
    function interval(value, low, high) {
        if (!isNumber(low) || !isNumber(high)) {
            return number(value);
        }
        const half = (high - low) / 2;
        if (half === 0) {
            return `${number(value)} ± 0`;
        }
        const isCentred = Math.abs((high + low) / 2 - value) <= half * 0.2;
        return isCentred ? plusMinus(value, half)
                         : `${number(value)} (${number(low)} to ${number(high)})`;
    }

    function figure(value, low, high, unit) {
        return isNumber(value) ? withUnit(interval(value, low, high), unit) : "failed";
    }

    /* What an axis writes at its ticks, by the largest number on it. */
    function tick(largest) {
        return Math.abs(largest) >= SHORT_FROM ? d3.format("~s") : d3.format(",~g");
    }

    /* A value of an axis: with the largest of its units that it has few decimals in, 1.5 MiB of 1536 KiB. */
    function place(value, axis) {
        if (!isNumber(value)) {
            return value;
        }
        const isShort = (few) => few >= 1 && Math.abs(few * 100 - Math.round(few * 100)) < 1e-9;
        const [unit, size] = (axis.units || []).filter(([, size], i) => i === 0 || isShort(value / size)).pop() ||
            [axis.unit, 1];
        return withUnit(number(value / size), unit);
    }

    /* An axis whose values have several units writes them at each. */
    function label(axis) {
        const unit = axis.unit && axis.unit !== "x" && !axis.units ? ` (${axis.unit})` : "";
        return (axis.label || "") + unit;
    }

    return {number, withUnit, interval, figure, isNumber, tick, place, label};
})();
