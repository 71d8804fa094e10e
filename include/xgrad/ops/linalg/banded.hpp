// SPDX-License-Identifier: MIT
// Systems and products of tridiagonal and of banded triangular matrices, of which only the bands are in memory.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/ops/arrange.hpp>
#include <xgrad/ops/linalg/cholesky.hpp>

XGRAD_NAMESPACE_BEGIN

// A band in row r of [rows, n] is diagonal `first` − r, in which element i of the band is in row i of the matrix:
// a[i, i + first − r] = bands[r, i]. Elements outside of the matrix are not read.
namespace detail::loops {
/// y = a x, or aᵀ x, of three diagonals and one column of at least two numbers, in one pass.
template<class T>
void multiply_tridiagonal(T const* XGRAD_RESTRICT bands, bool transposed, T const* XGRAD_RESTRICT x, T* XGRAD_RESTRICT y, std::int64_t n) {
    T const* const main = bands + n;   // a[i, i + 1] = after[i], a[i + 1, i] = before[i]
    T const *const after = transposed ? bands + 2 * n + 1 : bands, *const before = transposed ? bands : bands + 2 * n + 1;
    y[0] = main[0] * x[0] + after[0] * x[1];
    for (std::int64_t i = 1; i + 1 < n; ++i) y[i] = before[i - 1] * x[i - 1] + (main[i] * x[i] + after[i] * x[i + 1]);
    y[n - 1] = before[n - 2] * x[n - 2] + main[n - 1] * x[n - 1];
}
/// y = a x, or aᵀ x, for x and y of k columns.
template<class T>
void multiply_bands(
    T const* bands, std::int64_t rows, std::int64_t first, bool transposed, T const* x, T* y, std::int64_t n, std::int64_t k) {
    if (rows == 3 && first == 1 && k == 1 && n > 1) return multiply_tridiagonal(bands, transposed, x, y, n);
    fill(y, T(0), n * k);
    for (std::int64_t r = 0; r < rows; ++r) {
        std::int64_t const o = first - r, from = std::max<std::int64_t>(0, -o), to = std::min(n, n - o);
        T const* const band = bands + r * n;
        T const* const in = transposed ? x : x + o * k;
        T* const out = transposed ? y + o * k : y;
        if (k == 1)
            for (std::int64_t i = from; i < to; ++i) out[i] += band[i] * in[i];
        else
            for (std::int64_t i = from; i < to; ++i) subtract_scaled(out + i * k, -band[i], in + i * k, k);
    }
}
/// The bands of the matrix p qᵀ.
template<class T>
void multiply_to_bands(T const* p, T const* q, std::int64_t rows, std::int64_t first, T* bands, std::int64_t n, std::int64_t k) {
    fill(bands, T(0), rows * n);
    for (std::int64_t r = 0; r < rows; ++r) {
        std::int64_t const o = first - r, from = std::max<std::int64_t>(0, -o), to = std::min(n, n - o);
        T* const band = bands + r * n;
        if (k == 1)
            for (std::int64_t i = from; i < to; ++i) band[i] = p[i] * q[i + o];
        else
            for (std::int64_t i = from; i < to; ++i) band[i] = dot(p + i * k, q + (i + o) * k, k);
    }
}
/// x becomes the solution of a banded triangular system. The diagonal is the first or the last band.
template<class T>
void solve_bands(T const* bands, std::int64_t rows, bool upper, bool transposed, T* x, std::int64_t n, std::int64_t k) {
    bool const forward = upper == transposed;
    T const* const diagonal = upper ? bands + (rows - 1) * n : bands;
    if (k == 1) {   // numbers: a call for each takes longer than its work
        for (std::int64_t step = 0; step < n; ++step) {
            std::int64_t const i = forward ? step : n - 1 - step;
            T sum = x[i];
            for (std::int64_t b = std::min(rows - 1, step); b > 0; --b) {
                std::int64_t const known = forward ? i - b : i + b;
                sum -= (upper ? diagonal - b * n : diagonal + b * n)[transposed ? known : i] * x[known];
            }
            x[i] = sum / diagonal[i];
        }
        return;
    }
    for (std::int64_t step = 0; step < n; ++step) {
        std::int64_t const i = forward ? step : n - 1 - step;
        T* const row = x + i * k;
        for (std::int64_t b = std::min(rows - 1, step); b > 0; --b) {
            std::int64_t const known = forward ? i - b : i + b;
            T const factor = (upper ? diagonal - b * n : diagonal + b * n)[transposed ? known : i];
            subtract_scaled(row, factor, x + known * k, k);
        }
        divide(row, diagonal[i], k);
    }
}
/// x is the solution for one column b, as below, with what a row hands to the next one in registers. Divisors become factors, which do
/// not wait for the row before. Returns false if one of them is 0, not finite, or so small or large that a factor loses digits.
template<class T>
bool solve_tridiagonal_column(T const* diagonal, T const* above, T const* below, T* u, T const* b, T* x, std::int64_t n) {
    constexpr T least = 4 * std::numeric_limits<T>::min(), most = 1 / least;
    T *const next = u + n, *const second = u + 2 * n;
    T pivot = diagonal[0], over = n > 1 ? above[0] : T(0), right = b[0];
    bool good = true;
    auto const factor_of = [&](T divisor) {
        good = good && libm::abs(divisor) >= least && libm::abs(divisor) <= most;
        return T(1) / divisor;
    };
    for (std::int64_t i = 0; i + 1 < n; ++i) {
        T const low = below[i], own = diagonal[i + 1], far_over = i + 2 < n ? above[i + 1] : T(0), lower = b[i + 1];
        if (libm::abs(pivot) >= libm::abs(low)) {
            T const by = factor_of(pivot), factor = low * by;
            u[i] = by;
            next[i] = over;
            second[i] = T(0);
            x[i] = right;
            pivot = own - factor * over;
            over = far_over;
            right = lower - factor * right;
        } else {
            T const by = factor_of(low), factor = pivot * by;
            u[i] = by;
            next[i] = own;
            second[i] = far_over;
            x[i] = lower;
            pivot = over - factor * own;
            over = -factor * far_over;
            right = right - factor * lower;
        }
    }
    T first = x[n - 1] = right * factor_of(pivot), after = T(0);
    if (!good) return false;
    if (n > 1) {
        after = first;
        first = x[n - 2] = (x[n - 2] - next[n - 2] * after) * u[n - 2];
    }
    for (std::int64_t i = n - 3; i >= 0; --i) {
        T const value = (x[i] - second[i] * after - next[i] * first) * u[i];
        after = first;
        first = x[i] = value;
    }
    return true;
}
/// x is the solution for b of a tridiagonal system, by Gaussian elimination with partial pivoting. `u` has room for 3 n numbers: the
/// diagonal and the two diagonals above it after the elimination. Returns whether all pivots differ from 0.
template<class T>
bool solve_tridiagonal(T const* diagonals, bool transposed, T* u, T const* b, T* x, std::int64_t n, std::int64_t k) {
    if (n == 0) return true;
    T const *const diagonal = diagonals + n, *const under = diagonals + 2 * n + 1;   // a[i + 1, i] = under[i]
    T const *const above = transposed ? under : diagonals, *const below = transposed ? diagonals : under;
    T *const next = u + n, *const second = u + 2 * n;
    if (k == 1 && solve_tridiagonal_column(diagonal, above, below, u, b, x, n)) return true;
    copy(x, b, n * k);
    u[0] = diagonal[0];
    if (n > 1) next[0] = above[0];
    for (std::int64_t i = 0; i + 1 < n; ++i) {
        bool const more = i + 2 < n;
        T *const row = x + i * k, *const lower = row + k;
        second[i] = T(0);
        if (libm::abs(u[i]) >= libm::abs(below[i])) {
            if (u[i] == T(0)) return false;
            T const factor = below[i] / u[i];
            u[i + 1] = diagonal[i + 1] - factor * next[i];
            if (more) next[i + 1] = above[i + 1];
            subtract_scaled(lower, factor, row, k);
        } else {
            T const factor = u[i] / below[i];
            u[i] = below[i];
            u[i + 1] = next[i] - factor * diagonal[i + 1];
            next[i] = diagonal[i + 1];
            if (more) {
                second[i] = above[i + 1];
                next[i + 1] = -factor * above[i + 1];
            }
            for (std::int64_t c = 0; c < k; ++c) {
                T const upper = row[c];
                row[c] = lower[c];
                lower[c] = upper - factor * row[c];
            }
        }
    }
    if (u[n - 1] == T(0)) return false;
    for (std::int64_t i = n - 1; i >= 0; --i) {
        T* const row = x + i * k;
        if (i + 2 < n) subtract_two(row, next[i], row + k, second[i], row + 2 * k, k);
        else if (i + 1 < n) subtract_scaled(row, next[i], row + k, k);
        divide(row, u[i], k);
    }
    return true;
}
}

