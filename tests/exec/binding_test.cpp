// SPDX-License-Identifier: MIT
// Bindings that are stored, what may be bound, and assignment of views: nothing dangles, nothing is read with a stride that it has not.
#include <xgrad/xgrad.hpp>
#include <xgrad/xtensor.hpp>

#include <doctest/doctest.h>

#if __has_include(<xtensor/containers/xarray.hpp>)
#    include <xtensor/containers/xarray.hpp>
#    include <xtensor/views/xview.hpp>
#else
#    include <xtensor/xarray.hpp>
#    include <xtensor/xview.hpp>
#endif

#include <array>
#include <span>
#include <vector>

namespace {
namespace xg = xgrad;
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch>;
constexpr auto m = xg::input<"m", float, batch, 3>;
constexpr auto rate = xg::input<"rate", float>;

std::vector<float> numbers() { return {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}; }   // longer than what fits into a container itself
float const memory[6] = {1, 2, 3, 4, 5, 6};

auto stored_view() { return x = xg::array(memory, 6); }
auto stored_name_of_view() {
    auto const view = xg::array(memory, 6);
    return x = view;
}
auto stored_span() {
    std::span<float const> s(memory);
    return x = s;
}
auto stored_vector() { return x = numbers(); }
auto stored_local_vector() {
    auto v = numbers();
    return x = std::move(v);
}
auto stored_array() { return x = std::array<float, 3>{1, 2, 3}; }
auto stored_xtensor() { return m = xt::xtensor<float, 2>(xt::xtensor<float, 2>{{1, 2, 3}, {4, 5, 6}} + 1.0f); }
auto stored_adaptor() { return m = xt::adapt(&memory[0], 6, xt::no_ownership(), std::array<std::size_t, 2>{2, 3}); }
auto stored_number() {
    float const number = 7;
    return rate = number;
}
auto stored_view_of(xt::xtensor<float, 2> const& a) { return m = xt::view(a, xt::range(1, 3), xt::all()); }
auto stored_result() {
    return x = xg::function{x + x}(x = numbers());   // the result owns its memory
}

// What overwrites the stack where a temporary would have been.
[[gnu::noinline]] float overwrite() {
    float volatile values[512];
    for (auto& v : values) v = -1000;
    return values[17];
}

/// The interface of Eigen::Map, Matrix and Block, as far as binding looks at it.
template<bool Vector, int Inner>
struct eigen_like {
    enum { IsVectorAtCompileTime = Vector, InnerStrideAtCompileTime = Inner };
    float const* p;
    long n;
    float const* data() const { return p; }
    long size() const { return n; }
};
/// A matrix of Eigen that is stored row by row, with a stride that it knows.
struct rows_like_eigen : eigen_like<false, 1> {
    enum { IsRowMajor = 1 };
    long height, stride;
    rows_like_eigen(float const* at, long rows, long outer) : eigen_like{at, rows * 3}, height(rows), stride(outer) {}
    long rows() const { return height; }
    long cols() const { return 3; }
    long outerStride() const { return stride; }
};
/// std::mdspan of two axes.
struct like_mdspan {
    using element_type = float const;
    using reference = float const&;
    struct mapping_type {
        int strides[2], first = 0;
        static bool is_strided() { return true; }
        int operator()(int i, int j) const { return first + i * strides[0] + j * strides[1]; }
    };
    struct accessor_type {
        int step = 1;
        float const& access(float const* at, std::size_t i) const { return at[i * static_cast<std::size_t>(step)]; }
    };
    float const* p;
    int extents[2];
    mapping_type how;
    accessor_type accessed = {};
    static constexpr std::size_t rank() { return 2; }
    float const* data_handle() const { return p; }
    int extent(std::size_t axis) const { return extents[axis]; }
    mapping_type const& mapping() const { return how; }
    accessor_type accessor() const { return accessed; }
};
/// An mdspan whose elements are not those in memory.
struct scaled_mdspan : like_mdspan {
    using reference = float;
};
template<class A>
constexpr bool is_array = !std::is_void_v<typename xg::detail::element_of<A>::type>;
struct data_and_size {
    float* data() const;
    std::size_t size() const;
};
struct shape_alone {
    float* data() const;
    std::array<std::size_t, 2> shape() const;
};
struct column_major : data_and_size {
    std::array<std::size_t, 2> shape() const;
};
}

