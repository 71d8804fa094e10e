// SPDX-License-Identifier: MIT
// From the constexpr plan of a program to the kernels that run it. A program is a tag type P with P::plan; a kernel's type holds only what the
// step does, so steps that do the same are one function.
#pragma once

#include <xgrad/kernels/lane_nest.hpp>
#include <xgrad/kernels/product.hpp>
#include <xgrad/kernels/row_function.hpp>
#include <xgrad/kernels/rows.hpp>
#include <xgrad/kernels/streamed.hpp>
#include <xgrad/kernels/whole.hpp>
#include <xgrad/sparse/update_step.hpp>
#include <xgrad/plan/planner.hpp>

#include <tuple>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class P, int S, int K>
constexpr auto instruction_type() {
    using namespace kernels;
    constexpr planner::instruction i = P::plan.ins[P::plan.steps[S].first_ins + K];
    if constexpr (i.kind == planner::ins_kind::load) return ld<i.operand, cpp_type_t<i.memory>, i.level, i.phase, i.inner>{};
    else if constexpr (i.kind == planner::ins_kind::accumulator) return ac{};
    else if constexpr (i.kind == planner::ins_kind::parameter) return pa<i.operand>{};
    else if constexpr (i.kind == planner::ins_kind::index) return ix<i.operand, i.level, i.phase>{};
    else if constexpr (i.kind == planner::ins_kind::random) return rn<i.operand, i.level, i.phase>{};
    else if constexpr (i.kind == planner::ins_kind::reduce)
        return rd<i.combine, i.a, i.level, i.phase, i.inner != 0, i.outer, i.operand, cpp_type_t<i.memory>>{};
    else if constexpr (i.kind == planner::ins_kind::store) return st<i.a, i.operand, cpp_type_t<i.memory>, i.level, i.phase, i.inner>{};
    else if constexpr (i.arity == 1) return ap<op_at<i.op>, i.level, i.phase, i.a>{};
    else if constexpr (i.arity == 2) return ap<op_at<i.op>, i.level, i.phase, i.a, i.b>{};
    else return ap<op_at<i.op>, i.level, i.phase, i.a, i.b, i.c>{};
}

// Symbols carry a key instead of all instructions: their hash and the types of its operations. kernel_key<...> declares a friend, keyed<...> defines it with
// the type, once for each key; a collision within a translation unit is a redefinition error.
template<std::uint64_t Hash, class... Op>
struct kernel_key {
#if defined(__GNUC__) && !defined(__clang__)
#    pragma GCC diagnostic push
#    pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
    friend constexpr auto type_of(kernel_key);
#if defined(__GNUC__) && !defined(__clang__)
#    pragma GCC diagnostic pop
#endif
};
template<class Key, class Loop>
struct keyed {
    friend constexpr auto type_of(Key) { return std::type_identity<Loop>{}; }
    using key = Key;
};
template<class Key>
using keyed_type = typename decltype(type_of(Key{}))::type;

/// A loop nest and a tile epilogue by key.
template<class Key>
struct nest_kernel {
    using loop = keyed_type<Key>;
    XGRAD_NOINLINE XGRAD_FLATTEN static void run(step_arguments const& a) { keyed_type<Key>::run(a); }
};
template<class Key>
struct tile_epilogue : keyed_type<Key> {
    XGRAD_INLINE explicit tile_epilogue(step_arguments const& a) : keyed_type<Key>(a) {}
};

template<int Most>
struct distinct_ops {
    op_info const* at[Most + 1];
    int count;
};
template<class P, int S>
constexpr auto ops_of_step() {
    distinct_ops<P::plan.steps[S].ins_count> r{};
    for (int k = 0; k < P::plan.steps[S].ins_count; ++k) {
        op_info const* op = P::plan.ins[P::plan.steps[S].first_ins + k].op;
        bool known = op == nullptr;
        for (int i = 0; i < r.count; ++i) known = known || r.at[i] == op;
        if (!known) r.at[r.count++] = op;
    }
    return r;
}
template<class P, int S>
constexpr std::uint64_t hash_of_step() {
    planner::plan_step const& s = P::plan.steps[S];
    // of a product: what takes its tiles does not depend on its extents
    std::uint64_t h =
        s.kind == planner::step_kind::matmul ? static_cast<std::uint64_t>(s.type) : static_cast<planner::step_numbers const&>(s).hash();
    auto const ops = ops_of_step<P, S>();
    for (int k = 0; k < s.ins_count; ++k) {
        planner::instruction const& i = P::plan.ins[s.first_ins + k];
        int which = 0;   // two operations may have one name; their types are in the key
        while (which < ops.count && ops.at[which] != i.op) ++which;
        h = hash_mix(h, i.op != nullptr ? i.op->hash + static_cast<std::uint64_t>(which) : 1);
        h = hash_mix(h, static_cast<planner::instruction_form const&>(i).hash());
    }
    return h;
}
template<class P, int S, std::size_t... O>
constexpr auto key_of_step(std::index_sequence<O...>) {
    [[maybe_unused]] constexpr auto ops = ops_of_step<P, S>();
    return kernel_key<hash_of_step<P, S>(), op_at<ops.at[O]>...>{};
}
template<class P, int S, class Loop>
constexpr auto key_for() {
    using Key = decltype(key_of_step<P, S>(std::make_index_sequence<static_cast<std::size_t>(ops_of_step<P, S>().count)>{}));
    return typename keyed<Key, Loop>::key{};
}

