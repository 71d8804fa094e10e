// SPDX-License-Identifier: MIT
// take, take_along_axis and gather_nd: the kernel against loops over positions, JAX's numbers, ids out of range, gradients.
#include <support/reference.hpp>
#include <support/tensor.hpp>

#include <xgrad/ops/take.hpp>
#include <xgrad/ops/top_k.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};

template<class I>
test::tensor<I> ids_below(std::vector<std::int64_t> shape, std::int64_t limit) {
    test::tensor<I> r(std::move(shape));
    for (std::int64_t i = 0; i < r.size(); ++i)
        r[i] = static_cast<I>(xg::mix_bits(static_cast<std::uint64_t>(i + limit)) % static_cast<std::uint64_t>(limit));
    return r;
}
template<class T>
xg::tensor_view<T const, 4> view(test::tensor<T> const& t) {
    return {t.data(), {t.shape()[0], t.shape()[1], t.shape()[2], t.shape()[3]}};
}
}

TEST_CASE_TEMPLATE("the kernel takes rows and elements, in parts too", T, float, bool, std::int64_t, xg::bfloat16) {
    for (auto const& [b, o, n, i, k] :
        {std::array<std::int64_t, 5>{2, 3, 4, 5, 6}, {1, 4, 3, 1, 7}, {3, 1, 2, 33, 1}, {2, 2, 1, 1, 1}, {2, 3, 4, 5, 0}, {0, 3, 4, 5, 2}})
        for (int form = 0; form < 4; ++form) {
            std::int64_t const p = form % 2 == 0 ? 1 : o, q = form / 2 == 0 ? 1 : i;
            test::tensor<T> x({b, o, n, i});
            for (std::int64_t e = 0; e < x.size(); ++e) x[e] = T(static_cast<float>(e * 7 % 11 > 4));
            auto const ids = ids_below<std::int32_t>({b, p, k, q}, n);
            test::tensor<T> whole({b, o, k, i}), parts({b, o, k, i});
            bool bad = false;
            std::int64_t const turns = b * o * k;
            xg::tensor_view<T, 4> const to(whole.data(), {b, o, k, i}), to_parts(parts.data(), {b, o, k, i});
            xg::op::take_along::run<T, std::int32_t>({0, turns, nullptr, &bad}, view(x), view(ids), to);
            for (std::int64_t first = 0; first < turns; first += 4)
                xg::op::take_along::run<T, std::int32_t>({first, std::min(turns, first + 4), nullptr, &bad}, view(x), view(ids), to_parts);
            CHECK(!bad);
            std::int64_t wrong = 0;
            for (std::int64_t e = 0; e < whole.size(); ++e) {
                std::int64_t const c = e % i, j = e / i % k, outer = e / i / k;
                std::int64_t const id = ids[((p == 1 ? outer / o : outer) * k + j) * q + (q == 1 ? 0 : c)];
                wrong += !(whole[e] == x[(outer * n + id) * i + c]) + !(parts[e] == whole[e]);
            }
            CHECK(wrong == 0);
        }
}
TEST_CASE("the kernel reports an id out of range, and reads nothing there") {
    test::tensor<float> const x({1, 2, 3, 4});
    test::tensor<float> y({1, 2, 5, 4});
    for (std::int64_t const q : {1, 4})
        for (std::int64_t const id : {std::int64_t{-1}, std::int64_t{3}, INT64_MIN, INT64_MAX}) {
            test::tensor<std::int64_t> ids({1, 1, 5, q});
            ids[ids.size() - 1] = id;
            bool bad = false;
            xg::op::take_along::run<float, std::int64_t>(
                {0, 10, nullptr, &bad}, view(x), view(ids), xg::tensor_view<float, 4>(y.data(), {1, 2, 5, 4}));
            CHECK(bad);
        }
}

