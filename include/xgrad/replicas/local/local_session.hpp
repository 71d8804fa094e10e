// SPDX-License-Identifier: MIT
// One run of workers that take their own steps and exchange with a centre now and then.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/local/centre_mark.hpp>
#include <xgrad/replicas/fair_shared_mutex.hpp>
#include <xgrad/replicas/local/local_method.hpp>
#include <xgrad/replicas/local/local_model.hpp>
#include <xgrad/replicas/local/local_options.hpp>
#include <xgrad/replicas/local/local_worker.hpp>
#include <xgrad/replicas/sync/meeting.hpp>
#include <xgrad/replicas/update_call.hpp>
#include <xgrad/replicas/worker_crew.hpp>
#include <xgrad/replicas/worker_number.hpp>
#include <xgrad/replicas/worker_state.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// `Method` defines what workers and centre do: local_method.hpp.
template<class P, class Method>
class local_session {
public:
    static constexpr char const* driver = Method::name.data();
    using model = typename Method::model;
    using settings = typename Method::settings;
    using report_type = local_report;
    using worker = local_worker<local_session>;

private:
    using clock = std::chrono::steady_clock;
    trainer<P>& centre_;
    settings settings_;
    Method method_;
    fair_shared_mutex& variables_;   // of the centre: workers read them, an exchange writes them
    std::mutex exchanges_;           // serializes exchanges
    mutable std::mutex mutex_;       // guards everything below
    float loss_scale_;
    rules_of<P> rules_;                                  // of the centre after its last update; a change also needs the mutex `exchanges_`
    std::vector<std::shared_ptr<model>> models_;         // null if the worker has ended and no later run continues with its slots
    std::vector<std::shared_ptr<model>> meeting_kept_;   // keeps models alive during a meeting, because a worker may end meanwhile
    std::vector<model*> meeting_models_;
    meeting meeting_;
    std::vector<bool> goes_on_;   // whether worker k continues with its state of the run before
    local_report report_;
    std::int64_t first_draw_, drawn_;
    std::string_view over_;   // of a replay: why it has ended
    centre_mark left_;        // when this run last moved the centre

