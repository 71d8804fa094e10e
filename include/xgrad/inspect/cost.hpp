// SPDX-License-Identifier: MIT
// What a program costs: flops, bytes touched and arena bytes as polynomials in the named dimensions, fit for static_assert.
#pragma once

#include <xgrad/core/error.hpp>
#include <xgrad/core/rule_state.hpp>
#include <xgrad/plan/kernel_node.hpp>
#include <xgrad/plan/plan.hpp>

#include <tuple>
#include <utility>

XGRAD_NAMESPACE_BEGIN

/// Counts of one step or of a whole program.
struct cost_counts {
    cost_polynomial flops;
    cost_polynomial read;      // bytes
    cost_polynomial written;   // bytes
};

namespace detail {
template<class X>
constexpr auto find_program() {
    if constexpr (requires { typename X::program_type; }) return std::type_identity<typename X::program_type>{};
    else {
        static_assert(
            requires {
                X::plan;
                X::table;
            }, "xgrad: this takes a trainer, a function or a program type");
        return std::type_identity<X>{};
    }
}

/// What the planner's side may know of an update rule.
struct rule_facts {
    std::string_view name;
    slot_info const* slots;   // those of a variable
    int slot_count;
    int flops;   // per element
    bool lazy;   // touches only the rows of a sparse gradient
};
template<class R>
constexpr rule_facts facts_of_rule() {
    rule_facts f{R::name, rule_slots<R>.first, slot_count<R>, 0, R::sparse == std::remove_cvref_t<decltype(R::sparse)>::lazy};
    if constexpr (requires { R::flops; }) f.flops = R::flops;
    return f;
}
template<class Tuple>
struct rule_list;
template<class... R>
struct rule_list<std::tuple<R...>> {
    static constexpr int count = sizeof...(R);
    static constexpr rule_facts facts[sizeof...(R) + 1] = {facts_of_rule<R>()..., {}};
};

constexpr cost_polynomial cost_number(std::int64_t n) {
    cost_polynomial r{};
    r.constant = n;
    return r;
}
constexpr cost_polynomial widen(extent const& e) {
    cost_polynomial r{};
    r.add(e);
    return r;
}

/// The counts of the steps of one plan.
template<class Plan>
struct step_counter {
    cost_counts const* regions;   // a turn of each loop
    Plan const& plan;
    table_view table;
    rule_facts const* rules;

    constexpr extent const& pool(short i) const { return plan.polynomials[i]; }
    constexpr bool moves(short stride) const { return !(pool(stride) == static_extent(0)); }
    static constexpr cost_polynomial times(cost_polynomial const& a, extent const& b) { return multiply<12>(a, b); }

