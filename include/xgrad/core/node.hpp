// SPDX-License-Identifier: MIT
// Expressions are empty objects. The type of an expression is its graph. Each type has one constexpr record, linked to
// the records of its operands.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/op.hpp>

#include <concepts>

XGRAD_NAMESPACE_BEGIN

namespace detail {
struct refused;
template<class T>
inline constexpr bool never = false;
}
/// Base of every expression. An expression object is empty: its graph is in its type.
struct expression_base {
    // Compilers show the next line if an expression is used as a condition, is printed, or is passed to std::exp.
    operator double() const = delete;   // an expression is used as a number; write select(c, a, b), xgrad::exp(x), or function{y}(x = a)
    template<class I, class R = detail::refused>
    constexpr R operator[](I const&) const {
        static_assert(detail::never<I>,
            "xgrad: an expression is indexed by x[i]; write slice<axis, begin, end>(x), or gather(x, ids) for rows by index");
        return {};
    }
    template<class R = detail::refused, class... I>
    constexpr R operator()(I const&...) const {
        static_assert(detail::never<R>,
            "xgrad: an expression is called, but it is not a function; write input<\"x\", float, batch, 3> for extents, slice or "
            "gather for elements, function{y, owner}(x = a) for values");
        return {};
    }
    template<class A>
    constexpr auto operator=(A const& other) {   // preferred over the assignment of the base class
        return static_cast<expression_base const&>(*this) = other;
    }
    template<class A, class R = detail::refused>
    constexpr R operator=(A const&) const {
        static_assert(detail::never<A>,
            "xgrad: something is assigned to an expression, which does not change; give the result another name, auto next = "
            "tanh(h), or bind an array to an input: f(x = array)");
        return {};
    }
    template<class R = detail::refused>
    constexpr R const* begin() const {
        static_assert(detail::never<R>,
            "xgrad: a loop iterates over an expression, which has no elements; write scan<body>(...) for a loop over time, or "
            "iterate over the results of a call");
        return nullptr;
    }
    template<class R = detail::refused>
    constexpr R const* end() const {
        return nullptr;
    }
    template<class R = detail::refused>
    constexpr R T() const {
        static_assert(detail::never<R>, "xgrad: there is no w.T(); write transpose(w), or in a product matmul<false, true>(x, w)");
        return {};
    }
    template<class R = detail::refused>
    constexpr R backward() const {
        static_assert(detail::never<R>,
            "xgrad: there is no loss.backward(); write auto train = minimize(loss, adam{}) for a training step, or gradients(loss, "
            "w, b) for gradients");
        return {};
    }
};

// std::is_base_of would instantiate a class for each operand, std::remove_cvref_t several.
template<class T>
concept Expr = __is_base_of(expression_base, T) || __is_base_of(expression_base, std::remove_reference_t<T>);

/// The record of one expression type. Its address identifies the node, so equal types are one node.
struct node_info {
    op_info const* op;
    value_info value;
    attributes attrs;
    int count;
    node_info const* const* operands;
    std::uint64_t hash;
    bool watches = false;   // here or below there is a gradient whose x (or stop) is an expression, not a leaf
    bool moves = false;     // here or below, also in a body, there is a layer whose state a step moves
};

namespace detail {
template<class D>
concept HasBody = requires { requires Expr<decltype(D::value())>; };
template<class D, class R = refused>
constexpr auto const& record_of_body() {
    constexpr bool called = requires { D::value(); };
    if constexpr (HasBody<D>) {
        static_assert(__is_empty(D),
            "xgrad: a struct derived from xgrad::let<...> has a data member, which nothing reads; make it static constexpr, a "
            "template parameter, or an input");
        return decltype(D::value())::info;
    } else {
        static_assert(called,
            "xgrad: a struct derived from xgrad::let<...> has no value() that can be called, or let<...> names another struct; "
            "write public static constexpr auto value() { return gain * x; }");
        static_assert(!called,
            "xgrad: value() of a struct derived from xgrad::let<...> does not return an expression; return one expression, and "
            "write a struct for each of several results");
        return R::info;
    }
}
}
/// A named block: `struct block : xgrad::let<block> { static constexpr auto value() { return ...; } };`
/// Compilers print only the short name of the struct. Its definition is instantiated only if it is needed.
template<class Derived>
struct let : expression_base {
    static constexpr node_info const& info = detail::record_of_body<Derived>();
};

template<class E>
inline constexpr node_info const* info_of = &E::info;

/// The operand as an operation that computes with it sees it: 16-bit types become float.
constexpr value_info as_computed(value_info v) {
    v.type = computed_type(v.type);
    return v;
}
namespace detail {
// `Room` is the space for operands, small where possible: a constant evaluation initializes each member of each value_info,
// and one evaluation has hundreds of them.
template<int Room>
constexpr value_info infer_in(op_info const& op, value_info const* const* operands, int count, attributes const& a, bool computed) {
    value_info v[Room]{};
    for (int i = 0; i < count; ++i) v[i] = *operands[i];
    for (int i = 0; computed && i < count; ++i) v[i].type = computed_type(v[i].type);
    return op.infer(v, count, a);
}
// For operands without a fault.
constexpr value_info infer_good(op_info const& op, value_info const* const* operands, int count, attributes const& a, bool computed) {
    value_info r = op.region != nullptr      ? op.infer(nullptr, count, a)   // its bodies say what it returns
                   : count == 1 && !computed ? op.infer(*operands, 1, a)
                   : count <= 2              ? infer_in<2>(op, operands, count, a, computed)
                   : count == 3              ? infer_in<3>(op, operands, count, a, computed)
                   : count <= max_operands   ? infer_in<max_operands>(op, operands, count, a, computed)
                                             : infer_in<max_region_operands>(op, operands, count, a, computed);
    for (int i = 0; i < r.dims.rank; ++i)
        if (r.dims.extents[i].overflow) r.wrong = fault::overflow;
    return r;
}
}
constexpr value_info infer(op_info const& op, value_info const* const* operands, int count, attributes const& a) {
    bool half = false;
    for (int i = 0; i < count; ++i) {
        // the fault of an operand was reported already
        if (operands[i]->wrong != fault::none) return value_info{dtype::literal, {}, operands[i]->wrong};
        half = half || is_half(operands[i]->type);
    }
    return detail::infer_good(op, operands, count, a, half && !takes_half(op));
}

