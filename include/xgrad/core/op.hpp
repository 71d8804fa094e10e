// SPDX-License-Identifier: MIT
// What an operation is, as data: the constexpr record that flattening, gradients and planning work on.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/attributes.hpp>
#include <xgrad/core/dtype.hpp>

#include <type_traits>

XGRAD_NAMESPACE_BEGIN

/// The most operands and outputs that an operation has.
inline constexpr int max_operands = 32, max_outputs = 32;

/// How an operation runs. The planner knows operations by this and by the properties in op_info, never by name.
enum class op_kind : unsigned char {
    input,         // leaf bound at the call
    variable,      // leaf in the variable store
    updated,       // what the variable that is its operand holds behind its update
    constant,      // a number
    size,          // an extent as a number
    elementwise,   // value(V...) on broadcast operands
    reduce,        // by a monoid over axes: reduction_attributes
    matmul,        // product_attributes
    kernel,        // loops of its own on whole operands, see core/kernel.hpp; one output or several
    alias,         // the same elements under another shape
    broadcast,     // the same elements, repeated
    transpose,     // permutation_attributes
    slice,         // slice_attributes
    concat,        // axis_attributes
    index,         // the position along an axis
    random,        // uniform numbers of a named stream
    scan,          // a loop over a region, the body; several outputs
    part,          // part_attributes: one output of its operand, an operation with several
    composite,     // written in terms of other operations
    gradient       // expanded while flattening
};

/// Why a shape or dtype rule refuses its operands; public functions turn it into a sentence.
enum class fault : unsigned char {
    none,
    dtypes,
    not_floating,
    not_integer,
    not_boolean,
    shapes,
    repeated,
    rank,
    axis,
    inner,
    overflow,
    too_long
};

/// Element type and shape of one operand or result.
struct value_info {
    dtype type;
    shape dims;
    fault wrong;
};

// Attributes that the table, the planner and the printers read: what they mean goes with the kind of an operation.
struct constant_attributes {
    double value;
};
struct variable_attributes {
    std::int64_t trainable;
};
struct reduction_attributes {
    axis_set axes;
    flag keep_dims;   // with extent 1
};
struct product_attributes {
    flag transpose_a, transpose_b;
};
/// Axis i of the result is axis order[i] of the operand.
struct permutation_attributes {
    axis_list order;
};
struct axis_attributes {
    std::int64_t axis;
};
/// Behind them the extents begin, length, and the span from begin to end.
struct slice_attributes {
    std::int32_t axis;
    flag checked;   // bounds that only a call can compare
    std::int64_t step;
};
constexpr extent const& slice_begin(attributes const& a) { return a.extents[0]; }
constexpr extent const& slice_length(attributes const& a) { return a.extents[1]; }
constexpr extent const& slice_span(attributes const& a) { return a.extents[2]; }
struct part_attributes {
    std::int64_t output;
};
/// The operands of a gradient are ys, xs, seeds (what the gradients of those ys start from whose bits are set in `seeds`), and what is held constant.
struct gradient_attributes {
    std::int16_t y_count, x_count, stop_count;
    std::int16_t zeros;   // for what is not connected
    std::uint32_t seeds;
    std::int16_t x;   // which
    std::int16_t part;
    static constexpr int dense = 0, values = 1, indices = 2, wide_indices = 3;
};

enum class monoid : unsigned char { none, sum, maximum };

struct derivation;
struct symbol;
struct symbol_table;
struct region_info;
struct kernel_info;
struct kernel_operands;

/// Which operand of an operation holds indices, and what they must stay below: axis `axis` (from the back where negative) of operand `of`, of the
/// result where `of` is negative.
struct index_bound {
    int operand = -1;   // none
    int of = 0;
    int axis = 0;
};

/// Which operand of an operation must lie in [from, below), where it is an input. NaN does not.
struct number_bound {
    int operand = -1;   // none
    double from = 0, below = 0;
    char const* warning =
        nullptr;   // where it is given, other numbers are no error; with XGRAD_CHECKS the first call that has one warns with it
};

namespace detail {
template<bool>
struct constant_condition;
template<int>
inline constexpr int some_object = 0;
template<int N>
concept AddressesAreCompared = requires { typename constant_condition<(&some_object<N> == &some_object<N + 1>)>; };
}
// Operations and nodes are told apart by their addresses. Of objects that may be null, as g++'s sanitizer says of all, no comparison is a constant.
static_assert(detail::AddressesAreCompared<0>,
    "xgrad: with -fsanitize=undefined g++ compares no addresses when compiling; add -fno-sanitize=null,nonnull-attribute,returns-nonnull-attribute, which keeps the "
    "other checks");

