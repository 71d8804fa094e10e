// SPDX-License-Identifier: MIT
// Values and gradients of functions and of operations of two operands of TensorFlow, from reference/ops_trace.txt.
#include "trace.hpp"

#include <xgrad/ops/no_nan.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using namespace tensorflow;
/// A function of one vector.
template<class T, class F>
void vector_case(std::string name, F const& f) {
    auto const& c = trace().at(name + (sizeof(T) == 8 ? ".f64" : ""));
    constexpr auto y = F{}(x<T>);
    xg::function fn{xg::outputs(y, xg::gradient_of(y * up<T>, x<T>))};
    auto const v = as<T>(c.inputs.at("x"));
    auto const u = c.has_upstream ? as<T>(c.upstream) : test::tensor<T>({v.size()}, T(1));
    auto const [value, slope] = fn(x<T> = v, up<T> = u);
    compare<T>(name, value, c.outputs[0]);
    compare<T>(name + " gradient", slope, c.gradients.at("x"));
    (void)f;
}
#define XGRAD_VECTOR_CASE(name, expression) vector_case<T>(name, [](auto a) { return expression; })
}

TEST_CASE_TEMPLATE("TensorFlow: functions of a vector", T, double) {
    XGRAD_VECTOR_CASE("relu", xg::relu(a));
    XGRAD_VECTOR_CASE("abs", xg::abs(a));
    XGRAD_VECTOR_CASE("tanh", xg::tanh(a));
    XGRAD_VECTOR_CASE("sigmoid", xg::sigmoid(a));
    XGRAD_VECTOR_CASE("softplus", xg::softplus(a));
    XGRAD_VECTOR_CASE("exp", xg::exp(a));
    XGRAD_VECTOR_CASE("log", xg::log(a));
    XGRAD_VECTOR_CASE("log1p", xg::log1p(a));
    XGRAD_VECTOR_CASE("expm1", xg::expm1(a));
    XGRAD_VECTOR_CASE("sqrt", xg::sqrt(a));
    XGRAD_VECTOR_CASE("square", xg::square(a));
    XGRAD_VECTOR_CASE("select_guarded_sqrt", xg::select(xg::greater(a, 0_c), xg::sqrt(a), 0_c));
    XGRAD_VECTOR_CASE("clip_by_value", xg::minimum(xg::maximum(a, -1_c), 1_c));
}