template<class P, int S, class T, std::size_t... K>
constexpr auto nest_type(std::index_sequence<K...>) {
    constexpr planner::plan_step s = P::plan.steps[S];
    if constexpr (s.lane >= 0) {
        using Loop = kernels::lane_nest<T, s.static_inner, s.outer_rank, s.phases, s.lane,
            decltype(instruction_type<P, S, static_cast<int>(K)>())...>;
        return nest_kernel<decltype(key_for<P, S, Loop>())>{};
    } else {
        using Loop = kernels::nest<T, s.static_inner, s.outer_rank, s.phases, s.block_rows,
            decltype(instruction_type<P, S, static_cast<int>(K)>())...>;
        return nest_kernel<decltype(key_for<P, S, Loop>())>{};
    }
}
template<class P, int S, class T, std::size_t... K>
constexpr auto tile_type(std::index_sequence<K...>) {
    using Loop = kernels::tile_instructions<T, decltype(instruction_type<P, S, static_cast<int>(K)>())...>;
    return std::type_identity<tile_epilogue<decltype(key_for<P, S, Loop>())>>{};
}
/// Operands and outputs of a kernel, without its scratch memory.
template<class P, int S>
inline constexpr int tensor_operands = P::plan.steps[S].operand_count - (P::plan.steps[S].op->kernel->scratch_of != nullptr);
template<class P, int S, class Op>
constexpr auto attributes_of_step() {
    if constexpr (requires { typename Op::attributes; })
        return P::table.view().attrs(P::plan.steps[S].node).template as<typename Op::attributes>();
    else return kernels::no_attributes{};
}
template<class P, int S, std::size_t... K>
constexpr auto own_kernel(std::index_sequence<K...>) {
    constexpr planner::plan_step s = P::plan.steps[S];
    using Op = op_at<s.op>;
    return typename kernels::kernel_of<Op>::template type<
        kernels::kernel_form<s.read_count, attributes_of_step<P, S, Op>(), planner::kernel_ranks(P::table.view(), s.node), s.static_inner,
            s.static_m, s.static_n, s.static_k, cpp_type_t<P::plan.operands[s.first_operand + static_cast<int>(K)].type>...>>{};
}
template<class P, int S>
struct region_kernel;   // in region_turns.hpp
struct nothing_to_run {
    static void run(step_arguments const&) {}
};

/// The rule of step S: rules are the types of the program's groups.
template<class P, int S>
using rule_of = std::tuple_element_t<static_cast<std::size_t>(P::plan.steps[S].group), typename P::rules>;

/// What takes the tiles of product S: its instructions, or an update.
template<class P, int S, class T>
constexpr auto product_epilogue() {
    constexpr int update = P::plan.steps[S].update_at;
    if constexpr (update > 0)
        return std::type_identity<kernels::tile_update<rule_of<P, S + update>, T, cpp_type_t<P::plan.steps[S + update].memory>>>{};
    else return tile_type<P, S, T>(std::make_index_sequence<P::plan.steps[S].ins_count>{});
}
template<class P, int S, class T>
using epilogue_of = typename decltype(product_epilogue<P, S, T>())::type;

