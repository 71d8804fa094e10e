// SPDX-License-Identifier: MIT
// tensordot, dot, inner, outer, vdot, kron, cross and matvec compared with NumPy, to the last bit; their gradients of two
// orders.
#include "ops/product_operands.hpp"

#include <xgrad/ops/products.hpp>
#include <xgrad/train/check_gradients.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using test::product::named;
inline constexpr xg::dim batch{"batch"};

template<class Y, class T, auto... D>
constexpr bool has_shape =
    xg::value_of<Y>.dims == xg::value_of<decltype(xg::input<"y", T, D...>)>.dims && xg::value_of<Y>.type == xg::dtype_of<T>;
}

TEST_CASE("products have NumPy's numbers") {
    using of = test::product::operands<double>;
    test::product::compare(
        std::tuple{named<"tensordot<2>", 2>(xg::tensordot(of::x, of::a)), named<"tensordot<1>", 2>(xg::tensordot<1>(of::t, of::n)),
            named<"tensordot<0>", 2>(xg::tensordot<0>(of::v, of::m)),
            named<"tensordot<axes>", 2>(xg::tensordot<xg::axes<2, -3>, xg::axes<1, 2>>(of::t, of::r)),
            named<"dot(m,n)", 2>(xg::dot(of::m, of::n)), named<"dot(v,v)", 2>(xg::dot(of::v, of::v)),
            named<"dot(m,v)", 2>(xg::dot(of::m, of::v)), named<"dot(t,b)", 2>(xg::dot(of::t, of::b)),
            named<"inner(t,m)", 2>(xg::inner(of::t, of::m)), named<"outer(m,x)", 2>(xg::outer(of::m, of::x)),
            named<"vdot(e,e)", 2>(xg::vdot(of::e, of::e)), named<"vdot(m,u)", 2>(xg::vdot(of::m, xg::reshape<2, 6>(xg::transpose(of::m)))),
            named<"kron(m,x)", 2>(xg::kron(of::m, of::x)), named<"kron(v,x)", 2>(xg::kron(of::v, of::x)),
            named<"kron(k,x)", 2>(xg::kron(of::k, of::x)), named<"cross(x,z)", 2>(xg::cross(of::x, of::z)),
            named<"cross(k,x)", 2>(xg::cross(xg::slice<1, 0, 2>(of::k), of::x)), named<"matvec(b,c)", 2>(xg::matvec(of::b, of::c)),
            named<"matvec(m,d)", 2>(xg::matvec(of::m, of::d))},
        of::a, of::b, of::m, of::n, of::v, of::t, of::c, of::d, of::e, of::r, of::k, of::x, of::z);
}

TEST_CASE("products of whole numbers, of 16 bits, and of operands without axes") {
    using of = test::product::operands<std::int32_t>;
    test::product::compare(std::tuple{named<"cross(x,z)", 2>(xg::cross(of::x, of::z)), named<"inner(t,m)", 2>(xg::inner(of::t, of::m)),
                               named<"outer(m,x)", 2>(xg::outer(of::m, of::x)), named<"vdot(e,e)", 2>(xg::vdot(of::e, of::e))},
        of::m, of::t, of::e, of::x, of::z);
    constexpr auto a = xg::input<"a", float, batch, 6, 4>;
    constexpr auto c = xg::input<"c", float, 4>;
    constexpr auto s = xg::input<"s", float>;
    constexpr auto h = xg::input<"h", xg::bfloat16, 4>;
    static_assert(has_shape<decltype(xg::tensordot<xg::axes<>, xg::axes<>>(c, a)), float, 4, batch, 6, 4>);
    static_assert(has_shape<decltype(xg::tensordot<0>(s, s)), float>);
    static_assert(has_shape<decltype(xg::dot(c, s)), float, 4> && has_shape<decltype(xg::inner(s, a)), float, batch, 6, 4>);
    static_assert(has_shape<decltype(xg::inner(a, h)), float, batch, 6> && has_shape<decltype(xg::dot(h, h)), float>);
    static_assert(has_shape<decltype(xg::outer(a, s)), float, batch * 24, 1> && has_shape<decltype(xg::outer(h, h)), float, 4, 4>);
    static_assert(has_shape<decltype(xg::kron(a, a)), float, batch * batch, 36, 16>);
    static_assert(has_shape<decltype(xg::kron(s, s)), float>);
    static_assert(has_shape<decltype(xg::matvec(a, c)), float, batch, 6>);
    static_assert(has_shape<decltype(xg::cross(xg::input<"u", float, 7, 1, 3>, xg::input<"v", float, batch, 3>)), float, 7, batch, 3>);
}

TEST_CASE_TEMPLATE("gradients of products", T, float, double) {
    using of = test::product::operands<T>;
    constexpr auto loss = xg::sum(xg::sin(xg::cross(of::x, of::z))) + xg::sum(xg::sin(xg::kron(of::x, of::z))) +
                          xg::sum(xg::sin(xg::outer(of::x, of::z))) +
                          xg::sum(xg::sin(xg::tensordot<xg::axes<1, 0>, xg::axes<0, -2>>(of::t, of::t))) +
                          xg::sum(xg::sin(xg::matvec(of::t, xg::sum<0>(of::t)))) + xg::vdot(of::x, xg::sin(of::x)) * xg::dot(of::z, of::z);
    auto const X = test::numbers<T>({2, 3}), Z = test::numbers<T>({3}, -1, 1, 2), R = test::numbers<T>({3, 3, 4}, -1, 1, 3);
    auto const report = xg::check_gradients(loss, xg::wrt(of::x, of::z, of::t), of::x = X, of::z = Z, of::t = R);
    CHECK_MESSAGE(report.ok, report.message);
    if constexpr (sizeof(T) == 8) {
        constexpr auto slope = xg::gradient_of(loss, of::z);
        auto const second = xg::check_gradients(xg::sum(xg::sin(slope)), xg::wrt(of::x, of::z), of::x = X, of::z = Z, of::t = R);
        CHECK_MESSAGE(second.ok, second.message);
    }
}
