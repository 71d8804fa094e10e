// SPDX-License-Identifier: MIT
// A recurrent net as a loop over a body: against the same graph unrolled, its gradients of two orders, what is computed before the loop and what
// is kept. Loops of other forms are the matter of scan_forms_test.cpp.
#include <support/programs.hpp>
#include <support/tensor.hpp>

#include <xgrad/io/dot.hpp>
#include <xgrad/plan/describe.hpp>
#include <xgrad/train/check_gradients.hpp>

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
    static constexpr auto step(auto h, auto x) { return xg::tanh(xg::matmul(h, w) + xg::matmul(x, u) + b); }

    struct cell : xg::region {
        static constexpr auto value(auto h, auto x) {
            auto const next = step(h, x);
            return xg::carry(next).emit(next * h);
        }
    };
    template<class Last, class All>
    static constexpr auto loss(Last const& last, All const& all) {
        return xg::sum(xg::square(last)) + xg::sum(all * xg::exp(all));
    }
};
template<class T, int N>
constexpr auto unrolled(auto x, auto h) {
    if constexpr (N == 0) return std::tuple{h, std::tuple{}};
    else {
        auto const [before, emitted] = unrolled<T, N - 1>(x, h);
        auto const next = net<T>::step(before, xg::squeeze<0>(xg::slice<0, N - 1, N>(x)));
        return std::tuple{next, std::tuple_cat(emitted, std::tuple{xg::expand_dims<0>(next * before)})};
    }
}
template<class List, bool Fuse>
using function_of = xg::function<List, xg::program<List, xg::no_updates, xg::gating::none, Fuse>>;
template<class... E>
constexpr auto list_of(E const&...) {
    return xg::expression_list<E...>{};
}
template<class... E>
constexpr auto list_of(std::tuple<E...> const&) {
    return xg::expression_list<E...>{};
}
}

TEST_CASE("a recurrent net and its gradients are those of the unrolled graph") {
    using T = float;
    using n = net<T>;
    constexpr auto x = xg::input<"x", T, 2, batch, 3>;
    auto const [last, all] = xg::scan<n::cell>(xg::carry(n::start), x);
    auto const [flat, parts] = unrolled<T, 2>(x, n::start);
    auto const stacked = std::apply([](auto const&... p) { return xg::concat<0>(p...); }, parts);
    auto const loop = n::loss(last, all);
    auto const graph = n::loss(flat, stacked);
    auto const a = list_of(std::tuple_cat(std::tuple{last, all, loop}, xg::gradients(loop, n::w, n::u, n::b, n::start, x)));
    auto const b = list_of(std::tuple_cat(std::tuple{flat, stacked, graph}, xg::gradients(graph, n::w, n::u, n::b, n::start, x)));
    function_of<std::remove_const_t<decltype(a)>, true> f{a};
    function_of<std::remove_const_t<decltype(a)>, false> plain{a};
    function_of<std::remove_const_t<decltype(b)>, true> g{b};
    for (std::int64_t rows : {1, 3, 0}) {
        auto const W = test::numbers<T>({4, 4}), U = test::numbers<T>({3, 4}, -1, 1, 2), B = test::numbers<T>({4}, -1, 1, 3);
        auto const H = test::numbers<T>({rows, 4}, -1, 1, 4), X = test::numbers<T>({2, rows, 3}, -1, 1, 5);
        auto const r = f(n::w = W, n::u = U, n::b = B, n::start = H, x = X), p = plain(n::w = W, n::u = U, n::b = B, n::start = H, x = X),
                   q = g(n::w = W, n::u = U, n::b = B, n::start = H, x = X);
        REQUIRE(std::get<1>(r).shape() == std::get<1>(q).shape());
        REQUIRE(std::get<7>(r).shape() == std::get<7>(q).shape());
        auto const expected = fuzz::copies(q);
        fuzz::agree(fuzz::copies(r), expected, 2e-6);
        fuzz::agree(fuzz::copies(p), expected, 2e-6);
    }
}

namespace {
struct short_cell : xg::region {   // one product, so that a gradient of a gradient stays small
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
    auto const gradients = xg::gradients(n::loss(last, all), n::w, x);
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
    static_assert(P::plan.steps[0].kind == xg::step_kind::nest && P::plan.steps[1].kind == xg::step_kind::scan);
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
    // each turn: two products, one addition; the carry is read and written once more
    static_assert(
        xg::cost_of<F>.flops(batch = 2, turns = 10) == 16 * xg::op_instance<xg::op::exp>.flops + 10 * (2 * 2 * 4 * 4 + 2 * 2 * 3 * 4 + 8));
    F f{last};
    auto const X = test::numbers<float>({10, 2, 3});
    f(n::w = test::numbers<float>({4, 4}), n::u = test::numbers<float>({3, 4}), n::start = test::numbers<float>({2, 4}), x = X);
    CHECK(static_cast<std::int64_t>(f.arena_bytes()) == xg::cost_of<F>.arena_bytes(batch = 2, turns = 10));
    std::string const dot = xg::to_dot<F>();
    CHECK(dot.find("loop over time") != std::string::npos);
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
    static_assert(xg::cost_of<backward>.arena_bytes(batch = 8) >= 100 * 8 * 4 * 4);   // the history: all carries
    static_assert(xg::cost_of<backward>.arena_bytes(batch = 8) < 100 * 8 * 4 * 4 + 3000);
    CHECK(xg::describe<backward>().find("carry 0 before each turn") != std::string::npos);
}
