// SPDX-License-Identifier: MIT
// Sharpness-aware minimization: steps of any trainer with gradients of a near point where the loss is larger.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/hyper.hpp>
#include <xgrad/train/minimize.hpp>
#include <xgrad/train/flat_gradients.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// The options of sam: how far it looks, and in which units.
struct sam_options {
    hyper rho = 0.05;        // over all variables together; a number, a schedule or a function of the step
    bool adaptive = false;   // ASAM: in units of each |θ|
};

/// Sharpness-aware steps of a trainer made with minimize<gating::graph>(...), with any rules and chains:
///
///     auto train = xg::minimize<xg::gating::graph>(loss, xg::momentum{.learning_rate = 0.1});
///     xg::sam step{train, {.rho = 0.05}};
///     float const value = step(x = images, y = labels);
///
/// One step:
///
/// 1. Compute the gradient g of all variables that rules move, at their values θ.
/// 2. Move to θ' = θ + ρ g / (‖g‖ + 1e-12). With `adaptive`: θ' = θ + ρ θ² g / (‖θ g‖ + 1e-12).
/// 3. Compute the gradient at θ'.
/// 4. Go back to θ. The rules move θ with the gradient of θ'.
///
/// Source: Foret et al. 2021, arXiv 2010.01412; Kwon et al. 2021, arXiv 2102.11600 (adaptive); pytorch_optimizer.SAM.
/// Sparse: a gradient by rows is the dense one with 0 in rows that do not occur, duplicates summed; each step passes over whole tables.
///
/// * A step runs the model twice, and passes twice over vectors of double, each as long as all these variables. sam keeps two such
///   vectors.
/// * If g is 0 or not finite, θ' = θ.
/// * Variables that are assigned, and not moved by a rule, have the same values in both passes. Both passes draw the same random
///   numbers.
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
    // Computes the direction from θ to θ' from the gradients at θ. Returns false if a gradient is not finite.
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

    /// The trainer must outlive this object. Throws value_error if rho is negative or NaN.
    explicit sam(trainer<P>& train, sam_options const& how = {}) : train_(train), flat_(train), options(how) {
        checked_rho();
        make_room();
    }

    /// Runs one training step and returns the outputs at θ before the update. An output that is an array is a view, and shows its
    /// value at θ'. Throws like a step of the trainer, and value_error if rho is negative or NaN. Nothing has changed then.
    template<class... B>
    auto operator()(B const&... bindings) {
        double const rho = checked_rho();
        auto const result = train_.compute_gradients(bindings...);
        make_room();
        if (rho > 0 && aim()) {
            struct put_back {   // also if an exception is thrown
                sam& of;
                ~put_back() { of.flat_.write_variables(of.point(), 0, nullptr); }
            } const guard{*this};
            flat_.write_variables(point(), rho, direction());
            --train_.store().steps;   // the second pass draws the same random numbers
            train_.compute_gradients(bindings...);
        }
        train_.apply_gradients();
        return result;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
