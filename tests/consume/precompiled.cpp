// SPDX-License-Identifier: MIT
// It includes nothing: <xgrad/xgrad.hpp> is precompiled, and so is <xgrad/xtensor.hpp>, which the target adds.
namespace xg = xgrad;

constexpr auto x = xg::input<"x", float, 4>;
constexpr auto w = xg::variable<"w", float, 4>;
constexpr auto slope = xg::gradient_of(xg::sum(xg::square(w * x)), w);

int main() {
    static_assert(xg::value_of<decltype(slope)>.dims.rank == 1);
    xt::xtensor<float, 1> const ones = xt::ones<float>({4});
    return ones.size() == 4 && sizeof(xg::minimize(xg::sum(w * x), xg::gradient_descent{})) > 0 ? 0 : 1;
}
