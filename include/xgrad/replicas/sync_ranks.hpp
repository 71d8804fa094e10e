// SPDX-License-Identifier: MIT
// SyncReplicasOptimizer between the ranks of a transport, such as the processes of an MPI program.
#pragma once

#include <xgrad/replicas/gradient_worker.hpp>
#include <xgrad/replicas/replicable.hpp>
#include <xgrad/replicas/sync_coordinator.hpp>
#include <xgrad/replicas/sync_owner.hpp>
#include <xgrad/replicas/sync_policy.hpp>

#include <optional>
#include <thread>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// A worker's half of a run: what one rank says to rank 0, which is also its own coordinator.
template<class P, class T>
class rank_session {
    trainer<P>& train_;
    T& transport_;
    sync_options const& options_;
    gradient_worker<P> model_;
    std::vector<int> shares_;   // of the owners
    std::vector<gradient_layout> layouts_;
    std::vector<std::vector<state_piece>> moved_;
    replica_state state_;
    outgoing message_;
    message_buffer arriving_;
    received last_{};
    std::uint64_t run_;
    std::int64_t sequence_ = 0;
    std::int64_t draw_ = 0;
    bool stopped_ = false, lost_ = false, alone_ = false;   // a stop was asked for, it has been left behind, nothing comes
    int silent_ = 0;                                        // from this rank, which moves variables

    // An owner moves the variables of its trainer while the worker computes.
    bool owns() const { return rank() < options_.owners; }
    static gradient_worker<P> model_of(trainer<P>& train, bool own) {
        bool const flush = trainer_access::state(train).run.flush;
        if (!own) return gradient_worker<P>(static_cast<variable_owner&>(train), flush);
        gradient_worker<P> model(train.store(), flush);
        model.pull(train.store());
        return model;
    }
    bool has_deadline() const { return detail::has_deadline(options_.deadline); }
    void send(rank_word word, std::int64_t number = 0, int to = 0, int tag = to_coordinator_tag) {
        rank_header head;
        head.run = run_;
        head.sequence = sequence_;
        head.number = number;
        head.draw = draw_;
        head.word = word;
        message_.send(transport_, to, tag, head);
        message_.begin();
    }
    // The next message of this run; none where nothing comes in time, or when a stop is requested.
    std::optional<rank_header> next(wait_options const& options) {
        for (;;) {
            auto const r = transport_.try_receive(0, to_worker_tag, arriving_, options);
            if (!r) return {};
            rank_header head;
            if (r->bytes < sizeof head) continue;
            std::memcpy(&head, arriving_.data(), sizeof head);
            if (head.magic != rank_header{}.magic || head.run != run_) continue;
            stopped_ = stopped_ || head.word == rank_word::stop;
            lost_ = lost_ || head.word == rank_word::lost;
            last_ = *r;
            return head;
        }
    }
    // The next one that says something. Rank 0 says that it is alive four times within a deadline.
    rank_header wait(std::stop_token const& stop, int deadlines = 1) {
        for (;;) {
            auto const head = next({.timeout = has_deadline() ? options_.deadline * deadlines : options_.deadline, .stop = stop});
            if (!head) {
                if (stop.stop_requested()) cancel();
                alone_ = true;
                fail_of_owner(deadlines);
            }
            if (head->word != rank_word::alive) return *head;
        }
    }
    [[noreturn]] void fail_of_owner(int deadlines = 1) const {
        auto const ms = std::chrono::duration_cast<std::chrono::milliseconds>(options_.deadline * deadlines).count();
        std::string const text = message({"nothing has come from it for ", ms, " ms"});
        throw worker_error(silent_, std::make_exception_ptr(timeout_error(text)), text);
    }
    [[noreturn]] void cancel() const {
        if (lost_) raise_parts<cancelled_error>({"xgrad: worker ", transport_.rank(), " was left behind: ", text_of_loss()});
        raise<cancelled_error>("xgrad: replicas: a stop was requested");
    }
    std::string text_of_loss() const {
        return message(
            {"it had given no sign for ", std::chrono::duration_cast<std::chrono::milliseconds>(options_.deadline).count(), " ms"});
    }
    void wait_for_values(int o) {
        for (;;) {
            auto const r = transport_.try_receive(o, owner_values_tag, arriving_, {.timeout = options_.deadline});
            if (!r) {
                alone_ = true;
                silent_ = o;
                fail_of_owner();
            }
            rank_header head;
            if (r->bytes < sizeof head) continue;
            std::memcpy(&head, arriving_.data(), sizeof head);
            last_ = *r;
            if (head.run == run_ && head.sequence == sequence_) return;
        }
    }
    void take_values(int o) {
        incoming m = body();
        for (state_piece const& p : moved_[static_cast<std::size_t>(o)]) m.read(p.data, p.bytes);
    }
    incoming body() const {
        incoming m(arriving_, last_);
        m.read<rank_header>();
        return m;
    }

public:
    rank_session(trainer<P>& train, T& transport, sync_options const& options)
        : train_(train), transport_(transport), options_(options), model_(model_of(train, transport.rank() < options.owners)),
          shares_(shares_of_updates(train, options.owners)), layouts_(static_cast<std::size_t>(options.owners)), state_(train),
          run_(fresh_number(transport.rank())), draw_(train.store().steps) {
        for (std::size_t o = 0; o < layouts_.size(); ++o) {
            update_steps updates(trainer_access::state(train).run, train.store(), shares_[o], shares_[o + 1]);
            updates.follow();
            layouts_[o].follow(updates);
            moved_.push_back(moved_variables(train, model_.store(), shares_[o], shares_[o + 1]));
        }
    }
    rank_session(rank_session const&) = delete;

