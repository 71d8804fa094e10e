// SPDX-License-Identifier: MIT
// A product with a vector, the loop after it and the transposed product run together, part by part. Compared with the planner switched
// off.
#include <plan/planned.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim width{"width"};

template<class T>
struct leaves {
    static constexpr auto x = xg::input<"x", T, batch, 13>;
    static constexpr auto wide = xg::input<"wide", T, batch, width>;
    static constexpr auto y = xg::input<"y", T, batch>;
    static constexpr auto w = xg::input<"w", T, 13>;
    static constexpr auto v = xg::input<"v", T, width>;
    static constexpr auto b = xg::input<"b", T>;
    static constexpr auto rows = xg::input<"rows", T, 1003, 13>;
};
template<class M, class V>
constexpr auto times(M m, V v) {
    return xg::squeeze<1>(xg::matmul(m, xg::expand_dims<1>(v)));
}
/// A quadratic loss with its gradients.
template<class T>
struct quadratic : leaves<T> {
    using l = leaves<T>;
    static constexpr auto outputs() {
        auto const value = xg::mean(xg::squared_error(times(l::x, l::w) + l::b, l::y));
        return std::tuple_cat(std::tuple(value), xg::gradients(value, l::w, l::b));
    }
    static constexpr int streams = 1;
};
/// The number of columns is open; the slope and the predictions are results too; something is added to the gradient.
template<class T>
struct logistic : leaves<T> {
    using l = leaves<T>;
    static constexpr auto outputs() {
        auto const p = times(l::wide, l::v);
        auto const slope = xg::sigmoid(p) - l::y;
        auto const gradient = xg::matmul<true, false>(l::wide, xg::expand_dims<1>(slope));
        return std::tuple(p, xg::max(slope), slope, xg::squeeze<1>(gradient) + l::v * 0.5_c);
    }
    static constexpr int streams = 1;
};
/// The slope is a multiple of a number that needs all predictions: its sum is multiplied with it when all rows have passed.
template<class T>
struct root : leaves<T> {
    using l = leaves<T>;
    static constexpr auto outputs() {
        auto const value = xg::sqrt(xg::mean(xg::squared_error(times(l::wide, l::v) + l::b, l::y)));
        return std::tuple_cat(std::tuple(value), xg::gradients(value, l::v, l::b));
    }
    static constexpr int streams = 1;
};
/// The same with a matrix whose columns are contiguous, which another kernel reads.
template<class T>
struct turned_root : leaves<T> {
    using l = leaves<T>;
    static constexpr auto outputs() {
        auto const turned = xg::transpose(xg::slice<0, 2, 12>(xg::transpose(l::rows)));
        auto const value = xg::sqrt(xg::sum(xg::square(times(turned, xg::slice<0, 2, 12>(l::w)))));
        return std::tuple_cat(std::tuple(value), xg::gradients(value, l::w));
    }
    static constexpr int streams = 0;
};
/// The slope needs all predictions first.
template<class T>
struct whole : leaves<T> {
    using l = leaves<T>;
    static constexpr auto outputs() {
        auto const p = times(l::x, l::w);
        auto const share = xg::softmax(p);
        return std::tuple(xg::log_sum_exp(p), xg::matmul<true, false>(l::x, xg::expand_dims<1>(share)));
    }
    static constexpr int streams = 0;
};
/// All lengths are static; no part ends with the last elements but the last one.
template<class T>
struct fixed : leaves<T> {
    using l = leaves<T>;
    using leaves<T>::rows;
    static constexpr auto outputs() {
        auto const slope = times(rows, l::w) * 2_c - l::b;
        return std::tuple(xg::sum(xg::square(slope)), slope, xg::matmul<true, false>(rows, xg::expand_dims<1>(slope)));
    }
    static constexpr int streams = 1;
};
/// The same with enough columns to fill whole blocks of registers.
template<class T>
struct fixed_wide : leaves<T> {
    using l = leaves<T>;
    static constexpr auto broad = xg::input<"broad", T, 203, 300>;
    static constexpr auto u = xg::input<"u", T, 300>;
    static constexpr auto outputs() {
        auto const slope = times(broad, u) * 2_c - l::b;
        return std::tuple(xg::sum(xg::square(slope)), slope, xg::matmul<true, false>(broad, xg::expand_dims<1>(slope)));
    }
    static constexpr int streams = 1;
};
/// Every row is compared with the last one.
template<class T>
struct last_row : leaves<T> {
    using l = leaves<T>;
    static constexpr auto m = xg::input<"m", T, 40, 13>;
    static constexpr auto outputs() {
        auto const p = times(m, l::w);
        auto const slope = p - xg::slice<0, 39, 40>(p);
        return std::tuple(xg::sum(slope), xg::matmul<true, false>(m, xg::expand_dims<1>(slope)));
    }
    static constexpr int streams = 0;
};
/// Another matrix of the same shape.
template<class T>
struct other : leaves<T> {
    using l = leaves<T>;
    static constexpr auto outputs() {
        auto const slope = xg::tanh(times(l::x, l::w)) * l::y;
        return std::tuple(xg::sum(slope), xg::matmul<true, false>(xg::exp(l::x), xg::expand_dims<1>(slope)));
    }
    static constexpr int streams = 0;
};

