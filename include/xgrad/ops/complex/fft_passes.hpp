// SPDX-License-Identifier: MIT
// The passes of a discrete Fourier transform of any length, on separate arrays of real and imaginary parts.
// Powers of 2, 3, 5 and primes up to 31: Stockham's passes (Van Loan 1992, "Computational frameworks for the fast Fourier transform").
// Other lengths: Bluestein's convolution (1970).
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>
#include <xgrad/meta/libm.hpp>
#include <xgrad/meta/square_lanes.hpp>

#include <cstdint>
#include <cstring>
#include <numbers>

XGRAD_NAMESPACE_BEGIN
namespace detail::fft {

template<class T>
struct planes {
    T *re, *im;
};
inline constexpr int largest_radix = 31;

/// The radices of a length, in the order of the passes. `rest` is a factor that has a larger prime.
struct radices {
    int count = 0;
    signed char at[64]{};
    std::int64_t rest = 1;

    constexpr explicit radices(std::int64_t n) {
        int twos = 0;
        for (; n > 1 && n % 2 == 0; n /= 2) ++twos;
        // A radix of 8 comes first: the later passes then have runs of 8 elements.
        for (; twos >= 3 && (count == 0 || twos % 2 == 1); twos -= 3) at[count++] = 8;
        for (; twos >= 2; twos -= 2) at[count++] = 4;
        if (twos == 1) at[count++] = 2;
        for (int p = 3; p <= largest_radix; p += 2)
            for (; n > 1 && n % p == 0; n /= p) at[count++] = static_cast<signed char>(p);
        rest = n > 0 ? n : 1;
    }
};

/// e^(−2πi k / n), with k reduced first.
inline void root(std::int64_t k, std::int64_t n, double& re, double& im) {
    double const angle = 2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n);
    re = libm::cos(angle);
    im = -libm::sin(angle);
}
/// e^(−2πi step k / n) for k < count. Every 16th comes from sine and cosine, the others are products of two of these.
template<class T>
void roots(std::int64_t step, std::int64_t n, std::int64_t count, planes<T> to) {
    constexpr int block = 16;
    double near_re[block], near_im[block];
    for (int k = 0; k < block && k < count; ++k) root(step * k, n, near_re[k], near_im[k]);
    for (std::int64_t first = 0; first < count; first += block) {
        double re, im;
        root(step * first, n, re, im);
        for (int k = 0; k < block && first + k < count; ++k) {
            to.re[first + k] = static_cast<T>(re * near_re[k] - im * near_im[k]);
            to.im[first + k] = static_cast<T>(re * near_im[k] + im * near_re[k]);
        }
    }
}

/// As many elements as a register of 256 bits holds, in the compiler's vectors.
template<class T>
using lanes [[gnu::vector_size(32)]] = T;
template<class T>
inline constexpr std::int64_t lane_count = 32 / sizeof(T);

template<class V, class T>
XGRAD_INLINE void load(V& v, T const* from) {
    std::memcpy(&v, from, sizeof(V));
}
template<class V, class T>
XGRAD_INLINE void store(T* to, V const& v) {
    std::memcpy(to, &v, sizeof(V));
}

