/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Functions on arrays, structs, bit fields and strings, and those of the C library on memory. */
#include "fuzz/functions.h"

#include <stdbool.h>
#include <stddef.h>

uint64_t bubble_sort(uint64_t input)
{
    uint8_t v[8];
    for (int i = 0; i < 8; i++) {
        v[i] = (uint8_t)(input >> 8 * i);
    }
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k + 1 < 8 - i; k++) {
            if (v[k] > v[k + 1]) {
                uint8_t swap = v[k];
                v[k] = v[k + 1];
                v[k + 1] = swap;
            }
        }
    }
    uint64_t result = 0;
    for (int i = 0; i < 8; i++) {
        result = result << 8 | v[i];
    }
    return result;
}

uint64_t insertion_sort(uint64_t input)
{
    int32_t v[12];
    for (int i = 0; i < 12; i++) {
        int32_t value = (int32_t)(input * (unsigned)(2 * i + 1) >> 7);
        int k = i;
        for (; k > 0 && v[k - 1] > value; k--) {
            v[k] = v[k - 1];
        }
        v[k] = value;
    }
    return (uint64_t)(int64_t)v[0] * 3 + (uint64_t)(int64_t)v[6] + (uint64_t)(int64_t)v[11];
}

static __attribute__((noinline)) void quick(int64_t *v, int low, int high)
{
    if (low >= high) {
        return;
    }
    int64_t pivot = v[(low + high) / 2];
    int i = low, k = high;
    while (i <= k) {
        while (v[i] < pivot) {
            i++;
        }
        while (v[k] > pivot) {
            k--;
        }
        if (i <= k) {
            int64_t swap = v[i];
            v[i++] = v[k];
            v[k--] = swap;
        }
    }
    quick(v, low, k);
    quick(v, i, high);
}

uint64_t quick_sort(uint64_t input)
{
    int64_t v[16];
    for (unsigned i = 0; i < 16; i++) {
        v[i] = (int64_t)(input * 0x9e3779b97f4a7c15u * (i + 1)) >> 20;
    }
    quick(v, 0, 15);
    uint64_t result = 0;
    for (int i = 0; i < 16; i++) {
        result = result * 31 + (uint64_t)v[i];
    }
    return result;
}

