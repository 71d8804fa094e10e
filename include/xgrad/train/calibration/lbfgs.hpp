// SPDX-License-Identifier: MIT
// L-BFGS on the variables of a loss: the algorithm of calibrate(), for any program.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/numerics/line_search.hpp>
#include <xgrad/train/calibration/covariance.hpp>
#include <xgrad/train/calibration/variable_bounds.hpp>

#include <array>
#include <limits>

XGRAD_NAMESPACE_BEGIN

/// Limited-memory BFGS with a line search for the strong Wolfe conditions, for calibrate(loss, lbfgs{...}).
///
///     s = θ_{k+1} − θ_k, y = g_{k+1} − g_k   of the last `history` iterations
///     H: (sᵀy / yᵀy) I, updated by the BFGS formula with these pairs
///     θ ← θ − t H g                          the search begins with t = 1, in the first iteration with min(1, 1 / Σ|g|)
///
/// Source: Nocedal & Wright, Numerical Optimization, algorithms 7.4 and 7.5. The iterates are those of PyTorch's LBFGS with
/// line_search_fn="strong_wolfe".
///
/// * A pair with sᵀy ≤ ε yᵀy is skipped. If the line search finds no lower loss, the history is cleared, and −g is tried once.
/// * A loss of float ends the calibration if it changes by at most 4 ε of its value, or if gᵀH g / 2 predicts such a change.
/// * Bounds (calibration::bounds): elements that a bound stops do not move in an iteration, and H is that of the others. The line
///   search goes along the projected path, in place of the Wolfe conditions. Each trial is 0.1 to 0.5 of the one before.
///   Source: Kim, Sra & Dhillon 2010, Tackling Box-Constrained Optimization.
/// * Memory: 5 + 2 (history + 1) vectors of double, each over all variables, and 2 more for bounds.
struct lbfgs {
    int history = 10;
    int max_iterations = 200;
    int max_evaluations = 2000;         // of the loss with its gradient
    double gradient_tolerance = 1e-7;   // ends when no |g| is larger; in the units of the loss
    double loss_tolerance = 1e-12;      // ends when the relative change of the loss is not larger
    double step_tolerance = 1e-12;      // ends when no variable moves by more than this part of the largest one
    double decrease = 1e-4;             // c1 of the Wolfe conditions
    double curvature = 0.9;             // c2 of the Wolfe conditions
    int search_evaluations = 25;        // at most, in one line search

    /// An error sentence if an option is invalid; else empty.
    hyper_complaint check() const {
        constexpr hyper_range counts{1, 1e6, false, false, "from 1 to 1000000"};
        std::array const all{hyper_info("history", static_cast<double>(history), counts),
            hyper_info("max_iterations", static_cast<double>(max_iterations), allow::at_least_one),
            hyper_info("max_evaluations", static_cast<double>(max_evaluations), allow::at_least_one),
            hyper_info("gradient_tolerance", gradient_tolerance, allow::zero_or_more),
            hyper_info("loss_tolerance", loss_tolerance, allow::zero_or_more),
            hyper_info("step_tolerance", step_tolerance, allow::zero_or_more),
            hyper_info("decrease", decrease, allow::between_zero_and_one), hyper_info("curvature", curvature, allow::between_zero_and_one),
            hyper_info("search_evaluations", static_cast<double>(search_evaluations), allow::at_least_one)};
        hyper_complaint wrong = detail::check_hypers("lbfgs", all.data(), all.size());
        return wrong.empty() && decrease >= curvature ? hyper_complaint("lbfgs: decrease must be less than curvature") : wrong;
    }
};

/// Why a calibration has ended.
///
/// | value | reason |
/// |---|---|
/// | gradient, loss, step | A tolerance of lbfgs{} is met. This is success. |
/// | iterations, evaluations | A limit of lbfgs{} is reached. |
/// | line_search | There is no lower loss along the gradient. The loss is rounded too coarsely, or does not fit its gradient. |
/// | not_finite | The loss or a gradient is not finite at the beginning. |
/// | watcher | The watcher returned false. |
enum class calibration_end : unsigned char { not_yet, gradient, loss, step, iterations, evaluations, line_search, not_finite, watcher };
constexpr std::string_view name_of(calibration_end e) {
    constexpr std::string_view names[]{
        "not yet", "gradient", "loss", "step", "iterations", "evaluations", "line search", "not finite", "watcher"};
    return names[static_cast<int>(e)];
}
/// The state of a calibration, or its end. Converts to bool: whether it has converged.
struct calibration_result {
    calibration_end end = calibration_end::not_yet;
    int iterations = 0, evaluations = 0;
    double loss = 0;
    double gradient_norm = 0;   // the largest |g|; with bounds: the largest move of a step along −g
    double step_length = 0;     // t of the last iteration
    explicit operator bool() const {
        return end == calibration_end::gradient || end == calibration_end::loss || end == calibration_end::step;
    }
};

