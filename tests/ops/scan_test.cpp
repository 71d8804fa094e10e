// SPDX-License-Identifier: MIT
// A recurrent net as a loop over a body, compared with hand-written loops. Checks its gradients of two orders, the part that is computed
// before the loop, and the part that is kept. scan_forms_test.cpp checks loops of other forms.
#include <support/function_of.hpp>
#include <support/programs.hpp>
#include <support/tensor.hpp>

#include <xgrad/inspect/dot.hpp>
#include <xgrad/inspect/describe.hpp>
#include <xgrad/train/check_gradients.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim turns{"turns"};

// A recurrent net: h' = tanh(h w + x u + b).
template<class T>
struct net {
    static constexpr auto w = xg::input<"w", T, 4, 4>;
    static constexpr auto u = xg::input<"u", T, 3, 4>;
    static constexpr auto b = xg::input<"b", T, 4>;
    static constexpr auto start = xg::input<"start", T, batch, 4>;

    struct cell : xg::region {
        static constexpr auto value(auto h, auto x) {
            auto const next = xg::tanh(xg::matmul(h, w) + xg::matmul(x, u) + b);
            return xg::carry(next).emit(next * h);
        }
    };
    template<class Last, class All>
    static constexpr auto loss(Last const& last, All const& all) {
        return xg::sum(xg::square(last)) + xg::sum(all * xg::exp(all));
    }
};
/// The results of the net from a hand-written loop, iteration by iteration.
/// They are the last carry, what is emitted, the loss, and its gradients with respect to w, u, b, start and x.
std::vector<std::vector<double>> by_hand(test::tensor<float> const& w, test::tensor<float> const& u, test::tensor<float> const& b,
    test::tensor<float> const& start, test::tensor<float> const& x) {
    using list = std::vector<double>;
    std::int64_t const turns_of_x = x.shape()[0], rows = start.shape()[0];
    list carries(start.begin(), start.end()), emitted, of_w(16), of_u(12), of_b(4), of_start, of_x(static_cast<std::size_t>(x.size()));
    auto const carry = [&](std::int64_t t, std::int64_t r, std::int64_t j) {
        return carries[static_cast<std::size_t>((t * rows + r) * 4 + j)];
    };
    auto const in = [&](std::int64_t t, std::int64_t r, std::int64_t i) { return (t * rows + r) * 3 + i; };
    double loss = 0;
    for (std::int64_t t = 0; t < turns_of_x; ++t)
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t j = 0; j < 4; ++j) {
                double z = b[j];
                for (std::int64_t i = 0; i < 4; ++i) z += carry(t, r, i) * w[i * 4 + j];
                for (std::int64_t i = 0; i < 3; ++i) z += static_cast<double>(x[in(t, r, i)]) * u[i * 4 + j];
                carries.push_back(std::tanh(z));
                emitted.push_back(carries.back() * carry(t, r, j));
                loss += emitted.back() * std::exp(emitted.back());
            }
    list const last(carries.end() - rows * 4, carries.end());
    for (double const h : last) {
        loss += h * h;
        of_start.push_back(2 * h);
    }
    for (std::int64_t t = turns_of_x; t-- > 0;)
        for (std::int64_t r = 0; r < rows; ++r) {
            std::array<double, 4> before{}, of_z{};
            for (std::int64_t j = 0; j < 4; ++j) {
                auto const k = static_cast<std::size_t>(j);
                double const e = emitted[static_cast<std::size_t>((t * rows + r) * 4 + j)], of_e = std::exp(e) * (1 + e),
                             next = carry(t + 1, r, j);
                of_z[k] = (of_start[static_cast<std::size_t>(r * 4 + j)] + of_e * carry(t, r, j)) * (1 - next * next);
                before[k] = of_e * next;
                of_b[k] += of_z[k];
            }
            for (std::size_t j = 0; j < 4; ++j) {
                for (std::size_t i = 0; i < 4; ++i) {
                    auto const at = static_cast<std::int64_t>(i * 4 + j);
                    before[i] += of_z[j] * w[at];
                    of_w[i * 4 + j] += carry(t, r, static_cast<std::int64_t>(i)) * of_z[j];
                }
                for (std::size_t i = 0; i < 3; ++i) {
                    std::int64_t const at = in(t, r, static_cast<std::int64_t>(i));
                    of_x[static_cast<std::size_t>(at)] += of_z[j] * u[static_cast<std::int64_t>(i * 4 + j)];
                    of_u[i * 4 + j] += x[at] * of_z[j];
                }
            }
            std::copy(before.begin(), before.end(), of_start.begin() + r * 4);
        }
    return {last, emitted, {loss}, of_w, of_u, of_b, of_start, of_x};
}
using test::function_of, test::list_of;
}

