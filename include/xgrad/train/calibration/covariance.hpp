// SPDX-License-Identifier: MIT
// The covariance of the variables of a calibration: the inverse of the Hessian of the loss.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>
#include <xgrad/core/leaves.hpp>
#include <xgrad/meta/sequence.hpp>

#include <cmath>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {
class calibration_host;

/// A variable and the index of its first element.
struct placed_variable {
    std::uint64_t hash;
    std::string_view name;
    std::int64_t first, size;
};

/// Replaces a symmetric matrix of n rows by its inverse, by Cholesky decomposition. Returns the row at which the matrix is not
/// positive definite, or -1.
std::int64_t invert_positive(double* a, std::int64_t n);

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST std::int64_t invert_positive(double* a, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {   // A = L Lᵀ; L replaces the lower triangle
        double const whole = a[i * n + i];
        for (std::int64_t j = 0; j <= i; ++j) {
            double sum = a[i * n + j];
            for (std::int64_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
            if (j < i) a[i * n + j] = sum / a[j * n + j];
            else if (!(sum > 1e-12 * std::abs(whole))) return i;
            else a[i * n + i] = std::sqrt(sum);
        }
    }
    for (std::int64_t i = 0; i < n; ++i) {   // L⁻¹ replaces L
        for (std::int64_t j = 0; j < i; ++j) {
            double sum = 0;
            for (std::int64_t k = j; k < i; ++k) sum -= a[i * n + k] * a[k * n + j];
            a[i * n + j] = sum / a[i * n + i];
        }
        a[i * n + i] = 1 / a[i * n + i];
    }
    for (std::int64_t i = 0; i < n; ++i)   // A⁻¹ = L⁻ᵀ L⁻¹: row i reads rows from i on
        for (std::int64_t j = 0; j <= i; ++j) {
            double sum = 0;
            for (std::int64_t k = i; k < n; ++k) sum += a[k * n + i] * a[k * n + j];
            a[j * n + i] = sum;   // above the diagonal, which L⁻¹ does not use
        }
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < i; ++j) a[i * n + j] = a[j * n + i];
    return -1;
}
#endif

}   // namespace detail

/// The inverse of the Hessian of a loss with respect to its variables, made by calibration::covariance.
///
/// * If the loss is the negative logarithm of a likelihood, it is the covariance of the variables.
/// * For a mean of squares over n measurements and p variables multiply it by 2 · loss / (n − p).
/// * An element that a bound holds has the variance 0.
class calibration_covariance {
    friend class detail::calibration_host;
    sequence<detail::placed_variable> variables_;
    std::vector<double> matrix_;
    std::int64_t n_ = 0;

    detail::placed_variable const& find(std::uint64_t hash, std::string_view name) const {
        for (auto const& v : variables_)
            if (v.hash == hash) return v;
        raise_parts<binding_error>({"xgrad: covariance: the variable \"", name, "\" is not one of those that the calibration moves"});
    }

    calibration_covariance(sequence<detail::placed_variable> const& variables, std::vector<double> matrix, std::int64_t n)
        : variables_(variables), matrix_(std::move(matrix)), n_(n) {}

public:
    /// The number of elements of all variables.
    std::int64_t size() const { return n_; }
    /// The covariance of elements i and j of the vector over all variables. The elements of v begin at first(v).
    double operator()(std::int64_t i, std::int64_t j) const { return matrix_[static_cast<std::size_t>(i * n_ + j)]; }
    template<Expr V>
    std::int64_t first(V const&) const {
        static_assert(detail::is_variable<V>, "xgrad: covariance.first(v): v is not a variable; give a variable");
        return find(hash_text(V::info.attrs.name), V::info.attrs.name).first;
    }
    /// √(scale · variance) of each element of a variable. Throws value_error if the scale is negative or NaN, as with more variables
    /// than measurements.
    template<Expr V>
    std::vector<double> standard_errors(V const&, double scale = 1) const {
        static_assert(detail::is_variable<V>, "xgrad: covariance.standard_errors(v): v is not a variable; give a variable");
        auto const& v = find(hash_text(V::info.attrs.name), V::info.attrs.name);
        if (!(scale >= 0))
            raise<value_error>(
                "xgrad: covariance.standard_errors(v, scale): the scale is negative or NaN; are there fewer measurements than variables?");
        std::vector<double> errors;
        for (std::int64_t i = v.first; i < v.first + v.size; ++i) errors.push_back(std::sqrt(scale * (*this)(i, i)));
        return errors;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
