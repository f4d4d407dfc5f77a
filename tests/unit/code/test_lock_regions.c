/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where locks join and branches around them reconverge. Letters are those of papers/004, where the
 * case is one of its examples. */
#include <string.h>

#include "common/check.h"
#include "lock_code.h"
#include "sluice/limits.h"

#define PARCELS 512

static uint32_t table[PARCELS]; /* as joins are */
static uint32_t plain[PARCELS]; /* as post-dominators alone are */

static void analyse(const char *text)
{
    const struct sl_code *code = lock_code(text);

    assert_true(2 * code->word_count <= PARCELS);
    assert_int_equal(sl_reconverge(code, plain), 0);
    memcpy(table, plain, sizeof table);
    assert_int_equal(sl_lock_joins(code, table), 0);
}

static void check(const uint32_t *which, const char *name, char label, char expected)
{
    const uint32_t found = which[lock_code_at(label) / 2];

    if (found != lock_code_at(expected)) {
        fail_msg("%c meets at byte 0x%x of the %s table, should at %c, 0x%x", label, found, name,
                 expected, lock_code_at(expected));
    }
}

/* Pairs: the first one's lanes come together again at the second one, '-' for not in the function;
 * as text "AB CD". */
static void meets(const char *pairs)
{
    for (; *pairs != '\0'; pairs += pairs[2] == ' ' ? 3 : 2) {
        check(table, "join", pairs[0], pairs[1]);
    }
}

static void meets_plain(const char *pairs)
{
    for (; *pairs != '\0'; pairs += pairs[2] == ' ' ? 3 : 2) {
        check(plain, "plain", pairs[0], pairs[1]);
    }
}

/* Behind the unlock, in the same basic block. */
TEST(test_straight)
{
    analyse("A: lock B: nop C: unlock D: nop E: ret");
    meets("AD C-");
    meets_plain("A-");
}

/* Example 7 and 10: two unlocks, one of them with a break. */
TEST(test_radiosity)
{
    analyse("W: if G  I: if W  A: lock B: if F  C: nop D: unlock E: go G  F: unlock J: go W  "
            "G: nop H: ret");
    meets("WG IG AG BG");
    meets_plain("BG A-");
}

/* Example 11: the branch at D opens and closes no outer lock, so that it may end at I. */
TEST(test_nested)
{
    analyse("A: lock B: lock C: nop D: if G  E: nop F: unlock X: go I  G: nop H: unlock  I: nop "
            "J: unlock K: ret");
    meets("AK BK DI");
}

/* Example 12: the branch in front of the section would reconverge inside it. */
TEST(test_branch_around)
{
    analyse("A: if D  B: lock C: nop X: go E  D: lock E: nop F: unlock G: nop H: ret");
    meets("AG BG DG");
    meets_plain("AE");
}

/* Example 13: of two lanes that part at B, one wants a second lock, which the other may hold. */
TEST(test_branch_to_second)
{
    analyse("A: lock B: if F  C: lock D: nop E: unlock F: nop G: unlock H: nop I: ret");
    meets("AH BH CH");
    meets_plain("BF");
}

/* The same with a branch in front of it in the section, which meets as before, and one behind. */
TEST(test_remedy_is_local)
{
    analyse("A: lock P: if Q  nop Q: nop B: if F  C: lock E: unlock F: nop R: if S  nop S: nop "
            "G: unlock H: ret");
    meets("AH PQ BH CH RS");
}

/* A lock on a way that ends in a trap counts: lanes wait there like elsewhere. */
TEST(test_lock_before_trap)
{
    analyse("A: lock B: if F  C: lock trap F: nop G: unlock H: ret");
    meets("AH BH");
    meets_plain("BF");
}

/* A lock that is given back and another taken: the way of a lane leads through depth 0. */
TEST(test_handed_over)
{
    analyse("A: lock B: if F  C: unlock D: nop E: lock F: nop G: unlock H: ret");
    meets("AH BH EH");
    meets_plain("BF");
}

