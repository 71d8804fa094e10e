// SPDX-License-Identifier: MIT
// Extents: integers, named dynamic dimensions, and canonical sums of their products (`batch * time + 1`).
#pragma once

#include <xgrad/meta/fixed_string.hpp>

#include <cstdint>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

/// A named dimension whose size is bound at the call: `inline constexpr xg::dim batch{"batch"};`
template<std::size_t N>
struct dim {
    fixed_string<N> name;
    constexpr dim(char const (&s)[N]) : name(s) {}
    /// `batch = 64` names a size, for reserve() and the cost functions.
    constexpr auto operator=(std::int64_t size) const;
};
template<std::size_t N>
dim(char const (&)[N]) -> dim<N>;

/// What is known of a named dimension; equal names are one dimension.
struct dim_info {
    std::string_view name;
    std::uint64_t hash;
};
template<dim D>
inline constexpr dim_info dim_info_of{D.name.view(), hash_text(D.name.view())};

/// The size of one named dimension.
struct dim_size {
    std::uint64_t hash;
    std::int64_t size;
};
template<std::size_t N>
constexpr auto dim<N>::operator=(std::int64_t size) const {
    return dim_size{hash_text(name.view()), size};
}

/// A polynomial in named dimensions with at most `Terms` terms beside the constant; the order of terms and factors is canonical.
template<int Terms>
struct polynomial {
    static constexpr int max_factors = 3;
    struct term {
        std::int64_t coefficient;
        dim_info const* dims[max_factors];   // sorted by hash, null at the end
    };
    std::int64_t constant;
    int count;       // terms in use
    bool overflow;   // more terms or factors than fit
    term terms[Terms];

    constexpr bool is_static() const { return count == 0; }

    static constexpr bool same_dims(term const& a, term const& b) {
        for (int i = 0; i < max_factors; ++i) {
            if ((a.dims[i] == nullptr) != (b.dims[i] == nullptr)) return false;
            if (a.dims[i] == nullptr) return true;
            if (a.dims[i]->hash != b.dims[i]->hash) return false;
        }
        return true;
    }
    static constexpr bool before(term const& a, term const& b) {
        for (int i = 0; i < max_factors; ++i) {
            if (a.dims[i] == nullptr || b.dims[i] == nullptr) return a.dims[i] != nullptr && b.dims[i] == nullptr;
            if (a.dims[i]->hash != b.dims[i]->hash) return a.dims[i]->hash < b.dims[i]->hash;
        }
        return false;
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
        if (constant != o.constant || count != o.count) return false;
        for (int i = 0; i < count; ++i)
            if (terms[i].coefficient != o.terms[i].coefficient || !same_dims(terms[i], o.terms[i])) return false;
        return true;
    }
    template<int M>
    constexpr void add(polynomial<M> const& o, std::int64_t times = 1) {
        constant += o.constant * times;
        overflow = overflow || o.overflow;
        for (int i = 0; i < o.count; ++i) {
            term t{o.terms[i].coefficient * times, {}};
            for (int f = 0; f < max_factors; ++f) t.dims[f] = o.terms[i].dims[f];
            add_term(t);
        }
    }
    /// True when every coefficient is at least that of `o`: a block of this size holds one of that size, whatever the dimensions.
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
    /// The value, with the size of a dimension given by `size_of(dim_info const&)`, in the numbers that it gives.
    template<class SizeOf>
    constexpr auto evaluate(SizeOf&& size_of) const {
        using number = decltype(size_of(*terms[0].dims[0]));
        number sum = static_cast<number>(constant);
        for (int i = 0; i < count; ++i) {
            number product = static_cast<number>(terms[i].coefficient);
            for (int f = 0; f < max_factors && terms[i].dims[f] != nullptr; ++f) product *= size_of(*terms[i].dims[f]);
            sum += product;
        }
        return sum;
    }
    constexpr std::uint64_t hash() const {
        std::uint64_t h = static_cast<std::uint64_t>(constant) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(count);
        for (int i = 0; i < count; ++i) {
            h = hash_mix(h, static_cast<std::uint64_t>(terms[i].coefficient));
            for (int f = 0; f < max_factors && terms[i].dims[f] != nullptr; ++f) h = hash_mix(h, terms[i].dims[f]->hash);
        }
        return h;
    }
};

