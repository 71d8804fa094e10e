// SPDX-License-Identifier: MIT
// What an operation is, as data: the constexpr record that flattening, gradients and planning work on.
#pragma once

#include <xgrad/core/dtype.hpp>
#include <xgrad/core/shape.hpp>

#include <type_traits>

XGRAD_NAMESPACE_BEGIN

/// The most operands and outputs that an operation has.
inline constexpr int max_operands = 32, max_outputs = 32;

/// How an operation runs. The planner knows operations by this and by the properties in op_info, never by name.
enum class op_kind : unsigned char {
    input,         // leaf bound at the call
    variable,      // leaf in the variable store
    constant,      // a number
    size,          // an extent as a number
    elementwise,   // value(V...) on broadcast operands
    reduce,        // sum or maximum over axes
    matmul,        // attributes: transpose a, transpose b
    kernel,        // loops of its own on whole operands, see core/kernel.hpp; one output or several
    alias,         // the same elements under another shape
    broadcast,     // the same elements, repeated
    transpose,     // attribute: permutation
    slice,         // attributes: axis, begin, length, step
    concat,        // attribute: axis
    index,         // the position along an axis
    random,        // uniform numbers of a named stream
    scan,          // a loop over a region, the body; several outputs
    part,          // attribute: which output of its operand, an operation with several
    composite,     // written in terms of other operations
    gradient       // expanded while flattening
};

/// Why a shape or dtype rule refuses its operands; public functions turn it into a sentence.
enum class fault : unsigned char { none, dtypes, not_floating, not_integer, not_boolean, shapes, rank, axis, inner, overflow, too_long };

/// Element type and shape of one operand or result.
struct value_info {
    dtype type;
    shape dims;
    fault wrong;
};

inline constexpr int max_attributes = 4;

/// The compile-time arguments of an operation other than its operands.
struct attributes {
    std::int64_t integer[max_attributes];
    double number;             // value of a constant
    std::uint64_t name_hash;   // leaves and random streams
    std::string_view name;
    shape target;   // alias and broadcast: the shape of the result

    constexpr std::uint64_t hash() const {
        std::uint64_t h = name_hash;
        if ((integer[0] | integer[1] | integer[2] | integer[3]) != 0)
            for (auto i : integer) h = hash_mix(h, static_cast<std::uint64_t>(i));
        return target.rank == 0 ? h : hash_mix(h, target.hash());
    }
};

enum class monoid : unsigned char { none, sum, maximum };

struct derivation;
struct symbol;
struct symbol_table;
struct region_info;
struct kernel_info;

/// Which operand of an operation holds indices, and what they must stay below: axis `axis` (from the back where negative) of operand `of`, of the
/// result where `of` is negative.
struct index_bound {
    int operand = -1;   // none
    int of = 0;
    int axis = 0;
};

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
    bool self_inverse;   // op(op(x)) == x
    bool converts;       // only the element type changes: nothing to do where it is the same
    bool cheap;          // computed again in each loop that reads it, whatever its element type
    bool multilinear;    // linear in each of two operands, so c a b: what does not vary along a sum is taken out of it
    bool negates;        // -x: the sign is taken out of a sum
    monoid combine;      // reduce
    value_info (*infer)(value_info const* operands, int count, attributes const& a);
    void (*derive)(derivation& d);                                                               // null: no gradient passes
    symbol (*expand)(symbol_table& t, symbol const* operands, int count, attributes const& a);   // composite and gradient
    region_info const* region;                                                                   // scan
    kernel_info const* kernel;                                                                   // kernel
    int outputs;                                                                                 // 0: one, the row itself
    value_info (*infer_output)(
        value_info const* operands, int count, attributes const& a, int output);   // of several; `infer` gives the first
    index_bound indices;   // compared when the call binds them, where they are an input and the extent is known
};

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

/// One record per operation type; its address is the operation's identity.
template<class Op>
struct op_description {
    static constexpr op_info make() { return Op::describe(); }
};
template<class Op>
inline constexpr op_info op_instance = [] {
    op_info r = op_description<Op>::make();
    r.hash = hash_text(r.name);
    return r;
}();

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
    friend constexpr auto op_type_of(op_key<&op_instance<Op>>) { return std::type_identity<Op>{}; }
    static constexpr op_info const* info = &op_instance<Op>;
};
/// The type of the operation whose record is at P.
template<op_info const* P>
using op_at = typename decltype(op_type_of(op_key<P>{}))::type;

XGRAD_NAMESPACE_END
