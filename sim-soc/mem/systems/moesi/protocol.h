/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The tables of mem/systems/moesi/protocol.def, which explains them, and how often each transition
 * was taken. */
#ifndef SLUICE_MEM_SYSTEMS_MOESI_PROTOCOL_H
#define SLUICE_MEM_SYSTEMS_MOESI_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

enum l1_state { L1_I, L1_S, L1_E, L1_O, L1_M, L1_STATES };

enum l1_event {
    L1_LOAD,
    L1_FETCH,
    L1_STORE,
    L1_EVICT,
    L1_SHARED,
    L1_EXCLUSIVE,
    L1_MODIFIED,
    L1_UPGRADED,
    L1_FORWARD_GETS,
    L1_FORWARD_GETX,
    L1_INVALIDATE,
    L1_RECALL,
    L1_EVENTS,
    L1_NOTHING = L1_EVENTS,
};

enum message {
    MESSAGE_IMPOSSIBLE, /* no transition */
    MESSAGE_NONE,
    MESSAGE_GETS,
    MESSAGE_FETCH,
    MESSAGE_GETX,
    MESSAGE_UPGRADE,
    MESSAGE_PUTS,
    MESSAGE_PUTE,
    MESSAGE_PUTO,
    MESSAGE_PUTM,
    MESSAGE_DATA_CLEAN,
    MESSAGE_DATA_DIRTY,
    MESSAGE_ACK,
};

enum directory_state {
    DIRECTORY_N,
    DIRECTORY_U,
    DIRECTORY_S,
    DIRECTORY_X,
    DIRECTORY_O,
    DIRECTORY_STATES
};

enum directory_event {
    DIRECTORY_GETS,
    DIRECTORY_FETCH,
    DIRECTORY_GETX,
    DIRECTORY_UPGRADE,
    DIRECTORY_PUTS,
    DIRECTORY_PUTS_LAST,
    DIRECTORY_PUTE,
    DIRECTORY_PUTO,
    DIRECTORY_PUTO_LAST,
    DIRECTORY_PUTM,
    DIRECTORY_OWNER_CLEAN,
    DIRECTORY_OWNER_DIRTY,
    DIRECTORY_REPLACE,
    DIRECTORY_EVENTS
};

enum directory_action {
    ACTION_NOTHING = 0,
    ACTION_FILL = 1,
    ACTION_DATA = 2,
    ACTION_FORWARD = 4,
    ACTION_INVALIDATE = 8,
    ACTION_TAKE = 16,
    ACTION_DROP = 32,
    ACTION_RECALL = 64,
};

struct l1_transition {
    uint8_t next;    /* enum l1_state */
    uint8_t message; /* enum message */
};

struct directory_transition {
    bool is_possible;
    uint8_t next;    /* enum directory_state */
    uint8_t actions; /* of enum directory_action */
    uint8_t grant;   /* enum l1_event, or L1_NOTHING */
};

extern const struct l1_transition l1_table[L1_STATES][L1_EVENTS];
extern const struct directory_transition directory_table[DIRECTORY_STATES][DIRECTORY_EVENTS];

/* The names, for what prints the coverage. */
extern const char *const l1_state_names[L1_STATES];
extern const char *const l1_event_names[L1_EVENTS];
extern const char *const directory_state_names[DIRECTORY_STATES];
extern const char *const directory_event_names[DIRECTORY_EVENTS];

/* How often each transition was taken. */
struct protocol_coverage {
    uint64_t l1[L1_STATES][L1_EVENTS];
    uint64_t directory[DIRECTORY_STATES][DIRECTORY_EVENTS];
};

/* Whether its messages carry a line. */
static inline bool message_has_line(enum message message)
{
    return message == MESSAGE_PUTO || message == MESSAGE_PUTM || message == MESSAGE_DATA_CLEAN ||
           message == MESSAGE_DATA_DIRTY;
}

#endif
