// SPDX-License-Identifier: MIT
// expect-error: xgrad: row_function, kernel_function or elementwise gets a struct with another base
// An operation with its own loops as one on rows.
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
};
#ifdef XGRAD_EXPECT_ERROR
inline constexpr xg::row_function<my_op> my{};
#else
inline constexpr xg::kernel_function<my_op> my{};
#endif
constexpr auto z = my(x);
