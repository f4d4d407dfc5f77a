/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Bases on words: a role is a wavefront, of which the first lane works. They take turns, so that
 * each release comes before the acquire that is to find it. Lines that can race end with a comment
 * "race: NAME", which cases.def refers to. */
#ifndef SLUICE_PROBES_RACES_WORDS_H
#define SLUICE_PROBES_RACES_WORDS_H

#include "probes/races/ops.h"

/* What is wrong with the way in which two roles pass something on. */
enum races_slip {
    NO_SLIP,
    LATE_STORE, /* behind the release */
    EARLY_LOAD, /* in front of the acquire */
    OTHER_WORD  /* what is acquired is not what was released */
};

struct races_form_pass {
    struct races_op release;
    struct races_op acquire;
    enum races_slip slip;
};

/* Message passing. */
RACES_BASE races_base_pass(struct races_data *data, const struct races_form_pass form)
{
    const uint32_t role = races_played();

    if (role == 0) {
        if (form.slip != LATE_STORE) {
            ORDINARY(data->x) = 1; /* race: pass.store */
        }
        const uint32_t done = PUT(form.release, data->a.words[0], 1); /* race: pass.release */
        if (form.slip == LATE_STORE) {
            ORDINARY(data->x) = 1; /* race: pass.late_store */
        }
        races_turn(data, 1, done);
    } else if (role == 1) {
        uint32_t seen = 0;
        races_await(data, 1);
        if (form.slip == EARLY_LOAD) {
            seen = ORDINARY(data->x); /* race: pass.early_load */
        }
        if (form.slip == OTHER_WORD) {
            (void)GET(form.acquire, data->b);
        } else {
            (void)GET(form.acquire, data->a.words[0]); /* race: pass.acquire */
        }
        if (form.slip != EARLY_LOAD) {
            seen = ORDINARY(data->x); /* race: pass.load */
        }
        data->seen[1] = seen;
    }
}

/* papers/002 Figures 2 and 6: the second role passes on to the third what it has from the first. */
struct races_form_chain {
    struct races_op first;
    struct races_op second[2];
    struct races_op third;
};

RACES_BASE races_base_chain(struct races_data *data, const struct races_form_chain form)
{
    const uint32_t role = races_played();

    if (role == 0) {
        ORDINARY(data->x) = 1; /* race: chain.store */
        races_turn(data, 1, PUT(form.first, data->a.words[0], 1));
    } else if (role == 1) {
        races_await(data, 1);
        (void)GET(form.second[0], data->a.words[0]);
        data->seen[1] = ORDINARY(data->x);                     /* race: chain.second */
        const uint32_t done = PUT(form.second[1], data->b, 1); /* race: chain.again */
        races_turn(data, 2, done);
    } else if (role == 2) {
        races_await(data, 2);
        (void)GET(form.third, data->b);    /* race: chain.acquire */
        data->seen[2] = ORDINARY(data->x); /* race: chain.third */
    }
}

/* papers/002 Figure 5: nothing but atomics, each word always with one scope. */
struct races_form_both {
    enum races_scope a;
    enum races_scope b;
};

RACES_BASE races_base_both(struct races_data *data, const struct races_form_both form)
{
    const struct races_op put_a = {RELEASE, form.a};
    const struct races_op put_b = {RELEASE, form.b};
    const struct races_op get_a = {ACQUIRE, form.a};
    const struct races_op get_b = {ACQUIRE, form.b};
    const uint32_t role = races_played();

    if (role == 0) {
        (void)PUT(put_a, data->a.words[0], 1); /* race: both.put */
        const uint32_t other = GET(get_b, data->b);
        data->seen[0] = 1 + other;
        races_turn(data, 1, other);
    } else if (role == 1) {
        races_await(data, 1);
        (void)PUT(put_b, data->b, 1);
        data->seen[1] = GET(get_a, data->a.words[0]); /* race: both.get */
    }
}

/* Two words released by one exchange of 64 bits; the second of them is acquired. */
struct races_form_wide {
    enum races_order release;
    enum races_order acquire;
};

RACES_BASE races_base_wide(struct races_data *data, const struct races_form_wide form)
{
    const struct races_op acquire = {form.acquire, DEVICE};
    const uint32_t role = races_played();

    if (role == 0) {
        ORDINARY(data->x) = 1; /* race: wide.store */
        const uint64_t done = form.release == RELEASE
                                  ? sl_atomic_exchange_u64_device_release(&data->a.both, ~0ull)
                                  : sl_atomic_exchange_u64_device(&data->a.both, ~0ull);
        races_turn(data, 1, (uint32_t)done);
    } else if (role == 1) {
        races_await(data, 1);
        (void)GET(acquire, data->a.words[1]);
        data->seen[1] = ORDINARY(data->x); /* race: wide.load */
    }
}

/* What is released stays released, whoever adds to the word in between. */
struct races_form_handed {
    struct races_op first;
    struct races_op second;
    struct races_op third;
};

