// SPDX-License-Identifier: MIT
// What workers that take steps of their own say of a run.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <cstdint>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// Where workers are that take steps of their own: in threads of this process. In its place stands a transport, with one worker in each rank.
struct in_threads {};

/// What has become of the steps of one worker.
struct local_worker_report {
    std::int64_t steps = 0;            // of its own
    std::int64_t communications = 0;   // how often it has given what it had to the centre, or to the other workers
    std::int64_t dropped = 0;          // those which were too old
    std::int64_t left = 0;             // its own steps since it last gave something
    double waited = 0;                 // seconds, for the other workers
    double communicated = 0;           // seconds, at the centre, with the time for which others were there
    bool lost = false;
};
/// Of a run.
struct local_report {
    std::vector<local_worker_report> workers;
    std::int64_t updates = 0;   // of the centre
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
