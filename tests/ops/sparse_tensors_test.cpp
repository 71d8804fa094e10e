// SPDX-License-Identifier: MIT
// Sparse tensors compared with TensorFlow: values and gradients, tests/reference/sparse_tensors.py. Second derivatives by finite
// differences, entries that occur twice, padding, indices outside.
#include <ops/from_tensorflow.hpp>

#include <xgrad/ops/sparse/row_offsets.hpp>
#include <xgrad/ops/sparse/sparse_elements.hpp>
#include <xgrad/ops/sparse/sparse_products.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using from_tensorflow::compare;

constexpr auto at = xg::input<"at", std::int64_t, 5, 2>;
constexpr auto at_b = xg::input<"at_b", std::int32_t, 4, 2>;
constexpr auto v = xg::input<"v", double, 5>;
constexpr auto w = xg::input<"w", double, 4>;
constexpr auto b = xg::input<"b", double, 6, 3>;
constexpr auto c = xg::input<"c", double, 4, 3>;
constexpr auto x = xg::input<"x", double, 4, 6>;
constexpr auto offsets = xg::input<"offsets", std::int32_t, 5>;
constexpr auto s = xg::sparse_tensor<4, 6>(at, v);
constexpr auto t = xg::sparse_tensor<4, 6>(at_b, w);

template<class T>
test::tensor<T> given(std::string const& name, std::vector<std::int64_t> shape) {
    return from_tensorflow::known<T>("sparse:" + name, std::move(shape));
}
/// Σ 0.1 y[0] + 0.2 y[1] + ...
template<class Y>
constexpr auto weighted(Y const& y) {
    constexpr xg::extent size = xg::value_of<Y>.dims.size();
    auto const weights = 0.1_c * (1_c + xg::cast<double>(xg::detail::positions_along<size>{}));
    return xg::sum(weights * xg::detail::reshaped_to<xg::shape{1, {size}}>(y));
}
template<class Y, class X>
constexpr auto slope(Y const& y, X const& operand) {
    return xg::gradient_of(weighted(y), operand);
}
/// The first elements of a result, as many as TensorFlow has; the others are 0.
void compare_first(std::string const& name, auto const& result) {
    auto const known = static_cast<std::int64_t>(from_tensorflow::line("sparse:" + name).size());
    compare("sparse:" + name, result.data(), known, 1e-12);
    for (std::int64_t k = known; k < result.size(); ++k) CHECK(result.data()[k] == 0);
}
void compare_all(std::vector<std::string> names, auto const& results) {
    for (std::string& name : names) name = "sparse:" + name;
    from_tensorflow::compare_all(names, results, 1e-12);
}
}

TEST_CASE("products, sums, softmax and element-wise functions of a sparse matrix") {
    constexpr auto product = xg::sparse_dense_matmul(s, b);
    constexpr auto adjoint = xg::sparse_dense_matmul<true>(s, c);
    constexpr auto softmax = xg::sparse_softmax(s).values;
    constexpr auto times = xg::sparse_dense_cwise_mul(s, x).values;
    constexpr auto over = xg::sparse_dense_cwise_div(s, x).values;
    xg::function f{xg::outputs(product, slope(product, v), slope(product, b), adjoint, slope(adjoint, v), slope(adjoint, c),
        xg::sparse_to_dense(s), slope(xg::sparse_to_dense(s), v), xg::sparse_to_dense(s, -1_c), softmax, slope(softmax, v),
        xg::sparse_reduce_sum<1>(s), slope(xg::sparse_reduce_sum<1>(s), v), xg::sparse_reduce_sum<-2>(s), xg::sparse_reduce_max<1>(s),
        xg::sparse_reduce_max<0>(s), xg::sparse_reduce_sum(s), xg::sparse_reduce_max(s), times, slope(times, v), slope(times, x), over,
        slope(over, v), slope(over, x), xg::sparse_dense_cwise_add(s, x).values, xg::sparse_to_dense(xg::sparse_transpose(s)))};
    auto places = given<std::int64_t>("at", {5, 2});
    auto const call = [&] {
        return f(at = places, v = given<double>("v", {5}), b = given<double>("b", {6, 3}), c = given<double>("c", {4, 3}),
            x = given<double>("x", {4, 6}));
    };
    compare_all({"product", "product.v", "product.b", "adjoint", "adjoint.v", "adjoint.b", "dense", "dense.v", "dense_other", "softmax",
                    "softmax.v", "sum_rows", "sum_rows.v", "sum_columns", "max_rows", "max_columns", "sum_all", "max_all", "times",
                    "times.v", "times.x", "over", "over.v", "over.x", "plus", "transposed"},
        call());
    std::pair<int, std::int64_t> const wrong[]{{1, 6}, {1, -1}, {8, 4}, {8, INT64_MIN}, {9, INT64_MAX}};
    for (auto const& [k, id] : wrong) {
        auto const right = std::exchange(places[k], id);
        CHECK_THROWS_AS(call(), xg::value_error);
        places[k] = right;
    }
}

