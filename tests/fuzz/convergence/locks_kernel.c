/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Locks that lanes take by compare and exchange, in forms that C programmers write. Each item
 * enters a section and counts there. The lane that has the lock gives it back only if it executes
 * the section while others wait for it: where the section is in the loop's body, and not behind it.
 *
 * Each form is a kernel for test_lock_forms.sh, which says what becomes of it, and compiles one at
 * a time: with FORMS(FORM) defined as FORM(name). */
#include <sluice/wave/group.h>
#include <sluice/wave/wave.h>

/* A lock and what it protects: `count` entries so far. Each of them writes a word, the items' in
 * turn, which in the end says how often all have entered; unless an entry was lost. */
struct section {
    uint32_t *lock;
    uint32_t *count;
    uint32_t *out;
    uint32_t items;
};

static inline bool try_lock(uint32_t *lock)
{
    return sl_atomic_compare_exchange_u32_device_acq_rel(lock, 0, 1) == 0;
}

static inline void unlock(uint32_t *lock)
{
    sl_store_release_u32_device(lock, 0);
}

static inline void enter(const struct section *s)
{
    const uint32_t ticket = sl_load_relaxed_u32_device(s->count);

    sl_store_relaxed_u32_device(s->count, ticket + 1);
    s->out[ticket % s->items] = ticket / s->items + 1;
}

/* ---- a flag, or what stands for one, ends the loop ---- */

static inline void flag_while(const struct section *s)
{
    bool done = false;
    while (!done) {
        if (try_lock(s->lock)) {
            enter(s);
            unlock(s->lock);
            done = true;
        }
    }
}

static inline void flag_do(const struct section *s)
{
    bool done = false;
    do {
        if (try_lock(s->lock)) {
            enter(s);
            unlock(s->lock);
            done = true;
        }
    } while (!done);
}

static inline void flag_for(const struct section *s)
{
    bool done = false;
    for (int tries = 0; !done; tries++) {
        if (try_lock(s->lock)) {
            enter(s);
            unlock(s->lock);
            done = true;
        }
    }
}

static inline void flag_first(const struct section *s)
{
    bool done = false;
    while (!done) {
        if (try_lock(s->lock)) {
            done = true;
            enter(s);
            unlock(s->lock);
        }
    }
}

static inline void got_do(const struct section *s)
{
    bool got;
    do {
        got = try_lock(s->lock);
        if (got) {
            enter(s);
            unlock(s->lock);
        }
    } while (!got);
}

static inline void old_do(const struct section *s)
{
    uint32_t old;
    do {
        old = sl_atomic_compare_exchange_u32_device_acq_rel(s->lock, 0, 1);
        if (old == 0) {
            enter(s);
            unlock(s->lock);
        }
    } while (old != 0);
}

/* ---- with something else in the loop ---- */

static inline void flag_pause(const struct section *s)
{
    bool done = false;
    while (!done) {
        if (try_lock(s->lock)) {
            enter(s);
            unlock(s->lock);
            done = true;
        } else {
            sl_pause();
        }
    }
}

static inline void flag_pause_behind(const struct section *s)
{
    bool done = false;
    while (!done) {
        if (try_lock(s->lock)) {
            enter(s);
            unlock(s->lock);
            done = true;
        }
        sl_pause();
    }
}

static inline void flag_test(const struct section *s)
{
    bool done = false;
    while (!done) {
        if (sl_load_relaxed_u32_device(s->lock) == 0 && try_lock(s->lock)) {
            enter(s);
            unlock(s->lock);
            done = true;
        }
    }
}

static inline void flag_items(const struct section *s)
{
    for (int i = 0; i < 3; i++) {
        flag_while(s);
    }
}

/* Four locks, which items i, i + 4 and so on share. */
static inline void flag_keys(const struct section *s)
{
    const uint32_t key = sl_global_id(0) % 4;
    const struct section own = {
        .lock = s->lock + 8 + key,
        .count = s->count + 16 + key,
        .out = s->out + s->items / 4 * key,
        .items = s->items / 4,
    };
    flag_while(&own);
}

