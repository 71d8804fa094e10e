// SPDX-License-Identifier: MIT
// What one of several workers computes with.
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
    std::int64_t draw;   // which random numbers its next step draws

    template<class From>
    replica_model(From& from, bool flush, int k, std::int64_t first_draw) : gradients(from, flush), number(k), draw(first_draw) {}
    template<class... B>
    auto compute(B const&... bindings) {
        auto const outputs = gradients.compute_gradients(draw, number, bindings...);
        ++draw;   // a call that is refused draws nothing
        return outputs;
    }
};

/// Workers share the variables: one more may join only where no update can come while it computes.
inline void expect_room_to_join(int active, int needed) {
    if (active >= needed)
        raise_parts<value_error>({"xgrad: sync replicas: with more workers than replicas_to_aggregate, ", needed,
            ", an update may come while one computes, and these share the variables: give .share_variables = false to let one join"});
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