namespace detail {
// The properties of an operation that `node` needs: its record and its attributes.
template<class Op>
struct op_traits {
    using op = Op;
    static constexpr attributes attrs{};
};
template<class T>
inline constexpr bool is_name = false;
template<std::size_t N>
inline constexpr bool is_name<fixed_string<N>> = true;
template<class Op, class T>
inline constexpr bool is_struct_of = requires { requires std::is_same_v<std::remove_const_t<T>, typename Op::attributes>; };
// Types that are not structs are checked by the code that takes extents.
template<class T>
inline constexpr bool may_be_extent = !__is_class(T) || is_dim_operand<T> || std::is_same_v<T, extent> || Expr<T>;
template<class... T>
constexpr attributes extents_alone(shape const& s) {
    static_assert((may_be_extent<std::remove_const_t<T>> && ...),
        "xgrad::with<op, ...>: an argument is neither the operation's struct op::attributes, nor an extent, nor a name; write "
        "with<op, op::attributes{...}>");
    return shape_attributes(s);
}
/// The general case: the arguments are extents.
template<class Op, auto... D>
struct given_attributes {
    static constexpr shape extents = make_shape<D...>();
    static constexpr attributes attrs = extents_alone<decltype(D)...>(extents);
};
template<class Op, auto A, auto... D>
    requires is_struct_of<Op, decltype(A)>
struct given_attributes<Op, A, D...> {
    static constexpr shape extents = make_shape<D...>();
    static constexpr attributes attrs = words_of<A>.view(extents.extents, extents.rank);
};
template<class Op, auto Name>
    requires is_name<std::remove_const_t<decltype(Name)>>
struct given_attributes<Op, Name> {
    static constexpr attributes attrs = name_attributes(Name.view(), hash_text(Name.view()));
};

constexpr node_info make_info(op_info const* op, attributes const& a, node_info const* const* operands, int count) {
    value_info const* v[max_region_operands]{};
    std::uint64_t h = hash_mix(hash_text(op->name), a.hash());
    bool watches = false, moves = op->moves != 0 && count >= op->moves;
    for (int i = 0; i < count; ++i) {
        v[i] = &operands[i]->value;
        moves = moves || operands[i]->moves;
        h = hash_mix(h, operands[i]->hash);
        watches = watches || operands[i]->watches ||
                  (op->kind == op_kind::gradient && i >= a.as<gradient_attributes>().y_count && operands[i]->count > 0);
    }
    return node_info{op, infer(*op, v, count, a), a, count, operands, h, watches, moves};
}
}

/// An operation with its attributes. Three forms:
/// * `with<op::sum, op::sum::attributes{axes}>`: the attribute struct, optionally followed by extents.
/// * `with<op::reshape, batch, 16>`: only extents.
/// * `with<op::uniform_like, fixed_string("hidden")>`: a name.
template<class Op, auto... A>
struct with {};

template<class Op, auto... A>
struct detail::op_traits<with<Op, A...>> : detail::given_attributes<Op, A...> {
    using op = Op;
};

/// An operation on expressions. Three other types have operands: `part`, the node of a `scan`, and `gradient`.
template<class Op, class... A>
struct [[nodiscard("an expression computes nothing; give it a name, or to a function{y, owner}")]] node : expression_base {
    using expression_base::operator=;
    static constexpr node_info const* operands[sizeof...(A)] = {&A::info...};
    static constexpr node_info info = detail::make_info(
        op_register<typename detail::op_traits<Op>::op>::info, detail::op_traits<Op>::attrs, operands, static_cast<int>(sizeof...(A)));
};

namespace op {
/// One output of an operation that has several.
struct part {
    using attributes = part_attributes;
    static constexpr op_info describe() { return make_op("part", op_kind::part, nullptr, nullptr); }
};
}

namespace detail {
template<int Output>
constexpr node_info make_part(node_info const* const* whole) {
    node_info const& n = **whole;
    value_info v[max_operands]{};
    for (int i = 0; n.op->region == nullptr && i < n.count; ++i)
        v[i] = takes_half(*n.op) ? n.operands[i]->value : as_computed(n.operands[i]->value);
    value_info r = n.value;
    if (r.wrong == fault::none) r = n.op->infer_output(v, n.count, n.attrs, Output);
    return node_info{op_register<op::part>::info, r, words_of<part_attributes{Output}>.view(), 1, whole,
        hash_mix(n.hash, static_cast<std::uint64_t>(Output) + 1), n.watches, n.moves};
}
}
/// Output `Output` of a node that has several.
template<int Output, class Node>
struct part : expression_base {
    static constexpr node_info const* operands[1] = {&Node::info};
    static constexpr node_info info = detail::make_part<Output>(operands);
};

/// Element type and shape of an expression.
template<Expr E>
inline constexpr value_info const& value_of = info_of<std::remove_cvref_t<E>>->value;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