static inline void flag_two(const struct section *s)
{
    uint32_t *const inner = s->lock + 8;
    bool done = false;
    while (!done) {
        if (try_lock(s->lock)) {
            if (try_lock(inner)) {
                enter(s);
                unlock(inner);
                done = true;
            }
            unlock(s->lock);
        }
    }
}

static inline void elect(const struct section *s)
{
    bool done = false;
    while (!done) {
        if (sl_elect()) {
            while (!try_lock(s->lock)) {
            }
            enter(s);
            unlock(s->lock);
            done = true;
        }
    }
}

/* ---- states ---- */

static inline void states(const struct section *s)
{
    int state = 0;
    while (state != 2) {
        switch (state) {
        case 0:
            if (try_lock(s->lock)) {
                state = 1;
            }
            break;
        case 1:
            enter(s);
            unlock(s->lock);
            state = 2;
            break;
        }
    }
}

static inline void states_if(const struct section *s)
{
    int state = 0;
    while (state != 2) {
        if (state == 1) {
            enter(s);
            unlock(s->lock);
            state = 2;
        } else if (try_lock(s->lock)) {
            state = 1;
        }
    }
}

/* ---- a helper tries once ---- */

static inline bool attempt(const struct section *s)
{
    if (!try_lock(s->lock)) {
        return false;
    }
    enter(s);
    unlock(s->lock);
    return true;
}

static __attribute__((noinline)) bool attempt_far(const struct section *s)
{
    return attempt(s);
}

static inline void helper(const struct section *s)
{
    while (!attempt(s)) {
    }
}

static inline void helper_flag(const struct section *s)
{
    bool done = false;
    while (!done) {
        done = attempt(s);
    }
}

static inline void helper_far(const struct section *s)
{
    while (!attempt_far(s)) {
    }
}

static inline void helper_break(const struct section *s)
{
    for (;;) {
        if (attempt(s)) {
            break;
        }
    }
}

/* ---- the section leaves the loop at its end ---- */

static inline void break_body(const struct section *s)
{
    for (;;) {
        if (try_lock(s->lock)) {
            enter(s);
            unlock(s->lock);
            break;
        }
    }
}

static inline void continue_body(const struct section *s)
{
    for (;;) {
        if (!try_lock(s->lock)) {
            continue;
        }
        enter(s);
        unlock(s->lock);
        break;
    }
}

static inline void goto_body(const struct section *s)
{
    for (;;) {
        if (try_lock(s->lock)) {
            enter(s);
            unlock(s->lock);
            goto done;
        }
    }
done:
    sl_pause();
}

static inline void return_body(const struct section *s)
{
    for (;;) {
        do {
            if (try_lock(s->lock)) {
                enter(s);
                unlock(s->lock);
                return;
            }
        } while (0);
    }
}

static inline uint32_t enter_and_unlock(const struct section *s)
{
    enter(s);
    unlock(s->lock);
    return 1;
}

static inline uint32_t entries_of(const struct section *s)
{
    for (;;) {
        if (try_lock(s->lock)) {
            return enter_and_unlock(s);
        }
    }
}

static inline void return_value(const struct section *s)
{
    for (uint32_t entries = 0; entries < 1;) {
        entries += entries_of(s);
    }
}

static inline void builtin_body(const struct section *s)
{
    for (;;) {
        if (__atomic_exchange_n(s->lock, 1, __ATOMIC_ACQUIRE) == 0) {
            enter(s);
            __atomic_store_n(s->lock, 0, __ATOMIC_RELEASE);
            break;
        }
    }
}

/* ---- the section is behind the loop ---- */

static inline void spin(const struct section *s)
{
    while (!try_lock(s->lock)) {
    }
    enter(s);
    unlock(s->lock);
}

/* ---- kernels, as run_kernels calls them ---- */

#define FORM(name)                                                                                 \
    SL_KERNEL void name##_kernel(const uint32_t *in, uint32_t *memory, uint32_t *out)              \
    {                                                                                              \
        const struct section section = {                                                           \
            .lock = &memory[0],                                                                    \
            .count = &memory[1],                                                                   \
            .out = out,                                                                            \
            .items = sl_grid_size(0),                                                              \
        };                                                                                         \
        (void)in;                                                                                  \
        name(&section);                                                                            \
    }

FORMS(FORM)
