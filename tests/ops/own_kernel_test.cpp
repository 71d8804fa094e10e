// SPDX-License-Identifier: MIT
// Operations with their own kernels: pooling, prefix sums with scratch memory, a lookup that reports indices.
#include <support/tensor.hpp>
#include <xgrad/inspect/describe.hpp>
#include <xgrad/train/check_gradients.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};

// ---- max pooling of [n, height, width, channels] by windows of size x size without overlap
struct window {
    std::int64_t size;
};
struct max_pool_gradient_op : xg::kernel_op {   // x, y, gradient of y -> gradient of x
    static constexpr std::string_view name = "max_pool_gradient";
    using attributes = window;
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) { return v[0]; }
    template<class T>
    static void run(window const& w, xg::kernel_part const& part, xg::tensor_view<T const, 4> x, xg::tensor_view<T const, 4> y,
        xg::tensor_view<T const, 4> g, xg::tensor_view<T, 4> out) {
        for (std::int64_t n = part.first; n < part.last; ++n) {
            for (std::int64_t i = 0; i < x.shape(1); ++i)
                for (std::int64_t j = 0; j < x.shape(2); ++j)
                    for (std::int64_t c = 0; c < x.shape(3); ++c) out(n, i, j, c) = T(0);
            for (std::int64_t i = 0; i < y.shape(1); ++i)
                for (std::int64_t j = 0; j < y.shape(2); ++j)
                    for (std::int64_t c = 0; c < y.shape(3); ++c) {
                        bool taken = false;   // the first of equal ones
                        for (std::int64_t p = 0; p < w.size * w.size && !taken; ++p) {
                            std::int64_t const k = i * w.size + p / w.size, l = j * w.size + p % w.size;
                            taken = x(n, k, l, c) == y(n, i, j, c);
                            if (taken) out(n, k, l, c) = g(n, i, j, c);
                        }
                    }
        }
    }
};
struct max_pool_op : xg::kernel_op {
    static constexpr std::string_view name = "max_pool";
    using attributes = window;
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const& a, int) {
        std::int64_t const size = a.as<window>().size;
        xg::value_info r = v[0];
        if (r.dims.rank != 4) return {r.type, {}, xg::fault::rank};
        if (!xg::is_floating(r.type)) return {r.type, {}, xg::fault::not_floating};
        for (int axis : {1, 2}) {
            xg::extent& e = r.dims.extents[axis];
            if (!e.is_static() || e.constant % size != 0) return {r.type, {}, xg::fault::shapes};
            e = xg::static_extent(e.constant / size);
        }
        return r;
    }
    template<class T>
    static void run(window const& w, xg::kernel_part const& part, xg::tensor_view<T const, 4> x, xg::tensor_view<T, 4> y) {
        for (std::int64_t n = part.first; n < part.last; ++n)
            for (std::int64_t i = 0; i < y.shape(1); ++i)
                for (std::int64_t j = 0; j < y.shape(2); ++j)
                    for (std::int64_t c = 0; c < y.shape(3); ++c) {
                        T most = x(n, i * w.size, j * w.size, c);
                        for (std::int64_t p = 1; p < w.size * w.size; ++p)
                            most = std::max(most, x(n, i * w.size + p / w.size, j * w.size + p % w.size, c));
                        y(n, i, j, c) = most;
                    }
    }
    static constexpr void derive(xg::derivation& d) {
        d.out[0] = xg::apply_with<max_pool_gradient_op>(*d.attrs, d.operands[0], d.result, d.gradient);
    }
};
template<std::int64_t Size>
inline constexpr xg::kernel_function<xg::with<max_pool_op, window{Size}>> max_pool{};

template<class T>
constexpr auto image = xg::input<"image", T, batch, 6, 4, 3>;
template<class T>
constexpr auto filter = xg::variable<"filter", T, 6, 4, 3>;
template<class T>
constexpr auto pooled_loss = xg::sum(xg::square(max_pool<2>(xg::tanh(image<T> * filter<T>))));

template<class T>
std::vector<T> numbers(std::size_t n) {
    std::vector<T> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<T>(std::sin(0.7 * static_cast<double>(i * i % 97)));
    return x;
}

