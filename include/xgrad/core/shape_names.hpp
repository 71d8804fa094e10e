// SPDX-License-Identifier: MIT
// Shapes and names as template arguments. The compiler prints them next to the error sentence.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/symbol.hpp>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// Writes text in constant evaluation. With a null pointer it only counts.
struct shape_writer {
    char* to;
    std::size_t count = 0;
    constexpr void add(std::string_view text) {
        for (char const c : text) {
            if (to != nullptr) to[count] = c;
            ++count;
        }
    }
    constexpr void add(std::int64_t n) {
        char digits[20]{};
        std::size_t first = sizeof digits;
        std::uint64_t rest = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
        do {
            digits[--first] = static_cast<char>('0' + rest % 10);
            rest /= 10;
        } while (rest != 0);
        if (n < 0) digits[--first] = '-';
        add(std::string_view(digits + first, sizeof digits - first));
    }
    constexpr void add(extent const& e) {
        for (int k = 0; k < e.count; ++k) {
            auto const& t = e.terms[k];
            if (k > 0) add(" + ");
            if (t.coefficient != 1) {
                add(t.coefficient);
                add("*");
            }
            for (int f = 0; f < extent::max_factors && t.dims[f] != nullptr; ++f) {
                std::int64_t const q = t.floors.of(f);
                if (f > 0) add("*");
                if (q != 0) add("(");
                add(t.dims[f]->name);
                if (q != 0) {
                    add(" + ");
                    add(floor_quotients::plus(q));
                    add(")/");
                    add(floor_quotients::by(q));
                }
            }
        }
        if (e.count > 0 && e.constant == 0) return;
        if (e.count > 0) add(" + ");
        add(e.constant);
    }
    constexpr void add(shape const& s) {
        add("[");
        for (int i = 0; i < s.rank; ++i) {
            if (i > 0) add(", ");
            add(s.extents[i]);
        }
        add("]");
    }
};
template<Expr E>
constexpr auto make_shape_name() {
    constexpr std::size_t size = [] {
        shape_writer count{nullptr};
        count.add(value_of<E>.dims);
        return count.count;
    }();
    char text[size + 1]{};
    shape_writer{text}.add(value_of<E>.dims);
    return fixed_string<size + 1>(text);
}
/// The shape of an expression, "[batch, 4]".
template<Expr E>
inline constexpr auto shape_name = make_shape_name<E>();

template<class View>   // a constexpr function without arguments
constexpr auto make_text(View view) {
    char text[view().size() + 1]{};
    for (std::size_t i = 0; i < view().size(); ++i) text[i] = view()[i];
    return fixed_string<view().size() + 1>(text);
}
/// `said<good>::by<Sentence>`, where Sentence is a struct that contains the static_assert. It is instantiated only if
/// something is wrong, and the compiler then prints its names.
template<bool Good>
struct said {
    template<class Sentence>
    using by = char;
};
template<>
struct said<false> {
    template<class Sentence>
    using by = char[sizeof(Sentence)];
};

// Each sentence is in a function template of the shapes, so the compiler's message names them.
template<fixed_string... Shapes>
constexpr void refuse_shapes() {
    static_assert(sizeof...(Shapes) == 0,
        "xgrad: the shapes of the operands do not broadcast: from the right, extents must be equal or 1, and different named "
        "dimensions differ; write reshape or expand_dims");
}
template<fixed_string... Shapes>
constexpr void refuse_repeated_dimension() {
    static_assert(sizeof...(Shapes) == 0,
        "xgrad: shapes such as [batch, 1] and [batch] would broadcast to [batch, batch], each row with all others; write "
        "squeeze or reshape on one operand, or broadcast_to");
}
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
