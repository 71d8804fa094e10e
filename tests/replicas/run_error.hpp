// SPDX-License-Identifier: MIT
// What a run says in which a worker fails.
#pragma once

#include <support/message_of.hpp>

#include <xgrad/replicas/worker_crew.hpp>

#include <string>

namespace test {
/// The message of the worker_error that `replicas.run(work)` throws.
template<class Replicas, class Work>
std::string run_error(Replicas& replicas, Work const& work) {
    return message_of<xgrad::worker_error>([&] { replicas.run(work); });
}
/// The number of the worker that fails, and what its error says.
template<class Replicas, class Work>
std::string error_of(Replicas& replicas, Work const& work) {
    try {
        replicas.run(work);
    } catch (xgrad::worker_error const& e) { return std::to_string(e.worker) + " " + e.what(); }
    return nothing_thrown;
}
}   // namespace test
