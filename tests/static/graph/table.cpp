// SPDX-License-Identifier: MIT
// The table: equal nodes are one, identities vanish, aliases collapse, transposes go into products.
#include <xgrad/xgrad.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 3>;
constexpr auto y = xg::input<"y", float, batch, 3>;

template<class... E>
constexpr int count(std::string_view name, E...) {
    using P = xg::program<xg::expression_list<E...>>;
    constexpr xg::table_view t = P::table.view();
    bool live[t.count]{};   // nodes that a simplification has replaced stay in the table
    for (int k = 0; k < P::plan.output_count; ++k) live[P::plan.outputs[k].node] = true;
    int n = 0;
    for (int i = t.count; i-- > 0;) {
        if (!live[i]) continue;
        for (int k = 0; k < t[i].count; ++k) live[t.operand(i, k)] = true;
        n += t[i].op->name == name;
    }
    return n;
}
template<class... E>
constexpr int nodes(E...) {
    return xg::program<xg::expression_list<E...>>::table.view().count;
}
// The shape of the node of an expression.
template<class E>
constexpr bool keeps_shape(E) {
    using P = xg::program<xg::expression_list<E>>;
    return P::table.view().dims(P::plan.outputs[0].node) == xg::value_of<E>.dims;
}

static_assert(count("exp", xg::exp(x), xg::exp(x) * 2_c, xg::exp(xg::input<"x", float, batch, 3>)) == 1);
static_assert(count("add", x + y, y + x) == 1 && count("sub", x - y, y - x) == 2);
static_assert(count("mul", x * 1_c) == 0 && count("mul", 1_c * x) == 0 && count("add", x + 0_c) == 0 && count("div", x / 1_c) == 0 &&
              count("div", 1_c / x) == 1);
static_assert(count("neg", -(-x)) == 0);
static_assert(count("reshape", xg::reshape<batch, 3>(x)) == 0 && count("reshape", xg::reshape<3, batch>(xg::reshape<batch, 3, 1>(x))) == 1);
static_assert(count("transpose", xg::matmul(xg::transpose(x), y)) == 0);
static_assert(count("sum", xg::sum<1>(xg::sum<1>(x, xg::keep_dims))) == 1);
// sums of the same elements are one node, and so are the gradients of two biases of one layer
constexpr auto u = xg::input<"u", float, batch>;
static_assert(count("sum", xg::sum(u), xg::sum<0>(xg::expand_dims<1>(u)), xg::sum<0, 1>(xg::expand_dims<0>(u), xg::keep_dims)) == 1);
static_assert(count("sum", xg::sum<1>(xg::reshape<batch, 1, 3>(x)), xg::sum<0>(x), xg::sum<0>(xg::reshape<batch, 3, 1>(x))) == 1);
static_assert(count("max", xg::max<0>(x), xg::max<1>(xg::reshape<3, batch>(x))) == 2);
constexpr auto b = xg::variable<"b", float>;
constexpr auto b3 = xg::variable<"b3", float, 1>;
constexpr auto biased = xg::sum(xg::tanh(u + b + xg::squeeze<1>(xg::expand_dims<1>(u) + b3)));
static_assert(count("sum", xg::gradient_of(biased, b), xg::gradient_of(biased, b3)) == 1);
// times one is no operation, also where the one is repeated
static_assert(count("mul", x + xg::input<"r", float, 3> * xg::broadcast_to<batch, 3>(1_c)) == 0);
static_assert(nodes(x + y) == 3 && nodes(xg::square(x)) == 2);
// the gradients of a product share its operands; one sweep serves all
constexpr auto loss = xg::sum(xg::exp(x) * y);
static_assert(count("exp", loss, xg::gradient_of(loss, x), xg::gradient_of(loss, y)) == 1);
// no simplification changes a shape
constexpr auto row = xg::input<"row", float, 3>;
constexpr auto cube = xg::input<"cube", float, batch, 3, 4>;
constexpr auto repeated = xg::broadcast_to<4, 3>(row);
static_assert(keeps_shape(xg::exp(repeated)) && keeps_shape(repeated * 2_c) && keeps_shape(repeated + row) &&
              keeps_shape(repeated + xg::input<"four", float, 4, 3>));
static_assert(keeps_shape(xg::gradient_of(xg::transpose<1, 2, 0>(cube) * xg::input<"turned", float, 3, 4, batch>, cube)));
// sums over different axes of one reshaped array differ
constexpr auto column = xg::reshape<batch, 1, 3>(x);
static_assert(count("sum", xg::sum<0, 2>(xg::reshape<batch, 1, 3, 4>(cube)), xg::sum<0, 1>(cube), xg::sum<1, 2>(cube)) == 2);
static_assert(count("sum", xg::sum<2>(column), xg::sum<1>(x)) == 1 && count("sum", xg::sum<0>(column), xg::sum<1>(x)) == 2);
// operations that differ in one attribute are two
constexpr auto square_matrix = xg::input<"square_matrix", float, 3, 3>;
static_assert(count("matmul", xg::matmul(square_matrix, square_matrix), xg::matmul<false, true>(square_matrix, square_matrix)) == 2);
static_assert(
    count("matmul", xg::matmul(square_matrix, xg::transpose(square_matrix)), xg::matmul<false, true>(square_matrix, square_matrix)) == 1);
static_assert(count("slice", xg::slice<1, 0, 1>(x), xg::slice<1, 1, 2>(x), xg::slice<1, 0, 2>(x)) == 3);
}
