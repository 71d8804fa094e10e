// SPDX-License-Identifier: MIT
// The name sync_replicas, and the selection of its implementation.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/sync/sync_options.hpp>

#include <type_traits>

XGRAD_NAMESPACE_BEGIN

/// The default implementation. The worker that gives the last gradient needed for an update sums all of them and updates the variables in
/// one pass.
struct fused {};
/// SyncReplicasOptimizer built like TensorFlow's: `sync_replicas replicas(train, faithful{}, {.workers = 4});`.
struct faithful {
    /// If true, the queue of tokens is closed when worker 0, TensorFlow's chief, ends or is lost. Tokens in the queue may still be taken. A
    /// worker that finds none gets cancelled_error and ends without failing. So worker 0 decides when all have trained enough. If false,
    /// the others share its work.
    bool close_at_end = false;
};

/// `sync_replicas(train, options)`, `sync_replicas(train, policy, options)`. The policies have specializations. This primary template only
/// reports errors: an unknown policy, something that is not a trainer, or a trainer that is const or a temporary.
template<class T, class How = fused>
class sync_replicas {
public:
    sync_replicas(T const& train, How const&, sync_options const& options = {}) : sync_replicas(train, options) {}
    explicit sync_replicas(T const&, sync_options const& = {}) {
        constexpr bool trains = requires { typename T::program_type; };
        static_assert(!trains,
            "xgrad::sync_replicas(train, policy, options): policy is not xgrad::fused{}, xgrad::faithful{} or a transport; write "
            "one, such as xgrad::mpi{}, and include its header and <xgrad/replicas/replicas.hpp>");
        static_assert(trains || std::is_void_v<T>,
            "xgrad::sync_replicas(train, options): train is not a trainer, or is const or a temporary; write auto train = "
            "xgrad::minimize<xgrad::gating::graph>(loss, rule);");
    }
    template<class Work>
    sync_report run(Work&&) {
        return {};
    }
};

namespace detail {
template<class How>
struct sync_settings : sync_options {
    How how{};
};

template<class T>
struct no_trainer {
    no_trainer(T const&) {}
};
}   // namespace detail
template<class T>
sync_replicas(T const&, sync_options const& = {}) -> sync_replicas<detail::no_trainer<T>>;
template<class T, class How>
sync_replicas(T const&, How const&, sync_options const& = {}) -> sync_replicas<detail::no_trainer<T>, How>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
