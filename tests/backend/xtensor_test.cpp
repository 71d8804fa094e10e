// SPDX-License-Identifier: MIT
// Arrays in and out: xtensor's containers, views and adaptors, and what else can be bound.
#include <xgrad/xgrad.hpp>
#include <xgrad/xtensor.hpp>

#include <doctest/doctest.h>

#if __has_include(<xtensor/containers/xarray.hpp>)
#    include <xtensor/containers/xarray.hpp>
#    include <xtensor/containers/xfixed.hpp>
#    include <xtensor/generators/xbuilder.hpp>
#    include <xtensor/misc/xmanipulation.hpp>
#    include <xtensor/views/xstrided_view.hpp>
#    include <xtensor/views/xview.hpp>
#else
#    include <xtensor/xarray.hpp>
#    include <xtensor/xbuilder.hpp>
#    include <xtensor/xfixed.hpp>
#    include <xtensor/xmanipulation.hpp>
#    include <xtensor/xstrided_view.hpp>
#    include <xtensor/xview.hpp>
#endif

#include <span>
#include <vector>

namespace xg = xgrad;

namespace {

inline constexpr xg::dim rows{"rows"};
constexpr auto x = xg::input<"x", float, rows, 3>;
constexpr auto v = xg::input<"v", float, rows>;
constexpr auto w = xg::variable<"w", float, 3, 2>;
constexpr auto weighted = x * xg::input<"by", float, 3>;
constexpr auto by = xg::input<"by", float, 3>;

struct fixture {
    std::vector<float> const factor{1, 10, 100};
    xg::function<xg::expression_list<decltype(weighted)>> f{weighted};
    /// The result for an array, element by element; it was {1 20 300; 4 50 600; ...} if the array was 1 2 3 4 ...
    template<class A>
    std::vector<float> run(A const& a) {
        auto const r = f(x = a, by = factor);
        return {r.begin(), r.end()};
    }
};
std::vector<float> const expected{1, 20, 300, 4, 50, 600};

}

TEST_CASE_FIXTURE(fixture, "containers") {
    xt::xarray<float> const a{{1, 2, 3}, {4, 5, 6}};
    CHECK(run(a) == expected);
    CHECK(run(xt::xtensor<float, 2>(a)) == expected);
    xt::xtensor_fixed<float, xt::xshape<2, 3>> const fixed{{1, 2, 3}, {4, 5, 6}};
    CHECK(run(fixed) == expected);
    CHECK(run(xt::xarray<float>(a + 0.0f)) == expected);
    CHECK(run(xt::xarray<float>::from_shape({0, 3})).empty());
}

TEST_CASE_FIXTURE(fixture, "adaptors and pointers") {
    std::vector<float> memory{1, 2, 3, 4, 5, 6};
    CHECK(run(xt::adapt(memory, std::array<std::size_t, 2>{2, 3})) == expected);
    CHECK(run(xt::adapt(memory, std::vector<std::size_t>{2, 3})) == expected);
    CHECK(run(xg::array(memory.data(), 2, 3)) == expected);
    float const* const constant = memory.data();
    CHECK(run(xg::array(constant, 2, 3)) == expected);
}

TEST_CASE_FIXTURE(fixture, "views") {
    xt::xtensor<float, 2> const a{{0, 0, 0}, {1, 2, 3}, {4, 5, 6}, {0, 0, 0}};
    CHECK(run(xt::view(a, xt::range(1, 3), xt::all())) == expected);
    CHECK(run(xt::strided_view(a, {xt::range(1, 3), xt::all()})) == expected);
    xt::xtensor<float, 3> const deep{{{0, 0, 0}, {0, 0, 0}}, {{1, 2, 3}, {4, 5, 6}}};
    CHECK(run(xt::view(deep, 1, xt::all(), xt::all())) == expected);
}

