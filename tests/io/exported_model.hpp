// The variables of a model, written by xgrad::export_header; bfloat16 and float16 are their bits.
// clang-format off
#pragma once

#include <limits>

namespace exported {

inline constexpr float hidden_w[] = {0x1.8p+0f, -0x0p+0f, 0x1p-149f, 0x1.99999ap-4f, -0x1.fffffep+127f, 0x1.8p+1f};
inline constexpr double v_float[] = {-std::numeric_limits<double>::infinity(), 0x1.999999999999ap-4, 0x0.0000000000001p-1022};
inline constexpr float hidden_w_1[] = {0x1p+1f};
inline constexpr int v_2_ways_[] = {(-2147483647 - 1), 7};
inline constexpr long long large[] = {(-9223372036854775807LL - 1), 9223372036854775807LL};
inline constexpr bool truth[] = {true, false, true};
inline constexpr unsigned short low[] = {0x3f80, 0xc040};
inline constexpr unsigned short half[] = {0x3800, 0x7bff};
inline constexpr signed char i8[] = {-128, 127};
inline constexpr short i16[] = {-32768, 32767};
inline constexpr unsigned char u8[] = {0U, 255U};
inline constexpr unsigned short u16[] = {0U, 65535U};
inline constexpr unsigned u32[] = {0U, 4294967295U};
inline constexpr unsigned long long u64[] = {0ULL, 18446744073709551615ULL};

struct tensor {
    char const *name, *type;
    int rank;
    long long shape[6];
    void const* data;   // C order
};
inline constexpr tensor tensors[] = {
    {"hidden/w", "float", 2, {2, 3}, hidden_w},
    {"float", "double", 1, {3}, v_float},
    {"hidden_w", "float", 0, {}, hidden_w_1},
    {"2 \"ways\"", "int32", 1, {2}, v_2_ways_},
    {"/large", "int64", 1, {2}, large},
    {"truth", "bool", 1, {3}, truth},
    {"low", "bfloat16", 1, {2}, low},
    {"half", "float16", 1, {2}, half},
    {"i8", "int8", 1, {2}, i8},
    {"i16", "int16", 1, {2}, i16},
    {"u8", "uint8", 1, {2}, u8},
    {"u16", "uint16", 1, {2}, u16},
    {"u32", "uint32", 1, {2}, u32},
    {"u64", "uint64", 1, {2}, u64},
};

}