template<class V>
XGRAD_INLINE void swap_sum(V& a, V& b) {   // a + b and a − b
    V const d = a - b;
    a = a + b;
    b = d;
}
/// The transforms of R numbers, in place.
template<int R, class T, class V>
XGRAD_INLINE void small(V* re, V* im, planes<T const> const&) {
    if constexpr (R == 2) {
        swap_sum(re[0], re[1]);
        swap_sum(im[0], im[1]);
    } else if constexpr (R == 3) {
        constexpr T s = static_cast<T>(0.86602540378443864676);
        V const sr = re[1] + re[2], si = im[1] + im[2], dr = (im[1] - im[2]) * s, di = (re[2] - re[1]) * s;
        V const mr = re[0] - sr * T(0.5), mi = im[0] - si * T(0.5);
        re[0] = re[0] + sr, im[0] = im[0] + si;
        re[1] = mr + dr, im[1] = mi + di;
        re[2] = mr - dr, im[2] = mi - di;
    } else if constexpr (R == 4) {
        swap_sum(re[0], re[2]), swap_sum(im[0], im[2]);
        swap_sum(re[1], re[3]), swap_sum(im[1], im[3]);
        swap_sum(re[0], re[1]), swap_sum(im[0], im[1]);   // results 0 and 2
        V const ar = re[2] + im[3], ai = im[2] - re[3], br = re[2] - im[3], bi = im[2] + re[3];
        re[2] = re[1], im[2] = im[1];
        re[1] = ar, im[1] = ai;
        re[3] = br, im[3] = bi;
    } else if constexpr (R == 5) {
        constexpr T c1 = static_cast<T>(0.30901699437494742410), c2 = static_cast<T>(-0.80901699437494742410);
        constexpr T s1 = static_cast<T>(0.95105651629515357212), s2 = static_cast<T>(0.58778525229247312917);
        V const ar = re[1] + re[4], ai = im[1] + im[4], br = re[2] + re[3], bi = im[2] + im[3];
        V const cr = re[1] - re[4], ci = im[1] - im[4], dr = re[2] - re[3], di = im[2] - im[3];
        V const pr = re[0] + ar * c1 + br * c2, pi = im[0] + ai * c1 + bi * c2, qr = re[0] + ar * c2 + br * c1,
                qi = im[0] + ai * c2 + bi * c1;
        V const ur = ci * s1 + di * s2, ui = cr * s1 + dr * s2, vr = ci * s2 - di * s1, vi = cr * s2 - dr * s1;
        re[0] = re[0] + ar + br, im[0] = im[0] + ai + bi;
        re[1] = pr + ur, im[1] = pi - ui, re[4] = pr - ur, im[4] = pi + ui;
        re[2] = qr + vr, im[2] = qi - vi, re[3] = qr - vr, im[3] = qi + vi;
    } else {
        static_assert(R == 8);
        constexpr T h = static_cast<T>(0.70710678118654752440);
        V er[4]{re[0], re[2], re[4], re[6]}, ei[4]{im[0], im[2], im[4], im[6]};
        V odd_re[4]{re[1], re[3], re[5], re[7]}, odd_im[4]{im[1], im[3], im[5], im[7]};
        small<4>(er, ei, planes<T const>{});
        small<4>(odd_re, odd_im, planes<T const>{});
        V const ar = (odd_re[1] + odd_im[1]) * h, ai = (odd_im[1] - odd_re[1]) * h;
        V const br = odd_im[2], bi = -odd_re[2];
        V const cr = (odd_im[3] - odd_re[3]) * h, ci = (odd_re[3] + odd_im[3]) * -h;
        re[0] = er[0] + odd_re[0], im[0] = ei[0] + odd_im[0], re[4] = er[0] - odd_re[0], im[4] = ei[0] - odd_im[0];
        re[1] = er[1] + ar, im[1] = ei[1] + ai, re[5] = er[1] - ar, im[5] = ei[1] - ai;
        re[2] = er[2] + br, im[2] = ei[2] + bi, re[6] = er[2] - br, im[6] = ei[2] - bi;
        re[3] = er[3] + cr, im[3] = ei[3] + ci, re[7] = er[3] - cr, im[7] = ei[3] - ci;
    }
}

/// Elements j, j + 1, ... of a pass of radix R: V is T or lanes<T>. `run` is the number of elements between two results,
/// `at` the place of the first one.
template<int R, class V, class T>
XGRAD_INLINE void step(planes<T const> const& x, planes<T> const& y, std::int64_t m, std::int64_t j, std::int64_t run, std::int64_t at,
    planes<T const> const& twiddles, std::int64_t k) {
    V re[R], im[R];
    for (int r = 0; r < R; ++r) {
        load(re[r], x.re + j + r * m);
        load(im[r], x.im + j + r * m);
    }
    if (run > 1)
        for (int r = 1; r < R; ++r) {
            V wr, wi;
            load(wr, twiddles.re + (r - 1) * run + k);
            load(wi, twiddles.im + (r - 1) * run + k);
            V const t = re[r] * wr - im[r] * wi;
            im[r] = re[r] * wi + im[r] * wr;
            re[r] = t;
        }
    small<R>(re, im, planes<T const>{});
    if constexpr (!std::is_same_v<V, T>) {
        if (run == 1) {
            if constexpr (R == lane_count<T>) {
                for (V* const part : {re, im}) square_lanes<sizeof(T)>::transpose(part);
                for (int r = 0; r < R; ++r) {
                    store(y.re + at + r * R, re[r]);
                    store(y.im + at + r * R, im[r]);
                }
                return;
            }
            T re_of[R][lane_count<T>], im_of[R][lane_count<T>];
            for (int r = 0; r < R; ++r) {
                store(re_of[r], re[r]);
                store(im_of[r], im[r]);
            }
            for (std::int64_t l = 0; l < lane_count<T>; ++l)
                for (int r = 0; r < R; ++r) {
                    y.re[at + l * R + r] = re_of[r][l];
                    y.im[at + l * R + r] = im_of[r][l];
                }
            return;
        }
    }
    for (int r = 0; r < R; ++r) {
        store(y.re + at + r * run, re[r]);
        store(y.im + at + r * run, im[r]);
    }
}
/// One pass: n elements of which runs of `run` are transformed already. The twiddles are those of results 1 ... R − 1, `run` for each.
template<int R, class T>
void pass(planes<T const> x, planes<T> y, std::int64_t n, std::int64_t run, planes<T const> twiddles) {
    std::int64_t const m = n / R, whole = run == 1 ? m : run, blocks = m / whole;
    for (std::int64_t b = 0; b < blocks; ++b) {
        std::int64_t k = 0;
        auto const place = [&] { return run == 1 ? k * R : b * run * R + k; };
        for (; k + lane_count<T> <= whole; k += lane_count<T>) step<R, lanes<T>>(x, y, m, b * run + k, run, place(), twiddles, k);
        for (; k < whole; ++k) step<R, T>(x, y, m, b * run + k, run, place(), twiddles, k);
    }
}
/// A pass of an odd radix without separate formulas. After the twiddles are the roots e^(−2πi k / radix).
template<class T>
void pass_of_prime(int radix, planes<T const> x, planes<T> y, std::int64_t n, std::int64_t run, planes<T const> twiddles) {
    std::int64_t const m = n / radix;
    planes<T const> const w{twiddles.re + (radix - 1) * run, twiddles.im + (radix - 1) * run};
    for (std::int64_t j = 0; j < m; ++j) {
        std::int64_t const k = j % run, at = j / run * run * radix + k;
        T re[largest_radix], im[largest_radix];
        for (int r = 0; r < radix; ++r) {
            T const xr = x.re[j + r * m], xi = x.im[j + r * m];
            T const wr = r == 0 ? T(1) : twiddles.re[(r - 1) * run + k], wi = r == 0 ? T(0) : twiddles.im[(r - 1) * run + k];
            re[r] = xr * wr - xi * wi;
            im[r] = xr * wi + xi * wr;
        }
        for (int q = 0; q < radix; ++q) {
            T sum_re = 0, sum_im = 0;
            for (int r = 0; r < radix; ++r) {
                int const p = q * r % radix;
                sum_re += re[r] * w.re[p] - im[r] * w.im[p];
                sum_im += re[r] * w.im[p] + im[r] * w.re[p];
            }
            y.re[at + q * run] = sum_re;
            y.im[at + q * run] = sum_im;
        }
    }
}