/// One operation.
struct op_info {
    std::string_view name;
    std::uint64_t hash;
    op_kind kind;
    int flops;             // per element of the result (of the operand for reductions)
    bool transcendental;   // worth keeping rather than computing again
    bool commutative;
    bool has_identity;   // identity element: op(x, identity) == x; also on the left if commutative
    double identity;
    bool self_inverse;    // op(op(x)) == x
    bool converts;        // only the element type changes: nothing to do where it is the same
    bool cheap;           // computed again in each loop that reads it, whatever its element type
    bool multilinear;     // linear in each of two operands, so c a b: what does not vary along a sum in double is taken out of it
    bool negates;         // -x: the sign is taken out of a sum in double
    bool half_operands;   // elements of 16 bits come as they are; see takes_half
    monoid combine;       // reduce
    value_info (*infer)(value_info const* operands, int count, attributes const& a);
    void (*derive)(derivation& d);                                                               // null: no gradient passes
    symbol (*expand)(symbol_table& t, symbol const* operands, int count, attributes const& a);   // composite and gradient
    region_info const* region;                                                                   // scan
    kernel_info const* kernel;                                                                   // kernel
    extent (*flops_of)(kernel_operands const& v);   // of a whole kernel; null: `flops` for each element of the first operand that it reads
    int outputs;                                    // 0: one, the node itself
    value_info (*infer_output)(
        value_info const* operands, int count, attributes const& a, int output);   // of several; `infer` gives the first
    index_bound indices;   // compared when the call binds them, where they are an input and the extent is known
    number_bound numbers;
    int owned;               // which operand is a variable of this one call, a layer's; 0: none
    bool lacks_derivative;   // a user's operation without derivative(...) or derive(...): a gradient that reaches it is a slip
};

/// Whether an operation takes elements of bfloat16 and float16 as they are: it moves them or converts them. All others see cast<float> of such an
/// operand: a record infers from that type (core/node.hpp), a table has the cast as a row (graph/table.hpp).
constexpr bool takes_half(op_info const& op) {
    switch (op.kind) {
    case op_kind::input:
    case op_kind::variable:
    case op_kind::updated:
    case op_kind::constant:
    case op_kind::size:
    case op_kind::alias:
    case op_kind::broadcast:
    case op_kind::transpose:
    case op_kind::slice:
    case op_kind::concat:
    case op_kind::index:
    case op_kind::scan:   // is given none
    case op_kind::part:
    case op_kind::gradient: return true;
    case op_kind::reduce:
    case op_kind::matmul:
    case op_kind::random: return false;
    case op_kind::elementwise: return op.converts;
    case op_kind::kernel:
    case op_kind::composite: return op.half_operands;
    }
    return false;
}

/// Base of the record: name, kind, rules; the rest by designated members of the operation (see core/elementwise.hpp).
constexpr op_info make_op(
    std::string_view name, op_kind kind, value_info (*infer)(value_info const*, int, attributes const&), void (*derive)(derivation&)) {
    op_info r{};
    r.name = name;
    r.kind = kind;
    r.infer = infer;
    r.derive = derive;
    return r;
}

namespace detail {
/// Whether an operation gives its gradients by `derive`, as row_op and kernel_op do.
template<class Op>
concept Derives = requires { static_cast<void (*)(derivation&)>(Op::derive); };
// A member that is there and has another form would be passed over: no gradient would pass, and nothing would say so.
template<class Op>
concept HasDerive = requires { &Op::derive; };
template<class Op>
concept HasDerivative = requires { &Op::derivative; };
}

namespace detail {
constexpr op_info hashed(op_info r) {
    r.hash = hash_text(r.name);
    return r;
}
/// An operation that does not describe itself has a base, such as elementwise_op, for which there is an op_description(Op const*).
template<class Op>
constexpr op_info describe() {
    if constexpr (requires { Op::describe(); }) return hashed(Op::describe());
    else return hashed(op_description(static_cast<Op const*>(nullptr)));
}
}
/// One record per operation type; its address is the operation's identity.
template<class Op>
inline constexpr op_info op_instance = detail::describe<Op>();

// From the address of a record back to the type of the operation: op_key<p> declares a friend, op_register<Op> defines it. Each key has exactly
// one definition, made from the operation alone, so it is the same in every translation unit.
template<op_info const* P>
struct op_key {
#if defined(__GNUC__) && !defined(__clang__)
#    pragma GCC diagnostic push
#    pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
    friend constexpr auto op_type_of(op_key);
#if defined(__GNUC__) && !defined(__clang__)
#    pragma GCC diagnostic pop
#endif
};
template<class Op>
struct op_register {
    // In front of the friend: operations that derive each other ask for it while that is made.
    static constexpr op_info const* info = &op_instance<Op>;
    friend constexpr auto op_type_of(op_key<&op_instance<Op>>) { return std::type_identity<Op>{}; }
};
/// The type of the operation whose record is at P.
template<op_info const* P>
using op_at = typename decltype(op_type_of(op_key<P>{}))::type;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
