// SPDX-License-Identifier: MIT
// The language: equal expressions are one type, constants are their values, names are identities, shapes and extents are algebra.
#include <xgrad/xgrad.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time{"time"};
template<class A, class B>
constexpr bool same(A const&, B const&) {
    return std::is_same_v<A, B>;
}
template<class E>
constexpr xg::shape dims(E const&) {
    return xg::value_of<E>.dims;
}
template<class E>
constexpr xg::dtype type(E const&) {
    return xg::value_of<E>.type;
}

// constants by the bits of their values
static_assert(same(0.5_c, 0.50_c) && same(0.5_c, 5e-1_c) && same(1_c, 1.0_c) && same(1000_c, 1'000_c) && !same(0.5_c, 0.25_c));
static_assert(decltype(0.1_c)::number == 0.1 && decltype(1e-3_c)::number == 1e-3 && decltype(123.456_c)::number == 123.456 &&
              decltype(1e22_c)::number == 1e22);

// leaves by name, element type, shape
constexpr auto x = xg::input<"x", float, batch, 3>;
static_assert(same(x, xg::input<"x", float, batch, 3u>) && same(x, xg::input<"x", float, batch, 3L>));
static_assert(
    same(xg::scope<"enc">::variable<"w", float, 2u>, xg::variable<"enc/w", float, 2L>) && !same(x, xg::input<"y", float, batch, 3>));
static_assert(!same(x, xg::input<"x", float, time, 3>) && !same(x, xg::input<"x", double, batch, 3>));
static_assert(same(xg::input<"x", float, xg::dim{"batch"}, 3>, x));
static_assert(decltype(xg::scope<"enc">::variable<"w", float, 2>)::info.attrs.name == "enc/w");
static_assert(same(xg::scope<"enc">::variable<"w", float, 2>, xg::variable<"enc/w", float, 2>));
static_assert(std::is_empty_v<decltype(x)> && std::is_empty_v<decltype(x * x)>);

// equal expressions are one type
static_assert(same(xg::exp(x) + 1_c, xg::exp(x) + 1.0_c));

// extents
constexpr xg::extent b = xg::named_extent(&xg::dim_info_of<batch>), t = xg::named_extent(&xg::dim_info_of<time>),
                     one = xg::static_extent(1), two = xg::static_extent(2);
static_assert(b * t == t * b && b + t == t + b && b * two == b + b && (b + one) * two == two + b * two && !(b * t == b * b) && !(b == t));
static_assert((b + t) * (b + one) == b * b + b + t * b + t || ((b + t) * (b + one)).overflow);
static_assert((b * b * b * b).overflow && !(b * t * b).overflow);
constexpr xg::extent gone = [] {
    xg::extent e = b + two;
    e.add(b, -1);
    return e;
}();
static_assert(gone == two && gone.is_static());
static_assert((b * t + two).evaluate([](xg::dim_info const& d) { return d.name == "batch" ? 5 : 7; }) == 37);

// shapes
static_assert(dims(x * xg::input<"r", float, 1, 3>) == xg::make_shape<batch, 3>());
static_assert(dims(xg::input<"c", float, batch, 1> + xg::input<"v", float, 3>) == xg::make_shape<batch, 3>());
static_assert(dims(xg::input<"c", float, batch, 1, 1> + xg::input<"v", float, time, 3>) == xg::make_shape<batch, time, 3>());
static_assert(dims(xg::sum<0>(x)) == xg::make_shape<3>() && dims(xg::sum<-1>(x, xg::keep_dims)) == xg::make_shape<batch, 1>() &&
              dims(xg::mean(x)).rank == 0);
static_assert(dims(xg::matmul(x, xg::variable<"w", float, 3, 5>)) == xg::make_shape<batch, 5>());
static_assert(
    dims(xg::matmul<true, false>(x, x)) == xg::make_shape<3, 3>() && dims(xg::matmul<false, true>(x, x)) == xg::make_shape<batch, batch>());
static_assert(dims(xg::concat<1>(x, x)) == xg::make_shape<batch, 6>() && dims(xg::concat<0>(x, x)).extents[0] == b * two);
static_assert(
    dims(xg::reshape<3, batch>(x)) == xg::make_shape<3, batch>() && dims(xg::expand_dims<-1>(x)) == xg::make_shape<batch, 3, 1>());
static_assert(dims(xg::transpose(x)) == xg::make_shape<3, batch>() && dims(xg::slice<1, 1, 3>(x)) == xg::make_shape<batch, 2>());
static_assert(dims(xg::gather(xg::variable<"e", float, 9, 4>, xg::input<"i", std::int32_t, batch, 2>)) == xg::make_shape<batch, 2, 4>());
static_assert(
    dims(xg::embedding_bag(xg::variable<"e", float, 9, 4>, xg::input<"i", std::int32_t, batch, 2>)) == xg::make_shape<batch, 4>());
static_assert(dims(xg::one_hot<7>(xg::input<"i", std::int32_t, batch>)) == xg::make_shape<batch, 7>());

// element types
static_assert(type(xg::greater(x, 0_c)) == xg::dtype::boolean && type(x * 2_c) == xg::dtype::float32 &&
              type(xg::cast<double>(x)) == xg::dtype::float64);
static_assert(type(xg::one_hot<7, double>(xg::input<"i", std::int32_t, batch>)) == xg::dtype::float64);

// blocks cut names, not meaning
struct block : xg::let<block> {
    static constexpr auto value() { return xg::exp(x) + 1_c; }
};
static_assert(xg::Expr<block> && xg::value_of<block>.dims == xg::make_shape<batch, 3>());
static_assert(xg::info_of<block> == xg::info_of<decltype(xg::exp(x) + 1_c)>);
using P = xg::program<xg::expression_list<decltype(block{} * (xg::exp(x) + 1_c))>>;
static_assert([] {
    int exps = 0;
    for (auto const& r : P::table.nodes) exps += r.op->name == "exp";
    return exps;
}() == 1);
}