TEST_CASE("max pooling by a kernel of one's own") {
    constexpr auto y = max_pool<2>(image<float> + 0_c);
    xg::function f{y};
    for (std::size_t n : {1u, 3u, 0u}) {
        auto const x = numbers<float>(n * 72);
        auto const r = f(image<float> = xg::array(x.data(), n, 6, 4, 3));
        REQUIRE(r.shape() == std::array<std::int64_t, 4>{static_cast<std::int64_t>(n), 3, 2, 3});
        for (std::size_t i = 0; i < n * 18; ++i) {
            std::size_t const c = i % 3, col = i / 3 % 2, row = i / 6 % 3, at = i / 18 * 72 + row * 24 + col * 6 + c;
            CHECK(r[static_cast<std::int64_t>(i)] == std::max({x[at], x[at + 3], x[at + 12], x[at + 15]}));
        }
    }
    CHECK(xg::describe(f).find("kernel  [batch]  max_pool(image) → result") != std::string::npos);
}
TEST_CASE_TEMPLATE("the gradient of a kernel of one's own", T, float, double) {
    auto train = xg::minimize(pooled_loss<T>, xg::gradient_descent{.learning_rate = 0.0});
    auto const x = numbers<T>(2 * 72);
    auto const w = numbers<T>(72 + 5);
    train.assign(filter<T>, xg::array(w.data() + 5, 6, 4, 3));
    auto const report =
        xg::check_gradients(pooled_loss<T>, xg::wrt(filter<T>, image<T>), train, image<T> = xg::array(x.data(), 2, 6, 4, 3));
    CHECK_MESSAGE(report, report.message);
}

// ---- reductions in a derivative
struct outer_op : xg::kernel_op {   // a [n], b [], c [m]: a cᵀ + b
    static constexpr std::string_view name = "outer";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        return {v[0].type, {2, {v[0].dims.extents[0], v[2].dims.extents[0]}}, xg::fault::none};
    }
    template<class T>
    static void run(xg::kernel_part const& part, xg::tensor_view<T const, 1> a, xg::tensor_view<T const, 0> b,
        xg::tensor_view<T const, 1> c, xg::tensor_view<T, 2> y) {
        for (std::int64_t i = part.first; i < part.last; ++i)
            for (std::int64_t j = 0; j < c.size(); ++j) y(i, j) = a[i] * c[j] + b[0];
    }
    static constexpr void derive(xg::derivation& d) {
        d.out[0] = xg::sum<-1>(d.gradient * d.operands[2]);
        d.out[1] = xg::sum(d.gradient);
        d.out[2] = xg::squeeze<0>(xg::sum<0>(d.gradient * xg::expand_dims<-1>(d.operands[0]), xg::keep_dims));
    }
};
inline constexpr xg::kernel_function<outer_op> outer{};

TEST_CASE("a derivative is written with the reductions of expressions") {
    constexpr auto a = xg::input<"a", double, batch>;
    constexpr auto b = xg::input<"b", double>;
    constexpr auto c = xg::input<"c", double, 3>;
    constexpr auto y = outer(a, b, c);
    constexpr auto loss = xg::sum(xg::square(y) * y);
    constexpr auto second = xg::sum(xg::square(xg::gradient_of(loss, a)));
    auto const va = numbers<double>(5), vc = numbers<double>(3);
    for (auto const& report : {xg::check_gradients(loss, xg::wrt(a, b, c), a = va, b = 0.3, c = vc),
             xg::check_gradients(second, xg::wrt(a, b, c), a = va, b = 0.3, c = vc)})
        CHECK_MESSAGE(report, report.message);
}

// ---- several outputs, scratch memory, turns that are not the first extent
struct ranks_op : xg::kernel_op {   // x [rows, n]: sorted columns, and how many elements of the column are smaller
    static constexpr std::string_view name = "ranks";
    static constexpr int outputs = 2;
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int output) {
        xg::value_info r = v[0];
        if (r.dims.rank != 2) r.wrong = xg::fault::rank;
        if (output == 1) r.type = xg::dtype::int32;
        return r;
    }
    static constexpr xg::extent turns(xg::kernel_operands const& v) { return v.dims(0).extents[1]; }
    static constexpr xg::extent scratch_bytes(xg::kernel_operands const& v) { return v.dims(0).extents[0] * xg::static_extent(8); }
    template<class T>
    static void run(xg::kernel_part const& part, xg::tensor_view<T const, 2> x, xg::tensor_view<T, 2> sorted,
        xg::tensor_view<std::int32_t, 2> smaller) {
        T* const column = reinterpret_cast<T*>(part.scratch);
        for (std::int64_t c = part.first; c < part.last; ++c) {
            for (std::int64_t i = 0; i < x.shape(0); ++i) column[i] = x(i, c);
            std::sort(column, column + x.shape(0));
            for (std::int64_t i = 0; i < x.shape(0); ++i) {
                sorted(i, c) = column[i];
                smaller(i, c) = static_cast<std::int32_t>(std::lower_bound(column, column + x.shape(0), x(i, c)) - column);
            }
        }
    }
};
inline constexpr xg::kernel_function<ranks_op> ranks{};

