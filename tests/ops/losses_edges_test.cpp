// SPDX-License-Identifier: MIT
// Losses in float and double against formulas in long double; logits of ±1e4, kinks, zeros, infinities; second derivatives.
#include <ops/close.hpp>
#include <ops/op_values.hpp>

#include <xgrad/ops/losses/embeddings.hpp>
#include <xgrad/ops/losses/entropies.hpp>
#include <xgrad/ops/losses/errors.hpp>
#include <xgrad/ops/losses/focal.hpp>
#include <xgrad/ops/losses/likelihoods.hpp>
#include <xgrad/ops/losses/margins.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using op_values::real;
inline constexpr xg::dim batch{"batch"};

/// An operation of three operands with one number as the third.
template<class Op, int Percent>
struct third : Op {
    static auto value(auto a, auto b) {
        using V = decltype(a);
        return Op::value(a, b, V(static_cast<xg::math::scalar_of<V>>(Percent * 0.01)));
    }
};
template<class T>
constexpr real third_number(int percent) {
    return static_cast<real>(static_cast<T>(percent * 0.01));
}
real softplus(real x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }
}

TEST_CASE_TEMPLATE("bodies of losses, of numbers and of batches", T, float, double) {
    using op_values::check;
    auto x = test::numbers<T>({61}, -12, 12, 3), size = test::numbers<T>({61}, 0.01, 9, 4), p = test::numbers<T>({61}, 0.001, 0.999, 5),
         q = test::numbers<T>({61}, 0.001, 0.999, 6);
    x[0] = T(1e-3), x[1] = T(-1e4), x[2] = T(1e4), x[3] = T(2e-6);
    size[4] = T(0.75);
    p[1] = 0, q[1] = T(0.5), p[2] = 1, q[2] = T(0.25), p[5] = 0, q[5] = 0;
    check<xg::op::log_cosh>(
        [](T a) {
            real const s = std::sinh(static_cast<real>(a) / 2);
            return std::abs(a) < 1
                       ? std::log1p(2 * s * s)
                       : std::abs(static_cast<real>(a)) + std::log1p(std::exp(-2 * std::abs(static_cast<real>(a)))) - std::log(2.0L);
        },
        6, x);
    check<xg::op::huber>(
        [](T a, T d) {
            real const e = std::abs(static_cast<real>(a)), delta = d;
            return e <= delta ? e * e / 2 : delta * (e - delta / 2);
        },
        3, x, &size);
    check<xg::op::stirling>(
        [](T a) {
            real const z = a;
            return z > 1 ? z * std::log(z) - z + std::log(2 * std::numbers::pi_v<real> * z) / 2 : 0;
        },
        40, size);
    check<xg::op::relative_entropy>(
        [](T a, T b) { return a == 0 ? 0.0L : static_cast<real>(a) * std::log(static_cast<real>(a) / b); }, 3000, p, &q);
    check<xg::op::jensen_shannon>(
        [](T a, T b) {
            real const m = (static_cast<real>(a) + b) / 2;
            return ((a == 0 ? 0 : a * std::log(a / m)) + (b == 0 ? 0 : b * std::log(b / m))) / 2;
        },
        sizeof(T) == 4 ? 24 : 1e4, p, &q);   // the formula itself loses digits where both are near
    CHECK(xg::op::jensen_shannon::value(T(0.5), T(0.500001)) / std::pow(T(0.500001) - T(0.5), T(2)) == doctest::Approx(0.25).epsilon(1e-5));
    check<third<xg::op::two_sided_cross_entropy, 30>>(
        [](T a, T b) { return b * softplus(-static_cast<real>(a)) + third_number<T>(30) * softplus(a); }, 6, x, &size);
    check<third<xg::op::sigmoid_focal, 150>>(
        [](T a, T b) {
            real const s = 1 / (1 + std::exp(-static_cast<real>(a))), c = 1 / (1 + std::exp(static_cast<real>(a)));
            return std::pow(s * (1 - static_cast<real>(b)) + c * b, 1.5L) *
                   (b * softplus(-static_cast<real>(a)) + (1 - static_cast<real>(b)) * softplus(a));
        },
        16, x, &q);
    check<third<xg::op::binary_cross_entropy, 1>>(
        [](T a, T b) {
            real const e = third_number<T>(1),
                       r = std::min(std::max(static_cast<real>(a), e), static_cast<real>(T(1) - static_cast<T>(0.01)));
            return -b * std::log(r) - (1 - static_cast<real>(b)) * std::log1p(-r);
        },
        6, p, &q);
}

