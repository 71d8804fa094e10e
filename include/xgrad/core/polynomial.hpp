// SPDX-License-Identifier: MIT
// Polynomials in named dimensions and their quotients by integers, in canonical form: equal ones have equal terms.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/dim.hpp>

#include <cstdint>

XGRAD_NAMESPACE_BEGIN

/// The quotient that each factor of a term uses: floor((dimension + plus) / by) with 0 <= plus < by, ten bits each. 0
/// means the dimension itself.
struct floor_quotients {
    static constexpr std::int64_t max_divisor = 1023;
    std::int64_t bits;
    constexpr std::int64_t of(int factor) const { return bits >> (20 * factor) & 0xFFFFF; }
    constexpr void set(int factor, std::int64_t quotient) { bits |= quotient << (20 * factor); }
    static constexpr std::int64_t pack(std::int64_t plus, std::int64_t by) { return plus << 10 | by; }
    static constexpr std::int64_t plus(std::int64_t quotient) { return quotient >> 10; }
    static constexpr std::int64_t by(std::int64_t quotient) { return quotient == 0 ? 1 : quotient & 1023; }
    /// Of a double the result is approximate (not rounded down).
    template<class Number>
    static constexpr Number apply(std::int64_t quotient, Number size) {
        return quotient == 0 ? size : (size + static_cast<Number>(plus(quotient))) / static_cast<Number>(by(quotient));
    }
    constexpr bool operator==(floor_quotients const& o) const { return bits == o.bits; }
};

/// A polynomial in named dimensions and their quotients by integers, rounded down. It has at most `Terms` terms and a
/// constant. The order of terms and factors is canonical.
template<int Terms>
struct polynomial {
    static constexpr int max_factors = 3;
    struct term {
        std::int64_t coefficient;
        dim_info const* dims[max_factors];   // sorted by hash and quotient, null after the last
        floor_quotients floors;
    };
    std::int64_t constant;
    int count;       // number of terms in use
    bool overflow;   // had more terms or factors than fit
    term terms[Terms];

    constexpr bool is_static() const { return count == 0; }
    /// Whether it is only a named dimension.
    constexpr bool is_dimension() const {
        return constant == 0 && count == 1 && terms[0].coefficient == 1 && terms[0].dims[1] == nullptr && terms[0].floors.bits == 0;
    }

    constexpr bool has_dimension(dim_info const& d) const {
        for (int i = 0; i < count; ++i)
            for (auto const* factor : terms[i].dims)
                if (factor != nullptr && factor->hash == d.hash) return true;
        return false;
    }
    /// Whether there are terms of both signs. Then it is an extent only for sizes that give at least 0.
    constexpr bool has_both_signs() const {
        bool positive = constant > 0, negative = constant < 0;
        for (int i = 0; i < count; ++i) (terms[i].coefficient < 0 ? negative : positive) = true;
        return positive && negative;
    }

