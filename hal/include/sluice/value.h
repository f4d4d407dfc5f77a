/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * Constant arguments of kernels with their kinds. A float thus gets into the register in which the
 * kernel expects it, and an argument that the kernel does not take is refused with a message.
 *
 *     sl_launch_values(module, "saxpy", grid, group, 0, SL_VALUES(2.5f, x, y, n));
 *
 * For C and C++. */
#ifndef SLUICE_VALUE_H
#define SLUICE_VALUE_H

#include <stdint.h>

/** @defgroup host_values Values of arguments
 * @{ */

/** The kind of a value. */
enum sl_value_kind {
    SL_VALUE_WORD,    /**< 64 bits: an integer or an address */
    SL_VALUE_INTEGER, /**< an integer of fewer bits; not an address */
    SL_VALUE_POINTER, /**< an address, or NULL */
    SL_VALUE_FLOAT,   /**< a float */
    SL_VALUE_DOUBLE,  /**< a double */
};

/** A value, as SL_VALUE() makes it. */
struct sl_value {
    uint64_t bits;           /**< an integer extended to 64 bits; a float in the lower half */
    enum sl_value_kind kind; /**< the kind of the bits */
};

/** Most values in one SL_VALUES(). Every kernel takes fewer. */
#define SL_VALUES_MAX 16

/* A value from its kind and bits. */
static inline struct sl_value sl_value_make(enum sl_value_kind kind, uint64_t bits)
{
    struct sl_value value;
    value.bits = bits;
    value.kind = kind;
    return value;
}

/** A value for a parameter of any integer type, or a pointer. A value that the type cannot hold is
 * refused. */
static inline struct sl_value sl_value_u64(uint64_t value)
{
    return sl_value_make(SL_VALUE_WORD, value);
}

/** sl_value_u64() for signed values. */
static inline struct sl_value sl_value_i64(int64_t value)
{
    return sl_value_make(SL_VALUE_WORD, (uint64_t)value);
}

/** A value for a parameter of any integer type. A value that the type cannot hold is refused. */
static inline struct sl_value sl_value_u32(uint32_t value)
{
    return sl_value_make(SL_VALUE_INTEGER, value);
}

/** sl_value_u32() for signed values. */
static inline struct sl_value sl_value_i32(int32_t value)
{
    return sl_value_make(SL_VALUE_INTEGER, (uint64_t)(int64_t)value);
}

/** A value for a parameter that is a pointer, or a 64-bit integer: an address in the shared heap,
 * or NULL. */
static inline struct sl_value sl_value_pointer(const volatile void *address)
{
    return sl_value_make(SL_VALUE_POINTER, (uintptr_t)address);
}

/** A value for a parameter that is a float or a double. For a double it is converted, as in a call
 * in C. */
static inline struct sl_value sl_value_f32(float value)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return sl_value_make(SL_VALUE_FLOAT, bits);
}

/** A value for a parameter that is a double or a float. For a float it is converted, as in a call
 * in C. */
static inline struct sl_value sl_value_f64(double value)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return sl_value_make(SL_VALUE_DOUBLE, bits);
}

#ifdef __cplusplus

/** Templates must not have C linkage, wherever this header is included. */
extern "C++" {

inline struct sl_value sl_value_of(bool value)
{
    return sl_value_u32(value);
}
inline struct sl_value sl_value_of(char value)
{
    return sl_value_i32(value);
}
inline struct sl_value sl_value_of(signed char value)
{
    return sl_value_i32(value);
}
inline struct sl_value sl_value_of(unsigned char value)
{
    return sl_value_u32(value);
}
inline struct sl_value sl_value_of(short value)
{
    return sl_value_i32(value);
}
inline struct sl_value sl_value_of(unsigned short value)
{
    return sl_value_u32(value);
}
inline struct sl_value sl_value_of(int value)
{
    return sl_value_i32(value);
}
inline struct sl_value sl_value_of(unsigned value)
{
    return sl_value_u32(value);
}
inline struct sl_value sl_value_of(long value)
{
    return sl_value_i64(value);
}
inline struct sl_value sl_value_of(unsigned long value)
{
    return sl_value_u64(value);
}
inline struct sl_value sl_value_of(long long value)
{
    return sl_value_i64(value);
}
inline struct sl_value sl_value_of(unsigned long long value)
{
    return sl_value_u64(value);
}
inline struct sl_value sl_value_of(float value)
{
    return sl_value_f32(value);
}
inline struct sl_value sl_value_of(double value)
{
    return sl_value_f64(value);
}
inline struct sl_value sl_value_of(const volatile void *value)
{
    return sl_value_pointer(value);
}

template <unsigned count> struct sl_value_list {
    struct sl_value values[count];
};

template <typename... types> sl_value_list<sizeof...(types)> sl_value_list_of(types... values)
{
    return {{sl_value_of(values)...}};
}

template <typename... types> constexpr unsigned sl_value_count(const types &...)
{
    return sizeof...(types);
}

} /* extern "C++" */

