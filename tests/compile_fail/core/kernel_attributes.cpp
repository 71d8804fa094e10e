// SPDX-License-Identifier: MIT
// expect-error: xgrad: this operation has attributes and is used without them
// A kernel that would run with zeros for its attributes.
#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/ops/ops.hpp>

namespace xg = xgrad;

struct shifted_op : xg::kernel_op {
    struct attributes {
        std::int64_t by;
    };
    static constexpr std::string_view name = "shifted";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) { return v[0]; }
    static void run(attributes const& a, xg::kernel_part const& part, xg::tensor_view<float const, 1> x, xg::tensor_view<float, 1> y) {
        for (std::int64_t i = part.first; i < part.last; ++i) y[i] = x[(i + a.by) % x.size()];
    }
};
#ifdef XGRAD_EXPECT_ERROR
constexpr xg::kernel_function<shifted_op> shifted{};
#else
constexpr xg::kernel_function<xg::with<shifted_op, shifted_op::attributes{2}>> shifted{};
#endif
constexpr auto y = shifted(xg::input<"x", float, 5>);
