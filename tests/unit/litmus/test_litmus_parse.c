/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Litmus files (docs/do/write-litmus-tests.md): what a good one gives, and what is said of each
 * that is not. */
#include <stdio.h>
#include <string.h>

#include "common/check.h"
#include "litmus/parse.h"

static struct litmus_test test;
static char error[LITMUS_ERROR_BYTES];

static const char good[] = "Sluice All+of it\n"
                           "(* a comment\n of two lines *)\n"
                           "{ x=0; flag=-3; }\n"
                           " P0 | P1 | P2 ;\n"
                           " st x,1 | warm x | LOOP: fence ;\n"
                           " st.rel.wg flag,r1 | cas.acqrel.sys r1,flag,-3,7 | ;\n"
                           " | bnez r1,END | fence.acq.dev ;\n"
                           " | ld.acq.wf r2,x | add.dev r6,x,2047 ;\n"
                           " | END: | swap r1,x[r2],r6 ;\n"
                           "lines: one\n"
                           "scopes: (dev (wg P2) (wg P1 (wf P0)))\n"
                           "observe 5000: wt scoped\n"
                           "never: *\n"
                           "~exists (1:r1=-3 /\\ ~x=1 \\/ (2:r6=4))\n";

TEST(test_good)
{
    if (!litmus_parse("f", good, &test, error)) {
        fail_msg("%s", error);
    }
    assert_string_equal(test.name, "All+of it");
    assert_int_equal(test.variable_count, 2);
    assert_string_equal(test.variable[1].name, "flag");
    assert_int_equal(test.variable[1].initial, -3);
    assert_int_equal(test.thread_count, 3);
    assert_true(test.one_line);
    assert_int_equal(test.thread[1].warm, 1);
    assert_int_equal(test.thread[1].registers, 3);
}

TEST(test_operations)
{
    assert_true(litmus_parse("f", good, &test, error));
    assert_int_equal(test.thread[0].op_count, 2);
    const struct litmus_op *const store = &test.thread[0].op[1];
    assert_int_equal(store->kind, LITMUS_STORE);
    assert_true(store->release && !store->acquire && store->is_scoped);
    assert_int_equal(store->scope, LITMUS_WORKGROUP);
    assert_int_equal(store->variable, 1);
    assert_true(store->operand.is_register);
    assert_int_equal(store->operand.value, 0);
    assert_int_equal(store->line, 7);

    assert_int_equal(test.thread[1].op_count, 3);
    const struct litmus_op *const cas = &test.thread[1].op[0];
    assert_int_equal(cas->kind, LITMUS_CAS);
    assert_true(cas->release && cas->acquire);
    assert_int_equal(cas->scope, LITMUS_SYSTEM);
    assert_int_equal(cas->expected.value, -3);
    assert_int_equal(cas->operand.value, 7);
    assert_int_equal(test.thread[1].op[1].kind, LITMUS_BRANCH);
    assert_false(test.thread[1].op[1].if_zero);
    assert_int_equal(test.thread[1].op[1].target, 3);

    const struct litmus_thread *const last = &test.thread[2];
    assert_int_equal(last->op_count, 4);
    assert_true(last->op[0].acquire && last->op[0].release && !last->op[0].is_scoped);
    assert_true(last->op[1].acquire && !last->op[1].release && last->op[1].is_scoped);
    assert_false(last->op[2].acquire || last->op[2].release);
    assert_int_equal(last->op[2].scope, LITMUS_DEVICE);
    assert_false(last->op[2].index.is_register);
    assert_int_equal(last->op[3].kind, LITMUS_SWAP);
    assert_true(last->op[3].index.is_register);
    assert_int_equal(last->op[3].index.value, 1);
}

TEST(test_places)
{
    assert_true(litmus_parse("f", good, &test, error));
    assert_int_equal(test.group_count, 2);
    assert_int_equal(test.thread[2].group, 0);
    assert_int_equal(test.thread[1].group, 1);
    assert_int_equal(test.thread[1].wave, 0);
    assert_int_equal(test.thread[0].group, 1);
    assert_int_equal(test.thread[0].wave, 1);
    assert_int_equal(test.wave_count[1], 2);

    /* Without a tree, each has a work-group of its own. */
    assert_true(litmus_parse("f", "Sluice A\n{ x=0; }\nP0 | P1 ;\nld r1,x | ;\nexists (0:r1=0)",
                             &test, error));
    assert_int_equal(test.group_count, 2);
    assert_int_equal(test.thread[1].group, 1);
}

TEST(test_expectations)
{
    assert_true(litmus_parse("f", good, &test, error));
    assert_int_equal(test.expectation_count, 3);
    assert_string_equal(test.expectation[1].system, "scoped");
    assert_int_equal(test.expectation[1].runs, 5000);
    assert_string_equal(test.expectation[2].system, "*");
    assert_int_equal(test.expectation[2].runs, 0);
    assert_int_equal(test.expectation[2].line, 14);
}