uint64_t binary_search(uint64_t input)
{
    static const uint32_t table[] = {1, 4, 9, 20, 77, 100, 300, 555, 1000, 5000, 60000, 700000};
    uint32_t key = (uint32_t)input % 800000;
    int low = 0, high = 12;
    while (low < high) {
        int middle = (low + high) / 2;
        if (table[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return (uint64_t)low;
}

struct point {
    int32_t x;
    int32_t y;
    double weight;
};

static __attribute__((noinline)) struct point mirrored(struct point p)
{
    struct point result = {p.y, p.x, p.weight * 2};
    return result;
}

uint64_t struct_value(uint64_t input)
{
    struct point p = {(int32_t)input, (int32_t)(input >> 32), (double)(input % 100)};
    p = mirrored(p);
    return (uint64_t)(int64_t)p.x + (uint64_t)(int64_t)p.y * 3 + (uint64_t)p.weight;
}

struct large {
    uint64_t v[10];
};

static __attribute__((noinline)) struct large changed(struct large l, int at)
{
    l.v[at] *= 7;
    return l;
}

uint64_t struct_large(uint64_t input)
{
    struct large l = {{0}};
    for (unsigned i = 0; i < 10; i++) {
        l.v[i] = input + i;
    }
    l = changed(l, (int)(input % 10));
    return l.v[0] ^ l.v[9] * 3 ^ l.v[input % 10];
}

uint64_t bit_fields(uint64_t input)
{
    struct {
        uint32_t a : 5;
        int32_t b : 7;
        uint32_t c : 20;
        uint64_t d : 33;
        int64_t e : 31;
    } s;
    s.a = input & 31;
    s.b = (int32_t)(input >> 5 & 63) - 20;
    s.c = input >> 12 & 0xfffff;
    s.d = input & 0x1ffffffff;
    s.e = (int64_t)(input >> 34) - 0x1fffffff;
    return s.a + (uint64_t)(int64_t)s.b + s.c + s.d + (uint64_t)(int64_t)s.e;
}

uint64_t union_bits(uint64_t input)
{
    union {
        uint64_t whole;
        uint16_t part[4];
        uint8_t byte[8];
    } u = {input};
    u.part[1] = (uint16_t)(u.part[1] + u.byte[7]);
    u.byte[0] ^= u.byte[5];
    return u.whole;
}

uint64_t linked_list(uint64_t input)
{
    struct node {
        struct node *next;
        uint64_t value;
    } nodes[8], *head = NULL;
    for (int i = 0; i < 8; i++) {
        nodes[i].value = input >> 8 * i & 255;
        struct node **at = &head;
        while (*at != NULL && (*at)->value < nodes[i].value) {
            at = &(*at)->next;
        }
        nodes[i].next = *at;
        *at = &nodes[i];
    }
    uint64_t result = 0;
    for (struct node *n = head; n != NULL; n = n->next) {
        result = result * 256 + n->value;
    }
    return result;
}

uint64_t matrix(uint64_t input)
{
    int32_t a[3][3], sum = 0;
    for (int i = 0; i < 9; i++) {
        a[i / 3][i % 3] = (int32_t)(input >> 5 * i & 31) - 16;
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            int32_t dot = 0;
            for (int j = 0; j < 3; j++) {
                dot += a[i][j] * a[j][k];
            }
            sum = sum * 3 + dot;
        }
    }
    return (uint64_t)(int64_t)sum;
}

uint64_t sieve(uint64_t input)
{
    uint8_t composite[200] = {0};
    unsigned limit = (unsigned)(input % 199) + 1, count = 0;
    for (unsigned i = 2; i <= limit; i++) {
        if (composite[i]) {
            continue;
        }
        count++;
        for (unsigned k = i * i; k <= limit; k += i) {
            composite[k] = 1;
        }
    }
    return count;
}

uint64_t string_length(uint64_t input)
{
    char text[24];
    size_t n = (size_t)(input % 23);
    memset(text, 'x', n);
    text[n] = 0;
    return strlen(text);
}

uint64_t string_compare(uint64_t input)
{
    char a[9] = {0}, b[9] = {0};
    for (int i = 0; i < 8; i++) {
        a[i] = (char)('a' + (input >> 8 * i & 1));
        b[i] = (char)('a' + (input >> (8 * i + 3) & 1));
    }
    int order = strcmp(a, b);
    return (order > 0) + 2u * (order < 0);
}

uint64_t string_copy(uint64_t input)
{
    char a[32], b[32];
    for (int i = 0; i < 31; i++) {
        a[i] = (char)('A' + (input >> i & 15));
    }
    a[input % 31] = 0;
    a[31] = 0;
    strcpy(b, a);
    uint64_t hash = 0;
    for (char *p = b; *p != 0; p++) {
        hash = hash * 33 + (unsigned char)*p;
    }
    return hash;
}

uint64_t memory_move(uint64_t input)
{
    uint8_t v[40];
    for (int i = 0; i < 40; i++) {
        v[i] = (uint8_t)(input >> i % 57);
    }
    memmove(v + input % 8, v + input / 8 % 8, 30);
    uint64_t hash = 0;
    for (int i = 0; i < 40; i++) {
        hash = hash * 31 + v[i];
    }
    return hash;
}

uint64_t memory_compare(uint64_t input)
{
    uint8_t a[16], b[16];
    memset(a, (int)(input & 3), 16);
    memset(b, (int)(input >> 2 & 3), 16);
    b[input % 16] = 2;
    int order = memcmp(a, b, 16);
    return (order > 0) + 2u * (order < 0);
}

uint64_t memory_copy(uint64_t input)
{
    uint64_t from[6], to[6];
    for (unsigned i = 0; i < 6; i++) {
        from[i] = input * (i + 3);
        to[i] = 0;
    }
    memcpy(to, from, input % 49);
    return to[0] ^ to[2] ^ to[3] * 3 ^ to[5];
}

uint64_t character_search(uint64_t input)
{
    static const char text[] = "the quick brown fox jumps over the lazy dog";
    const char *found = strchr(text, (int)('a' + input % 26));
    return found == NULL ? 99 : (uint64_t)(found - text);
}

uint64_t decimal_text(uint64_t input)
{
    char text[24];
    int at = 23;
    text[at] = 0;
    uint64_t n = input;
    do {
        text[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n != 0);
    uint64_t back = 0, length = strlen(text + at);
    for (; text[at] != 0; at++) {
        back = back * 10 + (uint64_t)(text[at] - '0');
    }
    return back == input ? length : 0;
}

uint64_t histogram(uint64_t input)
{
    uint8_t bins[16] = {0};
    for (int i = 0; i < 16; i++) {
        bins[input >> 4 * i & 15]++;
    }
    uint64_t most = 0;
    for (unsigned i = 0; i < 16; i++) {
        if (bins[i] > bins[most]) {
            most = i;
        }
    }
    return most * 16 + bins[most];
}

uint64_t run_length(uint64_t input)
{
    uint64_t runs = 0, longest = 0, length = 0;
    for (int i = 0; i < 64; i++) {
        bool same = i > 0 && (input >> i & 1) == (input >> (i - 1) & 1);
        length = same ? length + 1 : 1;
        runs += !same;
        if (length > longest) {
            longest = length;
        }
    }
    return runs * 100 + longest;
}

uint64_t edit_distance(uint64_t input)
{
    uint8_t row[9], a[8], b[8];
    for (int i = 0; i < 8; i++) {
        a[i] = input >> 2 * i & 3;
        b[i] = input >> (2 * i + 16) & 3;
    }
    for (int i = 0; i <= 8; i++) {
        row[i] = (uint8_t)i;
    }
    for (int i = 0; i < 8; i++) {
        uint8_t diagonal = row[0];
        row[0] = (uint8_t)(i + 1);
        for (int k = 0; k < 8; k++) {
            uint8_t cost = (uint8_t)(diagonal + (a[i] != b[k]));
            diagonal = row[k + 1];
            if (row[k] + 1 < cost) {
                cost = (uint8_t)(row[k] + 1);
            }
            if (diagonal + 1 < cost) {
                cost = (uint8_t)(diagonal + 1);
            }
            row[k + 1] = cost;
        }
    }
    return row[8];
}
