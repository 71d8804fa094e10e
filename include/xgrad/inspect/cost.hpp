// SPDX-License-Identifier: MIT
// The cost of a program: flops, bytes accessed and arena bytes as polynomials in the named dimensions. They can be used in static_assert.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>
#include <xgrad/inspect/steps.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
template<class X>
inline constexpr bool is_program = requires {
    X::plan;
    X::table;
};
template<class X>
constexpr auto find_program() {
    if constexpr (requires { typename X::program_type; }) return std::type_identity<typename X::program_type>{};
    else {
        static_assert(is_program<X>,
            "xgrad: the argument is neither a trainer, nor a function, nor a program type; write xgrad::function{y, owner} for an "
            "expression");
        return std::type_identity<X>{};
    }
}
template<class... D>
inline constexpr bool are_sizes = (std::is_same_v<D, dim_size> && ...);

template<class P>
constexpr cost_counts count_program();
template<class P, class Loops = body_numbers<P>>
struct region_counts;
template<class P, int... K>
struct region_counts<P, std::integer_sequence<int, K...>> {
    static constexpr cost_counts at[sizeof...(K) + 1] = {count_program<typename P::template region<K>>()..., {}};
    static constexpr bool in_registers[sizeof...(K) + 1] = {runs_in_registers<P, K>::value..., false};
};
template<class P>
constexpr void add_counts(int step, cost_counts& sum) {
    step_counter<std::remove_cvref_t<decltype(P::plan)>> const counter{
        region_counts<P>::at, region_counts<P>::in_registers, P::plan, P::table.view(), rule_list<typename P::rules>::facts};
    inspected_steps::visit(P::plan.steps[step].kind, [&](auto kind) { kind.count(counter, step, sum); });
}
template<class P>
constexpr cost_counts count_step(int step) {
    cost_counts c{};
    add_counts<P>(step, c);
    return c;
}
template<class P>
constexpr cost_counts count_program() {
    cost_counts sum{};
    for (int s = 0; s < P::plan.step_count; ++s) add_counts<P>(s, sum);
    return sum;
}
template<class P>
inline constexpr cost_counts counts_of = count_program<P>();

/// Sizes of the blocks of an arena.
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
    }(planned_bodies<P>{});
}

/// The size of a dimension in a list that ends with an empty entry.
constexpr std::int64_t size_in(dim_size const* sizes, dim_info const& d) {
    for (; sizes->hash != 0; ++sizes)
        if (sizes->hash == d.hash) return sizes->size;
    raise_parts<value_error>({"xgrad: cost: the size of the dimension \"", d.name, "\" is missing; write ", d.name, " = 64"});
}
template<class Polynomial>
constexpr std::int64_t evaluate(Polynomial const& p, dim_size const* sizes) {
    return p.evaluate([&](dim_info const& d) { return size_in(sizes, d); });
}
}   // namespace detail

/// The program of a trainer or function, or the program itself.
template<class X>
using program_type_of = typename decltype(detail::find_program<std::remove_cvref_t<X>>())::type;

/// The cost of one call: `static_assert(xg::cost_of<decltype(train)>.flops(batch = 64) < 40'000'000)`.
/// Sizes may be omitted if a program has no named dimensions. Sizes are at least 1.
/// A missing size is a compile-time error in constant expressions, and a value_error at run time.
///
/// flops:
/// - a product of [m, k] and [k, n]: 2mnk;
/// - an element-wise operation: its `op_info::flops` for each element it computes, also if the element is computed again;
/// - a reduction, a bag and a scatter: 1 for each element they add;
/// - a random number: `op_info::flops`;
/// - a function on rows, and an operation with a kernel: `op_info::flops` for each element of its first operand,
///   or its declaration flops(...);
/// - a loop: its body in each iteration, and 1 for each element it sums;
/// - an update: its rule's `flops` for each element it updates.
///
/// Operations outside the inner loop count once for each row, or once.
///
/// bytes: each operand of each step counts once: number of elements that the step visits × their size.
/// It counts as read if the step loads it, and as written if the step stores or accumulates it.
/// - Elements repeated by broadcasting count once.
/// - An array that a step addresses in two ways counts twice, for example as a factor of a product and in its epilogue.
/// - Rows by index count as often as an index names them (caches are not modelled).
/// - A sparse update by a rule that is not lazy counts every row.
/// - An update reads and writes the variable and its slots.
/// - Scratch memory of products and sparse updates does not count.
///
/// arena: blocks of intermediates. Intermediates share a block if their lifetimes do not overlap. arena_bytes() is what a trainer or
/// function allocates for these sizes: each block rounded up to 64 bytes, including the arenas of the bodies of loops.
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
        std::int64_t sum = 0;
        if constexpr (detail::are_sizes<D...>) {
            dim_size const list[]{sizes..., {}};
            for (auto const& e : detail::arena_of<program>.bytes) sum += (detail::evaluate(e, list) + 63) / 64 * 64;
        }
        return sum;
    }

private:
    static constexpr bool fits() { return !flops_polynomial.overflow && !read_polynomial.overflow && !written_polynomial.overflow; }
    template<class... D>
    static constexpr void check() {
        static_assert(
            detail::are_sizes<D...>, "xgrad: an argument is not the size of a named dimension; write its name and size: batch = 64");
        static_assert(fits(), "xgrad: the cost of this program is a polynomial with more terms than xgrad keeps; ask for single steps");
    }
    template<class... D>
    static constexpr std::int64_t value(cost_polynomial const& p, D const&... sizes) {
        check<D...>();
        if constexpr (detail::are_sizes<D...>) {
            dim_size const list[]{sizes..., {}};
            return detail::evaluate(p, list);
        } else return 0;
    }
};
/// The cost of a call of a trainer, function or program, by its type.
template<class X>
inline constexpr program_cost<X> cost_of{};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
