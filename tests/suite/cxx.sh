#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# C++: a host program and its kernel (cxx_subsets); kernels of other programs in C++, or compiled as such; what kernels
# in C++ cannot have is refused with what to do instead; headers of C, in both languages.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

export SLUICE_BUILD=$build

# subsets RESULT ARGUMENT...
subsets() {
    [[ -x $bin/cxx_subsets ]] || skip "no C++ compiler"
    run 0 cxx_subsets "${@:2}"
    expect_result "cxx_subsets($2) = $1"
}

# The exception that run() throws itself, and one of the library's statuses.
subsets_fail() {
    [[ -x $bin/cxx_subsets ]] || skip "no C++ compiler"
    run 3 cxx_subsets 12 --quiet --set gpu.cycle_limit=1000
    expect err '^cxx_subsets: .*cycle limit reached: .*subsets_kernel \(cxx_subsets_kernel\.cc:'
    bad_arguments 'host\.qemu: cannot run' cxx_subsets 4 --set host.qemu=/no/such/qemu
}

compile() {
    "$root/scripts/sluice-kernel-cc" -std=gnu++17 -Wall -Wextra -Werror -I"$root/tests" "$@" 2>said
}

# with PROGRAM: it is run with the kernels that are in machine/kernels
with() {
    mkdir -p machine/bin machine/kernels
    ln "$bin/$1" machine/bin 2>/dev/null || cp "$bin/$1" machine/bin
    ln -s "$build/lib" "$build/firmware" machine
    bin=$PWD/machine/bin
}

# as_cxx PROGRAM ARGUMENT...: its kernels, in C, compiled as C++: the macros of sluice/wave/tasks.h and trees.h
as_cxx() {
    with "$1"
    compile -x c++ "$(source_file "$1_kernel.c")" -x none -o "machine/kernels/$1.elf" || fail "$(cat said)"
    run 0 "${@:1:2}" --quiet
}

# The same where tasks are created in lambdas.
tasks() {
    with tasks_tree
    sed -E 's/sl_spawn\((end|grow), child\);/[\&] { sl_spawn(\1, decltype(child){child}); }();/' \
        "$root/tests/workloads/tree_count/tasks_tree_kernel.c" >tree.cc
    [[ $(grep -c '\[&\] { sl_spawn' tree.cc) == 2 ]] || fail "not changed: $(cat tree.cc)"
    compile tree.cc -o machine/kernels/tasks_tree.elf || fail "$(cat said)"
    run 0 tasks_tree 6 --quiet
}

# Forms of elements as a template's argument, fields of a type that is one, a function of a table, and an assertion in a
# function of a class.
fib_source() {
    cat <<'END'
#include "sluice/wave/wave.h"
namespace {
struct element {
    int32_t value;
};
struct step {
    virtual int32_t less(int32_t n) const = 0;
};
struct one final : step {
    int32_t less(int32_t n) const override { return n - 1; }
};
struct two final : step {
    int32_t less(int32_t n) const override { return n - 2; }
};
constexpr one steps_one;
constexpr two steps_two;
template <typename Element, sl_form form> class fibonacci {
  public:
    static void run(int source, int index, int destination, uint64_t *result)
    {
        const auto own = sl_view_deq(form, source, index);
        const int32_t n = SL_FIELD(own, 0, Element, value);
        check(n);
        if (n <= 2) {
            sl_atomic_add_u64(result, 1);
        } else {
            put(destination, 2, [n](int i) {
                const step &chosen = i == 0 ? static_cast<const step &>(steps_one) : steps_two;
                return chosen.less(n);
            });
        }
        sl_tfree(source, index);
    }

  private:
    __attribute__((noinline)) static void check(int32_t n)
    {
        SL_ASSERT(n != WRONG, n); /* here */
    }
    template <typename Value> static void put(int channel, int count, Value value)
    {
        void *const made = sl_talloc_or_trap(channel, count);
        const auto children = sl_view(form, channel, made);
        for (int i = 0; i < count; i++) {
            SL_FIELD(children, i, Element, value) = value(i);
        }
        sl_enq(channel, made, count);
    }
};
} // namespace
#define KERNEL(name, form)                                                                         \
    SL_KERNEL void name(int source, int index, int destination, uint64_t *result)                  \
    {                                                                                              \
        fibonacci<element, form>::run(source, index, destination, result);                         \
    }
KERNEL(fib_kernel, SL_PACKED)
KERNEL(fib_kernel_padded, SL_PADDED)
KERNEL(fib_kernel_soa, SL_SOA)
END
}

views() {
    local variant
    with fib
    fib_source >fib.cc
    compile -DWRONG=-1 fib.cc -o machine/kernels/fib.elf || fail "$(cat said)"
    for variant in wavefront padded soa; do
        run 0 fib 12 --variant "$variant"
        expect_result "fib(12) = 144"
    done
}

