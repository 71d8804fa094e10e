// SPDX-License-Identifier: MIT
// Extents: integers, named dynamic dimensions, and canonical sums of their products and quotients
// (`batch * (time + 1) / 2`).
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/meta/fixed_string.hpp>

#include <cstdint>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

/// A named dimension that gets its size at the call: `inline constexpr xg::dim batch{"batch"};`
template<std::size_t N>
struct dim {
    fixed_string<N> name;
    constexpr dim(char const (&s)[N]) : name(s) {}
    // A template argument is a copy. The copy of a dimension that is not a constant has no name, and is refused where
    // it is used as an extent.
    constexpr dim(dim const& other) : name(no_name()) {
        if (!std::is_constant_evaluated() || __builtin_constant_p(other.name.text[0])) name = other.name;
    }
    template<class... T>   // refuses arguments that are not a name
        requires(N == 1)
    constexpr dim(T const&...) : name("") {
        static_assert(sizeof...(T) < 0 * N,
            "xgrad::dim: the argument is not a name in quotes; write inline constexpr xgrad::dim batch{\"batch\"}, whose size "
            "comes with the arrays of a call");
    }
    /// `batch = 64` gives a size, for reserve() and the cost functions.
    constexpr auto operator=(std::int64_t size) const;

private:
    static constexpr fixed_string<N> no_name() {
        char const text[N]{};
        return text;
    }
};
template<std::size_t N>
dim(char const (&)[N]) -> dim<N>;
template<class... T>
dim(T const&...) -> dim<1>;

/// The data of a named dimension. Equal names are one dimension.
struct dim_info {
    std::string_view name;
    std::uint64_t hash;
};
template<dim D>
inline constexpr dim_info dim_info_of{D.name.view(), hash_text(D.name.view())};

/// The size of one named dimension.
struct [[nodiscard("batch = 64 is an argument, as in minimize(loss, rule, batch = 64); alone it does nothing")]] dim_size {
    std::uint64_t hash;
    std::int64_t size;
};
template<std::size_t N>
constexpr auto dim<N>::operator=(std::int64_t size) const {
    return dim_size{hash_text(name.view()), size};
}

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

/// One extent of a shape.
using extent = polynomial<2>;
/// Counts of flops or bytes.
using cost_polynomial = polynomial<12>;

constexpr extent static_extent(std::int64_t n) {
    extent e{};
    e.constant = n;
    return e;
}
constexpr extent named_extent(dim_info const* d) {
    extent e{};
    e.count = 1;
    e.terms[0] = {1, {d, nullptr, nullptr}, {}};
    return e;
}
constexpr extent operator+(extent a, extent const& b) {
    a.add(b);
    return a;
}
constexpr extent operator-(extent a, extent const& b) {
    a.add(b, -1);
    return a;
}

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
constexpr extent operator*(extent const& a, extent const& b) {
    if (a.count == 0 && b.count == 0) return static_extent(a.constant * b.constant);
    extent r = multiply<2>(a, b);
    if (r.overflow && !a.overflow && !b.overflow) {   // terms may cancel out in the end, as in (n + 3) (n² - 3 n)
        r = {};
        r.add(multiply<9>(a, b));
    }
    return r;
}

