// SPDX-License-Identifier: MIT
// The smallest model of workers: with a gradient of 1 each update moves v by -1.
#pragma once

#include <xgrad/replicas/worker_crew.hpp>
#include <xgrad/xgrad.hpp>

#include <string>

namespace test {
inline constexpr auto g = xgrad::input<"g", float>;
inline constexpr auto v = xgrad::variable<"v", float>;
inline auto one_number() { return xgrad::minimize<xgrad::gating::graph>(v * g, xgrad::gradient_descent{.learning_rate = 1.0}); }

/// The number of the worker that fails, and what its error says.
template<class Replicas, class Work>
std::string error_of(Replicas& replicas, Work const& work) {
    try {
        replicas.run(work);
    } catch (xgrad::worker_error const& e) { return std::to_string(e.worker) + " " + e.what(); }
    return "nothing was thrown";
}
}   // namespace test