/// The elements of T for the twiddles of a length that has small primes alone.
constexpr std::int64_t twiddle_elements(std::int64_t n) { return 2 * (n + 2 * largest_radix); }

/// Transforms of a length that has no prime above largest_radix.
template<class T>
struct smooth {
    std::int64_t n;
    radices steps;
    T const* twiddles;   // twiddle_elements(n)

    /// With twiddles that are known.
    smooth(std::int64_t length, T const* known) : n(length), steps(length), twiddles(known) {}
    /// Writes the twiddles.
    void fill(T* to) const {
        std::int64_t run = 1;
        for (int i = 0; i < steps.count; ++i) {
            int const radix = steps.at[i];
            std::int64_t const elements = elements_of(radix, run);
            planes<T> const w{to, to + elements};
            if (run > 1 || radix > 5)
                for (int r = 1; r < radix; ++r) roots(r, run * radix, run, planes<T>{w.re + (r - 1) * run, w.im + (r - 1) * run});
            if (is_plain(radix)) roots(1, radix, radix, planes<T>{w.re + (radix - 1) * run, w.im + (radix - 1) * run});
            to += 2 * elements;
            run *= radix;
        }
    }
    static constexpr bool is_plain(int radix) { return radix > 5 && radix != 8; }
    static constexpr std::int64_t elements_of(int radix, std::int64_t run) { return (radix - 1) * run + (is_plain(radix) ? radix : 0); }

    /// y = the transform of x. `other` has room for n elements; x keeps its values. x and y are different.
    void run(planes<T const> x, planes<T> y, planes<T> other) const {
        if (n == 1) *y.re = *x.re, *y.im = *x.im;
        T const* w = twiddles;
        std::int64_t done = 1;
        for (int i = 0; i < steps.count; ++i) {
            int const radix = steps.at[i];
            std::int64_t const elements = elements_of(radix, done);
            planes<T> const to = (steps.count - i) % 2 == 1 ? y : other;
            planes<T const> const tw{w, w + elements};
            switch (radix) {
            case 2: pass<2>(x, to, n, done, tw); break;
            case 3: pass<3>(x, to, n, done, tw); break;
            case 4: pass<4>(x, to, n, done, tw); break;
            case 5: pass<5>(x, to, n, done, tw); break;
            case 8: pass<8>(x, to, n, done, tw); break;
            default: pass_of_prime(radix, x, to, n, done, tw);
            }
            x = {to.re, to.im};
            w += 2 * elements;
            done *= radix;
        }
    }
};

/// The power of 2 in which Bluestein's convolution of length n is computed.
constexpr std::int64_t convolution_length(std::int64_t n) {
    std::int64_t m = 1;
    while (m < 2 * n - 1) m *= 2;
    return m;
}