RACES_BASE races_base_handed(struct races_data *data, const struct races_form_handed form)
{
    const uint32_t role = races_played();

    if (role == 0) {
        ORDINARY(data->x) = 1;                                      /* race: handed.store */
        const uint32_t done = ADD(form.first, data->a.words[0], 1); /* race: handed.first */
        races_turn(data, 1, done);
    } else if (role == 1) {
        races_await(data, 1);
        const uint32_t done = ADD(form.second, data->a.words[0], 1); /* race: handed.add */
        races_turn(data, 2, done);
    } else if (role == 2) {
        races_await(data, 2);
        (void)GET(form.third, data->a.words[0]); /* race: handed.acquire */
        data->seen[2] = ORDINARY(data->x);       /* race: handed.load */
    }
}

/* The device's sl.lr, relaxed, and sl.sc, which releases if it succeeds: then it gives 0. */
#define LOAD_RESERVED(word)                                                                        \
    ({                                                                                             \
        uint64_t reserved;                                                                         \
        __asm__ volatile(".insn r 0x2b, 2, 0x08, %0, %1, x0"                                       \
                         : "=r"(reserved)                                                          \
                         : "r"(&(word))                                                            \
                         : "memory");                                                              \
        (uint32_t) reserved;                                                                       \
    })
#define STORE_CONDITIONAL(word, value)                                                             \
    ({                                                                                             \
        uint64_t failed;                                                                           \
        __asm__ volatile(".insn r 0x2b, 2, 0x0d, %0, %1, %2"                                       \
                         : "=r"(failed)                                                            \
                         : "r"(&(word)), "r"(value)                                                \
                         : "memory");                                                              \
        (uint32_t) failed;                                                                         \
    })

/* A release by sc, which fails where somebody stores beside its word. */
struct races_form_reserved {
    bool is_lost;
};

RACES_BASE races_base_reserved(struct races_data *data, const struct races_form_reserved form)
{
    const struct races_op acquire = {ACQUIRE, DEVICE};
    const struct races_op beside = {RELAXED, DEVICE};
    const uint32_t role = races_played();

    if (role == 0) {
        ORDINARY(data->x) = 1; /* race: reserved.store */
        races_turn(data, 1, LOAD_RESERVED(data->a.words[0]));
        races_await(data, 2);
        const uint32_t failed = STORE_CONDITIONAL(data->a.words[0], 1);
        data->seen[0] = failed;
        races_turn(data, 3, failed);
    } else if (role == 1) {
        races_await(data, 1);
        races_turn(data, 2, form.is_lost ? PUT(beside, data->a.words[1], 1) : 0);
        races_await(data, 3);
        (void)GET(acquire, data->a.words[0]);
        data->seen[1] = ORDINARY(data->x); /* race: reserved.load */
    }
}

/* Where a fence stands. */
enum races_place { BEFORE, BETWEEN, BEHIND };

struct races_form_fences {
    struct races_op release;
    enum races_place release_place; /* between the store and that of the flag */
    struct races_op acquire;
    enum races_place acquire_place; /* between the flag's loads and the other */
    enum races_scope flag;
};

/* Message passing by a relaxed flag, with fences. The flag itself is waited for: a turn would be
 * released and acquired by the fences as well. */
RACES_BASE races_base_fences(struct races_data *data, const struct races_form_fences form)
{
    const struct races_op flag = {RELAXED, form.flag};
    const uint32_t role = races_played();

    if (role == 0) {
        if (form.release_place == BEFORE) {
            FENCE(form.release);
        }
        ORDINARY(data->x) = 1; /* race: fences.store */
        if (form.release_place == BETWEEN) {
            FENCE(form.release);
        }
        (void)PUT(flag, data->a.words[0], 1);
        if (form.release_place == BEHIND) {
            FENCE(form.release);
        }
    } else if (role == 1) {
        if (form.acquire_place == BEFORE) {
            FENCE(form.acquire);
        }
        while (GET(flag, data->a.words[0]) == 0) {
            sl_pause_for(RACES_POLL);
        }
        if (form.acquire_place == BETWEEN) {
            FENCE(form.acquire);
        }
        data->seen[1] = ORDINARY(data->x); /* race: fences.load */
        if (form.acquire_place == BEHIND) {
            FENCE(form.acquire);
        }
    }
}

/* Accesses to bytes of one word: the first two, and the last, or some of both. */
struct races_form_bytes {
    unsigned overlap; /* bytes that both have, 0 or 1 */
};

RACES_BASE races_base_bytes(struct races_data *data, const struct races_form_bytes form)
{
    const uint32_t role = races_played();

    if (role == 0) {
        ORDINARY(data->halves[0]) = 0x0101; /* race: bytes.half */
    } else if (role == 1) {
        ORDINARY(data->bytes[2 - form.overlap]) = 1; /* race: bytes.byte */
    }
    if (role < RACES_ROLES) {
        data->seen[role] = role + 1;
    }
}

/* All add to one word. */
struct races_form_counter {
    struct races_op first; /* of the first role */
    struct races_op others;
};

RACES_BASE races_base_counter(struct races_data *data, const struct races_form_counter form)
{
    const uint32_t role = races_played();

    if (role == 0) {
        (void)ADD(form.first, data->x, 1); /* race: counter.first */
    } else if (role < RACES_ROLES) {
        (void)ADD(form.others, data->x, 1); /* race: counter.others */
    }
    if (role < RACES_ROLES) {
        data->seen[role] = role + 1;
    }
}

#endif
