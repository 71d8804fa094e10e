// SPDX-License-Identifier: MIT
// The passes of the planner one by one, on expressions of a few mock operations of which only their properties are known.
#include <xgrad/plan/arena.hpp>
#include <xgrad/xgrad.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim batch{"batch"};

struct plain_op : xg::elementwise_op {   // worth its memory
    static constexpr std::string_view name = "plain";
    static constexpr int flops = 5;
    static auto value(auto x) { return x; }
};
struct cheap_op : plain_op {
    static constexpr std::string_view name = "cheap";
    static constexpr int flops = 1;
    static constexpr bool cheap = true;
};
struct costly_op : plain_op {
    static constexpr std::string_view name = "costly";
    static constexpr int flops = 20;
    static constexpr bool transcendental = true;
};
struct both_op : xg::elementwise_op {
    static constexpr std::string_view name = "both";
    static constexpr int flops = 5;
    static auto value(auto x, auto) { return x; }
};
inline constexpr xg::elementwise<plain_op> plain{};
inline constexpr xg::elementwise<cheap_op> cheap{};
inline constexpr xg::elementwise<costly_op> costly{};
inline constexpr xg::elementwise<both_op> both{};

constexpr auto x = xg::input<"x", float, batch, 8>;
constexpr auto y = xg::input<"y", float, batch, 8>;
constexpr auto square = xg::input<"square", float, 8, 8>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;

/// What the passes make of some results.
template<class... E>
struct planned {
    using request = typename xg::program<xg::expression_list<E...>>::request;
    using passes = xg::planner::passes<request, xg::gating::none, true>;
    static constexpr auto const& placed = passes::placed.nodes;
    static constexpr auto const& fused = passes::fused;

    /// The node of the n-th operation of that name.
    static constexpr int node(std::string_view name, int n = 0) {
        for (int i = 0; i < request::table.count; ++i)
            if (request::table[i].op->name == name && n-- == 0) return i;
        return -1;
    }
    static constexpr xg::planner::node_facts at(std::string_view name, int n = 0) { return placed[node(name, n)]; }
    static constexpr xg::planner::node_facts in_steps(std::string_view name, int n = 0) { return fused.nodes[node(name, n)]; }
};
template<class... E>
planned<E...> of(E...);

// ---- placement: which views are copied
using turned = decltype(of(plain(xg::transpose(x)), xg::matmul(xg::transpose(y), x), xg::gather(xg::transpose(square), ids)));
static_assert(!turned::at("transpose", 0).copied);   // a loop reads it by strides
static_assert(!turned::at("transpose", 1).copied);   // a product too
static_assert(turned::at("transpose", 2).copied);    // lookups want whole rows
using spread = decltype(of(xg::matmul(xg::broadcast_to<batch, 8>(xg::input<"row", float, 8>), square), plain(x)));
static_assert(spread::at("broadcast_to").copied);   // a product addresses no element twice
using leaf = decltype(of(x));
static_assert(leaf::at("input").copied);   // a result is memory of the program

// ---- placement: what is computed again in each loop that reads it
using again = decltype(of(costly(cheap(x)), plain(cheap(x)), xg::matmul(plain(y), square)));
static_assert(again::at("cheap").inlined == xg::planner::inlining::cheap);
static_assert(again::at("costly").inlined == xg::planner::inlining::none && again::at("plain").inlined == xg::planner::inlining::none);
using read_by_product = decltype(of(costly(cheap(x)), xg::matmul(cheap(x), square)));
static_assert(read_by_product::at("cheap").inlined == xg::planner::inlining::none);   // the product reads memory
using asked_for = decltype(of(costly(cheap(x)), cheap(x)));
static_assert(asked_for::at("cheap").inlined == xg::planner::inlining::none);   // and so does the caller
using through_view = decltype(of(xg::matmul(xg::transpose(cheap(x)), y)));
static_assert(through_view::at("cheap").inlined == xg::planner::inlining::none);
using pairs = decltype(of(xg::sum<1>(xg::square(xg::expand_dims<1>(x) - square))));
static_assert(pairs::at("sub").inlined == xg::planner::inlining::spread);   // larger than all that it is made of
using numbers = decltype(of(plain(x) * xg::cast<float>(0.5_c)));
static_assert(numbers::node("costly") < 0);

