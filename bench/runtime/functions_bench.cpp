// SPDX-License-Identifier: MIT
// Values and gradients of ordinary functions in double, as outputs of one xg::function, beside hand-written code.
#include "frame.hpp"
#include "hand/functions.hpp"

#include <xgrad/xgrad.hpp>

#include <cmath>
#include <memory>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

/// Element by element; the gradients of both sides are sums of the same terms.
template<class View>
void agree_all(bench::suite& suite, std::string const& name, char const* what, View const& ours, double const* theirs, std::size_t n) {
    double largest = 0, scale = 1;
    for (std::size_t i = 0; i < n; ++i) {
        largest = std::max(largest, std::abs(ours.data()[i] - theirs[i]));
        scale = std::max(scale, std::abs(theirs[i]));
    }
    suite.agree(name, what, largest / scale, 0, 1e-12);
}

void log_sum_exp(bench::suite& suite) {
    std::string const name = "log-sum-exp of 10k, value and gradient";
    if (!suite.wanted(name)) return;
    constexpr auto x = xg::input<"x", double, 10000>;
    constexpr auto value = xg::log_sum_exp(x);
    constexpr auto gradient = std::get<0>(xg::gradients(value, x));
    hand::log_sum_exp hand;
    xg::function f{xg::outputs(value, gradient)};
    auto const ours = [&] { return f(x = xg::array(hand.x.data(), 10000)); };
    auto const [v, g] = ours();
    suite.agree(name, "the value", v, hand.step(), 1e-13);
    agree_all(suite, name, "the gradient", g, hand.gradient.data(), 10000);
    suite.row(
        name, [&] { bench::keep(ours()); }, [&] { bench::keep(hand.step()); });
}

/// What becomes of the mean of the squared errors.
enum class loss { plain, with_term, root };
template<loss Kind>
constexpr auto loss_of(auto e, auto w) {
    if constexpr (Kind == loss::with_term) return e + 0.01_c * xg::sum(xg::square(w));
    else if constexpr (Kind == loss::root) return xg::sqrt(e);
    else return e;
}
template<loss Kind>
void linear_regression(bench::suite& suite, std::string const& kind) {
    std::string const name = "linear regression 1k x 100" + kind + ", value and gradient";
    if (!suite.wanted(name)) return;
    constexpr auto x = xg::input<"x", double, 1000, 100>;
    constexpr auto y = xg::input<"y", double, 1000>;
    constexpr auto w = xg::input<"w", double, 100>;
    constexpr auto b = xg::input<"b", double>;
    constexpr auto error = xg::mean(xg::squared_error(xg::squeeze<1>(xg::matmul(x, xg::expand_dims<1>(w))) + b, y));
    constexpr auto value = loss_of<Kind>(error, w);
    constexpr auto all = xg::gradients(value, w, b);
    hand::linear_regression hand;
    xg::function f{xg::outputs(value, std::get<0>(all), std::get<1>(all))};
    auto const ours = [&] {
        return f(
            x = xg::array(hand.x.data(), 1000, 100), y = xg::array(hand.y.data(), 1000), w = xg::array(hand.w.data(), 100), b = hand.b);
    };
    auto const theirs = [&] {
        double const e = hand.step();
        return Kind == loss::with_term ? e + hand.add_squares(0.01) : Kind == loss::root ? hand.take_root(e) : e;
    };
    auto const [v, gw, gb] = ours();
    suite.agree(name, "the value", v, theirs(), 1e-12);
    agree_all(suite, name, "the gradient", gw, hand.gradient.data(), 100);
    suite.agree(name, "the gradient of b", gb, hand.gradient_b, 1e-12);
    suite.row(
        name, [&] { bench::keep(ours()); }, [&] { bench::keep(theirs()); });
}