/* A loop in the section, with a break out of both. */
TEST(test_loop_with_break)
{
    analyse("A: lock L: if U  M: if B  N: go L  B: nop C: unlock D: go X  U: unlock V: nop X: ret");
    meets("AX LX MX");
    analyse("A: lock L: nop M: if B  N: if L  B: nop C: unlock D: ret"); /* out of the loop alone */
    meets("AD MB NB");
}

/* A section in a loop: each turn joins before the next. */
TEST(test_section_in_loop)
{
    analyse("L: nop A: lock B: nop C: unlock D: nop E: if L  F: ret");
    meets("AD EF");
}

/* A loop that takes locks on its way in turn, as down a list: each joins where the walk ends. */
TEST(test_hand_over_hand)
{
    analyse("A: lock L: if E  B: lock C: unlock D: go L  E: nop F: unlock G: ret");
    meets("AG LG BG");
    meets_plain("LE");
}

/* Three locks in order: all join behind the last unlock. */
TEST(test_three)
{
    analyse("A: lock B: lock C: lock D: nop E: unlock F: unlock G: unlock H: nop I: ret");
    meets("AH BH CH");
}

/* Two sections one behind the other, the second one in an arm. */
TEST(test_sections)
{
    analyse("A: lock B: unlock C: if F  D: lock E: unlock F: nop G: ret");
    meets("AC CF DF");
}

/* Each way gives back and returns by itself: lanes come together where the call ends. */
TEST(test_several_unlocks)
{
    analyse("A: lock B: if E  C: unlock D: ret  E: unlock F: ret");
    meets("A- B-");
    analyse("A: lock B: if E  C: unlock D: go G  E: unlock F: nop G: nop H: ret");
    meets("AG BG");
}

/* A second lock in an arm that ends its section alone: its rounds join right behind that. */
TEST(test_two_in_an_arm)
{
    analyse("A: lock B: if G  C: lock D: unlock E: unlock F: go H  G: unlock H: nop I: ret");
    meets("AH BH CF");
}

/* A jump whose targets are not known ends the function, and what it may lead to begins again: the
 * arms of a switch that has a table. */
TEST(test_unknown_targets)
{
    analyse("S: jump? A: if D  B: lock go E  D: lock E: nop F: unlock G: ret");
    meets("S- AG BG DG");
    analyse("S: jump? L: if R  A: lock B: unlock C: go L  R: ret");
    meets("S- LR AC");
}

/* Locks of one function change nothing in another, callers among them. */
TEST(test_called)
{
    analyse("A: if C  B: call F  C: nop D: ret | E: nop F: lock G: unlock H: ret | "
            "I: if K  J: nop K: ret");
    meets("AC FH IK");
}

/* Ways that end in a trap bind nobody, and hold what they like. */
TEST(test_trap)
{
    analyse("A: lock B: if T  C: unlock D: ret  T: trap");
    meets("AD BC");
}

/* Nothing is known of code that nobody reaches; the rest is as without it. */
TEST(test_unreachable)
{
    analyse("A: lock B: unlock C: go G  D: lock E: if F  F: unlock G: ret");
    meets("AC D- EF");
}

/* A section that goes on for ever, and one in an endless loop. */
TEST(test_endless)
{
    analyse("L: lock A: nop B: unlock C: go L");
    meets("LC");
    analyse("L: lock A: if B  nop B: go A");
    meets("L- AB");
}

/* Locks that are tried wait for none, and change no table. */
TEST(test_tried)
{
    analyse("A: if C  B: try C: nop D: if E  untry E: ret");
    meets("AC B- DE");
}

/* A table of a program without locks stays as it is, whatever is in it. */
TEST(test_unchanged)
{
    const struct sl_code *code =
        lock_code("A: if D  B: try C: go E  D: nop E: untry F: ret | call? jump?");
    memset(table, 0x5a, sizeof table);
    memset(plain, 0x5a, sizeof plain);
    assert_int_equal(sl_lock_joins(code, table), 0);
    assert_memory_equal(table, plain, sizeof table);
}
