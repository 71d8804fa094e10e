// SPDX-License-Identifier: MIT
// expect-error: xgrad: the operands of this operation have element types that its infer\(\.\.\.\) does not take
// An operation on floats.
#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

struct turned_op : xg::kernel_op {
    static constexpr std::string_view name = "turned";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        if (v[0].type != xg::dtype::float32) return {v[0].type, {}, xg::fault::dtypes};
        if (v[0].dims.rank != 2) return {v[0].type, {}, xg::fault::rank};
        return v[0];
    }
    static void run(xg::kernel_part const&, xg::tensor_view<float const, 2>, xg::tensor_view<float, 2>);
};
inline constexpr xg::kernel_function<turned_op> turned{};

#ifdef XGRAD_EXPECT_ERROR
constexpr auto y = turned(xg::input<"x", double, 3, 2>);
#else
constexpr auto y = turned(xg::cast<float>(xg::input<"x", double, 3, 2>));
#endif
