// SPDX-License-Identifier: MIT
// Kernels of users' operations and the loops after them run a few iterations at a time. The results equal those of running both in
// sequence, at every size.
#include "on_and_off.hpp"
#include "planned.hpp"

#include <xgrad/inspect/describe.hpp>

#include <support/tensor.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};

template<class P>
constexpr int handed_on() {
    int n = 0;
    for (int s = 0; s < P::plan.step_count; ++s) n += P::plan.steps[s].hands_on();
    return n;
}
/// Expressions with the planner's choices and one by one, of the same arrays.
template<class T, int Pairs, class... E>
void compare(xg::expression_list<E...> list, auto const&... bound) {
    auto on = on_and_off::make<true>(list);
    auto off = on_and_off::make<false>(list);
    using P = xg::program_type_of<decltype(on)>;
    static_assert(handed_on<P>() == Pairs);
    static_assert(handed_on<xg::program_type_of<decltype(off)>>() == 0);
    auto const all = [&](auto& f) {
        if constexpr (sizeof...(E) > 1) return test::results<T>(f, std::tuple(bound...));
        else {
            auto const r = f(bound...);
            return std::vector<std::vector<T>>{{r.begin(), r.end()}};
        }
    };
    test::check_close(all(on), all(off), P::table.view().count);
}
std::vector<std::int32_t> ids_up_to(std::int32_t limit, std::int64_t n) {
    std::vector<std::int32_t> r;
    for (std::int64_t i = 0; i < n; ++i) r.push_back(static_cast<std::int32_t>(i * 37 % limit));
    return r;
}

// A block is 16,384 bytes: 128 rows of 32 floats.
template<class T>
constexpr auto table = xg::input<"table", T, 50, 32>;
template<class T>
constexpr auto b = xg::input<"b", T, 32>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto pairs = xg::input<"pairs", std::int32_t, batch, 2>;
inline constexpr std::int64_t lengths[]{0, 1, 63, 64, 65, 127, 128, 129, 1000};

TEST_CASE_TEMPLATE("lookups", T, float, double) {
    auto const t = test::numbers<T>({50, 32}, -1, 1, 1), bias = test::numbers<T>({32}, -1, 1, 2);
    for (std::int64_t n : lengths) {
        CAPTURE(n);
        auto const one = ids_up_to(50, n), two = ids_up_to(50, 2 * n);
        auto const both = xg::array(two.data(), n, 2);
        compare<T, 1>(xg::outputs(xg::relu(xg::gather(table<T>, ids) + b<T>)), table<T> = t, b<T> = bias, ids = one);
        compare<T, 1>(xg::outputs(xg::tanh(xg::embedding_bag(table<T>, pairs) * b<T>)), table<T> = t, b<T> = bias, pairs = both);
        compare<T, 1>(xg::outputs(xg::square(xg::gather(table<T>, pairs) - b<T>)), table<T> = t, b<T> = bias, pairs = both);
        compare<T, 1>(
            xg::outputs(xg::softmax(xg::gather(table<T>, pairs) + b<T>)), table<T> = t, b<T> = bias, pairs = both);   // three passes
        compare<T, 1>(xg::outputs(xg::sum<2>(xg::gather(table<T>, pairs) * b<T>)), table<T> = t, b<T> = bias, pairs = both);
        compare<T, 0>(   // single elements: the lookup takes longer than the memory
            xg::outputs(xg::exp(xg::gather(xg::sum<1>(table<T>), ids)), b<T> + 0_c), table<T> = t, b<T> = bias, ids = one);
    }
}
TEST_CASE("a turn of the loop takes several turns of the kernel") {
    constexpr auto each = xg::input<"each", float, batch, 1, 32>;
    auto const t = test::numbers<float>({50, 32}, -1, 1, 1);
    for (std::int64_t n : lengths) {
        CAPTURE(n);
        auto const two = ids_up_to(50, 2 * n);
        auto const factors = test::numbers<float>({n, 1, 32}, -1, 1, 3);
        compare<float, 1>(
            xg::outputs(xg::gather(table<float>, pairs) * each), table<float> = t, pairs = xg::array(two.data(), n, 2), each = factors);
    }
}
TEST_CASE("of static length") {
    constexpr auto many = xg::input<"many", std::int32_t, 700>;
    constexpr auto few = xg::input<"few", std::int32_t, 100>;
    auto const t = test::numbers<float>({50, 32}, -1, 1, 1), bias = test::numbers<float>({32}, -1, 1, 2);
    compare<float, 1>(xg::outputs(xg::exp(xg::gather(table<float>, many))), table<float> = t, many = ids_up_to(50, 700));
    compare<float, 1>(xg::outputs(xg::gather(table<float>, many) + b<float>), table<float> = t, b<float> = bias, many = ids_up_to(50, 700));
    compare<float, 0>(xg::outputs(xg::gather(table<float>, few) + b<float>),   // 12,800 bytes are in the first cache anyway
        table<float> = t, b<float> = bias, few = ids_up_to(50, 100));
}
TEST_CASE("functions on rows, one output of two") {
    constexpr auto x = xg::input<"x", double, batch, 9>;
    constexpr auto best = xg::top_k<4>(x);
    for (std::int64_t n : {0, 1, 511, 512, 513, 2000}) {
        CAPTURE(n);
        auto const v = test::numbers<double>({n, 9}, -1, 1, 1);
        compare<double, 1>(xg::outputs(xg::exp(std::get<0>(best)), std::get<1>(best)), x = v);
        compare<double, 1>(xg::outputs(std::get<1>(xg::top_k<8>(x)) + 1_c), x = v);
        compare<double, 1>(xg::outputs(xg::flip<1>(x) * x), x = v);
        compare<double, 0>(xg::outputs(std::get<0>(best) * xg::cast<double>(std::get<1>(best))), x = v);   // both outputs
    }
}
TEST_CASE("what others read too, or needs all of it, stays in memory") {
    constexpr auto rows = xg::gather(table<float>, ids);
    auto const t = test::numbers<float>({50, 32}, -1, 1, 1);
    auto const one = ids_up_to(50, 300);
    compare<float, 0>(xg::outputs(xg::relu(rows), rows), table<float> = t, ids = one);
    compare<float, 0>(xg::outputs(xg::sum<0>(xg::square(rows))), table<float> = t, ids = one);
    compare<float, 0>(xg::outputs(xg::exp(xg::transpose(rows))), table<float> = t, ids = one);
    compare<float, 0>(xg::outputs(xg::exp(xg::matmul<false, true>(rows, rows))), table<float> = t, ids = one);
    compare<float, 0>(xg::outputs(xg::concat<1>(rows, rows * 2_c)), table<float> = t, ids = one);
}

