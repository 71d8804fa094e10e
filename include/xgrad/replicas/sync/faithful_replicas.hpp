// SPDX-License-Identifier: MIT
// SyncReplicasOptimizer built like TensorFlow's, with accumulators, a token queue and a chief. Tests compare the fused implementation with
// it.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/sync/faithful_session.hpp>
#include <xgrad/replicas/sync/sync_policy.hpp>
#include <xgrad/replicas/sync/sync_replay.hpp>
#include <xgrad/replicas/sync/sync_runs.hpp>

XGRAD_NAMESPACE_BEGIN

/// `sync_replicas replicas(train, faithful{}, {.workers = 4, .replicas_to_aggregate = 3});`
///
/// Each variable has an accumulator, and a chief in its own thread takes the means. Functions, options and errors are those of the fused
/// implementation. So are the bits, for the same gradients in the same updates.
///
/// Differences:
/// - The means of two variables may come from different workers, because workers give gradients one by one, and the chief takes means one
///   by one.
/// - TensorFlow may update a variable while the chief still waits for another mean. Here the chief takes all means before it updates any
///   variable, and variables are not read during the update. So a checkpoint never contains part of an update.
/// - Tokens go to whoever asks first; one worker may take two.
/// - The chief calls on_update after it has made the tokens. If on_update or a function among the hyper-parameters throws, run throws
///   worker_error of worker 0. The seconds in updates of worker 0 are those of the chief.
/// - A gradient is accepted if it counts for at least one variable.
template<class P>
class sync_replicas<trainer<P>, faithful> : public detail::sync_runs<P, detail::faithful_session<P>> {
    using session = detail::faithful_session<P>;
    using runs = detail::sync_runs<P, session>;

public:
    /// Replays the same replicas event by event in one thread, variable by variable. Name a variable by its number in the order of the
    /// updates, or by the variable itself.
    class replay : public detail::sync_replay<session> {
        using base = detail::sync_replay<session>;
        using base::all_;
        using typename base::turn;
        using phase = typename session::phase;

        void expect_update_number(int u) const {
            if (u < 0 || u >= updates()) raise_parts<value_error>({"xgrad: sync replicas: there is no update ", u, " among ", updates()});
        }
        void expect_no_tokens_to_come() const {
            if (all_->has_updated())
                raise<value_error>("xgrad: sync replicas: the last update has no tokens yet; call enqueue_tokens() first");
        }
        void expect_to_push(int k, int u) const {
            this->expect_computed(k);
            expect_update_number(u);
            if (is_pushed(k, u))
                raise_parts<value_error>({"xgrad: sync replicas: worker ", k, " has pushed the gradient of update ", u, " already"});
        }
        bool is_pushed(int k, int u) const { return all_->model_of(k)->pushed[static_cast<std::size_t>(u)] != 0; }
        template<class V>
        static consteval int number_of() {
            constexpr int u = detail::update_number<P, V>();
            static_assert(u >= 0,
                "xgrad: replay.push(worker, v), replay.skip(worker, v), replay.take(v), replay.num_accumulated(v): v is neither a "
                "number nor a variable that this trainer updates; give one of these");
            return u < 0 ? 0 : u;
        }

    public:
        /// All workers begin to compute with the current variables.
        explicit replay(sync_replicas& all) : base(all.begin(), all.train_) {}