TEST_CASE_TEMPLATE("TensorFlow: operations of two operands, ties, products, views", T, double) {
    auto const at = [](std::string const& name) -> trace_case const& { return trace().at(name + (sizeof(T) == 8 ? ".f64" : "")); };
    auto bind = [&](std::string const& name, std::string const& input) { return as<T>(at(name).inputs.at(input)); };
    constexpr auto a1 = xg::input<"a", T, n>;
    constexpr auto b1 = xg::input<"b", T, n>;
    constexpr auto a2 = xg::input<"a", T, n, 2>;
    constexpr auto b2 = xg::input<"b", T, 2>;
    constexpr auto c2 = xg::input<"b", T, n, 1>;
    constexpr auto u2 = xg::input<"up", T, n, 2>;
    auto const ta = bind("maximum_ties", "a"), tb = bind("maximum_ties", "b");
    general_case<T>("maximum_ties", xg::maximum(a1, b1), up<T>, {"a", "b"}, a1 = ta, b1 = tb);
    general_case<T>("minimum_ties", xg::minimum(a1, b1), up<T>, {"a", "b"}, a1 = ta, b1 = tb);
    auto const px = bind("pow", "x"), py = bind("pow", "y");
    general_case<T>("pow", xg::pow(a1, b1), up<T>, {"x", "y"}, a1 = px, b1 = py);
    auto const kx = bind("pow_corners", "x"), ky = bind("pow_corners", "y");
    general_case<T>("pow_corners", xg::pow(a1, b1), 0, {"x", "y"}, a1 = kx, b1 = ky);
    auto const lx = bind("xlogy", "x"), ly = bind("xlogy", "y"), zx = bind("xlogy_zero", "x"), zy = bind("xlogy_zero", "y");
    general_case<T>("xlogy", xg::xlogy(a1, b1), up<T>, {"x", "y"}, a1 = lx, b1 = ly);
    compare<T>("xlogy_zero", xg::function{xg::xlogy(a1, b1)}(a1 = zx, b1 = zy), at("xlogy_zero").outputs[0]);
    auto const qx = bind("xdivy", "x"), qy = bind("xdivy", "y"), rx = bind("xdivy_zero", "x"), ry = bind("xdivy_zero", "y");
    general_case<T>("xdivy", xg::xdivy(a1, b1), up<T>, {"x", "y"}, a1 = qx, b1 = qy);
    compare<T>("xdivy_zero", xg::function{xg::xdivy(a1, b1)}(a1 = rx, b1 = ry), at("xdivy_zero").outputs[0]);
    auto const mx = bind("multiply_no_nan", "x"), my = bind("multiply_no_nan", "y"), ix = bind("multiply_no_nan_infinite", "x"),
               iy = bind("multiply_no_nan_infinite", "y"), dx = bind("divide_no_nan", "x"), dy = bind("divide_no_nan", "y");
    general_case<T>("multiply_no_nan", xg::multiply_no_nan(a1, b1), up<T>, {"x", "y"}, a1 = mx, b1 = my);
    general_case<T>("multiply_no_nan_infinite", xg::multiply_no_nan(a1, b1), 0, {"x", "y"}, a1 = ix, b1 = iy);
    general_case<T>("divide_no_nan", xg::divide_no_nan(a1, b1), up<T>, {"x", "y"}, a1 = dx, b1 = dy);
    auto const ma = bind("maximum_broadcast", "a"), mb = bind("maximum_broadcast", "b");
    general_case<T>("maximum_broadcast", xg::maximum(a2, b2), u2, {"a", "b"}, a2 = ma, b2 = mb);
    auto const da = bind("divide_broadcast", "a"), db = bind("divide_broadcast", "b");
    general_case<T>("divide_broadcast", a2 / b2, u2, {"a", "b"}, a2 = da, b2 = db);
    auto const sa = bind("squared_difference", "a"), sb = bind("squared_difference", "b");
    general_case<T>("squared_difference", xg::squared_error(a2, c2), 0, {"a", "b"}, a2 = sa, c2 = sb);
    auto const ca = bind("concat", "a"), cb = bind("concat", "b");
    constexpr auto u3 = xg::input<"up", T, n, 3>;
    general_case<T>("concat", xg::concat<1>(a2, c2), u3, {"a", "b"}, a2 = ca, c2 = cb);
    constexpr auto m4 = xg::input<"x", T, n, 4>;
    constexpr auto m3 = xg::input<"x", T, n, 3>;
    auto const ties = bind("reduce_max_ties", "x"), means = bind("reduce_mean", "x"), sl = bind("slice", "x"),
               mins = bind("reduce_min_ties", "x");
    general_case<T>("reduce_max_ties", xg::max<1>(m4), up<T>, {"x"}, m4 = ties);
    general_case<T>("reduce_min_ties", -xg::max<1>(-m4), up<T>, {"x"}, m4 = mins);
    auto const rows = bind("norm", "x");
    general_case<T>("norm", xg::norm<1>(m3), up<T>, {"x"}, m3 = rows);
    constexpr auto u33 = xg::input<"up", T, 3>;
    general_case<T>("reduce_mean", xg::mean<0>(m3), u33, {"x"}, m3 = means);
    general_case<T>("slice", xg::slice<1, 1, 3>(m3), u2, {"x"}, m3 = sl);
    constexpr auto p = xg::input<"p", T, 2, 3>;
    constexpr auto q = xg::input<"q", T, 3, 2>;
    constexpr auto u22 = xg::input<"up", T, 2, 2>;
    auto const fa = bind("matmul", "a"), fb = bind("matmul", "b"), ga = bind("matmul_transposed", "a"), gb = bind("matmul_transposed", "b");
    general_case<T>("matmul", xg::matmul(p, q), u22, {"a", "b"}, p = fa, q = fb);
    general_case<T>("matmul_transposed", xg::matmul<true, true>(q, p), u22, {"a", "b"}, q = ga, p = gb);
    constexpr auto table = xg::input<"table", T, 4, 2>;
    constexpr auto small = xg::input<"table", T, 3, 2>;
    constexpr auto ids = xg::input<"ids", std::int32_t, n>;
    constexpr auto pairs = xg::input<"pairs", std::int32_t, n, 2>;
    auto const t1 = bind("embedding_lookup_duplicates", "table"), t2 = bind("gather_rank2_ids", "table"),
               t3 = bind("embedding_bag_mean", "table");
    auto const i1 = as<std::int32_t>(at("embedding_lookup_duplicates").inputs.at("ids")),
               i2 = as<std::int32_t>(at("gather_rank2_ids").inputs.at("ids")),
               i3 = as<std::int32_t>(at("embedding_bag_mean").inputs.at("ids"));
    general_case<T>("embedding_lookup_duplicates", xg::embedding_lookup(table, ids), u2, {"table"}, table = t1, ids = i1);
    constexpr auto u222 = xg::input<"up", T, n, 2, 2>;
    general_case<T>("gather_rank2_ids", xg::gather(small, pairs), u222, {"table"}, small = t2, pairs = i2);
    general_case<T>("embedding_bag_mean", xg::embedding_bag(table, pairs) / 2_c, u2, {"table"}, table = t3, pairs = i3);
}