TEST_CASE_FIXTURE(fixture, "strides are refused") {
    xt::xtensor<float, 2> const wide{{1, 2, 3, 0}, {4, 5, 6, 0}};
    CHECK_THROWS_AS(run(xt::view(wide, xt::all(), xt::range(0, 3))), xg::binding_error);
    xt::xtensor<float, 2> const tall{{1, 2, 3}, {0, 0, 0}, {4, 5, 6}};
    CHECK_THROWS_AS(run(xt::strided_view(tall, {xt::range(0, 3, 2), xt::all()})), xg::binding_error);
    xt::xtensor<float, 2, xt::layout_type::column_major> const columns{{1, 2, 3}, {4, 5, 6}};
    CHECK_THROWS_AS(run(columns), xg::binding_error);
    xt::xtensor<float, 2> const turned{{1, 4}, {2, 5}, {3, 6}};
    CHECK_THROWS_AS(run(xt::transpose(turned)), xg::binding_error);
    CHECK(run(xt::xtensor<float, 2>(xt::transpose(turned))) == expected);
    // a single row has no stride that could matter
    CHECK(run(xt::view(wide, xt::range(0, 1), xt::range(0, 3))) == std::vector<float>{1, 20, 300});
}

TEST_CASE_FIXTURE(fixture, "wrong rank and extents") {
    CHECK_THROWS_AS(run(xt::xarray<float>{1, 2, 3}), xg::shape_error);
    CHECK_THROWS_AS(run(xt::xarray<float>{{1, 2}, {3, 4}}), xg::shape_error);
    CHECK_THROWS_AS(run(std::vector<float>{1, 2, 3}), xg::shape_error);
    CHECK_THROWS_WITH_AS(
        run(xt::xarray<float>{{{1, 2, 3}}}), doctest::Contains("\"x\" has rank 2, the array bound to it has rank 3"), xg::shape_error);
}

TEST_CASE("ranges of rank 1 and numbers") {
    xg::function total{xg::sum(v * xg::input<"k", float>)};
    constexpr auto k = xg::input<"k", float>;
    std::vector<float> const list{1, 2, 3, 4};
    CHECK(total(v = list, k = 2.0f) == 20.0f);
    CHECK(total(v = std::span(list), k = 2.0f) == 20.0f);
    CHECK(total(v = std::span(list).subspan(1), k = 2.0f) == 18.0f);
    CHECK(total(v = std::array<float, 2>{1, 2}, k = 2.0f) == 6.0f);
    CHECK(total(v = xt::xtensor<float, 1>{1, 2}, k = 2.0f) == 6.0f);
    xt::xtensor<float, 2> const m{{1, 2}, {3, 4}};
    CHECK(total(v = xt::row(m, 1), k = 2.0f) == 14.0f);
    CHECK_THROWS_AS(total(v = xt::col(m, 1), k = 2.0f), xg::binding_error);
}

TEST_CASE("results and variables as xtensor") {
    xg::variables owner{w};
    xt::xtensor<float, 2> const weights{{1, 2}, {3, 4}, {5, 6}};
    owner.assign(w, weights);
    CHECK(xg::to_xtensor(owner.value(w)) == weights);
    xg::adapt(owner.value(w)) *= 2.0f;
    CHECK(owner.value(w)(2, 1) == 12.0f);
    CHECK_THROWS_AS(owner.assign(w, xt::xtensor<float, 2>(xt::transpose(weights))), xg::shape_error);
    CHECK_THROWS_AS(owner.assign(w, xt::transpose(xt::xtensor<float, 2>{{1, 3, 5}, {2, 4, 6}})), xg::binding_error);

    xg::function f{xg::matmul(x, w), owner};
    xt::xtensor<float, 2> const in{{1, 0, 0}, {0, 0, 1}};
    auto const view = f(x = in);
    auto const adapted = xg::adapt(view);
    CHECK(adapted.shape()[0] == 2);
    CHECK(adapted(1, 0) == 10.0f);
    auto const kept = xg::to_xtensor(view);
    f(x = xt::xtensor<float, 2>{{0, 0, 0}});
    CHECK(kept == xt::xtensor<float, 2>{{2, 4}, {10, 12}});
}
