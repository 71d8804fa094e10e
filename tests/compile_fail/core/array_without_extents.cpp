// SPDX-License-Identifier: MIT
// expect-error: xgrad::array\(elements, extents\.\.\.\): the extents are missing or in braces
// extents in braces.
#include <xgrad/xgrad.hpp>

#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
void run(std::vector<float> const& numbers) { xg::function{xg::sum(x)}(x = xg::array(numbers, {8, 4})); }
#else
void run(std::vector<float> const& numbers) { xg::function{xg::sum(x)}(x = xg::array(numbers, 8, 4)); }
#endif
