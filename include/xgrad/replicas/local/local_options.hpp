// SPDX-License-Identifier: MIT
// Options and reports of methods whose workers take their own steps.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <cstdint>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// Runs the workers in threads of this process. The alternative is a transport, with one worker in each rank.
struct in_threads {};

/// What happened to the steps of one worker.
struct local_worker_report {
    std::int64_t steps = 0;            // its own
    std::int64_t communications = 0;   // how often it has given its contribution to the centre, or met the other workers
    std::int64_t dropped = 0;          // contributions that were too old
    std::int64_t left = 0;             // its own steps since its last contribution
    double waited = 0;                 // seconds spent waiting for other workers
    double communicated = 0;           // seconds spent at the centre, including waits for other workers there
    bool lost = false;
};
/// The report of a run.
struct local_report {
    std::vector<local_worker_report> workers;
    std::int64_t updates = 0;   // of the centre
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