        /// The number of variables that are updated.
        int updates() const { return all_->update_count(); }
        /// Like compute of the fused replay. It is refused once the worker has pushed part of its gradient.
        template<class... B>
        auto compute(int k, B const&... bindings) {
            turn const mine(this->turns());
            all_->must_compute(k);
            for (int u = 0; u < updates(); ++u)
                if (is_pushed(k, u))
                    raise_parts<value_error>(
                        {"xgrad: sync replicas: worker ", k, " has pushed a part of its gradients; the rest comes first"});
            return base::compute(k, bindings...);
        }
        /// Worker k gives the gradient of one variable; returns whether it counts. Throws value_error if the worker has given it already,
        /// or has computed none.
        bool push(int k, int u) {
            turn const mine(this->turns());
            expect_to_push(k, u);
            bool const counts = all_->push(*all_->model_of(k), u);
            if (phase_of(k) == phase::waiting) this->forget_computed(k);
            return counts;
        }
        template<class V>
        bool push(int k, V const&) {
            return push(k, number_of<V>());
        }
        /// Worker k has no gradient for one variable, like None in TensorFlow: the mean is over the workers that give one. Throws
        /// value_error like push.
        void skip(int k, int u) {
            turn const mine(this->turns());
            expect_to_push(k, u);
            all_->skip(*all_->model_of(k), u);
            if (phase_of(k) == phase::waiting) this->forget_computed(k);
        }
        template<class V>
        void skip(int k, V const&) {
            skip(k, number_of<V>());
        }
        /// Worker k gives all gradients that it has not given yet; returns whether any of all counts.
        bool push(int k) {
            this->expect_computed(k);
            for (int u = 0; u < updates(); ++u)
                if (!is_pushed(k, u)) push(k, u);
            return all_->model_of(k)->counts;
        }
        /// Worker k takes a token and the current variables; false if there is no token. Throws value_error if it has not pushed all
        /// gradients.
        bool begin(int k) {
            turn const mine(this->turns());
            if (phase_of(k) != phase::waiting) raise_parts<value_error>({"xgrad: sync replicas: worker ", k, " cannot take a token now"});
            return all_->begin(k);
        }
        /// The chief takes the mean of one variable; false if there are too few gradients. Throws value_error if it has taken this mean
        /// already, or must make tokens first.
        bool take(int u) {
            turn const mine(this->turns());
            expect_update_number(u);
            expect_no_tokens_to_come();
            if (all_->taken(u)) raise_parts<value_error>({"xgrad: sync replicas: the mean of update ", u, " has been taken already"});
            if (num_accumulated(u) < all_->needed()) return false;
            all_->take(u, {});
            return true;
        }
        template<class V>
        bool take(V const&) {
            return take(number_of<V>());
        }
        /// Whether the chief can take all remaining means.
        bool can_update() const { return all_->can_update(); }
        /// The chief takes the remaining means, updates all variables, then optimizer scalars and global step. Throws value_error if
        /// there are too few gradients, and what a function among the hyper-parameters throws.
        void apply() {
            turn const mine(this->turns());
            expect_no_tokens_to_come();
            for (int u = 0; u < updates(); ++u)
                if (!all_->taken(u) && num_accumulated(u) < all_->needed())
                    raise_parts<value_error>(
                        {"xgrad: sync replicas: an update of ", num_accumulated(u), " gradients; it takes ", all_->needed()});
            for (int u = 0; u < updates(); ++u)
                if (!all_->taken(u)) all_->take(u, {});
            all_->apply();
        }
        /// The chief makes the tokens of its update, then calls on_update. Throws value_error if there was no update.
        void enqueue_tokens() {
            turn const mine(this->turns());
            if (!all_->has_updated()) raise<value_error>("xgrad: sync replicas: each update has its tokens already; call apply() first");
            all_->enqueue_tokens();
            all_->after_update();
        }
        void update() {
            apply();
            enqueue_tokens();
        }
        /// Closes the queue of tokens, like faithful::close_at_end.
        void close() { all_->tokens().close(); }

        /// The current state. local_step(k), phase_of(k), tokens() and global_step() are those of the fused replay; the rest is about the
        /// accumulators.
        replay const& state() const { return *this; }
        std::int64_t global_step() const { return all_->global_step(); }
        std::int64_t local_step(int k) const { return all_->local_step(k); }
        phase phase_of(int k) const { return all_->phase_of(k); }
        sequence<std::int64_t> tokens() const { return all_->tokens().tokens(); }
        /// num_accumulated: the number of gradients for one variable since its last mean. accumulator_step: the step from which on its
        /// gradients count.
        std::int64_t num_accumulated(int u) const {
            expect_update_number(u);
            return all_->sums(u).num_accumulated();
        }
        template<class V>
        std::int64_t num_accumulated(V const&) const {
            return num_accumulated(number_of<V>());
        }
        std::int64_t accumulator_step(int u) const {
            expect_update_number(u);
            return all_->sums(u).global_step();
        }
    };

    /// Throws value_error if the first update could never happen.
    sync_replicas(trainer<P>& train, faithful how, sync_options const& options = {}) : runs(train, {options, how}) {}
};
template<class P>
sync_replicas(trainer<P>&, faithful, sync_options const& = {}) -> sync_replicas<trainer<P>, faithful>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
