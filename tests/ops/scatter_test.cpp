// SPDX-License-Identifier: MIT
// scatter: the kernel against loops, JAX's numbers with ties, zeros and duplicated ids.
#include <ops/indexing_reference.hpp>
#include <support/tensor.hpp>

#include <xgrad/ops/index/scatter.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using indexing::compare;
using indexing::given;
using xg::combine;
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
template<combine How, class T>
T joined(T y, T u) {
    if (How == combine::update || std::isnan(static_cast<double>(u))) return u;
    if (How == combine::add) return static_cast<T>(y + u);
    if (How == combine::mul) return static_cast<T>(y * u);
    if (std::isnan(static_cast<double>(y))) return y;
    return How == combine::max ? std::max(y, u) : std::min(y, u);
}
template<combine How, class T>
void check_kernel(std::int64_t b, std::int64_t o, std::int64_t n, std::int64_t i, std::int64_t k, bool each_row, bool each_element) {
    std::int64_t const p = each_row ? o : 1, q = each_element ? i : 1;
    auto const x = test::numbers<T>({b, o, n, i}, -9, 9), u = test::numbers<T>({b, o, k, i}, -9, 9, 2);
    auto const ids = ids_below<std::int64_t>({b, p, k, q}, n);
    test::tensor<T> whole({b, o, n, i}), alone({b, o, n, i}), expected = x, from_neutral({b, o, n, i}, xg::op::neutral<How, T>());
    xg::tensor_view<T, 4> const to(whole.data(), {b, o, n, i}), to_alone(alone.data(), {b, o, n, i});
    bool bad = false;
    for (auto const& [first, last] : {std::pair{std::int64_t{0}, b * o / 2}, std::pair{b * o / 2, b * o}}) {
        xg::op::put_along<How, true>::template run<T, std::int64_t>({first, last, nullptr, &bad}, view(x), view(ids), view(u), to);
        xg::op::put_along<How, false>::template run<T, std::int64_t>({first, last, nullptr, &bad}, view(ids), view(u), to_alone);
    }
    CHECK(!bad);
    for (std::int64_t e = 0; e < u.size(); ++e) {
        std::int64_t const c = e % i, j = e / i % k, outer = e / i / k;
        std::int64_t const at = (outer * n + ids[((p == 1 ? outer / o : outer) * k + j) * q + (q == 1 ? 0 : c)]) * i + c;
        expected[at] = joined<How>(expected[at], u[e]);
        from_neutral[at] = joined<How>(from_neutral[at], u[e]);
    }
    std::int64_t wrong = 0;
    for (std::int64_t e = 0; e < x.size(); ++e) wrong += !(whole[e] == expected[e]) + !(alone[e] == from_neutral[e]);
    CHECK(wrong == 0);
}
}

TEST_CASE_TEMPLATE("the kernel joins rows and elements", T, float, std::int32_t) {
    for (auto const& [b, o, n, i, k] :
        {std::array<std::int64_t, 5>{2, 3, 4, 35, 6}, {1, 4, 3, 1, 7}, {3, 1, 2, 16, 3}, {1, 1, 1, 1, 9}, {2, 3, 4, 5, 0}, {0, 3, 4, 5, 2}})
        for (int form = 0; form < 4; ++form) {
            check_kernel<combine::update, T>(b, o, n, i, k, form % 2 == 1, form / 2 == 1);
            check_kernel<combine::add, T>(b, o, n, i, k, form % 2 == 1, form / 2 == 1);
            check_kernel<combine::mul, T>(b, o, n, i, k, form % 2 == 1, form / 2 == 1);
            check_kernel<combine::max, T>(b, o, n, i, k, form % 2 == 1, form / 2 == 1);
            check_kernel<combine::min, T>(b, o, n, i, k, form % 2 == 1, form / 2 == 1);
        }
}
TEST_CASE("ids out of range write nothing; NaN stays; integers wrap around") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    test::tensor<float> const x({1, 1, 3, 2}), u({1, 1, 2, 2});
    test::tensor<float> y({1, 1, 3, 2});
    for (std::int64_t const q : {1, 2})
        for (std::int32_t const id : {-1, 3, INT32_MIN, INT32_MAX}) {
            test::tensor<std::int32_t> ids({1, 1, 2, q});
            ids[ids.size() - 1] = id;
            bool bad = false;
            xg::op::put_along<combine::add, true>::run<float, std::int32_t>(
                {0, 1, nullptr, &bad}, view(x), view(ids), view(u), xg::tensor_view<float, 4>(y.data(), {1, 1, 3, 2}));
            CHECK(bad);
        }
    CHECK(std::isnan(xg::op::combined<combine::max>(nan, 1.0F)));
    CHECK(std::isnan(xg::op::combined<combine::max>(1.0F, nan)));
    CHECK(std::isnan(xg::op::combined<combine::min>(nan, 1.0F)));
    CHECK(std::isnan(xg::op::combined<combine::min>(1.0F, nan)));
    CHECK(xg::op::combined<combine::add>(INT32_MAX, 1) == INT32_MIN);
    CHECK(xg::op::combined<combine::mul>(INT32_MAX, 2) == -2);
}

TEST_CASE_TEMPLATE("rows as in JAX: values and gradients with zeros, ties and duplicated ids", T, float, double) {
    constexpr auto x = xg::input<"x", T, 4, 3>;
    constexpr auto u = xg::input<"u", T, 7, 3>;
    constexpr auto i = xg::input<"i", std::int32_t, 7>;
    constexpr auto w = xg::input<"w", T, 4, 3>;
    auto const all = [&](auto y) { return xg::outputs(y, xg::gradient_of(xg::sum(w * y), x), xg::gradient_of(xg::sum(w * y), u)); };
    auto const check = [&](std::string const& name, auto outputs) {
        xg::function f{outputs};
        auto const [y, of_x, of_u] =
            f(x = given<T>("x", {4, 3}), u = given<T>("u", {7, 3}), i = given<std::int32_t>("ids", {7}), w = given<T>("w", {4, 3}));
        compare(name, y);
        compare(name + ".x", of_x);
        compare(name + ".u", of_u);
    };
    check("update", all(xg::scatter_update(x, i, u)));
    check("add", all(xg::scatter_add(x, i, u)));
    check("mul", all(xg::scatter_mul(x, i, u)));
    check("max", all(xg::scatter_max(x, i, u)));
    check("min", all(xg::scatter_min(x, i, u)));
}