/* `and` binds closer than `or`. */
TEST(test_condition)
{
    assert_true(litmus_parse("f", good, &test, error));
    const struct litmus_condition *const condition = &test.condition;
    assert_int_equal(condition->quantifier, LITMUS_NOT_EXISTS);
    const struct litmus_term *const root = &condition->term[condition->root];
    assert_int_equal(root->kind, LITMUS_TERM_OR);
    const struct litmus_term *const left = &condition->term[root->left];
    assert_int_equal(left->kind, LITMUS_TERM_AND);
    assert_int_equal(condition->term[left->left].value, -3);
    assert_int_equal(condition->term[left->right].kind, LITMUS_TERM_NOT);
    const struct litmus_term *const right = &condition->term[root->right];
    assert_int_equal(right->kind, LITMUS_TERM_REGISTER);
    assert_int_equal(right->thread, 2);
    assert_int_equal(right->reg, 5);
}

/* ---- bad files ---- */

#define HEAD      "Sluice A\n{ x=0; y=0; }\n"
#define BODY      HEAD "P0 | P1 ;\nld r1,x | st x,1 ;\n"
#define OP(text)  HEAD "P0 ;\nld r1,x ;\n" text " ;\nexists (x=0)"
#define TEN(text) text text text text text text text text text text

struct bad_file {
    const char *text;
    const char *says;
};

static const struct bad_file bad_files[] = {
    {"", "f:1: 'the end of the file' where a header belongs: Sluice NAME"},
    {"RISCV MP\n", "f:1: 'RISCV' where a header belongs"},
    {"Sluice\n{ x=0; }", "f:1: the header has no name"},
    {"Sluice " TEN("abcde") "\n", "is too long; a name has 47 characters at most"},
    {"Sluice A\nP0 ;", "f:2: 'P0' where the initial state, { x=0; y=0; }, belongs"},
    {"Sluice A\n{ }\nP0 ;", "f:3: the initial state has no variable"},
    {"Sluice A\n{ x=0; x=1; }", "f:2: variable 'x' is there twice"},
    {"Sluice A\n{ r1=0; }", "f:2: 'r1' where a variable's name or '}' belongs"},
    {"Sluice A\n{ a=0; b=0; c=0; d=0; e=0; }", "f:2: 'e' is one variable too many; there are 4"},
    {"Sluice A\n{ x=a; }", "f:2: 'a' where a value belongs, from -2047 to 2047"},
    {"Sluice A\n{ x=2048; }", "f:2: '2048' where a value belongs, from -2047 to 2047"},
    {"Sluice A\n{ x=0 }", "f:2: '}' where ';' belongs"},
    {HEAD "P1 | P0 ;", "f:3: 'P1' where the head of a column, P0, P1 and so on, belongs"},
    {HEAD "P0 | P1 | P2 | P3 | P4 ;", "f:3: too many threads; there are 4 at most"},
    {HEAD "P0 | P1 ;\nld r1,x ;\n", "f:4: ';' where '|' and the next column belongs"},
    {HEAD "P0 | P1 ;\nld r1,x | ld r1,y | ;\n", "f:4: '|' where ';' at the end of a row belongs"},
    {OP("lw r1,x"), "f:5: no operation 'lw'; there are ld, st, swap, add, cas, fence"},
    {OP("ld.rel.dev r1,x"), "f:5: 'ld.rel.dev': no 'rel' here; behind a name come what it orders "
                            "(acq), then its scope (wf, wg, dev or sys)"},
    {OP("st.acqrel.dev x,1"), "f:5: 'st.acqrel.dev': no 'acqrel' here"},
    {OP("ld.dev.acq r1,x"), "f:5: 'ld.dev.acq': no 'acq' here"},
    {OP("ld.acq.cta r1,x"), "f:5: 'ld.acq.cta': no 'cta' here"},
    {OP("ld.acq r1,x"), "f:5: 'ld.acq' has no scope; add .wf, .wg, .dev or .sys"},
    {OP("fence.dev"), "f:5: 'fence.dev' orders nothing: fence.acq, fence.rel or fence.acqrel"},
    {OP("beqz.dev r1,E"), "f:5: 'beqz.dev': no 'dev' here"},
    {OP("ld r7,x"), "f:5: 'r7' where a register belongs, r1 to r6"},
    {OP("ld x,r1"), "f:5: 'x' where a register belongs, r1 to r6"},
    {OP("ld r1,z"), "f:5: 'z' where a variable belongs; the initial state in braces names them"},
    {OP("ld r1 x"), "f:5: 'x' where ',' and another operand belongs"},
    {OP("st x"), "f:5: ';' where ',' and another operand belongs"},
    {OP("st x,4000"), "f:5: '4000' where a value or a register belongs, from -2047 to 2047"},
    {OP("cas r2,x,r2,1"), "f:5: cas loads into r2 before it looks at its operands"},
    {OP("ld r2,x[1]"), "f:5: '1' where a register belongs, r1 to r6"},
    {OP("st x[r1,1"), "f:5: ',' where ']' behind the register belongs"},
    {OP("beqz r1,END"), "f:5: no label 'END:' in this thread"},
    {OP("beqz r1,1"), "f:5: '1' where a label belongs"},
    {OP("A: ld r2,x ;\nbeqz r1,A"), "f:6: label 'A' is in front of the branch"},
    {OP("A: ld r2,x ;\nA:"), "f:6: label 'A' is there twice"},
    {OP("A: ;B: ;C: ;D: ;\nE:"), "f:6: too many labels; a thread has 4 at most"},
    {OP("warm y"), "f:5: warm comes before the test"},
    {OP(TEN("ld r1,x;\n") "ld r1,x;\nld r1,x"), "f:16: too many operations; a thread has 12"},
    {OP("ld r1,$"), "f:5: '$' means nothing here"},
    {OP("(* x"), "f:5: a comment begins here and never ends; end it with *)"},
    {OP(TEN("abcde")), "is too long; a word has 47 characters at most"},
    {BODY "scopes: (wg P0)", "f:5: 'wg' where dev belongs"},
    {BODY "scopes: (dev P0 P1)", "f:5: 'P0' where a work-group, (wg P0), belongs"},
    {BODY "scopes: (dev (wg P0))", "P1 is not in the tree of scopes"},
    {BODY "scopes: (dev (wg P0 P0 P1))", "f:5: P0 is there twice"},
    {BODY "scopes: (dev (wg P0 P2))", "f:5: 'P2' where a thread belongs, P0 to P1"},
    {BODY "scopes: (dev (wg P0 (wf P1", "f:5: 'the end of the file' where a thread belongs"},
    {BODY "scopes: (dev (wg P0) (wg P1) (wg))", "f:5: there are more work-groups than threads"},
    {BODY "scopes: (dev (wg) (wg P0 P1))", "f:5: a work-group without threads"},
    {BODY "scopes: (dev (wg P0 P1))\nscopes: (dev)", "f:6: scopes are there twice"},
    {BODY "lines: two", "f:5: 'two' where 'one' (all variables in one cache line) or 'apart'"},
    {BODY "observe wt", "f:5: 'wt' where a number of runs belongs"},
    {BODY "observe 0: wt", "f:5: '0' where a number of runs belongs, from 1 to 1000000000"},
    {BODY "never:\nexists (x=0)", "f:5: no memory system is named on this line"},
    {BODY "never: wt, flat", "f:5: ',' where the name of a memory system belongs, or '*'"},
    {BODY "never: a b c d e f g h i", "f:5: too many memory systems; there are 8 at most"},
    {BODY, "f:5: 'the end of the file' where a condition, exists (...), ~exists (...) or forall"},
    {BODY "~forall (x=0)", "f:5: 'forall' where a condition"},
    {BODY "exists x=0", "f:5: 'x' where '(' and the condition belongs"},
    {BODY "exists (x=0", "f:5: 'the end of the file' where ')' at the condition's end belongs"},
    {BODY "exists (x)", "f:5: ')' where '=' and a value belongs"},
    {BODY "exists (z=0)", "f:5: 'z' where a variable belongs"},
    {BODY "exists (2:r1=0)", "f:5: '2' where the number of a thread belongs, from 0 to 1"},
    {BODY "exists (0:r2=0)", "f:5: P0 loads nothing into r2"},
    {BODY "exists (x=0 /\\)", "f:5: ')' where a variable belongs"},
    {BODY "exists (x=0)\nexists (y=0)", "f:6: 'exists' behind the condition, which ends the file"},
    {BODY "exists (" TEN("((") "x=0", "f:5: more than 16 parts within each other"},
    {BODY "exists (x=0" TEN(" \\/ x=1 \\/ x=2") ")", "the condition is too long; it has 32 parts"},
};

