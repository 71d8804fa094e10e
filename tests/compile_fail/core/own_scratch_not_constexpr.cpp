// SPDX-License-Identifier: MIT
// expect-error: xgrad: scratch_bytes\(\.\.\.\) of this kernel_op cannot run while compiling
// scratch_bytes is not constexpr.
#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;
using namespace xg::literals;

constexpr auto x = xg::input<"x", float, 4>;
struct my_op : xg::kernel_op {
    static constexpr std::string_view name = "my";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) { return v[0]; }
    static void run(xg::kernel_part const& p, xg::tensor_view<float const, 1> a, xg::tensor_view<float, 1> r) {
        for (std::int64_t i = p.first; i < p.last; ++i) r[i] = a[i];
    }
#ifdef XGRAD_EXPECT_ERROR
    static xg::extent scratch_bytes(xg::kernel_operands const& v) { return v.dims(0).extents[0]; }
#else
    static constexpr xg::extent scratch_bytes(xg::kernel_operands const& v) { return v.dims(0).extents[0]; }
#endif
};
inline constexpr xg::kernel_function<my_op> my{};
constexpr auto z = my(x);
