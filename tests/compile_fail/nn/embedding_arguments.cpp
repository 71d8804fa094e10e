// SPDX-License-Identifier: MIT
// expect-error: xgrad::nn::embedding: name, rows and width are not all in angle brackets
// rows and width as arguments.
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;

#ifdef XGRAD_EXPECT_ERROR
constexpr auto z = xg::nn::embedding<"e">(y, 10, 8);
#else
constexpr auto z = xg::nn::embedding<"e", 10, 8>(y);
#endif
