// SPDX-License-Identifier: MIT
// Named dimensions, which get their sizes at the call.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/meta/fixed_string.hpp>

#include <cstdint>
#include <string_view>
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

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
