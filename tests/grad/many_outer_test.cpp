// SPDX-License-Identifier: MIT
// A Jacobian whose loop reads 70 outer expressions, against a hand-written loop.
#include <support/tensor.hpp>

#include <xgrad/grad/jacobian.hpp>

#include <array>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

constexpr int many = 70, n = 3;

/// The sum of (H + w * (i + 1))² over the variables w of number i, from First on.
template<class H, int First, int Count>
struct sum_of : xg::let<sum_of<H, First, Count>> {
    static constexpr auto value() {
        if constexpr (Count == 1)
            return xg::square(H{} + xg::variable<xg::numbered<"w", First>, double, n> * xg::constant<double, First + 1>);
        else return sum_of<H, First, Count / 2>{} + sum_of<H, First + Count / 2, Count - Count / 2>{};
    }
};
constexpr double value_of_variables = 0.004;
constexpr auto x = xg::variable<"x", double, n>;
constexpr auto length = xg::sum(x * x);
constexpr sum_of<std::remove_const_t<decltype(length)>, 0, many> y;
}

TEST_CASE("a Jacobian whose loop reads 70 outer expressions") {
    xg::variables v{y};
    std::array<double, n> const at{0.3, -0.7, 1.1};
    v.initialize(xg::constant_initializer{value_of_variables});
    for (int k = 0; k < n; ++k) v.value(x)(k) = at[static_cast<std::size_t>(k)];
    xg::function f{xg::jacobian(y, x), v};
    auto const j = f();
    double const s = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
    double slope = 0;
    for (int i = 0; i < many; ++i) slope += 2 * (s + value_of_variables * (i + 1));
    for (int r = 0; r < n; ++r)
        for (int c = 0; c < n; ++c) CHECK(std::abs(j(r, c) - slope * 2 * at[static_cast<std::size_t>(c)]) < 1e-9);
}
