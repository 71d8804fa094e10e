// SPDX-License-Identifier: MIT
// The variables that the updates of a plan move, as arrays.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/sync/dense_updates.hpp>
#include <xgrad/replicas/accumulators/element_loop.hpp>

#include <cstring>
#include <type_traits>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Calls `f(k, T(), M())` for the variable of each update k. M is its type in memory, T the type of the computation.
template<class F>
void each_moved(plan_updates const& updates, F const& f) {
    for (int k = 0; k < updates.steps().count(); ++k)
        visit(updates.variable(k).type, [&]<class M>(std::type_identity<M>) {
            if constexpr (has_gradient(dtype_of<M>)) f(k, cpp_type_t<computed_type(dtype_of<M>)>(), M());
        });
}
template<class M>
M* data_of(stored_variable const& v) {
    return static_cast<M*>(v.data);
}

/// Returns `moved`, or `value` where the distance is infinite or NaN, as for state that begins with infinity.
template<class T>
XGRAD_INLINE simd::batch<T> moved_by(simd::batch<T> distance, simd::batch<T> moved, simd::batch<T> value) {
    return simd::select(distance - distance == simd::batch<T>(0), moved, value);
}

/// Copies of the variables.
class moved_values {
    std::vector<aligned_buffer<std::byte>> all_;

public:
    /// Throws std::bad_alloc.
    void make_room(plan_updates const& updates) {
        all_.resize(static_cast<std::size_t>(updates.steps().count()));
        for (int k = 0; k < updates.steps().count(); ++k) all_[static_cast<std::size_t>(k)].grow_to(part_of(updates.variable(k)).bytes());
    }
    void take(plan_updates const& updates) {
        for (int k = 0; k < updates.steps().count(); ++k)
            if (std::size_t const n = part_of(updates.variable(k)).bytes(); n > 0)
                std::memcpy(all_[static_cast<std::size_t>(k)].data(), updates.variable(k).data, n);
    }
    /// Copies the values back into the variables.
    void give(plan_updates const& updates) const {
        for (int k = 0; k < updates.steps().count(); ++k)
            if (std::size_t const n = part_of(updates.variable(k)).bytes(); n > 0)
                std::memcpy(updates.variable(k).data, all_[static_cast<std::size_t>(k)].data(), n);
    }
    /// Reads or writes all copies.
    template<class Pass>
    void pass(Pass const& pass, plan_updates const& updates) {
        for (int k = 0; k < updates.steps().count(); ++k)
            pass(all_[static_cast<std::size_t>(k)].data(), part_of(updates.variable(k)).bytes());
    }
    template<class M>
    M* of(int k) {
        return reinterpret_cast<M*>(all_[static_cast<std::size_t>(k)].data());
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