TEST_CASE("a recurrent net and its gradients, with the planner on and off") {
    using n = net<float>;
    constexpr auto x = xg::input<"x", float, 5, batch, 3>;
    auto const [last, all] = xg::scan<n::cell>(xg::carry(n::start), x);
    auto const loss = n::loss(last, all);
    auto const list = list_of(std::tuple_cat(std::tuple{last, all, loss}, xg::gradients(loss, n::w, n::u, n::b, n::start, x)));
    function_of<std::remove_const_t<decltype(list)>, true> f{list};
    function_of<std::remove_const_t<decltype(list)>, false> plain{list};
    for (std::int64_t rows : {1, 3, 0}) {
        auto const W = test::numbers<float>({4, 4}), U = test::numbers<float>({3, 4}, -1, 1, 2), B = test::numbers<float>({4}, -1, 1, 3);
        auto const H = test::numbers<float>({rows, 4}, -1, 1, 4), X = test::numbers<float>({5, rows, 3}, -1, 1, 5);
        auto const r = f(n::w = W, n::u = U, n::b = B, n::start = H, x = X), p = plain(n::w = W, n::u = U, n::b = B, n::start = H, x = X);
        REQUIRE(std::get<1>(r).shape() == std::array<std::int64_t, 3>{5, rows, 4});
        REQUIRE(std::get<7>(r).shape() == std::array<std::int64_t, 3>{5, rows, 3});
        auto const expected = by_hand(W, U, B, H, X);
        fuzz::agree(fuzz::copies(r), expected, 4e-6);
        fuzz::agree(fuzz::copies(p), expected, 4e-6);
    }
}

namespace {
struct short_cell : xg::region {   // one product, so that gradients of gradients stay small
    static constexpr auto value(auto h, auto x) {
        auto const next = xg::tanh(xg::matmul(h, net<double>::w) + x);
        return xg::carry(next).emit(next * h);
    }
};
}
TEST_CASE("gradients of the gradients of a recurrent net against finite differences") {
    using n = net<double>;
    constexpr auto x = xg::input<"x", double, turns, batch, 4>;
    auto const [last, all] = xg::scan<short_cell>(xg::carry(n::start), x);
    auto const gradients = xg::gradients(xg::sum(xg::square(last)) + xg::sum(xg::square(all)), n::w, x);
    auto const second = xg::sum(xg::square(std::get<0>(gradients))) + xg::sum(xg::square(std::get<1>(gradients)));
    auto const W = test::numbers<double>({4, 4});
    for (std::int64_t length : {1, 4}) {
        auto const H = test::numbers<double>({2, 4}, -1, 1, 4), X = test::numbers<double>({length, 2, 4}, -1, 1, 5);
        auto const s = xg::check_gradients(second, xg::wrt(n::w, n::start, x), n::w = W, n::start = H, x = X);
        CHECK_MESSAGE(s.ok, s.message);
    }
}

namespace {
struct plus : xg::region {
    static constexpr auto value(auto h, auto row) {
        return xg::carry(xg::matmul(h, xg::exp(net<float>::w)) + xg::matmul(row, net<float>::u));
    }
};
}
TEST_CASE("what depends on no carry and no slice is computed once, before the loop; texts, costs and pictures show the body") {
    using n = net<float>;
    constexpr auto x = xg::input<"x", float, turns, batch, 3>;
    auto const [last] = xg::scan<plus>(xg::carry(n::start), x);
    using F = decltype(xg::function{last});
    using P = F::program_type;
    static_assert(P::plan.step_count == 2);
    static_assert(P::plan.steps[0].kind == xg::planner::step_kind::nest && P::plan.steps[1].kind == xg::planner::step_kind::region);
    using body = P::region<0>;
    for (int s = 0; s < body::plan.step_count; ++s)
        for (int k = 0; k < body::plan.steps[s].ins_count; ++k) {
            auto const* op = body::plan.ins[body::plan.steps[s].first_ins + k].op;
            CHECK((op == nullptr || op->name != "exp"));
        }
    std::string const text = xg::describe<F>();
    CHECK(text.find("turns turns\n            carry.0 from start, then result → result") != std::string::npos);
    CHECK(text.find("slice.0 = x[t]") != std::string::npos);
    CHECK(text.find("matmul  [batch, 4] = carry.0 · exp") != std::string::npos);
    // each iteration: two products, one addition; the carry is read and written once more
    static_assert(
        xg::cost_of<F>.flops(batch = 2, turns = 10) == 16 * xg::op_instance<xg::op::exp>.flops + 10 * (2 * 2 * 4 * 4 + 2 * 2 * 3 * 4 + 8));
    F f{last};
    auto const X = test::numbers<float>({10, 2, 3});
    f(n::w = test::numbers<float>({4, 4}), n::u = test::numbers<float>({3, 4}), n::start = test::numbers<float>({2, 4}), x = X);
    CHECK(static_cast<std::int64_t>(f.arena_bytes()) == xg::cost_of<F>.arena_bytes(batch = 2, turns = 10));
    std::string const dot = xg::to_dot<F>();
    CHECK(dot.find("\"1 scan\"") != std::string::npos);
    CHECK(dot.find("s1_input0") != std::string::npos);
    CHECK(std::count(dot.begin(), dot.end(), '{') == std::count(dot.begin(), dot.end(), '}'));
    CHECK(xg::summarize(f, batch = 2, turns = 10).find("1 loop over a body") != std::string::npos);
}

TEST_CASE("a gradient that nothing needs is not kept: no history without a gradient") {
    using n = net<float>;
    constexpr auto x = xg::input<"x", float, 100, batch, 3>;
    auto const [last, all] = xg::scan<n::cell>(xg::carry(n::start), x);
    using forward = decltype(xg::function{last});
    using backward = decltype(xg::function{xg::gradient_of(last, n::w)});
    static_assert(xg::cost_of<forward>.arena_bytes(batch = 8) < 1000);
    static_assert(xg::cost_of<backward>.arena_bytes(batch = 8) >= 100 * 8 * 4 * 4);   // the history, which has each tanh
    static_assert(xg::cost_of<backward>.arena_bytes(batch = 8) < 100 * 8 * 4 * 4 + 3000);
    CHECK(xg::describe<backward>().find("carry 0 before each turn") != std::string::npos);
}
