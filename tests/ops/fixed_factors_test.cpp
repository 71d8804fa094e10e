// SPDX-License-Identifier: MIT
// Loops with a matrix that is the same in all iterations. Each run of a loop copies it once, and the bits are those of the iterations
// alone.
#include <support/same_bits.hpp>
#include <support/tensor.hpp>

#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim turns{"turns"};
constexpr int units = 70, most = 7;

constexpr auto u = xg::input<"u", float, units, units>;
constexpr auto start = xg::input<"start", float, batch, units>;
constexpr auto x = xg::input<"x", float, turns, batch, units>;
constexpr auto row = xg::input<"row", float, batch, units>;

constexpr auto next(auto const& h, auto const& in) { return xg::tanh(xg::matmul(h, u) * 0.2_c + in); }
struct cell : xg::region {
    static constexpr auto value(auto h, auto in) { return xg::carry(next(h, in)); }
};
// The gradient of `start` has a product with the transposed matrix in each iteration.
constexpr auto back(auto const& g, auto const& in) { return xg::matmul(g, xg::transpose(u)) * 0.2_c + in; }
struct back_cell : xg::region {
    static constexpr auto value(auto g, auto in) { return xg::carry(back(g, in)); }
};

using numbers = std::vector<float>;
numbers made(std::int64_t n, unsigned seed) {
    numbers r(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = static_cast<float>((i * 7919 + seed * 104729) % 1000) / 1000 - 0.5f;
    return r;
}
numbers copy_of(auto const& view) { return {view.data(), view.data() + view.size()}; }

/// The loop's function against a function of one iteration, called once for each.
template<class Loop, class Once>
void compare(Loop& loop, Once& once) {
    for (std::int64_t rows : {5, 1, 9, 2, 40})
        for (std::int64_t count : {most, 3, 4, 1, 0, 5}) {
            auto const U = made(units * units, static_cast<unsigned>(rows * 10 + count)), X = made(count * rows * units, 3);
            numbers h = made(rows * units, 4);
            auto const all = copy_of(loop(u = xg::array(U.data(), units, units), start = xg::array(h.data(), rows, units),
                x = xg::array(X.data(), count, rows, units)));
            for (std::int64_t t = 0; t < count; ++t)
                h = copy_of(once(u = xg::array(U.data(), units, units), start = xg::array(h.data(), rows, units),
                    row = xg::array(X.data() + t * rows * units, rows, units)));
            CAPTURE(rows);
            CAPTURE(count);
            CHECK(test::same_bits(all, h));
        }
}
}

TEST_CASE("a loop with a fixed right factor, for each number of rows and iterations, with another matrix in each call") {
    auto const [last] = xg::scan<cell>(xg::carry(start), x);
    xg::function loop{last};
    using body = decltype(loop)::program_type::region<0>;
    static_assert(body::fixed_factors() != 0);
    xg::function once{next(start, row)};
    compare(loop, once);
}
TEST_CASE("the same with the transposed matrix") {
    auto const [last] = xg::scan<back_cell>(xg::carry(start), x);
    xg::function loop{last};
    static_assert(decltype(loop)::program_type::region<0>::fixed_factors() != 0);
    xg::function once{back(start, row)};
    compare(loop, once);
}

