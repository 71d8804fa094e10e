// SPDX-License-Identifier: MIT
// The user's view of synchronous replicas in threads, for all implementations.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/replica_runs.hpp>
#include <xgrad/replicas/replicable.hpp>
#include <xgrad/replicas/reports/run_clock.hpp>
#include <xgrad/replicas/sync/sync_protocol.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

template<class P, class Session>
class sync_runs : public replica_runs<P, Session> {
    using runs = replica_runs<P, Session>;

protected:
    sync_runs(trainer<P>& train, typename Session::settings const& settings) : runs(train, settings) {
        [[maybe_unused]] constexpr bool fits = is_replicable<P>();
        sync_protocol const checked({settings.workers, settings.replicas_to_aggregate, settings.initial_tokens});
    }

public:
    using runs::with_variables;
    /// When workers computed, waited and updated in their last steps, as many as `timeline_steps`. It contains the workers that the run
    /// began with. Any thread may call it.
    xgrad::timeline timeline() const { return runs::timeline_of_run(); }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
