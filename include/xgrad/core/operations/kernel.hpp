// SPDX-License-Identifier: MIT
// What an operation with loops of its own says to the planner: how it addresses memory, which extents it asks for, what it reads.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/op.hpp>

XGRAD_NAMESPACE_BEGIN

/// How a kernel addresses an operand or an output.
enum class layout : unsigned char {
    contiguous,   // row-major, without gaps
    rows          // the first axis at any distance, what lies behind it without gaps; an output may be computed inside a concatenation so
};

/// Element types and shapes of the operands of a kernel, then of its outputs.
struct kernel_operands {
    value_info const* const* at;
    int operands, outputs;
    attributes attrs;

    constexpr value_info const& operator[](int k) const { return *at[k]; }
    constexpr shape const& dims(int k) const { return at[k]->dims; }
    constexpr int count() const { return operands + outputs; }
};

/// How describe(), summarize() and to_dot() speak of a kernel.
struct kernel_text {
    std::string_view title;       // of the step
    std::string_view one, many;   // as it is counted
    std::string_view line;        // @ the call, %0 an operand, >0 an output, >* all of them, #0 an extent
    std::string_view label;       // in pictures; empty: the name of the operation
};
inline constexpr kernel_text plain_kernel_text{"kernel", "kernel", "kernels", "[#0]  @ → >*", {}};

/// Functions of the operands that the planner calls; `which` counts operands, then outputs.
struct kernel_info {
    layout (*layout_of)(kernel_operands const&, int which);
    int (*extent_count)(kernel_operands const&);
    /// Extents that the kernel is told, as its parameters; the first one is turns of its outermost loop.
    extent (*extent_of)(kernel_operands const&, int which);
    extent (*read_of)(kernel_operands const&, int operand);   // elements of an operand that it reads; null: all
    extent (*room_of)(kernel_operands const&, int output);    // elements it needs for an output that nobody reads; null: all
    extent (*scratch_of)(kernel_operands const&);             // bytes of scratch memory, an operand behind the outputs; null: none
    unsigned static_extents;                                  // bits: the type of the kernel holds these where they are known, four at most
    bool reports_indices;   // looks at the operand named by op_info::indices and reports an index out of range
    bool whole;             // parts of its outermost loop may not run at the same time
    bool in_order;          // turn n writes piece n of each output, of as many equal pieces in the order of memory as there are turns
    kernel_text text;
};

namespace detail {
template<class Op>
concept SaysFlops = requires { static_cast<extent (*)(kernel_operands const&)>(Op::flops); };
/// Takes the flops of an operation with a kernel: a number for each element, or a function of the shapes.
template<class Op>
constexpr void take_flops(op_info& r) {
    if constexpr (SaysFlops<Op>) r.flops_of = Op::flops;
    else if constexpr (requires { r.flops = Op::flops; }) r.flops = Op::flops;
    else
        static_assert(sizeof(Op) == 0,
            "xgrad: flops of this operation must be `static constexpr int flops`, for each element of the first operand, or `static constexpr extent "
            "flops(kernel_operands const&)`");
}
inline constexpr int most_kernel_operands = 21;   // with outputs: their ranks are part of the type of a kernel, three bits each
constexpr extent size_behind_first(shape const& s) {
    extent n = static_extent(1);
    for (int a = 1; a < s.rank; ++a) n = n * s.extents[a];
    return n;
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
