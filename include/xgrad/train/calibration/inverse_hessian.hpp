// SPDX-License-Identifier: MIT
// The inverse of the Hessian of a calibration, from central differences of its gradients.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/train/calibration/lbfgs.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {
#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST calibration_covariance calibration_host::covariance(
    lbfgs const& how, array_ref const* in, std::uint64_t const* given) {
    begin_call(in, given, how.history);
    double *const x = vector(point), *const g = vector(gradient), *const trial = vector(direction);
    put_back const guard{*this};
    sequence<placed_variable> variables;
    std::int64_t n = 0;
    flat_.each([&](stored_variable const& v, std::int64_t first) {
        variables.push({v.hash, v.name, first, v.size});
        n += v.size;
    });
    auto const differ = [&](std::int64_t element, std::string_view what) {
        for (auto const& v : variables)
            if (element >= v.first && element < v.first + v.size)
                raise_parts<value_error>(
                    {"xgrad: covariance: ", what, " at element ", element - v.first, " of the variable \"", v.name, "\""});
    };
    for (std::int64_t i = 0; i < n; ++i)
        if (x[i] == x[i] && bounds_.clip(i, x[i]) != x[i]) differ(i, "the value is outside of its bounds (call the calibration first),");
    double loss = 0;
    if (!evaluate(loss))
        raise<value_error>(
            "xgrad: covariance: the loss or a gradient is not finite where the variables are now; call the calibration first");
    sequence<std::int64_t> free;
    for (std::int64_t i = 0; i < n; ++i)
        if (!bounds_.stops(i, x[i], g[i]) && !bounds_.fixes(i)) free.push(i);
    bool const coarse = run.plan().output_shapes[0].type == dtype::float32;
    double const part =
        std::cbrt(coarse ? static_cast<double>(std::numeric_limits<float>::epsilon()) : std::numeric_limits<double>::epsilon());
    std::int64_t const m = free.count;
    std::vector<double> hessian(static_cast<std::size_t>(m * m));
    std::copy_n(x, n_, trial);
    std::vector<double> side(static_cast<std::size_t>(m));
    for (std::int64_t a = 0; a < m; ++a) {   // (g(x + h) − g(x − h)) / 2h
        std::int64_t const i = free.at[a];
        double const h = part * std::max(std::abs(x[i]), 1.0);
        double ends[2];
        for (int k = 0; k < 2; ++k) {
            trial[i] = bounds_.clip(i, x[i] + (k == 0 ? h : -h));
            flat_.write_variables(trial, 0, nullptr);
            if (!evaluate(loss)) differ(i, "the loss or a gradient is not finite near the current values,");
            flat_.read_variables(trial);   // the value after rounding
            ends[k] = trial[i];
            for (std::int64_t b = 0; b < m; ++b) {
                double& s = side[static_cast<std::size_t>(b)];
                s = k == 0 ? g[free.at[b]] : s - g[free.at[b]];
            }
        }
        trial[i] = x[i];
        for (std::int64_t b = 0; b < m; ++b) {   // half here and half in the transposed place, so that the matrix is symmetric
            double const slope = side[static_cast<std::size_t>(b)] / (ends[0] - ends[1]) / 2;
            hessian[static_cast<std::size_t>(a * m + b)] += slope;
            hessian[static_cast<std::size_t>(b * m + a)] += slope;
        }
    }
    if (std::int64_t const row = invert_positive(hessian.data(), m); row >= 0)
        differ(free.at[row], "the Hessian is not positive definite (no minimum, or variables that the data do not determine),");
    std::vector<double> all(static_cast<std::size_t>(n * n));
    for (std::int64_t a = 0; a < m; ++a)
        for (std::int64_t b = 0; b < m; ++b)
            all[static_cast<std::size_t>(free.at[a] * n + free.at[b])] = hessian[static_cast<std::size_t>(a * m + b)];
    return {variables, std::move(all), n};
}
#endif
}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
