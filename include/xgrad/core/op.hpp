// SPDX-License-Identifier: MIT
// An operation as data: the constexpr record that flattening, gradients and planning read.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/attributes.hpp>
#include <xgrad/core/dtype.hpp>

#include <type_traits>

XGRAD_NAMESPACE_BEGIN

/// The largest number of operands and of outputs of an operation.
inline constexpr int max_operands = 32, max_outputs = 32;
/// The same for a step over bodies, which reads all outer expressions of its bodies, and for a request of gradients.
inline constexpr int max_region_operands = 256, max_region_outputs = 256;

/// How an operation runs. The planner knows an operation by its kind and by the properties in op_info, never by its
/// name.
enum class op_kind : unsigned char {
    input,         // leaf bound at the call
    variable,      // leaf in the variable store
    updated,       // the value of its operand, a variable, after the update
    constant,      // a number
    size,          // an extent as a number
    elementwise,   // value(V...) on broadcast operands
    reduce,        // by a monoid over axes; see reduction_attributes
    matmul,        // product_attributes
    kernel,        // has separate loops on whole operands, see core/operations/kernel.hpp; one output or several
    alias,         // the same elements with another shape
    broadcast,     // the same elements, repeated
    transpose,     // permutation_attributes
    slice,         // slice_attributes
    concat,        // axis_attributes
    index,         // the position along an axis
    random,        // uniform numbers of a named stream
    region,        // runs bodies: a loop, a call, a branch; several outputs
    part,          // one output of its operand, an operation that has several; see part_attributes
    composite,     // written in terms of other operations
    gradient       // expanded while flattening
};

/// Why the shape rule or dtype rule of an operation refuses its operands. Public functions turn it into an error
/// sentence.
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

