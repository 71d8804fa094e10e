// SPDX-License-Identifier: MIT
// Sums of products of tensors, written as NumPy's einsum.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/shape_names.hpp>
#include <xgrad/ops/contraction.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
enum class einsum_slip { none, character, operands, rank, letter, axes, ellipsis, unnamed, result, many_axes };
/// The subscripts of einsum: the names of the axes of each operand and of the result.
struct einsum_terms {
    einsum_slip slip;
    int operands;
    int operand;            // which operand is wrong, counted from 1
    char letter;            // which letter is wrong
    extent first, second;   // its two extents
    axis_names in[max_operands], out;
    shape under_ellipsis;   // the axes under "...", by NumPy's rule for broadcasting
};
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// One term: letters in order, '.' for an ellipsis, which is there at most once.
struct einsum_term {
    int letters, ellipsis;   // the place of the ellipsis, or -1
    axis_names names;
    constexpr void push(char c) {
        if (letters < axis_names::room) names.push(c);
        ++letters;
    }
    /// With the names of `axes` axes in place of the ellipsis.
    constexpr axis_names spelled_out(int axes) const {
        axis_names r{};
        for (int i = 0; i <= names.count; ++i) {
            for (int k = axes; i == ellipsis && k > 0; --k) r.push(static_cast<char>(k));
            if (i < names.count) r.push(names.at[i]);
        }
        return r;
    }
};
/// Reads a term up to a comma, an arrow or the end.
constexpr einsum_slip read_term(std::string_view text, std::size_t& at, einsum_term& term) {
    term.ellipsis = -1;
    for (; at < text.size() && text[at] != ',' && text[at] != '-'; ++at) {
        if (text[at] == ' ') continue;
        if (is_letter(text[at])) term.push(text[at]);
        else if (text.substr(at, 3) == "..." && term.ellipsis < 0) {
            term.ellipsis = term.letters;
            at += 2;
        } else return einsum_slip::character;
    }
    return einsum_slip::none;
}
/// The extents of a letter are equal; those under "..." broadcast.
constexpr einsum_slip compare_extents(einsum_terms& r, shape const* const* shapes, int count) {
    extent of_letter[128]{};
    bool known[128]{};
    for (int k = 0; k < count; ++k) {
        shape under{};
        for (int i = 0; i < r.in[k].count; ++i) {
            extent const& e = shapes[k]->extents[i];
            char const c = r.in[k].at[i];
            if (!is_letter(c)) {
                under.extents[under.rank++] = e;
                continue;
            }
            auto const place = static_cast<std::size_t>(c);
            if (known[place] && !(of_letter[place] == e)) {
                r.letter = c;
                r.first = of_letter[place];
                r.second = e;
                return einsum_slip::letter;
            }
            known[place] = true;
            of_letter[place] = e;
        }
        if (!broadcast_into(r.under_ellipsis, under)) return einsum_slip::axes;
    }
    return einsum_slip::none;
}
constexpr einsum_terms read_subscripts(std::string_view text, shape const* const* shapes, int count) {
    einsum_terms r{};
    auto const wrong = [&](einsum_slip slip, char letter = 0) {
        r.slip = slip;
        r.letter = letter;
        return r;
    };
    std::size_t at = 0;
    int times[128]{}, axes = 0;
    for (bool more = true; more; ++r.operands) {
        einsum_term term{};
        if (auto const slip = read_term(text, at, term); slip != einsum_slip::none) return wrong(slip, text[at]);
        more = at < text.size() && text[at] == ',';
        at += more;
        if (r.operands >= count) continue;
        int const rank = shapes[r.operands]->rank, rest = rank - term.letters;
        if (rest < 0 || (term.ellipsis < 0 && rest > 0)) {   // reported after a wrong number of operands
            if (r.operand == 0) r.operand = r.operands + 1;
            continue;
        }
        r.in[r.operands] = term.spelled_out(rest);
        for (int i = 0; i < term.letters; ++i) ++times[static_cast<std::size_t>(term.names.at[i])];
        if (term.ellipsis >= 0 && rest > axes) axes = rest;
    }
    einsum_term out{};
    if (at < text.size()) {
        if (text.substr(at, 2) != "->") return wrong(einsum_slip::character, text[at]);
        at += 2;
        if (auto const slip = read_term(text, at, out); slip != einsum_slip::none) return wrong(slip, text[at]);
        if (at < text.size()) return wrong(einsum_slip::character, text[at]);
    } else {   // NumPy's rule: the letters that are there once, in alphabetical order
        out.ellipsis = 0;
        for (char c = 'A'; c <= 'z'; ++c)
            if (times[static_cast<std::size_t>(c)] == 1) out.push(c);
    }
    if (r.operands != count) return wrong(einsum_slip::operands);
    if (r.operand != 0) return wrong(einsum_slip::rank);
    if (out.ellipsis < 0 && axes > 0) return wrong(einsum_slip::unnamed);
    for (int i = 0; i < out.names.count; ++i) {
        char const c = out.names.at[i];
        if (times[static_cast<std::size_t>(c)] == 0 || out.names.find(c) < i) return wrong(einsum_slip::result, c);
    }
    if (out.letters + axes > max_rank) return wrong(einsum_slip::many_axes);
    r.out = out.spelled_out(axes);
    r.slip = compare_extents(r, shapes, count);
    return r;
}
template<fixed_string Subscripts, class... A>
inline constexpr einsum_terms einsum_terms_of = [] {
    shape const* const shapes[]{&value_of<A>.dims..., nullptr};
    return read_subscripts(Subscripts.view(), shapes, sizeof...(A));
}();