    std::uint64_t run() const { return run_; }
    std::vector<int> const& shares() const { return shares_; }
    bool alone() const { return alone_; }
    int rank() const { return transport_.rank(); }
    int size() const { return transport_.size(); }

    /// All ranks are there and fit together; this one has the state of rank 0. Throws value_error, shape_error where they differ, worker_error where one is missing.
    void begin() {
        std::string const text = describe(train_, options_);
        std::uint64_t const n = text.size();
        message_.add_text(n, text);
        send(rank_word::hello);
        for (;;) {
            rank_header const head = wait({}, 2);
            incoming m = body();
            if (head.word == rank_word::refused) {
                auto const worker = static_cast<int>(m.read<std::int64_t>());
                std::string const why = m.text();
                switch (static_cast<refusal>(head.number)) {
                case refusal::shape: raise<shape_error>(why);
                case refusal::value: raise<value_error>(why);
                case refusal::missing: break;
                }
                throw worker_error(worker, std::make_exception_ptr(timeout_error(why)), why);
            }
            if (head.word != rank_word::agreed) continue;
            run_ = m.read<std::uint64_t>();
            if (rank() == 0) return;
            state_.read_all(m);
            if (owns()) model_.pull(train_.store());
            draw_ = train_.store().steps;
            return;
        }
    }
    /// Throws cancelled_error where the run is to end, or goes on without this worker.
    void look() {
        while (next({.timeout = std::chrono::nanoseconds{0}})) {}
        if (alone_) fail_of_owner();
        if (stopped_ || lost_ || options_.stop.stop_requested()) cancel();
    }
    template<class... B>
    auto compute(B const&... bindings) {
        return model_.compute_gradients(draw_++, rank(), bindings...);
    }
    /// Gives the gradients, waits for a token and takes the variables.
    void give_and_wait() {
        ++sequence_;
        for (int o = options_.owners; o-- > 0;) {   // rank 0 comes last: what it has, all have been sent
            int const first = shares_[static_cast<std::size_t>(o)] - step_parts<P>::second();
            layouts_[static_cast<std::size_t>(o)].add(message_, [&](int update) { return model_.gradient(first + update); });
            send(rank_word::gradient, 0, o, o == 0 ? to_coordinator_tag : to_owner_tag);
        }
        for (;;) {
            rank_header const head = wait(options_.stop);
            if (stopped_ || lost_) cancel();
            if (head.word == rank_word::token && head.sequence == sequence_) break;
        }
        take_values(0);
        for (int o = 1; o < options_.owners; ++o) {
            wait_for_values(o);
            take_values(o);
        }
    }
    /// The work of this rank has ended, with an exception or without. Waits for all others; `join` ends a coordinator in this rank, and gives what has failed there.
    /// Throws worker_error.
    template<class Join>
    sync_report end(std::exception_ptr const& thrown, Join const& join) {
        if (alone_) fail_of_owner();
        bool const failed = thrown != nullptr && !is_of_the_stop(thrown);
        std::string const said = failed ? text_of(thrown) : std::string();
        std::uint64_t const n = said.size();
        if (failed) message_.add_text(n, said);
        if (!lost_) send(rank_word::ended, failed ? 1 : options_.stop.stop_requested() ? 2 : 0);
        while (!lost_)
            if (wait({}).word == rank_word::finished) break;
        if (lost_)
            throw worker_error(rank(), std::make_exception_ptr(timeout_error(text_of_loss())), "it was left behind: " + text_of_loss());
        incoming m = body();
        sync_report report;
        int const worker = static_cast<int>(m.read<std::int64_t>());
        report.updates = m.read<std::int64_t>();
        report.left = m.read<std::int64_t>();
        report.seconds = m.read<double>();
        report.workers.resize(static_cast<std::size_t>(size()));
        m.read(report.workers.data(), report.workers.size() * sizeof(worker_report));
        std::string const text = m.text();
        std::exception_ptr const failed_here = join();
        if (rank() != 0) state_.read_all(m);
        if (worker < 0) return report;
        std::exception_ptr cause = worker == rank() && failed ? thrown : failed_here;
        if (cause == nullptr) cause = std::make_exception_ptr(error(text));
        throw worker_error(worker, cause, text);
    }

private:
    bool is_of_the_stop(std::exception_ptr const& thrown) const {
        try {
            std::rethrow_exception(thrown);
        } catch (cancelled_error const&) { return stopped_ || lost_ || options_.stop.stop_requested(); } catch (...) {
            return false;
        }
    }
};