    local_worker_report& report(int k) { return report_.workers[static_cast<std::size_t>(k)]; }
    bool is_lost(int k) const { return report_.workers[static_cast<std::size_t>(k)].lost; }
    std::shared_ptr<model> const& model_at(int k) const { return models_[static_cast<std::size_t>(k)]; }
    static double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }
    auto mover() {
        return [this](auto const& f) {
            std::unique_lock const alone(variables_);
            xgrad::flush_denormals const guard(step_driver::state(centre_).run.flush);
            f();
            left_.take(centre_);
        };
    }
    // Calls f, which moves the centre. If f throws, a replay ends, as a run would.
    template<class F>
    auto at_centre(F const& f) {
        try {
            return f();
        } catch (...) {
            be_over("an update of the centre has thrown");
            throw;
        }
    }
    void be_over(std::string_view why) {
        std::lock_guard const lock(mutex_);
        over_ = why;
    }
    void begin(model& m) {
        std::shared_lock const reading(variables_);
        method_.begin(m);
    }
    void bring(model& m) {
        std::shared_lock const reading(variables_);
        if constexpr (requires { method_.bring(m); }) method_.bring(m);
    }
    void take(model& m) {
        std::shared_lock const reading(variables_);
        if constexpr (requires { method_.take(m); }) method_.take(m);
    }
    static constexpr bool drops = requires(Method const& method) { method.needed(); };
    std::size_t needed() const {
        if constexpr (drops) return method_.needed();
        else return std::size_t(-1);
    }
    // The meeting that the worker's contribution is for. Meetings are counted like the centre's steps.
    static std::int64_t turn_of(model const& m) { return drops ? m.pulled : std::numeric_limits<std::int64_t>::max(); }
    void take_late(model& m) {
        {
            std::lock_guard const lock(mutex_);
            ++report(m.number).communications;
            ++report(m.number).dropped;
            m.follow(rules_);
        }
        take(m);
    }
    // Needs the mutex `exchanges_`, which on_update has as well.
    void look_at_rules() {
        step_driver::expect_loss_scale(centre_, loss_scale_);
        std::lock_guard const lock(mutex_);
        rules_ = rules_of<P>(centre_);
    }
    void updated() {
        std::unique_lock lock(mutex_);
        ++report_.updates;
        lock.unlock();
        call_on_update(settings_.on_update, centre_, centre_.global_step());
        look_at_rules();
    }
    void add_model(std::shared_ptr<model> m) {
        int const k = static_cast<int>(models_.size());
        goes_on_.push_back(m != nullptr);
        if (m == nullptr) {
            std::shared_lock const reading(variables_);   // guards the slots of the centre, which others may move
            m = std::make_shared<model>(new_worker<P>{centre_, rules_, k}, settings_);
        }
        m->follow(rules_);
        m->train.store().steps = first_draw_;
        begin(*m);
        models_.push_back(std::move(m));
        report_.workers.resize(models_.size());
        meeting_.join();
    }
    bool exchange(model& m) {
        auto const start = clock::now();
        std::unique_lock const one(exchanges_);
        look_at_rules();
        m.follow(rules_);   // on_update, called for another worker, may have changed the rules
        auto result = exchange_result::taken;
        if constexpr (requires { method_.exchange(m, mover()); }) result = method_.exchange(m, mover());
        if (result == exchange_result::moved) updated(), m.follow(rules_);
        std::lock_guard const lock(mutex_);
        report(m.number).communications += result != exchange_result::taken;
        report(m.number).dropped += result == exchange_result::refused;
        report(m.number).communicated += seconds_since(start);
        return result == exchange_result::moved;
    }
    void meet(std::vector<int> const& present) {
        {
            std::lock_guard const lock(mutex_);
            meeting_kept_.clear();
            meeting_models_.clear();
            for (int k : present) {
                meeting_kept_.push_back(model_at(k));
                meeting_models_.push_back(meeting_kept_.back().get());
            }
        }
        std::unique_lock const one(exchanges_);
        if constexpr (requires { method_.meet(meeting_models_.data(), 0, mover()); })
            method_.meet(meeting_models_.data(), static_cast<int>(meeting_models_.size()), mover());
        for (model* m : meeting_models_) {
            std::lock_guard const lock(mutex_);
            ++report(m->number).communications;
        }
        updated();
        for (model* m : meeting_models_) m->follow(rules_);
        meeting_kept_.clear();
    }
    auto meets() {
        return [this](std::vector<int> const& present) { meet(present); };
    }
    template<class F>
    auto meets_and_answers(F const& answer) {
        return [this, &answer](std::vector<int> const& present) {
            meet(present);
            take_all();
            for (int k : present) answer(k);
        };
    }
    // Applies the worker's own update; returns whether the worker wants an exchange.
    bool step(model& m) {
        bool const due = method_.step(m);
        std::lock_guard const lock(mutex_);
        ++report(m.number).steps;
        report(m.number).left = m.since;
        drawn_ = std::max(drawn_, m.train.store().steps);
        return due;
    }
    void report_loss(int k, bool lost) {
        std::lock_guard const lock(mutex_);
        report(k).lost = lost;
    }
    void exchanged(model& m) {
        std::lock_guard const lock(mutex_);
        report(m.number).left = m.since;
    }