/// The axes of operand k without those of extent 1 under "..." that are longer elsewhere.
constexpr axis_names axes_to_keep(einsum_terms const& terms, int k, shape const& s) {
    axis_names r{};
    shape const& under = terms.under_ellipsis;
    for (int i = 0; i < terms.in[k].count; ++i) {
        char const c = terms.in[k].at[i];
        if (is_letter(c) || !is_one(s.extents[i]) || is_one(under.extents[under.rank - c])) r.push(c);
    }
    return r;
}
constexpr shape extents_to_keep(einsum_terms const& terms, int k, shape const& s) {
    shape r{};
    axis_names const names = axes_to_keep(terms, k, s);
    for (int i = 0; i < s.rank; ++i)
        if (names.has(terms.in[k].at[i])) r.extents[r.rank++] = s.extents[i];
    return r;
}
/// Those of the names that the result or an operand other than k has.
constexpr axis_names names_elsewhere(einsum_terms const& terms, int k, axis_names const& names) {
    axis_names all = terms.out;
    for (int other = 0; other < terms.operands; ++other)
        if (other != k) all = followed_by(all, without(common_names(names, terms.in[other]), all));
    return common_names(names, all);
}
/// Operand K as all operands need it. Axes of one name become their diagonal, and axes that nothing else has are summed.
template<fixed_string Subscripts, int K, class... A, class E>
constexpr auto einsum_operand(E const& e) {
    constexpr einsum_terms const& terms = einsum_terms_of<Subscripts, A...>;
    constexpr shape const& s = value_of<E>.dims;
    using single = decltype(diagonal(factor_of<axes_to_keep(terms, K, s)>(reshaped_to<extents_to_keep(terms, K, s)>(e))));
    constexpr axis_names kept = names_elsewhere(terms, K, single::names);
    return factor_of<kept>(summed<single::names, kept>(typename single::expression{}));
}
template<fixed_string Subscripts, class... A>
constexpr auto einsum_of(A const&... x) {
    return [&]<int... K>(std::integer_sequence<int, K...>) {
        return contraction<einsum_terms_of<Subscripts, A...>.out>(factors<decltype(einsum_operand<Subscripts, K, A...>(x))...>{});
    }(std::make_integer_sequence<int, sizeof...(A)>{});
}
constexpr std::size_t length_of_text(extent const& e) {
    shape_writer count{nullptr};
    count.add(e);
    return count.count;
}
template<extent E>
constexpr auto make_extent_name() {
    char text[length_of_text(E) + 1]{};
    shape_writer{text}.add(E);
    return fixed_string<length_of_text(E) + 1>(text);
}
// The compiler's message names the arguments of these templates.
template<char Letter, fixed_string First, fixed_string Second>
constexpr refused refuse_letter_of_two_extents() {
    static_assert(Letter == 0,
        "xgrad::einsum<subscripts>(x...): a letter stands for axes with different extents; write another letter for one of them, or slice "
        "the longer axis");
    return {};
}
template<int Operand, int Rank>
constexpr refused refuse_rank_of_subscripts() {
    static_assert(Operand == 0,
        "xgrad::einsum<subscripts>(x...): an operand has not as many axes as its subscripts have letters; write a letter for each axis, or "
        "\"...\" for several");
    return {};
}
template<char Letter>
constexpr refused refuse_letter_of_result() {
    static_assert(Letter == 0,
        "xgrad::einsum<subscripts>(x...): a letter after \"->\" is in no operand, or is there twice; write different letters of the operands");
    return {};
}
}

