// SPDX-License-Identifier: MIT
// The exceptions that xgrad throws, and the handlers for builds without exceptions.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/config/config.hpp>
#include <xgrad/meta/sequence.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

/// Base of all exceptions of xgrad. The message has what was expected, what was found, and the name of the variable or
/// input.
struct error : std::runtime_error {
    using std::runtime_error::runtime_error;
};
/// An array has other extents than its input or variable, or two inputs disagree about a named dimension.
struct shape_error : error {
    using error::error;
};
/// An array has another element type than its input or variable.
struct dtype_error : error {
    using error::error;
};
/// An input is missing, is given twice, or has a memory layout that cannot be used.
struct binding_error : error {
    using error::error;
};
/// A value is outside the allowed range: an index, a hyper-parameter.
struct value_error : error {
    using error::error;
};
/// A file cannot be read or written, or has unexpected content.
struct io_error : error {
    using error::error;
};
/// A checkpoint does not fit its target.
struct checkpoint_error : io_error {
    using io_error::io_error;
};

/// If exceptions are off, called with the message before std::abort. Replace it to log elsewhere.
inline void (*error_handler)(char const* message) = [](char const* message) { std::fprintf(stderr, "xgrad: %s\n", message); };

/// If XGRAD_CHECKS is on, called with a message about code that is valid but hardly intended. Replace it to log
/// elsewhere.
inline void (*warning_handler)(char const* message) = [](char const* message) { std::fprintf(stderr, "xgrad: warning: %s\n", message); };

class message_text;
/// A piece of a message: text or a whole number. It has two words only, because every place that has a message
/// constructs one per piece.
class message_part {
    static constexpr char negative[1] = {'-'}, number[1] = {'+'};   // addresses that mark a number instead of a text
    char const* text_;
    std::uint64_t size_;   // the number without its sign, if it is one

    XGRAD_INLINE message_part(char const* text, std::uint64_t n) : text_(text), size_(n) {}

public:
    XGRAD_INLINE message_part(std::string_view text) : message_part(text.data(), text.size()) {}
    XGRAD_INLINE message_part(char const* text) : message_part(std::string_view(text)) {}
    XGRAD_INLINE message_part(std::string const& text) : message_part(std::string_view(text)) {}
    message_part(message_text const& text);
    XGRAD_INLINE message_part(std::uint64_t n) : message_part(number, n) {}
    XGRAD_INLINE message_part(std::int64_t n) : message_part(n < 0 ? negative : number, static_cast<std::uint64_t>(n)) {}
    XGRAD_INLINE message_part(int n) : message_part(std::int64_t{n}) {}
    /// The part as text. A number is written into `digits`: 2^64 - 1 has twenty digits, -2^63 nineteen and the sign.
    std::string_view in(char (&digits)[20]) const;
};
namespace detail {
/// Replaces control characters. Names come from files too: a zero would end the message, and other control characters
/// would move a cursor.
XGRAD_INLINE char shown(char c) { return (static_cast<unsigned char>(c) < ' ' && c != '\n') || c == '\x7f' ? '?' : c; }
}   // namespace detail

/// Parts in sequence, terminated by a zero. It does not use std::string. In C++20 no function of std::string comes from
/// the binary of the standard library, so each is compiled again in every program. Sums of strings would be more code
/// than everything else at a place that raises an error.
class message_text {
    sequence<char> text_;

public:
    void add(std::initializer_list<message_part> parts);
    char const* c_str() const { return text_.at; }
    std::string_view view() const { return {text_.at, static_cast<std::size_t>(text_.count)}; }
};
XGRAD_INLINE message_part::message_part(message_text const& text) : message_part(text.view()) {}
/// Appends the parts.
void append(std::string& text, std::initializer_list<message_part> parts);
/// Joins the parts.
std::string message(std::initializer_list<message_part> parts);

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST std::string_view message_part::in(char (&digits)[20]) const {
    if (text_ != negative && text_ != number) return {text_, size_};
    char* first = digits + sizeof digits;
    std::uint64_t rest = text_ == negative ? 0 - size_ : size_;
    do {
        *--first = static_cast<char>('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (text_ == negative) *--first = '-';
    return {first, static_cast<std::size_t>(digits + sizeof digits - first)};
}
XGRAD_COLD XGRAD_HOST void message_text::add(std::initializer_list<message_part> parts) {
    char digits[20];
    for (message_part const& p : parts)
        for (char const c : p.in(digits)) text_.push(detail::shown(c));
    text_.push('\0');
    --text_.count;
}
XGRAD_COLD XGRAD_HOST void append(std::string& text, std::initializer_list<message_part> parts) {
    char digits[20];
    for (message_part const& p : parts)
        for (char const c : p.in(digits)) text += detail::shown(c);
}
XGRAD_COLD XGRAD_HOST std::string message(std::initializer_list<message_part> parts) {
    std::string text;
    append(text, parts);
    return text;
}
#endif

/// Throws Error(message). Without exceptions it calls error_handler and aborts.
template<class Error>
[[noreturn]] XGRAD_COLD void raise(char const* message) {
#if XGRAD_EXCEPTIONS
    throw Error(message);
#else
    error_handler(message);
    std::abort();
#endif
}
template<class Error>
[[noreturn]] void raise(std::string const& message) {
    raise<Error>(message.c_str());
}
/// Like raise, with a message in parts: `raise_parts<value_error>({"xgrad: the dimension \"", name, "\" cannot have ",
/// size, " elements"})`.
template<class Error>
[[noreturn]] XGRAD_COLD void raise_parts(std::initializer_list<message_part> parts) {
    message_text text;
    text.add(parts);
    raise<Error>(text.c_str());
}

namespace detail {
/// Example: "[4, 3]".
message_text shape_text(std::int64_t const* extents, std::size_t rank);
void add_name(message_text& text, int n, std::string_view name);
void end_names(message_text& text, int n);
/// The names in a list for messages, such as "a", "b" and "c"; at most twelve. `name` gives the name of an element.
template<class List, class Name>
XGRAD_COLD message_text names_text(List const& list, Name const& name) {
    message_text text;
    int n = 0;
    for (auto const& e : list)
        if (!name(e).empty()) add_name(text, ++n, name(e));
    end_names(text, n);
    return text;
}
#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST message_text shape_text(std::int64_t const* extents, std::size_t rank) {
    message_text text;
    text.add({"["});
    for (std::size_t d = 0; d < rank; ++d) text.add({d > 0 ? ", " : "", extents[d]});
    text.add({"]"});
    return text;
}
XGRAD_COLD XGRAD_HOST void add_name(message_text& text, int n, std::string_view name) {
    if (n <= 12) text.add({n > 1 ? ", " : "", "\"", name, "\""});
}
XGRAD_COLD XGRAD_HOST void end_names(message_text& text, int n) {
    if (n > 12) text.add({" and ", n - 12, " more"});
    if (n == 0) text.add({"none"});
}
#endif
}   // namespace detail

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