#define SL_VALUE(x)    sl_value_of(x)
#define SL_VALUES(...) sl_value_list_of(__VA_ARGS__).values, sl_value_count(__VA_ARGS__)

#else

/** The value of x, with the kind of its type. Structures and long double do not compile. */
#define SL_VALUE(x)                                                                                \
    (_Generic((x), _Bool                                                                           \
              : sl_value_u32, char                                                                 \
              : sl_value_i32, signed char                                                          \
              : sl_value_i32, unsigned char                                                        \
              : sl_value_u32, short                                                                \
              : sl_value_i32, unsigned short                                                       \
              : sl_value_u32, int                                                                  \
              : sl_value_i32, unsigned                                                             \
              : sl_value_u32, long                                                                 \
              : sl_value_i64, unsigned long                                                        \
              : sl_value_u64, long long                                                            \
              : sl_value_i64, unsigned long long                                                   \
              : sl_value_u64, float                                                                \
              : sl_value_f32, double                                                               \
              : sl_value_f64, default                                                              \
              : sl_value_pointer)(x))

/** Values of 1 to SL_VALUES_MAX arguments, with the kinds of their types. Expands to two arguments
 * of a call: the values and their number. */
#define SL_VALUES(...)                                                                             \
    (const struct sl_value[]){SL_VALUES_EACH_(SL_VALUES_COUNT_(__VA_ARGS__), __VA_ARGS__)},        \
        SL_VALUES_COUNT_(__VA_ARGS__)

/** @} */

#define SL_VALUES_COUNT_(...)                                                                      \
    SL_VALUES_17TH_(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define SL_VALUES_17TH_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, which, ...) which
#define SL_VALUES_EACH_(count, ...)                                                 SL_VALUES_EACH_N_(count, __VA_ARGS__)
#define SL_VALUES_EACH_N_(count, ...)                                               SL_VALUES_##count##_(__VA_ARGS__)

#define SL_VALUES_1_(x)       SL_VALUE(x)
#define SL_VALUES_2_(x, ...)  SL_VALUE(x), SL_VALUES_1_(__VA_ARGS__)
#define SL_VALUES_3_(x, ...)  SL_VALUE(x), SL_VALUES_2_(__VA_ARGS__)
#define SL_VALUES_4_(x, ...)  SL_VALUE(x), SL_VALUES_3_(__VA_ARGS__)
#define SL_VALUES_5_(x, ...)  SL_VALUE(x), SL_VALUES_4_(__VA_ARGS__)
#define SL_VALUES_6_(x, ...)  SL_VALUE(x), SL_VALUES_5_(__VA_ARGS__)
#define SL_VALUES_7_(x, ...)  SL_VALUE(x), SL_VALUES_6_(__VA_ARGS__)
#define SL_VALUES_8_(x, ...)  SL_VALUE(x), SL_VALUES_7_(__VA_ARGS__)
#define SL_VALUES_9_(x, ...)  SL_VALUE(x), SL_VALUES_8_(__VA_ARGS__)
#define SL_VALUES_10_(x, ...) SL_VALUE(x), SL_VALUES_9_(__VA_ARGS__)
#define SL_VALUES_11_(x, ...) SL_VALUE(x), SL_VALUES_10_(__VA_ARGS__)
#define SL_VALUES_12_(x, ...) SL_VALUE(x), SL_VALUES_11_(__VA_ARGS__)
#define SL_VALUES_13_(x, ...) SL_VALUE(x), SL_VALUES_12_(__VA_ARGS__)
#define SL_VALUES_14_(x, ...) SL_VALUE(x), SL_VALUES_13_(__VA_ARGS__)
#define SL_VALUES_15_(x, ...) SL_VALUE(x), SL_VALUES_14_(__VA_ARGS__)
#define SL_VALUES_16_(x, ...) SL_VALUE(x), SL_VALUES_15_(__VA_ARGS__)

#endif

#endif