/// One extent of a shape.
using extent = polynomial<2>;
/// Counts of flops and bytes.
using cost_polynomial = polynomial<12>;

constexpr extent static_extent(std::int64_t n) {
    extent e{};
    e.constant = n;
    return e;
}
constexpr extent named_extent(dim_info const* d) {
    extent e{};
    e.count = 1;
    e.terms[0] = {1, {d, nullptr, nullptr}};
    return e;
}
constexpr extent operator+(extent a, extent const& b) {
    a.add(b);
    return a;
}

template<int R, int A, int B>
constexpr polynomial<R> multiply(polynomial<A> const& a, polynomial<B> const& b) {
    polynomial<R> r{};
    r.constant = a.constant * b.constant;
    r.overflow = a.overflow || b.overflow;
    if (a.constant != 0)
        for (int i = 0; i < b.count; ++i) {
            typename polynomial<R>::term t{a.constant * b.terms[i].coefficient, {}};
            for (int f = 0; f < 3; ++f) t.dims[f] = b.terms[i].dims[f];
            r.add_term(t);
        }
    for (int i = 0; i < a.count; ++i) {
        if (b.constant != 0) {
            typename polynomial<R>::term t{a.terms[i].coefficient * b.constant, {}};
            for (int f = 0; f < 3; ++f) t.dims[f] = a.terms[i].dims[f];
            r.add_term(t);
        }
        for (int k = 0; k < b.count; ++k) {
            typename polynomial<R>::term t{a.terms[i].coefficient * b.terms[k].coefficient, {}};
            int n = 0, x = 0, y = 0;   // merge two sorted lists of factors
            auto const& p = a.terms[i].dims;
            auto const& q = b.terms[k].dims;
            while ((x < 3 && p[x] != nullptr) || (y < 3 && q[y] != nullptr)) {
                bool const left = !(y < 3 && q[y] != nullptr) || ((x < 3 && p[x] != nullptr) && p[x]->hash <= q[y]->hash);
                dim_info const* d = left ? p[x++] : q[y++];
                if (n == 3) {
                    r.overflow = true;
                    break;
                }
                t.dims[n++] = d;
            }
            r.add_term(t);
        }
    }
    return r;
}
constexpr extent operator*(extent const& a, extent const& b) {
    if (a.count == 0 && b.count == 0) return static_extent(a.constant * b.constant);
    return multiply<2>(a, b);
}

/// `batch * time`, `2 * batch`, `batch + 1` as extents: `reshape<batch * time, 16>(x)`. Written in any order they are one extent.
template<char Operation, class A, class B>
struct extent_expression {
    A left;
    B right;
};

namespace detail {
template<class T>
inline constexpr bool is_dim = false;
template<std::size_t N>
inline constexpr bool is_dim<dim<N>> = true;
template<char Operation, class A, class B>
inline constexpr bool is_dim<extent_expression<Operation, A, B>> = true;
template<class T>
inline constexpr bool is_dim_operand = is_dim<T> || std::is_integral_v<T>;

template<auto D>
constexpr extent extent_of_argument() {
    using T = std::remove_cvref_t<decltype(D)>;
    if constexpr (std::is_integral_v<T>) return static_extent(static_cast<std::int64_t>(D));
    else if constexpr (requires { D.left; }) {
        constexpr extent a = extent_of_argument<D.left>(), b = extent_of_argument<D.right>();
        return std::is_same_v<T, extent_expression<'+', decltype(D.left), decltype(D.right)>> ? a + b : a * b;
    } else return named_extent(&dim_info_of<D>);
}
}

template<class A, class B>
    requires((detail::is_dim<A> || detail::is_dim<B>) && detail::is_dim_operand<A> && detail::is_dim_operand<B>)
constexpr auto operator*(A const& a, B const& b) {
    return extent_expression<'*', A, B>{a, b};
}
template<class A, class B>
    requires((detail::is_dim<A> || detail::is_dim<B>) && detail::is_dim_operand<A> && detail::is_dim_operand<B>)
constexpr auto operator+(A const& a, B const& b) {
    return extent_expression<'+', A, B>{a, b};
}

XGRAD_NAMESPACE_END
