// SPDX-License-Identifier: MIT
// Gradients of variances, norms and order statistics, and gradients of these, against finite differences.
#include <support/tensor.hpp>

#include <xgrad/ops/over_axes/moments.hpp>
#include <xgrad/ops/over_axes/norms.hpp>
#include <xgrad/ops/over_axes/order.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
}

TEST_CASE("gradients") {
    constexpr auto v = xg::input<"v", double, 3, batch>;
    constexpr auto q = xg::input<"q", double>;
    constexpr auto columns = xg::transpose(v);
    constexpr auto loss = xg::sum(xg::square(xg::variance<1>(v, xg::correction<1>))) + xg::sum(xg::sin(xg::stddev<0>(v))) +
                          xg::sum(xg::p_norm<1>(v - 1_c, q + 2_c)) + xg::sum(xg::sin(xg::quantile<1>(v, q))) * xg::median(v) * xg::ptp(v) +
                          xg::sum(xg::square(xg::nth_element<1>(columns))) + xg::sum(xg::square(std::get<0>(xg::bottom_k<2>(columns))));
    auto const r = xg::check_gradients(loss, xg::wrt(v, q), v = test::numbers<double>({3, 5}, 0.3, 2, 5), q = 0.3);
    CHECK_MESSAGE(r.ok, r.message);
}

TEST_CASE_TEMPLATE("gradients of float, and of gradients", T, float, double) {
    constexpr auto v = xg::input<"v", T, 3, batch>;
    constexpr auto loss = xg::sum(xg::square(xg::variance<1>(v, xg::correction<1>))) + xg::sum(xg::sin(xg::stddev<0>(v))) +
                          xg::sum(xg::square(xg::quantile<1>(v, 0.3_c))) + xg::p_norm(v, 3_c);
    auto const in = test::numbers<T>({3, 5}, 0.3, 2, 5);
    if constexpr (std::is_same_v<T, float>) {
        auto const first = xg::check_gradients(loss, xg::wrt(v), v = in);
        CHECK_MESSAGE(first.ok, first.message);
    } else {
        auto const second = xg::check_gradients(xg::sum(xg::square(xg::gradient_of(loss, v))), xg::wrt(v), v = in);
        CHECK_MESSAGE(second.ok, second.message);
    }
}