namespace detail {
/// Called after each iteration. Returns whether to continue.
struct calibration_watch {
    void* with = nullptr;
    bool (*call)(void* with, calibration_result const& now) = nullptr;
};

/// The parts of a calibration that do not depend on the program. It must not move in memory.
class calibration_host {
public:
    runner run;

private:
    kept_gradients<runner> kept_;
    variable_store const& store_;
    flat_gradients flat_;
    variable_bounds bounds_;

    std::int64_t n_ = 0;   // length of each vector
    int history_ = 0;      // one more than the number of pairs
    aligned_buffer<double> memory_;
    sequence<double> rho_, alpha_;
    array_ref const* in_ = nullptr;   // the arrays of the current call

    enum vectors { point, direction, gradient, gradient_before, gradient_kept, first_pair };
    double* vector(int k) { return memory_.data() + k * n_; }
    double* moved(int pair) { return vector(first_pair + 2 * pair); }
    double* bent(int pair) { return vector(first_pair + 2 * pair + 1); }

    /// Sets the variables to `point` at the end of a call, also after an exception.
    struct put_back {
        calibration_host& of;
        ~put_back() { of.flat_.write_variables(of.vector(point), 0, nullptr); }
    };
    double loss_of_run();
    bool evaluate(double& loss);
    void begin_call(array_ref const* in, std::uint64_t const* given, int history);
    double gradient_norm();
    void aim(int count, int next);
    void aim_within(int count, int next);
    line_point search_within(lbfgs const& how, int& evaluations, line_point const& start, double first);

public:
    calibration_host(variable_store const& store, runtime_plan const& plan);
    /// Allocates memory for calls with this history. Throws std::bad_alloc.
    void make_room(int history);
    /// `in` are the arrays of a call. Throws like a call of a function. If it or `watch` throws, the variables have the values of the
    /// last iteration.
    calibration_result minimize(lbfgs const& how, array_ref const* in, std::uint64_t const* given, calibration_watch const& watch);
    variable_bounds& bounds() { return bounds_; }
    /// Whether the calibration moves that variable.
    bool moves(std::uint64_t variable) const;
    /// The inverse of the Hessian, from differences of gradients. Throws like minimize, and value_error if the Hessian is not
    /// positive definite.
    calibration_covariance covariance(lbfgs const& how, array_ref const* in, std::uint64_t const* given);

