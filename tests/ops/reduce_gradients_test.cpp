// SPDX-License-Identifier: MIT
// Gradients of reductions over sets of axes of a tensor of three against finite differences.
#include <support/tensor.hpp>

#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", double, batch, 3, 5>;
constexpr auto u = xg::input<"u", double, batch, 3, 5>;
}

TEST_CASE("gradients of reductions against finite differences") {
    constexpr auto loss = [](auto const& y) {
        return []<int... A>(auto const& v, std::integer_sequence<int, A...>) {
            return u * xg::softmax<A...>(v) + xg::square(xg::sum<A...>(v, xg::keep_dims)) * 0.1_c +
                   u * xg::log_sum_exp<A...>(v, xg::keep_dims) + u * xg::max<A...>(v, xg::keep_dims) +
                   xg::square(xg::mean<A...>(v, xg::keep_dims));
        }(x, y);
    };
    auto const a = test::numbers<double>({2, 3, 5}, -2, 2), b = test::numbers<double>({2, 3, 5}, -1, 1, 9);
    auto check = [&](auto axes) {
        auto const r = xg::check_gradients(loss(axes), xg::wrt(x), x = a, u = b);
        CHECK_MESSAGE(r.ok, r.message);
        CHECK(r.checked == 30);
    };
    check(std::integer_sequence<int, 0>{});
    check(std::integer_sequence<int, 1>{});
    check(std::integer_sequence<int, 2>{});
    check(std::integer_sequence<int, 0, 2>{});
    check(std::integer_sequence<int, 0, 1, 2>{});
}
