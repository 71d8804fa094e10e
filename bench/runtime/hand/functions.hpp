// SPDX-License-Identifier: MIT
// Hand-written values and gradients of ordinary functions, in double: log-sum-exp, linear regression, Gaussian mixture, element-wise chain.
#pragma once

#include "data.hpp"
#include "vec.hpp"

#include <cmath>

namespace hand {
inline namespace HAND_NAMESPACE {

/// f(x) = log sum exp(x_i) of n numbers, and its gradient exp(x_i - f).
template<int Size = 10000>
class log_sum_exp {
public:
    static constexpr int n = Size;
    buffer<double> x{n}, gradient{n};

    log_sum_exp() {
        for (int i = 0; i < n; ++i) x[i] = 10 * uniform(6, 0, std::uint64_t(i)) - 5;
    }
    /// Block by block in the first cache: maximum, exponentials relative to it, their sum; then one pass that scales each block.
    [[gnu::noinline]] double step() {
        constexpr int U = 5, block = 1000, blocks = n / block;
        static_assert(block % (U * 8) == 0 && n % block == 0);
        double tops[blocks], totals[blocks];
        for (int k = 0; k < blocks; ++k) {
            double const* const p = x + k * block;
            double* const out = gradient + k * block;
            vd top[U], s[U]{};
            for (int j = 0; j < U; ++j) top[j] = loadd(p + j * wd);
            for (int i = 0; i < block; i += U * wd) {
#pragma GCC unroll 8
                for (int j = 0; j < U; ++j) top[j] = max(top[j], loadd(p + i + j * wd));
            }
            tops[k] = hmax(max(max(max(top[0], top[1]), max(top[2], top[3])), top[4]));
            vd const shift = set1<vd>(tops[k]);
            for (int i = 0; i < block; i += U * wd) {
#pragma GCC unroll 8
                for (int j = 0; j < U; ++j) {
                    vd const e = exp(loadd(p + i + j * wd) - shift);
                    s[j] += e;
                    store<vd>(out + i + j * wd, e);
                }
            }
            totals[k] = hsum((s[0] + s[1]) + (s[2] + s[3]) + s[4]);
        }
        double const m = *std::max_element(tops, tops + blocks);
        double sum = 0;
        for (int k = 0; k < blocks; ++k) {
            tops[k] = std::exp(tops[k] - m);
            sum += tops[k] * totals[k];
        }
        for (int k = 0; k < blocks; ++k) {
            double* const out = gradient + k * block;
            vd const scale = set1<vd>(tops[k] / sum);
            for (int i = 0; i < block; i += U * wd) {
#pragma GCC unroll 8
                for (int j = 0; j < U; ++j) store<vd>(out + i + j * wd, loadd(out + i + j * wd) * scale);
            }
        }
        return m + std::log(sum);
    }
};

/// f(w, b) = mean over the rows of (x_r . w + b - y_r)^2; gradient with respect to w and b.
template<int Rows = 1000, int Columns = 100>
class linear_regression {
public:
    static constexpr int rows = Rows, columns = Columns;
    static_assert(rows % 8 == 0 && columns % 4 == 0 && columns <= 120);
    buffer<double> x{rows * columns}, y{rows}, w{128}, gradient{128};
    double b = 0.1, gradient_b = 0;

    linear_regression() {
        for (int i = 0; i < rows * columns; ++i) x[i] = 2 * uniform(7, 0, std::uint64_t(i)) - 1;
        for (int r = 0; r < rows; ++r) y[r] = 4 * uniform(7, 1, std::uint64_t(r)) - 2;
        for (int c = 0; c < columns; ++c) w[c] = 2 * uniform(7, 2, std::uint64_t(c)) - 1;
    }
    /// One pass over the matrix: eight rows at a time, predictions and then their share of the gradient while the rows are in the
    /// first cache.
    [[gnu::noinline]] double step() {
        constexpr int R = 8;
        alignas(64) double g[columns + wd] = {};
        vd loss{}, sum{};
        for (int r = 0; r < rows; r += R) {
            double const* const p = x + r * columns;
            vd a[R], d[R];
#pragma GCC unroll 8
            for (int j = 0; j < R; ++j) {   // a row's last load reaches into the next one, where w is padded by zeros
                vd s0{}, s1{};
#pragma GCC unroll 13
                for (int c = 0; c < columns; c += 2 * wd) {
                    s0 = fma(loadd(p + j * columns + c), loadd(w + c), s0);
                    if (c + wd < columns) s1 = fma(loadd(p + j * columns + c + wd), loadd(w + c + wd), s1);
                }
                a[j] = s0 + s1;
            }
            alignas(64) double e[R];
#pragma GCC unroll 4
            for (int j = 0; j < R; j += wd) {
                vd part[wd];
#pragma GCC unroll 8
                for (int i = 0; i < wd; ++i) part[i] = a[j + i];
                vd const v = sums(part) + (set1<vd>(b) - loadd(y + r + j));
                loss = fma(v, v, loss);
                sum += v;
                store<vd>(e + j, v);
            }
#pragma GCC unroll 8
            for (int j = 0; j < R; ++j) d[j] = set1<vd>(e[j]);
            for (int c = 0; c < columns; c += wd) {
#pragma GCC unroll 8
                for (int j = 0; j < wd; ++j)   // the next eight rows
                    __builtin_prefetch(p + R * columns + c * 8 + j * 8);

                vd s0 = load<vd>(g + c), s1{};
#pragma GCC unroll 8
                for (int j = 0; j < R; j += 2) {
                    s0 = fma(loadd(p + j * columns + c), d[j], s0);
                    s1 = fma(loadd(p + (j + 1) * columns + c), d[j + 1], s1);
                }
                store<vd>(g + c, s0 + s1);
            }
        }
        for (int c = 0; c < columns; ++c) gradient[c] = g[c] * (2.0 / rows);
        gradient_b = hsum(sum) * (2.0 / rows);
        return hsum(loss) / rows;
    }
    /// After a step: strength times the sum of w^2, and its gradient added to the other.
    double add_squares(double strength) {
        double sum = 0;
        for (int c = 0; c < columns; ++c) {
            sum += w[c] * w[c];
            gradient[c] += 2 * strength * w[c];
        }
        return strength * sum;
    }
    /// After a step whose value was `mean`: its root, with the gradients of that.
    double take_root(double mean) {
        double const root = std::sqrt(mean), scale = 0.5 / root;
        for (int c = 0; c < columns; ++c) gradient[c] *= scale;
        gradient_b *= scale;
        return root;
    }
};

/// The same with the matrix transposed, [100][1000]: columns are the points.
template<int Rows = 1000, int Columns = 100>
class regression_in_columns {
public:
    static constexpr int rows = Rows, columns = Columns;
    buffer<double> x{rows * columns}, y{rows}, w{columns}, gradient{columns};
    double b = 0.1, gradient_b = 0;

    regression_in_columns() {
        for (int i = 0; i < rows * columns; ++i) x[i] = 2 * uniform(7, 0, std::uint64_t(i)) - 1;
        for (int r = 0; r < rows; ++r) y[r] = 4 * uniform(7, 1, std::uint64_t(r)) - 2;
        for (int c = 0; c < columns; ++c) w[c] = 2 * uniform(7, 2, std::uint64_t(c)) - 1;
    }
    /// One pass over the matrix: five batches of points at a time, predictions and then their share of the gradient.
    [[gnu::noinline]] double step() {
        constexpr int U = 5;
        static_assert(rows % (U * 8) == 0);
        alignas(64) double g[columns * wd] = {};
        vd loss{}, sum{};
        for (int r = 0; r < rows; r += U * wd) {
            vd e[U];
#pragma GCC unroll 8
            for (int j = 0; j < U; ++j) e[j] = set1<vd>(b) - loadd(y + r + j * wd);
            for (int c = 0; c < columns; ++c) {
                vd const v = set1<vd>(w[c]);
#pragma GCC unroll 8
                for (int j = 0; j < U; ++j) e[j] = fma(v, loadd(x + c * rows + r + j * wd), e[j]);
            }
#pragma GCC unroll 8
            for (int j = 0; j < U; ++j) {
                loss = fma(e[j], e[j], loss);
                sum += e[j];
            }
            for (int c = 0; c < columns; ++c) {
                vd s = loadd(g + c * wd);
#pragma GCC unroll 8
                for (int j = 0; j < U; ++j) s = fma(e[j], loadd(x + c * rows + r + j * wd), s);
                store<vd>(g + c * wd, s);
            }
        }
        for (int c = 0; c < columns; ++c) gradient[c] = hsum(loadd(g + c * wd)) * (2.0 / rows);
        gradient_b = hsum(sum) * (2.0 / rows);
        return hsum(loss) / rows;
    }
};

/// Log-likelihood of a Gaussian mixture with diagonal covariances (the objective of ADBench without the off-diagonal part and the
/// prior):
///     f = sum_n log sum_k exp(a_k + sum_d q_kd - 1/2 sum_d (exp(q_kd) (x_nd - m_kd))^2) - N log sum_k exp(a_k) - N d / 2 log(2 pi)
/// with N points of d dimensions and K components; gradients with respect to the log-weights a, the means m, the log inverse scales q.
template<int Points = 1000, int Dimensions = 10, int Components = 25>
class gaussian_mixture {
public:
    static constexpr int N = Points, d = Dimensions, K = Components;
    buffer<double> points{N * d};              // [N][d]
    buffer<double> a{K}, m{K * d}, q{K * d};   // parameters, [K], [K][d], [K][d]
    buffer<double> gradient_a{K}, gradient_m{K * d}, gradient_q{K * d};

    gaussian_mixture() {
        for (int i = 0; i < N * d; ++i) {
            points[i] = 4 * uniform(8, 0, std::uint64_t(i)) - 2;
            x_[i % d * N + i / d] = points[i];
        }
        for (int k = 0; k < K; ++k) {
            a[k] = uniform(8, 1, std::uint64_t(k)) - 0.5;
            for (int j = 0; j < d; ++j) {
                m[k * d + j] = 4 * uniform(8, 2, std::uint64_t(k * d + j)) - 2;
                q[k * d + j] = uniform(8, 3, std::uint64_t(k * d + j)) - 0.5;
            }
        }
    }
    /// The points are the lanes ([d][N]). Per block of points: exponents of all components, soft maximum, then the sums of each
    /// component in registers.
    [[gnu::noinline]] double step() {
        double scale[K * d], moved[K * d], constant[K];
        for (int k = 0; k < K; ++k) {
            constant[k] = a[k];
            for (int j = 0; j < d; ++j) {
                scale[k * d + j] = std::exp(q[k * d + j]);
                moved[k * d + j] = -scale[k * d + j] * m[k * d + j];
                constant[k] += q[k * d + j];
            }
        }
        vd value{};
        std::fill_n(sums_.data(), sums_.size(), 0.0);
        for (int n = 0; n < N; n += block) {
            value += responsibilities(n, scale, moved, constant);
            for (int k = 0; k < K; ++k) accumulate(n, k, scale + k * d, moved + k * d);
        }
        double top = a[0], total = 0, weight[K];
        for (int k = 1; k < K; ++k) top = a[k] > top ? a[k] : top;
        for (int k = 0; k < K; ++k) {
            weight[k] = std::exp(a[k] - top);
            total += weight[k];
        }
        for (int k = 0; k < K; ++k) {
            double const* const s = sums_ + k * (2 * d + 1) * wd;
            double const r = hsum(loadd(s));
            gradient_a[k] = r - N * weight[k] / total;
            for (int j = 0; j < d; ++j) {
                gradient_m[k * d + j] = scale[k * d + j] * hsum(loadd(s + (1 + j) * wd));
                gradient_q[k * d + j] = r - hsum(loadd(s + (1 + d + j) * wd));
            }
        }
        return hsum(value) - N * (top + std::log(total)) - N * d * 0.91893853320467274;
    }

private:
    static constexpr int block = 200, U = 5;
    static_assert(N % block == 0);

    /// r_[k][block] = share of component k in the points; the log of the sum over the components.
    HAND_INLINE vd responsibilities(int n, double const* scale, double const* moved, double const* constant) {
        vd value{}, half = set1<vd>(-0.5);
        constexpr int V = block / wd;
        constexpr int G = V % 5 == 0 ? 5 : V;
        for (int v = 0; v < V; v += G) {
            double const* const x = x_ + n + v * wd;
            vd top[G], total[G]{};
            for (int k = 0; k < K; ++k) {
                vd s[G]{};
#pragma GCC unroll 10
                for (int j = 0; j < d; ++j) {
                    vd const e = set1<vd>(scale[k * d + j]), em = set1<vd>(moved[k * d + j]);
#pragma GCC unroll 5
                    for (int g = 0; g < G; ++g) {
                        vd const t = fma(e, loadd(x + j * N + g * wd), em);
                        s[g] = fma(t, t, s[g]);
                    }
                }
                vd const c = set1<vd>(constant[k]);
#pragma GCC unroll 5
                for (int g = 0; g < G; ++g) {
                    vd const u = fma(s[g], half, c);
                    top[g] = k == 0 ? u : max(top[g], u);
                    store<vd>(r_ + k * block + (v + g) * wd, u);
                }
            }
            for (int k = 0; k < K; ++k) {
#pragma GCC unroll 5
                for (int g = 0; g < G; ++g) {
                    double* const p = r_ + k * block + (v + g) * wd;
                    vd const e = exp(loadd(p) - top[g]);
                    total[g] += e;
                    store<vd>(p, e);
                }
            }
#pragma GCC unroll 5
            for (int g = 0; g < G; ++g) {
                value += top[g] + log(total[g]);
                total[g] = set1<vd>(1) / total[g];
            }
            for (int k = 0; k < K; ++k) {
#pragma GCC unroll 5
                for (int g = 0; g < G; ++g) {
                    double* const p = r_ + k * block + (v + g) * wd;
                    store<vd>(p, loadd(p) * total[g]);
                }
            }
        }
        return value;
    }
    /// Sums over the points of r, r t and r t^2, t = exp(q)(x - m).
    /// Five dimensions at a time: the sums of ten would not fit the registers.
    template<int From, int To>
    HAND_INLINE void accumulate_part(int n, int k, double const* scale, double const* moved) {
        double* const s = sums_ + k * (2 * d + 1) * wd;
        vd r0 = loadd(s), first[To - From], second[To - From];
#pragma GCC unroll 10
        for (int j = From; j < To; ++j) {
            first[j - From] = loadd(s + (1 + j) * wd);
            second[j - From] = loadd(s + (1 + d + j) * wd);
        }
        for (int v = 0; v < block; v += U * wd) {
            vd r[U];
#pragma GCC unroll 5
            for (int g = 0; g < U; ++g) {
                r[g] = loadd(r_ + k * block + v + g * wd);
                if (From == 0) r0 += r[g];
            }
#pragma GCC unroll 10
            for (int j = From; j < To; ++j) {
                vd const e = set1<vd>(scale[j]), em = set1<vd>(moved[j]);
#pragma GCC unroll 5
                for (int g = 0; g < U; ++g) {
                    vd const t = fma(e, loadd(x_ + j * N + n + v + g * wd), em), u = r[g] * t;
                    first[j - From] += u;
                    second[j - From] = fma(u, t, second[j - From]);
                }
            }
        }
        if (From == 0) store<vd>(s, r0);
#pragma GCC unroll 10
        for (int j = From; j < To; ++j) {
            store<vd>(s + (1 + j) * wd, first[j - From]);
            store<vd>(s + (1 + d + j) * wd, second[j - From]);
        }
    }
    HAND_INLINE void accumulate(int n, int k, double const* scale, double const* moved) {
        accumulate_part<0, d / 2>(n, k, scale, moved);
        accumulate_part<d / 2, d>(n, k, scale, moved);
    }

    buffer<double> x_{N * d}, r_{K * block}, sums_{K * (2 * d + 1) * wd};
};

/// f(x) = sum over n elements of a chain of 20 operations, these ten twice:
///     0.8 u, u + 0.3, tanh u, exp u, u + 1, log u, u^2, u + 0.5, sqrt u, sigmoid u
/// and its gradient, each element once through the registers.
template<int Size = 1000>
class chain {
public:
    static constexpr int n = Size;
    buffer<double> x{n}, gradient{n};

    chain() {
        for (int i = 0; i < n; ++i) x[i] = 4 * uniform(9, 0, std::uint64_t(i)) - 2;
    }
    [[gnu::noinline]] double step() {
        constexpr int U = 5;
        using V = pack<vd, U>;
        static_assert(n % (U * 8) == 0);
        vd sum{};
        for (int i = 0; i < n; i += U * wd) {
            V u, slope = detail::constant<V>(1);
#pragma GCC unroll 8
            for (int j = 0; j < U; ++j) u.v[j] = loadd(x + i + j * wd);
            u = half(half(u, slope), slope);
#pragma GCC unroll 8
            for (int j = 0; j < U; ++j) {
                sum += u.v[j];
                store<vd>(gradient + i + j * wd, slope.v[j]);
            }
        }
        return hsum(sum);
    }

private:
    /// Ten operations; `slope` is multiplied by their derivative.
    template<class V>
    HAND_INLINE static V half(V u, V& slope) {
        constexpr auto c = [](double a) __attribute__((always_inline)) { return detail::constant<V>(a); };
        V const t = tanh(fma(c(0.8), u, c(0.3)));
        V const e = exp(t), f = e + c(1), l = log(f), s = sqrt(fma(l, l, c(0.5))), g = sigmoid(s);
        // 0.8 (1 - t^2) e / f 2 l / (2 s) g (1 - g)
        slope = slope * ((c(0.8) * fnma(t, t, c(1)) * e * l * fnma(g, g, g)) / (f * s));
        return g;
    }
};

}   // namespace HAND_NAMESPACE
}   // namespace hand