/// Transforms of any length. The tables depend on the length alone, the other memory is for one call.
template<class T>
class transform {
    std::int64_t n_, m_;
    smooth<T> inner_;
    planes<T const> chirp_{}, filter_{};
    planes<T> other_, wide_{}, turned_{};

    // Lengths that are powers of 2 would else have all arrays in the same lines of the cache.
    static constexpr std::int64_t apart = 80;
    static constexpr std::int64_t inner_length(std::int64_t n) { return radices(n).rest == 1 ? n : convolution_length(n); }
    template<class U>
    static planes<U> take(U*& memory, std::int64_t elements) {
        planes<U> const r{memory, memory + elements + apart};
        memory += 2 * (elements + apart);
        return r;
    }

public:
    /// The elements of T of the tables.
    static constexpr std::int64_t tables(std::int64_t n) {
        std::int64_t const m = inner_length(n);
        return twiddle_elements(m) + (m == n ? 0 : 2 * (n + m + 2 * apart));
    }
    /// The elements of T that a call needs besides.
    static constexpr std::int64_t work(std::int64_t n) {
        std::int64_t const m = inner_length(n);
        return (m == n ? 2 : 6) * (m + apart);
    }
    static constexpr std::int64_t memory(std::int64_t n) { return tables(n) + work(n); }

    /// With tables that fill_tables has written.
    transform(std::int64_t n, T const* known, T* memory) : n_(n), m_(inner_length(n)), inner_(m_, known) {
        known += twiddle_elements(m_);
        other_ = take(memory, m_);
        if (m_ == n_) return;
        chirp_ = take(known, n_);
        filter_ = take(known, m_);
        wide_ = take(memory, m_);
        turned_ = take(memory, m_);
    }
    static void fill_tables(std::int64_t n, T* to, T* memory) {
        transform const f(n, to, memory);
        f.inner_.fill(to);
        if (f.m_ == n) return;
        to += twiddle_elements(f.m_);
        planes<T> const chirp = take(to, n), filter = take(to, f.m_);
        for (std::int64_t k = 0; k < n; ++k) {   // e^(−πi k² / n)
            double re, im;
            root(k * k % (2 * n), 2 * n, re, im);
            chirp.re[k] = static_cast<T>(re);
            chirp.im[k] = static_cast<T>(im);
        }
        T const scale = T(1) / static_cast<T>(f.m_);
        for (std::int64_t k = 0; k < f.m_; ++k) f.wide_.re[k] = f.wide_.im[k] = 0;
        for (std::int64_t k = 0; k < n; ++k) {
            std::int64_t const back = k == 0 ? 0 : f.m_ - k;
            f.wide_.re[k] = f.wide_.re[back] = chirp.re[k] * scale;
            f.wide_.im[k] = f.wide_.im[back] = -chirp.im[k] * scale;
        }
        f.inner_.run({f.wide_.re, f.wide_.im}, filter, f.other_);
    }
    /// With tables in the memory of the call, which has memory(n) elements.
    static transform with_own_tables(std::int64_t n, T* memory) {
        T* const rest = memory + tables(n);
        fill_tables(n, memory, rest);
        return transform(n, memory, rest);
    }
    /// y = the transform of x, Σ x e^(−2πi jk / n). For the other sign exchange the real and imaginary arrays of both.
    void run(planes<T const> x, planes<T> y) const {
        if (m_ == n_) return inner_.run(x, y, other_);
        for (std::int64_t k = 0; k < n_; ++k) {
            wide_.re[k] = x.re[k] * chirp_.re[k] - x.im[k] * chirp_.im[k];
            wide_.im[k] = x.re[k] * chirp_.im[k] + x.im[k] * chirp_.re[k];
        }
        for (std::int64_t k = n_; k < m_; ++k) wide_.re[k] = wide_.im[k] = 0;
        inner_.run({wide_.re, wide_.im}, turned_, other_);
        for (std::int64_t k = 0; k < m_; ++k) {
            wide_.re[k] = turned_.re[k] * filter_.re[k] - turned_.im[k] * filter_.im[k];
            wide_.im[k] = turned_.re[k] * filter_.im[k] + turned_.im[k] * filter_.re[k];
        }
        inner_.run({wide_.im, wide_.re}, {turned_.im, turned_.re}, other_);   // the inverse transform
        for (std::int64_t k = 0; k < n_; ++k) {
            y.re[k] = turned_.re[k] * chirp_.re[k] - turned_.im[k] * chirp_.im[k];
            y.im[k] = turned_.re[k] * chirp_.im[k] + turned_.im[k] * chirp_.re[k];
        }
    }
};

/// The elements of T that any length n needs at most.
inline constexpr std::int64_t most_memory_per_element = 45, most_memory_rest = 1000;

}   // namespace detail::fft
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
