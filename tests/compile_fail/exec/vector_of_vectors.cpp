// SPDX-License-Identifier: MIT
// expect-error: xgrad: the array bound to this input has elements that are not numbers
// Rows that are not contiguous.
#include <xgrad/xgrad.hpp>

#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;

#ifdef XGRAD_EXPECT_ERROR
void run(std::vector<std::vector<float>> const& rows) { xg::function{xg::sum(x)}(x = rows); }
#else
void run(std::vector<float> const& rows) { xg::function{xg::sum(x)}(x = xg::array(rows, 8, 4)); }
#endif
