// SPDX-License-Identifier: MIT
// expect-error: f.into\(array\) computes nothing before it is called
// A call that is missing.
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
void run(std::vector<float>& a) { xg::function f{t * 2_c}; f.into(a); }
#else
void run(std::vector<float>& a, std::vector<float> const& b) { xg::function f{t * 2_c}; f.into(a)(t = b); }
#endif