template<class P>
constexpr int streams_of() {
    int n = 0;
    for (int s = 0; s < P::plan.step_count; ++s) n += P::plan.steps[s].back_at > 0;
    return n;
}

template<class P, class T>
auto call(auto& f, std::int64_t n, std::int64_t k) {
    using l = leaves<T>;
    auto const x = test::numbers<T>({n, 13}, -1, 1, 1), wide = test::numbers<T>({n, k}, -1, 1, 2), y = test::numbers<T>({n}, -1, 1, 3),
               w = test::numbers<T>({13}, -1, 1, 4), v = test::numbers<T>({k}, -1, 1, 5), m = test::numbers<T>({40, 13}, -1, 1, 6),
               rows = test::numbers<T>({1003, 13}, -1, 1, 7), broad = test::numbers<T>({203, 300}, -1, 1, 8),
               u = test::numbers<T>({300}, -1, 1, 9);
    return test::results<T>(
        f, std::tuple_cat(test::bound_if_read<P>(l::x, x), test::bound_if_read<P>(l::wide, wide), test::bound_if_read<P>(l::y, y),
               test::bound_if_read<P>(l::w, w), test::bound_if_read<P>(l::v, v), test::bound_if_read<P>(l::b, T(0.25)),
               test::bound_if_read<P>(last_row<T>::m, m), test::bound_if_read<P>(fixed<T>::rows, rows),
               test::bound_if_read<P>(fixed_wide<T>::broad, broad), test::bound_if_read<P>(fixed_wide<T>::u, u)));
}
template<class T, template<class> class Model>
void compare() {
    using O = test::outputs_of<Model<T>>;
    using P = test::planned<Model<T>>;
    using Q = test::plain<Model<T>>;
    static_assert(streams_of<P>() == Model<T>::streams);
    static_assert(streams_of<Q>() == 0);
    xg::function<O, P> on{O{}};
    xg::function<O, Q> off{O{}};
    for (std::int64_t n = 0; n < 1500; n += n < 50 ? 1 : 467)   // the longest ones take several parts
        for (std::int64_t k : {1, 7, 100, 0}) {
            CAPTURE(n);
            CAPTURE(k);
            test::check_close(call<P, T>(on, n, k), call<Q, T>(off, n, k), P::table.view().count);
        }
}

/// Updates of both parameters, of which one has a term that another step reads it for.
template<xg::gating Gate, bool Fuse>
auto train(std::int64_t n) {
    constexpr auto x = xg::input<"x", double, batch, 13>;
    constexpr auto y = xg::input<"y", double, batch>;
    constexpr auto w = xg::variable<"w", double, 13, 1>;
    constexpr auto b = xg::variable<"b", double>;
    constexpr auto error = xg::sqrt(xg::mean(xg::squared_error(xg::squeeze<1>(xg::matmul(x, w)) + b, y)));
    constexpr auto loss = error + xg::sum(xg::square(w)) * 0.01_c;
    auto trainer = xg::minimize<Gate, Fuse>(loss, xg::adam{.learning_rate = 0.1});
    static_assert(streams_of<typename decltype(trainer)::program_type>() == (Fuse ? 1 : 0));
    trainer.initialize(xg::random_uniform{.seed = 3, .range = 0.5});
    std::vector<std::vector<double>> r(1);
    for (int i = 0; i < 5; ++i)
        r[0].push_back(trainer(x = test::numbers<double>({n, 13}, -1, 1, 1), y = test::numbers<double>({n}, -1, 1, 2)));
    for (auto const& v : trainer.store().variables())
        r.emplace_back(static_cast<double const*>(v.data), static_cast<double const*>(v.data) + v.size);
    return r;
}
}

