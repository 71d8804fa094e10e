// SPDX-License-Identifier: MIT
// expect-error: xgrad::initial\(how, v\.\.\.\): how is a function, not an initializer
// A function of the element.
#include <xgrad/xgrad.hpp>

#include <array>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4>;
#ifdef XGRAD_EXPECT_ERROR
auto const ramp = [](std::int64_t i) { return 0.1f * static_cast<float>(i); };
#else
std::array<float, 4> const ramp{0, 0.1f, 0.2f, 0.3f};
#endif
auto const begin = xg::initial(ramp, w);
