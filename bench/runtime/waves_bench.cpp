// SPDX-License-Identifier: MIT
// Sine, power and error function of 1,000 numbers in double, and a chain of them with its gradient, compared with hand-written code.
#include "frame.hpp"
#include "hand/waves.hpp"

#include <xgrad/xgrad.hpp>

#include <cmath>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

struct erf_op : xg::elementwise_op {
    static constexpr std::string_view name = "erf";
    static constexpr int flops = 20;
    static constexpr bool transcendental = true;
    XGRAD_INLINE static auto value(auto a) { return xg::math::erf(a); }
    static constexpr xg::symbol derivative(xg::symbol a, xg::symbol, xg::symbol g) { return g * xg::exp(-(a * a)) * 1.1283791670955126_c; }
};
inline constexpr xg::elementwise<erf_op> error_function{};

constexpr auto x = xg::input<"x", double, 1000>;

template<class View>
void agree_all(bench::suite& suite, std::string const& name, View const& ours, double const* theirs) {
    double largest = 0;
    for (int i = 0; i < 1000; ++i) largest = std::max(largest, std::abs(ours.data()[i] - theirs[i]) / std::max(1.0, std::abs(theirs[i])));
    suite.agree(name, "the numbers", largest, 0, 1e-12);
}
template<class E, class Step>
void one(bench::suite& suite, hand::waves& hand, std::string const& name, E e, double const* in, Step const& step) {
    if (!suite.wanted(name)) return;
    xg::function f{e};
    auto const ours = [&] { return f(x = xg::array(in, 1000)); };
    auto const theirs = [&] {
        step();
        return hand.out[0];
    };
    auto const a = ours();
    theirs();
    agree_all(suite, name, a, hand.out.data());
    suite.row(
        name, [&] { bench::keep(ours()); }, [&] { bench::keep(theirs()); });
}
void chain(bench::suite& suite, hand::waves& hand) {
    std::string const name = "chain of sin, cos, pow, erf on 1k, value and gradient";
    if (!suite.wanted(name)) return;
    constexpr auto value = xg::sum(error_function(xg::pow(xg::cos(xg::sin(x * 1.5_c) * 2_c) + 1.2_c, 1.7_c) - 0.5_c));
    xg::function f{xg::outputs(value, std::get<0>(xg::gradients(value, x)))};
    auto const ours = [&] { return f(x = xg::array(hand.x.data(), 1000)); };
    auto const [v, g] = ours();
    suite.agree(name, "the value", v, hand.chain(), 1e-12);
    agree_all(suite, name, g, hand.gradient.data());
    suite.row(
        name, [&] { bench::keep(ours()); }, [&] { bench::keep(hand.chain()); });
}
}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "sine, power and error function in double");
    hand::waves hand;
    one(suite, hand, "sin of 1k", xg::sin(x), hand.x.data(), [&] { hand.sines(); });
    one(suite, hand, "1k to the power 1.7", xg::pow(x, 1.7_c), hand.base.data(), [&] { hand.powers(); });
    one(suite, hand, "erf of 1k", error_function(x), hand.x.data(), [&] { hand.errors(); });
    chain(suite, hand);
    return suite.finish();
}