/// A thread that is waited for.
class thread_beside {
    std::stop_source stop_ = new_stop_source();
    std::thread thread_;

public:
    template<class F>
    void start(F f) {
        thread_ = std::thread([f, token = stop_.get_token()] { f(token); });
    }
    void stop() { stop_.request_stop(); }
    void join() {
        if (thread_.joinable()) thread_.join();
    }
    thread_beside() = default;
    thread_beside(thread_beside const&) = delete;
    ~thread_beside() { join(); }
};

/// One rank's worker.
template<class P, class T>
class rank_worker {
    rank_session<P, T>& session_;

public:
    explicit rank_worker(rank_session<P, T>& session) : session_(session) {}
    rank_worker(rank_worker const&) = delete;
    /// Computes gradients with the variables as they were when the last token was taken, gives them, and waits for a token: `worker(x = images)`. Returns
    /// the outputs, arrays as views that hold until the next call. Throws as a call of the trainer, and then nothing has been given; cancelled_error where
    /// another worker has failed, a stop was requested, or this one was left behind; worker_error where rank 0 is lost.
    template<class... B>
    auto operator()(B const&... bindings) {
        session_.look();
        auto const outputs = session_.compute(bindings...);
        session_.give_and_wait();
        return outputs;
    }
    /// The rank.
    int index() const { return session_.rank(); }
    /// Ranks, also those whose work has ended.
    int count() const { return session_.size(); }
};

}   // namespace detail