TEST_CASE("stored bindings hold views and arrays without a name by value") {
    xg::function sum{xg::sum(x)};
    auto const a = stored_view();
    auto const b = stored_name_of_view();
    auto const c = stored_span();
    auto const d = stored_vector();
    auto const e = stored_local_vector();
    auto const f = stored_array();
    auto const g = stored_result();
    CHECK(overwrite() == -1000);
    CHECK(sum(a) == 21);
    CHECK(sum(b) == 21);
    CHECK(sum(c) == 21);
    CHECK(sum(d) == 78);
    CHECK(sum(d) == 78);   // more than once
    CHECK(sum(e) == 78);
    CHECK(sum(f) == 6);
    CHECK(sum(g) == 156);
    auto const copy = d;
    CHECK(sum(copy) == 78);

    xt::xtensor<float, 2> const rows{{0, 0, 0}, {1, 2, 3}, {4, 5, 6}};
    xg::function scaled{xg::sum(m) * rate};
    auto const h = stored_xtensor();
    auto const i = stored_adaptor();
    auto const k = stored_view_of(rows);
    auto const r = stored_number();
    CHECK(overwrite() == -1000);
    CHECK(scaled(h, r) == 27 * 7);
    CHECK(scaled(i, r) == 21 * 7);
    CHECK(scaled(k, r) == 21 * 7);
}

TEST_CASE("a container with a name is referred to: the call sees what it holds then") {
    xg::function sum{xg::sum(x)};
    std::vector<float> v{1, 2, 3};
    auto const b = (x = v);
    v.assign(1000, 2.0f);
    CHECK(sum(b) == 2000);
    CHECK(sum(x = v) == 2000);
    CHECK(v.size() == 1000);
    std::array<float, 3> a{1, 2, 3};
    auto const c = (x = a);
    a[0] = 10;
    CHECK(sum(c) == 15);
    xt::xarray<float> t{1, 2, 3};
    auto const d = (x = t);
    t(0) = 10;
    CHECK(sum(d) == 15);
}

TEST_CASE("arrays of the language have their extents") {
    float const row[4]{1, 2, 3, 4};
    float table[2][3]{{1, 2, 3}, {4, 5, 6}};
    CHECK(xg::function{xg::sum(x)}(x = row) == 10);
    auto const last = xg::function{xg::slice<1, 2, 3>(m)}(m = table);
    REQUIRE(last.shape() == std::array<std::int64_t, 2>{2, 1});
    CHECK(last[0] == 3);
    CHECK(last[1] == 6);
    CHECK_THROWS_AS((void)xg::function{xg::sum(x)}(x = table), xg::shape_error);
}

TEST_CASE("what does not state that it is contiguous is no array") {
    static_assert(is_array<eigen_like<true, 1>>);     // VectorXf, a column of a matrix
    static_assert(!is_array<eigen_like<true, 2>>);    // Map<VectorXf, 0, InnerStride<2>>
    static_assert(!is_array<eigen_like<true, -1>>);   // a row of a matrix
    static_assert(!is_array<eigen_like<false, 1>>);   // MatrixXf
    static_assert(!is_array<data_and_size>);
    static_assert(!is_array<shape_alone>);
    static_assert(!is_array<column_major>);
    static_assert(is_array<std::vector<float>> && is_array<std::array<float, 3>> && is_array<std::span<float const>> && is_array<float[3]>);
    static_assert(is_array<xg::tensor_view<float const, 2>> && is_array<xg::tensor<float, 2>> && is_array<xt::xarray<float>>);
    static_assert(!is_array<std::initializer_list<float>> && !is_array<std::vector<bool>> && !is_array<float*>);
    std::vector<float> const v{1, 2, 3, 4};
    CHECK(xg::function{xg::sum(x)}(x = eigen_like<true, 1>{v.data(), 4}) == 10);
    static_assert(is_array<rows_like_eigen> && is_array<like_mdspan> && !is_array<scaled_mdspan>);
}