TEST_CASE("positions of semi-hard negatives: ties, no larger one, no other label, NaN") {
    auto const of = [](std::vector<float> const& distances, std::vector<float> const& same) {
        std::vector<std::int32_t> chosen(distances.size()), order(distances.size());
        xg::op::semi_hard_negative::row<float>(distances, same, chosen, order);
        return chosen;
    };
    float const nan = std::numeric_limits<float>::quiet_NaN();
    CHECK(of({0, 2, 5, 3, 3, 1}, {1, 1, 1, 0, 0, 0}) == std::vector<std::int32_t>{5, 3, 4, 4, 4, 3});
    CHECK(of({2, 0, 1}, {1, 1, 1}) == std::vector<std::int32_t>{1, 1, 1});
    CHECK(of({0, nan, 1}, {1, 0, 1})[2] == 1);
    CHECK(of({}, {}).empty());
}

TEST_CASE("logits of ±1e4, and kinks, in float: values and gradients") {
    constexpr auto x = xg::input<"x", float, batch, 4>;
    constexpr auto z = xg::input<"z", float, batch, 4>;
    constexpr auto focal = xg::sigmoid_focal(x, z, 0.5_c, 0.5_c);
    constexpr auto weighted = xg::weighted_cross_entropy_with_logits(x, z, 3_c);
    constexpr auto rows = xg::categorical_focal(x, z, 1_c, 0.5_c);
    constexpr auto kl = xg::kl_divergence_with_logits(x, z);
    constexpr auto mixture = xg::gaussian_mixture_nll(x, x, 1_c + z, xg::sum<1>(z));
    constexpr auto cosh = xg::log_cosh(x, z);
    constexpr auto huber = xg::huber(x, z, 2_c);
    constexpr auto hinge = xg::categorical_hinge(x, z);
    constexpr auto quantile = xg::quantile_loss(x, z, 0.9_c);
    constexpr auto nce = xg::info_nce(x, 0.5_c);
    constexpr auto total = [](auto... y) { return (xg::sum(y) + ...); };
    xg::function f{
        xg::outputs(focal, weighted, rows, kl, mixture, cosh, huber, hinge, quantile, nce, xg::gradient_of(total(focal, weighted), x),
            xg::gradient_of(total(rows, kl, mixture, nce, hinge), x), xg::gradient_of(total(cosh, huber, quantile), x))};
    std::vector<float> const in{1e4F, -1e4F, 0, 1e4F, 1, 1, 1, 1}, labels{0, 1, 0, 0, 0, 0, 1, 0};
    auto const r = f(x = xg::array(in, 2, 4), z = xg::array(labels, 2, 4));
    double const l = std::log(2.0), e1 = std::exp(1.0), wrong = e1 / (1 + e1), lost = std::log1p(e1), right = std::log1p(1 / e1);
    double const some = std::sqrt(wrong) * lost / 2;
    test::check_close(
        "focal", std::get<0>(r), {5e3, 5e3, std::sqrt(0.5) * l / 2, 5e3, some, some, std::sqrt(1 - wrong) * right / 2, some}, 1e-6);
    test::check_close("weighted", std::get<1>(r), {1e4, 3e4, l, 1e4, lost, lost, 3 * right, lost}, 1e-6);
    test::check_close("rows", std::get<2>(r), {2e4 + l, std::sqrt(0.75) * 2 * l}, 1e-6);
    test::check_close("kl", std::get<3>(r), {2e4 + l, 2 * l}, 1e-6);
    test::check_close("cosh", std::get<5>(r),
        {1e4 - l, 1e4 + 1 - l, 0, 1e4 - l, std::log(std::cosh(1)), std::log(std::cosh(1)), 0, std::log(std::cosh(1))}, 1e-6);
    test::check_close("huber", std::get<6>(r), {19998, 20000, 0, 19998, 0.5, 0.5, 0, 0.5}, 1e-6);
    test::check_close("hinge", std::get<7>(r), {20001, 1}, 1e-6);
    test::check_close("quantile", std::get<8>(r), {1e3, 9000.9, 0, 1e3, 0.1, 0.1, 0, 0.1}, 1e-6);
    test::check_close("nce", std::get<9>(r), {l, 2 * l}, 1e-5);
    auto const finite = [](auto const& y) { return std::all_of(y.begin(), y.end(), [](float e) { return std::isfinite(e); }); };
    CHECK((finite(std::get<4>(r)) && finite(std::get<10>(r)) && finite(std::get<11>(r))));
    CHECK(std::get<10>(r)[0] == doctest::Approx(1.5));
    CHECK(std::get<10>(r)[1] == doctest::Approx(-3.5));
    CHECK(std::get<12>(r)[0] == doctest::Approx(3.1));
    CHECK(std::get<12>(r)[2] == doctest::Approx(-0.9));   // at the kink of the quantile, the others are 0
}

