// SPDX-License-Identifier: MIT
// Values and gradients of ordinary functions in double, as outputs of one xg::function, compared with hand-written code.
#include "frame.hpp"
#include "functions.hpp"
#include "hand/functions.hpp"

#include <cmath>

namespace {
namespace xg = xgrad;
using ours::loss;

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
    using F = ours::log_sum_exp<>;
    hand::log_sum_exp hand;
    xg::function f{F::all};
    auto const made = [&] { return f(F::x = xg::array(hand.x.data(), 10000)); };
    auto const [v, g] = made();
    suite.agree(name, "the value", v, hand.step(), 1e-13);
    agree_all(suite, name, "the gradient", g, hand.gradient.data(), 10000);
    suite.row(
        name, [&] { bench::keep(made()); }, [&] { bench::keep(hand.step()); });
}

template<loss Kind>
void linear_regression(bench::suite& suite, std::string const& kind) {
    std::string const name = "linear regression 1k x 100" + kind + ", value and gradient";
    if (!suite.wanted(name)) return;
    using F = ours::linear_regression<Kind>;
    hand::linear_regression hand;
    xg::function f{F::all};
    auto const made = [&] {
        return f(F::x = xg::array(hand.x.data(), 1000, 100), F::y = xg::array(hand.y.data(), 1000), F::w = xg::array(hand.w.data(), 100),
            F::b = hand.b);
    };
    auto const theirs = [&] {
        double const e = hand.step();
        return Kind == loss::with_term ? e + hand.add_squares(0.01) : Kind == loss::root ? hand.take_root(e) : e;
    };
    auto const [v, gw, gb] = made();
    suite.agree(name, "the value", v, theirs(), 1e-12);
    agree_all(suite, name, "the gradient", gw, hand.gradient.data(), 100);
    suite.agree(name, "the gradient of b", gb, hand.gradient_b, 1e-12);
    suite.row(
        name, [&] { bench::keep(made()); }, [&] { bench::keep(theirs()); });
}

void regression_in_columns(bench::suite& suite) {
    std::string const name = "linear regression [100, 1k], value and gradient";
    if (!suite.wanted(name)) return;
    using F = ours::regression_in_columns<>;
    hand::regression_in_columns hand;
    xg::function f{F::all};
    auto const made = [&] {
        return f(F::x = xg::array(hand.x.data(), 100, 1000), F::y = xg::array(hand.y.data(), 1000), F::w = xg::array(hand.w.data(), 100),
            F::b = hand.b);
    };
    auto const [v, gw, gb] = made();
    suite.agree(name, "the value", v, hand.step(), 1e-12);
    agree_all(suite, name, "the gradient", gw, hand.gradient.data(), 100);
    suite.agree(name, "the gradient of b", gb, hand.gradient_b, 1e-12);
    suite.row(
        name, [&] { bench::keep(made()); }, [&] { bench::keep(hand.step()); });
}

void gaussian_mixture(bench::suite& suite) {
    std::string const name = "Gaussian mixture d 10 K 25 N 1000, value and gradient";
    if (!suite.wanted(name)) return;
    using F = ours::gaussian_mixture<>;
    hand::gaussian_mixture hand;
    xg::function f{F::all};
    auto const made = [&] {
        return f(F::x = xg::array(hand.points.data(), 1000, 10), F::a = xg::array(hand.a.data(), 25),
            F::m = xg::array(hand.m.data(), 25, 10), F::q = xg::array(hand.q.data(), 25, 10));
    };
    auto const [v, ga, gm, gq] = made();
    suite.agree(name, "the value", v - 1000 * 10 * 0.91893853320467274, hand.step(), 1e-12);
    agree_all(suite, name, "the gradient of the log-weights", ga, hand.gradient_a.data(), 25);
    agree_all(suite, name, "the gradient of the means", gm, hand.gradient_m.data(), 250);
    agree_all(suite, name, "the gradient of the log inverse scales", gq, hand.gradient_q.data(), 250);
    suite.row(
        name, [&] { bench::keep(made()); }, [&] { bench::keep(hand.step()); });
}

void chain(bench::suite& suite) {
    std::string const name = "chain of 20 operations on 1k, value and gradient";
    if (!suite.wanted(name)) return;
    using F = ours::chain<>;
    hand::chain hand;
    xg::function f{F::all};
    auto const made = [&] { return f(F::x = xg::array(hand.x.data(), 1000)); };
    auto const [v, g] = made();
    suite.agree(name, "the value", v, hand.step(), 1e-13);
    agree_all(suite, name, "the gradient", g, hand.gradient.data(), 1000);
    suite.row(
        name, [&] { bench::keep(made()); }, [&] { bench::keep(hand.step()); });
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