TEST_CASE("matrices and mdspans tell their strides while running") {
    xg::function total{xg::sum(m)};
    CHECK(total(m = rows_like_eigen(memory, 2, 3)) == 21);
    CHECK(total(m = rows_like_eigen(memory, 1, 17)) == 6);   // one row has no gap
    CHECK(total(m = rows_like_eigen(memory, 0, 17)) == 0);
    CHECK_THROWS_AS(total(m = rows_like_eigen(memory, 2, 4)), xg::binding_error);
    CHECK(total(m = like_mdspan{memory, {2, 3}, {{3, 1}}}) == 21);
    CHECK(total(m = like_mdspan{memory, {1, 3}, {{9, 1}}}) == 6);
    CHECK_THROWS_AS(total(m = like_mdspan{memory, {2, 3}, {{1, 2}}}), xg::binding_error);
    CHECK_THROWS_AS(total(m = like_mdspan{memory, {3, 2}, {{2, 1}}}), xg::shape_error);
    CHECK(total(m = like_mdspan{memory, {1, 3}, {{3, 1}, 2}}) == 12);                            // the mapping begins elsewhere
    CHECK_THROWS_AS(total(m = like_mdspan{memory, {1, 3}, {{3, 1}}, {2}}), xg::binding_error);   // the accessor omits elements
    CHECK_THROWS_AS(total(m = like_mdspan{nullptr, {2, 3}, {{3, 1}}}), xg::binding_error);
    CHECK(total(m = like_mdspan{nullptr, {0, 3}, {{3, 1}}}) == 0);
}

TEST_CASE("assigning to a view of a variable copies elements") {
    constexpr auto w = xg::variable<"w", float, 2, 3>;
    constexpr auto b = xg::variable<"b", float>;
    xg::variables first{w * b}, second{w * b};
    first.assign(w, xg::array(memory, 2, 3));
    second.assign(w, xt::xtensor<float, 2>{{0, 0, 0}, {0, 0, 0}});
    first.assign(b, 5.0f);
    float const number = first.value(b);   // of rank 0 a view is its number
    CHECK(number == 5);
    second.assign(b, 0.0f);
    second.value(w) = first.value(w);
    second.value(b) = std::as_const(first).value(b);
    CHECK(second.value(w)(1, 2) == 6);
    CHECK(second.value(w)(0, 0) == 1);
    CHECK(*second.value(b).data() == 5);
    CHECK(second.value(w).data() != first.value(w).data());
    first.value(w)(0, 0) = 100;   // two variables still
    CHECK(second.value(w)(0, 0) == 1);
    second.value(w) = second.value(w);
    CHECK(second.value(w)(1, 2) == 6);
    second.value(w) = xg::function{w + w, second}();   // a result
    CHECK(second.value(w)(1, 2) == 12);
    CHECK_THROWS_AS(second.value(w) = xg::array(memory, 3, 2), xg::shape_error);
    CHECK(second.value(w)(1, 2) == 12);
    static_assert(!std::is_assignable_v<decltype(std::as_const(second).value(w)), decltype(first.value(w))>);
}

TEST_CASE("a name for results stands for other results") {
    xg::function twice{x + x};
    xg::function square{xg::square(x)};
    std::vector<float> const v{1, 2, 3};
    auto r = twice(x = v);
    CHECK(r[2] == 6);
    r = square(x = v);
    CHECK(r[2] == 9);
    CHECK(twice.result()[2] == 6);
}
TEST_CASE("numbers for an input of rank 0 become one of its type; integers of 64 bits have two types") {
    constexpr auto rate = xg::input<"rate", float>;
    constexpr auto wide = xg::input<"wide", double>;
    constexpr auto n = xg::input<"n", std::int64_t>;
    constexpr auto ids = xg::input<"ids", std::int64_t, 3>;
    constexpr auto table = xg::variable<"table", float, 5>;
    xg::variables owner{table};
    owner.assign(table, std::vector<float>{0, 1, 2, 3, 4});
    xg::function f{rate * xg::cast<float>(wide) + xg::cast<float>(n)};
    CHECK(f(rate = 0.5, wide = 2.0f, n = 3) == 4.0f);
    CHECK(f(rate = 2, wide = 1, n = short{1}) == 3.0f);
    xg::function rows{xg::gather(table, ids), owner};
    std::vector<long long> const longs{4, 0, 2};
    std::vector<std::int64_t> const same{4, 0, 2};
    auto const a = rows(ids = longs);
    std::vector<float> const first(a.begin(), a.end());
    auto const b = rows(ids = same);
    for (int i = 0; i < 3; ++i) CHECK(first[static_cast<std::size_t>(i)] == b(i));
}
