// SPDX-License-Identifier: MIT
// How what elements give to the reductions of a rule comes together: sums and greatest numbers, in double; what reductions a rule has.
#pragma once

#include <xgrad/backend/simd.hpp>
#include <xgrad/core/math.hpp>
#include <xgrad/core/rule_state.hpp>

#include <cstddef>
#include <limits>

XGRAD_NAMESPACE_BEGIN
namespace kernels {
namespace detail {

/// Whether a rule must see the rows of a whole variable; to others it is one long row.
template<class Rule>
constexpr bool sees_rows() {
    constexpr auto by_rows = [](auto const& list) { return list.count_of(per::row) + list.count_of(per::column) > 0; };
    return by_rows(rule_slots<Rule>) || by_rows(rule_reductions<Rule>);
}
/// The number of reductions of a rule per column.
template<class Rule>
inline constexpr int column_reductions = rule_reductions<Rule>.count_of(per::column);

/// What two terms are together, and what leaves the other one as it is.
template<reduction Kind>
struct gathered {
    static constexpr double none = 0;
    template<class V>
    XGRAD_KERNEL static V of(V a, V b) {
        return a + b;
    }
};
template<>
struct gathered<reduction::max> {
    static constexpr double none = -std::numeric_limits<double>::infinity();
    template<class V>
    XGRAD_KERNEL static V of(V a, V b) {   // NaN stays
        return math::where(math::not_equal(a, a), a, math::where(math::less_equal(b, a), a, b));
    }
};

/// Reductions in progress of a rule that computes in T: of each term in lanes, so that a batch meets a batch.
template<declared_list<reduction_info> const& Declared, class T>
struct reduced_sums {
    static constexpr std::size_t terms = static_cast<std::size_t>(Declared.count), parts = simd::width<T> / simd::width<double>;
    using batch = simd::batch<double>;
    batch lane[terms == 0 ? 1 : terms][parts];

    XGRAD_KERNEL reduced_sums() {
        begin(numbers{}, [](per) { return true; });
    }
    /// Those of one scope begin again.
    XGRAD_KERNEL void restart(per scope) {
        begin(numbers{}, [&](per of) { return of == scope; });
    }
    XGRAD_KERNEL double of(std::size_t k) const {
        bool const greatest = terms > 0 && Declared[k].kind == reduction::max;
        return greatest ? together<reduction::max>(k) : together<reduction::sum>(k);
    }

private:
    using numbers = std::make_index_sequence<terms>;
    template<std::size_t... K, class Takes>
    XGRAD_KERNEL void begin(std::index_sequence<K...>, Takes const& takes) {
        ((takes(Declared[K].scope) ? begin_one<K>() : void()), ...);
    }
    template<std::size_t K>
    XGRAD_KERNEL void begin_one() {
        for (auto& l : lane[K]) l = batch(gathered<Declared[K].kind>::none);
    }
    template<reduction Kind>
    XGRAD_KERNEL double together(std::size_t k) const {
        auto all = lane[k][0];
        for (std::size_t p = 1; p < parts; ++p) all = gathered<Kind>::of(all, lane[k][p]);
        if constexpr (Kind != reduction::max) return simd::sum(all);
        else {
            double one[simd::width<double>], greatest = gathered<Kind>::none;
            simd::store(one, all);
            for (double const x : one) greatest = gathered<Kind>::of(greatest, x);
            return greatest;
        }
    }
};

}   // namespace detail

/// Bytes of scratch memory of an update of a rule with reductions, for rows of `row` elements.
template<class Rule>
constexpr std::size_t reduction_bytes(std::int64_t row) {
    return static_cast<std::size_t>(detail::column_reductions<Rule> * row) * sizeof(double);
}

}   // namespace kernels
XGRAD_NAMESPACE_END
