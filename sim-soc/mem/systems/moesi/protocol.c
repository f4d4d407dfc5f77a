/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The protocol's tables, made of mem/systems/moesi/protocol.def. */
#include "mem/systems/moesi/protocol.h"

const struct l1_transition l1_table[L1_STATES][L1_EVENTS] = {
#define L1_TRANSITION(state, event, next, message)                                                 \
    [L1_##state][L1_##event] = {L1_##next, MESSAGE_##message},
#include "mem/systems/moesi/protocol.def"
#undef L1_TRANSITION
};

/* Short names for the sums of actions in the table. */
#define NOTHING    ACTION_NOTHING
#define FILL       ACTION_FILL
#define DATA       ACTION_DATA
#define FORWARD    ACTION_FORWARD
#define INVALIDATE ACTION_INVALIDATE
#define TAKE       ACTION_TAKE
#define DROP       ACTION_DROP
#define RECALL     ACTION_RECALL

const struct directory_transition directory_table[DIRECTORY_STATES][DIRECTORY_EVENTS] = {
#define DIRECTORY_TRANSITION(state, event, next, actions, grant)                                   \
    [DIRECTORY_##state][DIRECTORY_##event] = {true, DIRECTORY_##next, actions, L1_##grant},
#include "mem/systems/moesi/protocol.def"
#undef DIRECTORY_TRANSITION
};

const char *const l1_state_names[L1_STATES] = {"I", "S", "E", "O", "M"};

const char *const l1_event_names[L1_EVENTS] = {
    [L1_LOAD] = "LOAD",
    [L1_FETCH] = "FETCH",
    [L1_STORE] = "STORE",
    [L1_EVICT] = "EVICT",
    [L1_SHARED] = "SHARED",
    [L1_EXCLUSIVE] = "EXCLUSIVE",
    [L1_MODIFIED] = "MODIFIED",
    [L1_UPGRADED] = "UPGRADED",
    [L1_FORWARD_GETS] = "FORWARD_GETS",
    [L1_FORWARD_GETX] = "FORWARD_GETX",
    [L1_INVALIDATE] = "INVALIDATE",
    [L1_RECALL] = "RECALL",
};

const char *const directory_state_names[DIRECTORY_STATES] = {"N", "U", "S", "X", "O"};

const char *const directory_event_names[DIRECTORY_EVENTS] = {
    [DIRECTORY_GETS] = "GETS",
    [DIRECTORY_FETCH] = "FETCH",
    [DIRECTORY_GETX] = "GETX",
    [DIRECTORY_UPGRADE] = "UPGRADE",
    [DIRECTORY_PUTS] = "PUTS",
    [DIRECTORY_PUTS_LAST] = "PUTS_LAST",
    [DIRECTORY_PUTE] = "PUTE",
    [DIRECTORY_PUTO] = "PUTO",
    [DIRECTORY_PUTO_LAST] = "PUTO_LAST",
    [DIRECTORY_PUTM] = "PUTM",
    [DIRECTORY_OWNER_CLEAN] = "OWNER_CLEAN",
    [DIRECTORY_OWNER_DIRTY] = "OWNER_DIRTY",
    [DIRECTORY_REPLACE] = "REPLACE",
};