namespace op {
struct band_attributes {
    std::int64_t first;        // the diagonal of the first band; 0 is the main diagonal, and 1 the one above it
    std::int64_t rows;         // the number of bands
    std::int64_t transposed;   // 0 or 1
};
constexpr extent flops_of_bands(shape const& bands, shape const& x) { return flops_of_elements(bands, columns_of(x), 2); }
struct multiply_bands;
/// The bands of p qᵀ for p and q [..., n, k].
struct products_to_bands : matrices_op {
    using attributes = band_attributes;
    static constexpr std::string_view name = "products_to_bands";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const& a, int) {
        value_info r = v[0];
        r.dims.extents[r.dims.rank - 1] = rows_of(v[0].dims);
        r.dims.extents[r.dims.rank - 2] = static_extent(a.as<attributes>().rows);
        return r;
    }
    static constexpr extent flops(kernel_operands const& v) { return flops_of_bands(v.dims(2), v.dims(0)); }
    template<class T, int R>
    static void run(
        attributes const& a, kernel_part const& part, tensor_view<T const, R> p, tensor_view<T const, R> q, tensor_view<T, R> bands) {
        std::int64_t const n = p.shape(R - 2), k = p.shape(R - 1);
        for (std::int64_t t = part.first; t < part.last; ++t)
            detail::loops::multiply_to_bands(
                p.data() + t * n * k, q.data() + t * n * k, a.rows, a.first, bands.data() + t * a.rows * n, n, k);
    }
    static constexpr void derive(derivation& d);
};
struct multiply_bands : matrices_op {
    using attributes = band_attributes;
    static constexpr std::string_view name = "banded_products";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&, int) { return v[1]; }
    static constexpr extent flops(kernel_operands const& v) { return flops_of_bands(v.dims(0), v.dims(1)); }
    template<class T, int R>
    static void run(
        attributes const& a, kernel_part const& part, tensor_view<T const, R> bands, tensor_view<T const, R> x, tensor_view<T, R> y) {
        std::int64_t const n = x.shape(R - 2), k = x.shape(R - 1);
        for (std::int64_t t = part.first; t < part.last; ++t)
            detail::loops::multiply_bands(
                bands.data() + t * a.rows * n, a.rows, a.first, a.transposed != 0, x.data() + t * n * k, y.data() + t * n * k, n, k);
    }
    static constexpr void derive(derivation& d) {
        auto const a = d.attrs->as<attributes>();
        if (d.wanted[0])
            d.out[0] = apply_with<products_to_bands>(
                {a.first, a.rows, 0}, a.transposed != 0 ? d.operands[1] : d.gradient, a.transposed != 0 ? d.gradient : d.operands[1]);
        if (d.wanted[1]) d.out[1] = apply_with<multiply_bands>({a.first, a.rows, 1 - a.transposed}, d.operands[0], d.gradient);
    }
};
constexpr void products_to_bands::derive(derivation& d) {
    auto const a = d.attrs->as<attributes>();
    if (d.wanted[0]) d.out[0] = apply_with<multiply_bands>({a.first, a.rows, 0}, d.gradient, d.operands[1]);
    if (d.wanted[1]) d.out[1] = apply_with<multiply_bands>({a.first, a.rows, 1}, d.gradient, d.operands[0]);
}
/// The gradient of a system: of the right sides the solution h of the transposed system, of the bands those of −h xᵀ.
template<class Op>
constexpr void derive_banded_system(derivation& d, typename Op::attributes turned, band_attributes a) {
    symbol const h = apply_with<Op>(turned, d.operands[0], d.gradient);
    d.out[1] = h;
    bool const transposed = a.transposed != 0;
    a.transposed = 0;
    if (d.wanted[0]) d.out[0] = -apply_with<products_to_bands>(a, transposed ? d.result : h, transposed ? h : d.result);
}
struct tridiagonal_solve : matrices_op {
    struct attributes {
        std::int64_t transposed;   // 0 or 1
    };
    static constexpr std::string_view name = "tridiagonal_solve";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&, int) { return v[1]; }
    static constexpr extent flops(kernel_operands const& v) { return flops_of_bands(v.dims(0), v.dims(1)); }
    static constexpr extent scratch_bytes(kernel_operands const& v) { return columns_of(v.dims(0)) * static_extent(3 * 8); }
    template<class T, int R>
    static void run(
        attributes const& a, kernel_part const& part, tensor_view<T const, R> diagonals, tensor_view<T const, R> b, tensor_view<T, R> x) {
        std::int64_t const n = x.shape(R - 2), k = x.shape(R - 1);
        for (std::int64_t t = part.first; t < part.last; ++t) {
            T* const to = x.data() + t * n * k;
            if (!detail::loops::solve_tridiagonal(
                    diagonals.data() + t * 3 * n, a.transposed != 0, reinterpret_cast<T*>(part.scratch), b.data() + t * n * k, to, n, k))
                detail::loops::fill(to, std::numeric_limits<T>::quiet_NaN(), n * k);
        }
    }
    static constexpr void derive(derivation& d) {
        std::int64_t const transposed = d.attrs->as<attributes>().transposed;
        derive_banded_system<tridiagonal_solve>(d, {1 - transposed}, {1, 3, transposed});
    }
};
struct banded_triangular_solve : matrices_op {
    struct attributes {
        std::int64_t rows;
        flag upper, transposed;
    };
    static constexpr std::string_view name = "banded_triangular_solve";
    static constexpr value_info infer(value_info const* v, int, xgrad::attributes const&, int) { return v[1]; }
    static constexpr extent flops(kernel_operands const& v) { return flops_of_bands(v.dims(0), v.dims(1)); }
    template<class T, int R>
    static void run(
        attributes const& a, kernel_part const& part, tensor_view<T const, R> bands, tensor_view<T const, R> b, tensor_view<T, R> x) {
        std::int64_t const n = x.shape(R - 2), k = x.shape(R - 1);
        for (std::int64_t t = part.first; t < part.last; ++t) {
            T* const to = x.data() + t * n * k;
            detail::loops::copy(to, b.data() + t * n * k, n * k);
            detail::loops::solve_bands(bands.data() + t * a.rows * n, a.rows, a.upper, a.transposed, to, n, k);
        }
    }
    static constexpr void derive(derivation& d) {
        auto const a = d.attrs->as<attributes>();
        derive_banded_system<banded_triangular_solve>(
            d, {a.rows, a.upper, !a.transposed}, {a.upper ? a.rows - 1 : 0, a.rows, a.transposed ? 1 : 0});
    }
};
}