/// The kernel of step S of P, of kind K: one specialisation for each kind.
template<planner::step_kind K>
struct kernel_of_kind;
template<>
struct kernel_of_kind<planner::step_kind::nest> {
    template<class P, int S, class T>
    using type = decltype(nest_type<P, S, T>(std::make_index_sequence<P::plan.steps[S].ins_count>{}));
};
template<>
struct kernel_of_kind<planner::step_kind::matmul> {
    template<class P, int S, class T>
    using type = kernels::product<T, P::plan.steps[S].transpose_a, P::plan.steps[S].transpose_b, P::plan.steps[S].static_m,
        P::plan.steps[S].static_n, P::plan.steps[S].static_k, P::plan.steps[S].read_count, epilogue_of<P, S, T>>;
};
template<>
struct kernel_of_kind<planner::step_kind::kernel> {
    template<class P, int S, class>
    using type = decltype(own_kernel<P, S>(std::make_index_sequence<static_cast<std::size_t>(tensor_operands<P, S>)>{}));
};
template<>
struct kernel_of_kind<planner::step_kind::scan> {
    template<class P, int S, class>
    using type = region_kernel<P, S>;
};
template<>
struct kernel_of_kind<planner::step_kind::check> {
    template<class P, int S, class>
    using type = kernels::check_rows<cpp_type_t<P::plan.steps[S].index_type>>;
};
template<class P, int S, class T>
constexpr auto update_type() {
    constexpr planner::plan_step s = P::plan.steps[S];
    using M = cpp_type_t<s.memory>;
    if constexpr (s.sparse) return kernels::update_sparse<rule_of<P, S>, T, M, cpp_type_t<s.index_type>, s.static_inner>{};
    else return kernels::update_whole<rule_of<P, S>, T, M>{};
}
template<>
struct kernel_of_kind<planner::step_kind::update> {
    template<class P, int S, class T>
    using type = decltype(update_type<P, S, T>());
};
template<class P, int S>
using step_kernel = typename kernel_of_kind<P::plan.steps[S].kind>::template type<P, S, cpp_type_t<P::plan.steps[S].type>>;

/// What the kernel of a step needs of scratch memory beside its operands, or null.
constexpr scratch_function scratch_of_step(planner::plan_step const& s) {
    if (s.kind == planner::step_kind::matmul) {
        scratch_function r = nullptr;
        visit_floating(s.type, [&]<class T>(std::type_identity<T>) { r = kernels::product_scratch<T>; });
        return r;
    }
    if (s.kind != planner::step_kind::update) return nullptr;
    return s.sparse ? kernels::update_scratch : kernels::sums_scratch;
}

constexpr bool reads_indices(planner::plan_step const& s) {
    return (s.kind == planner::step_kind::kernel && planner::reports_indices(*s.op)) || s.kind == planner::step_kind::check ||
           s.kind == planner::step_kind::scan;
}

/// What stands at step S: its kernel, or of steps that run together one for all, at the first of them.
template<class P, int S>
constexpr auto kernel_at() {
    constexpr planner::plan_step s = P::plan.steps[S];
    if constexpr (s.back_at > 0) {
        using T = cpp_type_t<s.type>;
        constexpr int loop = S + s.loop_at, back = S + s.back_at;
        return kernels::streamed<T, s.static_k, s.read_count, P::plan.steps[back].read_count + 1, s.loop_at, s.back_at,
            epilogue_of<P, S, T>, decltype(nest_type<P, loop, T>(std::make_index_sequence<P::plan.steps[loop].ins_count>{})),
            epilogue_of<P, back, T>>{};
    } else if constexpr (s.joined_to > 0) return nothing_to_run{};
    else return step_kernel<P, P::kernel_of.at[S]>{};
}
// Named by the kernel, not by program and step: the name of a program is that of its whole graph.
template<class Kernel, bool ReadsIndices>
XGRAD_INLINE bool run_step(step_arguments const& a) {
    Kernel::run(a);
    if constexpr (ReadsIndices) return !*a.bad_index;
    else return true;
}
template<class P, int First, std::size_t... S>
XGRAD_INLINE bool run_each(step_arguments const* a, std::index_sequence<S...>) {
    return (run_step<decltype(kernel_at<P, First + static_cast<int>(S)>()), reads_indices(P::plan.steps[First + static_cast<int>(S)])>(
                a[First + static_cast<int>(S)]) &&
            ...);
}
/// Up to 64 steps: one function, whose name does not grow with them.
template<class P, int First, int Last>
XGRAD_NOINLINE bool run_from(step_arguments const* a) {
    constexpr int left = Last - First, n = left < 64 ? left : 64;
    return run_each<P, First>(a, std::make_index_sequence<static_cast<std::size_t>(n)>{});
}
/// Runs steps First to before Last in order; false where an index was out of range (nothing has been updated then: updates come after all that look
/// at indices).
template<class P, int First, int Last>
XGRAD_INLINE bool run_range(step_arguments const* a) {
    if constexpr (First >= Last) return true;
    else return run_from<P, First, Last>(a) && run_range<P, First + 64, Last>(a);
}
template<class P>
XGRAD_INLINE bool run_steps(step_arguments const* a) {
    return run_range<P, 0, P::plan.step_count>(a);
}

}
XGRAD_NAMESPACE_END
