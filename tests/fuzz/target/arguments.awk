# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Prints a C file of kernels with random prototypes, the same each time, for tests/fuzz/test_arguments.c: kernel_N stores
# the registers that arguments come in, and call_N is a call of it. The values are those of arguments.h.
# usage: awk -f arguments.awk

BEGIN {
    state = 1
    count = split("_Bool int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t", types, " ")
    types[++count] = "void *"
    print "#include \"fuzz/arguments.h\"\n"
    for (kernel = 0; kernel < 96; kernel++) { print_kernel(kernel) }
}

# From 0 up, less than `limit`.
function random(limit) {
    state = state * 16807 % 2147483647
    return state % limit
}

# Half of the parameters are floating-point ones; the first prototypes have all of one kind.
function parameter_type(kernel,    kind) {
    kind = kernel < 3 ? kernel : random(4)
    return kind == 0 ? "float" : kind == 1 ? "double" : types[1 + random(count)]
}

function print_kernel(kernel,    parameters, i, list, values, type) {
    parameters = kernel < 3 ? 8 : 1 + random(8)
    for (i = 0; i < parameters; i++) {
        type = parameter_type(kernel)
        list = list (i == 0 ? "" : ", ") type " p" i
        values = values (i == 0 ? "" : ", ") value(type, kernel, i)
    }
    print "KERNEL(" kernel ", " list ")"
    print "CALL(" kernel ", " values ")\n"
}

# Those of floating point have the other type at every second place: the call converts.
function value(type, kernel, i) {
    if (type == "float" || type == "double") {
        type = (kernel + i) % 2 == 0 ? type : type == "float" ? "double" : "float"
        return "(" type ")ARGUMENT_REAL(" kernel ", " i ")"
    }
    return "(" type ")ARGUMENT_BITS(" kernel ", " i ")"
}