    /// Different elements of an operand that a step visits.
    constexpr cost_polynomial elements(planner::plan_step const& s, planner::step_operand const& o) const {
        cost_polynomial n = cost_number(1);
        if (s.kind == planner::step_kind::matmul) {
            if (moves(o.stride[0])) n = times(n, pool(s.extent[0]));
            return moves(o.inner) ? times(n, pool(s.extent[1])) : n;
        }
        for (int d = 0; d < s.outer_rank; ++d)
            if (moves(o.stride[d])) n = times(n, pool(s.extent[d]));
        return moves(o.inner) ? times(n, pool(s.inner)) : n;
    }
    /// How often an instruction of a level runs.
    constexpr cost_polynomial repetitions(planner::plan_step const& s, int level) const {
        cost_polynomial n = cost_number(1);
        if (s.kind == planner::step_kind::matmul) {
            if (level > 0) n = times(n, pool(s.extent[0]));
            return level > 1 ? times(n, pool(s.extent[1])) : n;
        }
        if (level > 0)
            for (int d = 0; d < s.outer_rank; ++d) n = times(n, pool(s.extent[d]));
        return level > 1 ? times(n, pool(s.inner)) : n;
    }
    static constexpr void touch(cost_polynomial& bytes, cost_polynomial const& n, dtype type, std::int64_t often = 1) {
        bytes.add(n, often * static_cast<std::int64_t>(size_of(type)));
    }
    constexpr void count_instructions(planner::plan_step const& s, cost_counts& c) const {
        for (int k = 0; k < s.ins_count; ++k) {
            planner::instruction const& i = plan.ins[s.first_ins + k];
            cost_polynomial const n = repetitions(s, i.level);
            if (i.kind == planner::ins_kind::apply) c.flops.add(n, i.op->flops);
            if (i.kind == planner::ins_kind::reduce) c.flops.add(n);
            if (i.kind == planner::ins_kind::random) c.flops.add(n, table[plan.operands[s.first_operand + i.operand].node].op->flops);
        }
        for (int k = 0; k < s.operand_count; ++k) {
            bool read = false, written = false;
            for (int q = 0; q < s.ins_count; ++q) {
                planner::instruction const& i = plan.ins[s.first_ins + q];
                if (i.operand != k) continue;
                read = read || i.kind == planner::ins_kind::load;
                written = written || i.kind == planner::ins_kind::store || (i.kind == planner::ins_kind::reduce && i.outer != 0);
                if (i.kind == planner::ins_kind::reduce && i.inner == 0) written = true;
            }
            planner::step_operand const& o = plan.operands[s.first_operand + k];
            if (read) touch(c.read, elements(s, o), o.type);
            if (written) touch(c.written, elements(s, o), o.type);
        }
    }
    constexpr cost_polynomial rows_of_values(planner::plan_step const& s) const {   // indices may share them, as the rows of a bag do
        planner::step_operand const& values = plan.operands[s.first_operand];
        cost_polynomial n = widen(pool(s.inner));
        if (moves(values.stride[0])) n = times(n, pool(s.extent[3]));
        return moves(values.stride[1]) ? times(n, pool(s.extent[1])) : n;
    }
    /// Numbers of a slot that an update of n elements moves.
    constexpr cost_polynomial slot_numbers(planner::plan_step const& s, rule_facts const& rule, per scope, cost_polynomial const& n) const {
        shape const& v = table.dims(s.node);
        axis_range const axes = axes_of(scope, v.rank);
        if (scope == per::element) return n;
        if (scope == per::row && s.sparse && rule.lazy) return widen(pool(s.extent[0]));
        cost_polynomial numbers = cost_number(1);
        for (int d = axes.first; d < axes.first + axes.count; ++d) numbers = times(numbers, v.extents[d]);
        return numbers;
    }
    constexpr void count_update(planner::plan_step const& s, cost_counts& c) const {
        rule_facts const& rule = rules[s.group];
        cost_polynomial n = widen(pool(s.inner));   // elements of the variable
        if (s.sparse) {
            touch(c.read, rows_of_values(s), s.type);
            touch(c.read, widen(pool(s.extent[0])), s.index_type);
            n = times(n, pool(rule.lazy ? s.extent[0] : s.extent[2]));
        } else if (!s.fused) touch(c.read, n, s.type);
        touch(c.read, n, s.memory);
        touch(c.written, n, s.memory);
        for (int k = 0; k < rule.slot_count; ++k) {
            dtype const type = rule.slots[k].type_for(s.type);
            cost_polynomial const numbers = slot_numbers(s, rule, rule.slots[k].scope, n);
            touch(c.read, numbers, type);
            touch(c.written, numbers, type);
        }
        c.flops.add(n, rule.flops);
    }
    constexpr void count_loop(int index, cost_counts& c) const {
        planner::plan_step const& s = plan.steps[index];
        region_form const form = form_of(*s.op->region, table.attrs(s.node));
        int loop = 0;
        for (int k = 0; k < index; ++k) loop += plan.steps[k].kind == planner::step_kind::scan;
        cost_counts turn = regions[loop];
        auto moved = [&](int k) -> cost_polynomial {   // what the turn gives and what is kept of it
            planner::step_operand const& o = plan.operands[s.first_operand + s.read_count + k];
            return times(cost_number(static_cast<std::int64_t>(size_of(o.type))), pool(o.inner));
        };
        for (int k = 0; k < form.carries; ++k) {
            c.read.add(moved(k));   // at the start
            c.written.add(moved(k));
            turn.read.add(moved(k));
            turn.written.add(moved(k));
        }
        for (int k = form.carries; k < form.outputs(); ++k) {
            bool const summed = k >= form.carries + form.stacked;
            turn.read.add(moved(k), summed ? 2 : 1);
            turn.written.add(moved(k));
            planner::step_operand const& o = plan.operands[s.first_operand + s.read_count + k];
            if (!summed) continue;
            c.written.add(moved(k));   // zeros
            turn.flops.add(pool(o.inner));
        }
        c.flops.add(times(turn.flops, pool(s.extent[0])));
        c.read.add(times(turn.read, pool(s.extent[0])));
        c.written.add(times(turn.written, pool(s.extent[0])));
    }
    constexpr void count_kernel(planner::plan_step const& s, cost_counts& c) const {
        planner::kernel_node const k(table, s.node);
        for (int w = 0; w < k.count(); ++w) {
            planner::step_operand const& o = plan.operands[s.first_operand + w];
            if (!o.has_memory()) continue;
            bool const reads = w < k.operand_count(), repeated = k.layout_of(w) == layout::rows && !moves(o.stride[0]);
            extent const elements = repeated ? size_behind_first(k[w].dims) : reads ? k.read_of(w) : k[w].dims.size();
            touch(reads ? c.read : c.written, widen(elements), o.type);
        }
        c.flops.add(widen(k.read_of(0)), s.op->flops);
    }
    constexpr cost_counts count(int index) const {
        planner::plan_step const& s = plan.steps[index];
        cost_counts c{};
        auto const first = widen(pool(s.extent[0]));   // m, or how many rows
        switch (s.kind) {
        case planner::step_kind::nest: count_instructions(s, c); break;
        case planner::step_kind::matmul: {
            cost_polynomial const mk = times(first, pool(s.extent[2])), kn = times(widen(pool(s.extent[2])), pool(s.extent[1]));
            count_instructions(s, c);
            c.flops.add(times(mk, pool(s.extent[1])), 2);
            touch(c.read, mk, s.type);
            touch(c.read, kn, s.type);
            break;
        }
        case planner::step_kind::kernel: count_kernel(s, c); break;
        case planner::step_kind::scan: count_loop(index, c); break;
        case planner::step_kind::update: count_update(s, c); break;
        case planner::step_kind::check: touch(c.read, first, s.index_type); break;
        }
        return c;
    }
};

template<class P>
constexpr cost_counts count_program();
template<class P, class Loops = loop_numbers<P>>
struct region_counts;
template<class P, int... K>
struct region_counts<P, std::integer_sequence<int, K...>> {
    static constexpr cost_counts at[sizeof...(K) + 1] = {count_program<typename P::template region<K>>()..., {}};
};
template<class P>
constexpr cost_counts count_step(int index) {
    return step_counter<std::remove_cvref_t<decltype(P::plan)>>{
        region_counts<P>::at, P::plan, P::table.view(), rule_list<typename P::rules>::facts}
        .count(index);
}
template<class P>
constexpr cost_counts count_program() {
    cost_counts sum{};
    for (int s = 0; s < P::plan.step_count; ++s) {
        cost_counts const c = count_step<P>(s);
        sum.flops.add(c.flops);
        sum.read.add(c.read);
        sum.written.add(c.written);
    }
    return sum;
}
template<class P>
inline constexpr cost_counts counts_of = count_program<P>();

template<int Count>
struct arena_layout {
    extent bytes[Count + 1];
};
/// The blocks of a program and of the bodies of its loops.
template<class P>
constexpr auto find_arena();
template<class P>
inline constexpr auto arena_of = find_arena<P>();
template<class A>
constexpr int blocks_of(A const&) {
    return static_cast<int>(std::extent_v<decltype(A::bytes)>) - 1;
}
template<class P>
constexpr auto find_arena() {
    return []<int... K>(std::integer_sequence<int, K...>) {
        arena_layout<P::plan.block_count + (blocks_of(arena_of<typename P::template region<K>>) + ... + 0)> a{};
        int n = 0;
        for (; n < P::plan.block_count; ++n) a.bytes[n] = P::plan.blocks[n].bytes;
        [[maybe_unused]] auto add = [&](auto const& body) {
            for (int i = 0; i < blocks_of(body); ++i) a.bytes[n++] = body.bytes[i];
        };
        (add(arena_of<typename P::template region<K>>), ...);
        return a;
    }(loop_numbers<P>{});
}

/// The size of a dimension in a list that ends with an empty one.
constexpr std::int64_t size_in(dim_size const* sizes, dim_info const& d) {
    for (; sizes->hash != 0; ++sizes)
        if (sizes->hash == d.hash) return sizes->size;
    raise<value_error>(
        "xgrad: cost: the size of the dimension \"" + std::string(d.name) + "\" is missing; write " + std::string(d.name) + " = 64");
}
template<class Polynomial>
constexpr std::int64_t evaluate(Polynomial const& p, dim_size const* sizes) {
    return p.evaluate([&](dim_info const& d) { return size_in(sizes, d); });
}
}   // namespace detail

