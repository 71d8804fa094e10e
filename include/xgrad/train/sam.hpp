// SPDX-License-Identifier: MIT
// Sharpness-aware minimisation: steps of any trainer with the gradients of a point where the loss is larger.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/hyper.hpp>
#include <xgrad/train/minimize.hpp>
#include <xgrad/train/flat_gradients.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// How far sam looks, and in which units.
struct sam_options {
    hyper rho = 0.05;        // of all variables together; a number, a schedule or a function of the step
    bool adaptive = false;   // ASAM: in units of each |θ|
};

/// Steps of a trainer made with minimize<gating::graph>(...), whatever its rules and chains: the gradient g of all variables that rules move, at θ; then
/// θ' = θ + ρ g / (‖g‖ + 1e-12), with `adaptive` θ' = θ + ρ θ² g / (‖θ g‖ + 1e-12) in its place; the gradient at θ'; back to θ, which the rules move with that one:
///
///     auto train = xg::minimize<xg::gating::graph>(loss, xg::momentum{.learning_rate = 0.1});
///     xg::sam step{train, {.rho = 0.05}};
///     float const value = step(x = images, y = labels);
///
/// Source: Foret et al. 2021, arXiv 2010.01412; Kwon et al. 2021, arXiv 2102.11600 (adaptive); pytorch_optimizer.SAM.
/// Sparse: a gradient by rows is the dense one with 0 in rows that do not occur, duplicates summed; each step passes over whole tables.
/// A step costs two passes of the model and two of vectors of double as long as all these variables, which are kept here. Where g is not finite or 0, θ' = θ.
/// Variables that are assigned and not moved by a rule are where they are in both passes, and both draw the same random numbers.
template<class P>
class sam {
    trainer<P>& train_;
    flat_gradients flat_;
    aligned_buffer<double> memory_;
    std::int64_t n_ = 0;

    double* point() { return memory_.data(); }
    double* direction() { return memory_.data() + n_; }
    void make_room() {
        n_ = flat_.measure();
        memory_.grow_to(2 * static_cast<std::size_t>(n_));
    }
    double checked_rho() const {
        double const rho = options.rho(train_.global_step());
        hyper_info const info("rho", rho, allow::zero_or_more);
        if (hyper_complaint const wrong = detail::check_hypers("sam", &info, 1); !wrong.empty())
            raise_parts<value_error>({"xgrad: ", wrong.view()});
        return rho;
    }
    // The way to θ', once there are gradients at θ; false where there is none.
    bool aim() {
        std::fill_n(point(), 2 * n_, 0.0);
        flat_.read_variables(point());
        bool const finite = flat_.read_gradients(direction());
        double *const x = point(), *const d = direction();
        for (std::int64_t i = 0; options.adaptive && i < n_; ++i) d[i] *= x[i];
        double const norm = std::sqrt(detail::dot(d, d, n_)) + 1e-12;
        for (std::int64_t i = 0; i < n_; ++i) d[i] *= (options.adaptive ? x[i] : 1) / norm;
        return finite;
    }

public:
    sam_options options;

    /// The trainer outlives it. Throws value_error where rho is not positive or zero.
    explicit sam(trainer<P>& train, sam_options const& how = {}) : train_(train), flat_(train), options(how) {
        checked_rho();
        make_room();
    }

    /// One training step. Returns the outputs at θ before the update; an output that is an array is a view, and shows what it is at θ'. Throws as a step of the
    /// trainer, and value_error where rho is not positive or zero; then nothing has been changed.
    template<class... B>
    auto operator()(B const&... bindings) {
        double const rho = checked_rho();
        auto const result = train_.compute_gradients(bindings...);
        make_room();
        if (rho > 0 && aim()) {
            struct put_back {   // whatever is thrown
                sam& of;
                ~put_back() { of.flat_.write_variables(of.point(), 0, nullptr); }
            } const guard{*this};
            flat_.write_variables(point(), rho, direction());
            --train_.store().steps;   // the same random numbers
            train_.compute_gradients(bindings...);
        }
        train_.apply_gradients();
        return result;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