# Kernels have their names, and other functions those that the linker knows, which c++filt reads.
fault() {
    local line
    with fib
    fib_source >fib.cc
    line=$(grep -n '/\* here \*/' fib.cc | cut -d : -f 1)
    compile -DWRONG=3 fib.cc -o machine/kernels/fib.elf || fail "$(cat said)"
    run 3 fib 8 --quiet
    expect err "kernel fib_kernel faulted: kernel trap: assertion failed in line $line .*in _ZN[A-Za-z0-9_]*fibonacci[A-Za-z0-9_]*5checkEi \(fib\.cc:$line\)"
    "${CROSS:-riscv64-unknown-elf-}c++filt" <err >filtered
    expect filtered "in \(anonymous namespace\)::fibonacci<.*element, \(sl_form\)0>::check\(int\) \(fib\.cc:$line\)"
}

# refused PATTERN TEXT: a kernel file with this text
refused() {
    printf '#include "sluice/wave/wave.h"\n%b\n' "$2" >refused.cc
    printf 'SL_KERNEL void k(int s, int i) { sl_tfree(s, use(i)); }\n' >>refused.cc
    ! compile refused.cc -o refused.elf || fail "compiled"
    [[ ! -e refused.elf ]] || fail "a file all the same"
    expect said "$1"
}

# A kernel without C linkage has another name.
linkage() {
    with fib
    printf '#include "sluice/wave/wave.h"\n%s\n' \
        '__attribute__((used)) void fib_kernel(int s, int i, int, uint64_t *) { sl_tfree(s, i); }' >fib.cc
    compile fib.cc -o machine/kernels/fib.elf || fail "$(cat said)"
    run 2 fib 8 --quiet
    expect err "has no function 'fib_kernel'; it has '_Z10fib_kerneliiiPm' of C\+\+: declare it extern \"C\", as SL_KERNEL does"
}

# Kernels in C have no exceptions and types anyway: the options of C++ are not for them.
both() {
    printf '#include "sluice/wave/wave.h"\nint twice(int i);\nint twice(int i) { return 2 * i; }\n' >twice.c
    printf '#include "sluice/wave/wave.h"\nextern "C" int twice(int i);\n%s\n' \
        'SL_KERNEL void k(int s, int i) { sl_tfree(s, twice(i)); }' >kernel.cpp
    "$root/scripts/sluice-kernel-cc" -Wall -Wextra -Werror twice.c kernel.cpp -o both.elf 2>said || fail "$(cat said)"
    [[ ! -s said ]] || fail "$(cat said)"
}

# Headers of C are often included so.
as_extern_c() {
    printf 'extern "C" {\n#include "sluice/wave/wave.h"\n}\nstruct element { int32_t value; };\n%s\n' \
        'SL_KERNEL void k(int s, int i) { const auto own = sl_view_deq(SL_SOA, s, i); SL_FIELD(own, 0, element, value) = 1; }' >k.cc
    compile k.cc -o k.elf || fail "$(cat said)"
}

# Before and behind those of Sluice: and, or and xor are macros in C then.
c_headers='assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdbool
    stddef stdint stdio stdlib stdnoreturn string tgmath time wchar wctype'

# headers LANGUAGE HEADER...
headers() {
    local own='#include "sluice/wave/wave.h"
#include "sluice/wave/trees.h"
#include "sluice/wave/locks.h"
#include "sluice/wave/printf.h"'
    printf '#include <%s.h>\n' "${@:2}" >of_c
    { cat of_c && printf '%s\n' "$own"; } >before.c
    { printf '%s\n' "$own" && cat of_c; } >behind.c
    "$root/scripts/sluice-kernel-cc" -x "$1" -Wall -Wextra -Werror -c before.c -o before.o 2>said || fail "$(cat said)"
    "$root/scripts/sluice-kernel-cc" -x "$1" -Wall -Wextra -Werror -c behind.c -o behind.o 2>said || fail "$(cat said)"
}

# Of what C has for atomics, each lane's result counts.
atomics_of_c() {
    with fib
    cat >fib.c <<'END'
#include <iso646.h>
#include <stdatomic.h>
#include "sluice/wave/wave.h"
SL_KERNEL void fib_kernel(int source, int index, int destination, _Atomic uint64_t *result)
{
    static _Atomic uint32_t sum, bits;
    const int32_t n = *(int32_t *)sl_deq(source, index);
    uint64_t seen = atomic_load(result);
    atomic_fetch_add(&sum, 1);
    atomic_fetch_xor_explicit(&bits, 1u << (n & 31), memory_order_relaxed);
    if (n <= 2 and sum > 0) {
        while (not atomic_compare_exchange_weak(result, &seen, seen + 1)) {
        }
    } else {
        int32_t *const children = sl_talloc_or_trap(destination, 2);
        children[0] = n - 1;
        children[1] = n - 2;
        sl_enq(destination, children, 2);
    }
    sl_tfree(source, index);
}
END
    "$root/scripts/sluice-kernel-cc" -Wall -Wextra -Werror fib.c -o machine/kernels/fib.elf 2>said || fail "$(cat said)"
    run 0 fib 12 --quiet
    expect_result "fib(12) = 144"
}

