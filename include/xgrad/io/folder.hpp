// SPDX-License-Identifier: MIT
// The content of a folder, and the parts of file names.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include <dirent.h>

XGRAD_NAMESPACE_BEGIN

namespace detail {

/// The folder of a path with the trailing slash, or ./
inline std::string folder_of(std::string const& path) {
    std::size_t const slash = path.rfind('/');
    return slash == path.npos ? std::string("./") : path.substr(0, slash + 1);
}

/// Calls visit(name) for each entry of a folder. Returns false if the folder cannot be read; errno has the reason.
template<class Visit>
bool visit_folder(std::string const& folder, Visit const& visit) {
    ::DIR* const open = ::opendir(folder.c_str());
    if (open == nullptr) return false;
    while (::dirent const* entry = ::readdir(open)) visit(std::string_view(entry->d_name));
    ::closedir(open);
    return true;
}

/// Removes a whole number, without sign and leading zeros, from the end of a text. Returns false if the text does not end so, or if
/// the number is 2^63 or more.
inline bool take_number(std::string_view& text, std::uint64_t& number) {
    std::size_t first = text.size();
    while (first > 0 && text[first - 1] >= '0' && text[first - 1] <= '9') --first;
    std::size_t const digits = text.size() - first;
    if (digits == 0 || digits > 19 || (digits > 1 && text[first] == '0')) return false;
    number = 0;
    for (char const c : text.substr(first)) number = number * 10 + static_cast<std::uint64_t>(c - '0');
    text.remove_suffix(digits);
    return number >> 63 == 0;
}
/// Removes an ending from a text. Returns false if the text ends otherwise.
inline bool take_ending(std::string_view& text, std::string_view ending) {
    if (!text.ends_with(ending)) return false;
    text.remove_suffix(ending.size());
    return true;
}

}   // namespace detail

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