TEST_CASE("zeros and infinities of probabilities, rates, distances, masks") {
    constexpr auto p = xg::input<"p", double, 2, 3>;
    constexpr auto q = xg::input<"q", double, 2, 3>;
    constexpr auto kl = xg::sum(xg::kl_divergence(q, p));
    constexpr auto js = xg::jensen_shannon(p, q);
    constexpr auto poisson = xg::poisson_loss(q, p);
    constexpr auto entropy = xg::binary_cross_entropy(p, q, 0_c);
    constexpr auto distances = xg::sum(xg::sqrt(xg::squared_distances(p, p)));
    constexpr auto triplets = xg::triplet_margin(p, p, p);
    constexpr auto cosines = xg::cosine_similarity(p * 0_c, q);
    constexpr auto normal = xg::gaussian_nll(p, q, 0_c * p);
    xg::function f{xg::outputs(xg::kl_divergence(q, p), js, poisson, entropy, triplets, cosines, xg::dice(p * 0_c, q * 0_c),
        xg::dice(p * 0_c, q * 0_c, 1_c), xg::tversky<0>(p, p, 0.5_c, 0.5_c, 1_c), xg::gradient_of(kl, p), xg::gradient_of(xg::sum(js), p),
        xg::gradient_of(poisson, q), xg::gradient_of(distances, p), xg::gradient_of(xg::sum(triplets), p),
        xg::gradient_of(xg::sum(cosines), q), normal)};
    std::vector<double> const first{0, 1, 0, 0.5, 0.25, 0.25}, other{0, 0, 1, 0.5, 0.5, 0};
    auto const r = f(p = xg::array(first, 2, 3), q = xg::array(other, 2, 3));
    double const inf = std::numeric_limits<double>::infinity(), l = std::log(2.0);
    test::check_close("kl", std::get<0>(r), {inf, inf});
    test::check_close("js", std::get<1>(r), {l, (0.25 * std::log(2.0 / 3) + 0.5 * std::log(4.0 / 3)) / 2 + 0.125 * l});
    test::check_close("poisson", std::get<2>(r), {0, inf, 1, 0.5 + 0.5 * l, 0.5 + 0.25 * l, inf});
    test::check_close("entropy", std::get<3>(r), {0, inf, inf, l, -0.5 * (std::log(0.25) + std::log(0.75)), -std::log(0.75)});
    test::check_close("triplets", std::get<4>(r), {1, 1});
    test::check_close("cosines", std::get<5>(r), {0, 0});
    CHECK((std::get<6>(r) == 1 && std::get<7>(r) == 0 && std::get<8>(r)[0] == doctest::Approx(1 - 1.25 / 1.5)));
    test::check_close("kl slope", std::get<9>(r), {0, inf, 0, 1, 1 - l, inf});
    test::check_close("js slope", std::get<10>(r), {0, 0.5 * l, 0, 0, 0.5 * std::log(2.0 / 3), 0.5 * l});
    test::check_close("poisson slope", std::get<11>(r), {1, -inf, 1, 0, 0.5, -inf});
    auto const finite = [](auto const& y) { return std::all_of(y.begin(), y.end(), [](double e) { return std::isfinite(e); }); };
    CHECK((finite(std::get<12>(r)) && finite(std::get<13>(r)) && finite(std::get<14>(r)) && finite(std::get<15>(r))));
}

TEST_CASE("gradients of labels, variances and weights; second derivatives") {
    constexpr auto x = xg::input<"x", double, batch>;
    constexpr auto z = xg::input<"z", double, batch>;
    constexpr auto js = xg::elementwise<xg::op::jensen_shannon>{}(z, x);
    auto const a = test::numbers<double>({5}, 0.2, 1.2), b = test::numbers<double>({5}, 0.3, 0.9, 2);
    auto const labels =
        xg::check_gradients(xg::gaussian_nll(x, z, z) + xg::sigmoid_focal(x, z, 0.3_c, z) + js + xg::huber(x, z, z) +
                                xg::poisson_loss(x, 2_c + z, xg::compute_full_loss) + xg::binary_cross_entropy(0.5_c * x, z),
            xg::wrt(z), x = a, z = b);
    CHECK_MESSAGE(labels.ok, labels.message);
    auto const second =
        xg::check_gradients(xg::square(xg::gradient_of(xg::sum(xg::sigmoid_focal(x, z, 0.3_c, 2_c) + js), x)), xg::wrt(x), x = a, z = b);
    CHECK_MESSAGE(second.ok, second.message);
}
