// SPDX-License-Identifier: MIT
// The mean of dense gradients, computed piece by piece where it is used.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/sync/worker_lane.hpp>

#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The gradient of one worker: the sum of earlier ones, and the last one. One of them may be null.
template<class T>
struct lane_source {
    T const *before, *last;
};
/// Finds the gradients of all workers that have given one, in the order of the workers.
template<class T>
void find_sources(std::vector<worker_lane> const& lanes, std::size_t k, std::vector<lane_source<T>>& sources) {
    sources.clear();
    for (worker_lane const& lane : lanes)
        if (lane.count > 0)
            sources.push_back({lane.sums_before() ? lane.updates[k].template of<T>().dense.values.data() : nullptr,
                lane.pending ? static_cast<T const*>(lane.updates[k].last.values) : nullptr});
}

/// The sum of all gradients, divided. Each worker's sum is computed first, then these are added in the order of the workers.
template<class T>
struct sum_of_lanes {
    std::vector<lane_source<T>> const& sources;
    T divisor;

    void operator()(T* to, std::int64_t first, std::int64_t n) const {
        constexpr auto width = static_cast<std::int64_t>(simd::width<T>);
        simd::batch<T> const by(divisor);
        std::int64_t i = 0;
        for (; i + width <= n; i += width)
            simd::store(to + i, added([&](T const* p) { return simd::load(p + first + i); }, simd::batch<T>(T(0))) / by);
        for (; i < n; ++i) to[i] = added([&](T const* p) { return p[first + i]; }, T(0)) / divisor;
    }

private:
    template<class Load, class V>
    XGRAD_INLINE V added(Load const& load, V sum) const {
        for (std::size_t s = 0; s < sources.size(); ++s) {
            auto const [before, last] = sources[s];
            V const own = before == nullptr ? load(last) : last == nullptr ? load(before) : load(before) + load(last);
            sum = s == 0 ? own : sum + own;
        }
        return sum;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