// ---- a kernel of a user's own, whose turns are images, or rows of them
template<bool ByRow>
struct pool_op : xg::kernel_op {   // [n, 2 h, 2 w, c]: the largest of four
    static constexpr std::string_view name = "pool";
    static constexpr bool in_order = true;
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        xg::value_info r = v[0];
        for (int axis : {1, 2}) r.dims.extents[axis] = xg::static_extent(r.dims.extents[axis].constant / 2);
        return r;
    }
    static constexpr xg::extent turns(xg::kernel_operands const& v) {
        return ByRow ? v.dims(1).extents[0] * v.dims(1).extents[1] : v.dims(1).extents[0];
    }
    static void run(xg::kernel_part const& part, xg::tensor_view<float const, 4> x, xg::tensor_view<float, 4> y) {
        std::int64_t const rows = ByRow ? 1 : y.shape(1);
        for (std::int64_t t = part.first * rows; t < part.last * rows; ++t)
            for (std::int64_t j = 0, n = t / y.shape(1), i = t % y.shape(1); j < y.shape(2); ++j)
                for (std::int64_t c = 0; c < y.shape(3); ++c)
                    y(n, i, j, c) = std::max(
                        {x(n, 2 * i, 2 * j, c), x(n, 2 * i, 2 * j + 1, c), x(n, 2 * i + 1, 2 * j, c), x(n, 2 * i + 1, 2 * j + 1, c)});
    }
};
template<bool ByRow>
inline constexpr xg::kernel_function<pool_op<ByRow>> pool{};

TEST_CASE("pooling of a user's own") {
    constexpr auto small = xg::input<"small", float, batch, 8, 12, 5>;
    constexpr auto large = xg::input<"large", float, batch, 32, 40, 64>;
    constexpr auto a = xg::input<"a", float, 5>;
    constexpr auto c = xg::input<"c", float, 64>;
    auto const va = test::numbers<float>({5}, -1, 1, 1), vc = test::numbers<float>({64}, -1, 1, 2);
    for (std::int64_t n : {0, 1, 3, 34, 35, 70}) {
        CAPTURE(n);
        auto const x = test::numbers<float>({n, 8, 12, 5}, -1, 1, 3);
        compare<float, 1>(xg::outputs(xg::relu(pool<false>(small) + a)), small = x, a = va);
        compare<float, 1>(xg::outputs(xg::relu(pool<true>(small) + a)), small = x, a = va);
        if (n > 3) continue;
        auto const y = test::numbers<float>({n, 32, 40, 64}, -1, 1, 4);
        compare<float, 1>(xg::outputs(xg::relu(pool<false>(large) + c)), large = y, c = vc);   // 80 kB: an image at a time
        compare<float, 1>(xg::outputs(xg::relu(pool<true>(large) + c)), large = y, c = vc);
    }
}

// ---- an index that is found out of range while other turns wait
TEST_CASE("an index that the graph computes ends the call before any update") {
    constexpr auto w = xg::variable<"w", float, 32>;
    constexpr auto loss = xg::sum(xg::sum<1>(xg::square(xg::gather(table<float>, ids + 1_c) * w)) * 1_c);
    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.1});
    auto const t = test::numbers<float>({50, 32}, -1, 1, 1);
    train.initialize(xg::random_uniform{.seed = 3, .range = 0.5});
    auto good = ids_up_to(49, 1000);
    train(table<float> = t, ids = good);
    std::vector<float> const before(train.value(w).begin(), train.value(w).end());
    for (std::size_t at : {0, 400, 999}) {
        auto bad = good;
        bad[at] = 49;
        CHECK_THROWS_AS(train(table<float> = t, ids = bad), xg::value_error);
        CHECK(std::equal(before.begin(), before.end(), train.value(w).begin()));
    }
}
}
