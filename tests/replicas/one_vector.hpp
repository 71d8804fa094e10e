// SPDX-License-Identifier: MIT
// A model whose gradient is what workers are given.
#pragma once

#include <xgrad/xgrad.hpp>

#include <cstddef>
#include <vector>

namespace test::one_vector {
inline constexpr auto g = xgrad::input<"g", float, 21>;
inline constexpr auto v = xgrad::variable<"v", float, 21>;
inline std::vector<float> gradient(int worker, int step) {
    std::vector<float> x(21);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>((static_cast<int>(i) * 7 + worker * 5 + step * 3) % 11 - 5) / 8;
    return x;
}
}   // namespace test::one_vector
