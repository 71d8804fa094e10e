// SPDX-License-Identifier: MIT
// Text as a template argument: the names of leaves, dimensions and blocks.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

/// A string literal as a template argument.
template<std::size_t N>
struct fixed_string {
    char text[N]{};
    constexpr fixed_string(char const (&s)[N]) {
        for (std::size_t i = 0; i < N; ++i) text[i] = s[i];
    }
    // Reports an argument that is not a string literal.
    template<class T>
        requires(N == 1 && !std::is_arithmetic_v<T>)
    constexpr fixed_string(T const&) {
        refuse<T>();
    }
    // clang does not bind temporaries in template arguments, so numbers are taken by value.
    template<class T>
        requires(N == 1 && std::is_arithmetic_v<T>)
    constexpr fixed_string(T) {
        refuse<T>();
    }
    constexpr std::string_view view() const { return {text, N - 1}; }

private:
    template<class T>
    static constexpr void refuse() {
        static_assert(sizeof(T) == 0,
            "xgrad: a name is not text in quotes, but it is part of a type; write input<\"x\", float>, and for names known only at "
            "run time bind by named_arrays");
    }
};
template<std::size_t N>
fixed_string(char const (&)[N]) -> fixed_string<N>;
template<class T>
    requires(!std::is_arithmetic_v<T>)
fixed_string(T const&) -> fixed_string<1>;
template<class T>
    requires std::is_arithmetic_v<T>
fixed_string(T) -> fixed_string<1>;

/// 64-bit FNV-1a, continued from `seed`.
constexpr std::uint64_t hash_text(std::string_view s, std::uint64_t seed = 0xcbf29ce484222325u) {
    for (char c : s) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return seed;
}
constexpr std::uint64_t hash_mix(std::uint64_t h, std::uint64_t v) {
    h ^= v + 0x9E3779B97F4A7C15u + (h << 6) + (h >> 2);
    return h * 0xBF58476D1CE4E5B9u;
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
