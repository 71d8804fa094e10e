// SPDX-License-Identifier: MIT
// The model of docs/replicas.md, and what its code is checked with.
#pragma once

#include <xgrad/xgrad.hpp>

#include <cstdio>
#include <cstdlib>

namespace xg = xgrad;

inline void check(bool right, int line) {
    if (right) return;
    std::printf("line %d\n", line);
    std::exit(1);
}
#define CHECK(x) check(x, __LINE__)

namespace model {
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 8>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto w = xg::variable<"w", float, 8>;
constexpr auto loss = xg::mean(xg::squared_error(xg::sum<1>(x * w), y));
}   // namespace model
