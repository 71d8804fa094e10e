// SPDX-License-Identifier: MIT
// expect-error: xgrad: assign\(v, array\): variables are in braces
// Two variables in braces.
#include <xgrad/xgrad.hpp>

#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim steps{"time"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto t = xg::input<"t", float, batch>;
constexpr auto w = xg::variable<"w", float, 4, 3>;
constexpr auto logits = xg::matmul(x, w);
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, y));

#ifdef XGRAD_EXPECT_ERROR
void set(xg::variables<decltype(logits)>& v, std::vector<float> const& a) { v.assign({w, w}, a); }
#else
void set(xg::variables<decltype(logits)>& v, std::vector<float> const& a) { v.assign(w, xg::array(a, 4, 3)); }
#endif
