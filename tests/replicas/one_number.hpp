// SPDX-License-Identifier: MIT
// The smallest model of workers: with a gradient of 1 each update moves v by -1.
#pragma once

#include <xgrad/xgrad.hpp>

namespace test {
inline constexpr auto g = xgrad::input<"g", float>;
inline constexpr auto v = xgrad::variable<"v", float>;
inline auto one_number() { return xgrad::minimize<xgrad::gating::graph>(v * g, xgrad::gradient_descent{.learning_rate = 1.0}); }
}   // namespace test