    static constexpr bool same_dims(term const& a, term const& b) {
        if (a.floors.bits != b.floors.bits) return false;
        if (a.dims[0] == b.dims[0] && a.dims[1] == b.dims[1] && a.dims[2] == b.dims[2]) return true;   // fast path in one statement
        for (int i = 0; i < max_factors; ++i) {
            if ((a.dims[i] == nullptr) != (b.dims[i] == nullptr)) return false;
            if (a.dims[i] == nullptr) return true;
            if (a.dims[i]->hash != b.dims[i]->hash) return false;
        }
        return true;
    }
    static constexpr bool before(term const& a, term const& b) {
        for (int i = 0; i < max_factors; ++i) {
            if (a.dims[i] == nullptr && b.dims[i] == nullptr) break;
            if (a.dims[i] == nullptr || b.dims[i] == nullptr) return a.dims[i] != nullptr;
            if (a.dims[i]->hash != b.dims[i]->hash) return a.dims[i]->hash < b.dims[i]->hash;
        }
        return a.floors.bits < b.floors.bits;
    }
    constexpr void add_term(term const& t) {
        if (t.coefficient == 0) return;
        if (t.dims[0] == nullptr) {
            constant += t.coefficient;
            return;
        }
        int at = 0;
        while (at < count && before(terms[at], t)) ++at;
        if (at < count && same_dims(terms[at], t)) {
            terms[at].coefficient += t.coefficient;
            if (terms[at].coefficient == 0) {
                for (int i = at; i + 1 < count; ++i) terms[i] = terms[i + 1];
                terms[--count] = term{};
            }
            return;
        }
        if (count == Terms) {
            overflow = true;
            return;
        }
        for (int i = count; i > at; --i) terms[i] = terms[i - 1];
        terms[at] = t;
        ++count;
    }
    constexpr bool operator==(polynomial const& o) const {
        if (constant != o.constant || count != o.count || overflow != o.overflow) return false;
        if (count == 0) return true;
        for (int i = 0; i < count; ++i)
            if (terms[i].coefficient != o.terms[i].coefficient || !same_dims(terms[i], o.terms[i])) return false;
        return true;
    }
    template<int M>
    constexpr void add(polynomial<M> const& o, std::int64_t times = 1) {
        constant += o.constant * times;
        overflow = overflow || o.overflow;
        for (int i = 0; i < o.count; ++i) {
            term t{o.terms[i].coefficient * times, {}, o.terms[i].floors};
            for (int f = 0; f < max_factors; ++f) t.dims[f] = o.terms[i].dims[f];
            add_term(t);
        }
    }
    /// Whether every coefficient is at least that of `o`. Then a block of this size can hold one of that size, for all
    /// dimensions.
    constexpr bool dominates(polynomial const& o) const {
        if (constant < o.constant || count < o.count) return false;
        for (int i = 0; i < o.count; ++i) {
            bool found = false;
            for (int k = 0; k < count; ++k)
                found = found || (same_dims(terms[k], o.terms[i]) && terms[k].coefficient >= o.terms[i].coefficient);
            if (!found) return false;
        }
        for (int i = 0; i < count; ++i)
            if (terms[i].coefficient < 0) return false;
        return true;
    }
    /// The value. `size_of(dim_info const&)` gives the size of a dimension, and its number type is the type of the
    /// result.
    template<class SizeOf>
    constexpr auto evaluate(SizeOf&& size_of) const {
        using number = decltype(size_of(*terms[0].dims[0]));
        number sum = static_cast<number>(constant);
        for (int i = 0; i < count; ++i) {
            number product = static_cast<number>(terms[i].coefficient);
            for (int f = 0; f < max_factors && terms[i].dims[f] != nullptr; ++f)
                product *= floor_quotients::apply(terms[i].floors.of(f), size_of(*terms[i].dims[f]));
            sum += product;
        }
        return sum;
    }
    constexpr std::uint64_t hash() const {
        std::uint64_t h = static_cast<std::uint64_t>(constant) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(count);
        for (int i = 0; i < count; ++i) {
            h = hash_mix(h, static_cast<std::uint64_t>(terms[i].coefficient + terms[i].floors.bits));
            for (int f = 0; f < max_factors && terms[i].dims[f] != nullptr; ++f) h = hash_mix(h, terms[i].dims[f]->hash);
        }
        return h;
    }
};

/// Counts of flops or bytes.
using cost_polynomial = polynomial<12>;

template<int R, int A, int B>
constexpr polynomial<R> multiply(polynomial<A> const& a, polynomial<B> const& b) {
    polynomial<R> r{};
    r.constant = a.constant * b.constant;
    r.overflow = a.overflow || b.overflow;
    if (a.constant != 0)
        for (int i = 0; i < b.count; ++i) {
            typename polynomial<R>::term t{a.constant * b.terms[i].coefficient, {}, b.terms[i].floors};
            for (int f = 0; f < 3; ++f) t.dims[f] = b.terms[i].dims[f];
            r.add_term(t);
        }
    for (int i = 0; i < a.count; ++i) {
        if (b.constant != 0) {
            typename polynomial<R>::term t{a.terms[i].coefficient * b.constant, {}, a.terms[i].floors};
            for (int f = 0; f < 3; ++f) t.dims[f] = a.terms[i].dims[f];
            r.add_term(t);
        }
        for (int k = 0; k < b.count; ++k) {
            typename polynomial<R>::term t{a.terms[i].coefficient * b.terms[k].coefficient, {}, {}};
            floor_quotients const u = a.terms[i].floors, v = b.terms[k].floors;
            int n = 0, x = 0, y = 0;   // merge two sorted lists of factors
            auto const& p = a.terms[i].dims;
            auto const& q = b.terms[k].dims;
            while ((x < 3 && p[x] != nullptr) || (y < 3 && q[y] != nullptr)) {
                bool left = !(y < 3 && q[y] != nullptr) || ((x < 3 && p[x] != nullptr) && p[x]->hash <= q[y]->hash);
                if (left && y < 3 && q[y] != nullptr && p[x]->hash == q[y]->hash) left = u.of(x) <= v.of(y);
                if (n == 3) {
                    r.overflow = true;
                    break;
                }
                t.floors.set(n, left ? u.of(x) : v.of(y));
                t.dims[n++] = left ? p[x++] : q[y++];
            }
            r.add_term(t);
        }
    }
    return r;
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
