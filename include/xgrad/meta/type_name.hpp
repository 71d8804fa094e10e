// SPDX-License-Identifier: MIT
// The name of a type as the compiler writes it, without its scope.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <string_view>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// "xgrad::v0_1::adam", "(anonymous namespace)::cell".
template<class T>
consteval std::string_view scoped_name_of() {
    constexpr std::string_view text = __PRETTY_FUNCTION__;   // "... [with T = cell; std::string_view = ...]", "... [T = cell]"
    constexpr std::size_t first = text.rfind("T = ") + 4, semicolon = text.find(';', first);
    return text.substr(first, (semicolon != text.npos ? semicolon : text.rfind(']')) - first);
}
/// "adam", "cell".
template<class T>
consteval std::string_view name_of_type() {
    constexpr std::string_view text = scoped_name_of<T>();
    constexpr std::size_t last = text.substr(0, text.find('<')).rfind("::");
    return last == text.npos ? text : text.substr(last + 2);
}

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
