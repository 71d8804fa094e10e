// SPDX-License-Identifier: MIT
// GGT: steps of any trainer whose gradients are preconditioned by a window of past gradients. All variables are one vector.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/hyper.hpp>
#include <xgrad/optim/numerics/symmetric_eigen.hpp>
#include <xgrad/train/minimize.hpp>
#include <xgrad/train/flat_gradients.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// The options of ggt.
struct ggt_options {
    double beta1 = 0.9;               // decay of the mean of gradients
    int window = 10;                  // number of means that are kept
    double eps = 1e-4;                // if no √σ is larger, the part outside the window is omitted
    double svd_eps = 1e-6;            // added to the diagonal of MᵀM
    double sigma_eps = 1e-2;          // added to each √σ
    std::string_view label = "ggt";   // the name in checkpoints

    /// An error sentence if an option is invalid; else empty.
    hyper_complaint check() const {
        constexpr hyper_range windows{1, 1000, false, false, "from 1 to 1000"};
        std::array const all{hyper_info("beta1", beta1, allow::below_one), hyper_info("window", static_cast<double>(window), windows),
            hyper_info("eps", eps, allow::zero_or_more), hyper_info("svd_eps", svd_eps, allow::zero_or_more),
            hyper_info("sigma_eps", sigma_eps, allow::zero_or_more)};
        hyper_complaint wrong = detail::check_hypers("ggt", all.data(), all.size());
        return wrong.empty() && svd_eps == 0 && sigma_eps == 0
                   ? hyper_complaint("ggt: svd_eps and sigma_eps are both 0; write a number above 0 for one of them")
                   : wrong;
    }
};

/// The state of a ggt, for checkpoints: the last means of gradients, and the number of steps.
class ggt_window {
    ggt_options how_;
    std::uint64_t layout_;   // identifies the variables, their order and sizes
    std::int64_t length_;    // length of each vector
    std::int64_t steps_ = 0;
    aligned_buffer<double> memory_;   // the means, the next mean, the step, and matrices of products of means

    int size() const { return how_.window; }
    int next() const { return static_cast<int>(steps_ % size()); }
    double* mean(int k) { return memory_.data() + k * length_; }
    double* next_mean() { return mean(size()); }
    double* products() { return mean(size() + 2); }   // mean(k) · mean(j) for all k and j, not divided by min(t, window)
    double* next_products() { return products() + size() * size(); }
    double* weights() { return next_products() + size(); }
    double* matrix() { return weights() + size(); }
    double* eigenvectors() { return matrix() + size() * size(); }

public:
    /// `length` must be a whole number of cache lines. Throws value_error if an option is invalid.
    ggt_window(ggt_options const& how, std::int64_t length, std::uint64_t layout) : how_(how), layout_(layout), length_(length) {
        if (hyper_complaint const wrong = how.check(); !wrong.empty()) raise_parts<value_error>({"xgrad: ", wrong.view()});
        auto const w = static_cast<std::size_t>(how.window);
        memory_ = aligned_buffer<double>((w + 2) * static_cast<std::size_t>(length) + w * (3 * w + 2));
    }
    ggt_options const& options() const { return how_; }
    std::uint64_t layout() const { return layout_; }
    /// The number of steps so far.
    std::int64_t steps() const { return steps_; }

    // For checkpoints: the name and the values to save, and how to restore them.
    static constexpr std::string_view saved_as = "window", broken = "is not a window of this size of the gradients of these variables";
    std::string_view name() const { return how_.label; }
    std::vector<std::int64_t> numbers() const {
        std::vector<std::int64_t> all(3 + static_cast<std::size_t>(size() * length_));
        all[0] = static_cast<std::int64_t>(layout_);
        all[1] = size();
        all[2] = steps_;
        std::memcpy(all.data() + 3, memory_.data(), (all.size() - 3) * sizeof(double));
        return all;
    }
    ggt_window blank() const { return {how_, length_, layout_}; }
    /// Replaces the state. Returns false, and changes nothing, if the numbers do not fit.
    bool assign(std::span<std::int64_t const> numbers) {
        if (numbers.size() != 3 + static_cast<std::size_t>(size() * length_) || numbers[0] != static_cast<std::int64_t>(layout_) ||
            numbers[1] != size() || numbers[2] < 0)
            return false;
        steps_ = numbers[2];
        std::memcpy(memory_.data(), numbers.data() + 3, (numbers.size() - 3) * sizeof(double));
        for (int k = 0; k < size(); ++k)
            for (int j = 0; j < size(); ++j) products()[k * size() + j] = detail::dot(mean(k), mean(j), length_);
        return true;
    }

