// SPDX-License-Identifier: MIT
// Classes that are drawn without replacement, for sampled losses, and how often a draw has each class on average.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/operations/kernel_op.hpp>
#include <xgrad/core/random.hpp>
#include <xgrad/ops/random/distributions.hpp>

#include <algorithm>
#include <tuple>

XGRAD_NAMESPACE_BEGIN

namespace op {
/// Operand: uniform numbers [draws], the first tries. The following ones are those of splitmix64, whose state begins at a hash of all of
/// them: the result depends on the operand alone. Outputs: the ids [draws] in the order in which they were found, and the tries [1].
/// The ids found so far are in a hash table in scratch memory, at most half full: a try costs the same for any number of draws.
struct distinct_log_uniform : kernel_op {
    static constexpr std::string_view name = "distinct_log_uniform";
    static constexpr int outputs = 2;
    struct attributes {
        std::int64_t classes;
    };
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&, int output) {
        return output == 0 ? value_info{dtype::int32, v[0].dims, fault::none}
                           : value_info{dtype::int64, shape{1, {static_extent(1)}}, fault::none};
    }
    static constexpr extent turns(kernel_operands const&) { return static_extent(1); }
    static constexpr extent scratch_bytes(kernel_operands const& v) {
        return static_extent((std::int64_t{1} << bits_of_places(v.dims(0).extents[0].constant)) * 4);
    }
    static constexpr extent flops(kernel_operands const& v) { return v.dims(0).size() * static_extent(64); }
    static void run(attributes const& a, kernel_part const& part, tensor_view<double const, 1> uniform, tensor_view<std::int32_t, 1> ids,
        tensor_view<std::int64_t, 1> tries) {
        if (part.first == part.last) return;
        constexpr std::int32_t none = -1;
        std::int64_t const draws = uniform.size();
        int const bits = bits_of_places(draws);
        std::uint64_t const last_place = (std::uint64_t{1} << bits) - 1;
        auto* const table = reinterpret_cast<std::int32_t*>(part.scratch);
        std::fill(table, table + last_place + 1, none);
        double const log_of_range = libm::log1p(static_cast<double>(a.classes));
        std::uint64_t state = 0;
        for (double const u : uniform) state = mix_bits(state ^ static_cast<std::uint64_t>(u * 0x1p53));
        std::int64_t tried = 0;
        for (std::int64_t found = 0; found < draws; ++tried) {
            double const u = tried < draws ? uniform[tried] : next_uniform(state);
            auto const id = static_cast<std::int32_t>(std::min(static_cast<std::int64_t>(libm::exp(u * log_of_range)) - 1, a.classes - 1));
            std::uint64_t place = static_cast<std::uint64_t>(id) * 0x9E3779B97F4A7C15u >> (64 - bits);   // the upper bits are mixed best
            while (table[place] != none && table[place] != id) place = (place + 1) & last_place;
            if (table[place] == id) continue;
            table[place] = id;
            ids[found++] = id;
        }
        tries[0] = tried;
    }

private:
    /// The table has 2 to the power of this places, at least two for each draw.
    static constexpr int bits_of_places(std::int64_t draws) {
        int bits = 1;
        while (std::int64_t{1} << bits < 2 * draws) ++bits;
        return bits;
    }
    static double next_uniform(std::uint64_t& state) {
        std::uint64_t const word = mix_bits(state);
        state += 0x9E3779B97F4A7C15u;
        return uniform01(static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word));
    }
};
}

/// Different classes of 0 ... Range − 1 for sampled losses, and how many tries there were: `auto const [ids, tries] =
/// distinct_log_uniform<"draws", classes, 64>()`. ids are int32 [Draws], tries is int64, one number. A try has the probabilities of
/// log_uniform_probability<Range>; a class that was drawn before is drawn anew (TensorFlow's log_uniform_candidate_sampler, whose default
/// is unique=True). Both outputs depend only on seed, name and step; a loop draws once, before its iterations. The tries are few if Draws
/// is well below Range. For all of n classes there are about n log(n)² of them.
/// Gradient: none.
template<fixed_string Name, std::int64_t Range, std::int64_t Draws>
constexpr auto distinct_log_uniform() {
    constexpr bool range = detail::is_range<Range>, draws = Draws >= 1 && (!range || Draws <= Range);
    static_assert(
        range, "xgrad::distinct_log_uniform<\"name\", range, draws>(): the range is not in 1 ... 2^31 - 1; write the number of classes");
    static_assert(draws,
        "xgrad::distinct_log_uniform<\"name\", range, draws>(): the number of draws is not in 1 ... range, and no class is drawn twice; write "
        "fewer draws, or log_uniform_like<\"name\", range>(x)");
    if constexpr (!range || !draws) return std::tuple{detail::refused{}, detail::refused{}};
    else {
        constexpr shape row{1, {static_extent(Draws)}};
        auto const [ids, tries] = apply_all<with<op::distinct_log_uniform, op::distinct_log_uniform::attributes{Range}>>(
            uniform_like<Name>(detail::repeated_to<row>(constant<double, 0>)));
        return std::tuple{ids, detail::reshaped_to<shape{}>(tries)};
    }
}
/// How often Draws draws have the classes `ids` on average, in element type T: 1 − (1 − p)^tries for the p of
/// log_uniform_probability<Range>, and Draws p if there were Draws tries. `tries` is that of distinct_log_uniform (TensorFlow's
/// true_expected_count and sampled_expected_count). Sampled losses subtract its logarithm from the logits.
/// Gradient: none.
template<std::int64_t Range, std::int64_t Draws, Element T = float, class A, class B>
constexpr auto log_uniform_expected_count(A const& ids, B const& tries) {
    using namespace literals;
    constexpr bool range = detail::is_range<Range>, draws = Draws >= 1;
    static_assert(range && draws,
        "xgrad::log_uniform_expected_count<range, draws>(ids, tries): the range is not in 1 ... 2^31 - 1, or there is no draw; write the "
        "numbers of distinct_log_uniform<\"name\", range, draws>()");
    if constexpr (!Operand<A> || !Operand<B>) return detail::refuse_operand<A, B>();
    else if constexpr (!range || !draws) return detail::refused{};
    else {
        auto const p = log_uniform_probability<Range, T>(ids);
        return select(equal(tries, detail::whole_literal<Draws>), detail::whole_literal<Draws> * p, -expm1(cast<T>(tries) * log1p(-p)));
    }
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