namespace detail {
enum class band_slip { none, no_expression, wrong, type, types, bands, rows, batch };
template<class D, class B>
constexpr band_slip band_slip_of(bool tridiagonal) {
    if constexpr (!Expr<D> || !Expr<B>) return band_slip::no_expression;
    else {
        value_info const &d = value_of<D>, &b = value_of<B>;
        if (d.wrong != fault::none || b.wrong != fault::none) return band_slip::wrong;
        if (!is_floating(computed_type(d.type))) return band_slip::type;
        if (computed_type(d.type) != computed_type(b.type)) return band_slip::types;
        if (d.dims.rank < 2 || !op::rows_of(d.dims).is_static()) return band_slip::bands;
        std::int64_t const rows = op::rows_of(d.dims).constant;
        if (tridiagonal ? rows != 3 : rows < 1) return band_slip::bands;
        if (b.dims.rank < 2 || !(op::rows_of(b.dims) == op::columns_of(d.dims))) return band_slip::rows;
        shape both = batch_of(b.dims);
        return broadcast_into(both, batch_of(d.dims)) ? band_slip::none : band_slip::batch;
    }
}
template<band_slip Slip>
constexpr void check_bands() {
    static_assert(Slip != band_slip::type,
        "xgrad: tridiagonal_solve(d, b), tridiagonal_matmul(d, x) or banded_triangular_solve(d, b): d is neither float nor double; write "
        "cast<float>(d)");
    static_assert(Slip != band_slip::types,
        "xgrad: tridiagonal_solve(d, b), tridiagonal_matmul(d, x) or banded_triangular_solve(d, b): the element types differ; write "
        "cast<double>(b)");
    static_assert(Slip != band_slip::bands,
        "xgrad: tridiagonal_solve(d, b), tridiagonal_matmul(d, x) or banded_triangular_solve(d, b): d is not [..., bands, n] with a number "
        "of bands, which is 3 if tridiagonal; stack the diagonals");
    static_assert(Slip != band_slip::rows,
        "xgrad: tridiagonal_solve(d, b), tridiagonal_matmul(d, x) or banded_triangular_solve(d, b): b is not [..., n, k] with the n of d; for "
        "vectors write expand_dims<-1>(b)");
    static_assert(Slip != band_slip::batch,
        "xgrad: tridiagonal_solve(d, b), tridiagonal_matmul(d, x) or banded_triangular_solve(d, b): the axes before the last two do not "
        "broadcast; check the shapes of both");
}
template<class Op, bool Tridiagonal, class D, class B>
constexpr auto of_bands(D const& d, B const& b) {
    constexpr band_slip slip = band_slip_of<D, B>(Tridiagonal);
    check_bands<slip>();
    if constexpr (slip == band_slip::no_expression) return refuse_operand<D, B>();
    else if constexpr (slip != band_slip::none) return refused{};
    else {
        constexpr shape both = [] {
            shape r = batch_of(value_of<B>.dims);
            broadcast_into(r, batch_of(value_of<D>.dims));
            return r;
        }();
        if constexpr (batch_of(value_of<D>.dims) == both && batch_of(value_of<B>.dims) == both) return apply<Op>(d, b);
        else return apply<Op>(repeated_to<with_batch(both, value_of<D>.dims)>(d), repeated_to<with_batch(both, value_of<B>.dims)>(b));
    }
}
template<class D>
constexpr std::int64_t bands_of() {
    if constexpr (!Expr<D>) return 1;
    else return value_of<D>.dims.rank < 2 ? 1 : op::rows_of(value_of<D>.dims).constant;
}
}