/// Sums of products with named axes (NumPy's einsum): `einsum<"bqd,bkd->bqk">(q, k)`. Each letter is an axis of every operand that has
/// it, with one extent. The result has the letters after "->", and all other axes are summed. Without "->" it has the letters that are
/// there once, in alphabetical order, upper case first. A letter twice in one operand means its diagonal: `einsum<"ii">(m)` is the
/// trace. "..." means the other axes of an operand. They broadcast, and come first in a result without "->". Spaces do not count.
///
/// Operands have one element type, integers too. bfloat16 and float16 are computed in float. Two operands that share a summed axis are
/// multiplied by matmul: once, or once for each element of the axes that both and the result have. Operands that matmul cannot read as
/// they are stored are transposed before. Other operands are multiplied element by element, and the products are summed; so are small
/// matrices with as many vectors. Several operands are multiplied in pairs, first those whose product is small. There, a named
/// dimension counts as 128. A sum of no elements is 0.
///
/// Gradient: for each operand, the sums of products of g and the other operands.
template<fixed_string Subscripts, class... A>
constexpr auto einsum(A const&... x) {
    if constexpr (!(Expr<A> && ...) || sizeof...(A) > max_operands) return detail::refuse_operand<A...>();
    else if constexpr (((value_of<A>.wrong != fault::none) || ...)) return detail::refused{};
    else if constexpr (!detail::are_factors<A...>()) return detail::refuse_factors<A...>();
    else {
        using detail::einsum_slip;
        constexpr auto const& terms = detail::einsum_terms_of<Subscripts, A...>;
        constexpr einsum_slip slip = terms.slip;
        static_assert(slip != einsum_slip::character,
            "xgrad::einsum<subscripts>(x...): the subscripts are not letters, commas, one \"->\" and one \"...\" for each operand; write "
            "such as \"bij,bjk->bik\"");
        static_assert(slip != einsum_slip::operands,
            "xgrad::einsum<subscripts>(x...): the number of operands is not that of the subscripts; write subscripts for each operand, with "
            "commas between them");
        static_assert(slip != einsum_slip::axes,
            "xgrad::einsum<subscripts>(x...): the axes under \"...\" do not broadcast; from the right, their extents must be equal or 1");
        static_assert(slip != einsum_slip::unnamed,
            "xgrad::einsum<subscripts>(x...): operands have axes under \"...\" that the result does not have; write \"...\" after \"->\" too");
        static_assert(slip != einsum_slip::many_axes,
            "xgrad::einsum<subscripts>(x...): the result has more than six axes; write fewer letters after \"->\", which sums the others");
        if constexpr (slip == einsum_slip::letter)
            return detail::refuse_letter_of_two_extents<terms.letter, detail::make_extent_name<terms.first>(),
                detail::make_extent_name<terms.second>()>();
        else if constexpr (slip == einsum_slip::rank) {
            constexpr int ranks[]{value_of<A>.dims.rank...};
            return detail::refuse_rank_of_subscripts<terms.operand, ranks[terms.operand - 1]>();
        } else if constexpr (slip == einsum_slip::result) return detail::refuse_letter_of_result<terms.letter>();
        else if constexpr (slip != einsum_slip::none) return detail::refused{};
        else return detail::einsum_of<Subscripts>(detail::as_factor<(sizeof...(A) > 1)>(x)...);
    }
}
// NumPy's einsum("ij,jk", a, b).
template<std::size_t N, class... A>
constexpr auto einsum(char const (&)[N], A const&...) {
    static_assert(detail::never<std::integral_constant<std::size_t, N>>,
        "xgrad::einsum<subscripts>(x...): the subscripts are part of the function; write einsum<\"ij,jk->ik\">(a, b)");
    return detail::refused{};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
