// SPDX-License-Identifier: MIT
// From the instructions of a step to the type of its loop, or of the epilogue of its product.
// A type depends only on what the step does, so steps that do the same share one function.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/kernels/nests/lane_nest.hpp>
#include <xgrad/kernels/products/product.hpp>
#include <xgrad/plan/planner.hpp>

#include <tuple>

XGRAD_NAMESPACE_BEGIN
namespace detail {

// Depends only on what an instruction does, so the steps of all programs share the type.
template<planner::instruction_form I, op_info const* Op>
constexpr auto instruction_type() {
    using namespace kernels;
    if constexpr (I.kind == planner::ins_kind::load) return ld<I.operand, cpp_type_t<I.memory>, I.level, I.phase, I.inner>{};
    else if constexpr (I.kind == planner::ins_kind::accumulator) return ac{};
    else if constexpr (I.kind == planner::ins_kind::parameter) return pa<I.operand>{};
    else if constexpr (I.kind == planner::ins_kind::index) return ix<I.operand, I.level, I.phase>{};
    else if constexpr (I.kind == planner::ins_kind::random) return rn<I.operand, I.level, I.phase>{};
    else if constexpr (I.kind == planner::ins_kind::reduce)
        return rd<I.combine, I.a, I.level, I.phase, I.inner != 0, I.outer, I.operand, cpp_type_t<I.memory>>{};
    else if constexpr (I.kind == planner::ins_kind::store) return st<I.a, I.operand, cpp_type_t<I.memory>, I.level, I.phase, I.inner>{};
    else if constexpr (I.arity == 1) return ap<op_at<Op>, I.level, I.phase, I.a>{};
    else if constexpr (I.arity == 2) return ap<op_at<Op>, I.level, I.phase, I.a, I.b>{};
    else return ap<op_at<Op>, I.level, I.phase, I.a, I.b, I.c>{};
}
/// Instruction K of a step of P whose first instruction is `First`.
template<class P, int First, std::size_t K>
using instruction_at = decltype(instruction_type<static_cast<planner::instruction_form const&>(P::plan.ins[First + static_cast<int>(K)]),
    P::plan.ins[First + static_cast<int>(K)].op>());

// Symbol names contain a key instead of all instructions: the hash of the structure and the types of its operations.
// kernel_key<...> declares a friend function, keyed<...> defines it with the type, once for each key.
// A hash collision within a translation unit is a redefinition error.
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

/// A loop nest, and a tile epilogue, by key.
template<class Key>
struct nest_kernel {
    using loop = keyed_type<Key>;
    XGRAD_NOINLINE XGRAD_FLATTEN static void run(step_arguments const& a) {
        loop::run(a, typename loop::reductions{}, typename loop::passes{});
    }
    static std::size_t scratch(step_arguments const& a)
        requires(loop::uses_scratch)
    {
        return loop::scratch(a);
    }
};
template<class Key>
struct tile_epilogue : keyed_type<Key> {
    XGRAD_KERNEL explicit tile_epilogue(step_arguments const& a) : keyed_type<Key>(a) {}
};

/// The operations of a step, each once, and the hash of its structure.
template<int Most>
struct step_structure {
    op_info const* ops[Most + 1];
    int op_count;
    std::uint64_t hash;
};
constexpr int read_structure(planner::plan_step const& s, planner::instruction const* ins, op_info const** ops, std::uint64_t& hash) {
    int count = 0;
    // The epilogue of a product does not depend on the extents of the product.
    hash = planner::facts_of(s.kind).in_tiles ? static_cast<std::uint64_t>(s.type) : static_cast<planner::step_numbers const&>(s).hash();
    for (planner::instruction const* const end = ins + s.ins_count; ins != end; ++ins) {
        if (op_info const* const op = ins->op; op == nullptr) hash = hash_mix(hash, 1);
        else {
            int which = 0;   // two operations may have one name; their types are in the key
            while (which < count && ops[which] != op) ++which;
            if (which == count) ops[count++] = op;
            hash = hash_mix(hash, op->hash + static_cast<std::uint64_t>(which));
        }
        hash = hash_mix(hash, static_cast<planner::instruction_form const&>(*ins).hash());
    }
    return count;
}
template<class P, int S>
inline constexpr auto structure_of = [] {
    step_structure<P::plan.steps[S].ins_count> r{};
    r.op_count = read_structure(P::plan.steps[S], P::plan.ins + P::plan.steps[S].first_ins, r.ops, r.hash);
    return r;
}();
template<class P, int S, class Loop, std::size_t... O>
constexpr auto key_for(std::index_sequence<O...>) {
    return typename keyed<kernel_key<structure_of<P, S>.hash, op_at<structure_of<P, S>.ops[O]>...>, Loop>::key{};
}
/// The key that symbol names of step S contain instead of `Loop`.
template<class P, int S, class Loop>
using key_of_step = decltype(key_for<P, S, Loop>(std::make_index_sequence<static_cast<std::size_t>(structure_of<P, S>.op_count)>{}));

static_assert(planner::run_time_length == kernels::run_time_length);
template<class P, int S, class T, std::size_t... K>
constexpr auto nest_type(std::index_sequence<K...>) {
    constexpr planner::plan_step s = P::plan.steps[S];
    if constexpr (s.lane >= 0) {
        using Loop = kernels::lane_nest<T, s.static_inner, s.outer_rank, s.phases, s.lane, s.block_rows,
            instruction_at<P, P::plan.steps[S].first_ins, K>...>;
        return nest_kernel<key_of_step<P, S, Loop>>{};
    } else {
        using Loop =
            kernels::nest<T, s.static_inner, s.outer_rank, s.phases, s.block_rows, instruction_at<P, P::plan.steps[S].first_ins, K>...>;
        return nest_kernel<key_of_step<P, S, Loop>>{};
    }
}
template<class P, int S, class T, std::size_t... K>
constexpr auto tile_type(std::index_sequence<K...>) {
    using Loop = kernels::tile_instructions<T, instruction_at<P, P::plan.steps[S].first_ins, K>...>;
    return std::type_identity<tile_epilogue<key_of_step<P, S, Loop>>>{};
}
/// The rule of step S. The rules of a program are the types of its groups.
template<class P, int S>
using rule_of = std::tuple_element_t<static_cast<std::size_t>(P::plan.steps[S].group), typename P::rules>;

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
