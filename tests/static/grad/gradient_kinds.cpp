// SPDX-License-Identifier: MIT
// Kinds of gradients are types: none, a dense expression, indexed_slices.
#include <xgrad/xgrad.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};

constexpr auto x = xg::input<"x", float, batch, 3>;
constexpr auto i = xg::input<"i", std::int64_t, batch>;
constexpr auto w = xg::variable<"w", float, 3, 3>;
constexpr auto b = xg::variable<"b", float, 3>;
constexpr auto t = xg::variable<"t", float, 10, 3>;

template<class T>
constexpr bool is_slices = false;
template<class V, class I, class D>
constexpr bool is_slices<xg::indexed_slices<V, I, D>> = true;

constexpr auto loss = xg::sum(xg::matmul(x, w) * xg::gather(t, i));
using all = decltype(xg::gradients(loss, w, b, t, x, i));
static_assert(xg::Expr<std::tuple_element_t<0, all>>);
static_assert(std::is_same_v<std::tuple_element_t<1, all>, xg::none>);
static_assert(is_slices<std::tuple_element_t<2, all>>);
static_assert(xg::Expr<std::tuple_element_t<3, all>>);
static_assert(std::is_same_v<std::tuple_element_t<4, all>, xg::none>);

// Shapes of gradients are those of what they belong to; values of slices are rows.
static_assert(xg::value_of<std::tuple_element_t<0, all>>.dims == xg::value_of<decltype(w)>.dims);
static_assert(xg::value_of<std::tuple_element_t<3, all>>.dims == xg::value_of<decltype(x)>.dims);
static_assert(xg::value_of<decltype(std::tuple_element_t<2, all>::dense)>.dims == xg::value_of<decltype(t)>.dims);

// Also of bags; dense as soon as one use is dense, or differentiable above the lookup.
static_assert(is_slices<decltype(xg::gradient_of(xg::sum(xg::embedding_bag(t, xg::input<"j", std::int32_t, batch, 4>)), t))>);
static_assert(xg::Expr<decltype(xg::gradient_of(loss + xg::sum(t), t))>);
static_assert(xg::Expr<decltype(xg::gradient_of(xg::sum(xg::gather(xg::square(t), i)), t))>);
static_assert(is_slices<decltype(xg::gradient_of(xg::ys(loss, xg::sum(xg::gather(t, i))), t))>);

// Nothing comes through stop_gradient, comparisons and integers.
static_assert(std::is_same_v<decltype(xg::gradient_of(xg::stop_gradient(loss), w)), xg::none>);
static_assert(std::is_same_v<decltype(xg::gradient_of(xg::cast<float>(xg::greater(x, 0_c)), x)), xg::none>);
static_assert(std::is_same_v<decltype(xg::gradient_of(xg::cast<float>(xg::cast<std::int32_t>(x)), x)), xg::none>);
static_assert(std::is_same_v<decltype(xg::gradient_of(xg::uniform_like<"u">(x), x)), xg::none>);
// A gradient of a gradient that is constant is none.
static_assert(std::is_same_v<decltype(xg::gradient_of(xg::gradient_of(xg::sum(b), b), b)), xg::none>);
}