TEST_CASE("sparse tensors of sparse tensors: added, sorted, joined, cut, filled") {
    constexpr auto add = xg::sparse_add(s, t);
    constexpr auto most = xg::sparse_maximum(s, t);
    constexpr auto least = xg::sparse_minimum(s, t);
    constexpr auto part = xg::sparse_slice<1, 1, 5>(s);
    constexpr auto filled = std::get<0>(xg::sparse_fill_empty_rows(s, 2.5_c));
    constexpr auto both = xg::sparse_reorder(xg::sparse_concat<1>(s, xg::sparse_tensor<4, 6>(xg::cast<std::int64_t>(at_b), w)));
    constexpr auto csr = xg::sparse_to_csr(add);
    xg::function f{xg::outputs(add.values, add.indices, slope(add.values, v), slope(add.values, w), most.values, least.values, part.values,
        part.indices, slope(part.values, v), filled.values, filled.indices, slope(filled.values, v), both.indices, add.count, part.count,
        filled.count, std::get<1>(xg::sparse_fill_empty_rows(s, 2.5_c)), std::get<0>(csr), std::get<2>(csr),
        xg::sparse_add(part, part).count, xg::sparse_add(part, part).values)};
    auto places = given<std::int64_t>("at", {5, 2});
    auto const call = [&] {
        return f(at = places, v = given<double>("v", {5}), at_b = given<std::int32_t>("at_b", {4, 2}), w = given<double>("w", {4}));
    };
    auto const r = call();
    int k = 0;
    std::string const names[]{"add", "add_at", "add.v", "add.w", "maximum", "minimum", "slice", "slice_at", "slice.v", "filled",
        "filled_at", "filled.v", "concat_at"};
    auto const next = [&](auto const& result) {
        if constexpr (requires { result.data(); })
            if (k < 13) compare_first(names[k++], result);
    };
    std::apply([&](auto const&... result) { (next(result), ...); }, r);
    CHECK((std::get<13>(r) == 7 && std::get<14>(r) == 3 && std::get<15>(r) == 6));
    int const rows[]{0, 2, 4, 5, 7};
    for (int i = 0; i < 5; ++i) CHECK(std::get<17>(r)[i] == rows[i]);
    for (int i = 0; i < 4; ++i) CHECK(std::get<16>(r)[i] == (i == 2));
    compare_first("add", std::get<18>(r));
    CHECK(std::get<19>(r) == 3);
    for (int i = 0; i < 10; ++i) CHECK(std::get<20>(r)[i] == (i < 3 ? 2 * std::get<6>(r)[i] : 0));
    for (std::int64_t const id : {std::int64_t{-1}, std::int64_t{6}, INT64_MAX}) {
        places[5] = id;
        CHECK_THROWS_AS(call(), xg::value_error);
    }
}

TEST_CASE("rows by offsets: ragged arrays, compressed sparse rows, what is not zero in an array") {
    constexpr auto ragged = xg::ragged_to_dense<3>(v, offsets, -2_c);
    constexpr auto columns = xg::squeeze<1>(xg::slice<1, 1, 2>(at));
    constexpr auto csr = xg::csr_matrix<6>(offsets, xg::cast<std::int32_t>(columns), v);
    constexpr auto dense = xg::sparse_from_dense<7>(xg::sparse_to_dense(s));
    xg::function f{xg::outputs(ragged, slope(ragged, v), xg::ragged_to_dense<1>(v, offsets, 0_c),
        xg::ragged_to_sparse<3>(v, offsets).indices, csr.indices, xg::sparse_to_dense(xg::ragged_to_sparse<2>(v, offsets)), dense.values,
        dense.count, xg::sparse_reduce_max<1>(dense), xg::sparse_to_dense(dense, -1_c), xg::sparse_softmax(dense).values,
        xg::sparse_reorder(xg::sparse_transpose(dense)).indices)};
    test::tensor<std::int32_t> rows = given<std::int32_t>("offsets", {5});
    auto const call = [&] { return f(at = given<std::int64_t>("at", {5, 2}), v = given<double>("v", {5}), offsets = rows); };
    auto const [r, rv, cut, of_ragged, of_csr, again, values, count, most, other, softmax, sorted] = call();
    compare_first("ragged", r);
    compare_first("ragged.v", rv);
    compare_first("ragged_cut", cut);
    compare_first("ragged_at", of_ragged);
    int const columns_of_csr[]{0, 1, 0, 4, 2, 0, 3, 2, 3, 5};
    for (int k = 0; k < 10; ++k) CHECK(of_csr.data()[k] == columns_of_csr[k]);
    CHECK(again(3, 1) == values[4]);
    CHECK(count == 5);
    compare_first("v", values);
    compare_first("max_rows", most);
    compare_first("dense_other", other);
    compare_first("softmax", softmax);
    int const by_columns[]{0, 1, 1, 0, 2, 3, 4, 0, 5, 3, 0, 0, 0, 0};
    for (int k = 0; k < 14; ++k) CHECK(sorted.data()[k] == by_columns[k]);
    for (auto const& wrong : {std::array{0, 2, 1, 3, 5}, std::array{1, 2, 2, 3, 5}, std::array{0, 2, 2, 3, 6}, std::array{0, 0, 3, 3, 5}}) {
        std::copy(wrong.begin(), wrong.end(), rows.data());
        CHECK_THROWS_AS(call(), xg::value_error);   // the last one has a row of three elements
    }
}

