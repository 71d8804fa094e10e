// SPDX-License-Identifier: MIT
// expect-error: xgrad::check_gradients\(loss, wrt\(w, b\), owner, x = array\): an argument is missing or in another place
// No wrt.
#include <xgrad/xgrad.hpp>
#include <xgrad/train/check_gradients.hpp>

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
bool check(std::vector<float> const& a, std::vector<std::int32_t> const& l) { auto train = xg::minimize(loss, xg::adam{}); return xg::check_gradients(loss, train, x = xg::array(a, 2, 4), y = l).ok; }
#else
bool check(std::vector<float> const& a, std::vector<std::int32_t> const& l) { auto train = xg::minimize(loss, xg::adam{}); return xg::check_gradients(loss, xg::wrt(w), train, x = xg::array(a, 2, 4), y = l).ok; }
#endif