TEST_CASE("take along axes, of batches, of elements, at coordinates") {
    constexpr auto x = xg::input<"x", float, batch, 3, 4>;
    constexpr auto i = xg::input<"i", std::int32_t, 2, 2>;
    constexpr auto j = xg::input<"j", std::int64_t, batch, 5>;
    constexpr auto e = xg::input<"e", std::int32_t, batch, 2, 1>;
    constexpr auto c = xg::input<"c", std::int32_t, 6, 2>;
    constexpr auto c3 = xg::input<"c3", std::int64_t, 2, 3>;
    xg::function f{xg::outputs(xg::take<1>(x, i), xg::take<-1>(x, i), xg::take<2, 1>(x, j), xg::take_along_axis<1>(x, e),
        xg::gather_nd(x, c), xg::gather_nd(x, c3), xg::take<0>(x, i), xg::take_along_axis<-1>(xg::greater(x, 0_c), xg::argsort(x)))};
    auto const a = test::numbers<float>({3, 3, 4});
    auto const rows = test::list<std::int32_t>({2, 0, 1, 2});
    auto const of_batch = ids_below<std::int64_t>({3, 5}, 4);
    auto const single = ids_below<std::int32_t>({3, 2, 1}, 3);
    auto const pairs = ids_below<std::int32_t>({6, 2}, 3);
    auto const triples = test::list<std::int64_t>({2, 1, 3, 0, 2, 0});
    auto const call = [&](auto const& r, auto const& p, auto const& t) {
        return f(x = a, i = xg::array(r.data(), 2, 2), j = of_batch, e = single, c = p, c3 = xg::array(t.data(), 2, 3));
    };
    auto const [middle, last, batches, along, at, numbers, first, signs] = call(rows, pairs, triples);
    REQUIRE(middle.shape() == std::array<std::int64_t, 4>{3, 2, 2, 4});
    REQUIRE(last.shape() == std::array<std::int64_t, 4>{3, 3, 2, 2});
    REQUIRE(batches.shape() == std::array<std::int64_t, 3>{3, 3, 5});
    REQUIRE(along.shape() == std::array<std::int64_t, 3>{3, 2, 4});
    REQUIRE(at.shape() == std::array<std::int64_t, 2>{6, 4});
    for (std::int64_t b = 0; b < 3; ++b)
        for (std::int64_t k = 0; k < 4; ++k) {
            for (std::int64_t d = 0; d < 4; ++d) CHECK(middle[(b * 4 + k) * 4 + d] == a[b * 12 + rows[k] * 4 + d]);
            for (std::int64_t d = 0; d < 3; ++d) CHECK(last[(b * 3 + d) * 4 + k] == a[b * 12 + d * 4 + rows[k]]);
            for (std::int64_t d = 0; d < 2; ++d) CHECK(along(b, d, k) == a[b * 12 + single[b * 2 + d] * 4 + k]);
        }
    for (std::int64_t q = 0; q < 45; ++q) CHECK(batches[q] == a[q / 5 * 4 + of_batch[q / 15 * 5 + q % 5]]);
    for (std::int64_t q = 0; q < 24; ++q) CHECK(at[q] == a[pairs[q / 4 * 2] * 12 + pairs[q / 4 * 2 + 1] * 4 + q % 4]);
    CHECK(numbers[0] == a[31]);
    CHECK(numbers[1] == a[8]);
    for (std::int64_t q = 0; q < 48; ++q) CHECK(first[q] == a[rows[q / 12] * 12 + q % 12]);
    for (std::int64_t q = 0; q < 35; ++q) CHECK((q % 4 == 3 || signs[q] <= signs[q + 1]));   // in the order of the elements
    // A coordinate beyond its axis may still name a row of the array.
    for (auto const& [of, bad] : {std::pair{0, -1}, std::pair{1, 3}, std::pair{0, 3}, std::pair{1, -1}}) {
        auto wrong = pairs;
        wrong[4 + of] = bad;
        CHECK_THROWS_AS(call(rows, wrong, triples), xg::value_error);
        auto worse = rows;
        worse[3] = bad;
        CHECK_THROWS_AS(call(worse, pairs, triples), xg::value_error);
    }
    auto far = triples;
    far[1] = INT64_MAX;
    CHECK_THROWS_AS(call(rows, pairs, far), xg::value_error);
    // No element, but ids.
    CHECK_THROWS_AS(f(x = test::tensor<float>({0, 3, 4}), i = xg::array(rows.data(), 2, 2), j = test::tensor<std::int64_t>({0, 5}),
                        e = test::tensor<std::int32_t>({0, 2, 1}), c = pairs, c3 = xg::array(triples.data(), 2, 3)),
        xg::value_error);
}
TEST_CASE_TEMPLATE("take_along_axis as in JAX, and its gradient", T, float, double) {
    auto reference = test::read_reference("indexing.txt");
    constexpr auto x = xg::input<"x", T, 4, 3>;
    constexpr auto i = xg::input<"i", std::int32_t, 4, 5>;
    constexpr auto w = xg::input<"w", T, 4, 5>;
    constexpr auto y = xg::take_along_axis<1>(x, i);
    xg::function f{xg::outputs(y, xg::gradient_of(xg::sum(w * y), x))};
    auto const given = [&]<class N>(N, std::string const& name, std::vector<std::int64_t> shape) {
        test::tensor<N> r(std::move(shape));
        for (std::int64_t k = 0; k < r.size(); ++k) r[k] = static_cast<N>(reference.at(name)[static_cast<std::size_t>(k)]);
        return r;
    };
    auto const [values, of_x] =
        f(x = given(T(), "x", {4, 3}), i = given(std::int32_t(), "along", {4, 5}), w = given(T(), "along_w", {4, 5}));
    for (std::int64_t k = 0; k < 20; ++k) CHECK(values[k] == static_cast<T>(reference.at("take_along")[static_cast<std::size_t>(k)]));
    for (std::int64_t k = 0; k < 12; ++k)
        CHECK(of_x[k] == doctest::Approx(reference.at("take_along.x")[static_cast<std::size_t>(k)]).epsilon(1e-6));
}
TEST_CASE("gradients of taken elements, and gradients of them") {
    constexpr auto x = xg::input<"x", double, 2, 3, 4>;
    constexpr auto i = xg::input<"i", std::int32_t, 5>;
    constexpr auto j = xg::input<"j", std::int32_t, 2, 3>;
    constexpr auto e = xg::input<"e", std::int64_t, 1, 3, 4>;
    constexpr auto c = xg::input<"c", std::int32_t, 3, 2>;
    constexpr auto all = [](auto y) { return xg::sum(xg::sin(y) * y); };
    constexpr auto loss = all(xg::take<1>(x, i)) + all(xg::take<2, 1>(x, j)) + all(xg::take_along_axis<1>(x, e)) +
                          all(xg::take_along_axis<2>(x, e)) + all(xg::gather_nd(x, c));
    constexpr auto twice = xg::sum(xg::square(xg::gradient_of(loss, x)));
    auto const a = test::numbers<double>({2, 3, 4}, -2, 2);
    auto const rows = test::list<std::int32_t>({2, 0, 2, 2, 1});
    auto const of_batch = ids_below<std::int32_t>({2, 3}, 4), pairs = ids_below<std::int32_t>({3, 2}, 2);
    auto const along = ids_below<std::int64_t>({1, 3, 4}, 3);
    auto const r = xg::check_gradients(loss + twice, xg::wrt(x), x = a, i = rows, j = of_batch, e = along, c = pairs);
    CHECK_MESSAGE(r.ok, r.message);
}
TEST_CASE("elements of 16 bits keep their type, and gradients pass") {
    constexpr auto x = xg::input<"x", xg::bfloat16, 3, 4>;
    constexpr auto i = xg::input<"i", std::int32_t, 2>;
    static_assert(xg::value_of<decltype(xg::take<1>(x, i))>.type == xg::dtype::bfloat16);
    xg::function f{xg::outputs(xg::take<1>(x, i), xg::gradient_of(xg::sum(xg::square(xg::cast<float>(xg::take<1>(x, i)))), x))};
    test::tensor<xg::bfloat16> a({3, 4});
    for (std::int64_t k = 0; k < 12; ++k) a[k] = xg::bfloat16(static_cast<float>(k));
    auto const [y, of_x] = f(x = a, i = test::list<std::int32_t>({3, 3}));
    for (std::int64_t k = 0; k < 6; ++k) CHECK(y[k] == a[k / 2 * 4 + 3]);
    for (std::int64_t k = 0; k < 12; ++k) CHECK(static_cast<float>(of_x[k]) == (k % 4 == 3 ? 4.0F * static_cast<float>(k) : 0.0F));
}
TEST_CASE("gradients of the first axis are rows of a table") {
    constexpr auto w = xg::variable<"w", float, 5, 2>;
    constexpr auto i = xg::input<"i", std::int32_t, 3>;
    constexpr auto c = xg::input<"c", std::int32_t, 3, 1>;
    auto const g = xg::gradient_of(xg::sum(xg::square(xg::take<0>(w, i))), w);
    auto const h = xg::gradient_of(xg::sum(xg::square(xg::gather_nd(w, c))), w);
    static_assert(xg::value_of<decltype(g.values)>.dims == xg::make_shape<3, 2>());
    static_assert(xg::value_of<decltype(h.values)>.dims == xg::make_shape<3, 2>());
}
