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
constexpr auto points = xg::input<"points", float, batch, 5>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto bags = xg::input<"bags", std::int64_t, batch, 3>;
constexpr auto w = xg::variable<"w", float, features, 10>;
constexpr auto b = xg::variable<"b", float, 10>;
constexpr auto table = xg::variable<"table", float, 20, 10>;
constexpr auto wide = xg::variable<"wide", float, 70, 90>;
constexpr auto hidden = xg::tanh(xg::matmul(x, w) + b);
constexpr auto rows = xg::gather(table, ids) + xg::embedding_bag(table, bags);
constexpr auto dropped = xg::dropout<"drop">(hidden * rows, 0.5_c);
constexpr auto best = std::get<0>(xg::top_k<3>(xg::softmax(dropped)));
constexpr auto positions = xg::one_hot<10>(ids) * hidden;

struct counts {
    int steps = 0, in_parts = 0, updates = 0, fused = 0, handed_on = 0, by_rows = 0, lanes = 0, columns = 0,
        static_rows = 0;   // of those in parts: updates, products with an update in their
                           // tiles, kernels with the loop behind them, updates by rows, lane nests, nests that sum over their outermost
                           // loop, products of static height
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
                kernel::run(a[0]);
                CHECK(!bad);
                n.handed_on += s.hands_on();
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
        xg::variables vars{x, hidden, rows, wide, features = 17};
        vars.initialize(xg::random_uniform{.seed = 3, .range = 0.5});
        xg::runner r(P::runtime.view());
        r.borrow(vars.store());
        auto const images = numbers(size * 17, 1.0f);
        auto const one = numbers(size, std::int32_t{10});
        auto const many = numbers(size * 3, std::int64_t{20});
        xg::detail::arguments<P> const a = [&] {
            if constexpr (P::input_index(decltype(points)::info.attrs.name_hash) >= 0)
                return xg::detail::arguments<P>(points = xg::array(images.data(), size, 5));
            else if constexpr (P::plan.input_count == 1) return xg::detail::arguments<P>(x = xg::array(images.data(), size, 17));
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
constexpr auto v = xg::variable<"v", float, features, 1>;
constexpr auto scale = xg::variable<"scale", float, features>;
constexpr auto dense_loss = xg::mean(xg::square(xg::matmul<false, true>(hidden, w) * scale)) + xg::sum(xg::square(xg::matmul(x, v)));

/// A step of one trainer against one of another whose steps run in parts.
template<class Rule, class Loss = decltype(dense_loss)>
counts compare_updates(Rule const& rule, Loss loss = {}) {
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
/// Moves rows that occur, and nothing else.
struct lazy_momentum : xg::momentum {
    static constexpr auto sparse = xg::sparse_semantics::lazy;
};
TEST_CASE("updates by rows run in parts with the same bits") {
    constexpr auto second = xg::variable<"second", float, 13, 1>;   // rows of one element, each index twice at most
    constexpr auto loss = xg::mean(xg::square(rows * xg::gather(second, ids) + hidden));
    CHECK(compare_updates(xg::adam{.learning_rate = 0.01}, loss).by_rows > 0);
    CHECK(compare_updates(xg::adamw{.weight_decay = 0.1}, loss).by_rows > 0);
    CHECK(compare_updates(xg::lazy_adam{.learning_rate = 0.01}, loss).by_rows > 0);
    CHECK(compare_updates(lazy_momentum{}, loss).by_rows > 0);
    CHECK(compare_updates(xg::rowwise_adagrad{}, loss).by_rows == 0);
}
TEST_CASE("sums over the outermost loop are left whole") {
    counts const n = compare(xg::outputs(xg::sum<0>(hidden), xg::mean(xg::square(hidden))));
    CHECK(n.in_parts > 0);
    CHECK(n.in_parts < n.steps);
}
TEST_CASE("a loop that is not summed runs in parts where the outermost is summed") {
    constexpr auto centred = x - xg::mean<0>(x);
    counts const n = compare(xg::outputs(xg::sum<0>(xg::square(x)), xg::max<0>(x), xg::sum<0>(xg::tanh(centred) * centred)));
    CHECK(n.columns > 0);
    constexpr auto each = xg::reshape<batch, 3, features>(xg::concat<1>(x, 2_c * x, 3_c * x));
    CHECK(compare(xg::outputs(xg::sum<0>(xg::exp(each)), xg::sum<0, 2>(each))).columns > 0);
}
TEST_CASE("lanes") {
    constexpr auto mean = xg::slice<1, 0, 5>(xg::slice<0, 0, 7>(wide));
    constexpr auto away = xg::expand_dims<1>(points) - mean;
    constexpr auto weight = xg::softmax<1>(-xg::sum<2>(xg::square(away)));
    counts const n = compare(xg::outputs(xg::sum<0, 1>(xg::expand_dims<2>(weight) * away), xg::sum<0>(weight)));
    CHECK(n.lanes > 0);
}
template<std::int64_t Rows>
void compare_tall() {
    CAPTURE(Rows);
    constexpr auto up = xg::variable<"up", float, 10, Rows>;
    constexpr auto tall = xg::variable<"tall", float, Rows, 37>;   // a panel of columns, one in part
    constexpr auto loss = xg::mean(xg::square(xg::matmul(xg::tanh(xg::matmul(hidden, up)), tall)));
    counts const n = compare_updates(xg::adam{.learning_rate = 0.01}, loss);
    CHECK(n.static_rows > 0);
    CHECK(n.fused > 0);
    constexpr auto left = xg::slice<1, 0, 20>(xg::reshape<Rows, 30>(xg::slice<0, 0, Rows / 3>(wide)));
    counts const m =
        compare(xg::outputs(xg::relu(xg::matmul(left, table)), xg::matmul<true, false>(xg::transpose(left), xg::tanh(table)), x + 0_c));
    CHECK(m.static_rows == 10);   // two, of five sizes
}
TEST_CASE("products of static height") {   // no rows behind the tiles, few, more than a tile
    compare_tall<144>();
    compare_tall<129>();
    compare_tall<141>();
    compare_tall<138>();
}
TEST_CASE("long loops of static length") {
    counts const n = compare(xg::outputs(xg::tanh(wide) * wide, x + 0_c));
    CHECK(n.in_parts == n.steps);
}
TEST_CASE("a loop along one dimension") {
    counts const n = compare(xg::outputs(xg::exp(xg::matmul(x, xg::slice<1, 0, 1>(w))), 2_c * x));
    CHECK(n.in_parts > 0);
}
}
