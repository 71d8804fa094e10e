// SPDX-License-Identifier: MIT
// What an operation with separate loops declares for the planner: how it addresses memory, which extents it needs, what
// it reads.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/op.hpp>

XGRAD_NAMESPACE_BEGIN

/// The memory layout that a kernel needs for an operand or an output.
enum class layout : unsigned char {
    contiguous,   // row-major, without gaps
    rows          // any distance between entries of the first axis, no gaps within one; so an output may be computed inside a concatenation
};

/// Element types and shapes of the operands of a kernel, followed by those of its outputs.
struct kernel_operands {
    value_info const* const* at;
    int operands, outputs;
    attributes attrs;

    constexpr value_info const& operator[](int k) const { return *at[k]; }
    constexpr shape const& dims(int k) const { return at[k]->dims; }
    constexpr int count() const { return operands + outputs; }
};

/// The words of describe(), summarize() and to_dot() for a kernel.
struct kernel_text {
    std::string_view title;       // title of the step
    std::string_view one, many;   // singular and plural for counts
    std::string_view line;        // @ the call, %0 an operand, >0 an output, >* all of them, #0 an extent
    std::string_view label;       // in pictures; empty: the name of the operation
};
inline constexpr kernel_text plain_kernel_text{"kernel", "kernel", "kernels", "[#0]  @ → >*", {}};

/// Functions of the operands that the planner calls. `which` counts the operands first, then the outputs.
struct kernel_info {
    layout (*layout_of)(kernel_operands const&, int which);
    int (*extent_count)(kernel_operands const&);
    /// Extents that the kernel gets as its parameters. The first one is the number of iterations of its outermost loop.
    extent (*extent_of)(kernel_operands const&, int which);
    extent (*read_of)(kernel_operands const&, int operand);   // elements of an operand that the kernel reads; null: all
    extent (*room_of)(kernel_operands const&, int output);    // elements that it needs for an output that is not read; null: all
    extent (*scratch_of)(kernel_operands const&);             // bytes of scratch memory, passed after the outputs; null: none
    // as bits, at most four: extents that become part of the kernel's type if they are known
    unsigned static_extents;
    bool reports_indices;   // checks the operand named by op_info::indices and reports an index out of range
    bool whole;             // parts of its outermost loop may not run at the same time
    bool in_order;          // iteration n writes piece n of each output; there are as many equal pieces, in memory order, as iterations
    kernel_text text;
};

namespace detail {
template<class Op>
concept SaysFlops = requires { static_cast<extent (*)(kernel_operands const&)>(Op::flops); };
/// Reads the declared flops of an operation with a kernel: a number per element, or a function of the shapes.
template<class Op>
constexpr void take_flops(op_info& r) {
    if constexpr (SaysFlops<Op>) r.flops_of = Op::flops;
    else if constexpr (requires { r.flops = Op::flops; }) r.flops = Op::flops;
    else
        static_assert(sizeof(Op) == 0,
            "xgrad: flops of this operation has another form; write `static constexpr int flops`, for each element of the first "
            "operand, or `static constexpr extent flops(kernel_operands const&)`");
}
inline constexpr int most_kernel_operands = 21;   // includes outputs: the ranks are part of the type of a kernel, three bits each
constexpr extent size_after_first(shape const& s) {
    extent n = static_extent(1);
    for (int a = 1; a < s.rank; ++a) n = n * s.extents[a];
    return n;
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
