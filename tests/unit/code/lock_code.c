/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Reads the words of lock_code.h, and assembles. */
#include "lock_code.h"

#include <string.h>

#include "common/asm.h"
#include "common/check.h"
#include "sluice/limits.h"

static struct asm_code code;

/* Pairs of auipc and jalr, whose labels may come later. */
static struct {
    uint32_t at;
    uint32_t label;
} far_jumps[ASM_LABELS];
static uint32_t far_count;

static uint32_t label_of(char letter)
{
    assert_in_range(letter, 'A', 'Z');
    return (uint32_t)(letter - 'A');
}

static void put_far(uint32_t rd, char label)
{
    far_jumps[far_count].at = code.count;
    far_jumps[far_count++].label = label_of(label);
    asm_put(&code, asm_AUIPC(T1, 0));
    asm_put(&code, asm_JALR(rd, T1, 0));
}

/* A word that stands alone. Returns whether it is one. */
static bool put_word(const char *word)
{
    static const struct {
        const char *word;
        uint32_t (*make)(uint32_t rs1);
    } locks[] = {{"lock", asm_SL_LOCK}, {"unlock", asm_SL_UNLOCK}, {"untry", asm_SL_TRYUNLOCK}};

    for (size_t i = 0; i < sizeof locks / sizeof locks[0]; i++) {
        if (strcmp(word, locks[i].word) == 0) {
            asm_put(&code, locks[i].make(A0));
            return true;
        }
    }
    const struct {
        const char *word;
        uint32_t put;
    } others[] = {{"try", asm_SL_TRYLOCK(A1, A0, A2)},
                  {"nop", ASM_NOP},
                  {"ret", ASM_RET},
                  {"trap", asm_SL_TRAP(16, 0, 0)},
                  {"call?", asm_JALR(RA, A1, 0)},
                  {"jump?", asm_JALR(ZERO, A1, 0)}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(word, others[i].word) == 0) {
            asm_put(&code, others[i].put);
            return true;
        }
    }
    return false;
}

/* The register that call? and jump? go through: an address near here and something. */
static void put_sum(void)
{
    asm_put(&code, asm_AUIPC(A2, 0));
    asm_put(&code, asm_ADD(A1, A1, A2));
}

static const char *next_word(char **rest)
{
    const char *word = strtok_r(NULL, " ", rest);

    assert_non_null(word);
    return word;
}

/* A word that labels follow. */
static void put_jump(const char *word, char **rest)
{
    const char first = *next_word(rest);

    if (strcmp(word, "if") == 0) {
        asm_to(&code, asm_BEQ(A1, A2, 0), label_of(first));
    } else if (strcmp(word, "go") == 0) {
        asm_to(&code, asm_JAL(ZERO, 0), label_of(first));
    } else if (strcmp(word, "call") == 0) {
        asm_to(&code, asm_JAL(RA, 0), label_of(first));
    } else if (strcmp(word, "far") == 0) {
        put_far(RA, first);
    } else if (strcmp(word, "tail") == 0) {
        put_far(ZERO, first);
    } else {
        fail_msg("no instruction '%s'", word);
    }
}

static void finish(void)
{
    asm_finish(&code);
    for (uint32_t i = 0; i < far_count; i++) {
        const uint32_t at = far_jumps[i].at;
        code.word[at + 1] |= (code.label[far_jumps[i].label] - 4 * at) << 20;
    }
    for (uint32_t i = 0; i < code.function_count; i++) {
        code.functions[i].address += LOCK_CODE_BASE;
    }
}

const struct sl_code *lock_code(const char *text)
{
    static struct sl_code result;
    char words[1024] = "  ";
    char *rest = NULL;

    assert_true(strlen(text) < sizeof words - 2);
    strcat(words, text);
    asm_begin(&code);
    far_count = 0;
    for (const char *word = strtok_r(words, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        if (word[1] == ':') {
            asm_label(&code, label_of(word[0]));
        } else if (strcmp(word, "|") == 0) {
            asm_function(&code);
        } else if (strcmp(word, "sum") == 0) {
            put_sum();
        } else if (strcmp(word, "entry") == 0) {
            asm_put(&code, asm_LW(A1, A1, 0));
        } else if (!put_word(word)) {
            put_jump(word, &rest);
        }
    }
    finish();
    result = (struct sl_code){.words = code.word,
                              .word_count = code.count,
                              .base = LOCK_CODE_BASE,
                              .functions = code.functions,
                              .function_count = code.function_count};
    return &result;
}

uint32_t lock_code_at(char label)
{
    return label == '-' ? SL_RECONVERGE_NONE : code.label[label_of(label)];
}