// Both element types where columns are of a static number and where they are not; what decides whether steps run together knows no types.
TEST_CASE_TEMPLATE("a quadratic loss", T, double, float) { compare<T, quadratic>(); }
TEST_CASE_TEMPLATE("a slope that is a result", T, double, float) { compare<T, logistic>(); }
TEST_CASE_TEMPLATE("a root around a quadratic loss", T, double, float) { compare<T, root>(); }
TEST_CASE("a root around a loss of columns") { compare<float, turned_root>(); }
TEST_CASE("sums that are beyond the range of floats until they are multiplied") {
    using l = leaves<float>;
    using P = test::planned<root<float>>;
    xg::function<test::outputs_of<root<float>>, P> f{test::outputs_of<root<float>>{}};
    xg::function<test::outputs_of<root<float>>, test::plain<root<float>>> apart{test::outputs_of<root<float>>{}};
    for (std::int64_t const n : {3, 70, 1000, 5000})
        for (std::int64_t const k : {5, 37, 300}) {
            CAPTURE(n);
            CAPTURE(k);
            // Slopes of -1e-15 and of -1e15; the gradient is -mean(x): of columns of tiny, of large, of usual numbers and of zeros.
            float const columns[]{3e-33f, 2e36f, 0.7f, 0.0f, 1e-20f};
            std::vector<float> x(static_cast<std::size_t>(n * k)), v(static_cast<std::size_t>(k));
            for (std::int64_t i = 0; i < n * k; ++i) x[static_cast<std::size_t>(i)] = columns[i % k % 5];
            for (float const distance : {1e-15f, 1e15f}) {
                std::vector<float> const y(static_cast<std::size_t>(n), distance);
                auto const check = [&](auto& g) {
                    auto const [value, gv, gb] = g(l::wide = xg::array(x.data(), n, k), l::v = v, l::b = 0.0f, l::y = y);
                    for (std::int64_t c = 0; c < k; ++c) CHECK(std::fabs(gv(c) + columns[c % 5]) <= 1e-4f * columns[c % 5]);
                    CHECK(gb == doctest::Approx(-1));
                };
                check(f);
                check(apart);
            }
            x[static_cast<std::size_t>(k + 2)] = std::numeric_limits<float>::infinity();
            std::vector<float> const y(static_cast<std::size_t>(n), 1.0f);
            auto const [value, gv, gb] = f(l::wide = xg::array(x.data(), n, k), l::v = v, l::b = 0.0f, l::y = y);
            CHECK(std::isnan(gv(2)));   // 0 · ∞ in the prediction of that row
        }
}
TEST_CASE("what needs all rows stays apart") { compare<double, whole>(); }
TEST_CASE("static lengths") {
    compare<float, fixed>();
    compare<float, fixed_wide>();
}
TEST_CASE("a row that all others need comes first") { compare<float, last_row>(); }
TEST_CASE("another matrix stays apart") { compare<float, other>(); }
TEST_CASE("gradients of long batches are as good as sums in double") {
    std::int64_t const n = 100003;
    std::vector<float> const x(static_cast<std::size_t>(n * 13), 1 / 3.0f), y(static_cast<std::size_t>(n), 1.0f), w(13, 0.0f);
    constexpr auto loss = xg::sum(xg::squared_error(times(leaves<float>::x, leaves<float>::w), leaves<float>::y));
    xg::function f{xg::outputs(loss, xg::gradient_of(loss, leaves<float>::w))};
    xg::function<test::outputs_of<logistic<float>>, test::planned<logistic<float>>> g{test::outputs_of<logistic<float>>{}};
    auto const close = [&](double got, double want) { return std::fabs(got / want - 1) < 1.5e-6; };
    auto const slopes = f(leaves<float>::x = xg::array(x.data(), n, 13), leaves<float>::w = w, leaves<float>::y = y);
    for (float const gradient : std::get<1>(slopes)) CHECK(close(gradient, -2 * static_cast<double>(n) * x[0]));
    for (std::int64_t k : {1, 8, 300}) {   // few columns and many have parts of other lengths
        std::vector<float> const wide(static_cast<std::size_t>(n * k), 0.7f), v(static_cast<std::size_t>(k), 0.0f);
        auto const all = g(leaves<float>::wide = xg::array(wide.data(), n, k), leaves<float>::v = v, leaves<float>::y = y);
        for (float const gradient : std::get<3>(all)) CHECK(close(gradient, -0.5 * static_cast<double>(n) * wide[0]));
    }
}
TEST_CASE("an update in the tiles of a product takes the whole sum of a long batch") {
    constexpr auto x = xg::input<"x", float, batch, 13>;
    constexpr auto z = xg::input<"z", float, batch, 5>;
    constexpr auto w = xg::variable<"w", float, 13, 5>;
    auto trainer = xg::minimize(xg::sum(xg::matmul(x, w) * z), xg::gradient_descent{.learning_rate = 1});
    trainer.assign(w, xg::array(std::vector<float>(65).data(), 13, 5));
    std::int64_t const n = 100003;
    std::vector<float> const xs(static_cast<std::size_t>(n * 13), 1 / 3.0f), zs(static_cast<std::size_t>(n * 5), 0.7f);
    trainer(x = xg::array(xs.data(), n, 13), z = xg::array(zs.data(), n, 5));
    for (float const value : trainer.value(w)) CHECK(std::fabs(value / (-static_cast<double>(n) * xs[0] * zs[0]) - 1) < 1.5e-6);
}
TEST_CASE("training") {
    for (std::int64_t n : {1, 5, 16, 33, 1000}) {
        CAPTURE(n);
        auto const off = train<xg::gating::none, false>(n);
        test::check_close(train<xg::gating::none, true>(n), off, 100);
        test::check_close(train<xg::gating::graph, true>(n), off, 100);
    }
}