TEST(test_bad)
{
    for (size_t i = 0; i < sizeof bad_files / sizeof bad_files[0]; i++) {
        const struct bad_file *const bad = &bad_files[i];
        if (litmus_parse("f", bad->text, &test, error)) {
            fail_msg("no error, wanted '%s':\n%s", bad->says, bad->text);
        }
        if (strstr(error, bad->says) == NULL) {
            fail_msg("'%s', wanted '%s':\n%s", error, bad->says, bad->text);
        }
    }
}

/* A file that is cut off anywhere is an error, and nothing worse. */
TEST(test_cut)
{
    char text[sizeof good];

    for (size_t length = 0; length < sizeof good - 3; length++) {
        memcpy(text, good, length);
        text[length] = '\0';
        if (litmus_parse("f", text, &test, error)) {
            fail_msg("no error in:\n%s", text);
        }
    }
}

TEST(test_unreadable)
{
    assert_false(litmus_parse_file("/nowhere/a.litmus", &test, error));
    assert_string_equal(error, "cannot read '/nowhere/a.litmus': No such file or directory");
    assert_false(litmus_parse_file("/", &test, error));
    assert_string_equal(error, "cannot read '/': Is a directory");
    assert_false(litmus_parse_file("/dev/zero", &test, error));
    assert_string_equal(error, "/dev/zero: not a litmus file: longer than 65535 bytes");
}