namespace {
constexpr auto matrices = xg::input<"matrices", float, turns, units, units>;
constexpr auto first = xg::input<"first", float, units, units>;
struct by_slices : xg::region {
    static constexpr auto value(auto h, auto w) { return xg::carry(xg::matmul(h, w)); }
};
struct by_carry : xg::region {
    static constexpr auto value(auto h, auto w, auto in) { return xg::carry(xg::matmul(h, w), w * 0.5_c + in); }
};
template<class W>
struct inner : xg::region {
    static constexpr auto value(auto h) { return xg::carry(xg::tanh(xg::matmul(h, W{}) * 0.2_c)); }
};
struct outer : xg::region {
    static constexpr auto value(auto h, auto w) {
        auto const [last] = xg::scan<inner<std::remove_cvref_t<decltype(w)>>, 5>(xg::carry(h));
        return xg::carry(last);
    }
};
/// h W, as one product.
numbers times(numbers const& h, float const* w, std::int64_t rows) {
    static xg::function product{xg::matmul(start, first)};
    return copy_of(product(start = xg::array(h.data(), rows, units), first = xg::array(w, units, units)));
}
}
TEST_CASE("matrices that an iteration gets from a sequence or from the iteration before are not fixed") {
    std::int64_t const rows = 6, size = units * units;
    auto const W = made(most * size, 5);
    numbers h = made(rows * units, 6);
    auto const [one] = xg::scan<by_slices>(xg::carry(start), matrices);
    xg::function slices{one};
    static_assert(decltype(slices)::program_type::region<0>::fixed_factors() == 0);
    auto const from_slices = copy_of(slices(start = xg::array(h.data(), rows, units), matrices = xg::array(W.data(), most, units, units)));
    auto const [two, changed] = xg::scan<by_carry>(xg::carry(start, first), matrices);
    xg::function carries{two};
    static_assert(decltype(carries)::program_type::region<0>::fixed_factors() == 0);
    numbers w = made(size, 7), g = h;
    auto const from_carries = copy_of(carries(start = xg::array(h.data(), rows, units), first = xg::array(w.data(), units, units),
        matrices = xg::array(W.data(), most, units, units)));
    for (std::int64_t t = 0; t < most; ++t) {
        h = times(h, W.data() + t * size, rows);
        g = times(g, w.data(), rows);
        for (std::int64_t i = 0; i < size; ++i) {
            auto const at = static_cast<std::size_t>(i);
            w[at] = w[at] * 0.5f + W[static_cast<std::size_t>(t * size + i)];
        }
    }
    CHECK(test::same_bits(from_slices, h));
    for (std::size_t i = 0; i < g.size(); ++i) CHECK(std::fabs(from_carries[i] - g[i]) <= 1e-4f * std::fabs(g[i]) + 1e-4f);
}

TEST_CASE("an inner loop copies the matrix of each iteration of the outer one anew") {
    std::int64_t const rows = 6, size = units * units;
    auto const W = made(3 * size, 8);
    numbers h = made(rows * units, 9);
    auto const [last] = xg::scan<outer>(xg::carry(start), matrices);
    xg::function loops{last};
    using body = decltype(loops)::program_type::region<0>;
    static_assert(body::fixed_factors() == 0 && body::region<0>::fixed_factors() != 0);
    xg::function once{xg::tanh(xg::matmul(start, first) * 0.2_c)};
    auto const all = copy_of(loops(start = xg::array(h.data(), rows, units), matrices = xg::array(W.data(), 3, units, units)));
    for (std::int64_t t = 0; t < 3; ++t)
        for (int i = 0; i < 5; ++i)
            h = copy_of(once(start = xg::array(h.data(), rows, units), first = xg::array(W.data() + t * size, units, units)));
    CHECK(test::same_bits(all, h));
}

namespace {
struct trained : xg::region {
    static constexpr auto value(auto h, auto in) {
        constexpr auto w = xg::variable<"w", float, units, units>;
        return xg::carry(xg::tanh(xg::matmul(h, w) * 0.2_c + in));
    }
};
}
TEST_CASE("a matrix that a training step changes is copied again in the next step") {
    std::int64_t const rows = 5;
    auto const [last] = xg::scan<trained>(xg::carry(start), x);
    auto const loss = xg::mean(xg::square(last));
    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 5});
    train.initialize(xg::glorot_uniform{.seed = 3});
    auto const h = made(rows * units, 10), X = made(most * rows * units, 11);
    for (int step = 0; step < 3; ++step) {
        xg::function now{xg::eval(loss), train};   // a runner that has copied nothing
        auto const args = [&](auto& f) {
            return static_cast<float>(f(start = xg::array(h.data(), rows, units), x = xg::array(X.data(), most, rows, units)));
        };
        float const expected = args(now);
        CHECK(args(train) == doctest::Approx(expected).epsilon(1e-6));
    }
}
