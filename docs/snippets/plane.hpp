// The variables of a model, written by xgrad::export_header; bfloat16 and float16 are their bits.
// clang-format off
#pragma once

#include <limits>

namespace plane {

inline constexpr float slope[] = {0x1p+1f, -0x1p-1f};
inline constexpr float offset[] = {0x1p-2f};

struct tensor {
    char const *name, *type;
    int rank;
    long long shape[6];
    void const* data;   // C order
};
inline constexpr tensor tensors[] = {
    {"slope", "float", 1, {2}, slope},
    {"offset", "float", 0, {}, offset},
};

}
