// SPDX-License-Identifier: MIT
// expect-error[g++]: xgrad::minimize\(loss, rules\.\.\.\): a rule has a variable of integers or bool, which has no gradient
// expect-error[clang]: \{"scale"\}.*xgrad::minimize\(loss, rules\.\.\.\): a rule has a variable of integers or bool, which has no gradient
// A trainable variable of bytes.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 3>;
#ifdef XGRAD_EXPECT_ERROR
constexpr auto scale = xg::variable<"scale", std::uint8_t, 3>;
#else
constexpr auto scale = xg::non_trainable<"scale", std::uint8_t, 3>;
#endif
auto train = xg::minimize(xg::sum(xg::square(w) * xg::cast<float>(scale)), xg::adam{});