/// The program of a trainer or function, or the program itself.
template<class X>
using program_type_of = typename decltype(detail::find_program<std::remove_cvref_t<X>>())::type;

/// The cost of one call: `static_assert(xg::cost_of<decltype(train)>.flops(batch = 64) < 40'000'000)`. Sizes may be left out where a
/// program has no named dimensions. In constant expressions a missing size is a compile-time error, at run time a value_error. Sizes are at
/// least 1.
///
/// flops: a product of [m, k] and [k, n] counts 2mnk; an element-wise operation its `op_info::flops` for each element that it computes,
/// again where it is computed again; a reduction, a bag and a scatter 1 for each element that they add; a random number `op_info::flops`; a
/// function on rows `op_info::flops` for each element of its first operand; a loop its body in each turn, and 1 for each element that it sums.
/// What stands outside the inner loop counts once for each row or once. An update counts its rule's `flops` for each element that it moves.
///
/// bytes: each operand of each step counts once, as elements that the step visits × their size: as read where the step loads it, as written
/// where it stores or accumulates it; what is repeated by broadcasting counts once, an array that a step addresses in two ways (as a factor
/// of a product and behind it) for each. Rows by index count as often as an index names one (caches are not modelled); a sparse update by a
/// rule that is not lazy counts every row. An update reads and writes the variable and its slots. Scratch memory of products and sparse
/// updates does not count.
///
/// arena: blocks of intermediates, shared by those whose lifetimes do not meet. arena_bytes() is what a trainer or function allocates for
/// these sizes: each block rounded up to 64 bytes; with the arenas of the bodies of loops.
template<class X>
struct program_cost {
    using program = program_type_of<X>;
    static constexpr cost_polynomial const& flops_polynomial = detail::counts_of<program>.flops;
    static constexpr cost_polynomial const& read_polynomial = detail::counts_of<program>.read;
    static constexpr cost_polynomial const& written_polynomial = detail::counts_of<program>.written;
    /// Sum of the blocks before rounding.
    static constexpr cost_polynomial arena_polynomial = [] {
        cost_polynomial sum{};
        for (auto const& e : detail::arena_of<program>.bytes) sum.add(e);
        return sum;
    }();
    static constexpr int steps = program::plan.step_count;
    /// The counts of one step.
    template<int Step>
    static constexpr cost_counts step = detail::count_step<program>(Step);

