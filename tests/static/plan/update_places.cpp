// SPDX-License-Identifier: MIT
// The places of updates in a plan: after the last step that may find an index out of range, and after the last read of the old value.
#include <xgrad/xgrad.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim n{"n"};
constexpr auto large = xg::variable<"large", float, 9, 3>;
constexpr auto small = xg::variable<"small", float, 4, 3>;
constexpr auto where = xg::input<"where", float, n>;
constexpr auto computed = xg::cast<std::int32_t>(where * 2_c);

template<class V, class I>
constexpr auto slope(V table, I ids) {
    return xg::with_variable(xg::gradient_of(xg::sum(xg::square(xg::gather(table, ids) - 1_c)), table), table);
}
constexpr int last_lookup(auto const& plan) {
    int at = -1;
    for (int s = 0; s < plan.step_count; ++s)
        if (plan.steps[s].kind == xg::planner::step_kind::kernel && xg::planner::reports_indices(*plan.steps[s].op)) at = s;
    return at;
}
template<class Train>
constexpr bool checks_come_first(std::type_identity<Train>) {
    constexpr auto const& plan = Train::program_type::plan;
    return last_lookup(plan) >= 0 && last_lookup(plan) < xg::planner::first_update(plan) &&
           xg::planner::first_update(plan) < plan.step_count;
}
template<class... Pair>
constexpr auto training_of(Pair... pairs) {
    return std::type_identity<decltype(xg::apply_gradients(xg::gradient_descent{}, xg::sum(where), pairs...))>{};
}

// what is good for a large table may be out of range for a small one
static_assert(checks_come_first(training_of(slope(large, computed), slope(small, computed))));
static_assert(checks_come_first(training_of(slope(small, computed), slope(large, computed))));
// also where the indices are seen through a view
static_assert(checks_come_first(training_of(slope(large, computed), slope(small, xg::reshape<n, 1>(computed)))));

constexpr auto w = xg::variable<"w", float, 8, 8>;
constexpr auto v = xg::variable<"v", float, 8, 8>;
constexpr auto left = xg::input<"left", float, 8, 8>;
constexpr auto right = xg::input<"right", float, 8, 8>;
template<class Train>
constexpr int fused_updates(std::type_identity<Train>) {
    int count = 0;
    for (auto const& s : Train::program_type::plan.steps) count += s.kind == xg::planner::step_kind::update && s.fused;
    return count;
}
constexpr auto product = xg::matmul(left, right);
// in the tiles of the product, unless that product or a later step needs the old value, or somebody else the gradient
static_assert(fused_updates(training_of(xg::with_variable(product, w))) == 1);
static_assert(fused_updates(training_of(xg::with_variable(xg::matmul(left, w), w))) == 0);
static_assert(fused_updates(training_of(xg::with_variable(product, w), xg::with_variable(xg::tanh(w), v))) == 0);
static_assert(fused_updates(training_of(xg::with_variable(product, w), xg::with_variable(product, v))) == 0);
static_assert(fused_updates(training_of(xg::with_variable(product, w), xg::with_variable(xg::tanh(product), v))) == 0);
}