TEST_CASE("outputs that nobody reads, scratch memory") {
    constexpr auto x = xg::input<"x", double, batch, 5>;
    constexpr auto both = ranks(x);
    xg::function all{xg::outputs(std::get<0>(both), std::get<1>(both))};
    xg::function last{std::get<1>(both) + 0_c};
    for (std::size_t n : {1u, 7u, 40u, 3u}) {
        auto const v = numbers<double>(n * 5);
        auto const [sorted, smaller] = all(x = xg::array(v.data(), n, 5));
        auto const alone = last(x = xg::array(v.data(), n, 5));
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(n); ++i)
            for (std::int64_t c = 0; c < 5; ++c) {
                if (i > 0) CHECK(sorted(i - 1, c) <= sorted(i, c));
                std::int32_t less = 0;
                for (std::size_t k = 0; k < n; ++k) less += v[k * 5 + static_cast<std::size_t>(c)] < v[static_cast<std::size_t>(i * 5 + c)];
                CHECK(smaller(i, c) == less);
                CHECK(alone(i, c) == less);
            }
    }
    CHECK(xg::describe(last).find("kernel  [5]  ranks(x) → _, result\n") != std::string::npos);   // scratch memory is no output
}

// ---- indices that the kernel looks at itself
struct pick_op : xg::kernel_op {   // table [rows], ids [n]
    static constexpr std::string_view name = "pick";
    static constexpr bool reports_indices = true;
    static constexpr xg::index_bound indices{.operand = 1, .of = 0, .axis = 0};
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        return {v[0].type, v[1].dims, xg::fault::none};
    }
    static constexpr xg::extent turns(xg::kernel_operands const& v) { return v.dims(1).extents[0]; }
    static void run(xg::kernel_part const& part, xg::tensor_view<float const, 1> table, xg::tensor_view<std::int32_t const, 1> ids,
        xg::tensor_view<float, 1> out) {
        for (std::int64_t i = part.first; i < part.last; ++i) {
            if (ids[i] < 0 || ids[i] >= table.size()) return part.report_bad_index(ids[i], table.size());
            out[i] = table[ids[i]];
        }
    }
};
inline constexpr xg::kernel_function<pick_op> pick{};

TEST_CASE("a kernel that finds an index out of range ends the call before any update") {
    constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
    constexpr auto table = xg::input<"table", float, 4>;
    constexpr auto w = xg::variable<"w", float>;
    constexpr auto loss = xg::sum(xg::square(w - pick(table, ids + 1_c)));
    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.1});
    std::vector<float> const t{1, 2, 3, 4};
    std::vector<std::int32_t> good{0, 2, 1}, bad{0, 3, 1};
    CHECK(train(table = t, ids = good) == doctest::Approx(4 + 16 + 9));
    float const before = *train.value(w).data();
    CHECK_THROWS_WITH_AS(
        train(table = t, ids = bad), "xgrad: pick: the index 4 is out of range [0, 4); nothing has been updated", xg::value_error);
    CHECK(*train.value(w).data() == before);
    CHECK(train.global_step() == 1);
}
TEST_CASE("a kernel runs its turns in parts, with the same bits") {
    auto const x = numbers<float>(8 * 72);
    std::vector<float> whole(8 * 18), parts(8 * 18, -7);
    xg::tensor_view<float const, 4> const in(x.data(), {8, 6, 4, 3});
    max_pool_op::run<float>({2}, {0, 8, nullptr, nullptr}, in, xg::tensor_view<float, 4>(whole.data(), {8, 3, 2, 3}));
    for (auto const& [first, last] : {std::pair{5, 8}, std::pair{0, 1}, std::pair{1, 5}})
        max_pool_op::run<float>({2}, {first, last, nullptr, nullptr}, in, xg::tensor_view<float, 4>(parts.data(), {8, 3, 2, 3}));
    CHECK(test::same_bits(whole, parts));
}
}

// Extents without a struct of attributes.
struct filled_op : xg::kernel_op {
    static constexpr std::string_view name = "filled";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const& a, int) {
        return {v[0].type, a.target(), xg::fault::none};
    }
    template<class T>
    static void run(xg::kernel_part const&, xg::tensor_view<T const, 1> x, xg::tensor_view<T, 2> y) {
        for (std::int64_t i = 0; i < y.size(); ++i) y.data()[i] = x.data()[i % x.size()];
    }
    static constexpr xg::extent turns(xg::kernel_operands const&) { return xg::static_extent(1); }
    static constexpr void derive(xg::derivation&) {}
};
constexpr auto row = xg::input<"row", float, batch>;
template<auto... D>
constexpr auto filled = xg::kernel_function<xg::with<filled_op, D...>>{}(row);

TEST_CASE("extents of an operation without attributes") {
    constexpr xg::extent rows = xg::value_of<decltype(row)>.dims.extents[0], three = xg::static_extent(3);
    static_assert(xg::value_of<decltype(filled<rows, three>)>.dims == xg::value_of<decltype(filled<batch, 3>)>.dims);
    static_assert(xg::value_of<decltype(filled<rows * three, three>)>.dims == xg::value_of<decltype(filled<batch * 3, 3>)>.dims);
    xg::function f{xg::outputs(filled<rows, three>, filled<batch, 3>)};
    auto const [a, b] = f(row = numbers<float>(2));
    REQUIRE(a.shape() == std::array<std::int64_t, 2>{2, 3});
    for (std::int64_t i = 0; i < 6; ++i) CHECK(a[i] == b[i]);
}