// ---- placement: operands of a concatenation are computed where it keeps them
using joined = decltype(of(xg::concat<1>(plain(x), costly(y), xg::matmul(x, square))));
static_assert(joined::at("plain").placed == joined::node("concat") && joined::at("costly").placed == joined::node("concat"));
static_assert(joined::at("matmul").placed == joined::node("concat"));
using twice = decltype(of(xg::concat<1>(plain(x), plain(x))));
static_assert(twice::at("plain").placed < 0);
using needed_whole = decltype(of(xg::concat<0>(plain(x), y), xg::gather(plain(x), ids)));
static_assert(needed_whole::at("plain").placed < 0);
using result_too = decltype(of(xg::concat<0>(plain(x), y), plain(x)));
static_assert(result_too::at("plain").placed < 0);

// ---- fusion: which nodes run in one loop, and which of them are stored
using chain = decltype(of(costly(plain(costly(x)))));
static_assert(chain::fused.step_count == 1);
static_assert(!chain::in_steps("plain").stored && chain::in_steps("costly", 1).stored);
using apart = decltype(of(plain(x), plain(xg::input<"other", float, 3>)));
static_assert(apart::fused.step_count == 2);   // other sizes, another loop
using behind_sum = decltype(of(both(plain(x), xg::sum<1>(plain(x), xg::keep_dims))));
static_assert(behind_sum::fused.step_count == 1);   // a sum of the row, then the row again
using behind_total = decltype(of(both(plain(x), xg::sum(plain(x)))));
static_assert(behind_total::fused.step_count == 2);   // the sum of all rows is known when all have run
static_assert(behind_total::in_steps("sum").stored);
using behind_product = decltype(of(plain(xg::matmul(x, square))));
static_assert(behind_product::fused.step_count == 1);   // in its tiles
static_assert(!behind_product::in_steps("matmul").stored);
using sum_of_product = decltype(of(xg::sum(xg::matmul(x, square))));
static_assert(sum_of_product::fused.step_count == 2 && sum_of_product::in_steps("matmul").stored);
using part_beside =
    decltype(of(both(xg::slice<0, 2, 6>(xg::concat<0>(plain(xg::input<"v", float, 4>), costly(plain(xg::input<"v", float, 4>)))),
        plain(xg::input<"v", float, 4>))));
static_assert(part_beside::in_steps("both").step > part_beside::in_steps("concat").ready);   // when all of the concatenation is there
using types = decltype(of(xg::cast<double>(plain(x)) * 2_c));
static_assert(types::in_steps("mul").step > types::in_steps("plain").step);   // one element type for each loop
template<class E>
using unfused = xg::planner::passes<typename xg::program<xg::expression_list<E>>::request, xg::gating::none, false>;
static_assert(unfused<decltype(costly(plain(costly(x))))>::fused.step_count == 3);

// ---- memory: who shares a block
constexpr bool blocks_are_shared() {
    xg::planner::extent_pool pool;
    constexpr xg::dim_info b{"batch", xg::hash_text("batch")}, t{"time", xg::hash_text("time")};
    xg::planner::extent_id const small = pool.intern(xg::static_extent(8)), large = pool.intern(xg::static_extent(80)),
                                 by_batch = pool.intern(xg::named_extent(&b)), by_time = pool.intern(xg::named_extent(&t)),
                                 twice = pool.intern(xg::named_extent(&b) + xg::named_extent(&b));
    xg::planner::arena_planner arena(pool, 10);
    int const first = arena.place(small, 0, 1), beside = arena.place(small, 1, 2), after = arena.place(large, 2, 3);
    int const one = arena.place(by_batch, 3, 4), other = arena.place(by_time, 5, 6), longer = arena.place(twice, 7, 8);
    return first != beside                                                  // both live in step 1
           && after == first                                                // free again, and grown
           && arena.bytes(after) == xg::static_extent(80) && other != one   // of two dimensions none is known to be larger
           && longer == one && arena.bytes(one) == pool.values.at[twice];
}
static_assert(blocks_are_shared());

}   // namespace
