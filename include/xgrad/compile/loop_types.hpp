// SPDX-License-Identifier: MIT
// From the instructions of a step to the types of its loop or of what takes the tiles of its product; a type holds only what the step does, so steps
// that do the same are one function.
#pragma once

#include <xgrad/kernels/lane_nest.hpp>
#include <xgrad/kernels/product.hpp>
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
    XGRAD_NOINLINE XGRAD_FLATTEN static void run(step_arguments const& a) {
        loop::run(a, typename loop::reductions{}, typename loop::passes{});
    }
};
template<class Key>
struct tile_epilogue : keyed_type<Key> {
    XGRAD_KERNEL explicit tile_epilogue(step_arguments const& a) : keyed_type<Key>(a) {}
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

static_assert(planner::told_length == kernels::told_length);
template<class P, int S, class T, std::size_t... K>
constexpr auto nest_type(std::index_sequence<K...>) {
    constexpr planner::plan_step s = P::plan.steps[S];
    if constexpr (s.lane >= 0) {
        using Loop = kernels::lane_nest<T, s.static_inner, s.outer_rank, s.phases, s.lane, s.block_rows,
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
/// The rule of step S: rules are the types of the program's groups.
template<class P, int S>
using rule_of = std::tuple_element_t<static_cast<std::size_t>(P::plan.steps[S].group), typename P::rules>;

}   // namespace detail
XGRAD_NAMESPACE_END