# c_refused PATTERN TEXT
c_refused() {
    printf '#include "sluice/wave/wave.h"\n%b\n' "$2" >refused.c
    ! "$root/scripts/sluice-kernel-cc" refused.c -o refused.elf 2>said || fail "compiled"
    expect said "$1"
}

check "a program" subsets 124 12
check "on other memory" subsets 23 9 --config mttop
check "exceptions and statuses" subsets_fail
check "tasks, as C++" as_cxx tasks_tree 6
check "tasks in lambdas" tasks
check "fork and join, as C++" as_cxx trees_fib 12
check "a continuation that forks, and maps, as C++" as_cxx trees_cases forks_again
check "print, as C++" as_cxx print 20
check "views, templates and tables of functions" views
check "names in messages" fault
check "a kernel without C linkage" linkage
check "C and C++ in one program" both
check "headers as extern C" as_extern_c
check "a constructor" refused 'refused\.cc:[0-9]+: this would run before or behind a kernel, .*constexpr' \
    'static const int made = (int)sl_lane_count();\nstatic int use(int i) { return i + made; }'
check "a function that is called before main()" refused 'refused\.cc:[0-9]+: this would run before or behind a kernel' \
    '__attribute__((constructor)) static void begin() { sl_pause(); }\nstatic int use(int i) { return i; }'
check "a function that is called behind main()" refused 'refused\.cc:[0-9]+: this would run before or behind a kernel' \
    '__attribute__((destructor)) static void end() { sl_pause(); }\nstatic int use(int i) { return i; }'
check "a constructor with a priority" refused 'refused\.cc:[0-9]+: this would run before or behind a kernel' \
    '__attribute__((constructor(200))) static void begin() { sl_pause(); }\nstatic int use(int i) { return i; }'
for section in .preinit_array .ctors .dtors .fini_array.7; do
    check "section $section" refused 'refused\.cc:[0-9]+: this would run before or behind a kernel.*begin' \
        "static void begin() { sl_pause(); }\nstatic int use(int i) { return i; }
        __attribute__((section(\"$section\"), used)) static void (*const at)() = begin;"
done
check "section .init" refused 'refused\.cc:[0-9]+: this would run before or behind a kernel' \
    '__attribute__((section(".init"))) void begin() { sl_pause(); }\nstatic int use(int i) { return i; }'
for word in thread_local __thread; do
    check "$word" refused "has the thread-local variable '.*seed" "$word int seed = 7;\nstatic int use(int i) { return i + seed; }"
done
check "a thread-local variable that is not there" refused 'has relocations for a dynamic linker' \
    'extern __attribute__((weak)) __thread int seed;\nstatic int use(int i) { return i + seed; }'
check "an indirect function" refused "has the indirect function 'one'" \
    'extern "C" int one(int i);\n__asm__(".globl one; .type one, @gnu_indirect_function; one: ret");\nstatic int use(int i) { return one(i); }'
check "sl_printf with 17 arguments" refused 'sl_printf_has_too_many_arguments_.*at most 16 arguments' \
    '#include "sluice/wave/printf.h"\nstatic int use(int i) { sl_printf("%*d", i, i, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17); return i; }'
check "a destructor" refused '^sluice cc: a static variable has a destructor' \
    'struct made { ~made(); int x; };\nmade::~made() { sl_pause(); }\nstatic made one;\nstatic int use(int i) { return i + one.x; }'
check "a static variable of a function" refused '^sluice cc: a static variable of a function is set up by code' \
    'static int use(int i) { static const int first = (int)sl_lane_count() * i; return first; }'
check "new and delete" refused '^sluice cc: kernels have no heap' \
    'struct list { list *next; };\nlist *all;\nstatic int use(int i) { all = new list{all}; return i; }'
check "exceptions" refused 'exception handling disabled' 'static int use(int i) { if (i > 3) { throw i; } return i; }'
check "types at run time" refused "'dynamic_cast' not permitted with '-fno-rtti'" \
    'struct a { virtual int f(); };\nstruct b : a {};\na *one;\nstatic int use(int i) { return dynamic_cast<b *>(one) != nullptr ? i : 0; }'
# shellcheck disable=SC2086 # words
check "headers of C, in C" headers c $c_headers stdatomic
# shellcheck disable=SC2086 # words
check "headers of C, in C++" headers c++ $c_headers
check "stdatomic.h" atomics_of_c
for bits in 8 16; do
    check "atomics of $bits bits" c_refused '^sluice cc: kernels have atomics of 32 and 64 bits' \
        "#include <stdatomic.h>\nSL_KERNEL void k(_Atomic uint${bits}_t *at) { atomic_fetch_add(at, 1); }"
done
check "stdatomic.h in C++" refused '^sluice cc: <stdatomic\.h> is for kernels in C' '#include <stdatomic.h>'
check "threads.h" c_refused '^sluice cc: kernels have no threads' '#include <threads.h>'
check "uchar.h" c_refused '^sluice cc: the C library of kernels has no <uchar\.h>' '#include <uchar.h>'
for header in vector cstdint type_traits; do
    check "$header" refused '^sluice cc: kernels have no C\+\+ library: include headers of C' "#include <$header>"
done
