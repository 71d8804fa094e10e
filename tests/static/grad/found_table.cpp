// SPDX-License-Identifier: MIT
// A function whose outputs are gradients of one request, perhaps with the first y, takes the table in which these were found.
// It is the table that the function would make itself, node by node.
#include <xgrad/xgrad.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

template<class Outputs>
constexpr bool is_found = xg::detail::draft_found<Outputs>::exists;
template<class Outputs>
constexpr bool is_same_table() {
    auto const& a = xg::detail::draft_of<Outputs, xg::no_updates>;
    auto const& b = xg::detail::draft_that_fits<Outputs, xg::no_updates>();
    auto const& s = a.table;
    auto const& t = b.table;
    if (s.node_count != t.node_count || s.operand_count != t.operand_count || s.wrong_gradient != t.wrong_gradient ||
        a.name_conflict != b.name_conflict)
        return false;
    for (int i = 0; i < Outputs::count; ++i)
        if (a.outputs[i] != b.outputs[i]) return false;
    for (int i = 0; i < s.operand_count; ++i)
        if (s.operands[i] != t.operands[i]) return false;
    for (int i = 0; i < s.node_count; ++i) {
        xg::table_node const &m = s.nodes[i], &n = t.nodes[i];
        xg::attribute_list const of_m{s.attrs, s.words, s.extents}, of_n{t.attrs, t.words, t.extents};
        if (m.op != n.op || m.count != n.count || m.value.type != n.value.type || !(m.value.dims == n.value.dims) ||
            !of_m[m.attrs].equals(of_n[n.attrs]))
            return false;
    }
    return true;
}
template<class... E>
constexpr bool takes_it() {
    using outputs = xg::expression_list<E...>;
    return is_found<outputs> && is_same_table<outputs>();
}

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 3>;
constexpr auto w = xg::input<"w", float, 3, 3>;
constexpr auto b = xg::input<"b", float, 3>;
constexpr auto t = xg::input<"t", float, 10, 3>;
constexpr auto i = xg::input<"i", std::int64_t, batch>;
constexpr auto h = xg::tanh(xg::matmul(x, w) + b);
constexpr auto y = xg::mean(xg::square(h));
constexpr auto z = xg::sum(xg::exp(h) * x);
template<class T, std::size_t K>
using part = std::tuple_element_t<K, T>;
using Y = std::remove_const_t<decltype(y)>;
using Z = std::remove_const_t<decltype(z)>;
using H = std::remove_const_t<decltype(h)>;

// The value and its gradients in any order.
using of_y = decltype(xg::gradients(y, w, b));
static_assert(takes_it<Y, part<of_y, 0>, part<of_y, 1>>());
static_assert(takes_it<part<of_y, 1>, part<of_y, 0>>());
static_assert(takes_it<part<of_y, 1>, Y>());
// Of several ys the first one.
using of_both = decltype(xg::gradients(xg::ys(y, z), w, x));
static_assert(takes_it<Y, part<of_both, 0>, part<of_both, 1>>());
static_assert(!is_found<xg::expression_list<Z, part<of_both, 0>>>);
// With respect to an inner expression, and what is held constant.
using of_inner = decltype(xg::gradients(y, h, w));
static_assert(takes_it<Y, part<of_inner, 0>, part<of_inner, 1>>());
using stopped = decltype(xg::gradients(z, xg::stop_gradients(h), x));
static_assert(takes_it<Z, part<stopped, 0>>());
// Gradients start from a separate expression, and from a gradient.
using seeded = decltype(xg::gradients(h, xg::grad_ys(xg::exp(b) * x), w));
static_assert(takes_it<H, part<seeded, 0>>());
using twice = decltype(xg::gradients(h, xg::grad_ys(xg::gradient_of(y, h)), w));
static_assert(takes_it<part<twice, 0>>());
// Derivatives of derivatives.
constexpr auto slope = xg::sum(xg::square(xg::gradient_of(y, w)));
using second = decltype(xg::gradients(slope, w));
static_assert(takes_it<std::remove_const_t<decltype(slope)>, part<second, 0>>());

// Other outputs with them, gradients of two requests, and slices are nodes that the sweep has not made.
static_assert(!is_found<xg::expression_list<Y, H, part<of_y, 0>>>);
static_assert(!is_found<xg::expression_list<part<of_y, 0>, part<of_both, 0>>>);
static_assert(!is_found<xg::expression_list<Y>>);
constexpr auto rows = xg::sum(xg::gather(t, i) * x);
using slices = part<decltype(xg::gradients(rows, t)), 0>;
static_assert(!is_found<xg::expression_list<decltype(slices::values), decltype(slices::indices)>>);
static_assert(!is_found<xg::expression_list<decltype(slices::dense)>>);
using nothing = decltype(xg::gradients(y, xg::unconnected_zeros, t));
static_assert(!is_found<xg::expression_list<Y, part<nothing, 0>>>);
}
