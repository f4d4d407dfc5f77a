# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Random kernels in C for tests/static/check_convergence.sh: cross-lane operations, and calls of channel routines, in
# loops, branches, switches and inlined functions, in the shapes that tempt a compiler to copy or merge code:
# flags that are set on one path and tested on the next, loops of few rounds, equal code in both arms.
# usage: awk -v seed=N -v kernels=M -f kernels.awk
# The last line is a comment with the number of cross-lane operations that the linked program has to hold.
# Every condition is a fresh load, or a flag that goes either way: no code is dead.

function below(limit) {
    state = (state * 16807) % 2147483647
    return int(state / 97) % limit
}

function indent(   i, text) {
    for (i = 0; i < depth; i++) {
        text = text "    "
    }
    return text
}

function line(text) {
    print indent() text
}

function condition() {
    return "(v[" below(64) "] >> " below(60) " & 1)"
}

function operation(   kind) {
    kind = below(12)
    sites++
    if (kind < 2) return "sl_ballot(x)"
    if (kind < 3) return "sl_first(x)"
    if (kind < 4) return "(uint64_t)sl_elect()"
    if (kind < 5) return "sl_shuffle(x, (unsigned)x & 63)"
    if (kind < 7) return "sl_reduce_add(x)"
    if (kind < 8) return "(uint64_t)sl_reduce_max((int64_t)x)"
    if (kind < 9) return "sl_scan_add(x)"
    if (kind < 10) return "sl_scan_xor(x)"
    sites += wrapped[kind - 10] - 1
    return "wrapped_" (kind - 10) "(x, v)"
}

# Channel routines are calls.
function routine(   kind) {
    sites++
    kind = below(3)
    if (kind == 0) line("p = sl_talloc(source, (int)x & 3);")
    if (kind == 1) line("sl_enq(source, p, (int)x & 1);")
    if (kind == 2) line("sl_tfree(source, (int)x);")
}

function simple(   kind) {
    kind = below(8)
    if (kind < 4) line("x " substr("+^-", 1 + below(3), 1) "= " operation() ";")
    else if (kind < 5) routine()
    else if (kind < 6) line("out[" below(64) "] = x;")
    else line("x = x * " (3 + 2 * below(500)) " + v[" below(64) "];")
}

function body(level,   i, n) {
    n = 1 + below(3)
    for (i = 0; i < n; i++) {
        statement(level)
    }
}

function open(text) { line(text " {"); depth++ }
function close_(text) { depth--; line("}" text) }

# What both arms have in common, for crossjumping: the same operations in the same order.
function common() {
    line("x += sl_ballot(x);")
    line("out[1] = x;")
    line("sl_tfree(source, (int)x);")
    sites += 2
}

function statement(level,   kind, i, n, variable) {
    kind = level > 3 ? 0 : below(14)
    variable = ++variables
    if (kind < 5) {
        simple()
    } else if (kind == 5) {
        open("if (" condition() ")"); body(level + 1); close_("")
    } else if (kind == 6) {
        open("if (" condition() ")"); body(level + 1); close_(" else {"); depth++; body(level + 1); close_("")
    } else if (kind == 7) {
        open("if (" condition() ")"); simple(); common(); close_(" else {")
        depth++; simple(); common(); close_("")
    } else if (kind == 8) {
        line("int f" variable " = 0;")
        open("if (" condition() ")"); line("f" variable " = 1;"); body(level + 1); close_("")
        body(level + 1)
        open("if (f" variable ")"); body(level + 1); close_(" else {"); depth++; simple(); close_("")
    } else if (kind == 9) {
        open("for (int i" variable " = 0; i" variable " < " (2 + below(4)) "; i" variable "++)")
        loop(level)
    } else if (kind == 10) {
        open("for (uint64_t i" variable " = 0; i" variable " < v[" below(64) "]; i" variable "++)")
        loop(level)
    } else if (kind == 11) {
        if (below(2)) {
            sites++
            open("while (sl_ballot(" condition() "))")
        } else {
            open("while (" condition() ")")
        }
        loop(level)
    } else if (kind == 12) {
        open("do"); body(level + 1); close_(" while (" condition() ");")
    } else {
        n = 3 + below(6)
        open("switch (v[" below(64) "] % " (n + 1) ")")
        for (i = 0; i < n; i++) {
            line("case " i ":"); depth++
            body(level + 2)
            if (below(4)) line("break;"); else line("/* fall through */")
            depth--
        }
        line("default:"); depth++; simple(); depth--
        close_("")
    }
}

function loop(level) {
    body(level + 1)
    if (below(3) == 0) {
        line("if (" condition() ") { " (below(2) ? "break" : "continue") "; }")
        body(level + 2)
    }
    close_("")
}

function wrapper(number,   before) {
    before = sites
    print "static inline __attribute__((always_inline)) uint64_t wrapped_" number \
        "(uint64_t x, const volatile uint64_t *v)\n{"
    depth = 1
    line("uint64_t y = x ^ sl_first(x);")
    open("if (" condition() ")"); line("y += sl_scan_add(x);"); close_("")
    if (number == 1) {
        line("y ^= sl_ballot(y);"); sites++
    }
    line("return y;")
    sites += 2
    print "}\n"
    wrapped[number] = sites - before
    sites = before
}

BEGIN {
    state = seed * 7919 + 17
    for (i = 0; i < 10; i++) below(2)
    print "#include \"sluice/wave/wave.h\"\n"
    wrapper(0)
    wrapper(1)
    for (k = 0; k < kernels; k++) {
        print "SL_KERNEL void kernel_" k "(int source, int index, uint64_t *out, const volatile uint64_t *v)\n{"
        depth = 1
        line("uint64_t x = v[index];")
        line("void *p = 0;")
        body(0); body(0)
        line("out[index] = x + (uint64_t)p;")
        print "}\n"
    }
    print "/* sites: " sites " */"
}