TEST_CASE("gradients of products and sums of sparse tensors, and gradients of them; an entry occurs twice") {
    constexpr auto y = xg::sparse_dense_matmul(s, b);
    constexpr auto loss = xg::sum(xg::sin(y) * y) + xg::sum(xg::square(xg::sparse_softmax(s).values)) +
                          xg::sum(xg::exp(xg::sparse_maximum(s, t).values)) + xg::sum(xg::square(xg::sparse_add(s, t).values)) +
                          xg::sum(xg::square(xg::sparse_to_dense(s)));
    constexpr auto twice = xg::sum(xg::square(xg::gradient_of(loss, v))) + xg::sum(xg::square(xg::gradient_of(loss, b)));
    auto const places = test::list<std::int64_t>({0, 1, 0, 4, 0, 1, 3, 2, 3, 5});
    auto const r = xg::check_gradients(loss + twice, xg::wrt(v, b, w), at = xg::array(places.data(), 5, 2), v = given<double>("v", {5}),
        b = given<double>("b", {6, 3}), at_b = given<std::int32_t>("at_b", {4, 2}), w = given<double>("w", {4}));
    CHECK_MESSAGE(r.ok, r.message);
}

TEST_CASE("the kernels of products: blocks and rests, parts of columns, indices outside") {
    std::int64_t const m = 3, k = 4, n = 37, entries = 6;
    auto const values = test::numbers<float>({entries});
    auto const wide = test::numbers<float>({k, n}), left = test::numbers<float>({m, n}, -1, 1, 3);
    auto rows = test::list<std::int32_t>({2, 0, 2, 2, 0, 0}), columns = test::list<std::int32_t>({3, 1, 0, 3, 2, 1});
    std::vector<float> y(static_cast<std::size_t>(m * n), -7), dots(static_cast<std::size_t>(entries), -7);
    bool bad = false;
    auto const run = [&] {
        xg::tensor_view<std::int32_t const, 1> const r(rows.data(), {entries}), c_(columns.data(), {entries});
        for (auto const& [first, last] : {std::pair{0, 5}, std::pair{5, 37}})
            xg::op::sparse_product::run({first, last, nullptr, &bad}, r, c_, xg::tensor_view<float const, 1>(values.data(), {entries}),
                xg::tensor_view<float const, 2>(wide.data(), {k, n}), xg::tensor_view<float, 2>(y.data(), {m, n}));
        for (auto const& [first, last] : {std::pair{0, 2}, std::pair{2, 6}})
            xg::op::products_at_entries::run({first, last, nullptr, &bad}, r, c_, xg::tensor_view<float const, 2>(left.data(), {m, n}),
                xg::tensor_view<float const, 2>(wide.data(), {k, n}), xg::tensor_view<float, 1>(dots.data(), {entries}));
    };
    run();
    CHECK(!bad);
    for (std::int64_t r = 0; r < m; ++r)
        for (std::int64_t j = 0; j < n; ++j) {
            double sum = 0;
            for (std::int64_t e = 0; e < entries; ++e)
                if (rows[e] == r) sum += static_cast<double>(values[e]) * wide[columns[e] * n + j];
            CHECK(y[static_cast<std::size_t>(r * n + j)] == doctest::Approx(sum).epsilon(1e-6));
        }
    for (std::int64_t e = 0; e < entries; ++e) {
        double sum = 0;
        for (std::int64_t j = 0; j < n; ++j) sum += static_cast<double>(left[rows[e] * n + j]) * wide[columns[e] * n + j];
        CHECK(dots[static_cast<std::size_t>(e)] == doctest::Approx(sum).epsilon(1e-5));
    }
    for (std::int32_t* const id : {rows.data() + 4, columns.data() + 1})
        for (int const outside : {-1, 4, INT32_MAX}) {
            int const right = std::exchange(*id, outside);
            bad = false;
            run();
            CHECK(bad);
            *id = right;
        }
}
