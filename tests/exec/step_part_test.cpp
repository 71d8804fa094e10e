// SPDX-License-Identifier: MIT
// Steps run part by part leave the bits that whole steps leave.
#include <support/tensor.hpp>
#include <xgrad/backend/aligned_buffer.hpp>
#include <xgrad/run/step_part.hpp>
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim features{"features"};

constexpr auto x = xg::input<"x", float, batch, features>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto bags = xg::input<"bags", std::int64_t, batch, 3>;
constexpr auto w = xg::variable<"w", float, features, 10>;
constexpr auto b = xg::variable<"b", float, 10>;
constexpr auto table = xg::variable<"table", float, 20, 10>;
constexpr auto hidden = xg::tanh(xg::matmul(x, w) + b);
constexpr auto rows = xg::gather(table, ids) + xg::embedding_bag(table, bags);
constexpr auto dropped = xg::dropout<"drop">(hidden * rows, 0.5_c);
constexpr auto best = std::get<0>(xg::top_k<3>(xg::softmax(dropped)));
constexpr auto positions = xg::one_hot<10>(ids) * hidden;

struct counts {
    int steps = 0, in_parts = 0, updates = 0, fused = 0;   // of those in parts: updates, products with an update in their tiles
};
/// Runs the steps of a program one by one, those that can in three parts, the last one first.
template<class P, int S = 0>
void run_in_parts(xg::runtime_plan const& plan, xg::step_arguments const* all, counts& n) {
    if constexpr (S < P::plan.step_count) {
        constexpr xg::planner::plan_step s = P::plan.steps[S];
        using kernel = decltype(xg::detail::kernel_at<P, S>());
        ++n.steps;
        if (!s.in_parts) kernel::run(all[S]);
        else {
            ++n.in_parts;
            n.updates += s.kind == xg::planner::step_kind::update;
            n.fused += P::plan.steps[S + 1].fused;
            std::int64_t const turns = xg::turns_of(s, all[S]);
            std::int64_t const cut[]{turns, turns - turns / 3, turns / 5, 0};
            for (int k = 0; k < 3; ++k) {
                xg::step_arguments a = all[S];
                std::vector<xg::operand_argument> operands(a.operands, a.operands + s.operand_count);
                xg::aligned_buffer<std::byte> scratch(xg::part_scratch(plan, S, a));
                bool bad = false;
                a.scratch = scratch.data();
                a.bad_index = &bad;
                xg::take_part(plan, s, a, operands.data(), cut[k + 1], cut[k]);
                for (int i = 0; i < s.operand_count; ++i)   // no part writes where another one may write at the same time
                    if (plan.operands[s.first_operand + i].base == xg::planner::step_operand::where::scratch)
                        CHECK(scratch.holds(operands[static_cast<std::size_t>(i)].data));
                kernel::run(a);
                CHECK(!bad);
            }
        }
        run_in_parts<P, S + 1>(plan, all, n);
    }
}
template<class P>
std::vector<float> results(xg::runner& r) {
    std::vector<float> all;
    for (int k = 0; k < P::plan.output_count; ++k) {
        std::int64_t size = 1;
        for (int d = 0; d < P::runtime.output_shapes[k].rank; ++d) size *= r.output_extent(k, d);
        auto const* first = static_cast<float const*>(r.output(k));
        all.insert(all.end(), first, first + size);
    }
    return all;
}
template<class T>
std::vector<T> numbers(std::size_t n, T limit) {
    std::vector<T> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<T>(std::fmod(static_cast<double>(i * 7 + 3) * 0.37, static_cast<double>(limit)));
    return v;
}
template<class E>
counts compare(E) {
    using P = xg::program<E>;
    counts n;
    for (std::size_t size : {1u, 2u, 7u, 33u, 100u}) {
        xg::variables vars{x, hidden, rows, features = 17};
        vars.initialize(xg::random_uniform{.seed = 3, .range = 0.5});
        xg::runner r(P::runtime.view());
        r.borrow(vars.store());
        auto const images = numbers(size * 17, 1.0f);
        auto const one = numbers(size, std::int32_t{10});
        auto const many = numbers(size * 3, std::int64_t{20});
        xg::detail::arguments<P> const a = [&] {
            if constexpr (P::plan.input_count == 1) return xg::detail::arguments<P>(x = xg::array(images.data(), size, 17));
            else return xg::detail::arguments<P>(x = xg::array(images.data(), size, 17), ids = one, bags = xg::array(many.data(), size, 3));
        }();
        REQUIRE(r.bind(a.refs, a.given, true));
        REQUIRE(xg::detail::run_steps<P>(r.arguments()));
        auto const whole = results<P>(r);
        run_in_parts<P>(P::runtime.view(), r.arguments(), n);
        auto const parts = results<P>(r);
        CHECK(std::memcmp(whole.data(), parts.data(), whole.size() * sizeof(float)) == 0);
    }
    return n;
}