/// The same replicas as with threads, one worker in each rank of a transport: `xg::sync_replicas(train, xg::mpi{}, options)`. All ranks make the same
/// trainer and the same replicas, and call run() together. Rank 0 has the variables, slots and rules that count: its state is that of all when a run begins; a thread beside its worker
/// makes the updates; with `owners` each of the first ranks has such a thread, for its share of the variables. In the end all ranks have its variables, slots and step, also when the run fails.
///
/// `workers` is the number of ranks and may be left out; `on_update` is called in rank 0 alone. Of two replicas over one transport only one runs at a time. A
/// transport that is an lvalue must outlive the replicas, another one is kept.
template<class P, class T>
    requires Transport<std::remove_reference_t<T>>
class sync_replicas<trainer<P>, T> {
    using transport = std::remove_reference_t<T>;
    using coordinator = detail::sync_coordinator<P, transport>;
    trainer<P>& train_;
    T transport_;
    sync_options options_;

public:
    using worker = detail::rank_worker<P, transport>;

    /// Throws value_error where the first update could never be reached, or another number of workers is asked for than there are ranks.
    explicit sync_replicas(trainer<P>& train, T&& over, sync_options const& options = {})
        : train_(train), transport_(std::forward<T>(over)), options_(options) {
        [[maybe_unused]] constexpr bool fits = detail::is_replicable<P>();
        if (options.workers != 1 && options.workers != transport_.size())
            raise_parts<value_error>({"xgrad: sync replicas: ", options.workers, " workers over a transport of ", transport_.size(),
                " ranks: there is one in each; leave .workers out"});
        options_.workers = transport_.size();
        if (options.owners < 1 || options.owners > transport_.size())
            raise_parts<value_error>({"xgrad: sync replicas: ", options.owners, " owners among ", transport_.size(), " ranks"});
        sync_protocol const checked({options_.workers, options_.replicas_to_aggregate, options_.initial_tokens});
        detail::worker_crew const also({options_.deadline, options_.min_workers, {}});
        detail::worker_crew::check_least(options_.min_workers, options_.workers);
    }
    sync_replicas(sync_replicas const&) = delete;

    /// Calls `work(worker)` in this thread, and returns when the work of all ranks has ended. What one worker throws ends all others at their next call or wait, and comes
    /// out of run() in all ranks as worker_error with its number and text. A worker of which nothing comes within `deadline` while it has to compute is lost: what it gave in part is discarded, the others go on
    /// if at least `min_workers` are left, else worker_error names it in all ranks. Throws value_error and shape_error, before anything is computed, where the ranks differ in variables,
    /// program or options.
    template<class Work>
    sync_report run(Work&& work) {
        constexpr bool takes_worker = std::is_invocable_v<Work&, worker&>;
        static_assert(takes_worker, "xgrad: replicas.run(work): work is a function of a worker, [&](auto& worker) { worker(x = images); }");
        if constexpr (takes_worker) {
            train_.reserve();   // addresses as they are now
            detail::rank_session<P, transport> session(train_, transport_, options_);
            std::optional<coordinator> mine;
            std::optional<detail::sync_owner<P, transport>> owner;
            detail::thread_beside beside;
            if (transport_.rank() == 0) {
                mine.emplace(train_, transport_, options_, session.shares());
                beside.start([&](std::stop_token) { mine->serve(); });
            }
            session.begin();
            if (int const k = transport_.rank(); k > 0 && k < options_.owners) {
                auto const share = session.shares().begin() + k;
                owner.emplace(train_, transport_, options_, share[0], share[1], session.run());
                beside.start([&](std::stop_token stop) { owner->serve(stop); });
            }
            std::exception_ptr thrown;
            try {
                worker w(session);
                work(w);
            } catch (...) { thrown = std::current_exception(); }
            try {
                return session.end(thrown, [&] {
                    beside.join();
                    return mine ? mine->failed() : nullptr;
                });
            } catch (...) {
                if (session.alone()) beside.stop();   // nobody tells an owner any more that all is over
                throw;
            }
        } else return {};
    }
};
template<class P, class T>
    requires Transport<std::remove_reference_t<T>>
sync_replicas(trainer<P>&, T&&, sync_options const& = {}) -> sync_replicas<trainer<P>, T>;

XGRAD_NAMESPACE_END