// Attributes that the table, the planner and the printers read. Their meaning depends on the kind of the operation.
struct constant_attributes {
    double value;
};
/// How a variable of a layer begins, if it is not at 0.
enum class start_form : std::int16_t {
    none,
    number,
    second_quarter,   // the number in the second of four parts, 0 elsewhere: forget gates of an LSTM
    orthogonal        // an orthogonal matrix times the number, where initialize draws matrices by their fan
};
struct variable_attributes {
    std::int16_t trainable;
    start_form starts = start_form::none;   // whether it has a start value, which an initializer for all variables leaves
    std::uint32_t start = 0;                // that value, the bits of a float
};
struct reduction_attributes {
    axis_set axes;
    flag keep_dims;   // keep reduced axes with extent 1
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
/// They are followed by three extents: begin, length, and the span from begin to end.
struct slice_attributes {
    std::int32_t axis;
    flag checked;   // its bounds can be compared only at a call
    std::int64_t step;
};
constexpr extent const& slice_begin(attributes const& a) { return a.extents[0]; }
constexpr extent const& slice_length(attributes const& a) { return a.extents[1]; }
constexpr extent const& slice_span(attributes const& a) { return a.extents[2]; }
struct part_attributes {
    std::int64_t output;
};
/// The operands of a gradient, in this order: ys, xs, seeds, and expressions that are held constant. A seed is the
/// start value of the gradient of one y. `seeds` says whether the ys have them.
struct gradient_attributes {
    std::int16_t y_count, x_count, stop_count;
    std::int16_t zeros;   // whether an x without a path to the ys gets zeros
    std::int32_t seeds;
    std::int16_t x;   // which x this is
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

/// An operand that holds indices, and their upper bound. The bound is the extent of axis `axis` of operand `of`. A
/// negative `of` means the result, and a negative `axis` counts from the end.
struct index_bound {
    int operand = -1;   // none
    int of = 0;
    int axis = 0;
};

/// An operand whose elements must be in [from, below) if it is an input. NaN is outside.
struct number_bound {
    int operand = -1;   // none
    double from = 0, below = 0;
    char const* warning =
        nullptr;   // if given, other numbers are not an error: with XGRAD_CHECKS the first call that has one warns with this text
};

namespace detail {
template<bool>
struct constant_condition;
template<int>
inline constexpr int some_object = 0;
template<int N>
concept AddressesAreCompared = requires { typename constant_condition<(&some_object<N> == &some_object<N + 1>)>; };
}
// Operations and nodes are identified by their addresses. g++'s sanitizer treats all pointers as possibly null, so a
// comparison of addresses is not a constant there.
static_assert(detail::AddressesAreCompared<0>,
    "xgrad: with -fsanitize=undefined g++ compares no addresses when compiling; add -fno-sanitize=null,nonnull-attribute,returns-nonnull-attribute, which keeps the "
    "other checks");

/// One operation.
struct op_info {
    std::string_view name;
    std::uint64_t hash;
    op_kind kind;
    int flops;             // per element of the result; for reductions, of the operand
    bool transcendental;   // worth keeping instead of computing it again
    bool commutative;
    bool has_identity;   // identity element: op(x, identity) == x; also on the left if commutative
    double identity;
    bool self_inverse;    // op(op(x)) == x
    bool converts;        // changes only the element type: does nothing if the type is the same
    bool cheap;           // computed again in each loop that reads it, with any element type
    bool multilinear;     // linear in each of two operands: in double, a factor that does not vary along a sum is taken out of it
    bool negates;         // -x: in double the sign is taken out of a sum
    bool half_operands;   // takes elements of 16 bits without conversion; see takes_half
    monoid combine;       // reduce
    value_info (*infer)(value_info const* operands, int count, attributes const& a);
    void (*derive)(derivation& d);                                                               // null: no gradient passes
    symbol (*expand)(symbol_table& t, symbol const* operands, int count, attributes const& a);   // composite and gradient
    region_info const* region;                                                                   // region
    kernel_info const* kernel;                                                                   // kernel
    // flops of a whole kernel; null: `flops` for each element of the first operand that it reads
    extent (*flops_of)(kernel_operands const& v);
    int outputs;   // 0: one output, the node itself
    value_info (*infer_output)(
        value_info const* operands, int count, attributes const& a, int output);   // for several outputs; `infer` gives the first
    index_bound indices;   // compared when a call binds the indices, if they are an input and the extent is known
    number_bound numbers;
    int owned;               // which operand is a variable that belongs to this one call (of a layer); 0: none
    int moves;               // with at least this number of operands it is a layer with state, which nn::updates moves; 0: never
    void const* values;      // of an input that is bound already, see ops/constant_array.hpp; null: bound in a call
    bool lacks_derivative;   // a user's operation without derivative(...) or derive(...): a gradient that reaches it is an error
    bool is_last_gradient;   // lacks_derivative, of the library: the gradient of an operation that has no second one
};

/// Whether an operation takes elements of bfloat16 and float16 as they are, because it moves or converts them. All
/// other operations see cast<float> of such an operand. A record infers its type from that (core/node.hpp). A table has
/// the cast as a row (graph/table.hpp).
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
    case op_kind::region:   // never gets 16-bit operands
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

/// Base of the record: name, kind and rules. The rest comes from designated members of the operation (see
/// core/operations/elementwise.hpp).
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
/// Whether an operation defines its gradients by `derive`, like row_op and kernel_op.
template<class Op>
concept Derives = requires { static_cast<void (*)(derivation&)>(Op::derive); };
// A member of another form would be ignored silently, and no gradient would pass. These concepts find such members.
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
/// An operation that does not describe itself has a base such as elementwise_op. For the base there is an
/// op_description(Op const*).
template<class Op>
constexpr op_info describe() {
    if constexpr (requires { Op::describe(); }) return hashed(Op::describe());
    else return hashed(op_description(static_cast<Op const*>(nullptr)));
}
}
/// One record per operation type. Its address identifies the operation.
template<class Op>
inline constexpr op_info op_instance = detail::describe<Op>();

// These two templates lead from the address of a record back to the type of the operation. op_key<p> declares a friend
// function, and op_register<Op> defines it. Each key has exactly one definition, made from the operation alone. So it
// is the same in every translation unit.
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
    // Declared before the friend: operations that derive each other need it while the friend is instantiated.
    static constexpr op_info const* info = &op_instance<Op>;
    friend constexpr auto op_type_of(op_key<&op_instance<Op>>) { return std::type_identity<Op>{}; }
};
/// The type of the operation that has its record at P.
template<op_info const* P>
using op_at = typename decltype(op_type_of(op_key<P>{}))::type;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
