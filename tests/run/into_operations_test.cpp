// SPDX-License-Identifier: MIT
// Each kind of step writes into the caller's memory, at any address: products, rows, lanes, lookups, joined parts, loops, users' kernels.
#include <support/both_ways.hpp>

#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};

struct running_sum : xg::region {
    static constexpr auto value(auto total, auto row) {
        constexpr auto next = 0.5_c * total + row;
        return xg::carry(next).emit(xg::square(next));
    }
};

struct block : xg::region {
    static constexpr auto value(auto h) {
        constexpr auto y = xg::tanh(h) * 2_c;
        return std::tuple{y, xg::matmul<false, true>(y, h), h, xg::sum(y), y};
    }
};
struct other_block : xg::region {
    static constexpr auto value(auto h) {
        constexpr auto y = xg::call<block>(h + 1_c);
        return std::tuple{std::get<0>(y), xg::exp(std::get<1>(y) * 0.25_c), h * 3_c, std::get<3>(y), std::get<2>(y)};
    }
};
struct nothing_done : xg::region {   // all results are parts of the argument
    static constexpr auto value(auto h) { return std::tuple{h, xg::matmul<false, true>(h, h), h, xg::sum(xg::slice<0, 0, 1>(h)), h}; }
};
struct small_yet : xg::region {
    static constexpr auto value(auto h, auto) { return xg::less(xg::sum(xg::square(h)), 1000_c); }
};
struct larger : xg::region {
    static constexpr auto value(auto h, auto total) { return xg::carry(h * 1.5_c, total + h); }
};

std::vector<float> waves(std::size_t n) {
    std::vector<float> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<float>((i * 37 + 11) % 23) / 8.0f - 1.25f;
    return v;
}
}

TEST_CASE("products, rows, sums of columns and what reads them") {
    constexpr auto a = xg::input<"a", float, batch, 19>;
    constexpr auto b = xg::input<"b", float, 19, 7>;
    auto const p = xg::matmul(a, b);
    auto const q = xg::relu(p + xg::mean<0>(p));
    auto const r = q - xg::log_sum_exp<1>(q, xg::keep_dims);
    auto const [by_a, by_b] = xg::gradients(xg::sum(xg::square(r)), a, b);
    auto const da = waves(13 * 19), db = waves(19 * 7);
    test::both_ways{xg::function{xg::outputs(p, q, r, xg::sum<0>(r), xg::transpose(p), by_a, by_b)}}(
        a = xg::array(da, 13, 19), b = xg::array(db, 19, 7));
}

TEST_CASE("short rows whose lanes lie along the batch") {
    constexpr auto a = xg::input<"a", float, batch, 3>;
    auto const s = xg::softmax<1>(a);
    auto const da = waves(301 * 3);
    test::both_ways{xg::function{xg::outputs(s, xg::max<1>(a), xg::exp(a) * 0.5_c)}}(a = xg::array(da, 301, 3));
}

TEST_CASE("joined parts, lookups, sorting") {
    constexpr auto a = xg::input<"a", float, batch, 6>;
    constexpr auto ids = xg::input<"ids", std::int32_t, 9>;
    auto const rows = xg::gather(a, ids);
    auto const joined = xg::concat<1>(xg::relu(a), xg::slice<1, 1, 3>(a), xg::tanh(a));
    auto const da = waves(11 * 6);
    std::vector<std::int32_t> const di{3, 0, 10, 10, 2, 7, 3, 9, 1};
    test::both_ways{xg::function{xg::outputs(rows, rows * 2.0_c, joined, std::get<0>(xg::top_k<2>(a)), xg::flip<0>(a))}}(
        a = xg::array(da, 11, 6), ids = di);
    auto const by_a = xg::gradient_of(xg::sum(xg::square(rows)), a).dense;
    test::both_ways{xg::function{xg::outputs(by_a, xg::square(by_a))}}(a = xg::array(da, 11, 6), ids = di);
}

TEST_CASE("loops: final carries, what is stacked, gradients") {
    constexpr auto a = xg::input<"a", float, 12, 5>;
    constexpr auto start = xg::input<"start", float, 5>;
    auto const [last, all] = xg::scan<running_sum>(xg::carry(start), a);
    auto const [by_start, by_a] = xg::gradients(xg::sum(xg::square(all)) + xg::sum(last), start, a);
    auto const da = waves(12 * 5), ds = waves(5);
    test::both_ways{xg::function{xg::outputs(last, all, by_start, by_a, xg::exp(all))}}(a = xg::array(da, 12, 5), start = ds);
}

TEST_CASE("calls, branches, loops with a condition; and the same with results that other steps read") {
    constexpr auto a = xg::input<"a", float, batch, 5>;
    constexpr auto which = xg::input<"which", std::int32_t>;
    auto const da = waves(7 * 5);
    auto const check = [&](auto const& results) {
        auto const [first, square, third, number, last] = results;
        auto const by_a = xg::gradient_of(xg::sum(square) + number + xg::sum(last * first), a);
        return xg::outputs(first, square, third, number, last, by_a, xg::exp(first), xg::sum<0>(third));
    };
    test::both_ways{xg::function{check(xg::call<block>(a))}}(a = xg::array(da, 7, 5));
    test::both_ways f{xg::function{check(xg::switch_case<block, other_block, nothing_done>(which, a))}};
    for (std::int32_t const k : {0, 1, 2, 1, 0, 7}) f(a = xg::array(da, 7, 5), which = k);
    auto const [grown, total] = xg::while_loop<small_yet, larger, 12>(xg::carry(a, a));
    test::both_ways{xg::function{xg::outputs(grown, total, xg::gradient_of(xg::sum(grown) + xg::sum(total), a))}}(a = xg::array(da, 7, 5));
}