public:
    worker_crew crew;
    /// Workers begin with the current variables. They take over the state of the workers of `last`, a run that has ended, unless something
    /// else has moved the centre since.
    local_session(trainer<P>& centre, settings const& s, fair_shared_mutex& variables, local_session* last)
        : centre_(centre), settings_(s), method_(centre, settings_), variables_(variables), loss_scale_(step_driver::loss_scale(centre)),
          rules_(centre), meeting_(centre.global_step(), needed()), first_draw_(centre.store().steps), drawn_(first_draw_),
          crew({s.deadline, s.min_workers, s.stop}) {
        {
            std::unique_lock const alone(variables_);
            step_driver::follow(centre_);
        }
        method_.start();
        left_.take(centre_);
        bool const same = last != nullptr && last->left_.fits(centre_);
        for (int k = 0; k < s.workers; ++k) add_model(same ? last->leave(k, centre_) : nullptr);
        if (last != nullptr) last->be_over("another run has begun since");
    }
    local_session(local_session const&) = delete;

    /// Whether nothing else has moved the trainer since, and all its workers are still here.
    bool goes_on_from(trainer<P> const& centre) const {
        for (int k = 0; k < settings_.workers; ++k)
            if (!is_lost(k) && (model_at(k) == nullptr || !model_at(k)->fits(centre))) return false;
        return left_.fits(centre);
    }
    /// What the workers keep from run to run; nothing for a lost one.
    worker_state state() const {
        return state_of<P, Method>(centre_, settings_.workers, [&](int k, bool& here) {
            here = !is_lost(k) && model_at(k) != nullptr;
            return here ? model_at(k) : std::make_shared<model>(new_worker<P>{centre_, rules_, k}, settings_);
        });
    }
    /// The inverse. Throws value_error if the state is not of such workers.
    void set_state(worker_state const& s) {
        if (worker_state mine = state(); !mine.assign(s.numbers())) refuse_state(Method::name);
        read_state<P, Method>(s, settings_.workers, [&](int k, bool here) {
            return here ? model_at(k) : std::make_shared<model>(new_worker<P>{centre_, rules_, k}, settings_);
        });
    }
    /// Hands worker k over to another run. Null if lost, never there, already handed over, or if the centre's variables have grown.
    std::shared_ptr<model> leave(int k, trainer<P> const& centre) {
        if (k >= static_cast<int>(models_.size()) || model_at(k) == nullptr || is_lost(k) || !model_at(k)->fits(centre)) return nullptr;
        return std::exchange(models_[static_cast<std::size_t>(k)], nullptr);
    }
    /// Throws value_error if the worker continues in another run, or had joined this one and has ended.
    std::shared_ptr<model> model_of(int k) const {
        std::lock_guard const lock(mutex_);
        expect_worker_number("replicas", k, static_cast<std::int64_t>(models_.size()));
        if (model_at(k) == nullptr)
            raise_parts<value_error>({"xgrad: replicas: worker ", k,
                k < settings_.workers ? " belongs to another run, which has begun since" : " had joined, and has ended"});
        return model_at(k);
    }
    int worker_count() const {
        std::lock_guard const lock(mutex_);
        return static_cast<int>(models_.size());
    }
    local_report snapshot() const {
        std::lock_guard const lock(mutex_);
        return report_;
    }
    /// Called when all workers have ended. Advances the random numbers, so that later steps draw others than this run.
    void finish() {
        std::unique_lock const alone(variables_);
        centre_.store().steps = std::max(centre_.store().steps, drawn_);
    }

    // For workers in threads.
    template<class Work>
    static void run(std::shared_ptr<local_session> const& all, Work&& work, int workers) {
        all->crew.run(all, std::forward<Work>(work), workers);
    }
    void step_and_exchange(model& m) {
        if (!step(m)) return;
        try {
            if (!method_.meets()) exchange(m);
            else {
                auto const start = clock::now();
                bring(m);
                if (meeting_.arrive_and_wait(m.number, turn_of(m), crew.stop(), meets()) == arrival::late) take_late(m);
                else take(m);
                std::lock_guard const lock(mutex_);
                report(m.number).waited += seconds_since(start);
            }
        } catch (cancelled_error const&) { throw; } catch (...) {   // not this worker's fault: nothing moves the centre any more
            crew.fail(m.number);
            throw;
        }
        exchanged(m);
    }
    void end(int k) {
        if (crew.stopping()) meeting_.leave(k);   // the others no longer wait
        else meeting_.end(k, meets());
        forget(k);
    }
    void lose(int k) {
        report_loss(k, true);
        end(k);
    }
    /// Adds a worker. Throws std::bad_alloc; then nothing has changed.
    void join() {
        std::lock_guard const lock(mutex_);
        add_model(nullptr);
    }

    // For workers in ranks; only the centre's thread calls these. Its model of worker k is an image, unless the worker is `here`.
    // `answer(k)` tells a worker to continue.
    Method& method() { return method_; }
    bool goes_on(int k) const { return goes_on_[static_cast<std::size_t>(k)]; }
    /// Records what worker k reports about its own steps in this run.
    void heard(int k, std::int64_t steps, std::int64_t since, std::int64_t draw) {
        std::lock_guard const lock(mutex_);
        report(k).steps = steps;
        report(k).left = since;
        drawn_ = std::max(drawn_, draw);
    }
    /// Worker k has arrived; its contribution is in its model. Throws what the centre throws.
    template<class F>
    void arrive(int k, bool here, F const& answer) {
        model& m = *model_of(k);
        if (!method_.meets()) exchange(m);
        else {
            if (here) bring(m);
            if (meeting_.arrive(k, turn_of(m), meets_and_answers(answer)) != arrival::late) return;
            take_late(m);
        }
        exchanged(m);
        answer(k);
    }
    void waited(int k, double seconds) {
        if (!method_.meets()) return;
        std::lock_guard const lock(mutex_);
        report(k).waited += seconds;
    }
    /// Worker k has ended or is lost. If all are to stop, the others no longer wait.
    template<class F>
    void end_of_rank(int k, bool lost, bool stopping, F const& answer) {
        report_loss(k, lost);
        if (stopping) meeting_.leave(k);
        else meeting_.end(k, meets_and_answers(answer));
    }

    // For a replay, in one thread.
    void expect_going() const {
        std::lock_guard const lock(mutex_);
        if (!over_.empty()) raise_parts<value_error>({"xgrad: replicas: this replay is over, because ", over_});
    }
    void expect_working(int k) const {
        expect_going();
        expect_worker_number("replicas", k, worker_count());
        if (meeting_.has_ended(k)) raise_parts<value_error>({"xgrad: replicas: worker ", k, " has ended"});
    }
    void expect_computing(int k) const {
        expect_working(k);
        if (meeting_.waits(k)) raise_parts<value_error>({"xgrad: replicas: worker ", k, " waits for the others"});
    }
    bool step_in_replay(model& m) {
        if (!step(m)) return false;
        return at_centre([&] {
            if (!method_.meets()) {
                bool const moved = exchange(m);
                exchanged(m);
                return moved;
            }
            bring(m);
            arrival const found = meeting_.arrive(m.number, turn_of(m), meets());
            if (found == arrival::late) take_late(m), exchanged(m);
            else if (found == arrival::met) take_all();
            return found == arrival::met;
        });
    }
    void end_in_replay(int k) {
        expect_working(k);
        at_centre([&] {
            bool moved = false;
            meeting_.end(k, [&](std::vector<int> const& present) { meet(present), moved = true; });
            if (moved) take_all();
        });
        forget(k);
    }

private:
    // Releases a joined worker's model, because no later run continues it. Its thread may keep the model alive.
    void forget(int k) {
        if (k < settings_.workers) return;
        std::shared_ptr<model> last;   // destroyed after the mutex is released
        std::lock_guard const lock(mutex_);
        last.swap(models_[static_cast<std::size_t>(k)]);
    }
    void take_all() {
        for (model* m : meeting_models_) take(*m), exchanged(*m);
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
