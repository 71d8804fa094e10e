// SPDX-License-Identifier: MIT
// The model with which one of several workers computes.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/gradient_worker.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class P>
struct replica_model {
    using program_type = P;
    gradient_worker<P> gradients;
    int number;
    std::int64_t draw;   // selects the random numbers of the next step

    template<class From>
    replica_model(From& from, bool flush, int k, std::int64_t first_draw) : gradients(from, flush), number(k), draw(first_draw) {}
    template<class... B>
    auto compute(B const&... bindings) {
        auto const outputs = gradients.compute_gradients(draw, number, bindings...);
        ++draw;   // a refused call draws nothing
        return outputs;
    }
};

/// Checks that a worker may join when workers share the variables: only if no update can happen while it computes.
inline void expect_room_to_join(int active, int needed) {
    if (active >= needed)
        raise_parts<value_error>({"xgrad: sync replicas: with more workers than replicas_to_aggregate, ", needed,
            ", an update may come while one computes, and these share the variables: give .share_variables = false to let one join"});
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