void regression_in_columns(bench::suite& suite) {
    std::string const name = "linear regression [100, 1k], value and gradient";
    if (!suite.wanted(name)) return;
    constexpr xg::dim points{"points"};
    constexpr auto x = xg::input<"x", double, 100, points>;
    constexpr auto y = xg::input<"y", double, points>;
    constexpr auto w = xg::input<"w", double, 100>;
    constexpr auto b = xg::input<"b", double>;
    constexpr auto value = xg::mean(xg::squared_error(xg::squeeze<0>(xg::matmul(xg::expand_dims<0>(w), x)) + b, y));
    constexpr auto all = xg::gradients(value, w, b);
    hand::regression_in_columns hand;
    xg::function f{xg::outputs(value, std::get<0>(all), std::get<1>(all))};
    auto const ours = [&] {
        return f(
            x = xg::array(hand.x.data(), 100, 1000), y = xg::array(hand.y.data(), 1000), w = xg::array(hand.w.data(), 100), b = hand.b);
    };
    auto const [v, gw, gb] = ours();
    suite.agree(name, "the value", v, hand.step(), 1e-12);
    agree_all(suite, name, "the gradient", gw, hand.gradient.data(), 100);
    suite.agree(name, "the gradient of b", gb, hand.gradient_b, 1e-12);
    suite.row(
        name, [&] { bench::keep(ours()); }, [&] { bench::keep(hand.step()); });
}

void gaussian_mixture(bench::suite& suite) {
    std::string const name = "Gaussian mixture d 10 K 25 N 1000, value and gradient";
    if (!suite.wanted(name)) return;
    constexpr auto x = xg::input<"x", double, 1000, 10>;
    constexpr auto a = xg::input<"a", double, 25>;
    constexpr auto m = xg::input<"m", double, 25, 10>;
    constexpr auto q = xg::input<"q", double, 25, 10>;
    constexpr auto t = xg::exp(q) * (xg::expand_dims<1>(x) - m);   // [N][K][d]
    constexpr auto exponent = a + xg::sum<1>(q) - xg::sum<2>(xg::square(t)) * 0.5_c;
    constexpr auto value = xg::sum(xg::log_sum_exp<1>(exponent)) - xg::log_sum_exp(a) * 1000_c;
    constexpr auto all = xg::gradients(value, a, m, q);
    hand::gaussian_mixture hand;
    xg::function f{xg::outputs(value, std::get<0>(all), std::get<1>(all), std::get<2>(all))};
    auto const ours = [&] {
        return f(x = xg::array(hand.points.data(), 1000, 10), a = xg::array(hand.a.data(), 25), m = xg::array(hand.m.data(), 25, 10),
            q = xg::array(hand.q.data(), 25, 10));
    };
    auto const [v, ga, gm, gq] = ours();
    suite.agree(name, "the value", v - 1000 * 10 * 0.91893853320467274, hand.step(), 1e-12);
    agree_all(suite, name, "the gradient of the log-weights", ga, hand.gradient_a.data(), 25);
    agree_all(suite, name, "the gradient of the means", gm, hand.gradient_m.data(), 250);
    agree_all(suite, name, "the gradient of the log inverse scales", gq, hand.gradient_q.data(), 250);
    suite.row(
        name, [&] { bench::keep(ours()); }, [&] { bench::keep(hand.step()); });
}

template<class U>
constexpr auto ten_operations(U u) {
    auto const t = xg::tanh(u * 0.8_c + 0.3_c);
    auto const l = xg::log(xg::exp(t) + 1_c);
    return xg::sigmoid(xg::sqrt(xg::square(l) + 0.5_c));
}
void chain(bench::suite& suite) {
    std::string const name = "chain of 20 operations on 1k, value and gradient";
    if (!suite.wanted(name)) return;
    constexpr auto x = xg::input<"x", double, 1000>;
    constexpr auto value = xg::sum(ten_operations(ten_operations(x)));
    constexpr auto gradient = std::get<0>(xg::gradients(value, x));
    hand::chain hand;
    xg::function f{xg::outputs(value, gradient)};
    auto const ours = [&] { return f(x = xg::array(hand.x.data(), 1000)); };
    auto const [v, g] = ours();
    suite.agree(name, "the value", v, hand.step(), 1e-13);
    agree_all(suite, name, "the gradient", g, hand.gradient.data(), 1000);
    suite.row(
        name, [&] { bench::keep(ours()); }, [&] { bench::keep(hand.step()); });
}

}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "functions in double");
    log_sum_exp(suite);
    linear_regression<loss::plain>(suite, "");
    linear_regression<loss::with_term>(suite, ", L2 term");
    linear_regression<loss::root>(suite, ", root");
    regression_in_columns(suite);
    gaussian_mixture(suite);
    chain(suite);
    return suite.finish();
}