TEST_CASE("loops, products, lookups, random numbers and functions on rows run in parts with the same bits") {
    counts const n = compare(xg::outputs(best, positions, xg::sum<1>(hidden), rows));
    CHECK(n.in_parts > n.steps / 2);
}
/// A step of one trainer against one of another whose steps run in parts.
template<class Rule>
counts compare_updates(Rule const& rule) {
    constexpr auto v = xg::variable<"v", float, features, 1>;
    constexpr auto scale = xg::variable<"scale", float, features>;
    constexpr auto loss = xg::mean(xg::square(xg::matmul<false, true>(hidden, w) * scale)) + xg::sum(xg::square(xg::matmul(x, v)));
    counts n;
    for (std::size_t size : {1u, 7u, 33u}) {
        auto whole = xg::minimize(loss, rule, features = 17), parts = xg::minimize(loss, rule, features = 17);
        using P = typename decltype(whole)::program_type;
        whole.initialize(xg::random_uniform{.seed = 3, .range = 0.5});
        parts.initialize(xg::random_uniform{.seed = 3, .range = 0.5});
        auto const images = numbers(size * 17, 1.0f);
        whole(x = xg::array(images.data(), size, 17));
        xg::runner r(P::runtime.view());
        r.borrow(parts.store());
        r.borrow_slots(parts.optimizer());
        auto const scalars = rule.template prepare<float>(0, parts.optimizer().powers.data());
        r.set_scalars(0, xg::dtype::float32, &scalars);
        xg::detail::arguments<P> const a(x = xg::array(images.data(), size, 17));
        REQUIRE(r.bind(a.refs, a.given, true));
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
/// Adam with its moments in 16 bits.
struct short_adam : xg::adam {
    static constexpr std::array slots{xg::slot_info("m", xg::dtype::float16), xg::slot_info("v", xg::dtype::bfloat16),
        xg::slot_info("beta1_power", xg::per::optimizer), xg::slot_info("beta2_power", xg::per::optimizer)};
};

TEST_CASE("updates, also in the tiles of a product, run in parts with the same bits") {
    CHECK(compare_updates(xg::adam{.learning_rate = 0.01}).fused > 0);
    CHECK(compare_updates(short_adam{}).updates > 0);
    CHECK(compare_updates(xg::rowwise_adagrad{}).updates == 0);   // needs whole rows
}
TEST_CASE("sums over the outermost loop are left whole") {
    counts const n = compare(xg::outputs(xg::sum<0>(hidden), xg::mean(xg::square(hidden))));
    CHECK(n.in_parts > 0);
    CHECK(n.in_parts < n.steps);
}
TEST_CASE("a loop along one dimension") {
    counts const n = compare(xg::outputs(xg::exp(xg::matmul(x, xg::slice<1, 0, 1>(w))), 2_c * x));
    CHECK(n.in_parts > 0);
}
}
