/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The trees of Unbalanced Tree Search (docs/know/uts.md): SHA-1 against the vectors of its
 * standard, that of lanes against it; thresholds against the formulas; counts against those that
 * the benchmark publishes. */
#include <stdio.h>
#include <string.h>

#include "common/check.h"
#include "workloads/uts/lanes.h"
#include "workloads/uts/tree.h"

static void check_digest(const char *message, size_t bytes, const char *right)
{
    uint8_t digest[SHA1_BYTES];
    char text[2 * SHA1_BYTES + 1];

    sha1(message, bytes, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        (void)snprintf(text + 2 * i, 3, "%02x", digest[i]);
    }
    assert_string_equal(text, right);
}

/* The examples of FIPS 180-4's companion, and messages that fill a block up to its length. */
TEST(test_sha1)
{
    static const char two_blocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    static char million[1000000];

    memset(million, 'a', sizeof million);
    check_digest("", 0, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    check_digest("abc", 3, "a9993e364706816aba3e25717850c26c9cd0d89d");
    check_digest(two_blocks, 56, "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    check_digest(million, 55, "c1c8bbdc22796e28c0e15163d20899b65621d65a");
    check_digest(million, 56, "c2db330f6083854c99d4b5bfb6e8f29f201be699");
    check_digest(million, 64, "0098ba824b5c16427bd7a1122a5a442a25ec644d");
    check_digest(million, sizeof million, "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

/* A lane's states are those of the host, down a line of descendants. */
TEST(test_states)
{
    const struct uts_tree tree = {.seed = 19};
    uint8_t parent[SHA1_BYTES];
    uint8_t child[SHA1_BYTES];

    uts_root(&tree, parent);
    for (uint32_t i = 0; i < 1000; i++) {
        const uint32_t number = i * i * 2654435761u;
        uint32_t words[UTS_WORDS];
        for (int w = 0; w < UTS_WORDS; w++) {
            words[w] = (uint32_t)parent[4 * w] << 24 | (uint32_t)parent[4 * w + 1] << 16 |
                       (uint32_t)parent[4 * w + 2] << 8 | parent[4 * w + 3];
        }
        const struct uts_state made = uts_state(words, number);
        uts_child(parent, number, child);
        for (int b = 0; b < SHA1_BYTES; b++) {
            assert_int_equal(child[b], (uint8_t)(made.word[b / 4] >> (24 - b % 4 * 8)));
        }
        assert_int_equal(uts_random(child), (uint32_t)made.word[UTS_WORDS - 1] & 0x7fffffff);
        memcpy(parent, child, sizeof parent);
    }
}

static uint32_t by_row(const struct uts_row *row, uint32_t random)
{
    /* The upper bits of a state's words are of no account, nor is the top one of the lower. */
    const struct uts_state state = {.word = {[UTS_WORDS - 1] = 0xabcdef0180000000u | random}};

    return uts_children_of(row, &state);
}

static void check_row(const struct uts_tree *tree, uint32_t depth)
{
    const uint32_t last = 0x7fffffff;
    struct uts_row row;

    uts_row(tree, depth, &row);
    for (uint32_t i = 0; i < 5000; i++) {
        const uint32_t random = i * 2654435761u & last;
        assert_int_equal(by_row(&row, random), uts_children(tree, depth, random));
    }
    /* Both sides of each threshold, and both ends. */
    for (uint32_t i = 0; i < UTS_THRESHOLDS && row.threshold[i] != UTS_NEVER; i++) {
        const uint32_t at = row.threshold[i] ^ row.flip;
        const uint32_t before = (row.threshold[i] - 1) ^ row.flip;
        assert_int_equal(by_row(&row, at), uts_children(tree, depth, at));
        if (row.threshold[i] > 0) {
            assert_int_equal(by_row(&row, before), uts_children(tree, depth, before));
            assert_true(by_row(&row, at) > by_row(&row, before));
        }
    }
    assert_int_equal(by_row(&row, 0), uts_children(tree, depth, 0));
    assert_int_equal(by_row(&row, last), uts_children(tree, depth, last));
}

TEST(test_rows)
{
    static const double branchings[] = {1, 2.5, 4, 100, 65536};

    for (int shape = UTS_LINEAR; shape <= UTS_FIXED; shape++) {
        for (size_t b = 0; b < sizeof branchings / sizeof branchings[0]; b++) {
            const struct uts_tree tree = {UTS_GEOMETRIC, (enum uts_shape)shape, .depth = 10,
                                          .b = branchings[b]};
            for (uint32_t depth = 1; depth <= tree.depth; depth++) {
                check_row(&tree, depth);
            }
        }
    }
    static const double probabilities[] = {0, 0.124875, 0.234375, 1};
    for (size_t q = 0; q < sizeof probabilities / sizeof probabilities[0]; q++) {
        for (uint32_t m = 0; m <= UTS_CHILDREN_MAX; m += 50) {
            const struct uts_tree tree = {UTS_BINOMIAL, UTS_LINEAR, .b = 5, .q = probabilities[q],
                                          .m = m};
            check_row(&tree, 3);
        }
    }
}

/* A node with u = 1/2 and an expectation B has floor(log 2 / log((B + 1) / B)) children: for 4 that
 * is 3, for 2 it is 1. No node has more than 100 but a binomial root. */
TEST(test_children)
{
    const uint32_t half = 0x40000000;
    struct uts_tree tree = {UTS_GEOMETRIC, UTS_LINEAR, .depth = 10, .b = 4, .q = 0.5, .m = 7};

    assert_int_equal(uts_children(&tree, 0, half), 3);
    assert_int_equal(uts_children(&tree, 5, half), 1);
    assert_int_equal(uts_children(&tree, 10, 0x7fffffff), 0);
    tree.shape = UTS_FIXED;
    assert_int_equal(uts_children(&tree, 9, half), 3);
    assert_int_equal(uts_children(&tree, 10, 0x7fffffff), 0);
    tree.shape = UTS_POLYNOMIAL; /* 4 x depth^-log 4 / log 10: at 1 still 4, at 10 it is 1 */
    assert_int_equal(uts_children(&tree, 1, half), 3);
    assert_int_equal(uts_children(&tree, 10, half + 1), 1);
    assert_int_equal(uts_children(&tree, 10, half - 1), 0);
    tree.shape = UTS_CYCLIC;
    assert_int_equal(uts_children(&tree, 51, 0x7fffffff), 0);
    tree.shape = UTS_FIXED;
    tree.b = 1000;
    assert_int_equal(uts_children(&tree, 1, 0x7fffffff), 100);

    tree.type = UTS_HYBRID;
    assert_int_equal(uts_children(&tree, 4, 0x7fffffff), 100);
    assert_int_equal(uts_children(&tree, 5, 0x7fffffff), 0);
    assert_int_equal(uts_children(&tree, 5, half - 1), 7);
    assert_int_equal(uts_children(&tree, 5, half), 0);
    tree.type = UTS_BINOMIAL;
    assert_int_equal(uts_children(&tree, 0, half), 1000);
    assert_int_equal(uts_children(&tree, 1, half - 1), 7);
}

static void check_walk(struct uts_tree tree, uint64_t nodes, uint64_t leaves, uint32_t depth)
{
    struct uts_count count;

    assert_null(uts_walk(&tree, &count));
    assert_int_equal(count.nodes, nodes);
    assert_int_equal(count.leaves, leaves);
    assert_int_equal(count.depth, depth);
}

/* The small trees' nodes as the issue of papers/002's Figure 10 needs them; of the binomial ones q
 * = 0 leaves the root's children, q = 1 and one child each is a line without end. */
TEST(test_walk)
{
    struct uts_tree tree = {UTS_BINOMIAL, UTS_LINEAR, .b = 2000, .m = 8};
    struct uts_count count;

    check_walk(tree, 2001, 2000, 1);
    tree.q = 1;
    tree.m = 1;
    assert_string_equal(uts_walk(&tree, &count), "is deeper than 16384 levels");
    tree.m = 100;
    assert_non_null(uts_walk(&tree, &count));
    check_walk((struct uts_tree){UTS_GEOMETRIC, UTS_FIXED, .depth = 8, .b = 4, .seed = 21}, 125115,
               100175, 8);
    check_walk((struct uts_tree){UTS_GEOMETRIC, UTS_CYCLIC, .depth = 12, .b = 6, .seed = 105},
               122368, 71677, 61);
    check_walk((struct uts_tree){UTS_HYBRID, UTS_LINEAR, .depth = 12, .b = 6, .q = 0.234375, .m = 4,
                                 .seed = 30},
               124508, 93767, 93);
    check_walk((struct uts_tree){UTS_GEOMETRIC, UTS_LINEAR, .depth = 15, .b = 4, .seed = 27},
               126555, 67637, 15);
}