constexpr std::int64_t floor_divide(std::int64_t a, std::int64_t n) { return a / n - (a % n < 0); }
/// a / n, rounded down, with n >= 1, in canonical form. Terms that divide exactly are divided. The rest must be
/// floor((d + r) / n) of one dimension d with 0 <= r < n. A larger rest, or a divisor above 1023, sets `overflow`.
constexpr extent operator/(extent const& a, std::int64_t n) {
    extent r{}, rest{};
    r.overflow = a.overflow || n < 1;
    if (r.overflow || n == 1) {
        r.add(a);
        return r;
    }
    std::int64_t common = n;
    for (int i = 0; i < a.count; ++i) {
        auto t = a.terms[i];
        std::int64_t const left = t.coefficient - floor_divide(t.coefficient, n) * n;
        t.coefficient = floor_divide(t.coefficient, n);
        r.add_term(t);
        t.coefficient = left;
        rest.add_term(t);
        for (std::int64_t b = left; b != 0;) {   // greatest common divisor
            std::int64_t const c = common % b;
            common = b;
            b = c;
        }
    }
    std::int64_t const k = floor_divide(a.constant, common), m = n / common;
    if (rest.count == 0) {
        r.constant += floor_divide(a.constant, n);
        return r;
    }
    auto t = rest.terms[0];
    if (rest.count > 1 || t.coefficient != common || t.dims[1] != nullptr ||
        floor_quotients::by(t.floors.bits) * m > floor_quotients::max_divisor) {
        r.overflow = true;
        return r;
    }
    // floor((floor((d + p) / q) + k) / m) = floor((d + p + k q) / (q m))
    std::int64_t const q = floor_quotients::by(t.floors.bits), plus = floor_quotients::plus(t.floors.bits) + k * q;
    r.constant += floor_divide(plus, q * m);
    t.coefficient = 1;
    t.floors.bits = floor_quotients::pack(plus - floor_divide(plus, q * m) * q * m, q * m);
    r.add_term(t);
    return r;
}

/// Extents such as `batch * time`, `2 * batch`, `batch - 1`, `(time + 1) / 2` (rounded down):
/// `reshape<batch * time, 16>(x)`. The order of terms and factors does not matter: both orders are one extent.
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
template<class A, class B>
concept DimOperands = (is_dim<A> || is_dim<B>)&&is_dim_operand<A> && is_dim_operand<B>;

template<char Operation>
constexpr extent combine(extent const& a, extent const& b) {
    if constexpr (Operation == '+') return a + b;
    else if constexpr (Operation == '-') return a - b;
    else if constexpr (Operation == '*') return a * b;
    else return a / b.constant;
}
template<char Operation, class A, class B>
constexpr char operation_of(extent_expression<Operation, A, B> const&) {
    return Operation;
}
template<auto D>
constexpr extent extent_of_argument() {
    using T = std::remove_cvref_t<decltype(D)>;
    if constexpr (std::is_integral_v<T>) return static_extent(static_cast<std::int64_t>(D));
    else if constexpr (std::is_same_v<T, extent>) return D;
    else if constexpr (std::is_same_v<T, dim_info const*>) return named_extent(D);
    else if constexpr (requires { D.left; }) return combine<operation_of(D)>(extent_of_argument<D.left>(), extent_of_argument<D.right>());
    else {
        static_assert(sizeof(T) == 1 || D.name.text[0] != 0,
            "xgrad: a named dimension is not constexpr; write inline constexpr xgrad::dim batch{\"batch\"}, in a function without "
            "inline");
        return named_extent(&dim_info_of<D>);
    }
}
}

template<class A, class B>
    requires detail::DimOperands<A, B>
constexpr auto operator*(A const& a, B const& b) {
    return extent_expression<'*', A, B>{a, b};
}
template<class A, class B>
    requires detail::DimOperands<A, B>
constexpr auto operator+(A const& a, B const& b) {
    return extent_expression<'+', A, B>{a, b};
}
template<class A, class B>
    requires detail::DimOperands<A, B>
constexpr auto operator-(A const& a, B const& b) {
    return extent_expression<'-', A, B>{a, b};
}
template<class A, class B>
    requires detail::DimOperands<A, B>
constexpr auto operator/(A const& a, B const& b) {
    static_assert(std::is_integral_v<B>,
        "xgrad: an extent is divided by something that is not an integer; write an integer as the divisor, which rounds down: "
        "(time + 1) / 2");
    if constexpr (std::is_integral_v<B>) return extent_expression<'/', A, B>{a, b};
    else return a;
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