/// The solutions x of a x = b for tridiagonal matrices a and b [..., n, k], in float or double. `diagonals` [..., 3, n] are the diagonal
/// above the main one, the main one, and that below (TensorFlow's compact format). Element i of each is in row i of a, so the last number
/// of the first and the first of the last are not read. It is Gaussian elimination with partial pivoting, TensorFlow's default, in time
/// n. The solution of a singular matrix is NaN. With Transposed it solves aᵀ x = b. The axes before the last two broadcast. For a vector
/// write `expand_dims<-1>(b)`.
///
/// Gradient: of b, the solution h of aᵀ h = g; of the diagonals, those of −h xᵀ.
template<bool Transposed = false, class D, class B>
constexpr auto tridiagonal_solve(D const& diagonals, B const& b) {
    return detail::of_bands<with<op::tridiagonal_solve, op::tridiagonal_solve::attributes{Transposed}>, true>(diagonals, b);
}
/// The product a x of tridiagonal matrices, whose `diagonals` [..., 3, n] are those of tridiagonal_solve, and x [..., n, k]. The axes
/// before the last two broadcast.
/// Gradient: of x, aᵀ g; of the diagonals, those of g xᵀ.
template<class D, class B>
constexpr auto tridiagonal_matmul(D const& diagonals, B const& x) {
    return detail::of_bands<with<op::multiply_bands, op::band_attributes{1, 3, 0}>, true>(diagonals, x);
}
/// The same with each diagonal as an operand [..., n] (TensorFlow's format of a sequence): the last number of `superdiagonal` and the first
/// of `subdiagonal` are not read.
/// Gradient: of x, aᵀ g; of the diagonals, those of g xᵀ.
template<class U, class D, class L, class B>
constexpr auto tridiagonal_matmul(U const& superdiagonal, D const& diagonal, L const& subdiagonal, B const& x) {
    return tridiagonal_matmul(stack<-2>(superdiagonal, diagonal, subdiagonal), x);
}
/// The solutions x of a x = b for banded triangular matrices a and b [..., n, k]. `bands` [..., rows, n] are the main diagonal and then
/// those below it, of an upper matrix those above it and then the main diagonal (TensorFlow's banded_triangular_solve). Element i of each
/// is in row i of a, and numbers outside of the matrix are not read. `banded_triangular_solve<triangle::lower, true>(bands, b)` solves
/// aᵀ x = b. The axes before the last two broadcast. A zero on the diagonal gives infinities or NaN.
///
/// Gradient: of b, the solution h of aᵀ h = g; of the bands, those of −h xᵀ.
template<triangle Side = triangle::lower, bool Transposed = false, class D, class B>
constexpr auto banded_triangular_solve(D const& bands, B const& b) {
    using O = op::banded_triangular_solve;
    return detail::of_bands<with<O, O::attributes{detail::bands_of<D>(), Side == triangle::upper, Transposed}>, false>(bands, b);
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