    template<class... D>
    static constexpr std::int64_t flops(D const&... sizes) {
        return value(flops_polynomial, sizes...);
    }
    template<class... D>
    static constexpr std::int64_t bytes_read(D const&... sizes) {
        return value(read_polynomial, sizes...);
    }
    template<class... D>
    static constexpr std::int64_t bytes_written(D const&... sizes) {
        return value(written_polynomial, sizes...);
    }
    template<class... D>
    static constexpr std::int64_t bytes(D const&... sizes) {
        return bytes_read(sizes...) + bytes_written(sizes...);
    }
    template<class... D>
    static constexpr std::int64_t arena_bytes(D const&... sizes) {
        check<D...>();
        dim_size const list[]{sizes..., {}};
        std::int64_t sum = 0;
        for (auto const& e : detail::arena_of<program>.bytes) sum += (detail::evaluate(e, list) + 63) / 64 * 64;
        return sum;
    }

private:
    static constexpr bool fits() { return !flops_polynomial.overflow && !read_polynomial.overflow && !written_polynomial.overflow; }
    template<class... D>
    static constexpr void check() {
        static_assert((std::is_same_v<D, dim_size> && ...), "xgrad: sizes of named dimensions are written batch = 64");
        static_assert(fits(), "xgrad: the cost of this program is a polynomial with more terms than xgrad keeps; ask for single steps");
    }
    template<class... D>
    static constexpr std::int64_t value(cost_polynomial const& p, D const&... sizes) {
        check<D...>();
        dim_size const list[]{sizes..., {}};
        return detail::evaluate(p, list);
    }
};
/// The cost of a trainer's, function's or program's call by its type.
template<class X>
inline constexpr program_cost<X> cost_of{};

XGRAD_NAMESPACE_END