    /// The loss along the direction, for strong_wolfe.
    struct line {
        calibration_host& of;
        int& evaluations;
        double last = 0;
        line_point at(double t) {
            ++evaluations;
            last = t;
            of.flat_.write_variables(of.vector(point), t, of.vector(direction));
            double loss = 0;
            if (!of.evaluate(loss)) return {t, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()};
            return {t, loss, dot(of.vector(gradient), of.vector(direction), of.n_)};
        }
        void keep() { std::copy_n(of.vector(gradient), of.n_, of.vector(gradient_kept)); }
    };
};

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST calibration_host::calibration_host(variable_store const& store, runtime_plan const& plan)
    : run(plan), store_(store), flat_(run, kept_, store, [](int) { return true; }) {
    run.flush = true;
    run.borrow(store);
    kept_.begin(run);
}
XGRAD_COLD XGRAD_HOST void calibration_host::make_room(int history) {
    n_ = flat_.measure();
    history_ = history + 1;
    std::size_t const need = static_cast<std::size_t>(first_pair + 2 * history_) * static_cast<std::size_t>(n_);
    memory_.grow_to(need);
    std::fill_n(memory_.data(), need, 0.0);   // also after the last element of each vector
    if (rho_.count >= history_) return;
    sequence<double> rho(history_, 0), alpha(history_, 0);
    rho_.swap(rho);
    alpha_.swap(alpha);
}
XGRAD_HOST double calibration_host::loss_of_run() {
    double loss = 0;
    visit_floating(run.plan().output_shapes[0].type,
        [&]<class T>(std::type_identity<T>) { loss = static_cast<double>(*static_cast<T const*>(run.output(0))); });
    return loss;
}
XGRAD_HOST bool calibration_host::evaluate(double& loss) {
    kept_.compute({}, in_);
    loss = loss_of_run();
    return flat_.read_gradients(vector(gradient)) && std::isfinite(loss);
}
// direction ← −H gradient. The newest of `count` pairs is the one before `next`.
XGRAD_HOST void calibration_host::aim(int count, int next) {
    double* const d = vector(direction);
    for (std::int64_t i = 0; i < n_; ++i) d[i] = -vector(gradient)[i];
    for (int k = 1, p; k <= count; ++k) {
        p = (next - k + history_) % history_;
        alpha_.at[p] = rho_.at[p] * dot(moved(p), d, n_);
        scale_and_add(d, 1, -alpha_.at[p], bent(p), n_);
    }
    if (count == 0) return;
    int const newest = (next - 1 + history_) % history_;
    scale_and_add(d, 1 / (rho_.at[newest] * dot(bent(newest), bent(newest), n_)), 0, d, n_);
    for (int k = count, p; k > 0; --k) {
        p = (next - k + history_) % history_;
        scale_and_add(d, 1, alpha_.at[p] - rho_.at[p] * dot(bent(p), d, n_), moved(p), n_);
    }
}
// Like aim, with bounds: elements that a bound stops do not move, and do not count in the pairs.
XGRAD_HOST void calibration_host::aim_within(int count, int next) {
    double *const d = vector(direction), *const x = vector(point), *const g = vector(gradient);
    auto const free = [&](std::int64_t i) { return !bounds_.stops(i, x[i], g[i]); };
    for (std::int64_t i = 0; i < n_; ++i) d[i] = free(i) ? -g[i] : 0;
    auto const product = [&](double const* a, double const* b) {
        double sum = 0;
        for (std::int64_t i = 0; i < n_; ++i) sum += free(i) ? a[i] * b[i] : 0;
        return sum;
    };
    auto const add = [&](double factor, double const* a) {
        for (std::int64_t i = 0; i < n_; ++i) d[i] += free(i) ? factor * a[i] : 0;
    };
    double scale = 0;   // sᵀy / yᵀy of the newest pair that is used
    for (int k = 1, p; k <= count; ++k) {
        p = (next - k + history_) % history_;
        double const sy = product(moved(p), bent(p)), yy = product(bent(p), bent(p));
        rho_.at[p] = sy > std::numeric_limits<double>::epsilon() * yy ? 1 / sy : 0;
        if (rho_.at[p] == 0) continue;
        if (scale == 0) scale = sy / yy;
        alpha_.at[p] = rho_.at[p] * product(moved(p), d);
        add(-alpha_.at[p], bent(p));
    }
    if (scale == 0) return;
    for (std::int64_t i = 0; i < n_; ++i) d[i] *= scale;
    for (int k = count, p; k > 0; --k) {
        p = (next - k + history_) % history_;
        if (rho_.at[p] != 0) add(alpha_.at[p] - rho_.at[p] * product(bent(p), d), moved(p));
    }
}
// Tries t = first and ever smaller ones until the loss at the nearest point within bounds falls enough. Leaves the variables at that
// point.
XGRAD_HOST line_point calibration_host::search_within(lbfgs const& how, int& evaluations, line_point const& start, double first) {
    double const *const x = vector(point), *const d = vector(direction), *const before = vector(gradient_before);
    double* const trial = vector(gradient_kept);
    int const most = std::min(how.search_evaluations, how.max_evaluations - evaluations);
    double t = first;
    for (int k = 0; k < most; ++k) {
        double slope = 0;
        bool goes = false;
        for (std::int64_t i = 0; i < n_; ++i) {
            trial[i] = bounds_.clip(i, x[i] + t * d[i]);
            slope += before[i] * (trial[i] - x[i]);
            goes = goes || trial[i] != x[i];
        }
        if (!goes || !(slope < 0)) break;
        flat_.write_variables(trial, 0, nullptr);
        ++evaluations;
        double loss = 0;
        bool const finite = evaluate(loss);
        if (finite && loss < start.loss && loss <= start.loss + how.decrease * slope) return {t, loss, 0};
        double const bend = loss - start.loss - slope;   // curvature of the parabola through both losses and the slope
        t *= finite && bend > 0 ? std::min(std::max(-slope / (2 * bend), 0.1), 0.5) : 0.5;
    }
    return start;
}
XGRAD_HOST double calibration_host::gradient_norm() {
    if (!bounds_.any()) return largest(vector(gradient), n_);
    double most = 0;
    for (std::int64_t i = 0; i < n_; ++i) {
        double const x = vector(point)[i];
        most = std::max(most, std::abs(bounds_.clip(i, x - vector(gradient)[i]) - x));
    }
    return most;
}
XGRAD_HOST void calibration_host::begin_call(array_ref const* in, std::uint64_t const* given, int history) {
    store_.expect_no_run("calibrate", store_access::step);
    if (status const s = run.bind(in, given, true); !s) run.fail(s);
    for (int k = 0; k < run.plan().input_count; ++k)
        if (store_.memory().holds(in[k].data)) run.fail({status_code::overlaps, run.plan().inputs[k].name});
    run.random.seed = store_.seed;
    run.random.step = static_cast<std::uint64_t>(store_.steps);
    make_room(history);
    bounds_.lay_out(flat_, n_);
    in_ = in;
    flat_.read_variables(vector(point));
}
XGRAD_HOST calibration_result calibration_host::minimize(
    lbfgs const& how, array_ref const* in, std::uint64_t const* given, calibration_watch const& watch) {
    begin_call(in, given, how.history);
    double *const x = vector(point), *const d = vector(direction), *const g = vector(gradient), *const before = vector(gradient_before);
    bool const bounded = bounds_.any();
    for (std::int64_t i = 0; bounded && i < n_; ++i) x[i] = bounds_.clip(i, x[i]);
    if (bounded) flat_.write_variables(x, 0, nullptr);
    put_back const guard{*this};
    bool const coarse = run.plan().output_shapes[0].type == dtype::float32;   // a sum of float is wrong by some units in the last place
    double const tolerance = std::max(how.loss_tolerance, coarse ? 4.0 * std::numeric_limits<float>::epsilon() : 0.0);

    calibration_result now{};
    now.evaluations = 1;
    bool const finite = evaluate(now.loss);
    now.gradient_norm = gradient_norm();
    if (!finite) now.end = calibration_end::not_finite;
    else if (now.gradient_norm <= how.gradient_tolerance) now.end = calibration_end::gradient;
    else if (how.max_evaluations == 1) now.end = calibration_end::evaluations;
    for (int count = 0, next = 0; now.end == calibration_end::not_yet;) {
        if (bounded) aim_within(count, next);
        else aim(count, next);
        std::copy_n(g, n_, before);
        double sum = 0;
        for (std::int64_t i = 0; i < n_; ++i) sum += std::abs(g[i]);
        line_point const start{0, now.loss, dot(g, d, n_)};
        // The decrease that the quadratic model predicts would be lost in the rounding of the loss.
        if (coarse && count > 0 && start.slope < 0 && -start.slope / 2 <= tolerance * std::abs(now.loss)) {
            now.end = calibration_end::loss;
            break;
        }
        line along{*this, now.evaluations};
        strong_wolfe const conditions{how.decrease, how.curvature, std::min(how.search_evaluations, how.max_evaluations - now.evaluations),
            std::numeric_limits<double>::epsilon() * std::max(largest(x, n_) / largest(d, n_), std::numeric_limits<double>::min())};
        double const first = count > 0 ? 1 : std::min(1.0, 1 / sum);
        line_point const found = !(start.slope < 0) ? start
                                 : bounded          ? search_within(how, now.evaluations, start, first)
                                                    : conditions.search(along, start, first);
        if (found.t == 0) {   // no lower loss
            std::copy_n(before, n_, g);
            if (now.evaluations >= how.max_evaluations) now.end = calibration_end::evaluations;
            else if (count == 0) now.end = calibration_end::line_search;
            count = 0;
            continue;
        }
        if (!bounded && found.t != along.last) std::copy_n(vector(gradient_kept), n_, g);
        if (!bounded) flat_.write_variables(x, found.t, d);
        double *const s = moved(next), *const y = bent(next);
        flat_.read_variables(s);
        for (std::int64_t i = 0; i < n_; ++i) {
            double const there = s[i];
            s[i] = there - x[i];
            x[i] = there;
            y[i] = g[i] - before[i];
        }
        if (double const sy = dot(s, y, n_); sy > std::numeric_limits<double>::epsilon() * dot(y, y, n_)) {
            rho_.at[next] = 1 / sy;
            next = (next + 1) % history_;
            count = std::min(count + 1, how.history);
        }
        ++now.iterations;
        now.step_length = found.t;
        now.gradient_norm = gradient_norm();
        double const fall = start.loss - found.loss, scale = std::max(std::abs(start.loss), std::abs(found.loss));
        now.loss = found.loss;
        if (now.gradient_norm <= how.gradient_tolerance) now.end = calibration_end::gradient;
        else if (largest(s, n_) <= how.step_tolerance * largest(x, n_)) now.end = calibration_end::step;
        else if (fall <= tolerance * scale) now.end = calibration_end::loss;
        else if (now.iterations >= how.max_iterations) now.end = calibration_end::iterations;
        else if (now.evaluations >= how.max_evaluations) now.end = calibration_end::evaluations;
        if (watch.call != nullptr && !watch.call(watch.with, now) && now.end == calibration_end::not_yet)
            now.end = calibration_end::watcher;
    }
    return now;
}
XGRAD_COLD XGRAD_HOST bool calibration_host::moves(std::uint64_t variable) const {
    bool found = false;
    flat_.each([&](stored_variable const& v, std::int64_t) { found = found || v.hash == variable; });
    return found;
}
#endif

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
