// SPDX-License-Identifier: MIT
// Runs the steps of a program part by part, counts them, and compares a trainer's with whole ones.
#pragma once

#include <xgrad/backend/aligned_buffer.hpp>
#include <xgrad/run/step_part.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace step_part {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim features{"features"};

inline constexpr auto x = xg::input<"x", float, batch, features>;
inline constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
inline constexpr auto bags = xg::input<"bags", std::int64_t, batch, 3>;
inline constexpr auto w = xg::variable<"w", float, features, 10>;
inline constexpr auto b = xg::variable<"b", float, 10>;
inline constexpr auto table = xg::variable<"table", float, 20, 10>;
inline constexpr auto wide = xg::variable<"wide", float, 70, 90>;
inline constexpr auto hidden = xg::tanh(xg::matmul(x, w) + b);
inline constexpr auto rows = xg::gather(table, ids) + xg::embedding_bag(table, bags);

struct counts {
    int steps = 0, in_parts = 0, updates = 0, fused = 0, handed_on = 0, by_rows = 0, lanes = 0, columns = 0, static_rows = 0;
    // Those after `in_parts` count a kind of the steps in parts: updates; products with an update in their tiles; kernels with the loop
    // after them; updates by rows; lane nests.
    // The last two: nests that sum over their outermost loop; products of static height.
};
/// Runs the steps of a program one by one, those that can in three parts, the last one first.
template<class P, int S = 0>
void run_in_parts(xg::runtime_plan const& plan, xg::step_arguments const* all, counts& n) {
    if constexpr (S < P::plan.step_count) {
        constexpr xg::planner::plan_step s = P::plan.steps[S];
        ++n.steps;
        if (all[S].kernel == nullptr) CHECK(s.joined_to > 0);
        else if (!s.in_parts) {
            xg::step_arguments alone = all[S];
            alone.groups = nullptr;   // who would have made them ran in parts
            alone.kernel(alone);
        } else {
            ++n.in_parts;
            n.updates += s.kind == xg::planner::step_kind::update;
            n.by_rows += s.kind == xg::planner::step_kind::update && s.sparse;
            n.lanes += s.lane >= 0;
            n.columns += s.kind == xg::planner::step_kind::nest && s.part_loop > 0;
            n.static_rows += s.kind == xg::planner::step_kind::matmul && s.static_m >= 0;
            n.fused += P::plan.steps[S + 1].fused;
            std::int64_t const turns = xg::turns_of(s, all[S]);
            std::int64_t const cut[]{turns, turns - turns / 3, turns / 5, 0};
            for (int k = 0; k < 3; ++k) {
                std::vector<xg::step_arguments> a(all + S, all + S + xg::steps_of_part(s));
                std::vector<xg::operand_argument> operands(static_cast<std::size_t>(xg::operands_of_part(plan, S)));
                xg::aligned_buffer<std::byte> scratch(xg::part_scratch(plan, S, a[0]));
                bool bad = false;
                a[0].scratch = scratch.data();
                a[0].bad_index = &bad;
                xg::take_part(plan, S, a.data(), operands.data(), cut[k + 1], cut[k]);
                for (int i = 0; i < s.operand_count; ++i) {   // no part writes where another one may write at the same time
                    xg::planner::step_operand const& o = plan.operands[s.first_operand + i];
                    bool const passing = o.base == xg::planner::step_operand::where::buffer && plan.buffers[o.index].passing;
                    if (passing || o.base == xg::planner::step_operand::where::scratch)
                        CHECK(scratch.holds(operands[static_cast<std::size_t>(i)].data));
                }
                a[0].kernel(a[0]);
                CHECK(!bad);
                n.handed_on += s.hands_on();
            }
        }
        run_in_parts<P, S + 1>(plan, all, n);
    }
}
template<class T>
std::vector<T> numbers(std::size_t n, T limit) {
    std::vector<T> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<T>(std::fmod(static_cast<double>(i * 7 + 3) * 0.37, static_cast<double>(limit)));
    return v;
}
/// A step of one trainer against one of another whose steps run in parts.
template<class Rule, class Loss>
counts compare_updates(Rule const& rule, Loss loss) {
    counts n;
    for (std::size_t size : {1u, 7u, 33u}) {
        auto whole = xg::minimize(loss, rule, features = 17), parts = xg::minimize(loss, rule, features = 17);
        using P = typename decltype(whole)::program_type;
        whole.initialize(xg::random_uniform{.seed = 3, .range = 0.5});
        parts.initialize(xg::random_uniform{.seed = 3, .range = 0.5});
        auto const images = numbers(size * 17, 1.0f);
        auto const single = numbers(size, std::int32_t{10});
        auto const many = numbers(size * 3, std::int64_t{20});
        auto const call = [&](auto&& f) {
            auto const in = xg::array(images.data(), size, 17);
            if constexpr (P::plan.input_count == 1) f(x = in);
            else f(x = in, ids = single, bags = xg::array(many.data(), size, 3));
        };
        call(whole);
        xg::runner r(P::runtime.view());
        r.borrow(parts.store());
        r.borrow_slots(parts.optimizer());
        auto const scalars = rule.template prepare<float>(0, parts.optimizer().powers.at);
        r.set_scalars(0, xg::dtype::float32, &scalars);
        call([&](auto const&... bound) {
            xg::detail::arguments<P> const a(bound...);
            REQUIRE(r.bind(a.refs, a.given, true));
        });
        xg::flush_denormals const guard(true);
        run_in_parts<P>(P::runtime.view(), r.arguments(), n);
        auto const same = [](xg::stored_part const& p, xg::stored_part const& q) { CHECK(std::memcmp(p.data, q.data, p.bytes()) == 0); };
        for (int k = 0; k < whole.store().variables().count; ++k) {
            auto const &one = whole.store().variables().at[k], &other = parts.store().variables().at[k];
            same(xg::part_of(one), xg::part_of(other));
            auto const &slots = *whole.optimizer().find(k), &others = *parts.optimizer().find(k);
            for (int s = 0; s < slots.slot_count; ++s) same(xg::part_of(slots, s, one), xg::part_of(others, s, other));
        }
    }
    return n;
}

}   // namespace step_part
