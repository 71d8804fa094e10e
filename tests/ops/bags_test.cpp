// SPDX-License-Identifier: MIT
// Embedding bags by mean, root and maximum, with weights and paddings: JAX's numbers, sparse gradients, ids out of range.
#include <ops/indexing_reference.hpp>
#include <support/tensor.hpp>

#include <xgrad/ops/index/bags.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using indexing::compare;
using indexing::given;
using xg::combiner;
inline constexpr xg::dim batch{"batch"};
}

TEST_CASE("bags of different lengths as in JAX, and their gradients") {
    constexpr auto t = xg::input<"t", double, 4, 3>;
    constexpr auto b = xg::input<"b", std::int32_t, 4, 3>;
    constexpr auto v = xg::input<"v", double, 4, 3>;
    constexpr auto w = xg::input<"w", double, 4, 3>;
    auto const call = [&](auto& f) {
        return f(t = given<double>("x", {4, 3}), b = given<std::int32_t>("bags", {4, 3}), w = given<double>("w", {4, 3}),
            v = given<double>("bag_weights", {4, 3}));
    };
    auto const plain = [&](std::string const& how, auto y) {
        xg::function f{xg::outputs(y, xg::gradient_of(xg::sum(w * y), t).dense, v)};
        auto const [values, of_t, same] = call(f);
        compare("bag_plain_" + how, values);
        compare("bag_plain_" + how + ".x", of_t);
    };
    plain("sum", xg::embedding_bag<combiner::sum, 0>(t, b));
    plain("mean", xg::embedding_bag<combiner::mean, 0>(t, b));
    plain("sqrtn", xg::embedding_bag<combiner::sqrtn, 0>(t, b));
    plain("max", xg::embedding_bag<combiner::max, 0>(t, b));
    auto const weighted = [&](std::string const& how, auto y) {
        xg::function f{xg::outputs(y, xg::gradient_of(xg::sum(w * y), t).dense, xg::gradient_of(xg::sum(w * y), v))};
        auto const [values, of_t, of_v] = call(f);
        compare("bag_weighted_" + how, values);
        compare("bag_weighted_" + how + ".x", of_t);
        compare("bag_weighted_" + how + ".v", of_v);
    };
    weighted("sum", xg::embedding_bag<combiner::sum, 0>(t, b, v));
    weighted("mean", xg::embedding_bag<combiner::mean, 0>(t, b, v));
    weighted("sqrtn", xg::embedding_bag<combiner::sqrtn, 0>(t, b, v));
}
TEST_CASE("the kernels: blocks and rests, rows that are not read, parts, ids out of range") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    auto table = test::numbers<float>({5, 19});
    for (std::int64_t c = 0; c < 19; ++c) table[4 * 19 + c] = nan;
    auto ids = test::list<std::int32_t>({0, 3, 4, 4, 4, 4, 2, 1, 2});
    auto const w = test::list<float>({2, -1, 0, 0, 0, 0, 0.5F, 1, 3});
    std::vector<float> sums(57, -7), largest(57, -7);
    xg::tensor_view<float const, 2> const of_table(table.data(), {5, 19}), of_w(w.data(), {3, 3});
    bool bad = false;
    auto const run = [&] {
        xg::tensor_view<std::int32_t const, 2> const of_ids(ids.data(), {3, 3});
        for (auto const& [first, last] : {std::pair{0, 2}, std::pair{2, 3}}) {
            xg::kernel_part const part{first, last, nullptr, &bad};
            xg::op::weighted_bag<false>::run(part, of_table, of_ids, of_w, xg::tensor_view<float, 2>(sums.data(), {3, 19}));
            xg::op::weighted_bag<true>::run(part, of_table, of_ids, of_w, xg::tensor_view<float, 2>(largest.data(), {3, 19}));
        }
    };
    run();
    CHECK(!bad);
    for (std::size_t c = 0; c < 19; ++c) {
        auto const at = [&](std::size_t row) { return table.data()[row * 19 + c]; };
        CHECK(sums[c] == doctest::Approx(2 * at(0) - at(3)));
        CHECK(largest[c] == std::max(at(0), at(3)));
        CHECK(sums[19 + c] == 0);
        CHECK(largest[19 + c] == 0);
        CHECK(sums[38 + c] == doctest::Approx(3.5F * at(2) + at(1)));
        CHECK(largest[38 + c] == std::max(at(2), at(1)));
    }
    for (int const id : {-1, 5, INT32_MAX, INT32_MIN}) {   // also with a weight of 0
        ids[4] = id;
        bad = false;
        run();
        CHECK(bad);
    }
    test::tensor<std::int64_t> const padded = test::list<std::int64_t>({-1, -1, 3, -1, 2, -1}), all({3}, -1);
    std::vector<std::int64_t> filled(6, 9);
    xg::op::without_padding::run({-1}, {0, 1, nullptr, nullptr}, xg::tensor_view<std::int64_t const, 1>(padded.data(), {6}),
        xg::tensor_view<std::int64_t, 1>(filled.data(), {6}));
    CHECK(filled == std::vector<std::int64_t>{3, 3, 3, 3, 2, 3});
    xg::op::without_padding::run({-1}, {0, 1, nullptr, nullptr}, xg::tensor_view<std::int64_t const, 1>(all.data(), {3}),
        xg::tensor_view<std::int64_t, 1>(filled.data(), {3}));
    CHECK(filled == std::vector<std::int64_t>{0, 0, 0, 3, 2, 3});
}
TEST_CASE("rows in registers: weights, maxima, ids out of range") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    auto table = test::numbers<float>({5, 16});
    for (std::int64_t c = 0; c < 16; ++c) table[4 * 16 + c] = nan;
    auto const ids = test::list<std::int32_t>({4, 3, 0, 4, 4, 4, 2, 1, 2});
    auto const w = test::list<float>({0, -1, 2, 0, 0, 0, 0.5F, 1, 3});
    test::tensor<float> sums({3, 16}, -7), largest({3, 16}, -7);
    bool bad = false;
    xg::kernel_part const part{0, 3, nullptr, &bad};
    xg::tensor_view<float const, 2> const of_table(table.data(), {5, 16}), of_w(w.data(), {3, 3});
    auto const run = [&](test::tensor<std::int32_t> const& which) {
        xg::tensor_view<std::int32_t const, 2> const of_ids(which.data(), {3, 3});
        xg::op::weighted_bag<false>::run(part, of_table, of_ids, of_w, xg::tensor_view<float, 2>(sums.data(), {3, 16}));
        xg::op::weighted_bag<true>::run(part, of_table, of_ids, of_w, xg::tensor_view<float, 2>(largest.data(), {3, 16}));
    };
    run(ids);
    CHECK(!bad);
    for (std::size_t c = 0; c < 16; ++c) {
        auto const at = [&](std::size_t row) { return table.data()[row * 16 + c]; };
        auto const of = [&](test::tensor<float> const& y, std::size_t bag) { return y.data()[bag * 16 + c]; };
        CHECK(of(sums, 0) == doctest::Approx(2 * at(0) - at(3)));
        CHECK(of(largest, 0) == std::max(at(0), at(3)));
        CHECK(of(sums, 2) == doctest::Approx(3.5F * at(2) + at(1)));
        CHECK(of(largest, 2) == std::max(at(2), at(1)));
        for (auto const* y : {&sums, &largest}) CHECK(of(*y, 1) == 0);
    }
    for (int const id : {-1, 5}) {
        bad = false;
        auto wrong = ids;
        wrong[7] = id;
        run(wrong);
        CHECK(bad);
    }
}
TEST_CASE("a number as the weight of each id") {
    constexpr auto t = xg::input<"t", float, 4, 2>;
    constexpr auto b = xg::input<"b", std::int32_t, 2, 2>;
    xg::function f{xg::outputs(xg::embedding_bag<combiner::sum>(t, b, 2_c), xg::embedding_bag<combiner::mean, 1>(t, b, 2_c))};
    auto const table = test::list<float>({1, 2, 3, 4, 5, 6, 7, 8});
    auto const [sums, means] = f(t = xg::array(table.data(), 4, 2), b = xg::array(test::list<std::int32_t>({0, 2, 1, 3}).data(), 2, 2));
    CHECK(sums[0] == 12);
    CHECK(sums[3] == 24);
    CHECK(means[0] == 3);
    CHECK(means[2] == 7);
}
TEST_CASE("bags of one length and of no ids, tables of 16 bits, of vectors and of three axes") {
    constexpr auto h = xg::input<"h", xg::bfloat16, 4, 2>;
    constexpr auto t = xg::input<"t", float, 4, 2, 3>;
    constexpr auto b = xg::input<"b", std::int64_t, 2, batch>;
    constexpr auto v = xg::input<"v", float, batch>;
    xg::function f{xg::outputs(xg::embedding_bag<combiner::mean>(h, b), xg::embedding_bag<combiner::sum>(h, b, v),
        xg::embedding_bag<combiner::sqrtn>(t, b), xg::embedding_bag<combiner::max, -1>(t, b),
        xg::embedding_bag<combiner::mean, -1>(xg::sum<1, 2>(t), b),
        xg::gradient_of(xg::sum(xg::embedding_bag<combiner::sum>(h, b, v)), h).dense)};
    test::tensor<xg::bfloat16> half({4, 2});
    for (int k = 0; k < 8; ++k) half[k] = xg::bfloat16(static_cast<float>(k));
    auto const a = test::numbers<float>({4, 2, 3});
    auto const ids = test::list<std::int64_t>({0, 3, 1, 1});
    auto const [mean, sum, root, largest, of_vector, of_h] =
        f(h = half, t = a, b = xg::array(ids.data(), 2, 2), v = test::list<float>({2, -1}));
    CHECK(mean(0, 0) == 3);
    CHECK(mean(1, 1) == 3);
    CHECK(sum(0, 1) == 2 - 7);
    CHECK(of_h(0, 0) == 2);
    CHECK(of_h(3, 1) == -1);
    CHECK(of_h(1, 0) == 1);
    for (int k = 0; k < 6; ++k) {
        CHECK(root[k] == doctest::Approx((a[k] + a[18 + k]) / std::sqrt(2.0)));
        CHECK(largest[k] == std::max(a[k], a[18 + k]));
        CHECK(largest[6 + k] == a[6 + k]);
    }
    float vector = 0;
    for (int k = 0; k < 6; ++k) vector += (a[k] + a[18 + k]) / 2;
    CHECK(of_vector[0] == doctest::Approx(vector));
    auto const none = f(h = half, t = a, b = test::tensor<std::int64_t>({2, 0}), v = test::tensor<float>({0}));
    for (float const e : std::get<0>(none)) CHECK(e == 0);
    for (float const e : std::get<2>(none)) CHECK(e == 0);
    for (float const e : std::get<3>(none)) CHECK(e == 0);
    auto const padded = test::list<std::int64_t>({-1, 3, -1, -1});
    xg::function g{xg::outputs(xg::embedding_bag<combiner::mean, -1>(t, b), v)};
    auto const means = std::get<0>(g(t = a, b = xg::array(padded.data(), 2, 2), v = test::list<float>({0, 0})));
    for (int k = 0; k < 12; ++k) CHECK(means[k] == (k < 6 ? a[18 + k] : 0));
    for (std::int64_t const bad : {-2, 4}) {
        auto const wrong = test::list<std::int64_t>({-1, 3, bad, -1});
        CHECK_THROWS_AS(g(t = a, b = xg::array(wrong.data(), 2, 2), v = test::list<float>({0, 0})), xg::value_error);
    }
}
TEST_CASE("a lazy rule moves the rows of ids, and none for a padding") {
    constexpr auto w = xg::variable<"w", float, 6, 2>;
    constexpr auto b = xg::input<"b", std::int32_t, batch, 3>;
    constexpr auto y = xg::embedding_bag<combiner::mean, 0>(w, b);
    auto const g = xg::gradient_of(xg::sum(y), w);
    static_assert(xg::value_of<decltype(g.values)>.dims.rank == 2);
    auto train = xg::minimize(xg::sum(xg::square(y - 1_c)), xg::momentum{.learning_rate = 0.25, .momentum = 0.5});
    auto const first = test::list<std::int32_t>({0, 5, 5, 0, 0, 0}), second = test::list<std::int32_t>({0, 2, 0, 3, 0, 0});
    train(b = xg::array(first.data(), 2, 3));
    auto const once = train.value(w);
    CHECK(once(5, 0) == 0.5F);
    train(b = xg::array(second.data(), 2, 3));
    CHECK(train.value(w)(5, 0) == 0.5F);   // its momentum waits, as no id names it
    CHECK(train.value(w)(0, 0) == 0);
    CHECK(train.value(w)(2, 1) == 0.5F);
    CHECK(train.value(w)(3, 1) == 0.5F);
}
TEST_CASE("gradients of bags, and gradients of them") {
    constexpr auto t = xg::input<"t", double, 5, 2>;
    constexpr auto v = xg::input<"v", double, 3, 4>;
    constexpr auto b = xg::input<"b", std::int32_t, 3, 4>;
    constexpr auto all = [](auto y) { return xg::sum(xg::sin(y) * y); };
    constexpr auto loss = all(xg::embedding_bag<combiner::sqrtn, 0>(t, b, v)) + all(xg::embedding_bag<combiner::mean>(t, b, v)) +
                          all(xg::embedding_bag<combiner::max, 0>(t, b));
    constexpr auto twice = xg::sum(xg::square(xg::gradient_of(loss, t).dense)) + xg::sum(xg::square(xg::gradient_of(loss, v)));
    auto const ids = test::list<std::int32_t>({1, 0, 2, 2, 0, 0, 0, 0, 4, 3, 1, 0});
    auto const r = xg::check_gradients(loss + twice, xg::wrt(t, v), t = test::numbers<double>({5, 2}, -2, 2),
        v = test::numbers<double>({3, 4}, 0.5, 2, 2), b = xg::array(ids.data(), 3, 4));
    CHECK_MESSAGE(r.ok, r.message);
}