    /// The caller writes the gradient here. aim() replaces it by the step.
    double* step() { return mean(size() + 1); }
    /// Turns the gradient into the step. The state changes only in keep().
    void aim() {
        int const w = size(), now = next(), last = (now + w - 1) % w;
        double *const m = next_mean(), *const b = next_products(), *const c = weights(), *const a = matrix(), *const u = eigenvectors();
        std::copy_n(step(), length_, m);
        detail::scale_and_add(m, 1 - how_.beta1, how_.beta1, mean(last), length_);
        for (int k = 0; k < w; ++k) b[k] = detail::dot(k == now ? m : mean(k), m, length_);
        double const count = static_cast<double>(std::min<std::int64_t>(steps_ + 1, w));
        for (int k = 0; k < w; ++k)
            for (int j = 0; j < w; ++j)
                a[k * w + j] = (k == now ? b[j] : j == now ? b[k] : products()[k * w + j]) / count + (k == j ? how_.svd_eps : 0);
        detail::symmetric_eigen(a, u, w);
        double least = std::numeric_limits<double>::infinity();   // the smallest √σ
        for (int i = 0; i < w; ++i) least = std::min(least, std::sqrt(std::abs(a[i * w + i])));
        bool const outside = least > how_.eps;
        // M and m are made of means, so the step is Σ c[k] mean(k), and Mᵀm is a column of the products of means.
        for (int k = 0; k < w; ++k) c[k] = outside && k == now ? 1 / least : 0;
        for (int i = 0; i < w; ++i) {
            double const sigma = std::abs(a[i * w + i]), root = std::sqrt(sigma) + how_.sigma_eps;
            double along = 1 / (root * root * root) - (outside ? 1 / (sigma * least) : 0), sum = 0;
            for (int k = 0; k < w; ++k) sum += u[i * w + k] * b[k];
            along *= sum / count;
            for (int k = 0; k < w; ++k) c[k] += along * u[i * w + k];
        }
        detail::scale_and_add(step(), 0, c[now], m, length_);
        for (int k = 0; k < w; ++k)
            if (k != now) detail::scale_and_add(step(), 1, c[k], mean(k), length_);
    }
    void keep() {
        int const w = size(), now = next();
        std::copy_n(next_mean(), length_, mean(now));
        for (int k = 0; k < w; ++k) products()[now * w + k] = products()[k * w + now] = next_products()[k];
        ++steps_;
    }
};

namespace detail {
/// The first variable with a sparse gradient; empty if all are right.
template<class P>
constexpr std::string_view first_sparse() {
    for (int i = planner::first_update(P::plan); i < P::plan.step_count && planner::facts_of(P::plan.steps[i].kind).updates_variable; ++i)
        if (P::plan.steps[i].sparse) return P::runtime.view().variables[P::plan.steps[i].variable].name;
    return {};
}
template<fixed_string Name>
struct sparse_variable {
    static_assert(sizeof(Name) == 0,
        "xgrad::ggt(trainer): a variable read only by index has a sparse gradient: sparse_variable<...> names it; read it as a "
        "whole, or give it to another trainer of these variables");
};
template<class P>
struct sparse_variable_of : sparse_variable<make_text([] { return first_sparse<P>(); })> {};
}

/// GGT: the rules of a trainer take a step s in place of the gradient g. g is one vector over all variables that the rules move.
///
///     auto train = xg::minimize<xg::gating::graph>(loss, xg::gradient_descent{.learning_rate = 0.001});
///     xg::ggt step{train, {.window = 10}};
///     float const value = step(x = images, y = labels);
///     save(train, path, {}, step.window);   // saves the window as the tensor "ggt/window"; restore(train, path, step.window)
///
/// The trainer must be made with minimize<gating::graph>(...). With gradient_descent this is tf.contrib.opt.GGTOptimizer; the
/// learning rate is that of the rule. A step computes:
///
///     t ← t + 1
///     m ← β₁ m + (1 − β₁) g, which replaces the oldest of the last `window` means
///     M: these means as columns, divided by √min(t, window); missing means are 0
///     MᵀM + svd_eps I = U diag(σ) Uᵀ
///     s = M U diag((√σ + sigma_eps)⁻³) Uᵀ Mᵀ m
///     if min √σ > eps: s += (m − M U diag(1 / σ) Uᵀ Mᵀ m) / min √σ
///
/// Source: Agarwal et al. 2018, arXiv 1806.02958, in the form of tensorflow/contrib/opt/python/training/ggt.py of TensorFlow 1.15.
/// Defaults: β₁ = 0.9, window = 10, eps = 1e-4, svd_eps = 1e-6, sigma_eps = 1e-2.
/// Sparse: refused by the compiler, as TensorFlow raises NotImplementedError.
///
/// * Vectors are double for all element types of variables; s is rounded once. If a gradient is not finite, all variables become
///   NaN, as in TensorFlow.
/// * Links of a chain act on s. A decay that GGT should see is a term of the loss.
/// * It keeps window + 2 vectors of double, each over all these variables. A step reads the vectors twice and allocates nothing.
template<class P>
class ggt {
    using rules = typename P::rules;
    static constexpr bool dense = detail::first_sparse<P>().empty(), plain = !detail::scales_loss<rules>;
    static_assert(sizeof(typename detail::said<dense>::template by<detail::sparse_variable_of<P>>) > 0);
    static_assert(plain, "xgrad::ggt(trainer): a loss scale multiplies the gradients that GGT would see; remove dynamic_loss_scale or "
                         "fixed_loss_scale from the chain");

    trainer<P>& train_;
    flat_gradients flat_;

public:
    ggt_window window;

    /// The trainer must outlive this object. Throws value_error if an option is invalid.
    explicit ggt(trainer<P>& train, ggt_options const& how = {})
        : train_(train), flat_(train), window(how, flat_.measure(), flat_.layout()) {}

    /// Runs one training step and returns the outputs before the update. Throws like a step of the trainer, and binding_error if
    /// variables have grown since this object was made. After an exception nothing has changed.
    template<class... B>
    auto operator()(B const&... bindings) {
        if (flat_.layout() != window.layout())
            raise<binding_error>(
                "xgrad: ggt: the variables have grown since it was made, and its window with gradients has not; make a new one");
        auto const result = train_.compute_gradients(bindings...);
        flat_.read_gradients(window.step());
        window.aim();
        flat_.write_gradients(window.step());
        train_.apply_gradients();
        window.keep();
        return result;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
